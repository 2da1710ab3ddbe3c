"""Sums are gathered in the first read only where they can be of use."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tamis.run.hope import hope_for_sums
from tamis.run.request import Request
from tamis.sources.open import open_source


@pytest.fixture
def path(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 4))
    file = tmp_path / "table.parquet"
    pq.write_table(pa.table({f"m{j}": X[:, j] for j in range(4)}), file)
    return file


def _hope(data, method="forward", **asked):
    return hope_for_sums(Request.of(method, k=2, **asked), open_source(data), range(4))


@pytest.mark.parametrize("method", ["forward", "sfs"])
def test_a_file_of_numbers_is_summed_up(path, method):
    assert _hope(path, method) is not None


@pytest.mark.parametrize(
    "asked",
    [
        {"y": "m0"},
        {"weights": "m0"},
        {"row_groups": "m0"},
        {"ordered": True},
        {"skip_corrupt": True},
        {"missing": "covariance"},
        {"scale": "pareto"},
        {"options": {"kind": "spearman"}, "method": "correlation"},
        {"method": "greedy-fs"},
    ],
)
def test_nothing_is_summed_up_where_rows_are_read_in_another_way(path, asked):
    assert _hope(path, **asked) is None


def test_a_table_in_memory_is_not_summed_up_ahead(path):
    assert _hope(pq.read_table(path)) is None
