"""An engine that runs here, and what every engine is asked: one answer for each statistic."""

import itertools
import json
import os
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.sources.frames import FrameSource
from tamis.sources.read import merge_values
from tamis.sources.source import GivesSource, PartedSource
from tamis.statistics import read_blocks, row_hash
from tamis.statistics.missing import CleanRows


def keep_rows_in_parts(patch):
    """Let small tables be summed up where their parts are, as large ones: blocks by hashes."""
    patch.setattr(read_blocks, "FEW_ROWS", 0)
    patch.setattr(row_hash, "MOST_DEALT", 0)
    patch.setattr(row_hash, "MOST_CODED", 0)


class FrameInParts(FrameSource, PartedSource):
    """A pandas frame cut into parts; its rows never come home unless `gives_rows`."""

    def __init__(self, frame, cuts, fan=3, *, gives_rows=False):
        super().__init__(frame)
        edges = [0, *cuts, len(frame)]
        self.parts = [frame.iloc[a:b] for a, b in itertools.pairwise(edges)]
        self.fan, self.gives_rows = fan, gives_rows

    def batches(self, columns):
        assert self.gives_rows, "rows came home"
        return super().batches(columns)

    def tables(self, columns, *, mark_missing=False):
        assert self.gives_rows, "rows came home"
        return super().tables(columns, mark_missing=mark_missing)

    def head(self, columns, rows):
        return next(FrameSource(self.parts[0][:rows]).tables(columns))

    def gather(self, columns, work):
        work = send(work)
        done = []
        for number, frame in enumerate(self.parts):
            part = FrameSource(frame.iloc[:, list(columns)])
            # A part may know less than the whole, as one without any value of a column.
            part.info = replace(part.info, kinds=tuple(self.kinds[j] for j in columns))
            done.append(send(work(number, part)))
        return merge_in_turns(done, self.fan)


def send(value):
    """Give what a worker gets, or what comes back from one."""
    return pickle.loads(pickle.dumps(value))


def merge_in_turns(done, fan):
    """Merge the values of some parts at a time, as workers do."""
    while len(done) > 1:
        done = [send(merge_values(done[i : i + fan])) for i in range(0, len(done), fan)]
    return done[0] if done else {}


class CountsPasses(FrameInParts):
    """The same, and a list of the passes over its parts: the work of each, and how many columns."""

    def __init__(self, frame, cuts=(0, 130, 131)):
        super().__init__(frame, cuts)
        self.passes = []

    def gather(self, columns, work):
        self.passes.append((name_work(work), len(columns)))
        return super().gather(columns, work)


class GivesParts(GivesSource):
    """Data that gives its source itself, as a summary does."""

    def __init__(self, source):
        self.source = source

    def as_source(self):
        return self.source


# What asks for each statistic (nothing: `tamis look`), and the pass that makes it.
NUMBERS = list("abcdef")
PICKS = {
    "tally": (None, "ColumnCounts"),
    "Gram matrix": ({"method": "sfs", "columns": NUMBERS, "k": 3}, "GramRows"),
    "means filled in": ({"method": "krzanowski", "columns": NUMBERS, "k": 3}, "means"),
    "blocks of rows": (
        {"method": "sfs", "columns": NUMBERS, "k": 3, "held_out": True},
        "HeldRows",
    ),
    "levels and extremes": ({"k": 4}, "ColumnsSeen"),
    "encoded blocks": ({"k": 3, "missing": "drop"}, "HeldRows"),
    "spread": ({"k": 3, "scale": "pareto"}, "RowSpread"),
    "quantiles": ({"method": "representatives", "k": 3}, "FirstPass"),
    "joint counts": ({"method": "greedy-fs", "k": 3}, "TileCounts"),
    "class counts": ({"method": "information-gain", "y": "class", "k": 2}, "CountsByClass"),
    "bins by class": (
        {"method": "chi2", "y": "class", "k": 2, "options": {"binning": "mdl"}},
        "FirstPass",
    ),
    "pairs with class": ({"method": "jmi", "y": "class", "k": 3}, "CountsByClass"),
    "response, a number": (
        {"method": "forward-regression", "y": "a", "k": 3},
        "ResponsesSeen",
    ),
    "response, classes": ({"method": "mrmr", "y": "class", "k": 3}, "HeldRows"),
    "two responses": (
        {"method": "forward-regression", "y": ["b", "class"], "k": 2, "missing": "drop"},
        "HeldRows",
    ),
    "all pairs with class": (
        {"method": "jmi", "y": "class", "k": 3, "options": {"start": "pair"}},
        "TileCounts",
    ),
}


# Those in which a worker is lost.
LOST = (
    "tally",
    "Gram matrix",
    "blocks of rows",
    "encoded blocks",
    "quantiles",
    "joint counts",
    "class counts",
    "pairs with class",
    "response, a number",
    "response, classes",
)


def make_picks_frame():
    """Make a table of numbers with gaps, a text and classes."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    base = rng.normal(size=(300, 3))
    frame = pandas.DataFrame(base @ rng.normal(size=(3, 6)), columns=NUMBERS)
    frame += 0.5 * rng.normal(size=frame.shape)
    frame.loc[::17, "b"] = np.nan
    frame["size"] = np.where(base[:, 2] > 0, "large", "small")
    frame.loc[::31, "size"] = None
    high = np.where(base[:, 0] > 0.5, "high", np.where(base[:, 1] > 0, "mid", "low"))
    return frame.assign(**{"class": high})


def give_picks(data, asked):
    """Give the columns that are kept and what they explain, or what is known of all columns."""
    if asked is None:
        seen = tamis.look(data).to_dict()
        return [[json.dumps(one, sort_keys=True) for one in seen["columns"]], seen["rows"]]
    found = tamis.select(data, **asked)
    return [found.names, float(found.retained)]


def name_work(work):
    """Name what a pass over the parts fills, but for sums that are made speculatively."""
    while "work" in work.keywords:
        work = work.keywords["work"]
    first = work.keywords["accumulators"][0]
    if isinstance(first, CleanRows):
        return "means" if first.sums is None else type(first.sums).__name__
    return type(first).__name__


class LostWorkers:
    """A worker is lost in the middle of the first pass of a kind, once it is asked for.

    `lose` goes to the workers, which call it with the number of the part that they begin. With a
    `failure` only that part fails, as it does for an engine whose worker is gone, so nothing is
    waited for; without, the process is ended.
    """

    def __init__(self, folder, source_class, patch, failure=None):
        self._armed, self._wanted, self.passes = Path(folder) / "armed", None, []
        self._failure = failure
        gather = source_class.gather

        def gather_and_lose(source, columns, work):
            self.passes.append(name_work(work))
            if self.passes[-1] == self._wanted:
                self._wanted = None
                self._armed.touch()
            return gather(source, columns, work)

        patch.setattr(source_class, "gather", gather_and_lose)

    def expect(self, wanted):
        """Lose a worker in the next pass of this kind."""
        self._wanted, self.passes = wanted, []

    def is_lost(self):
        """Whether a worker was lost since."""
        return self._wanted is None and not self._armed.exists()

    @property
    def lose(self):
        """Give the function that loses the worker which takes part 2."""
        armed, failure = str(self._armed), self._failure

        def lose(number):
            if number == 2 and os.path.exists(armed):  # noqa: PTH110 - it goes to a worker
                os.unlink(armed)  # noqa: PTH108
                if failure is None:
                    os._exit(1)
                raise failure

        return lose
