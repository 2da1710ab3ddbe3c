"""A table of results in the library that the input came from."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any


def frame_library(data: Any) -> str:
    """Give the library of a data frame, "pyarrow" for everything else.

    >>> import pandas
    >>> frame_library(pandas.DataFrame()), frame_library("table.csv")
    ('pandas', 'pyarrow')
    """
    root = type(data).__module__.split(".")[0]
    return root if root in ("pandas", "polars") else "pyarrow"


def as_frame(columns: dict[str, list[Any]], library: str) -> Any:
    """Make a data frame, or an Arrow table."""
    module = import_module(library)
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


def make_typed_frame(
    columns: dict[str, list[Any]], types: dict[str, str], library: str, labels: Sequence[Any]
) -> Any:
    """Make a frame whose columns have a type even where they are empty.

    `types` are those of Arrow, by column. The first column holds names as text; in pandas they are
    the `labels`, which may be numbers or tuples.
    """
    import pyarrow as pa

    table = pa.table(columns, schema=pa.schema([(name, types[name]) for name in columns]))
    if library == "polars":
        return import_module(library).from_arrow(table)
    if library == "pyarrow":
        return table
    frame = table.to_pandas()
    first = next(iter(columns))
    if any(not isinstance(label, str) for label in labels):
        frame[first] = import_module(library).Series(list(labels), index=frame.index, dtype=object)
    whole = [name for name in columns if types[name].startswith("int")]
    return frame.astype(dict.fromkeys(whole, "Int64"))


def add_columns(base: Any, columns: dict[Any, Any], order: Sequence[Any], library: str) -> Any:
    """Put Arrow columns into a frame of pandas or polars, in the place of its own where it has any.

    `order` are the columns of the result. In pandas the index stays.
    """
    module = import_module(library)
    if library == "polars":
        series = [module.Series(name, module.from_arrow(one)) for name, one in columns.items()]
        return base.with_columns(series).select(list(order))
    parts = [
        module.Series(columns[name].to_pandas().to_numpy(), index=base.index)
        if name in columns
        else base[name]
        for name in order
    ]
    return module.concat(parts, axis=1, keys=list(order)) if parts else base
