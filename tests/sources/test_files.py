import errno
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources.feather import FeatherSource
from tamis.sources.files import explain_unreadable
from tamis.sources.open import open_file
from tamis.sources.parquet import ParquetSource


def _write(path: Path, table: pa.Table) -> Path:
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        pyarrow.feather.write_feather(table, str(path))
    return path


@pytest.fixture(params=["t.parquet", "t.feather", "t.arrow"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / request.param


def test_kinds_are_told_apart(path: Path) -> None:
    columns = {
        "whole": pa.array([1, 2, None]),
        "half": pa.array(np.array([1, 2, 3], dtype=np.float16)),
        "decimal": pa.array([1, 2, 3]).cast(pa.decimal128(25, 2)),
        "flag": pa.array([True, None, False]),
        "text": pa.array(["a", "b", "c"]),
        "large": pa.array(["a", "b", "c"], pa.large_string()),
        "group": pa.array(["a", "b", "c"]).dictionary_encode(),
        "day": pa.array([1, 2, 3], pa.date32()),
        "nothing": pa.nulls(3),
    }
    source = open_file(_write(path, pa.table(columns)))
    expected = ["numeric", "numeric", "numeric", "boolean", *["categorical"] * 3, "other", "empty"]
    assert list(source.kinds) == expected
    assert source.n_rows == 3
    (batch,) = source.batches([3, 0, 2])
    nan = np.nan
    np.testing.assert_array_equal(batch, [[1, 1, 1], [nan, 2, 2], [0, nan, 3]])


def test_whole_numbers_beyond_float_precision_are_rounded(path: Path, numbers: np.ndarray) -> None:
    big = [2**53 + 1 + 1000 * i for i in range(60)]
    table = pa.table({"a": numbers[:, 0], "b": numbers[:, 1], "big": big})
    assert tamis.select(_write(path, table), k=3).k == 3


def test_the_nameless_index_of_pandas_is_no_column(path: Path, numbers: np.ndarray) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(numbers[:, :3], columns=["a", "b", "c"], index=np.arange(60) ** 2)
    table = pa.Table.from_pandas(frame)
    assert "__index_level_0__" in table.column_names
    order = ["__index_level_0__", "c", "a", "b"]
    source = open_file(_write(path, table.select(order)))
    assert source.names == ("c", "a", "b")
    (batch,) = source.batches([1, 0])
    np.testing.assert_array_equal(batch, numbers[:, [0, 2]])


def test_names_with_dots_and_nested_columns_are_read(path: Path) -> None:
    columns = {"a": [1.0, 2.0], "a.b": [3.0, 4.0], "s": [{"a": 1}, {"a": 2}], "c": [5.0, 7.0]}
    source = open_file(_write(path, pa.table(columns)))
    assert source.kinds[2] == "other"
    (batch,) = source.batches([1, 0, 3])
    np.testing.assert_array_equal(batch, [[3, 1, 5], [4, 2, 7]])


def test_only_the_columns_asked_for_are_picked(path: Path) -> None:
    source = open_file(_write(path, pa.table({"a": [1, 2], "b": ["x", "y"], "c": [3, 4]})))
    assert source.pick([2, 1]).to_pydict() == {"c": [3, 4], "b": ["x", "y"]}


def test_two_columns_of_one_name_are_refused(path: Path) -> None:
    table = pa.table([[1, 2], [3, 4]], names=["a", "a"])
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(str(path), table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(TamisError, match="two columns named 'a': rename one of them"):
        tamis.select(path)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.99])
def test_a_truncated_file_is_refused(path: Path, share: float, numbers: np.ndarray) -> None:
    _write(path, pa.table({"a": numbers[:, 0], "b": numbers[:, 1]}))
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(TamisError, match=f"{path.name} cannot be read, it is damaged or not what"):
        tamis.select(path)


def test_damaged_values_are_refused(tmp_path: Path, numbers: np.ndarray) -> None:
    path = _write(tmp_path / "t.parquet", pa.table({"a": numbers[:, 0], "b": numbers[:, 1]}))
    data = bytearray(path.read_bytes())
    data[40:300] = bytes(260)
    path.write_bytes(data)
    with pytest.raises(TamisError, match=r"t\.parquet cannot be read, it is damaged"):
        tamis.select(path)


@pytest.mark.parametrize("reader", [ParquetSource, FeatherSource])
def test_text_under_another_suffix_is_refused(reader: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.bin"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(TamisError, match="damaged or not what its suffix says"):
        reader(path)


def test_a_missing_file_and_an_empty_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match=r"There is no file .*nope\.csv': check the name"):
        open_file(tmp_path / "nope.csv")
    (tmp_path / "t.csv").touch()
    with pytest.raises(TamisError, match=r"t\.csv is empty: give a file with a header"):
        open_file(tmp_path / "t.csv")


@pytest.mark.parametrize("name", ["t.doc", "t", "t.gz", ".csv"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("a,b\n1,2\n")
    with pytest.raises(TamisError, match=r"give one of \.csv, \.tsv, \.txt, \.tab, "):
        open_file(tmp_path / name)


def test_suffixes_may_be_in_capitals(tmp_path: Path) -> None:
    (tmp_path / "T.CSV").write_text("a,b\n1,2\n")
    assert open_file(tmp_path / "T.CSV").names == ("a", "b")


def test_a_name_too_long_for_the_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match="cannot be opened: file name too long"):
        open_file(tmp_path / ("a" * 300 + ".csv"))


@pytest.mark.parametrize("suffix", ["csv", "parquet", "feather", "npz"])
def test_a_file_that_may_not_be_read_is_refused(
    suffix: str, table_as: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(table_as(suffix))

    def forbidden(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", forbidden)
    with pytest.raises(TamisError, match=f"{path.name} cannot be opened: permission denied"):
        open_file(path)


def _spoilt(path: Path, old: bytes, new: bytes) -> Path:
    """Write other bytes of the same length over some that occur in the file once."""
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))
    return path


def test_a_category_outside_of_its_list_is_refused(tmp_path: Path) -> None:
    codes = np.tile([0, 1, 1, 2, 0, 2, 1, 0], 5).astype(np.int32)
    groups = pa.DictionaryArray.from_arrays(codes, ["one", "two", "three"])
    table = pa.table({"a": np.arange(40.0), "b": np.arange(40.0) ** 2, "group": groups})
    path = tmp_path / "t.feather"
    pyarrow.feather.write_feather(table, str(path), compression="uncompressed")
    _spoilt(path, codes.tobytes(), codes[:-1].tobytes() + b"\xff\xff\xff\x7f")
    with pytest.raises(TamisError, match=r"t\.feather cannot be read, it is damaged"):
        tamis.select(path, method="greedy-fs")
    assert tamis.select(path, k=1, method="sfs").k == 1


@pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
def test_text_that_is_not_utf_8_is_refused(name: str, tmp_path: Path) -> None:
    table = pa.table({"a": [1.0, 2.0, 4.0], "b": [2.0, 1.0, 3.0], "text": ["u", "vwxyz", "u"]})
    path = tmp_path / name
    if name == "t.parquet":
        pq.write_table(
            table, path, use_dictionary=False, compression="none", write_statistics=False
        )
    else:
        pyarrow.feather.write_feather(table, str(path), compression="uncompressed")
    _spoilt(path, b"vwxyz", b"vw\xffyz")
    with pytest.raises(TamisError, match=f"{name} cannot be read, it is damaged"):
        list(open_file(path).tables([2]))


def test_missing_values_in_a_column_that_promises_none_are_missing(tmp_path: Path) -> None:
    schema = pa.schema([pa.field("a", pa.float64(), nullable=False), pa.field("b", pa.float64())])
    table = pa.table({"a": [1.0, None, 4.0], "b": [2.0, 1.0, 3.0]}, schema=schema)
    path = tmp_path / "t.feather"
    with pa.ipc.new_file(str(path), schema) as writer:
        writer.write_table(table)
    source = open_file(path)
    assert np.isnan(next(iter(source.batches([0])))[1, 0])
    pq.write_table(source.pick([0, 1]), tmp_path / "t.parquet")
    assert pq.read_table(tmp_path / "t.parquet")["a"].to_pylist() == [1.0, None, 4.0]


def test_a_reader_out_of_memory_says_so_and_names_the_file() -> None:
    with (
        pytest.raises(TamisError, match=r"t\.npz asks for more memory than there is: .* columns"),
        explain_unreadable("t.npz"),
    ):
        raise MemoryError


def test_a_feather_file_is_opened_as_often_for_many_columns_as_for_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tamis.sources import feather

    table = pa.table({f"x{j}": [1.0, 2.0, 4.0] for j in range(50)})
    pyarrow.feather.write_feather(table, tmp_path / "t.feather")
    source, opened = open_file(tmp_path / "t.feather"), []
    real = feather._open_batches
    monkeypatch.setattr(
        feather, "_open_batches", lambda *given, **how: opened.append(1) or real(*given, **how)
    )
    assert next(iter(source.batches(range(50)))).shape == (3, 50)
    assert len(opened) == 2


@pytest.mark.parametrize(("share", "batches"), [(8, 8), (1 << 40, 8), (1 << 40, 1)])
def test_a_feather_file_that_is_cut_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: int, batches: int
) -> None:
    from tamis.sources import feather

    monkeypatch.setattr(
        feather, "_RECORD_BATCHES_IN_BUDGET", share
    )  # of which a small one means a mapped file
    rows, path = 80_000, tmp_path / "t.feather"
    table = pa.table({"a": np.arange(rows) * 1.0, "b": np.arange(rows) % 7.0})
    pyarrow.feather.write_feather(
        table, path, compression="uncompressed", chunksize=rows // batches
    )
    source = open_file(path)
    np.testing.assert_array_equal(
        np.concatenate(list(source.batches([1, 0])))[:, 1], np.arange(rows)
    )
    # Without the thread that reads ahead.
    reading = chain.from_iterable(batches for _, batches in source._units([0, 1], 1000))
    assert next(reading).num_rows == 1000
    with path.open("r+b") as file:
        file.truncate(4096)
    with pytest.raises(TamisError, match=r"t\.feather has changed while it was read"):
        list(reading)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EINVAL, "Invalid argument"), r"says .*: copy or export it again\.$"),
        (OSError(errno.EACCES, "Permission denied"), "cannot be opened: permission denied, check"),
        (EOFError(), r"says: copy or export it again\.$"),
        (KeyError("unable to open it"), r"says \(unable to open it\): copy or export it again\.$"),
        (ValueError("line\none."), r"says \(line one\): copy or export it again\.$"),
    ],
)
def test_a_file_that_cannot_be_read_says_why_and_what_to_do(error: Exception, said: str) -> None:
    with pytest.raises(TamisError, match=said), explain_unreadable(Path("t.rds")):
        raise error
