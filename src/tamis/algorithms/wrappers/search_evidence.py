"""What a search has to show: what it tried, and how good its answer is on other rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tamis.algorithms.wrappers.search_checkpoint import Columns

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


@dataclass(frozen=True)
class Point:
    """Where a search was after so many evaluations: its current score and the best so far."""

    evaluations: int
    current: float
    best: float


@dataclass(frozen=True)
class TriedSet:
    """What a learner achieves on rows that no search has seen, or why that is not known.

    `error` is the standard error of an accuracy, after Agresti and Coull: also where all rows are
    right it is not 0.
    """

    rows: int
    score: float | None = None
    score_all: float | None = None
    why: str = ""
    error: float | None = None


@dataclass(frozen=True)
class SearchEvidence:
    """A search: its scores, what it tried, and the trial on rows it has not seen.

    `kind` is "search_tree" for a search that goes from set to set by the best of all neighbours,
    "search_course" for one that is drawn by lot; `current` names what such a search is at.
    """

    kind: str
    kept: tuple[int, ...]
    learner: str
    scorer: str
    folds: int
    score: float
    score_empty: float
    trial: TriedSet
    evaluations: int
    requests: int
    stopped: str
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
            "test_rows": self.trial.rows,
            "test_score": self.trial.score,
            "test_score_all": self.trial.score_all,
            "test_error": self.trial.error,
            "test_why": self.trial.why,
            "all": len(names),
            "evaluations": self.evaluations,
            "repeats": self.requests - self.evaluations,
            "stopped": self.stopped,
        }
        return shared | (self._course() if self.kind == "search_course" else self._tree(names))

    def _tree(self, names: Sequence[str]) -> dict[str, Any]:
        half = _N_NAMED_LEVELS // 2
        cut = len(self.levels) > _N_NAMED_LEVELS
        shown = [*self.levels[:half], *self.levels[-half:]] if cut else self.levels
        return {
            "adding": self.adding,
            "start": self.start,
            "start_size": self.start_size,
            "n_levels": len(self.levels),
            "levels": [level.facts(names) for level in shown],
        }

    def _course(self) -> dict[str, Any]:
        every = -(-len(self.points) // _MAX_COURSE_POINTS)
        shown = [point for i, point in enumerate(self.points) if self._shows(i, every)]
        return {
            "current": self.current,
            "points": [[point.evaluations, point.current, point.best] for point in shown],
        }

    def _shows(self, i: int, every: int) -> bool:
        """Say whether a point is given: one of many, the last, and each new best."""
        last = i == len(self.points) - 1
        return last or i % every == 0 or self.points[i].best > self.points[i - 1].best
