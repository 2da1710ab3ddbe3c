"""Rows of a database: a DuckDB relation, and the result of a query by SQLAlchemy."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tamis
from tamis.sources.open import open_source


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(6)
    base = rng.normal(size=(60, 3)).round(3)
    X = np.column_stack([base, base @ rng.normal(size=(3, 2))]).round(3)
    return pd.DataFrame(X, columns=list("abcde")).assign(who=[f"p{i % 4}" for i in range(60)])


def test_a_relation_of_duckdb_is_a_table(frame: pd.DataFrame) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as base:
        base.register("t", frame)
        found = tamis.select(base.sql("select a, b, c, d, e from t where a > -9"), 2)
        assert found.names == tamis.select(frame[list("abcde")], 2).names


def test_a_pass_over_a_relation_may_begin_within_another_one() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as base:
        source = open_source(base.sql("select range a, range * 2 b from range(20000)"))
        read = source._read
        outer = read([0], 2048)
        begun = [next(outer), next(outer)]
        assert sum(len(batch) for batch in read([1, 0], 4096)) == 20000
        abandoned = read([1], 2048)
        next(abandoned)
        found = pa.Table.from_batches([*begun, *outer])
        assert found.column(0).to_pylist() == list(range(20000))
        assert sum(len(batch) for batch in abandoned) == 20000 - 2048
        assert base.sql("select 1").fetchall() == [(1,)]


def test_the_result_of_a_query_by_sqlalchemy_is_a_table(frame: pd.DataFrame) -> None:
    sqlalchemy: Any = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine("sqlite://")
    with engine.connect() as base:
        base.exec_driver_sql("create table t (a real, b real, c real, d real, e real, who text)")
        rows = [tuple(row) for row in frame.itertuples(index=False)]
        base.exec_driver_sql("insert into t values (?, ?, ?, ?, ?, ?)", rows)
        base.exec_driver_sql("update t set b = null where a = (select min(a) from t)")
        result = base.execute(sqlalchemy.text("select * from t"))
        expected = frame.copy()
        expected.loc[expected["a"].idxmin(), "b"] = np.nan
        found = tamis.select(result, 2, missing="auto")
        assert found.names == tamis.select(expected, 2, missing="auto").names
        empty = base.execute(sqlalchemy.text("select * from t where a > 99"))
        with pytest.raises(tamis.TamisError, match="no rows"):
            tamis.select(empty, 2)
    engine.dispose()
