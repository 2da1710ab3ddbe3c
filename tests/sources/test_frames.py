import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources.frames import FrameSource

LEFT_OUT = "dates or another kind that is neither numbers nor categories"
TEXT = "text or categories, not numbers"


def _odd_pandas(pd: Any, numbers: np.ndarray) -> Any:
    n = len(numbers)
    frame = pd.DataFrame(numbers[:, :3], columns=["a", "b", "c"])
    frame["whole"] = pd.array(range(n), dtype="Int64")
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
    found = tamis.select(frame, k=3)
    assert found.left_out == {
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
        tamis.select(frame, k=3)
    only = pd.DataFrame({"a": frame["nullable"], "b": frame["a"].astype("Float64")})
    with pytest.raises(TamisError, match="Column 'a' has 1 missing value of 60"):
        tamis.select(only)
    dropped = tamis.select(frame, k=3, missing="drop")
    assert dropped.to_dict()["rows"] == 56
    full = frame.drop(index=[3, 5, 6, 7])
    assert dropped.names == tamis.select(full, k=3).names


@pytest.mark.parametrize("names", [range(7), [("a", 1), *range(6)]])
def test_pandas_names_that_are_no_strings_are_read(numbers: np.ndarray, names: Any) -> None:
    frame = pytest.importorskip("pandas").DataFrame(numbers, columns=list(names))
    found = tamis.select(frame, k=3)
    assert found.names == [str(list(names)[j]) for j in found.indices]
    assert list(found.transform(frame).columns) == [list(names)[j] for j in found.indices]


def test_polars_kinds_are_told_apart(numbers: np.ndarray) -> None:
    pl = pytest.importorskip("polars")
    n = len(numbers)
    frame = pl.DataFrame(
        {
            "a": numbers[:, 0],
            "b": [Decimal(int(8 * value)) / 8 for value in numbers[:, 1]],
            "c": pl.Series(numbers[:, 2] > 0),
            "wide": pl.Series(range(n), dtype=pl.Int128),
            "group": pl.Series(["u", "v"] * (n // 2), dtype=pl.Categorical),
            "day": [dt.date(2020, 1, 1)] * n,
            "nothing": [None] * n,
            "list": [[1, 2]] * n,
        }
    )
    found = tamis.select(frame, k=2)
    reasons = {"group": TEXT, "day": LEFT_OUT, "nothing": LEFT_OUT, "list": LEFT_OUT}
    assert found.left_out == reasons
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


def test_a_lazy_frame_is_refused(numbers: np.ndarray) -> None:
    lazy = pytest.importorskip("polars").DataFrame(numbers).lazy()
    with pytest.raises(TamisError, match="A LazyFrame is no table tamis reads"):
        tamis.select(lazy)
