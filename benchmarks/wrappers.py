"""Wrapper searches against scikit-learn's SequentialFeatureSelector, and what is not done twice.

Processor time of one process, one BLAS thread; the same learner, splits, scorer and number of
columns on both sides, no rows set aside. Sets of columns repeat where a search comes back to one
and where a search is run again from its checkpoint.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.jobs import in_child, in_turn
from benchmarks.plan import Target

_FORWARD = ("naive-bayes", "knn", "logistic", "tree", "GaussianNB()", "pipeline")
_REPEATED = ("genetic", "annealing", "resumed")


def lines(quick: bool) -> Iterator[list[str]]:
    """Measure each learner and each repetition, a line at a time."""
    yield ["", "figure", "target", "about"]
    columns, k = (10, 4) if quick else (30, 8)
    for place, label in enumerate(_FORWARD):
        found = in_child(__name__, "forward", place, columns, k, threads=1)
        about = f"569 x {columns}, k = {k}, 5 folds; {found['same']} of {k} columns the same"
        verdict = Target(">=", 1).judge(found["ratio"])
        yield [f"scikit-learn / {label}", f"{found['ratio']:.1f}", verdict, about]
    for place, label in enumerate(_REPEATED):
        found = in_child(__name__, "repeated", place, 8 if quick else 12, threads=1)
        about = f"{found['asked']:,} sets asked for, {found['computed']:,} computed"
        few = found["asked"] < 2 * found["computed"]  # a search that hardly repeats itself
        verdict = "" if few else Target(">=", 1.5).judge(found["ratio"])
        yield [f"every set anew / {label}", f"{found['ratio']:.1f}", verdict, about]


def forward(place: int, columns: int, k: int) -> dict[str, float]:
    """Time both forward searches with one learner."""
    from sklearn.feature_selection import SequentialFeatureSelector

    from tamis.algorithms.learners import make_folds
    from tamis.algorithms.wrappers.steps import select_forward

    table = _table(columns)
    splits = make_folds(table.labels, 5, random_state=0)
    theirs, ours = _learners()[place]
    search = SequentialFeatureSelector(
        theirs, n_features_to_select=k, cv=splits, scoring="accuracy"
    )
    (slow, reference), (quick, path) = in_turn(
        lambda: search.fit(table.values, table.labels.y),
        lambda: select_forward(table, k, learner=ours, cv=5, test_size=0),
        rounds=3,
        clock=time.process_time,
    )
    same = len(set(path.kept.tolist()) & set(reference.get_support(indices=True).tolist()))
    return {"ratio": slow / quick, "same": same}


def _learners() -> list[tuple[Any, Any]]:
    """Give the learners as scikit-learn takes them and as we do."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    def scaled(learner: Any) -> Any:
        return make_pipeline(StandardScaler(), learner)

    logistic = scaled(LogisticRegression(max_iter=1000))
    return [
        (scaled(GaussianNB()), "naive-bayes"),
        (scaled(KNeighborsClassifier()), "knn"),
        (logistic, "logistic"),
        (DecisionTreeClassifier(criterion="entropy", random_state=0), "tree"),
        (GaussianNB(), GaussianNB()),
        (logistic, logistic),
    ]


def repeated(place: int, columns: int) -> dict[str, float]:
    """Time a search that meets sets again, with and without what is known of these."""
    from sklearn.naive_bayes import GaussianNB

    from tamis.algorithms.wrappers import evaluator, job
    from tamis.algorithms.wrappers.lots import select_annealing, select_genetic
    from tamis.algorithms.wrappers.steps import select_forward

    class Forgetful(evaluator.Evaluator):
        """Scores every set that is asked for."""

        def many(self, sets: Any) -> list[float]:
            found = evaluator._scores(self._score, sets)
            self.scores.update(zip(sets, found, strict=True))
            self.requests += len(sets)
            return found

    searches = ([select_genetic], [select_annealing], [select_forward, select_forward])[place]
    table, plain = _table(columns), evaluator.Evaluator

    def run(kind: Any) -> list[Any]:
        job.Evaluator = kind
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder) / "search.json" if kind is plain else None
            options = {"learner": GaussianNB(), "cv": 5, "test_size": 0, "checkpoint": saved}
            return [search(table, None, **options).evidence for search in searches]

    (slow, anew), (quick, known) = in_turn(
        lambda: run(Forgetful), lambda: run(plain), rounds=2, clock=time.process_time
    )
    asked = sum(evidence.requests for evidence in anew)
    return {"ratio": slow / quick, "asked": asked, "computed": known[0].evaluations}


def _table(columns: int) -> Any:
    """Take the first columns of scikit-learn's breast cancer table."""
    from sklearn.datasets import load_breast_cancer

    from tamis.statistics.labels import Target
    from tamis.statistics.rows import RowTable

    X, y = load_breast_cancer(return_X_y=True)
    return RowTable(X[:, :columns], Target.of(y, "classification", what="y"), True)
