"""A table of results in the library that the input came from."""

from importlib import import_module
from typing import Any

__all__ = ["as_frame", "frame_library"]


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
