import json

import numpy as np
import pytest
from papers.tests.shared import load_shared

from tamis_papers.protocols.gain_curves import LEARNERS, RANKED, RANKS, key_of
from tamis_papers.protocols.gain_figure import FIGURE_7, measure_accuracies, rank_ninth

ORDER = ["a", "b", "c", "d", "e", "f", "g", "h", "saturation-mean", "i"]
EIGHT = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.79, 0.81]
TEN = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.91]
ONE = [0.1, 0.05, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.91]
NINTH, STOP, EFFECTIVE = range(3)


def results(*draws, learners=LEARNERS, ranks=(9, 8)):
    """Give the same curves to every classifier, one for each draw of the folds."""
    gains = list(range(10, 0, -1))
    found = {
        key_of(learner, ranked, draw): {"order": ORDER, "gains": gains, "accuracy": accuracy}
        for learner in learners
        for ranked in RANKED
        for draw, accuracy in enumerate(draws)
    }
    return found | {RANKS: {"ranks": {f"binning {i}": rank for i, rank in enumerate(ranks)}}}


def test_the_printed_stop_is_one_figure_and_may_be_away_by_the_noise_of_the_folds():
    *each, stop, rank = FIGURE_7.figures(results(EIGHT, TEN))
    assert len(each) == 6
    assert all((f.ours, f.reproduced, f.runs) == (9, None, 2) for f in each)
    assert (stop.ours, stop.paper, stop.reproduced) == (9, 8, True)
    assert stop.tolerance == pytest.approx(2**0.5)
    assert (rank.ours, rank.reproduced) == (9, True)
    assert [f.reproduced for f in FIGURE_7.figures(results(TEN, TEN))][6] is False
    assert len(FIGURE_7.drawings(results(EIGHT, TEN))) == 3


@pytest.mark.parametrize(
    ("draws", "verdict"),
    [
        ([EIGHT, EIGHT], "holds"),
        ([EIGHT, TEN], "cannot be judged"),
        ([TEN, TEN], "does not hold"),
    ],
)
def test_a_stop_within_the_noise_of_the_folds_is_not_judged(draws, verdict):
    assert FIGURE_7.claims(results(*draws))[STOP].verdict == verdict


def test_most_classifiers_decide_whether_it_is_effective():
    bad = results(ONE, learners=("naive-bayes",))
    assert FIGURE_7.claims(bad)[EFFECTIVE].verdict == "does not hold"
    found = results(TEN, learners=("tree", "knn")) | bad
    claim = FIGURE_7.claims(found)[EFFECTIVE]
    assert claim.verdict == "holds"
    assert "4 of 6" in claim.reason


def test_the_rank_of_the_ninth_column_is_given_for_every_binning():
    claim = FIGURE_7.claims(results(TEN, ranks=(9, 8, 9, 10)))[NINTH]
    assert claim.verdict == "holds"
    assert "2 of 4 ways to bin give the ninth" in claim.reason
    assert FIGURE_7.claims(results(TEN, ranks=(8, 9)))[NINTH].verdict == "does not hold"


def test_saturation_mean_has_the_ninth_information_gain_on_segment():
    table = load_shared("segment")
    found = measure_accuracies(table, learner="naive-bayes", rank_in_folds=False, draw=0)
    assert found["order"][8] == "saturation-mean"
    assert len(found["accuracy"]) == len(found["order"]) == 18
    assert (np.diff(found["gains"]) <= 0).all()
    assert json.loads(json.dumps(found)) == found
    ranks = rank_ninth(table)["ranks"]
    assert len(ranks) == 7
    assert next(iter(ranks.values())) == 9


def test_another_draw_of_the_folds_has_the_same_ranks_and_other_accuracies():
    table = load_shared("segment")
    ranked = {"learner": "naive-bayes", "rank_in_folds": False}
    one, other = (measure_accuracies(table, **ranked, draw=draw) for draw in (0, 1))
    assert one["order"] == other["order"]
    assert one["accuracy"] != other["accuracy"]
