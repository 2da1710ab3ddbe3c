"""What all searches share: scores of sets, each computed once, within a budget."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from tamis.algorithms.wrappers.search_checkpoint import Checkpoint, Columns
from tamis.errors import TamisError, spell
from tamis.progress import report_progress

Score = Callable[[Sequence[int]], float]

_PIECES = 4  # for each worker in a batch, so that none waits long for the others
_DIGITS = 12  # of a score that count: sums in another order change the digits after


class ExhaustedError(Exception):
    """The budget does not allow another evaluation."""


class Evaluator:
    """Give the scores of sets of columns: those already known, and new ones within the budget.

    A set counts as evaluated when the search first asks for it, wherever its score comes from: so
    neither the number of workers nor a checkpoint changes what a search finds.

    Examples
    --------
    >>> with Evaluator(lambda columns: len(columns) / 10, max_evaluations=2) as evaluate:
    ...     evaluate.many([frozenset([0]), frozenset([0, 4])]), evaluate(frozenset([0]))
    ([0.1, 0.2], 0.1)
    >>> evaluate.evaluations, evaluate.requests
    (2, 3)
    """

    def __init__(
        self,
        score: Score,
        *,
        n_jobs: int = 1,
        max_evaluations: int | None = None,
        max_seconds: float | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        if n_jobs == 0:
            raise TamisError(f"{spell('n_jobs', 0)}: give at least 1, or -1 for all cores.")
        self._score, self._n_jobs = score, n_jobs
        self._most, self._seconds = max_evaluations, max_seconds
        self._checkpoint = checkpoint
        stored = checkpoint.scores if checkpoint else {}
        self._known = {frozenset(map(int, key.split())): score for key, score in stored.items()}
        self.scores: dict[Columns, float] = {}
        self.requests = 0
        self.stopped = ""
        self._best = -float("inf")
        self._pool: Any = None

    def __enter__(self) -> Self:
        from threadpoolctl import threadpool_limits

        self._start = time.monotonic()
        self._threads = threadpool_limits(1)  # sums must not depend on the number of threads
        return self

    def __exit__(self, *raised: Any) -> None:
        self._threads.restore_original_limits()
        if self._pool is not None:
            self._pool.__exit__(*raised)
            self._pool = None
        self._write()

    @property
    def evaluations(self) -> int:
        """How many different sets the search has asked for."""
        return len(self.scores)

    def __call__(self, columns: Columns) -> float:
        """Give the score of one set."""
        return self.many([columns])[0]

    def many(self, sets: Sequence[Columns]) -> list[float]:
        """Give the scores of several sets; the new ones are shared out among the workers."""
        new = [columns for columns in dict.fromkeys(sets) if columns not in self.scores]
        room = len(new) if self._most is None else self._most - self.evaluations
        # Between the pieces the clock and the checkpoint are looked after.
        size = 1 if self._n_jobs == 1 else max(1, self._workers * _PIECES)
        for first in range(0, min(len(new), room), size):
            piece = new[:room][first : first + size]
            self._compute(piece)
            for columns in piece:
                self._count(columns)
        if len(new) > room:
            self.stopped = f"the budget of {self._most:,} evaluations was used up"
            raise ExhaustedError
        self.requests += len(sets)
        return [self.scores[columns] for columns in sets]

    def prepare(self, sets: Sequence[Columns]) -> None:
        """Compute what a search that takes one set at a time may ask for next, if many work."""
        if self._n_jobs != 1:
            self._compute(list(dict.fromkeys(sets)))

    def _count(self, columns: Columns) -> None:
        self.scores[columns] = self._known[columns]
        self._best = max(self._best, self._known[columns])
        report_progress(
            f"sets of columns tried, best score {self._best:.4f}", self.evaluations, self._most
        )

    def _compute(self, sets: Sequence[Columns]) -> None:
        """Make the scores known that are not."""
        unknown = [columns for columns in sets if columns not in self._known]
        if not unknown:
            return
        passed = time.monotonic() - self._start
        if self._seconds is not None and self.scores and passed > self._seconds:
            self.stopped = f"the {self._seconds:g} seconds were used up"
            raise ExhaustedError
        self._known.update(zip(unknown, self._score_sets(unknown), strict=True))
        if self._checkpoint is not None and self._checkpoint.due():
            self._write()

    def _write(self) -> None:
        if self._checkpoint is not None:
            known = self._known.items()
            scores = {" ".join(map(str, sorted(columns))): score for columns, score in known}
            self._checkpoint.write(scores)

    @property
    def _workers(self) -> int:
        from joblib import effective_n_jobs

        return int(effective_n_jobs(self._n_jobs))

    def _score_sets(self, sets: Sequence[Columns]) -> list[float]:
        """Compute scores, here or in other processes."""
        # The first is computed here: what is wrong with the learner is then said in our words.
        if self._n_jobs == 1 or not self._known or len(sets) == 1:
            return _scores(os.getpid(), self._score, sets)
        if self._pool is None:
            from joblib import Parallel

            self._pool = Parallel(n_jobs=self._n_jobs).__enter__()
        from joblib import delayed

        size = -(-len(sets) // self._workers)
        parts = [sets[i : i + size] for i in range(0, len(sets), size)]
        found = self._pool(delayed(_scores)(os.getpid(), self._score, part) for part in parts)
        return [score for part in found for score in part]


def _scores(parent: int, score: Score, sets: Sequence[Columns]) -> list[float]:
    """Compute scores, here or in a worker, to the digits that count: equal scores are equal."""
    end_with(parent)
    return [float(f"{score(sorted(columns)):.{_DIGITS}g}") for columns in sets]


_POLL_SECONDS = 1.0  # seconds between two looks
_watched: set[int] = set()


def end_with(parent: int) -> None:
    """Let this process end soon after its `parent` has; in the parent itself nothing changes.

    A parent that is killed cannot say so: its workers would wait for minutes for more work.
    """
    if os.getpid() == parent or parent in _watched or os.name != "posix":
        return
    _watched.add(parent)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_POLL_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, name="tamis-watch", daemon=True).start()
