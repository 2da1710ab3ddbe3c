"""Tables that R saved: data frames and matrices, factors, missing values."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis import TableFile
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources.open import open_source

rdata = pytest.importorskip("rdata")


def _frame(rows: int = 30) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "a": np.where(np.arange(rows) == 4, np.nan, rng.normal(size=rows)),
            "b": rng.integers(0, 9, rows),
            "c": rng.normal(size=rows),
            "group": pd.Categorical(list("xyz") * (rows // 3)),
            "text": pd.Series([f"t{i}" for i in range(rows)], dtype=object),
        }
    )


def test_a_data_frame_has_its_values_and_kinds(tmp_path: Path) -> None:
    frame = _frame()
    rdata.write_rds(tmp_path / "t.rds", frame)
    source = open_source(tmp_path / "t.rds")
    assert source.names == tuple(frame.columns)
    assert source.kinds == open_source(frame).kinds
    read = source.pick([0, 1, 3]).to_pydict()
    assert read["a"][4] is None
    assert read["b"] == frame["b"].tolist()
    assert read["group"] == frame["group"].tolist()
    numbers = frame[["b", "c"]].assign(d=frame["b"] + frame["c"])
    rdata.write_rds(tmp_path / "n.rds", numbers)
    assert tamis.select(tmp_path / "n.rds", 2).names == tamis.select(numbers, 2).names


def test_a_matrix_and_one_of_several_tables_are_read(tmp_path: Path) -> None:
    X = np.arange(6.0).reshape(3, 2)
    rdata.write_rda(tmp_path / "t.RData", {"one": _frame(), "two": X, "note": "by hand"})
    with pytest.raises(TamisError, match=r"has 2 \(one, two\): choose one with sheet"):
        open_source(tmp_path / "t.RData")
    source = open_source(TableFile(tmp_path / "t.RData", sheet="two"))
    np.testing.assert_array_equal(np.concatenate(list(source.batches([0, 1]))), X)
    with pytest.raises(TamisError, match="has no table 'three'"):
        open_source(TableFile(tmp_path / "t.RData", sheet="three"))


def test_names_of_rows_are_no_column_to_analyse(tmp_path: Path) -> None:
    frame = (
        _frame().drop(columns="text").set_axis(pd.Index([f"r{i}" for i in range(30)], dtype=object))
    )
    rdata.write_rds(tmp_path / "t.rds", frame)
    source = open_source(tmp_path / "t.rds")
    assert source.kinds[0] == "row names"
    assert source.pick([0]).column(0).to_pylist()[:2] == ["r0", "r1"]


def test_what_is_no_table_and_what_is_too_large_is_refused(tmp_path: Path) -> None:
    rdata.write_rds(tmp_path / "t.rds", "a text")
    with pytest.raises(TamisError, match="where a data frame or a matrix is needed"):
        open_source(tmp_path / "t.rds")
    rdata.write_rds(tmp_path / "t.rds", np.zeros((1000, 1000)))
    with limit_memory(1 << 22), pytest.raises(TamisError, match=r"would take .* of memory"):
        open_source(tmp_path / "t.rds")


def test_without_the_package_the_extra_and_the_conversion_are_named(
    tmp_path: Path, monkeypatch: Any
) -> None:
    (tmp_path / "t.rds").write_text("x")
    monkeypatch.setitem(__import__("sys").modules, "rdata", None)
    with pytest.raises(TamisError, match=r"tamis\[r\].*write_parquet"):
        open_source(tmp_path / "t.rds")
