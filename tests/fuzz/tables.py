"""The intact files that are damaged: small, of every kind of column, the same in every run."""

import gzip
import io
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import scipy.sparse

ROWS = 40
KINDS = ("csv", "tsv", "csv.gz", "parquet", "feather", "npz", "sparse.npz")


@cache
def intact(kind: str, form: int) -> bytes:
    """Give the bytes of a good file; `form` varies packing, types and layout."""
    if kind in ("csv", "tsv", "csv.gz"):
        data = _text("\t" if kind == "tsv" else ",;"[form % 2])
        return gzip.compress(data, mtime=0) if kind.endswith("gz") else data
    sink = io.BytesIO()
    if kind == "parquet":
        packing = ("none", "snappy", "zstd", "gzip")[form % 4]
        pq.write_table(
            _arrow(), sink, compression=packing, use_dictionary=form % 3 > 0, row_group_size=17
        )
    elif kind == "feather":
        packing = ("uncompressed", "lz4", "zstd", "uncompressed")[form % 4]
        pyarrow.feather.write_feather(_arrow(), sink, compression=packing, chunksize=17)
    elif kind == "npz":
        _dense(sink, form)
    else:
        layout = ("csr", "csc", "coo", "bsr", "dia")[form % 5]
        matrix = scipy.sparse.coo_array(np.where(numbers() > 0, numbers(), 0))
        scipy.sparse.save_npz(sink, matrix.asformat(layout), compressed=form % 2 == 0)
    return sink.getvalue()


def numbers() -> Any:
    """Give six columns of numbers, three of which follow from the others."""
    rng = np.random.default_rng(3)
    base = rng.normal(size=(ROWS, 3))
    return np.round(8 * np.column_stack([base, base @ rng.normal(size=(3, 3))])) / 8


def _text(separator: str) -> bytes:
    lines = [["a", "b", "c", "d", "e", "f", "group", "flag"]]
    for i, row in enumerate(numbers()):
        group, flag = ("one", "two", "three")[i % 3], ("true", "false")[i % 2]
        lines.append([*(f"{value:g}" for value in row), group, flag])
    return "".join(separator.join(line) + "\n" for line in lines).encode()


def _arrow() -> pa.Table:
    X = numbers()
    groups = [("one", "two", "three")[i % 3] for i in range(ROWS)]
    return pa.table(
        {
            "a": X[:, 0],
            "b": pa.array(X[:, 1].astype(np.float32)),
            "c": pa.array([None if i == 7 else i * i for i in range(ROWS)]),
            "d": X[:, 3],
            "flag": pa.array((X[:, 4] > 0).tolist()),
            "text": groups,
            "group": pa.array(groups).dictionary_encode(),
            "list": [[i, i + 1] for i in range(ROWS)],
            "day": pa.array(range(ROWS), pa.date32()),
        }
    )


def _dense(sink: Any, form: int) -> None:
    X = numbers()
    order = np.asfortranarray(X) if form % 4 == 3 else X
    typed = (order, order.astype(np.float32), (8 * X).astype(np.int64), order)[form % 4]
    save = np.savez_compressed if form % 2 else np.savez
    save(sink, X=typed, feature_names=np.array([f"gene {j}" for j in range(X.shape[1])]))
