"""Data frames (pandas, polars, Arrow tables and what else narwhals knows)."""

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np

from tamis.errors import TamisError
from tamis.sources.source import Kind, batch_rows


class FrameSource:
    """An eager data frame behind narwhals."""

    named = True
    origin: str | None = None

    def __init__(self, data: Any, label: str = "The table") -> None:
        self.label = label
        try:
            frame = nw.from_native(data, eager_only=True)
        except TypeError as error:
            raise TamisError(
                f"A {type(data).__name__} is no table tamis reads: give a NumPy array, a pandas, "
                "polars or Arrow table, a SciPy sparse matrix, or the path of a CSV, Parquet, "
                "Feather or NPZ file."
            ) from error
        except nw.exceptions.DuplicateError as error:
            raise TamisError(f"{label} has two columns of the same name: rename one.") from error
        self.frame: nw.DataFrame[Any] = frame
        self.names = tuple(str(name) for name in frame.columns)
        self.kinds = tuple(
            _kind_of_objects(frame[:, j]) if dtype == nw.Object else _kind(dtype)
            for j, dtype in enumerate(frame.schema.values())
        )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.frame)

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns in blocks of rows."""
        frame = self._chosen(columns)
        step = batch_rows(len(columns))
        for start in range(0, self.n_rows, step):
            yield _as_floats(frame[start : start + step])

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the frame with these columns only, of the same library."""
        return self._chosen(columns).to_native()

    def tables(self, columns: Sequence[int], *, gaps: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """Yield these columns as one Arrow table."""
        try:
            yield self._chosen(columns).to_arrow()
        except (ValueError, TypeError) as error:
            raise TamisError(
                f"A column of {self.label[0].lower()}{self.label[1:]} mixes values of different "
                f"kinds ({' '.join(str(error).split())[:120]}): turn it into text or numbers."
            ) from error

    def _chosen(self, columns: Sequence[int]) -> Any:
        # By position: pandas allows names that are no strings.
        return self.frame[:, list(columns)]


def _as_floats(rows: nw.DataFrame[Any]) -> Any:
    """Copy the columns into one array, missing values as NaN."""
    if all(dtype in (nw.Float64, nw.Float32) for dtype in rows.schema.values()):
        return rows.to_numpy()
    out = np.empty(rows.shape)
    for j, column in enumerate(rows.iter_columns()):
        # Arrow refuses to cast whole numbers above 2^53; NumPy rounds them.
        wide = column.dtype in (nw.Int64, nw.UInt64)
        out[:, j] = (column if wide else column.cast(nw.Float64)).to_numpy()
    return out


def _kind_of_objects(column: nw.Series[Any]) -> Kind:
    """Look at the values of a column of Python objects: true, false and None make a boolean."""
    import pyarrow as pa

    from tamis.sources.files import kind_of

    try:
        values = pa.array(column.to_list(), from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        return "other"
    return "other" if pa.types.is_null(values.type) else kind_of(values.type)


def _kind(dtype: Any) -> Kind:
    if dtype.is_numeric():
        return "numeric"
    if dtype == nw.Boolean:
        return "boolean"
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return "categorical"
    return "other"
