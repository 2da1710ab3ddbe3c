import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tamis
from tamis.errors import TamisError
from tamis.memory import batch_bytes, limit_memory
from tamis.sources.arrow import count_text_bytes
from tamis.sources.frames import FrameSource
from tamis.sources.open import open_source

LEFT_OUT = "dates or another type not supported yet"
TEXT = "text or categories, not numbers"


def _odd_pandas(pd: Any, numbers: np.ndarray) -> Any:
    n = len(numbers)
    frame = pd.DataFrame(numbers[:, :3], columns=["a", "b", "c"])
    frame["whole"] = pd.array([i % 40 for i in range(n)], dtype="Int64")
    frame["nullable"] = pd.array(numbers[:, 3], dtype="Float64")
    frame["maybe"] = pd.array(numbers[:, 4] > 0, dtype="boolean")
    frame["flag"] = numbers[:, 5] > 0
    frame["single"] = numbers[:, 6].astype(np.float32)
    frame["group"] = pd.Categorical(["u", "v"] * (n // 2))
    frame["name"] = "someone"
    frame["day"] = pd.date_range("2020-01-01", periods=n)
    frame["span"] = pd.to_timedelta(range(n), unit="h")
    frame["thing"] = [object()] * n
    return frame


def test_pandas_kinds_are_told_apart_and_left_out_by_name(numbers: np.ndarray) -> None:
    frame = _odd_pandas(pytest.importorskip("pandas"), numbers)
    found = tamis.select(frame, k=3, method="sfs")
    assert found.skipped == {
        "group": TEXT,
        "name": TEXT,
        "day": LEFT_OUT,
        "span": LEFT_OUT,
        "thing": LEFT_OUT,
    }
    plain = frame.iloc[:, :8].astype(float)
    assert found.names == tamis.select(plain, k=3).names


def test_nullable_pandas_columns_have_missing_values(numbers: np.ndarray) -> None:
    pd = pytest.importorskip("pandas")
    frame = _odd_pandas(pd, numbers)
    frame.loc[3, "whole"] = pd.NA
    frame.loc[[5, 6], "maybe"] = pd.NA
    frame.loc[7, "nullable"] = pd.NA
    with pytest.raises(TamisError, match="'whole' 1, 'nullable' 1, 'maybe' 2"):
        tamis.select(frame, k=3, method="sfs", missing="error")
    only = pd.DataFrame({"a": frame["nullable"], "b": frame["a"].astype("Float64")})
    with pytest.raises(TamisError, match="Column 'a' has 1 missing value in 60"):
        tamis.select(only, missing="error")
    dropped = tamis.select(frame, k=3, missing="drop", method="sfs")
    assert dropped.to_dict()["rows"] == 56
    full = frame.drop(index=[3, 5, 6, 7])
    assert dropped.names == tamis.select(full, k=3, method="sfs").names


@pytest.mark.parametrize("names", [range(7), [("a", 1), *range(6)]])
def test_pandas_names_that_are_no_strings_are_read(numbers: np.ndarray, names: Any) -> None:
    frame = pytest.importorskip("pandas").DataFrame(numbers, columns=list(names))
    found = tamis.select(frame, k=3)
    assert found.names == [list(names)[j] for j in found.indices]
    assert found.to_dict()["names"] == [str(name) for name in found.names]
    assert list(found.transform(frame).columns) == [list(names)[j] for j in found.indices]


def test_polars_kinds_are_told_apart(numbers: np.ndarray) -> None:
    pl = pytest.importorskip("polars")
    n = len(numbers)
    frame = pl.DataFrame(
        {
            "a": numbers[:, 0],
            "b": [Decimal(int(8 * value)) / 8 for value in numbers[:, 1]],
            "c": pl.Series(numbers[:, 2] > 0),
            "wide": pl.Series([i % 40 for i in range(n)], dtype=pl.Int128),
            "group": pl.Series(["u", "v"] * (n // 2), dtype=pl.Categorical),
            "day": [dt.date(2020, 1, 1)] * n,
            "nothing": [None] * n,
            "list": [[1, 2]] * n,
        }
    )
    found = tamis.select(frame, k=2, method="sfs")
    reasons = {"group": TEXT, "day": LEFT_OUT, "nothing": "without any value", "list": LEFT_OUT}
    assert found.skipped == reasons
    assert len(found.used) == 4


def test_arrow_whole_numbers_beyond_float_precision_are_rounded(numbers: np.ndarray) -> None:
    big = pa.array([2**53 + 1 + 1000 * i for i in range(60)])
    table = pa.table({"a": numbers[:, 0], "b": numbers[:, 1], "big": big})
    assert tamis.select(table, k=3).k == 3


@pytest.mark.parametrize("library", ["pandas", "arrow"])
def test_two_columns_of_one_name_are_refused(library: str, numbers: np.ndarray) -> None:
    if library == "pandas":
        data = pytest.importorskip("pandas").DataFrame(numbers[:, :2], columns=["a", "a"])
    else:
        data = pa.table([numbers[:, 0], numbers[:, 1]], names=["a", "a"])
    with pytest.raises(TamisError, match="two columns of the same name: rename one"):
        FrameSource(data)


def test_names_that_become_equal_as_text_are_refused(numbers: np.ndarray) -> None:
    frame = pytest.importorskip("pandas").DataFrame(numbers[:, :2], columns=[1, "1"])
    with pytest.raises(TamisError, match="two columns named '1'"):
        tamis.select(frame)


@pytest.mark.parametrize(
    "dtype", ["double[pyarrow]", "float[pyarrow]", "Float64", np.longdouble, "f2"]
)
def test_floats_of_any_pandas_type_give_the_same_picks(numbers: np.ndarray, dtype: Any) -> None:
    frame = pytest.importorskip("pandas").DataFrame(numbers, columns=list("abcdefg"))
    found = tamis.select(frame.astype(dtype), k=3)
    assert found.names == tamis.select(frame, k=3).names
    by_information = {"k": 3, "method": "greedy-fs"}
    odd = tamis.select(frame.astype(dtype), **by_information)
    assert odd.names == tamis.select(frame, **by_information).names


@pytest.mark.parametrize("dtype", ["double[pyarrow]", "Float64"])
def test_missing_values_of_arrow_columns_in_pandas_are_counted(
    numbers: np.ndarray, dtype: str
) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(numbers, columns=list("abcdefg")).astype(dtype)
    frame.iloc[3, 1] = pd.NA
    with pytest.raises(TamisError, match="Column 'b' has 1 missing value in 60"):
        tamis.select(frame, missing="error")
    plain = numbers.copy()
    plain[3, 1] = np.nan
    found = tamis.select(frame, k=3, missing="mean")
    assert found.indices.tolist() == tamis.select(plain, k=3, missing="mean").indices.tolist()


@pytest.mark.parametrize("method", ["sfs", "greedy-fs"])
def test_sparse_pandas_columns_are_numbers(numbers: np.ndarray, method: str) -> None:
    pd = pytest.importorskip("pandas")
    dense = pd.DataFrame(np.where(numbers > 0, numbers, 0), columns=[*range(6), "g"])
    dense["whole"], dense["flag"] = np.arange(60) % 3, numbers[:, 0] > 1
    kept = pd.DataFrame({name: pd.arrays.SparseArray(dense[name]) for name in dense})
    found = tamis.select(kept, k=4, method=method)
    assert FrameSource(kept).kinds == FrameSource(dense).kinds
    assert found.names == tamis.select(dense, k=4, method=method).names
    assert all(isinstance(dtype, pd.SparseDtype) for dtype in found.transform(kept).dtypes)


@pytest.mark.parametrize("method", ["sfs", "greedy-fs"])
def test_integers_of_any_size_are_numbers(numbers: np.ndarray, method: str) -> None:
    frame = pytest.importorskip("pandas").DataFrame(numbers[:, :3], columns=list("abc"))
    frame["huge"] = [10**25 * i * i for i in range(60)]
    expected = tamis.select(frame.astype(float), k=4, method=method).names
    assert tamis.select(frame, k=4, method=method).names == expected
    frame["huge"] = [10**400 * i for i in range(60)]
    with pytest.raises(
        TamisError, match=r"integers beyond 1\.8e\+308 .* 'huge': use a larger unit"
    ):
        tamis.select(frame, k=4, method=method)
    with pytest.raises(TamisError, match=r"integers beyond 1\.8e\+308: use a larger unit"):
        tamis.select(frame.to_numpy(dtype=object), k=4, method=method)


def test_a_record_batch_is_a_table(numbers: np.ndarray) -> None:
    table = pa.table({name: numbers[:, j] for j, name in enumerate("abcdefg")})
    (batch,) = table.to_batches()
    found = tamis.select(batch, k=3)
    assert found.names == tamis.select(table, k=3).names
    assert found.transform(batch).column_names == found.names


def test_what_is_nearly_a_table_is_refused_with_the_way_out(numbers: np.ndarray) -> None:
    for library in ("pandas", "polars"):
        series = pytest.importorskip(library).Series(numbers[:, 0])
        with pytest.raises(TamisError, match="type Series: it is one column, give a table with"):
            tamis.select(series)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("unit", [1, 2**90])
def test_integers_of_128_bits_are_numbers(unit: int, lazy: bool) -> None:
    pl = pytest.importorskip("polars")
    if not hasattr(pl, "Int128"):
        pytest.skip("this Polars has no integers of 128 bits")
    counts = [i * i % 41 for i in range(40)]
    plain = pl.DataFrame({"a": counts, "b": [i % 3 for i in range(40)], "c": list(range(40))})
    wide = plain.with_columns(pl.Series("a", [unit * n for n in counts], dtype=pl.Int128))
    found = tamis.select(wide.lazy() if lazy else wide, 2)
    assert found.names == tamis.select(plain, 2).names
    assert found.retained == pytest.approx(tamis.select(plain, 2).retained)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_column_of_nothing_but_missing_values_is_called_empty(library):
    frames = pytest.importorskip(library)
    make = frames.table if library == "pyarrow" else frames.DataFrame
    kinds = FrameSource(make({"a": [1.0, 2.0], "b": [None, None], "c": [None, "x"]})).kinds
    assert kinds == ("numeric", "empty", "categorical")


@pytest.mark.parametrize("values", [[1, "x", b"y"], [1j, 2j, 3j]])
def test_a_column_that_cannot_be_read_is_named_in_one_sentence(values):
    frame = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 2.0], "odd": values})
    with pytest.raises(TamisError, match=r"\(Conversion failed for column odd .*: turn it into"):
        list(FrameSource(frame).tables([2]))
    assert tamis.select(frame, 1).skipped == {
        "odd": tamis.look(frame).to_dict()["columns"][2]["done"][9:]
    }


def test_numbers_among_texts_are_judged_as_in_a_file() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(90, 3)), columns=["a", "b", "c"])
    table["lab"] = [round(v, 3) if i % 9 else "n/a" for i, v in enumerate(rng.gamma(2, 3, 90))]
    table["code"] = [1, "1a", None] * 30
    source = open_source(table)
    assert source.kinds[3:] == ("categorical", "categorical")
    found = tamis.select(table, 3)
    assert found.to_dict()["missing"]["shares"]["lab"] == pytest.approx(1 / 9)
    assert found.to_dict()["skipped"] == []
    assert source.pick([4]).iloc[0, 0] == 1


@pytest.mark.parametrize("library", ["pandas", "arrow"])
def test_huge_categories_are_handed_out_in_pieces(library: str) -> None:
    words, codes = [letter * 50_000 for letter in "abc"], [i % 3 for i in range(120)]
    table: Any = pa.table({"x": range(120), "t": pa.array([words[i] for i in codes])})
    table = table.set_column(1, "t", table["t"].dictionary_encode())
    with limit_memory(1 << 24):
        source = open_source(table.to_pandas() if library == "pandas" else table)
        pieces = list(source.tables([0, 1]))
        assert max(map(count_text_bytes, pieces)) <= batch_bytes() < count_text_bytes(table)
    whole = pa.concat_tables(pieces)
    assert whole["x"].to_pylist() == list(range(120))
    assert [text[0] for text in whole["t"].cast(pa.string()).to_pylist()] == [
        "abc"[i] for i in codes
    ]
