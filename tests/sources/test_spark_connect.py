"""Spark Connect: every statistic on a server of its own, with the answers of the table in memory.

It runs in a process of its own: one that has a classic session cannot have one of Connect.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engines import LOST, PICKS, give_picks, make_picks_frame

pytestmark = pytest.mark.nightly  # a server of its own

_SELECT = """
import json, sys
import pandas
from pyspark.sql import SparkSession
from tamis.sources.spark import SparkSource
from tamis.statistics import read_blocks, row_hash
from tests.engines import give_picks

path, asked = sys.argv[1], json.loads(sys.argv[2])
builder = SparkSession.builder.remote("local[1]")
for name, value in json.loads(sys.argv[3]).items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
frame = session.createDataFrame(pandas.read_parquet(path)).repartition(2)
assert type(frame).__module__.startswith("pyspark.sql.connect"), type(frame)
read_blocks.FEW_ROWS = row_hash.MOST_DEALT = row_hash.MOST_CODED = 0
SparkSource._home = None  # no rows come home
print(json.dumps([give_picks(frame, one) for one in asked]))
session.stop()
"""

ASKED = [PICKS[statistic][0] for statistic in LOST]
ROOT = str(Path(__file__).parents[2])
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
}


def test_connect_gives_the_answers_of_the_table_in_memory(tmp_path):
    for package in ("pyspark", "grpc", "grpc_status"):
        pytest.importorskip(package, reason="pip install 'pyspark[connect]' to test Spark Connect")
    frame = make_picks_frame()
    frame.to_parquet(tmp_path / "table.parquet")

    here = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    here["PYTHONPATH"] = os.pathsep.join([ROOT, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", _SELECT, str(tmp_path / "table.parquet")]
    done = subprocess.run(
        [*command, json.dumps(ASKED), json.dumps(SETTINGS)],
        capture_output=True,
        text=True,
        env=here,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    for (names, retained), asked in zip(found, ASKED, strict=True):
        expected, explained = give_picks(frame, asked)
        assert names == expected, asked
        assert retained == pytest.approx(explained, rel=1e-9), asked
