"""Memory as a criterion: on request, by a process for each method, and nothing else changes."""

import numpy as np
import pytest

import tamis
from tamis.errors import TamisError
from tamis.evaluation.criteria import choose_criteria
from tamis.evaluation.peak_memory import measure_peak
from tamis.run.request import Request
from tamis.sources.arrays import ArraySource


def table(rows, columns):
    return np.random.default_rng(0).standard_normal((rows, columns))


def test_memory_is_measured_only_where_it_is_named():
    assert "memory" not in [one.id for one in choose_criteria("all")]
    assert [one.id for one in choose_criteria(["memory", "share"])] == ["share", "memory"]


def test_memory_is_a_column_and_the_other_figures_stay(tmp_path):
    X, saved = table(80, 8), tmp_path / "figures.json"
    asked = {"k": [2, 3], "lists": {"mine": [0, 1]}, "checkpoint": saved}
    found = tamis.compare(X, ["sfs"], criteria=["share", "memory"], **asked)
    plain = tamis.compare(X, ["sfs"], criteria=["share"], k=[2, 3], lists={"mine": [0, 1]})
    by_method = found.frame.to_pydict()
    assert by_method["share"] == plain.frame.to_pydict()["share"]
    first, second, *listed = by_method["memory"]
    assert first == second > 20
    assert listed == [None, None]
    assert "No memory of mine: A given list is not searched for." in found.notes
    again = tamis.compare(X, ["sfs"], criteria=["share", "memory"], **asked)
    assert again.frame.to_pydict()["memory"] == by_method["memory"]


@pytest.mark.nightly
def test_a_larger_table_takes_a_larger_process():
    small, large = (
        measure_peak(Request.of("sfs", k=2, held_out=False), ArraySource(table(rows, 40)))
        for rows in (50, 250_000)
    )
    assert large > small + 70  # the table alone has 80 MB


def test_a_process_that_fails_and_a_table_that_cannot_be_sent_are_said():
    with pytest.raises(TamisError, match="ended without an answer"):
        measure_peak(Request.of("sfs", k=90), ArraySource(table(30, 4)))
    source = ArraySource(table(30, 4))
    source.opened = (value for value in ())
    with pytest.raises(TamisError, match="cannot be sent"):
        measure_peak(Request.of("sfs", k=2), source)
