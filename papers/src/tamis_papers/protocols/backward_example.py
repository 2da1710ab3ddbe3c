"""Figure 9 of Cunningham: backward elimination on four columns whose scores are given."""

from typing import Any

import numpy as np
import pyarrow

import tamis
from tamis_papers.laboratory.protocol import (
    Cell,
    Claim,
    Drawing,
    Figure,
    Protocol,
    Reading,
    Results,
)

__all__ = ["FIGURE_9", "walk_back"]

# Percent. The paper prints those of ABCD and AB, and the best of each size; the others are ours.
SCORES = {
    **{"ABCD": 71, "ABC": 70, "ABD": 74, "ACD": 72, "BCD": 68},
    **{"AB": 76, "AD": 73, "BD": 75, "AC": 70, "BC": 69, "CD": 66},
    **{"A": 70, "B": 75, "C": 60, "D": 65, "": 50},
}
_NAMES = "ABCD"
_ROWS = 8
_WHERE = "Section 3.1.2, Figure 9"
_METHOD = "wrapper-backward"

_READINGS = (
    Reading(
        "scores",
        "71% for ABCD and 76% for AB; ABD best of size 3; none of size 1 above AB",
        "Cross-validation gives the full feature set a score of 71%, the best feature set of size "
        "3 is (A,B,D) and the best feature set of size 2 is (A,B) and the feature sets of size 1 "
        "are no improvement on this.",
        "The other scores are only in the picture; ours are made up to agree with these words.",
    ),
    Reading(
        "accept_ties",
        False,
        "will terminate when adding (or deleting) a feature will not produce an improvement",
        "A removal must raise the score. The library by default also removes at an equal score.",
    ),
)


def walk_back() -> dict[str, Any]:
    """Run backward elimination on the scores; give the search tree and what was kept.

    The library searches as on any table: a column is known by its values, and the scorer, instead
    of judging a learner, gives the score of the columns it is shown.
    """
    from sklearn.dummy import DummyClassifier

    rows = np.arange(_ROWS) / _ROWS
    table = pyarrow.table({name: place + rows for place, name in enumerate(_NAMES, 1)})
    options = {"learner": DummyClassifier(), "scoring": accuracy, "cv": 2, "test_size": 0.0}
    found = tamis.select(
        table,
        method=_METHOD,
        y=np.arange(_ROWS) % 2,
        options={**options, "accept_ties": False},
    )
    return {"tree": found.to_dict()["evidence"]}


def accuracy(_learner: Any, X: Any, _y: Any) -> float:
    """Give the score that is known of these columns; without columns there are only zeros."""
    places = sorted(int(value) for value in np.asarray(X)[0] if value >= 1)
    return SCORES["".join(_NAMES[place - 1] for place in places)] / 100


def _cells(_: bool) -> list[Cell]:
    return [Cell("backward", walk_back)]


def _tree(results: Results) -> dict[str, Any] | None:
    return results["backward"]["tree"] if "backward" in results else None


def _figures(results: Results) -> list[Figure]:
    tree = _tree(results)
    if tree is None:
        return []
    return [
        Figure("example", _METHOD, "columns kept", len(tree["kept"]), 2, tolerance=0),
        Figure("example", _METHOD, "score, %", 100 * tree["score"], 76, tolerance=0),
        Figure("example", _METHOD, "sets evaluated of 16", tree["evaluations"], None),
    ]


def _claims(results: Results) -> list[Claim]:
    tree = _tree(results)
    text = (
        "The best feature subset uncovered in this example would be (AB) which has a score of 76%."
    )
    if tree is None:
        return [Claim(text, _WHERE, "cannot be judged", "The search was not run.")]
    kept = "".join(sorted(tree["kept"]))
    reason = (
        f"The search keeps {kept} with {tree['score']:.0%} after {tree['evaluations']} of 16 sets."
    )
    good = kept == "AB" and round(100 * tree["score"]) == 76
    return [Claim(text, _WHERE, "holds" if good else "does not hold", reason)]


def _drawings(results: Results) -> list[Drawing]:
    tree = _tree(results)
    if tree is None:
        return []
    return [
        Drawing("Figure 9: backward elimination from ABCD", "", "score", kind="tree", tree=tree)
    ]


def _limits(_: Results) -> list[str]:
    return ["A worked example, not an experiment: it shows the search and says nothing of data."]


FIGURE_9 = Protocol(
    id="cunningham-figure-9",
    paper="Cunningham",
    title="Figure 9: backward elimination on four columns",
    about="From all four columns the one is removed without which the score is best, as long as it "
    "rises.",
    tables=(),
    readings=_READINGS,
    cells=_cells,
    figures=_figures,
    claims=_claims,
    drawings=_drawings,
    limits=_limits,
)
