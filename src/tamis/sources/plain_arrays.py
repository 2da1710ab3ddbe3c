"""Arrow arrays of plain values, made without pandas.

`pa.array` and `pa.scalar` load it wherever it is installed, which takes half a second.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["NO_NUMBER", "as_arrow", "as_texts"]


def as_arrow(values: NDArray[Any]) -> Any:
    """Give numbers to Arrow as they lie in memory.

    >>> as_arrow(np.array([1.5, 2.0])).to_pylist()
    [1.5, 2.0]
    """
    kind, buffer = pa.from_numpy_dtype(values.dtype), pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(kind, len(values), [None, buffer])


def as_texts(texts: Sequence[str]) -> Any:
    """Give texts to Arrow.

    >>> as_texts(["", "é", "b"]).to_pylist()
    ['', 'é', 'b']
    """
    coded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, coded)], dtype=np.int64)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(coded))]
    return pa.Array.from_buffers(pa.large_string(), len(coded), buffers).cast(pa.string())


NO_NUMBER = as_arrow(np.array([np.nan]))[0]
