"""Sums are made in the first read only where they can be of use."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines import FrameInParts, GivesParts, make_picks_frame

import tamis
from tamis.run import front
from tamis.run.front import plan_sums
from tamis.run.request import Request
from tamis.sources.open import open_source
from tamis.statistics import speculative


@pytest.fixture
def path(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 4))
    file = tmp_path / "table.parquet"
    pq.write_table(pa.table({f"m{j}": X[:, j] for j in range(4)}), file)
    return file


def _plan(data, method="forward", **asked):
    return plan_sums(Request.of(method, k=2, **asked), open_source(data), range(4))


@pytest.fixture
def counts_as_large(monkeypatch):
    monkeypatch.setattr(speculative, "LEAST_CELLS", 100)


@pytest.mark.parametrize("method", ["forward", "sfs"])
def test_a_file_of_numbers_is_summed_up_unless_it_is_small(path, method, monkeypatch):
    for least, summed in ((200, True), (201, False)):
        monkeypatch.setattr(speculative, "LEAST_CELLS", least)
        assert (_plan(path, method) is not None) == summed


@pytest.mark.usefixtures("counts_as_large")
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
    assert _plan(path, **asked) is None


@pytest.mark.usefixtures("counts_as_large")
def test_a_table_in_memory_is_not_summed_up_ahead(path):
    assert _plan(pq.read_table(path)) is None


IN_PARTS = {
    "a Gram matrix": ({"method": "sfs"}, True),
    "text that is skipped": ({"method": "sfs", "columns": ["a", "c", "size"]}, True),
    "held-out rows": ({"method": "sfs", "held_out": True}, False),
    "the default, by block of rows": ({}, False),
    "another size of columns": ({"method": "sfs", "scale": "pareto"}, False),
    "means that are asked for": ({"method": "sfs", "missing": "mean"}, False),
    "mutual information": ({"method": "greedy-fs"}, False),
    "classes": ({"method": "chi2", "y": "class"}, False),
}


@pytest.mark.parametrize("case", IN_PARTS)
def test_parts_are_summed_up_where_the_method_will_take_the_sums(case, monkeypatch):
    asked, expected = IN_PARTS[case]
    made = []

    def noted(*given):
        made.append(plan_sums(*given))
        return made[-1]

    monkeypatch.setattr(front, "plan_sums", noted)
    source = FrameInParts(make_picks_frame(), [100], gives_rows=True)
    tamis.select(GivesParts(source), k=2, **asked)
    assert (made[0] is not None) is expected
