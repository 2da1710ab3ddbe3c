"""What a selection will take, said before it starts: by the table's shape and this machine's speed.

A few rows are read for the shape and for what reading costs, and three small pieces of work are
timed: a product of matrices, a sum over memory, a sort. What the parts of a run take of these was
measured on tables of many shapes (`python -m benchmarks.cost_curves`).
"""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np
import scipy.sparse

from tamis.errors import TamisError
from tamis.numerics.threads import small_products_on_one_thread
from tamis.sources.source import Source
from tamis.statistics.linear import MOST_COLUMNS, len_of
from tamis.statistics.row_blocks import FEWEST_BLOCKS, affordable_blocks, fits_in
from tamis.values import dataclass

__all__ = [
    "Cost",
    "MachineSpeed",
    "TableShape",
    "estimate_cost",
    "measure_machine",
    "measure_shape",
]

_GLANCE_SECONDS = 0.5  # that the first rows may take
_GLANCE_BATCHES = 4
_TIMED_ROUNDS = 3

# What the parts of a run took of these three, on the tables of `benchmarks.cost_curves`.
_START_SORTS = 33e6  # while the program is loaded and the answer written
_READS = 2  # of the table: one where all is measured, three where values are missing or extreme
_CELL_SORTS = 2.5
_COLUMN_SORTS = 12e3
_STORED_SORTS = 2.0
_PAIR_SCANS = 2500.0  # for every two columns: sums of 20 blocks, folds, the ceiling
_STEP_SCANS = 70.0  # for every two columns and every one taken, in all folds
_ROW_PAIR_PRODUCTS = 20.0  # where rows are fewer, for every row and two columns
_SPARSE_PAIR_PRODUCTS = 60.0  # the squared norms at the start, by stored values
_PASS_SORTS = 0.03  # for every value that is not 0, whenever all of them are multiplied
_PASSES_PER_PICK = 10  # of the search and the explanations
_CEILING_STEPS = 5  # for every column taken, of two passes each; the spectrum sets 1 to 8
_COPIES_OF_STORED = 2
_PROGRAM_BYTES = 150e6
_BATCHES_HELD_BYTES = 550e6
_COPIES_OF_TABLE = 10


@dataclass(frozen=True)
class TableShape:
    """Rows and columns of numbers, values that are not 0, and the seconds that one read takes.

    `exact` is whether the rows are known; otherwise the first ones stand for all.
    """

    rows: int
    columns: int
    stored: float
    read_seconds: float
    sparse: bool = False
    exact: bool = True


@dataclass(frozen=True)
class MachineSpeed:
    """Seconds for one multiplication in a product, one value read, and one value sorted."""

    product: float
    scan: float
    sort: float


@dataclass(frozen=True)
class Cost:
    """Seconds of processor time, and bytes of memory at the peak."""

    seconds: float
    peak: float


def measure_shape(source: Source) -> TableShape:
    """Read the first rows of a table: how many there are, how full, and what reading takes."""
    columns = [j for j, kind in enumerate(source.kinds) if kind == "numeric"]
    if not source.has_rows or source.info.once or not columns:
        raise TamisError(
            f"{source.label} has no rows of numbers that can be read ahead: omit --estimate."
        )
    with closing(_as_generator(source.batches(columns))) as batches:
        next(batches, None)  # what a first read loads is no work on the rows
    start, seen, stored, sparse, ended = time.process_time(), 0, 0.0, False, True
    with closing(_as_generator(source.batches(columns))) as batches:
        for number, batch in enumerate(batches, start=1):
            seen, sparse = seen + len_of(batch), scipy.sparse.issparse(batch)
            stored += batch.nnz if sparse else np.count_nonzero(batch)
            if number >= _GLANCE_BATCHES or time.process_time() - start > _GLANCE_SECONDS:
                ended = False
                break
    took, meter = time.process_time() - start, source.meter
    if ended or not seen:
        return TableShape(seen, len(columns), stored, took, sparse)
    rows, exact = source.n_rows, source.n_rows is not None
    if rows is None:
        share = meter.done / meter.total if meter is not None and meter.done else 1.0
        rows = max(seen, round(seen / share))
    times = rows / seen
    return TableShape(rows, len(columns), stored * times, took * times, sparse, exact)


def _as_generator(batches: Iterator[Any]) -> Any:
    yield from batches


def measure_machine() -> MachineSpeed:
    """Time a product of matrices, a sum over memory and a sort, each the best of three.

    On one thread: on a busy machine threads wait for each other, which is processor time, too.
    """
    rng = np.random.default_rng(0)
    matrix, values = rng.random((600, 600)), rng.random(2_000_000)
    with small_products_on_one_thread():
        return MachineSpeed(
            _time(lambda: matrix.T @ matrix) / 600**3,
            _time(lambda: values @ values) / len(values),
            _time(lambda: np.sort(values[:200_000])) / 200_000,
        )


def _time(work: Callable[[], Any]) -> float:
    found = []
    for _ in range(_TIMED_ROUNDS):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return max(min(found), 1e-9)


def estimate_cost(shape: TableShape, k: int, machine: MachineSpeed) -> Cost:
    """Give what the default method will take to keep `k` columns of such a table.

    Examples
    --------
    >>> machine = MachineSpeed(product=2e-11, scan=3e-10, sort=4e-8)
    >>> small, long = TableShape(1000, 50, 5e4, 0.01), TableShape(10**7, 50, 5e8, 100.0)
    >>> estimate_cost(small, 5, machine).seconds < 3 < 100 < estimate_cost(long, 5, machine).seconds
    True
    """
    n, d, k = shape.rows, shape.columns, min(k, shape.columns)
    values = (_STORED_SORTS * shape.stored) if shape.sparse else (_CELL_SORTS * n * d)
    common = _START_SORTS + values + _COLUMN_SORTS * d
    seconds = common * machine.sort + _READS * shape.read_seconds
    table = 12.0 * shape.stored if shape.sparse else 8.0 * n * d
    peak = _PROGRAM_BYTES + min(_COPIES_OF_TABLE * table, _BATCHES_HELD_BYTES)
    if d > MOST_COLUMNS and shape.sparse:
        passes, steps = (_PASSES_PER_PICK + 2 * _CEILING_STEPS) * k, _CEILING_STEPS * k
        seconds += n * (shape.stored / max(n, 1)) ** 2 * _SPARSE_PAIR_PRODUCTS * machine.product
        seconds += passes * shape.stored * _PASS_SORTS * machine.sort
        seconds += 2.0 * steps**2 * d * machine.scan  # each step is made orthogonal to all before
        peak += _COPIES_OF_STORED * table + 8.0 * k * d
    elif n < d:
        seconds += _ROW_PAIR_PRODUCTS * n * d**2 * machine.product
        peak += _COPIES_OF_TABLE * table
    else:
        blocks = affordable_blocks(d) if fits_in(d, FEWEST_BLOCKS) else 0
        folds = (_PAIR_SCANS + _STEP_SCANS * k) * (1.0 if blocks else 0.1)
        seconds += folds * d**2 * machine.scan + 2.0 * n * d**2 * machine.product
        peak += 8.0 * d**2 * (2 * blocks + 3)
    return Cost(seconds, peak)
