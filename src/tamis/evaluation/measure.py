"""What kept columns explain of all columns: a share of the variance, or of the information."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from tamis.algorithms.residual import Residual, condition
from tamis.facts.selection_answer import Measured, WeightKind
from tamis.numerics.types import Floats, Indices, Mask
from tamis.rules.search import ENOUGH_OF_SHARE, MAX_CARRIERS
from tamis.rules.tolerances import MINOR, RANK_TOL, TIE
from tamis.statistics.gram import Gram
from tamis.statistics.gram.protocol import Statistic
from tamis.statistics.shared_information import Information
from tamis.statistics.summary import Summary, as_summary
from tamis.values import dataclass

_ROWS_AT_A_TIME = 4096
_MAX_TARGET_CELLS = 1 << 22  # kept columns times targets that are worked on at once
_MAX_HELD_CELLS = 1 << 26  # kept columns times all columns that are held as an array


def bound_by_components(gram: Gram, k: int) -> Floats:
    """Give the share of variance that the first 1..k principal components explain.

    No set of columns can reproduce more.
    """
    total = float(gram.diagonal().sum())
    values = gram.eigenvalues(k)
    shares = np.minimum(np.cumsum(values) / total, 1.0)
    return np.concatenate([shares, np.ones(k - len(shares))])


@dataclass(frozen=True, eq=False)
class Reproduction:
    """How the kept columns, taken in order, relate to all columns.

    `shares` (k x d) is what the first 1..k kept columns reproduce of every column, `links` (k x d)
    the correlation of every kept column with every column.
    """

    kept: Indices
    shares: Floats
    links: Floats

    @property
    def width(self) -> int:
        """Number of all columns."""
        return self.shares.shape[1]

    def shares_at(self, step: int) -> Floats:
        """Give what the first `step` kept columns reproduce of every column."""
        return self.shares[step - 1]

    def shares_between(self, first: int, last: int) -> Floats:
        """Give what the first `first + 1` to `last` kept columns reproduce, a row for each."""
        return self.shares[first:last]

    def links_to(self, step: int, columns: Indices) -> Floats:
        """Give the correlations of the first `step` kept columns with these."""
        return self.links[:step, columns]

    def links_of(self, positions: Indices, step: int) -> Floats:
        """Give those of some kept columns, by position, with the first `step` kept columns."""
        return self.links[np.ix_(positions, self.kept[:step])]


class FactoredReproduction:
    """The same from the factor of the kept columns: its rows are as many as the rank at most.

    For many kept columns of a table with few rows, where an array of k x d would not fit.
    """

    def __init__(self, kept: Indices, residual: Residual, width: int | None = None) -> None:
        rows, start = residual.rows[:, :width], residual.start[:width]
        self.kept, self.width, self._adding = kept, start.size, residual.adding
        self._unit = rows / np.sqrt(start)
        self._sums = np.cumsum(np.square(rows), axis=0) / start

    def shares_at(self, step: int) -> Floats:
        """Give what the first `step` kept columns reproduce of every column."""
        return self.shares_between(step - 1, step)[0]

    def shares_between(self, first: int, last: int) -> Floats:
        """Give what the first `first + 1` to `last` kept columns reproduce, a row for each."""
        # A kept column that those before it reproduce adds no row.
        counts = np.searchsorted(self._adding, np.arange(first, last), side="right")
        shares = np.where(counts[:, None] > 0, self._sums[np.maximum(counts, 1) - 1], 0.0)
        shares[:, self.kept[:first]] = 1.0
        here = self.kept[first:last]
        shares[:, here] = np.where(np.tri(len(here), dtype=bool), 1.0, shares[:, here])
        return np.clip(shares, 0.0, 1.0)

    def links_to(self, step: int, columns: Indices) -> Floats:
        """Give the correlations of the first `step` kept columns with these."""
        return np.asarray(self._unit[:, self.kept[:step]].T @ self._unit[:, columns])

    def links_of(self, positions: Indices, step: int) -> Floats:
        """Give those of some kept columns, by position, with the first `step` kept columns."""
        kept = self.kept
        return np.asarray(self._unit[:, kept[positions]].T @ self._unit[:, kept[:step]])


Known = Reproduction | FactoredReproduction


def relate_to_kept(gram: Gram, kept: Sequence[int] | Indices, width: int | None = None) -> Known:
    """Relate the first `width` columns to the kept ones, from one pass over the matrix for each."""
    kept = np.asarray(kept, dtype=np.intp)
    residual = condition(gram, kept)
    start = residual.start[:width]
    if len(kept) * start.size > _MAX_HELD_CELLS:
        return FactoredReproduction(kept, residual, width)
    W = residual.W[:, :width]
    shares = np.cumsum(np.square(W), axis=0) / start
    shares[:, kept] = np.where(np.tri(len(kept), dtype=bool), 1.0, shares[:, kept])
    # The rows of W are orthonormal columns seen from every column: G[kept] = W[:, kept]' W.
    # An empty row stands for a kept column that those before it reproduce.
    links = W[:, kept].T @ W
    size = np.sqrt(start)
    links /= size
    links /= size[kept, None]
    return Reproduction(kept, np.clip(shares, 0.0, 1.0), links)


# For each target column the few kept columns that carry it: their positions among the kept columns
# (-1 where fewer are needed), their weights (coefficients of standardised columns), and the share
# that these few reproduce together.
Carriers = tuple[Indices, Floats, Floats]


def pick_carriers(known: Known, step: int, targets: Indices, most: int = MAX_CARRIERS) -> Carriers:
    """Pick for each target up to `most` of the first `step` kept columns, the best first.

    Columns are added until they reach 95% of what the `step` columns together reproduce.
    """
    goal = ENOUGH_OF_SHARE * known.shares_at(step)
    chunk = max(1, min(_ROWS_AT_A_TIME, _MAX_TARGET_CELLS // step))
    parts = [
        _pursue(known, known.links_to(step, part), goal[part], most)
        for part in np.array_split(targets, max(1, -(-len(targets) // chunk)))
    ]
    positions, weights, shares = map(np.concatenate, zip(*parts, strict=True))
    return positions, weights, shares


def _pursue(known: Known, with_targets: Floats, goal: Floats, most: int) -> Carriers:
    """Run orthogonal matching pursuit for all targets at once, on correlations."""
    k, m = with_targets.shape
    most = min(most, k)
    positions = np.full((m, most), -1, dtype=np.intp)
    weights, shares = np.zeros((m, most)), np.zeros(m)
    link = with_targets.T.copy()  # covariance of each target's residual with every kept column
    left = np.ones((m, k))  # variance left of every kept column, given the target's picks
    basis = np.zeros((most, m, k))  # orthonormalised picks, seen from every kept column
    for step in range(most):
        gain = np.divide(link**2, left, out=np.zeros_like(link), where=left > RANK_TOL)
        pick = np.argmax(gain >= gain.max(axis=1, keepdims=True) * (1 - TIE), axis=1)
        at = np.arange(m)
        useful = (shares < goal) & (gain[at, pick] > MINOR)
        if not useful.any():
            break
        root = np.sqrt(np.where(useful, left[at, pick], 1.0))
        done = basis[:step, at, pick]
        fresh = (known.links_of(pick, k) - np.einsum("sm,smk->mk", done, basis[:step])) / root[
            :, None
        ]
        fresh[~useful] = 0.0
        basis[step] = fresh
        coefficient = np.where(useful, link[at, pick] / root, 0.0)
        link -= coefficient[:, None] * fresh
        left = np.maximum(left - fresh**2, 0.0)
        shares += np.where(useful, gain[at, pick], 0.0)
        positions[useful, step] = pick[useful]
    _solve(known, with_targets, positions, weights)
    return positions, weights, np.minimum(shares, 1.0)


def _solve(known: Known, with_targets: Floats, positions: Indices, weights: Floats) -> None:
    counts = (positions >= 0).sum(axis=1)
    for count in range(1, positions.shape[1] + 1):
        rows = np.flatnonzero(counts == count)
        if rows.size:
            picks = positions[rows, :count]
            among = known.links_of(picks.ravel(), len(with_targets))
            among = among.reshape(len(rows), count, -1)
            matrix = np.take_along_axis(among, picks[:, None, :], axis=2)
            right = with_targets[picks, rows[:, None]]
            weights[rows, :count] = np.linalg.solve(matrix, right[..., None])[..., 0]


_MAX_BOUND_STEPS = 64
MAX_SOLVED = 1_000  # columns of a regression on all: more would take longer than the search


@dataclass(frozen=True, eq=False)
class Variance:
    """The share of the variance that a regression on the kept columns, or groups, reproduces.

    `importance` is how much each group counts, responses among them; they are the last, and no
    columns to choose from. Relations of the columns with each other are those of their variances.
    """

    statistic: Summary
    importance: Floats | None = None

    @property
    def name(self) -> Measured:
        """What the shares are shares of."""
        if self.importance is None:
            return "variance"
        width = self.statistic.columns
        alone = width < len(self.importance) and not self.importance[:width].any()
        return "response" if alone else "importance"

    @cached_property
    def single(self) -> bool:
        """Whether each column is one of the matrix: no category is among them."""
        return bool((self.statistic.groups.sizes[: self.statistic.columns] == 1).all())

    @property
    def weights_are(self) -> WeightKind:
        """What the weights are of the few columns that explain another one."""
        return "coefficients" if self.single else "shares"

    def chance(self, kept: Indices, n_rows: int) -> Floats:
        """Give what regressions on the first 1, 2, ... kept columns explain of an unrelated one.

        A category counts by its levels but one.
        """
        freedom = np.cumsum(np.maximum(self.statistic.groups.sizes[kept] - 1, 1))
        return np.minimum(1.0, freedom / max(n_rows - 1, 1))

    def ceiling(self, k: int) -> Floats:
        """Give what 1..k columns can explain at most.

        It is the share of as many principal components; of groups, see `_bound_groups`. By
        importance it is what all columns explain together.
        """
        if self.importance is not None:
            return np.full(k, self._explained_by_all)
        if self.single:
            return bound_by_components(self.statistic.gram, k)
        return self._bound_groups(k)

    def _bound_groups(self, k: int) -> Floats:
        """Bound the share that any 1..k groups explain.

        A set of groups spans a space, and no space of r dimensions holds more than the r leading
        principal components. Of any set let g be the group of most dimensions, the first of these:
        it explains f(g) alone. What is left once g is known has no larger eigenvalues than the
        whole, so the other groups add at most as many leading components as they have dimensions.
        These groups follow g in the order of dimensions, so they have no more than the next k - 1
        in that order. Each set has such a g: the largest of these sums over all g bounds them all.
        For a single group it is exact.
        """
        gram, width = self.statistic.gram, self.statistic.columns
        total = float(gram.diagonal().sum())
        order = np.argsort(-self._ranks[:width], kind="stable")
        ranks, alone = self._ranks[order], Residual(self.statistic, 1).gains()[order]
        most = np.concatenate([[0], np.cumsum(ranks)])
        values = gram.eigenvalues(min(int(most[min(k, width)]), len(gram.diagonal())))
        leading = np.concatenate([[0.0], np.cumsum(values) / total])
        bound = np.ones(k)
        for size in range(1, min(k, width) + 1):
            first = np.arange(width - size + 1)
            others = most[first + size] - most[first + 1]
            parts = [
                alone[first] + leading[np.minimum(others, len(values))],
                leading[np.minimum(ranks[first] + others, len(values))],
            ]
            bound[size - 1] = min(float(np.minimum(*parts).max()), 1.0)
        return bound

    @cached_property
    def _explained_by_all(self) -> float:
        """What all columns explain of a response.

        It is 1 where that would take long, and where columns themselves matter, which explain
        themselves.
        """
        assert self.importance is not None
        width, gram = self.statistic.columns, self.statistic.gram
        inner = int(self.statistic.groups.starts[width : width + 1].sum())
        if self.importance[:width].any() or not 0 < inner <= MAX_SOLVED:
            return 1.0
        rows = gram.block(np.arange(inner))
        values, vectors = np.linalg.eigh(rows[:, :inner])
        useful = values > RANK_TOL * max(float(values[-1]), 0.0)
        seen = np.square(vectors[:, useful].T @ rows[:, inner:]).sum(axis=1)
        total = gram.diagonal()[inner:].sum()
        return float(min(1.0, (seen / values[useful]).sum() / total))

    def measure_unique(self) -> Floats | None:
        """Give the variance of each group that regressions on all others leave.

        It is the trace of the inverse of the group's block of the inverse matrix. None where the
        matrix is large.
        """
        gram, groups = self.statistic.gram, self.statistic.groups
        if len(gram.diagonal()) > MAX_SOLVED:
            return None
        values, vectors = np.linalg.eigh(gram.block(slice(None)))
        # What lies along directions without variance follows from other columns.
        vectors /= np.sqrt(np.maximum(values, RANK_TOL * values[-1]))
        found = []
        for group in range(self.statistic.columns):
            rows = vectors[groups.members([group])]
            found.append((1.0 / np.linalg.eigvalsh(rows @ rows.T)).sum())
        return np.array(found)

    @cached_property
    def _ranks(self) -> Indices:
        """How many columns of each group do not follow from its others."""
        groups, gram = self.statistic.groups, self.statistic.gram
        found = np.ones(len(groups.sizes), dtype=np.intp)
        for g in np.flatnonzero(groups.sizes > 1).tolist():
            J = groups.members([g])
            values = np.linalg.eigvalsh(gram.block(J)[:, J])
            found[g] = np.count_nonzero(values > RANK_TOL * values[-1])
        return np.maximum(found, 1)

    def reproduction(self, kept: Indices) -> Known:
        """Regress all columns on the kept ones, taken in order; of groups `links` are shares."""
        width = self.statistic.columns
        if self.single:
            return relate_to_kept(self.statistic.gram, kept, width)
        residual = Residual(self.statistic, max(len(kept), 1))
        shares = np.zeros((len(kept), len(residual.start)))
        for step, group in enumerate(kept):
            residual.take(int(group))
            shares[step] = 1.0 - residual.left / residual.start
        shares = np.clip(shares, 0.0, 1.0)
        return Reproduction(kept, shares[:, :width], self._explain_alone(kept)[:, :width])

    def _explain_alone(self, kept: Indices) -> Floats:
        """Give the share of every column that each kept group explains by itself."""
        groups, gram = self.statistic.groups, self.statistic.gram
        weights = self.statistic.diagonal()
        found = np.zeros((len(kept), len(weights)))
        for row, group in zip(found, kept, strict=True):
            J = groups.members([group])
            G = gram.block(J)
            values, vectors = np.linalg.eigh(G[:, J])
            useful = values > RANK_TOL * max(float(values[-1]), 0.0)
            seen = np.square(vectors[:, useful].T @ G) / values[useful, None]
            row[:] = groups.sum_up(seen.sum(axis=0)) / weights
            row[group] = 1.0
        return np.clip(found, 0.0, 1.0)

    def explain_beyond_chance(self, known: Known) -> Known:
        """Give the regressions as they are: their chance is a level of its own."""
        return known

    def carriers(self, known: Known, step: int, targets: Indices) -> Carriers:
        """Name for each target the few of the first `step` kept columns that explain most of it.

        They are those of a short regression or, with categories, those that explain most alone.
        """
        if self.single:
            return pick_carriers(known, step, targets)
        alone = known.links_to(step, targets).T
        places = np.argsort(-alone, axis=1, kind="stable")[:, :MAX_CARRIERS]
        weights = np.take_along_axis(alone, places, axis=1)
        enough = weights[:, :1] >= ENOUGH_OF_SHARE * known.shares_at(step)[targets][:, None]
        named = (weights > MINOR) & (~enough | (np.arange(places.shape[1]) == 0))
        return np.where(named, places, -1), np.where(named, weights, 0.0), weights[:, 0]

    def swaps(self, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
        """Give, for some positions in `kept`, what each other column in its place changes.

        The change is that of the share explained, NaN for kept columns.
        """
        if self.single and self.importance is None:
            yield from swap_changes(self.statistic.gram, kept, positions)
            return
        before = self._condition(kept).retained[-1]
        for position in positions:
            residual = self._condition(np.delete(kept, position))
            share = residual.retained[-1] if residual.size else 0.0
            change = (share + residual.gains() - before)[: self.statistic.columns]
            change[kept] = np.nan
            yield change

    def additions(self, kept: Indices) -> Floats:
        """Give what each column would add to the share explained."""
        return self._condition(kept).gains()[: self.statistic.columns]

    def _condition(self, kept: Indices) -> Residual:
        return condition(self.statistic, kept, importance=self.importance)

    def pairs(self, columns: Indices) -> Floats:
        """Give the similarity of columns in [-1, 1]: correlations, of groups the root of the RV."""
        groups, gram = self.statistic.groups, self.statistic.gram
        if self.single:
            size = np.sqrt(gram.diagonal())[columns]
            rows = np.array([gram.column(int(j))[columns] for j in columns])
            return np.asarray(rows / size / size[:, None])
        found = np.eye(len(columns))
        members = [groups.members([int(j)]) for j in columns]
        blocks = [gram.block(J) for J in members]
        sizes = [np.linalg.norm(block[:, J]) for block, J in zip(blocks, members, strict=True)]
        for a in range(len(columns)):
            for b in range(a):
                part = blocks[a][:, members[b]]
                link = np.linalg.norm(part) / np.sqrt(sizes[a] * sizes[b])
                found[a, b] = found[b, a] = np.sign(part[0, 0]) * link if part.size == 1 else link
        return found


def swap_changes(gram: Gram, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
    """Give, for some positions in `kept`, what every swap changes in the share explained.

    Each is an array over all columns: the share explained with that column in place of the kept
    one, less the share as it is; NaN for kept columns. Of the residual without kept column i,
    `R + bb'`, column j would take `||(R + bb')e_j||^2 / (R + bb')_jj`, and `b'b` was lost: a closed
    form from the regression on all kept columns. Nothing is lost where the other kept columns
    reproduce the one that leaves: a copy among them, or a sum in which it is a term.
    """
    from tamis.algorithms.refine.swap import KeptSet, split_dependent

    total = float(gram.diagonal().sum())
    adding, spare = split_dependent(gram, kept)
    state = KeptSet.afresh(gram, adding)
    place = {int(j): i for i, j in enumerate(adding)}
    for position in positions:
        i = place.get(int(kept[position]))
        if i is None or state.is_part_of(i, spare):
            changes = state.additions() / total
        else:
            b, left, norms = state.without(i)
            changes = (state.gains(left, norms) - b @ b) / total
        changes[kept] = np.nan
        yield changes


@dataclass(frozen=True)
class SharedInformation:
    """The mean, over all columns, of the mutual information with the closest kept column."""

    name: ClassVar[Measured] = "information"
    weights_are: ClassVar[WeightKind] = "information"

    information: Information

    def chance(self, kept: Indices, n_rows: int) -> Floats:  # noqa: ARG002 - as of a variance
        """Give what two unrelated columns would share on average."""
        return np.full(len(kept), self.information.chance)

    def ceiling(self, k: int) -> Floats:
        """Give a bound on what any 1..k columns can explain.

        Of any set, k further columns add at most the sum of the k largest single gains, because
        what a column adds only shrinks as others join. The smallest such bound over the sets of a
        greedy search holds for every set of k columns.
        """
        M = self.information.matrix
        d = len(M)
        explained, bound = np.zeros(d), np.ones(k)
        for _ in range(min(k, _MAX_BOUND_STEPS)):
            gains = np.array([np.maximum(row - explained, 0.0).sum() for row in M])
            most = np.cumsum(np.sort(gains)[::-1])[:k]
            bound = np.minimum(bound, (explained.sum() + most) / d)
            explained = np.maximum(explained, M[int(gains.argmax())])
        return bound

    def reproduction(self, kept: Indices) -> Reproduction:
        """Give the largest mutual information with the first 1, 2, ... kept columns."""
        links = self.information.matrix[kept]
        return Reproduction(kept, np.maximum.accumulate(links, axis=0), links)

    def explain_beyond_chance(self, known: Known) -> Known:
        """Give the largest mutual information that is above chance for its pair; 0 without one.

        Columns of many values share much with any other by chance.
        """
        every = np.arange(known.width)
        links = known.links_to(len(known.kept), every)
        above = np.where(self._exceeds(links, known.kept, every), links, 0.0)
        return Reproduction(known.kept, np.maximum.accumulate(above, axis=0), links)

    def carriers(self, known: Known, step: int, targets: Indices) -> Carriers:
        """Pick the most informative of the first `step` kept columns, those above chance."""
        links = known.links_to(step, targets)
        above = np.where(self._exceeds(links, known.kept[:step], targets), links, -1.0).T
        places = np.argsort(-above, axis=1, kind="stable")[:, :MAX_CARRIERS]
        weights = np.take_along_axis(above, places, axis=1)
        found = weights >= 0
        weights = np.where(found, weights, 0.0)
        return np.where(found, places, -1), weights, weights[:, 0]

    def _exceeds(self, links: Floats, kept: Indices, targets: Indices) -> Mask:
        """Say which pairs share more than unrelated ones do; those that share all always do."""
        limits = np.maximum(self.information.chance_limit(kept, targets), MINOR)
        return np.asarray((links > limits) | (links >= 1 - TIE))

    def swaps(self, kept: Indices, positions: Sequence[int]) -> Iterator[Floats]:
        """Give, for some positions in `kept`, what each other column in its place changes."""
        from tamis.algorithms.refine.swap import swap_gains

        M = self.information.matrix
        changes = np.full((len(kept), len(M)), np.nan)
        for columns, gains in swap_gains(M, kept):
            changes[:, columns] = gains.T / len(M)
        for position in positions:
            yield changes[position]

    def additions(self, kept: Indices) -> Floats:
        """Give what each column would raise the mean by."""
        M = self.information.matrix
        explained = M[kept].max(axis=0)
        return np.array([np.maximum(row - explained, 0.0).mean() for row in M])

    def pairs(self, columns: Indices) -> Floats:
        """Give the normalised mutual information, the mean of both directions if they differ."""
        shares = self.information.matrix[np.ix_(columns, columns)]
        return np.asarray((shares + shares.T) / 2)


# How kept columns relate to all columns, and how far they could at most.
Measure = Variance | SharedInformation


def measure_of(
    statistic: Statistic[Gram | Summary | Information], importance: Floats | None = None
) -> Measure:
    """Choose the measure that fits what a method worked on, and what mattered to it."""
    explained = statistic.explained
    if isinstance(explained, Information):
        return SharedInformation(explained)
    summary = as_summary(explained)
    return Variance(summary, summary.importance if importance is None else importance)
