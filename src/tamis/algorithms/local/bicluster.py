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

from collections.abc import Callable, Sequence

import numpy as np

from tamis.algorithms.local.annealing import anneal
from tamis.algorithms.local.cheng_church import shrink_and_grow
from tamis.algorithms.local.hartigan import direct_splitting
from tamis.algorithms.local.local_clusters import Cluster, Clusters, path_of
from tamis.algorithms.local.residue import mean_residue
from tamis.algorithms.path import Path
from tamis.numerics.tolerances import TIE
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.statistics.row_table import RowTable

Part = tuple[Indices, Indices]
Finder = Callable[[Floats, float, np.random.Generator], Part]

_SHUFFLES = 3
_LARGER = 1.5  # than the largest of the shuffled tables
_RESIDUE = "mean squared residue, relative to the full table"
_VARIANCE = "mean squared deviation from the mean of the block, in squared standard deviations"


def find_biclusters(
    table: RowTable,
    k: int | None,
    *,
    retain: float,
    include: Sequence[int] = (),
    algorithm: str = "annealing",
    n_clusters: int = 5,
    residue: float = 0.15,
    random_state: int = 0,
) -> Path:
    """Find biclusters and keep the columns that they use."""
    rows = table.rows
    if algorithm == "hartigan":
        blocks = direct_splitting(rows, n_clusters)
        clusters = [_block(rows, b.rows, b.columns) for b in blocks if b.stands_out]
        found = Clusters.of(table, clusters, _VARIANCE)
    else:
        finder = _by_annealing if algorithm == "annealing" else _by_deletion
        rng = np.random.default_rng(random_state)
        parts = coherent_parts(rows, n_clusters, residue, rng, finder)
        found = Clusters.of(table, [_coherent(rows, *part) for part in parts], _RESIDUE)
    return path_of(table, found, k, retain=retain, include=include)


def coherent_parts(
    values: Floats, n_clusters: int, residue: float, rng: np.random.Generator, finder: Finder
) -> list[Part]:
    """Find biclusters one after the other, each hidden under random values before the next.

    Those that chance could explain are dropped; two in a row end the search.
    """
    whole = mean_residue(values)
    if whole <= 0 or min(values.shape) < 2:
        return []
    limit = residue * whole
    bar = _LARGER * _by_chance(values, limit, rng, finder)
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


def _by_chance(values: Floats, limit: float, rng: np.random.Generator, finder: Finder) -> int:
    """Give the size of the largest bicluster in the table with every column shuffled."""
    sizes = []
    for _ in track("shuffled tables", range(_SHUFFLES), _SHUFFLES):
        rows, columns = finder(rng.permuted(values, axis=0), limit, rng)
        sizes.append(rows.size * columns.size)
    return max(sizes)


def _by_annealing(values: Floats, limit: float, rng: np.random.Generator) -> Part:
    found = anneal(values, limit, rng)
    return found.rows, found.columns


def _by_deletion(values: Floats, limit: float, rng: np.random.Generator) -> Part:  # noqa: ARG001 - one signature for both
    return shrink_and_grow(values, limit)


def _coherent(rows: Floats, members: Indices, columns: Indices) -> Cluster:
    """Measure a bicluster by its residues; other columns by what its row effects leave of them."""
    strip = rows[members]
    inside = strip[:, columns]
    effect = inside.mean(axis=1, keepdims=True) - inside.mean()
    errors = np.square(strip - strip.mean(axis=0) - effect).mean(axis=0)
    return Cluster(members, columns, mean_residue(inside) / mean_residue(rows), errors)


def _block(rows: Floats, members: Indices, columns: Indices) -> Cluster:
    """Measure a block by the deviations from its mean."""
    squares = np.square(rows[members] - rows[np.ix_(members, columns)].mean())
    return Cluster(members, columns, float(squares[:, columns].mean()), squares.mean(axis=0))
