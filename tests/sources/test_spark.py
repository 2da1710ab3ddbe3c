"""Spark frames: one session, every linear method, and what goes by way of the rows."""

import sys

import numpy as np
import pytest
from tests.engines import (
    LOST,
    PICKS,
    LostWorkers,
    give_picks,
    keep_rows_in_parts,
    make_picks_frame,
)

import tamis
from tamis import registry
from tamis.sources.spark import SparkSource

LINEAR = [method.id for method in registry.methods("selection") if method.needs == "gram"]
NAMES = ["a.b", "b`c", "c", "d", "e", "f", "g"]

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="session")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        settings = {
            "spark.ui.enabled": "false",
            # Quick to start rather than quick to run.
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.default.parallelism": "2",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.adaptive.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }
        builder = sql.SparkSession.builder.master("local[2, 4]")  # four attempts
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


def plain(method):
    """A summary without blocks of rows knows of no held-out rows, and of no extreme values."""
    return {"shrink": 0.0, "outliers": "keep"} if method == "forward" else {}


def make_frame(numbers):
    frame = pytest.importorskip("pandas").DataFrame(numbers, columns=NAMES)
    return frame.assign(text=["one", "two", "three"] * 20)


def test_a_spark_frame_gives_the_answers_of_the_table_in_memory(spark, numbers):
    frame = make_frame(numbers)
    parts = spark.createDataFrame(frame).repartition(2)

    summary = tamis.summarise(parts)
    assert (summary.n_rows, summary.names) == (60, NAMES)
    for method in LINEAR:
        expected = tamis.select(frame[NAMES], k=4, method=method, options=plain(method)).names
        assert tamis.select(summary, k=4, method=method).names == expected, method
    with pytest.MonkeyPatch.context() as patch:
        keep_rows_in_parts(patch)
        patch.setattr(SparkSource, "_home", None)  # no rows come home
        found, expected = (tamis.select(data, k=4) for data in (parts, frame))  # with the text
    assert found.names == expected.names
    assert found.held_out == pytest.approx(expected.held_out, rel=1e-9)
    assert found.summary.encoding.levels == expected.summary.encoding.levels
    with pytest.raises(tamis.TamisError, match="Unsupported type Column of Spark"):
        tamis.select(parts["c"], k=2)


@pytest.mark.nightly  # every answer takes seconds
def test_columns_are_omitted_selected_and_read_by_rows_as_in_memory(spark, numbers):
    frame = make_frame(numbers)
    parts = spark.createDataFrame(frame).repartition(2)
    found, expected = (
        tamis.select(data, k=3, method="sfs", exclude=["c"]) for data in (parts, frame)
    )
    assert found.names == expected.names
    assert found.skipped == expected.skipped
    assert found.transform(parts).columns == ["text", *found.names]

    assert tamis.select(parts.select("c", "d", "e"), k=2).request.method.id == "forward"

    by_rows = {"k": 3, "method": "greedy-fs", "columns": ["a.b", "c", "d", "e", "text"]}
    assert tamis.select(parts, **by_rows).names == tamis.select(frame, **by_rows).names

    frame.loc[7, "d"] = np.nan
    with pytest.raises(tamis.TamisError, match="Column 'd' has 1 missing value in 60 rows"):
        tamis.select(spark.createDataFrame(frame), k=2, method="sfs", missing="error")


@pytest.mark.nightly
def test_what_spark_cannot_compute_is_one_sentence(spark):
    rows = [(float(i), "x" if i == 7 else str(i)) for i in range(20)]
    frame = spark.createDataFrame(rows, ["a", "s"]).selectExpr("a", "cast(s as double) as b")
    for ask in (tamis.select, tamis.summarise):
        with pytest.raises(tamis.TamisError, match=r"^Spark cannot compute the table .*'x'"):
            ask(frame)


FAILS = OSError("the worker is gone")


@pytest.mark.parametrize(
    ("failure", "statistics"),
    [
        pytest.param(FAILS, ["blocks of rows", "class counts"], id="fails once"),
        pytest.param(None, LOST, id="killed", marks=pytest.mark.nightly),
    ],
)
@pytest.mark.nightly
def test_a_lost_worker_changes_no_pick(spark, tmp_path, monkeypatch, failure, statistics):
    keep_rows_in_parts(monkeypatch)
    monkeypatch.setattr(SparkSource, "_home", None)  # no rows come home
    frame, lost = make_picks_frame(), LostWorkers(tmp_path, SparkSource, monkeypatch, failure)

    def take(batches, lose=lost.lose):
        from pyspark import TaskContext

        lose(TaskContext.get().partitionId())
        yield from batches

    whole = spark.createDataFrame(frame).repartition(3)
    table = whole.mapInArrow(take, whole.schema)
    for statistic in statistics:
        asked, wanted = PICKS[statistic]
        lost.expect(wanted)
        names, retained = give_picks(table, asked)
        assert lost.is_lost(), (statistic, lost.passes)
        expected, explained = give_picks(frame, asked)
        assert names == expected, statistic
        assert retained == pytest.approx(explained, rel=1e-9), statistic
