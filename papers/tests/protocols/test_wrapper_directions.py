import pytest
from sklearn.datasets import load_iris

import tamis
from tamis_papers.laboratory.protocol import Table
from tamis_papers.protocols.wrapper_directions import (
    BACKWARD,
    DIRECTIONS,
    FORWARD,
    search_columns,
)


def test_a_search_is_that_of_the_library_with_its_unseen_rows():
    X, y = load_iris(return_X_y=True)
    found = search_columns(Table("iris", X, y), method=FORWARD, learner="naive-bayes", seed=3)
    options = {"learner": "naive-bayes", "cv": 5, "test_size": 0.3, "random_state": 3}
    ours = tamis.select(X, method=FORWARD, y=y, options=options).to_dict()["evidence"]
    assert found["outside"] == ours["test_score"]
    assert found["inside"] == ours["score"]
    assert found["kept"] == len(ours["kept"])


def made(*leads):
    """Give runs on iris in which backward is ahead by these, and no table else."""
    results = {}
    for seed, lead in enumerate(leads):
        one = {"kept": 2, "inside": 0.9, "sets": 9}
        results[f"iris/knn/{FORWARD}/{seed}"] = {**one, "outside": 0.8}
        results[f"iris/knn/{BACKWARD}/{seed}"] = {**one, "outside": 0.8 + lead}
    return results


@pytest.mark.parametrize(
    ("leads", "verdict"),
    [
        ((0.1, 0.11), "holds"),
        ((-0.1, -0.11), "does not hold"),
        ((0.1, -0.1), "cannot be judged"),
        ((0.001, 0.001), "cannot be judged"),
    ],
)
def test_a_difference_must_exceed_what_the_draws_vary_it_by(leads, verdict):
    (claim,) = DIRECTIONS.claims(made(*leads))
    assert claim.verdict == verdict
    assert len(DIRECTIONS.figures(made(*leads))) == 8


def test_a_run_without_its_counterpart_is_not_compared():
    found = made(0.1, 0.1, -0.9)
    del found[f"iris/knn/{FORWARD}/2"]
    assert DIRECTIONS.claims(found)[0].verdict == "holds"
