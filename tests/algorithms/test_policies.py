"""The three policies for scores: known answers."""

import numpy as np
import pytest

from tamis.algorithms.ranking import find_improving_prefix, find_reaching, relevance_of
from tamis.errors import TamisError


def test_the_relative_threshold_keeps_scores_within_half_of_the_best():
    scores = np.array([0.9, 0.45, 0.44, 0.0])
    mask, cut = find_reaching(scores, threshold=None, within=0.5)
    assert mask.tolist() == [True, True, False, False]
    assert cut == pytest.approx(0.45)


def test_the_absolute_threshold_counts_equal_scores_in():
    mask, _ = find_reaching(np.array([0.1 + 0.2, 0.3, 0.29]), threshold=0.3, within=None)
    assert mask.tolist() == [True, True, False]


def test_where_small_scores_are_best_a_threshold_is_the_largest_kept():
    scores = np.array([0.2, 1.0, 0.6, np.inf])
    assert find_reaching(scores, threshold=0.6, within=None, smallest=True)[0].tolist() == (
        [True, False, True, False]
    )
    mask, cut = find_reaching(scores, threshold=None, within=0.5, smallest=True)
    assert mask.tolist() == [True, False, True, False]
    assert cut == pytest.approx(0.6)


@pytest.mark.parametrize(("smallest", "way"), [(False, "at most"), (True, "at least")])
def test_a_threshold_that_no_score_reaches_is_refused_with_the_best_score(smallest, way):
    with pytest.raises(TamisError, match=rf"the best score is 0\.5, .*; give {way} that"):
        find_reaching(
            np.full(2, 0.5), threshold=0.1 if smallest else 2, within=None, smallest=smallest
        )


def test_relevance_is_never_negative_and_equal_where_nothing_is_better():
    assert relevance_of(np.array([-1.0, 0.0])).tolist() == [1, 1]
    assert relevance_of(np.array([np.inf, 1.0])).tolist() == [3, 1]


@pytest.mark.parametrize(
    ("line", "given", "expected"),
    [
        ([0.9, 0.8, 0.7], {}, 1),
        ([0.9, 0.9, 0.9], {}, 1),
        ([0.5, 0.6, 0.7], {}, 3),
        ([0.5, 0.6, 0.6, 0.9], {}, 2),
        ([0.5, 0.6, 0.55, 0.9], {"patience": 1}, 4),
        ([0.5, 0.6, 0.55, 0.58, 0.9], {"patience": 1}, 2),
        ([0.5, 0.6, 0.605, 0.9], {"min_delta": 0.01}, 2),
        ([0.5, 0.6, 0.605, 0.609, 0.9], {"min_delta": 0.01, "patience": 2}, 5),
    ],
)
def test_the_prefix_ends_before_the_first_step_that_does_not_improve(line, given, expected):
    looked = []

    def score(m):
        looked.append(m)
        return line[m - 1]

    size, scores = find_improving_prefix(score, len(line), **given)
    assert size == expected
    assert scores.tolist() == line[: len(looked)]
    assert looked == list(range(1, len(looked) + 1))


def test_columns_kept_in_any_case_are_the_shortest_prefix():
    assert find_improving_prefix(lambda m: -m, 5, least=3)[0] == 3
