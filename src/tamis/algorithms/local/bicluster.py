"""`bicluster`: rows and columns that belong together: annealing, Cheng-Church, direct splitting.

A bicluster is a set of rows with a set of columns. For `annealing` (Bryan, Cunningham and
Bolshakova) and `cheng-church` its values are a row effect plus a column effect, up to a mean
squared residue of at most `residue` times that of the full table: columns that rise and fall
together in these rows, though perhaps in no others. For `hartigan` (direct splitting) its values
are alike: the table is cut into blocks, and a block counts whose mean lies apart from 0, the mean
of a standardised column. Annealing finds planted blocks of either kind best; the greedy deletion of
Cheng and Church often loses blocks that differ from the rest in level; direct splitting is fastest
and uses no random numbers, but cannot see a pattern without a level of its own.

The columns kept are those of all biclusters, ranked by the rows they describe: summed over the
biclusters that use the column, the share of the rows in it times the share of the column's variance
that it accounts for there. Other columns follow, by the same figure over all biclusters.

Differences from the papers: the energy of the annealing has a reward for every value, so that large
biclusters win; rows of opposite sign, which Cheng and Church add, are not added. A bicluster of
`annealing` or `cheng-church` must be 1.5 times as large as the largest one in three tables with
shuffled columns. A table of noise has no bicluster; then one column is kept.
"""

from collections.abc import Callable
from typing import Unpack

import numpy as np
import scipy.special
from numpy.typing import NDArray

from tamis.algorithms.local.local_clusters import Cluster, Clusters, path_of
from tamis.algorithms.path import Goal, Path
from tamis.numerics.row_chunks import draw_rows
from tamis.numerics.ties import first_best, last_best
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.rules.tolerances import TIE
from tamis.statistics.rows import RowTable


# The squared residue of a part of a table, kept up to date while rows and columns leave it.
#
# Of the part with rows I and columns J the residue of a value is r = a - (mean of its row) - (mean
# of its column) + (mean of all): what the best sum of a row effect and a column effect leaves.
# When a row p leaves, every other residue of column j grows by r_pj / (rows left). So the sum of
# squares of a column falls by r_pj^2 m / (m - 1), and that of a row changes by its product with
# row p: one product of a matrix and a vector for each removal, and residues are computed again
# only when half of the rows or columns have left.
def measure_residues(part: Floats) -> Floats:
    """Give the residue of every value.

    >>> measure_residues(np.array([[1.0, 2.0], [3.0, 8.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return part - part.mean(axis=1, keepdims=True) - part.mean(axis=0) + part.mean()


def mean_residue(part: Floats) -> float:
    """Give the mean squared residue.

    >>> mean_residue(np.array([[1.0, 2.0], [3.0, 8.0]]))
    1.0
    """
    return float(np.square(measure_residues(part)).mean())


class Part:
    """A part of a table that rows and columns leave one by one.

    `members`, `means` and `sums` are the positions, means and sums of squared residues of its rows
    and of its columns, `total` is the sum of all squared residues.
    """

    def __init__(self, values: Floats, rows: Indices, columns: Indices) -> None:
        self._values = values
        self.restrict(rows, columns)

    def restrict(self, rows: Indices, columns: Indices) -> None:
        """Start again from these rows and columns."""
        part = self._values[np.ix_(rows, columns)]
        squares = np.square(measure_residues(part))
        self._part, self._inner = part, [np.arange(rows.size), np.arange(columns.size)]
        self.members = [rows, columns]
        self.means = [part.mean(axis=1), part.mean(axis=0)]
        self.sums = [squares.sum(axis=1), squares.sum(axis=0)]
        self.total = float(squares.sum())

    @property
    def mean_residue(self) -> float:
        """Mean squared residue of the part."""
        return self.total / (self.members[0].size * self.members[1].size)

    def scores(self, axis: int) -> Floats:
        """Give the mean squared residue of every row (axis 0) or column (axis 1)."""
        return self.sums[axis] / self.members[1 - axis].size

    def remove(self, axis: int, place: int) -> None:
        """Remove one row (axis 0) or one column (axis 1)."""
        left, across = self.members[axis].size - 1, self._inner[1 - axis]
        line = self._part.take(self._inner[axis][place], axis=axis)[across]
        means = self.means[1 - axis]
        residue = line - self.means[axis][place] - means + means.mean()
        squares = np.square(residue)
        # Every line times the residue; those that have left count as 0. Residues of a line sum to
        # 0, so the effects of the other lines drop out of the product.
        spread = np.zeros(self._part.shape[1 - axis])
        spread[across] = residue
        products = self._part @ spread if axis == 0 else spread @ self._part
        products = products[self._inner[axis]] - means @ residue
        self.sums[axis] += 2 * products / left + squares.sum() / left**2
        self.sums[1 - axis] -= squares * (left + 1) / left
        self.means[1 - axis] += (means - line) / left
        self.total -= float(squares.sum()) * (left + 1) / left
        for values in (self.members, self.means, self.sums, self._inner):
            values[axis] = np.delete(values[axis], place)
        if 2 * left <= self._part.shape[axis]:
            self.restrict(*self.members)


RowsAndColumns = tuple[Indices, Indices]
Finder = Callable[[Floats, float, np.random.Generator], RowsAndColumns]

_SHUFFLES = 3
_LARGER = 1.5  # than the largest of the shuffled tables
_RESIDUE = "mean squared residue, relative to the full table"
_VARIANCE = "mean squared deviation from the mean of the block, in squared standard deviations"


def find_biclusters(
    table: RowTable,
    k: int | None,
    *,
    algorithm: str = "annealing",
    n_clusters: int = 5,
    residue: float = 0.15,
    random_state: int = 0,
    **goal: Unpack[Goal],
) -> Path:
    """Find biclusters and keep the columns that they use."""
    rows = table.rows
    if algorithm == "hartigan":
        blocks = direct_splitting(rows, n_clusters)
        clusters = [_block(rows, *block) for block in blocks if _stands_out(rows[np.ix_(*block)])]
        found = Clusters.of(table, clusters, _VARIANCE)
    else:
        finder: Finder = anneal if algorithm == "annealing" else shrink_and_grow
        rng = np.random.default_rng(random_state)
        clusters = []
        for members, columns in coherent_parts(rows, n_clusters, residue, rng, finder):
            strip = rows[members]
            quality = mean_residue(strip[:, columns]) / mean_residue(rows)
            errors = measure_deviations(strip, columns)
            clusters.append(Cluster(members, columns, quality, errors))
        found = Clusters.of(table, clusters, _RESIDUE)
    return path_of(table, found, k, **goal)


def coherent_parts(
    values: Floats, n_clusters: int, residue: float, rng: np.random.Generator, finder: Finder
) -> list[RowsAndColumns]:
    """Find biclusters one after the other, each hidden under random values before the next.

    Those that chance could explain are dropped; two in a row end the search.
    """
    full = mean_residue(values)
    if full <= 0 or min(values.shape) < 2:
        return []
    limit = residue * full
    by_chance = []  # the sizes of the largest biclusters in tables with every column shuffled
    for _ in track("shuffled tables", range(_SHUFFLES), _SHUFFLES):
        rows, columns = finder(rng.permuted(values, axis=0), limit, rng)
        by_chance.append(rows.size * columns.size)
    bar = _LARGER * max(by_chance)
    masked, found, poor = values.copy(), [], 0
    low, high = float(values.min()), float(values.max())
    for _ in track("biclusters", range(n_clusters), n_clusters):
        rows, columns = finder(masked, limit, rng)
        part = masked[np.ix_(rows, columns)]
        if part.size >= bar and mean_residue(part) <= limit * (1 + TIE):
            found.append((rows, columns))
            poor = 0
        elif poor:
            break
        else:
            poor = 1
        masked[np.ix_(rows, columns)] = rng.uniform(low, high, part.shape)
    return found


def measure_deviations(strip: Floats, columns: Indices) -> Floats:
    """Give what the row effects of some columns leave of every column: the mean square."""
    inside = strip[:, columns]
    effect = inside.mean(axis=1, keepdims=True) - inside.mean()
    return np.asarray(np.square(strip - strip.mean(axis=0) - effect).mean(axis=0))


def _stands_out(part: Floats) -> bool:
    """Say whether the mean of a block, squared, is a fair share of the mean square in it."""
    return float(part.mean()) ** 2 >= _MIN_MEAN_SHARE * float(np.square(part).mean())


def _block(rows: Floats, members: Indices, columns: Indices) -> Cluster:
    """Measure a block by the deviations from its mean."""
    squares = np.square(rows[members] - rows[np.ix_(members, columns)].mean())
    return Cluster(members, columns, float(squares[:, columns].mean()), squares.mean(axis=0))


# Biclusters by simulated annealing, after Bryan, Cunningham and Bolshakova.
#
# What is minimised is the sum of squared residues less a price for every value in the bicluster,
# so that it grows by all that fits while its mean squared residue stays below the price. (The mean
# squared residue alone is smallest for the smallest biclusters.) Rows, then columns, are taken or
# left at random, the more surely the better they fit, while the temperature falls; the price falls
# from the residue of the full table, at which nearly everything fits, to the limit.
_SWEEPS = 40
_COOLED = 0.8  # of the sweeps until the price is the limit; the rest only settles
_HEAT = 0.5  # in units of the noise of a row's residue: with 3 nothing is found, 0.3 to 1 are alike
_N_ANNEALING_STARTS = 4
_MIN_LISTED = 2
_CELLS, _FEW_ROWS = 400_000, 200  # of a table whose rows are not sampled, and rows in any case


def anneal(values: Floats, limit: float, rng: np.random.Generator) -> RowsAndColumns:
    """Find the bicluster of lowest energy, the best of several runs.

    Of a large table the runs see a sample of the rows; at the end all rows are taken or left.
    """
    n, d = values.shape
    most = max(_FEW_ROWS, _CELLS // d)
    few = draw_rows(n, most, rng)
    found, energies = [], []
    for _ in range(_N_ANNEALING_STARTS):
        rows, columns = _run(values[few], limit, rng)
        sides = [few[rows], columns]
        _settle(values, sides, limit)
        found.append(sides)
        energies.append(measure_energy(values[np.ix_(*sides)], limit))
    rows, columns = found[first_best(-np.array(energies))]
    return rows, columns


def measure_energy(part: Floats, limit: float) -> float:
    """Give the sum of squared residues less `limit` for every value."""
    return part.size * (mean_residue(part) - limit)


def _run(values: Floats, limit: float, rng: np.random.Generator) -> list[Indices]:
    sides = [np.arange(size) for size in values.shape]
    full = mean_residue(values)
    first = max(full, limit)
    for sweep in range(_SWEEPS):
        price = first * (limit / first) ** min(1.0, sweep / (_COOLED * _SWEEPS))
        heat = _HEAT * price * (1 - sweep / _SWEEPS)
        for axis in (0, 1):
            cost = _costs(values, sides, axis, price)
            chance = scipy.special.expit(-cost / (heat * np.sqrt(sides[1 - axis].size)))
            sides[axis] = _list_cheapest(cost, rng.random(cost.size) < chance)
    return sides


def _settle(values: Floats, sides: list[Indices], limit: float) -> None:
    """Take all that lowers the energy and leave the rest, until nothing changes."""
    for _ in range(_SWEEPS):
        before = list(sides)
        for axis in (0, 1):
            cost = _costs(values, sides, axis, limit)
            sides[axis] = _list_cheapest(cost, cost <= TIE * limit)
        if all(np.array_equal(a, b) for a, b in zip(before, sides, strict=True)):
            break


def _costs(values: Floats, sides: list[Indices], axis: int, price: float) -> Floats:
    """Give what every row or column would add to the energy: squared residues less a price."""
    strip = values[:, sides[1]] if axis == 0 else values[sides[0]].T
    size, add = strip.shape[1], np.add.reduce  # as `mean` does, which takes longer to begin
    level = add(strip[sides[axis]], axis=0) / len(sides[axis])
    effect = level - add(level) / size
    # Effects sum to 0: sum (a - mean a - e)^2 = sum a^2 - size (mean a)^2 - 2 sum a e + sum e^2.
    squares = add(np.square(strip), axis=1) - size * np.square(add(strip, axis=1) / size)
    return squares - 2 * strip @ effect + effect @ effect - price * size


def _list_cheapest(cost: Floats, mask: NDArray[np.bool_]) -> Indices:
    """List what is taken, the cheapest two at least."""
    if np.count_nonzero(mask) >= _MIN_LISTED:
        return np.flatnonzero(mask)
    return np.sort(np.argsort(cost, kind="stable")[:_MIN_LISTED])


# Cheng and Church's biclusters: values that are a row effect plus a column effect.
#
# Start from the full table; drop rows and columns of large residue until the mean squared residue
# is small enough; add back those that fit.
_ALPHA = 1.2  # Cheng and Church: drop at once what exceeds the mean residue by this factor
_MANY_LINES = 100  # as long as there are more rows, or columns, than this
_MIN_BICLUSTER_SIDE = 2  # rows and columns: less has no residue


def shrink_and_grow(
    values: Floats, limit: float, _: np.random.Generator | None = None
) -> RowsAndColumns:
    """Find rows and columns of mean squared residue at most `limit`.

    Examples
    --------
    >>> table = np.random.default_rng(0).standard_normal((30, 8))
    >>> table[:12, :4] = np.add.outer(np.arange(12.0), [0, 3, 1, 2]) / 4
    >>> rows, columns = shrink_and_grow(table, 1e-9)
    >>> columns, len(rows)
    (array([0, 1, 2, 3]), 12)
    """
    rows, columns = delete_nodes(values, limit)
    size = 0
    while rows.size + columns.size != size:  # add what fits at least as well as the part does
        size = rows.size + columns.size
        columns = _join_columns(values, rows, columns)
        rows = _join_columns(values.T, columns, rows)
    return rows, columns


def delete_nodes(values: Floats, limit: float) -> RowsAndColumns:
    """Drop rows and columns, several at once while there are many, then the worst one by one."""
    n, d = values.shape
    part = Part(values, np.arange(n), np.arange(d))
    while part.mean_residue > limit and _drop_many(part):
        pass
    while part.mean_residue > limit:
        scores = [part.scores(axis) for axis in (0, 1)]
        places = [last_best(each) for each in scores]
        # The largest residue of a side; none where no more can leave.
        worst = [
            float(each[place]) if each.size > _MIN_BICLUSTER_SIDE else -1.0
            for each, place in zip(scores, places, strict=True)
        ]
        axis = int(worst[1] > worst[0] * (1 + TIE))
        if worst[axis] < 0:
            break
        part.remove(axis, places[axis])
    return part.members[0], part.members[1]


def _drop_many(part: Part) -> bool:
    """Drop all rows, then all columns, far above the mean residue; say whether any was."""
    dropped = False
    for axis in (0, 1):
        if part.members[axis].size <= _MANY_LINES:
            continue
        stays = part.scores(axis) <= _ALPHA * part.mean_residue * (1 + TIE)
        if not stays.all() and stays.sum() >= _MIN_BICLUSTER_SIDE:
            members = list(part.members)
            members[axis] = members[axis][stays]
            part.restrict(*members)
            dropped = True
    return dropped


def _join_columns(values: Floats, rows: Indices, columns: Indices) -> Indices:
    """Give the columns with those whose residue in these rows is at most the mean residue."""
    strip = values[rows]
    fits = measure_deviations(strip, columns) <= mean_residue(strip[:, columns]) * (1 + TIE)
    fits[columns] = True
    return np.flatnonzero(fits)


# Hartigan's direct splitting: cut a table into blocks whose values are as equal as possible.
#
# The rows of a block, or its columns, are sorted by their means and cut in two where the sum of
# squared deviations from the block means falls most. A cut counts only if it lowers that sum by
# more than chance allows: by more than rows (or columns) without any difference would, whose means
# vary by the noise inside them, in 99 of 100 tables (F distribution).
_SPLIT_LEVEL = 0.01  # how often chance may pass for a difference
# A mean of a third of a standard deviation: cutting by means shifts noise by less.
_MIN_MEAN_SHARE = 0.1

# By how much a cut lowers the sum, the axis that it cuts (0 for the rows), and the two sides.
Cut = tuple[float, int, list[Indices]]


def cut_block(part: Floats, axis: int) -> Cut | None:
    """Find the best cut of the rows (axis 0) or of the columns (axis 1) of a block."""
    means = part.mean(axis=1 - axis)
    if means.size < 2:
        return None
    order = np.argsort(means, kind="stable")
    falls = part.shape[1 - axis] * cut_gains(means[order])
    size = first_best(falls) + 1
    return float(falls[size - 1]), axis, [np.sort(order[:size]), np.sort(order[size:])]


def _exceeds_chance(part: Floats, cut: Cut) -> bool:
    """Say whether the cut lowers the sum by more than noise would, however it was cut."""
    fall, axis, _ = cut
    count, width = part.shape[axis], part.shape[1 - axis]
    if width < 2:
        return False  # a single column or row says nothing of the noise inside it
    inside = float(np.square(part - part.mean(axis=1 - axis, keepdims=True)).sum())
    free = count * (width - 1)
    limit = float(scipy.special.fdtri(count - 1, free, 1 - _SPLIT_LEVEL)) * (count - 1) / free
    return fall > max(limit * inside, TIE * float(np.square(part).sum()))


def _find_best_cut(values: Floats, rows: Indices, columns: Indices) -> Cut | None:
    """Find the cut that lowers the sum most, of those that chance does not explain."""
    part = values[np.ix_(rows, columns)]
    cuts = [cut for axis in (0, 1) if (cut := cut_block(part, axis)) and _exceeds_chance(part, cut)]
    return cuts[first_best(np.array([fall for fall, *_ in cuts]))] if cuts else None


def cut_gains(values: Floats) -> Floats:
    """Give for every cut of these sorted values by how much their sum of squares falls.

    >>> cut_gains(np.array([1.0, 1.0, 4.0]))
    array([1.5, 6. ])
    """
    left = np.arange(1, values.size)
    right = values.size - left
    sums = np.cumsum(values - values.mean())[:-1]  # of the left side; that of the right is -sums
    return np.square(sums) * (1 / left + 1 / right)


def direct_splitting(values: Floats, n_blocks: int) -> list[RowsAndColumns]:
    """Cut the table, the largest fall of the sum first, into at most so many blocks.

    Examples
    --------
    >>> table = np.zeros((6, 12)) + 0.1 * np.eye(6, 12)
    >>> table[:3, :9] = 5
    >>> [(rows.tolist(), J.tolist()[-3:]) for rows, J in direct_splitting(table, 3)]
    [([3, 4, 5], [9, 10, 11]), ([0, 1, 2], [9, 10, 11]), ([0, 1, 2], [6, 7, 8])]
    """
    n, d = values.shape
    blocks: list[RowsAndColumns] = [(np.arange(n), np.arange(d))]
    cuts = [_find_best_cut(values, *blocks[0])]
    while len(blocks) < n_blocks:
        at = first_best(np.array([cut[0] if cut else -1.0 for cut in cuts]))
        best, (rows, columns) = cuts[at], blocks[at]
        if best is None:
            break
        _, axis, sides = best
        halves = [(rows[i], columns) if axis == 0 else (rows, columns[i]) for i in sides]
        blocks[at : at + 1] = halves
        if len(blocks) < n_blocks:
            cuts[at : at + 1] = [_find_best_cut(values, *half) for half in halves]
    return blocks
