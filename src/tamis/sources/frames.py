"""Data frames (pandas, polars, Arrow tables and what else narwhals knows)."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from tamis.errors import TamisError
from tamis.memory import batch_bytes, batch_rows
from tamis.rules.kinds import Kind
from tamis.sources.source import Source, SourceInfo


class FrameSource(Source):
    """An eager data frame behind narwhals."""

    def __init__(self, data: Any, label: str = "The table") -> None:
        try:
            frame = nw.from_native(_as_table(data), eager_only=True)
        except TypeError as error:
            raise TamisError(_explain_unsupported(data)) from error
        except nw.exceptions.DuplicateError as error:
            raise TamisError(f"{label} has two columns of the same name: rename one.") from error
        self.frame: nw.DataFrame[Any] = frame
        given = tuple(frame.columns)
        found = [_kind_and_type(frame, j, dtype) for j, dtype in enumerate(frame.schema.values())]
        self._types = [dtype for _, dtype in found]
        self.info = SourceInfo(
            names=tuple(str(name) for name in given),
            kinds=tuple(kind for kind, _ in found),
            label=label,
            given_names=None if all(isinstance(name, str) for name in given) else given,
            n_rows=len(frame),
        )

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows."""
        # By position: pandas allows names that are no strings.
        frame = self.frame[:, list(columns)]
        step = batch_rows(len(columns))
        for start in range(0, len(frame), step):
            yield _as_floats(self._plain(frame[start : start + step], columns))

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the frame with these columns only, of the same library."""
        return self.frame[:, list(columns)].to_native()

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """Yield these columns as one Arrow table, or as several where texts are huge."""
        try:
            rows = self._plain(self.frame[:, list(columns)], columns)
            if rows.implementation.is_pandas():
                import pyarrow as pa

                # The names may be no strings; the index is no column.
                named = rows.to_native().set_axis([self.names[j] for j in columns], axis=1)
                table = pa.Table.from_pandas(named, preserve_index=False)
            else:
                table = rows.to_arrow()
        except (ValueError, TypeError, OverflowError, NotImplementedError) as error:
            unknown = isinstance(error, NotImplementedError)  # complex numbers, such as FFTs give
            what = "has values of an unknown kind" if unknown else "mixes values of different kinds"
            why = " ".join("; ".join(map(str, reversed(error.args))).split())[:160]
            raise TamisError(
                f"A column of {self.label[0].lower()}{self.label[1:]} {what} ({why}): turn it into "
                "text or numbers."
            ) from error
        yield from _cut_texts(table, self.label)

    def _plain(self, rows: nw.DataFrame[Any], columns: Sequence[int]) -> nw.DataFrame[Any]:
        """Turn columns of numbers that one library alone has into such as others have, too."""
        # Integers of 128 bits, which Arrow does not know, become 64 bits or, if need be, floats.
        for name in [n for n, kind in rows.schema.items() if kind in (nw.Int128, nw.UInt128)]:
            try:
                rows = rows.with_columns(nw.col(name).cast(nw.Int64))
            except Exception:  # the error is that of the library, which may not be there
                rows = rows.with_columns(nw.col(name).cast(nw.Float64))
        types = zip(rows.columns, (self._types[j] for j in columns), strict=True)
        odd = {name: dtype for name, dtype in types if dtype is not None}
        if not odd:
            return rows
        try:
            return nw.from_native(rows.to_native().astype(odd), eager_only=True)
        except OverflowError as error:
            raise TamisError(
                f"{self.label} has integers beyond {np.finfo(np.float64).max:.2g} in one of the "
                f"columns {', '.join(map(repr, odd))}: use a larger unit."
            ) from error


def _cut_texts(table: Any, label: str) -> Iterator[Any]:
    """Yield a table, in pieces if its texts take more than a batch once they are written out.

    A few huge categories stand for more than Arrow has room for in one column.
    """
    import pyarrow as pa

    from tamis.sources.arrow import count_text_bytes, in_pieces

    if count_text_bytes(table) <= batch_bytes():
        yield table
        return
    for batch in table.to_batches():
        for piece in in_pieces(batch, batch_bytes(), label):
            yield pa.Table.from_batches([piece])


def _as_table(data: Any) -> Any:
    """Give a record batch of Arrow as a table."""
    arrow = sys.modules.get("pyarrow")
    batch = arrow is not None and isinstance(data, arrow.RecordBatch)
    return arrow.Table.from_batches([data]) if arrow is not None and batch else data


def _explain_unsupported(data: Any) -> str:
    for way in ("collect", "read_all"):
        if hasattr(data, way):
            return f"Unsupported type {type(data).__name__}: call .{way}() first."
    advice = (
        "give a NumPy array, a pandas, polars or Arrow table, a SciPy sparse matrix, or the path "
        "of a CSV, Parquet, Feather or NPZ file."
    )
    if nw.dependencies.is_into_series(data):
        advice = "it is one column, give a table with at least 2."
    return f"Unsupported type {type(data).__name__}: {advice}"


def _as_floats(rows: nw.DataFrame[Any]) -> Any:
    """Copy the columns into one array, missing values as NaN."""
    floats = all(dtype in (nw.Float64, nw.Float32) for dtype in rows.schema.values())
    if floats and rows[:1].to_numpy().dtype.kind == "f":  # pandas gives Arrow's as objects
        return rows.to_numpy()
    out = np.empty(rows.shape)
    for j, column in enumerate(rows.iter_columns()):
        # Arrow refuses to cast integers above 2^53; NumPy rounds them.
        wide = column.dtype in (nw.Int64, nw.UInt64)
        out[:, j] = (column if wide else column.cast(nw.Float64)).to_numpy()
    return out


def _kind_and_type(frame: nw.DataFrame[Any], j: int, dtype: Any) -> tuple[Kind, Any]:
    """Give the kind of a column, and the type to convert it to if only pandas knows its own."""
    if dtype.is_numeric():
        return "numeric", None
    if dtype == nw.Boolean:
        return "boolean", None
    column = frame[:, j]
    if dtype == nw.Object:
        return _of_objects(column)
    if dtype == nw.Unknown and column.implementation.is_pandas():
        own = column.to_native().dtype
        # A sparse column has a value that fills it, and the type of its values below it.
        inner = own.subtype if hasattr(own, "fill_value") else own
        if getattr(inner, "kind", "") in tuple("fiub"):
            odd = inner.kind == "f" and inner.itemsize not in (4, 8)
            return "boolean" if inner.kind == "b" else "numeric", np.float64 if odd else inner
    # Libraries call a column without any value text; of most the first value is enough to know.
    if column.head(1).null_count() == 1 and column.null_count() == len(column):
        return "empty", None
    return "categorical" if dtype in (nw.String, nw.Categorical, nw.Enum) else "other", None


def _of_objects(column: nw.Series[Any]) -> tuple[Kind, Any]:
    """Give the kind of a column of Python objects: true, false and None make a boolean.

    Numbers among texts, as workbooks have them, are texts: what they are is judged as in a file.
    """
    import pyarrow as pa

    from tamis.sources.arrow import kind_of

    values = column.to_list()
    try:
        array = pa.array(values, from_pandas=True)
    except OverflowError:  # integers beyond 64 bits
        numbers = all(value is None or isinstance(value, int | float) for value in values)
        return ("numeric", np.float64) if numbers else ("other", None)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        plain = all(value is None or isinstance(value, str | int | float) for value in values)
        mixed = plain and column.implementation.is_pandas()
        return ("categorical", "string") if mixed else ("other", None)
    return kind_of(array.type), None


def read_label_table(given: Any) -> tuple[tuple[str, ...], Any]:
    """Give labels as an array of one or two dimensions; with names where they are a data frame."""
    frame = nw.from_native(given, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return (), np.asarray(given, dtype=object)
    columns = [frame[:, j].to_list() for j in range(frame.shape[1])]
    labels = np.empty((len(frame), len(columns)), dtype=object)
    for j, column in enumerate(columns):
        labels[:, j] = column
    return tuple(map(str, frame.columns)), labels
