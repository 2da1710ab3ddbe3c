"""How well the kept columns predict each response on held-out rows.

Five folds; in each a linear model is fitted to the other rows: ridge regression for numbers, its
penalty chosen by leave-one-out validation, and logistic regression for classes.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tamis.algorithms.path import Path
from tamis.errors import TamisError, spell
from tamis.evaluation.common_ground import Ground
from tamis.evaluation.held_out import Find, held_out, make_finder
from tamis.evaluation.trial import Trial
from tamis.facts.selection_answer import PredictionFacts
from tamis.numerics.threads import small_products_on_one_thread
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.run.held_source import ThinnedSource
from tamis.run.request import Request
from tamis.run.search import Search
from tamis.run.selection import FoundColumns
from tamis.run.training import TrainingTable, encode_columns
from tamis.statistics.classes import Responses
from tamis.statistics.labels import ClusterLabels, Target, are_measured, mark_known
from tamis.statistics.rows import label_column, name_labels
from tamis.statistics.summary import Summary

MAX_CELLS = 20_000_000  # rows times columns that are held
MAX_CHOSEN_CELLS = 4_000_000  # the same where columns are selected again in every fold
_LINKED = (
    "Not predicted: rows that belong together, follow one another or have weights are not split "
    "into folds for predictions yet, and random folds would flatter."
)
_ELSEWHERE = (
    "How well a model on the kept columns predicts the classes is not measured: it is fitted to "
    f"rows, and these stay with the engine; {spell('held_out', True)} brings them here."
)
MAX_RESPONSES = 20  # of which each is measured by itself
MAX_ALL_WORK = 1_000_000_000  # rows times squared columns of a model on all of them


class _Rows(NamedTuple):
    """What a model sees, which of it each column became, and what it predicts."""

    values: Floats
    places: list[list[int]]
    target: Target

    def features(self, columns: Indices) -> list[int]:
        """Give the positions in `values` of some columns."""
        return [place for j in columns.tolist() for place in self.places[j]]


def predict_with_listed(found: FoundColumns) -> tuple[tuple[PredictionFacts, ...], tuple[str, ...]]:
    """Predict each response with exactly the kept columns, and with all.

    Rows without a label are dropped, and every n-th is taken where all would not fit. A response
    of which no folds can be made, such as classes of a few rows, is skipped; the second list has
    the reasons.
    """
    predictions, reasons = [], []
    if found.labels is not None and _are_linked(found.request):
        return (), (_LINKED,)
    for name, labels in _list_responses(found):
        try:
            rows = _hold_rows(found, labels)
            splits = split_rows(rows.target)
        except TamisError as error:
            reasons.append(f"Not predicted: {error}")
            continue
        kept = rows.features(found.path.kept)
        scores = np.array([_score(rows, kept, *split) for split in splits])
        wide = len(rows.values) * rows.values.shape[1] ** 2 > MAX_ALL_WORK
        every = [] if wide else [_score(rows, slice(None), *split) for split in splits]
        with_all = float(np.mean(every)) if every else None
        predictions.append(_sum_up(name, rows.target, scores, with_all=with_all))
    return tuple(predictions), tuple(reasons)


def predict_with_chosen(found: FoundColumns) -> tuple[PredictionFacts, ...]:
    """Predict classes, or each of several responses, with columns selected again in every fold.

    Of one response of numbers the share on held-out rows says it already. Nothing is measured where
    the table is too large to be held, or can be read only once, or is in the hands of an engine,
    unless held-out rows are asked for: a model is fitted to the rows themselves.
    """
    cells, labels = found.summary.n_rows * len(found.used), found.labels
    if found.request.held_out is False or found.request.method.needs != "response":
        return ()
    if _are_linked(found.request) and not isinstance(labels, Responses):
        return ()
    if isinstance(labels, Responses):
        return _predict_several(found, labels)
    once = found.source.info.once or isinstance(labels, ClusterLabels)
    target = found.summary.statistic.target
    if once or cells > MAX_CHOSEN_CELLS or target is None or target.task == "regression":
        return ()
    if found.source.in_parts() is not None and found.request.held_out is not True:
        found.source.info = found.source.info.with_doubts([_ELSEWHERE])
        return ()
    request = replace(found.request, task=target.task)
    table = TrainingTable(request, found.source, found.used, labels)
    ((name, _),) = _list_responses(found)
    try:
        splits = split_rows(table.target)
    except TamisError:  # a class with too few rows
        return ()
    scores = [_score_again(found, table, *split) for split in track("folds", splits, len(splits))]
    return (_sum_up(name, table.target, np.array(scores), selected_again=True),)


def _are_linked(request: Request) -> bool:
    """Whether rows belong together, follow one another or have weights: random folds flatter."""
    grouped = request.row_groups is not None or request.weights is not None
    return grouped or request.ordered


def _predict_several(found: FoundColumns, labels: Responses) -> tuple[PredictionFacts, ...]:
    summary, k = found.summary, len(found.path.kept)
    if summary.blocks is None or len(labels.names) > MAX_RESPONSES:
        return ()
    predictions = []
    for place, (name, target) in enumerate(zip(labels.names, summary.targets, strict=True)):
        find = make_finder(found.search, k)

        def find_and_weigh(part: Summary, find: Find = find, place: int = place) -> Path:
            """Search as before, and measure what is explained of one response alone."""
            importance = np.zeros(part.width)
            importance[part.columns + place] = 1.0
            return replace(find(part), importance=importance)

        try:
            folds = held_out(summary.blocks, find_and_weigh, k, ridge=found.search.ridge)
        except TamisError:  # too few rows to hold some back
            return ()
        score = "R²" if target.task == "regression" else "share explained"
        value, std = float(folds.share[-1]), float(folds.std[-1])
        folded = len(folds.totals)
        predictions.append(PredictionFacts(name, score, value, std, folded, target.rows, True))
    return tuple(predictions)


def _score_again(found: FoundColumns, table: TrainingTable, train: Indices, test: Indices) -> float:
    k, search = len(found.path.kept), found.search

    def order(again: Search) -> Indices:
        return search.on(again.summary)(k).indices[:k]

    chosen = table.rank_columns(search, train, order)
    rows = _Rows(table.values, [], table.target)
    return _score(rows, table.features(chosen), train, test)


def _score(rows: _Rows, features: Any, train: Indices, test: Indices) -> float:
    values = rows.values[:, features]
    std = values[train].std(axis=0)
    factor = np.divide(1.0, std, out=np.zeros_like(std), where=std > 0)
    standard = (values - values[train].mean(axis=0)) * factor
    return score_fold(standard, rows.target, train, test)


def _sum_up(
    name: str | None,
    target: Target,
    scores: Floats,
    *,
    with_all: float | None = None,
    selected_again: bool = False,
) -> PredictionFacts:
    mean, std = float(scores.mean()), float(scores.std(ddof=1))
    return PredictionFacts(
        name, kind_of(target), mean, std, len(scores), target.rows, selected_again, with_all
    )


def _list_responses(found: FoundColumns) -> list[tuple[str | None, Any]]:
    labels = found.labels
    if isinstance(labels, Responses):
        return list(zip(labels.names, labels.parts, strict=True))
    name = found.source.names[labels] if isinstance(labels, int) else None
    return [] if labels is None else [(name, labels)]


def _hold_rows(found: FoundColumns, labels: Any) -> _Rows:
    """Hold the rows that have a label, every n-th where all would not fit."""
    import pyarrow as pa

    step = max(1, -(-found.summary.tally.rows * len(found.used) // MAX_CELLS))
    marks = label_column(found.source, labels) if isinstance(labels, int) else labels
    marks = np.asarray(marks, dtype=object)[::step]
    source = found.source if step == 1 else ThinnedSource(found.source, step)
    table = pa.concat_tables(source.tables(found.used.tolist(), mark_missing=True))
    known = mark_known(marks)
    table = table.filter(pa.array(known)).unify_dictionaries()
    task = "regression" if are_measured(marks[known], int(known.sum())) else "classification"
    target = Target.of(marks[known], task, what=name_labels(found.source, labels))
    values, places = encode_columns(table, found.request.missing)
    return _Rows(values, places, target)


N_LEARNER_FOLDS = 5
PENALTIES = np.geomspace(1e3, 1e-8, 34)  # of ridge regression, as shares of the rows


def kind_of(target: Target) -> str:
    """Name the score: AUC for two classes, accuracy for more, R² for numbers."""
    if target.task == "regression":
        return "R²"
    return "AUC" if len(target.classes) == 2 else "accuracy"


def score_learner(ground: Ground, trial: Trial, k: int) -> Floats:
    """Give the score of each fold; a supervised method chooses its columns on the other rows.

    Other methods never see a label, so their columns of all rows serve.
    """
    target = ground.target
    assert target is not None
    folds = split_rows(target)
    kept = [trial.list_kept(k)] * len(folds)
    if trial.method.supervised:
        kept = trial.list_kept_without(folds, k)
    pairs = zip(kept, folds, strict=True)
    return np.array([score_fold(ground.rows[:, one], target, *fold) for one, fold in pairs])


def split_rows(target: Target) -> list[tuple[Indices, Indices]]:
    """Give the training rows and the held-out rows of every fold; classes are split evenly."""
    from sklearn.model_selection import KFold, StratifiedKFold

    y = target.y
    if target.task == "regression":
        return list(KFold(N_LEARNER_FOLDS, shuffle=True, random_state=0).split(y))
    fewest = int(np.bincount(y).min())
    if fewest < N_LEARNER_FOLDS:
        raise TamisError(
            f"{target.what}: the rarest class has {fewest} rows, and {N_LEARNER_FOLDS} are needed "
            "to predict the labels of held-out rows."
        )
    return list(StratifiedKFold(N_LEARNER_FOLDS, shuffle=True, random_state=0).split(y, y))


def _model(task: str, n_rows: int) -> Any:
    """Make the linear model; ridge regression chooses its penalty by leave-one-out validation.

    One penalty for all would shrink correlated columns, whose differences may be what predicts.
    """
    from sklearn.linear_model import LogisticRegression, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if task == "classification":
        return LogisticRegression(max_iter=1000)
    return make_pipeline(StandardScaler(), RidgeCV(alphas=n_rows * PENALTIES))


def score_fold(rows: Floats, target: Target, train: Indices, test: Indices) -> float:
    """Fit the linear model on the training rows, and score it on the others."""
    y, model = target.standard_y, _model(target.task, len(train))
    with small_products_on_one_thread():
        model.fit(rows[train], y[train])
        if kind_of(target) == "AUC":
            return area_under_curve(
                y[test] == model.classes_[1], model.decision_function(rows[test])
            )
        return float(model.score(rows[test], y[test]))


def area_under_curve(positive: NDArray[np.bool_], scores: Floats) -> float:
    """Give the share of pairs of a positive and another row that the scores put in order.

    Ties count one half. It is the rank sum of Mann and Whitney: one sort.

    >>> area_under_curve(np.array([True, False, True]), np.array([0.9, 0.4, 0.4]))
    0.75
    """
    from scipy.stats import rankdata

    count = int(positive.sum())
    below = float(rankdata(scores)[positive].sum()) - count * (count + 1) / 2
    return below / (count * (len(scores) - count))
