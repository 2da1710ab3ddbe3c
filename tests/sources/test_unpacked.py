"""Small files that stand for large tables: read in pieces, or refused before they are unpacked."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from tamis.columns import tally
from tamis.errors import TamisError
from tamis.memory import batch_bytes, limit_memory
from tamis.sources.arrow import count_text_bytes, in_pieces
from tamis.sources.open import open_source
from tamis.sources.parquet import _read_struct, largest_page
from tamis.statistics.rows import label_column

ROWS = 500
LONG = "x" * 20_000
MEMORY = 1 << 21  # of which a batch is 64 kB


@pytest.fixture
def texts() -> pa.Array:
    """10 MB of text, all of it three values and a missing one."""
    places = pa.array([None if i == 7 else i % 3 for i in range(ROWS)], pa.int32())
    return pa.DictionaryArray.from_arrays(places, pa.array([LONG, "short", LONG + "y"]))


@pytest.fixture
def table(texts: pa.Array) -> pa.Table:
    return pa.table({"a": np.arange(float(ROWS)), "t": texts})


def _views(texts: pa.Array) -> pa.Array:
    """Write texts as views on one copy of each."""
    value = LONG.encode()
    view = np.zeros(4, dtype="<i4")
    view[0], view[1] = len(value), int.from_bytes(value[:4], "little")
    views = pa.py_buffer(np.tile(view, len(texts)).tobytes())
    return pa.Array.from_buffers(
        pa.string_view(), len(texts), [None, views, pa.py_buffer(value)], null_count=0
    )


def _write(table: pa.Table, path: Path, way: str) -> None:
    if way == "views":
        table = table.set_column(1, "t", _views(table["t"]))
    if path.suffix == ".parquet":
        encoding = {"column_encoding": {"t": "DELTA_BYTE_ARRAY", "a": "PLAIN"}}
        own: dict[str, Any] = encoding if way == "delta" else {}
        plain = table.cast(pa.schema([("a", pa.float64()), ("t", pa.large_string())]))
        pq.write_table(
            plain,
            path,
            use_dictionary=way == "dictionary",
            compression="zstd",
            write_batch_size=4,
            **own,
        )
    else:
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)


@pytest.mark.parametrize(
    ("suffix", "way"),
    [
        *((".parquet", way) for way in ("dictionary", "plain", "delta")),
        *((".arrow", way) for way in ("dictionary", "views")),
    ],
)
def test_repeated_texts_come_in_pieces_that_have_room(
    suffix: str, way: str, table: pa.Table, tmp_path: Path
) -> None:
    path = tmp_path / f"t{suffix}"
    _write(table, path, way)
    with limit_memory(MEMORY):
        source = open_source(path)
        parts = list(source.tables([1, 0]))
        room = max(batch_bytes(), 17 * len(LONG))  # without a dictionary 16 rows at once, not fewer
        labels = label_column(source, 1)
    assert sum(part.num_rows for part in parts) == ROWS
    sizes = [
        sum(len(t or "") for t in part["t"].cast(pa.large_string()).to_pylist()) for part in parts
    ]
    assert max(sizes) <= room
    expected = [LONG] * ROWS if way == "views" else table["t"].to_pylist()
    assert [t for part in parts for t in part["t"].to_pylist()] == expected
    assert labels.tolist() == expected
    assert len({id(label) for label in labels}) <= 4  # each text is held once


@pytest.mark.parametrize("way", ["dictionary", "views"])
def test_columns_are_counted_by_few_rows_at_a_time_where_their_texts_are_long(
    way: str, table: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, seen = tmp_path / "t.arrow", list[int]()
    _write(table, path, way)

    class Watch:
        def add(self, part: pa.Table) -> None:
            seen.append(count_text_bytes(part))

    monkeypatch.setattr(tally, "_GATHERED_BYTES", 10 * len(LONG))
    with limit_memory(MEMORY):
        found = tally.count_columns(open_source(path), [0, 1], [Watch()])  # type: ignore[list-item]
    assert max(seen) <= 10 * len(LONG)
    assert sum(seen) == sum(
        len(t or "") for t in ([LONG] * ROWS if way == "views" else table["t"].to_pylist())
    )
    assert found.rows == ROWS


def test_a_page_without_room_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    texts = pa.array([LONG] * ROWS)
    pq.write_table(
        pa.table({"a": np.arange(float(ROWS)), "t": texts}),
        path,
        use_dictionary=False,
        compression="zstd",
        data_page_size=1 << 30,
    )
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    assert largest_page(path, chunk) == pytest.approx(ROWS * len(LONG), rel=0.01)
    with limit_memory(MEMORY):
        source = open_source(path)
        assert len(next(source.batches([0]))) == ROWS
        with pytest.raises(TamisError, match=r"has a page that takes 9.5 MB .* memory=\"10MB\""):
            list(source.tables([1]))


def test_a_packed_record_batch_without_room_is_refused_before_it_is_unpacked(
    tmp_path: Path,
) -> None:
    path = tmp_path / "t.feather"
    zeros = np.zeros(1 << 18)
    table = pa.table({"a": zeros[:], "list": [[1]] * len(zeros), "b": zeros})
    pyarrow.feather.write_feather(table, str(path), compression="zstd", chunksize=1 << 20)
    with limit_memory(3 << 20):
        source = open_source(path)
        assert next(source.batches([2])).shape[1] == 1
        with pytest.raises(TamisError, match=r"takes 4.0 MB .* memory=\"4MB\""):
            list(source.batches([0, 2]))


def test_one_row_without_room_is_refused() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array(["a", LONG])], names=["t"])
    with limit_memory(10_000), pytest.raises(TamisError, match="memory="):
        list(in_pieces(batch, 100, "t.csv"))


def test_short_texts_stay_in_one_batch() -> None:
    batch = pa.RecordBatch.from_arrays([pa.array(["a", "b"]), pa.array([1, 2])], names=["t", "n"])
    assert list(in_pieces(batch, 100, "t.csv")) == [batch]


def test_damaged_counts_in_the_header_of_a_page_end_the_search_at_once() -> None:
    endless = b"\xff" * 8 + b"\x7f"
    for kind in (1, 3, 5, 8):  # values of no byte, one, some, and texts
        with pytest.raises((IndexError, ValueError)):
            _read_struct(b"\x19" + bytes([0xF0 | kind]) + endless + b"\x00" * 50, 0)
