"""From a table with labels to the best set of columns: what surrounds every search."""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from tamis.algorithms.learners import CrossValidated, Splits, make_folds
from tamis.algorithms.orders import best_in_order
from tamis.algorithms.path import NO_GOAL, Path
from tamis.algorithms.wrappers.evaluator import Evaluator
from tamis.algorithms.wrappers.search_checkpoint import Checkpoint, Columns, hash_inputs
from tamis.errors import TamisError, spell
from tamis.numerics.types import Floats, Indices
from tamis.statistics.labels import Target
from tamis.statistics.rows import RowTable
from tamis.values import dataclass

_MAX_SETS_NAMED = 12  # of a level that are named
_N_NAMED_LEVELS = 40  # that are named: the first and the last ones
_MAX_COURSE_POINTS = 400  # of a course that are given


@dataclass(frozen=True)
class Level:
    """The sets that differ from `base` by one of `columns`, with their scores.

    `taken` is the column that was added or removed, None if the search ended here.
    """

    base: Columns
    columns: tuple[int, ...]
    scores: tuple[float, ...]
    taken: int | None

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Give the best sets by name, the taken one first."""
        pairs = zip(self.columns, self.scores, strict=True)
        order = sorted(pairs, key=lambda pair: (pair[0] != self.taken, -pair[1]))
        return {
            "size": len(self.base),
            "tried": len(order),
            "sets": [
                {"column": names[j], "score": score, "taken": j == self.taken}
                for j, score in order[:_MAX_SETS_NAMED]
            ],
        }


class Point(NamedTuple):
    """Where a search was after so many evaluations: its current score and the best so far."""

    evaluations: int
    current: float
    best: float


@dataclass(frozen=True)
class SearchEvidence:
    """A search: its scores, what it tried, and what the learner achieves on rows it has not seen.

    `kind` is "search_tree" for a search that goes from set to set by the best of all neighbours,
    "search_course" for one that is drawn by lot; `current` names what such a search is at.
    `test_error` is the standard error of an accuracy, after Agresti and Coull: also where all rows
    are right it is not 0. `test_why` says why nothing is known of other rows.
    """

    kind: str
    kept: tuple[int, ...]
    learner: str
    scorer: str
    folds: int
    score: float
    score_empty: float
    test_rows: int
    evaluations: int
    requests: int
    stopped: str
    test_score: float | None = None
    test_score_all: float | None = None
    test_error: float | None = None
    test_why: str = ""
    adding: bool = True
    start: float = 0.0
    start_size: int = 0
    levels: tuple[Level, ...] = field(default=(), repr=False)
    points: tuple[Point, ...] = field(default=(), repr=False)
    current: str = ""

    def facts(self, names: Sequence[str]) -> dict[str, Any]:
        """Give all of it as plain values, by name."""
        shared = {
            "kind": self.kind,
            "kept": [names[j] for j in self.kept],
            "learner": self.learner,
            "scorer": self.scorer,
            "folds": self.folds,
            "score": self.score,
            "score_empty": self.score_empty,
            "test_rows": self.test_rows,
            "test_score": self.test_score,
            "test_score_all": self.test_score_all,
            "test_error": self.test_error,
            "test_why": self.test_why,
            "all": len(names),
            "evaluations": self.evaluations,
            "repeats": self.requests - self.evaluations,
            "stopped": self.stopped,
        }
        if self.kind == "search_course":
            # One of many points is given, the last, and each new best.
            every, last = -(-len(self.points) // _MAX_COURSE_POINTS), len(self.points) - 1
            shown = [
                list(point)
                for i, point in enumerate(self.points)
                if i in (0, last) or i % every == 0 or point.best > self.points[i - 1].best
            ]
            return shared | {"current": self.current, "points": shown}
        half = _N_NAMED_LEVELS // 2
        cut = len(self.levels) > _N_NAMED_LEVELS
        named = [*self.levels[:half], *self.levels[-half:]] if cut else self.levels
        return shared | {
            "adding": self.adding,
            "start": self.start,
            "start_size": self.start_size,
            "n_levels": len(self.levels),
            "levels": [level.facts(names) for level in named],
        }


_MIN_VALIDATION_ROWS = 10  # rows to set aside that say anything
_INNER = 0.2  # of the rows of a search, for one that may stop early

Search = Callable[..., "SearchResult"]


@dataclass(frozen=True)
class Scope:
    """Which sets a search may give: of `k` columns (None: any number), those of `include` in it.

    `validate`, for a search that may stop early, is the score on rows that no fold has.
    """

    width: int
    k: int | None
    include: tuple[int, ...]
    random_state: int
    validate: Callable[[Sequence[int]], float] | None = None

    @property
    def free(self) -> list[int]:
        """The columns that a search may take or leave."""
        return [j for j in range(self.width) if j not in self.include]


@dataclass(frozen=True, eq=False)
class SearchResult:
    """What a search found: columns, best first, those after the first `size` not to be kept.

    `scores` are the search's own for every column, `evidence` the parts of `SearchEvidence` that
    only the search knows.
    """

    order: Sequence[int]
    size: int
    scores: Floats
    evidence: dict[str, Any] = field(default_factory=dict)


def make_wrapper(search: Search) -> Callable[..., Path]:
    """Make a method of a search: prepare the scores, run it, try the answer on other rows.

    The method takes the options of the search and those of `_run`.
    """
    shared, own = inspect.signature(_run).parameters, inspect.signature(search).parameters
    options = [p for p in own.values() if p.kind is inspect.Parameter.KEYWORD_ONLY]

    @functools.wraps(search)
    def method(table: RowTable, k: int | None, **given: Any) -> Path:
        mine = {p.name: given.pop(p.name) for p in options if p.name in given}
        inner = bool(mine.get("early_stopping", False))
        return _run(table, k, functools.partial(search, **mine), inner, **given)

    common = [p for p in shared.values() if p.name not in ("search", "inner")]
    signature = inspect.Signature([*common, *options], return_annotation=Path)
    method.__signature__ = signature  # type: ignore[attr-defined]  # functions take any attribute
    return method


def _run(
    table: RowTable,
    k: int | None,
    search: Search,
    inner: bool,
    *,
    retain: float = NO_GOAL,
    include: Sequence[int] = (),
    learner: Any = "auto",
    scoring: Any = None,
    cv: int = 10,
    test_size: float = 0.2,
    n_jobs: int = 1,
    max_evaluations: int | None = None,
    max_seconds: float | None = None,
    checkpoint: str | PathLike[str] | None = None,
    random_state: int = 0,
) -> Path:
    """Search on some of the rows, and try what was found on the others.

    `inner` asks for rows of the search's own on which it may see that it goes too far.
    """
    target = table.labels
    target.check_splits()

    def judged(splits: Splits) -> CrossValidated:
        settings = {"learner": learner, "scoring": scoring, "random_state": random_state}
        return CrossValidated(table.values, target, splits, **settings)

    rows, others, why = set_aside(target, test_size, random_state)
    seen = unseen = rows
    if inner:  # some of the rows of the search are set aside for itself
        part = replace(target, labels=target.labels[rows])
        first, second, lacking = set_aside(part, _INNER, random_state)
        if lacking:
            raise TamisError(f"{spell('early_stopping', True)}: {lacking}, omit it.")
        seen, unseen = rows[first], rows[second]
    part = replace(target, labels=target.labels[seen])
    folds = [(seen[train], seen[test]) for train, test in make_folds(part, cv, random_state)]
    judge, must = judged(folds), tuple(int(j) for j in include)
    validate = judged([(seen, unseen)]).score if inner else None
    scope = Scope(table.values.shape[1], k, must, random_state, validate)
    with Evaluator(
        judge.score,
        n_jobs=1 if judge.quick else n_jobs,
        max_evaluations=max_evaluations,
        max_seconds=max_seconds,
        checkpoint=_open_checkpoint(checkpoint, table, judge, random_state),
    ) as evaluate:
        found = search(evaluate, scope)
        kept = tuple(int(j) for j in found.order[: found.size])
        trial = _try_kept(judged([(rows, others)]), kept) if len(others) else {"test_why": why}
        known = evaluate.scores.get(frozenset(kept))
        evidence = SearchEvidence(
            kept=kept,
            learner=judge.learner.name,
            scorer=judge.scorer_name,
            folds=len(judge.splits),
            score=judge.score(kept) if known is None else known,
            score_empty=judge.score([]),
            test_rows=len(others),
            evaluations=evaluate.evaluations,
            requests=evaluate.requests,
            stopped=evaluate.stopped,
            **trial,
            **found.evidence,
        )
        order = np.asarray(found.order, dtype=np.intp)
        base = best_in_order(table.gram, order, found.scores, len(order), retain=retain)
        return replace(
            base,
            scores=found.scores,
            nested=evidence.kind == "search_tree",
            size=found.size,
            evidence=evidence,
            stopped=evidence.stopped,
        )


def _open_checkpoint(
    path: str | PathLike[str] | None, table: RowTable, judge: CrossValidated, random_state: int
) -> Checkpoint | None:
    if path is None:
        return None
    from sklearn.base import clone

    parts = np.concatenate([test for _, test in judge.splits])
    learner = clone(judge.learner.estimator, safe=False)  # without what it was trained to
    scorer = judge.scoring if callable(judge.scoring) else judge.scorer_name
    settings = (len(judge.splits), learner, judge.learner.scale, scorer, random_state)
    return Checkpoint(path, hash_inputs(table.values, table.labels.y, parts, *settings))


def _try_kept(judge: CrossValidated, kept: tuple[int, ...]) -> dict[str, Any]:
    """Train on the rows of the search and score on the others, the kept columns and all."""
    ((_, others),) = judge.splits
    score, error = judge.score(kept), None
    if judge.scorer_name == "accuracy":
        n = len(others) + 4
        share = (score * len(others) + 2) / n
        error = float(np.sqrt(share * (1 - share) / n))
    score_all = judge.score(range(judge.width))
    return {"test_score": score, "test_score_all": score_all, "test_error": error}


def check_share(share: float) -> None:
    """Refuse to set aside more rows than a search has."""
    if share > 0.5:
        raise TamisError(f"{spell('test_size', share)}: give at most 0.5, or 0 for no rows.")


def set_aside(target: Target, share: float, random_state: int) -> tuple[Indices, Indices, str]:
    """Choose rows that no search sees, of each class its share; say why if there are none.

    Of every class two rows stay with the search at least.
    """
    n_rows = len(target.labels)
    every, none = np.arange(n_rows), np.zeros(0, dtype=np.intp)
    check_share(share)
    if not share:
        return every, none, "none were set aside"
    drawn = np.random.default_rng([random_state, 1]).random(n_rows)
    codes = target.codes if target.dealt_evenly else np.zeros(n_rows, dtype=int)
    order = np.lexsort((drawn, codes))
    counts = np.bincount(codes)
    place = np.empty(n_rows, dtype=int)
    place[order] = np.concatenate([np.arange(count) for count in counts])
    aside = place < np.minimum(np.floor(share * counts), counts - 2)[codes]
    if aside.sum() < _MIN_VALIDATION_ROWS:
        return every, none, f"{n_rows:,} rows are too few to set some aside"
    return np.flatnonzero(~aside), np.flatnonzero(aside), ""
