import json

import numpy as np
from papers.tests.shared import load_shared

from tamis.pictures import draw_search_tree
from tamis_papers.protocols.cunningham import PROTOCOLS, measure_accuracies

FIGURE_7, FIGURE_9 = PROTOCOLS
ORDER = ["a", "b", "c", "d", "e", "f", "g", "h", "saturation-mean", "i"]


def results(accuracy):
    one = {"order": ORDER, "gains": list(range(10, 0, -1)), "accuracy": accuracy}
    return {"segment/tree/ranked once": one}


def test_the_curve_stops_before_the_first_column_that_does_not_improve():
    found = results([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.79, 0.9])
    kept, rank = FIGURE_7.figures(found)
    assert (kept.ours, kept.paper, kept.reproduced) == (8, 8, True)
    assert (rank.ours, rank.reproduced) == (9, True)
    verdicts = [claim.verdict for claim in FIGURE_7.claims(found)]
    assert verdicts == ["holds", "holds", "does not hold"]
    assert len(FIGURE_7.drawings(found)) == 2


def test_another_stop_refutes_the_claim():
    found = results([0.1, 0.2, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.79, 0.9])
    assert FIGURE_7.figures(found)[0].ours == 2
    assert FIGURE_7.claims(found)[1].verdict == "does not hold"


def test_without_results_nothing_is_judged():
    for protocol in PROTOCOLS:
        assert not protocol.figures({})
        assert not protocol.drawings({})
        assert {claim.verdict for claim in protocol.claims({})} == {"cannot be judged"}


def test_saturation_mean_has_the_ninth_information_gain_on_segment():
    found = measure_accuracies(load_shared("segment"), learner="naive-bayes", rank_in_folds=False)
    assert found["order"][8] == "saturation-mean"
    assert len(found["accuracy"]) == len(found["order"]) == 18
    assert (np.diff(found["gains"]) <= 0).all()
    assert json.loads(json.dumps(found)) == found


def test_backward_elimination_keeps_a_and_b_after_ten_of_sixteen_sets():
    (cell,) = FIGURE_9.cells(True)
    found = {cell.key: json.loads(json.dumps(cell.compute()))}
    tree = found[cell.key]["tree"]
    assert sorted(tree["kept"]) == ["A", "B"]
    assert tree["evaluations"] == 10
    taken = [one["column"] for level in tree["levels"] for one in level["sets"] if one["taken"]]
    assert taken == ["C", "D"]
    assert [f.reproduced for f in FIGURE_9.figures(found)] == [True, True, None]
    assert FIGURE_9.claims(found)[0].verdict == "holds"
    (drawing,) = FIGURE_9.drawings(found)
    assert drawing.kind == "tree"
    assert "76.0%" in draw_search_tree(drawing.tree)
