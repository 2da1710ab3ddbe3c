"""What a learner achieves with a set of columns, on rows that it was not trained on."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.statistics.labels import Target

_SMOOTHING = 1e-9  # of the variance of a column, added to its variance within a class

Part = tuple[Floats, Floats, Indices]


class NaiveBayes:
    """Predict the classes of the test rows of all splits from any columns, without training again.

    Given the class, the columns are independent: the log-likelihood of a set of columns is the sum
    of theirs. With standardised columns the smoothing is the same for every set, so the predictions
    are those of scikit-learn's `StandardScaler` and `GaussianNB` on these columns.
    """

    def __init__(self, parts: Iterable[Part], n_classes: int) -> None:
        """Learn every column of every split.

        A part has standardised training and test rows, both as columns x rows, and the classes of
        the training rows.
        """
        tables, priors = zip(*(_learnt(*part, n_classes) for part in parts), strict=True)
        self._table, self._prior = np.concatenate(tables, axis=1), np.concatenate(priors)

    def predict(self, columns: Sequence[int], rows: slice = slice(None)) -> Indices:
        """Give the most probable class of every test row, split after split, or of some of them."""
        total = self._table[list(columns), rows].sum(axis=0) + self._prior[rows]
        return np.asarray(total.argmax(axis=1))


def _learnt(train: Floats, test: Floats, codes: Indices, n_classes: int) -> tuple[Floats, Floats]:
    """Give the log-likelihood of each test row by column and class, and the priors."""
    table = np.zeros((*test.shape, n_classes))
    prior = np.full((test.shape[1], n_classes), -np.inf)
    for c in range(n_classes):
        members = train[:, codes == c]
        if not members.shape[1]:
            continue
        prior[:, c] = np.log(members.shape[1] / len(codes))
        mean = members.mean(axis=1, keepdims=True)
        spread = members.var(axis=1, keepdims=True) + _SMOOTHING
        table[:, :, c] = -0.5 * (np.log(spread) + (test - mean) ** 2 / spread)
    return table, prior


Splits = Sequence[tuple[Indices, Indices]]
Scorer = Callable[[Any, Any, Any], float]

_MAX_LIKELIHOOD_BYTES = 2**28  # of log-likelihoods held at a time


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
    made = _make_named(name, task)
    if made is None:
        what = "classes" if task == "regression" else "numbers"
        other = "ridge" if task == "regression" else "naive-bayes"
        raise TamisError(
            f"{spell('learner', choice)} predicts {what}, not what {spell('task', task)} asks "
            f"for: choose another, such as {other!r}."
        )
    return Learner(name, made, scale=True)


def check_scoring(scoring: Any) -> None:
    """Refuse the name of a scorer that does not exist."""
    from sklearn.metrics import get_scorer_names

    if isinstance(scoring, str) and scoring not in get_scorer_names():
        raise TamisError(
            f"{spell('scoring', scoring)}: there is no scorer of this name, give one of "
            "sklearn.metrics.get_scorer_names()."
        )


def _make_named(name: str, task: str) -> Any:
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


def make_folds(target: Target, cv: int, random_state: int) -> Splits:
    """Split the rows into `cv` pairs of training and test rows, each class dealt out evenly.

    Every class of at least two rows is in all training parts. With few rows there are fewer pairs,
    so that a test part has one row at least, or two for numbers, where one has no R².

    >>> [test.tolist() for _, test in make_folds(Target.of([*"aabbb"], "auto", what="y"), 2, 0)]
    [[1, 3, 4], [0, 2]]
    """
    n_rows = len(target.labels)
    drawn = np.random.default_rng(random_state).random(n_rows)
    order = np.argsort(drawn)
    if target.dealt_evenly:
        order = np.lexsort((drawn, target.codes))
    parts = np.zeros(n_rows, dtype=np.intp)
    count = max(min(cv, n_rows // (2 if target.task == "regression" else 1)), 2)
    parts[order] = np.arange(n_rows) % count
    return [(np.flatnonzero(parts != part), np.flatnonzero(parts == part)) for part in range(count)]


class CrossValidated:
    """The score of a learner with any set of columns, over the same splits for every set.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 3))
    >>> target = Target.of(X[:, 1] > 0, "auto", what="y")
    >>> judge = CrossValidated(X, target, make_folds(target, 5, random_state=0))
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
        random_state: int = 0,
    ) -> None:
        """Prepare what all sets of columns share; `random_state` is for learners without one."""
        self.splits = splits
        self.learner = learner_of(learner, target.task)
        self._columns = np.ascontiguousarray(values.T)
        self.scoring = scoring
        self._own = not isinstance(learner, str)
        # R² has no unit; a scorer that was given and anybody's learner see the numbers themselves.
        given = self._own or scoring is not None
        self._target, self._given = target, given
        self._random_state = random_state

    @cached_property
    def _labels(self) -> list[Any]:
        """What is to be learnt in each split: clusters are those of its training rows."""
        seen = (self._target.seen_from(train) for train, _ in self.splits)
        return [target.y if self._given else target.standard_y for target in seen]

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self._columns)

    @property
    def scorer_name(self) -> str:
        """What the scores are."""
        if self.scoring is None:
            return "R²" if self._target.task == "regression" else "accuracy"
        return str(getattr(self.scoring, "__name__", self.scoring))

    def score(self, columns: Sequence[int]) -> float:
        """Give the mean score over the splits; the same for any order of the columns."""
        return float(self.fold_scores(columns).mean())

    def fold_scores(self, columns: Sequence[int]) -> Floats:
        """Give the score of every split."""
        columns = sorted(int(j) for j in columns)
        if not columns:
            return self._empty
        if self._table is not None:
            right = self._table.predict(columns) == self._tested
            return np.add.reduceat(right, self._starts) / self._sizes
        return np.array([self.fold_score(columns, fold) for fold in range(len(self.splits))])

    def fold_score(self, columns: Sequence[int], fold: int) -> float:
        """Train on the rows of one split and give the score on its test rows."""
        if self._table is not None and len(columns):
            rows = slice(self._starts[fold], self._starts[fold] + self._sizes[fold])
            return float(np.mean(self._table.predict(columns, rows) == self._tested[rows]))
        train, test = self._parts(columns, fold)
        return self._score_fold(self._fresh(), train.T, test.T, fold)

    @property
    def quick(self) -> bool:
        """Whether a score takes no training, so that sharing out the work does not pay."""
        return self._table is not None

    @cached_property
    def _empty(self) -> Floats:
        """The score without columns: of the most frequent class, or of the mean."""
        from sklearn.dummy import DummyClassifier, DummyRegressor

        numbers = self._target.task == "regression"
        scores = []
        for fold, (train, test) in enumerate(self.splits):
            guess = DummyRegressor() if numbers else DummyClassifier(strategy="prior")
            nothing = np.zeros((len(train), 1)), np.zeros((len(test), 1))
            scores.append(self._score_fold(guess, *nothing, fold))
        return np.array(scores)

    @cached_property
    def _table(self) -> NaiveBayes | None:
        """Naive Bayes for all sets of columns at once, where it fits into memory."""
        if self._own or self.learner.name != "naive-bayes" or self.scoring:
            return None
        width, n_classes = len(self._columns), 1 + max(int(y.max()) for y in self._labels)
        if width * len(self._tested) * n_classes * 8 > _MAX_LIKELIHOOD_BYTES:
            return None
        every = range(len(self.splits))
        parts = ((*self._parts(range(width), i), self._labels[i][self.splits[i][0]]) for i in every)
        return NaiveBayes(parts, n_classes)

    @cached_property
    def _tested(self) -> Any:
        """What is to be predicted, split after split."""
        tested = zip(self._labels, self.splits, strict=True)
        return np.concatenate([labels[test] for labels, (_, test) in tested])

    @cached_property
    def _sizes(self) -> Indices:
        return np.array([len(test) for _, test in self.splits])

    @cached_property
    def _starts(self) -> Indices:
        return np.concatenate([[0], np.cumsum(self._sizes)[:-1]])

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
        from sklearn.compose import TransformedTargetRegressor
        from sklearn.preprocessing import StandardScaler

        if not self._own and (self.scoring is None or self._target.task != "regression"):
            return self.learner.estimator
        if not self._own:
            return TransformedTargetRegressor(self.learner.estimator, transformer=StandardScaler())
        fresh = clone(self.learner.estimator)
        return fresh.set_params(**dict.fromkeys(self._unseeded, self._random_state))

    @cached_property
    def _unseeded(self) -> list[str]:
        """Parameters for a random seed that are not set."""
        given = self.learner.estimator.get_params(deep=True).items()
        return [name for name, value in given if name.endswith("random_state") and value is None]

    @cached_property
    def _scorer(self) -> Scorer | None:
        from sklearn.metrics import get_scorer

        if callable(self.scoring):
            return self.scoring
        if self.scoring is None:
            return get_scorer("r2") if self._target.task == "regression" else None
        check_scoring(self.scoring)
        return get_scorer(self.scoring)

    def _score_fold(self, learner: Any, train: Floats, test: Floats, fold: int) -> float:
        """Train and score a learner, which may be anybody's."""
        from sklearn import config_context

        y, actual = (self._labels[fold][rows] for rows in self.splits[fold])
        scorer = self._scorer
        try:
            with config_context(assume_finite=True):
                learner.fit(train, y)
                if scorer is None:
                    return float(np.mean(learner.predict(test) == actual))
                score = float(scorer(learner, test, actual))
        except Exception as problem:
            said = (str(problem).strip().splitlines() or [type(problem).__name__])[0]
            raise TamisError(
                f"{self.learner.name} could not be trained and scored ({self.scorer_name}) on "
                f"{len(y):,} rows: {said.rstrip('.')}."
            ) from problem
        if not np.isfinite(score):
            raise TamisError(
                f"{spell('scoring', self.scorer_name)} gave {score} on {len(actual):,} test "
                f"rows: give fewer folds ({spell('cv', 3)}), or another scorer."
            )
        return score
