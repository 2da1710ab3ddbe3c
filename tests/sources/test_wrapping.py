"""Sources around others in the parts of an engine's table: what they do there and here is one."""

from dataclasses import dataclass

import numpy as np
import pytest
from tests.engines import FrameInParts

from tamis.sources.marked import MarkedSource, Reading, recast
from tamis.sources.source import Source
from tamis.sources.wrapping import WrappedParts, choose_view

pandas = pytest.importorskip("pandas")


@pytest.fixture
def frame():
    return pandas.DataFrame(
        {"a": [1.0, -9.0, 3.0, 4.0], "t": ["x", "y", "x", "z"], "b": [5.0, 6.0, -9.0, 8.0]}
    )


@dataclass
class Sum:
    """A value that merges."""

    values: object

    def merge(self, other):
        return Sum(self.values + other.values)


def add_up(number, part: Source):
    """Sum up the columns of a part."""
    sums = [np.nansum(batch, axis=0) for batch in part.batches(range(len(part.names)))]
    return {"sums": Sum(np.sum(sums, axis=0)), "part": Sum(number)}


def test_work_is_done_behind_the_marks_of_the_columns_asked_for(frame):
    parts = FrameInParts(frame, [1, 3])
    marked = MarkedSource(parts, {2: Reading(absent=frozenset({-9.0}))}).in_parts()
    assert isinstance(marked, WrappedParts)
    found = marked.gather([2, 0], add_up)
    assert found["sums"].values.tolist() == [19.0, -1.0]
    assert found["part"].values == 3


def test_sources_stand_around_each_other(frame):
    marked = MarkedSource(FrameInParts(frame, [2]), {0: Reading(absent=frozenset({-9.0}))})
    both = recast(marked, ["b"], []).in_parts()
    assert both is not None
    assert both.kinds == ("numeric", "categorical", "categorical")
    assert both.gather([0], add_up)["sums"].values.tolist() == [8.0]
    assert both.head([2, 0], 2).to_pylist() == [{"b": "5", "a": 1.0}, {"b": "6", "a": None}]


def test_a_source_in_memory_has_no_parts(frame):
    view = choose_view(FrameInParts(frame, [], gives_rows=True), [2, 1])
    assert view.names == ("b", "t")
    assert MarkedSource(view, {}).in_parts() is None
    assert view.pick([1])["t"].tolist() == ["x", "y", "x", "z"]
