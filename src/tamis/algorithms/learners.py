"""What a learner achieves with a set of columns, on rows that it was not trained on."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tamis.algorithms.naive_bayes import NaiveBayes
from tamis.errors import TamisError, spelled
from tamis.numerics.types import Floats, Indices
from tamis.statistics.target import Target

Splits = Sequence[tuple[Indices, Indices]]
Scorer = Callable[[Any, Any, Any], float]

_MOST_BYTES = 2**28  # of log-likelihoods held at a time


class Learner(NamedTuple):
    """An estimator, and whether it is trained on standardised columns."""

    name: str
    estimator: Any
    scale: bool


def learner_of(choice: Any, task: str) -> Learner:
    """Make the learner of a name for the task, or take any scikit-learn estimator as it is.

    >>> learner_of("auto", "classification").estimator
    GaussianNB()
    """
    if not isinstance(choice, str):
        return Learner(type(choice).__name__, choice, scale=False)
    kinds = {"auto": {"classification": "naive-bayes", "regression": "ridge"}[task]}
    name = kinds.get(choice, choice)
    made = _named(name, task)
    if made is None:
        what = "classes" if task == "regression" else "numbers"
        other = "ridge" if task == "regression" else "naive-bayes"
        raise TamisError(
            f"{spelled('learner', choice)} predicts {what}, not what {spelled('task', task)} asks "
            f"for: choose another, such as {other!r}."
        )
    return Learner(name, made, scale=name != "tree")


def _named(name: str, task: str) -> Any:
    """Make one of the learners that have a name, None if there is none for the task."""
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    numbers = task == "regression"
    match name:
        case "naive-bayes":
            return None if numbers else GaussianNB()
        case "logistic":
            return None if numbers else LogisticRegression(max_iter=1000)
        case "ridge":
            return Ridge() if numbers else None
        case "knn":
            return KNeighborsRegressor() if numbers else KNeighborsClassifier()
    if numbers:
        return DecisionTreeRegressor(random_state=0)
    return DecisionTreeClassifier(criterion="entropy", random_state=0)


def folds(target: Target, cv: int, random_state: int) -> Splits:
    """Split the rows into `cv` pairs of training and test rows, each class dealt out evenly.

    Every class of at least two rows is in all training parts.

    >>> [test.tolist() for _, test in folds(Target.of([*"aabbb"], "auto", what="y"), 2, 0)]
    [[1, 3, 4], [0, 2]]
    """
    n_rows = len(target.labels)
    drawn = np.random.default_rng(random_state).random(n_rows)
    order = np.argsort(drawn)
    if target.task == "classification":
        order = np.lexsort((drawn, target.codes))
    parts = np.zeros(n_rows, dtype=np.intp)
    parts[order] = np.arange(n_rows) % min(cv, n_rows)
    return [
        (np.flatnonzero(parts != part), np.flatnonzero(parts == part))
        for part in range(min(cv, n_rows))
    ]


class CrossValidated:
    """The score of a learner with any set of columns, over the same splits for every set.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 3))
    >>> target = Target.of(X[:, 1] > 0, "auto", what="y")
    >>> judge = CrossValidated(X, target, folds(target, 5, random_state=0))
    >>> [round(judge.score(columns), 2) for columns in ([], [0], [1], [0, 1])]
    [0.52, 0.55, 0.93, 0.95]
    """

    def __init__(
        self,
        values: Floats,
        target: Target,
        splits: Splits,
        *,
        learner: Any = "auto",
        scoring: Any = None,
    ) -> None:
        """Prepare what all sets of columns share: the columns, their scales and the scorer."""
        self.splits = splits
        self.learner = learner_of(learner, target.task)
        self._columns = np.ascontiguousarray(values.T)
        self._target, self._y = target, target.y
        self._scoring = scoring
        self._own = not isinstance(learner, str)

    @property
    def scorer_name(self) -> str:
        """What the scores are."""
        if self._scoring is None:
            return "R2" if self._target.task == "regression" else "accuracy"
        return str(getattr(self._scoring, "__name__", self._scoring))

    def score(self, columns: Sequence[int]) -> float:
        """Give the mean score over the splits; the same for any order of the columns."""
        return float(self.fold_scores(columns).mean())

    def fold_scores(self, columns: Sequence[int]) -> Floats:
        """Give the score of every split."""
        columns = sorted(int(j) for j in columns)
        if not columns:
            return self._empty
        return np.array([self.fold_score(columns, fold) for fold in range(len(self.splits))])

    def fold_score(self, columns: Sequence[int], fold: int) -> float:
        """Train on the rows of one split and give the score on its test rows."""
        actual = self._y[self.splits[fold][1]]
        if self._tables is not None:
            return float(np.mean(self._tables[fold].predict(columns) == actual))
        train, test = self._parts(columns, fold)
        return self._trained(self._fresh(), train.T, test.T, fold)

    @cached_property
    def _empty(self) -> Floats:
        """The score without columns: of the most frequent class, or of the mean."""
        from sklearn.dummy import DummyClassifier, DummyRegressor

        numbers = self._target.task == "regression"
        scores = []
        for fold, (train, test) in enumerate(self.splits):
            guess = DummyRegressor() if numbers else DummyClassifier(strategy="prior")
            nothing = np.zeros((len(train), 1)), np.zeros((len(test), 1))
            scores.append(self._trained(guess, *nothing, fold))
        return np.array(scores)

    @cached_property
    def _tables(self) -> list[NaiveBayes] | None:
        """Naive Bayes for all sets of columns at once, where it fits into memory."""
        width, n_classes = len(self._columns), len(self._target.classes)
        rows = sum(len(test) for _, test in self.splits)
        fits = width * rows * n_classes * 8 <= _MOST_BYTES
        if self._own or self.learner.name != "naive-bayes" or self._scoring or not fits:
            return None
        return [
            NaiveBayes(*self._parts(range(width), fold), self._y[train], n_classes)
            for fold, (train, _) in enumerate(self.splits)
        ]

    @cached_property
    def _scales(self) -> list[tuple[Floats, Floats]]:
        """Mean and standard deviation of every column in the training rows of each split."""
        found = []
        for train, _ in self.splits:
            rows = self._columns[:, train]
            spread = rows.std(axis=1, keepdims=True)
            mean = rows.mean(axis=1, keepdims=True)
            constant = spread <= 10 * np.finfo(float).eps * np.abs(mean)
            found.append((mean, np.where(constant, 1.0, spread)))
        return found

    def _parts(self, columns: Sequence[int], fold: int) -> tuple[Floats, Floats]:
        """Give the training and test rows of some columns (columns x rows)."""
        chosen = self._columns[list(columns)]
        if self.learner.scale:
            mean, spread = (part[list(columns)] for part in self._scales[fold])
            chosen = (chosen - mean) / spread
        train, test = self.splits[fold]
        return chosen[:, train], chosen[:, test]

    def _fresh(self) -> Any:
        """Give an untrained learner: ours can be trained again, of others nothing is known."""
        from sklearn.base import clone

        return clone(self.learner.estimator) if self._own else self.learner.estimator

    @cached_property
    def _scorer(self) -> Scorer | None:
        from sklearn.metrics import get_scorer

        if callable(self._scoring):
            return self._scoring
        if self._scoring is None:
            return get_scorer("r2") if self._target.task == "regression" else None
        try:
            return get_scorer(self._scoring)
        except (ValueError, KeyError):
            raise TamisError(
                f"{spelled('scoring', self._scoring)}: there is no scorer of this name, give one "
                "of sklearn.metrics.get_scorer_names()."
            ) from None

    def _trained(self, learner: Any, train: Floats, test: Floats, fold: int) -> float:
        """Train and score a learner, which may be anybody's."""
        from sklearn import config_context

        y, actual = (self._y[rows] for rows in self.splits[fold])
        scorer = self._scorer
        try:
            with config_context(assume_finite=True):
                learner.fit(train, y)
                if scorer is None:
                    return float(np.mean(learner.predict(test) == actual))
                score = float(scorer(learner, test, actual))
        except Exception as problem:
            raise TamisError(
                f"{self.learner.name} could not be trained and scored ({self.scorer_name}) on "
                f"{len(y):,} rows: {_first_line(problem)}."
            ) from problem
        if not np.isfinite(score):
            raise TamisError(
                f"{spelled('scoring', self.scorer_name)} gave {score} on {len(actual):,} test "
                f"rows: give fewer folds ({spelled('cv', 3)}), or another scorer."
            )
        return score


def _first_line(problem: Exception) -> str:
    text = str(problem).strip().splitlines() or [type(problem).__name__]
    return text[0].rstrip(".")
