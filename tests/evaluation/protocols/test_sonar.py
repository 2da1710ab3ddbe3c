"""The VIMICA / RSPFS note on sonar: what comes out as printed."""

import pytest

from tamis.evaluation.protocols.order import column_order
from tamis.evaluation.protocols.preservation import averages, experiment
from tamis.evaluation.protocols.preservation_paper import beside_paper


@pytest.mark.parametrize("method", ["greedy-fs", "naive-fs"])
def test_neighbours_are_kept_as_the_note_prints(real, method):
    X = real("sonar")
    order = column_order(X, method, options={"binning": "width"})
    found = averages(experiment(X, {method: order}, figures=["jaccard"]))
    rows = beside_paper("sonar", found)
    assert len(rows) == 3
    assert all(abs(row.difference) <= 0.06 for row in rows)
