"""Spark Connect: every statistic on a server of its own, with the answers of the table in memory.

It runs in a process of its own: one that has a classic session cannot have one of Connect.
"""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import tamis

pytestmark = pytest.mark.slow

_SELECT = """
import json, sys
import pandas
from pyspark.sql import SparkSession
import tamis
from tamis.sources.spark import SparkSource
from tamis.statistics import read_blocks

path, asked = sys.argv[1], json.loads(sys.argv[2])
builder = SparkSession.builder.remote("local[1]")
for name, value in json.loads(sys.argv[3]).items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
frame = session.createDataFrame(pandas.read_parquet(path)).repartition(2)
assert type(frame).__module__.startswith("pyspark.sql.connect"), type(frame)
read_blocks.FEW_ROWS = 0
SparkSource._home = None  # no rows come home
print(json.dumps([tamis.select(frame, **one).names for one in asked]))
session.stop()
"""

# One for each statistic: Gram matrix, blocks of rows with text, joint counts, class counts.
ASKED = [
    {"method": "sfs", "columns": list("abcdef"), "k": 3},
    {"k": 3},
    {"method": "greedy-fs", "k": 3},
    {"method": "information-gain", "y": "label", "k": 2},
]
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
}


def test_connect_gives_the_answers_of_the_table_in_memory(tmp_path):
    for package in ("pyspark", "grpc", "grpc_status"):
        pytest.importorskip(package, reason="pip install 'pyspark[connect]' to test Spark Connect")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 6))
    X[:, 1::2] += X[:, ::2]
    frame = pandas.DataFrame(X, columns=list("abcdef"))
    frame["text"] = np.where(X[:, 0] > 0, "high", "low")
    frame["label"] = np.where(X[:, 3] + X[:, 4] > 0, "yes", "no")
    frame.to_parquet(tmp_path / "table.parquet")

    here = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
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
    assert found == [tamis.select(frame, **one).names for one in ASKED]
