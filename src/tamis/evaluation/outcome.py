"""A selection on other rows and with other columns: what could be had instead, and how sure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from tamis.algorithms.limits import Limits
from tamis.errors import TamisError
from tamis.evaluation.found_path import FoundPath
from tamis.evaluation.held_out import compare_with_random
from tamis.evaluation.resampled import Resampled
from tamis.evaluation.second_opinion import read_opinion
from tamis.evaluation.stability import stability_of
from tamis.facts.selection_answer import LimitFacts, OpinionFacts, StabilityFacts
from tamis.numerics.ties import first_best
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices, Mask
from tamis.registry import nearest
from tamis.statistics.gram import Gram
from tamis.statistics.grouped import GroupedGram, as_groups


def mark_barred(limits: Limits, kept: Indices, position: int) -> Mask:
    """Mark the columns that may not be kept in the place of one that is."""
    others = np.delete(kept, position)
    return ~limits.mark_usable(others, len(kept))


def find_binding(
    limits: Limits, kept: Indices, gains: Floats, names: Sequence[str]
) -> list[LimitFacts]:
    """List the limits that keep out a column, each with the column that would add most.

    `column` is the best one that may be kept but for this limit, `gain` what it would add.

    Examples
    --------
    >>> limits = Limits.of(3, groups={"A": [0, 1]}, at_most=1)
    >>> find_binding(limits, np.array([0]), np.array([0.0, 0.2, 0.1]), ["a", "b", "c"])
    [LimitFacts(option='at_most', group='A', column='b', gain=0.2)]
    """
    width = len(gains)
    others = ~limits.barred[:width]
    others[kept] = False
    far, paid = limits.mark_far(kept)[:width], limits.mark_affordable(kept)[:width]
    full = limits.mark_full(kept)[:width]
    found = []
    for i, name in enumerate(limits.names):
        out = others & far & paid & full & (limits.group[:width] == i)
        found += _best_of("at_most", name, out, gains, names)
    found += _best_of("apart", None, others & paid & ~full & ~far, gains, names)
    found += _best_of("budget", None, others & far & ~full & ~paid, gains, names)
    barred = limits.barred[:width] & far & paid & ~full
    return found + _best_of("forbid", None, barred, gains, names)


def find_demanded(
    limits: Limits,
    kept: Indices,
    fixed: Sequence[int],
    swaps: Callable[[Sequence[int]], Iterable[Floats]],
    names: Sequence[str],
) -> list[LimitFacts]:
    """List the groups that have just as many columns as they must, where another column adds more.

    `swaps` gives, for some places among the kept columns, what each other column there changes;
    columns in `fixed` stay.
    """
    found = []
    counts = limits.count_taken(kept)
    for i in np.flatnonzero((limits.least > 0) & (counts == limits.least)).tolist():
        free = replace(limits, least=np.where(np.arange(len(counts)) == i, 0, limits.least))
        own = (limits.group[kept] == i) & ~np.isin(kept, np.asarray(fixed, dtype=np.intp))
        places = np.flatnonzero(own).tolist()
        best: list[LimitFacts] = []
        for place, change in zip(places, swaps(places), strict=True):
            may = free.mark_swaps(np.delete(kept, place))[: len(change)]
            out = may & (limits.group[: len(change)] != i) & ~np.isnan(change)
            best += _best_of("at_least", limits.names[i], out, change, names)
        found += sorted(best, key=lambda one: -one.gain)[:1]
    return found


def _best_of(
    option: str, group: str | None, out: Mask, gains: Floats, names: Sequence[str]
) -> list[LimitFacts]:
    if not out.any():
        return []
    best = first_best(np.where(out, gains, -np.inf))
    return [LimitFacts(option, group, names[best], float(gains[best]))] if gains[best] > 0 else []


@dataclass(frozen=True, eq=False)
class Outcome(FoundPath):
    """A path on a table, with everything that can be said about it."""

    @cached_property
    def shows_held_out(self) -> bool:
        """Whether shares on held-out rows are shown: if asked for, or where rows are in blocks."""
        asked = self.request.settings.get("held_out")
        if self.auto is not None or asked is not None:
            return self.auto is not None or bool(asked)
        if self.summary.blocks is None or self.search is None:
            return False
        try:
            return bool(len(self.resampled.folds.totals))
        except TamisError:  # too few rows to hold some back
            return False

    @property
    def held_out(self) -> Floats:
        """Share of the variance of held-out rows that 1..k columns explain, selected again."""
        return self.resampled.folds.share

    @cached_property
    def held_out_as_is(self) -> float | None:
        """The share on held-out rows where extreme values are not limited; None if not known."""
        summary = self.summary
        known = summary.as_is
        if known is None or self.search is None or not self.shows_held_out:
            return None
        if not np.array_equal(known.varying, summary.varying):
            return None
        try:
            folds = Resampled(known, replace(self.search, summary=known), self.k).folds
        except TamisError:  # too few rows to hold some back
            return None
        return float(folds.share[-1])

    @property
    def held_out_std(self) -> Floats:
        """Its standard deviation over the folds."""
        return self.resampled.folds.std

    @cached_property
    def random_share(self) -> tuple[float, bool] | None:
        """What as many columns drawn at random explain on held-out rows, and whether that is less.

        None if it was not measured.
        """
        resampled = self.resampled
        if self.path.importance is not None:
            return None
        search = replace(resampled.search, summary=resampled.summary)
        return compare_with_random(search, resampled.folds, self.k)

    @cached_property
    def stability(self) -> StabilityFacts:
        """How often each column is kept over half-samples of the rows."""
        names, sets = self.names_of(np.arange(len(self.used))), self.resampled.sets
        statistic, kept = as_groups(self.summary.statistic.explained), self.path.kept
        agreed = compare_halves(statistic, kept, sets, self.path.importance)
        return replace(
            stability_of(sets, names),
            explained=float(agreed.explained.mean()),
            stand_ins=name_stand_ins(agreed, kept, len(sets), names),
        )

    @cached_property
    def resampled(self) -> Resampled:
        """The same search on parts of the rows; the table is read again if need be."""
        summary = self.summary
        if self.search is None or (self.reader is None and summary.blocks is None):
            raise TamisError("The table is not known: choose the columns with tamis.select.")
        if summary.blocks is None:
            assert self.reader is not None
            summary = self.reader.by_block(summary)
        return Resampled(summary, self.search, self.k, self.auto if self.path.nested else None)

    def substitutes(self, column: Any = None, *, n: int | None = 10) -> Any:
        """Give the `n` best dropped columns to replace a kept one, each with what that changes.

        The change is in `retained`: -0.001 is a loss of 0.1%. Without `column` a
        dict of such lists, one for each kept column.
        """
        names = self.names
        wanted = range(self.k) if column is None else [self._find_kept(column)]
        found = {}
        changes = self.measure.swaps(self.path.kept, wanted)
        for position, change in zip(wanted, changes, strict=True):
            change[mark_barred(self.limits, self.path.kept, position)] = np.nan
            order = np.argsort(-change, kind="stable")[: np.count_nonzero(~np.isnan(change))][:n]
            pairs = zip(self.names_of(order), change[order].tolist(), strict=True)
            found[names[position]] = list(pairs)
        return found if column is None else found[names[wanted[0]]]

    def second_opinion(self, n: int = 20) -> list[OpinionFacts]:
        """Let trees predict the `n` least explained dropped columns, beside a linear model.

        Up to 1,000 rows are read again; half of them predict the other half from the kept columns.
        """
        rows = sorted(self.explain(), key=lambda row: row.share)[:n]
        targets = {row.column: self.request.position(row.column) for row in rows}
        return read_opinion(self.reader, self.indices.tolist(), targets)

    @cached_property
    def binding(self) -> list[LimitFacts]:
        """The limits that keep out a column, each with the best of these and what it would add."""
        limits, kept = self.limits, self.path.kept
        whole = self.search_options.get("together")
        if whole or not (limits.any or limits.barred.any()) or not len(kept):
            return []
        names = list(map(str, self.names_of(np.arange(len(self.used)))))
        found = find_binding(limits, kept, self.measure.additions(kept), names)
        swaps = partial(self.measure.swaps, kept)
        return found + find_demanded(limits, kept, self._must, swaps, names)

    def _find_kept(self, column: Any) -> int:
        """Find a kept column by its label or its name."""
        texts = [self.request.names[j] for j in self.indices]
        for names in (self.names, texts):
            if column in names:
                return names.index(column)
        hint = nearest(str(column), texts)
        raise TamisError(f"{column!r} is not among the kept columns{hint}")


# What half-samples agree on where columns stand in for one another.
#
# Names differ between halves of the rows although they say the same. Two things matter: how much
# of what the kept columns explain is explained by the set that a half gives, and which columns the
# halves keep in the place of each kept one.
MIN_SIMILARITY = 0.25  # squared correlation with a kept column, of one that stands in for it


@dataclass(frozen=True, eq=False)
class Agreement:
    """What half-samples explain of the same, and what stands for each kept column in them.

    `explained` has for every half-sample the share, of what the kept columns explain, that its
    set explains. `counts` says in how many half-samples each column stands for a kept one, that
    column itself among them (kept x columns).
    """

    explained: Floats
    counts: Indices


def compare_halves(
    statistic: GroupedGram,
    kept: Indices,
    sets: Sequence[Indices],
    importance: Floats | None = None,
) -> Agreement:
    """Compare the columns of half-samples with the kept ones, by the matrix of all rows.

    With an orthonormal basis Q of the kept columns they explain `QQ'X` of the columns X, and a set
    with the basis P explains `PP'QQ'X` of that. `importance` is how much each group counts.

    Examples
    --------
    The second column is a copy of the first, and stands for it in the second half.

    >>> from tamis.statistics.gram import DenseGram
    >>> from tamis.statistics.grouped import as_groups
    >>> gram = as_groups(DenseGram(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])))
    >>> found = compare_halves(gram, np.array([0]), [np.array([0]), np.array([1]), np.array([2])])
    >>> found.explained, found.counts
    (array([1., 1., 0.]), array([[1, 1, 0]]))
    """
    groups = statistic.groups
    S = groups.members(kept)
    rows = statistic.gram.block(S)
    T = _orthonormal(rows[:, S])
    W = T.T @ rows  # Q'X
    if importance is not None:
        W = W * np.sqrt(importance[groups.owner])
    M = W @ W.T
    explained = np.ones(len(sets))
    for i, columns in enumerate(sets):
        H = groups.members(columns)
        P = _orthonormal(_part(statistic.gram, H))
        C = P.T @ rows[:, H].T @ T  # P'Q
        explained[i] = np.einsum("ij,ji->", C @ M, C.T)
    total = float(np.trace(M))
    explained = np.clip(explained / total, 0.0, 1.0) if total > 0 else np.ones(len(sets))
    return Agreement(explained, _count_stand_ins(statistic, kept, rows, sets))


def name_stand_ins(
    agreed: Agreement, kept: Indices, samples: int, names: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Give for every kept column those that stand for it, and how often, the most often first."""
    found = {}
    for j, counts in zip(kept.tolist(), agreed.counts, strict=True):
        order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
        found[names[j]] = {names[i]: float(counts[i]) / samples for i in order.tolist()}
    return found


def _orthonormal(G: Floats) -> Floats:
    """Give T so that `X T` is an orthonormal basis of the columns X with the Gram matrix `G`."""
    values, vectors = np.linalg.eigh(G)
    useful = values > RANK_TOL * max(float(values[-1]), 0.0) if len(values) else values > 0
    return np.asarray(vectors[:, useful] / np.sqrt(values[useful]))


def _part(gram: Gram, columns: Indices) -> Floats:
    return gram.block(columns)[:, columns]


def _count_stand_ins(
    statistic: GroupedGram, kept: Indices, rows: Floats, sets: Sequence[Indices]
) -> Indices:
    """Pair the columns of every set with kept ones, the most similar first; count the pairs."""
    counts = np.zeros((len(kept), len(statistic.groups.sizes)), dtype=np.intp)
    met = np.unique(np.concatenate([kept, *sets])).astype(np.intp)
    similar = _similarities(statistic, kept, rows, met)
    for columns in sets:
        places = np.searchsorted(met, columns)
        part = similar[:, places]
        for _ in range(min(part.shape)):
            row, place = divmod(int(part.argmax()), part.shape[1])
            if part[row, place] < MIN_SIMILARITY:
                break
            counts[row, columns[place]] += 1
            part[row], part[:, place] = -1.0, -1.0
    return counts


def _similarities(statistic: GroupedGram, kept: Indices, rows: Floats, met: Indices) -> Floats:
    """Give squared correlations of kept columns with those met; for groups RV coefficients."""
    groups = statistic.groups
    squares = groups.sum_up(np.square(rows))
    ends = np.cumsum(groups.sizes[kept])
    shared = np.add.reduceat(squares, ends - groups.sizes[kept], axis=0)[:, met]
    own = statistic.diagonal()
    for j in met[groups.sizes[met] > 1].tolist():
        own[j] = np.linalg.norm(_part(statistic.gram, groups.members([j])))
    similar = shared / np.maximum(own[kept][:, None] * own[met], np.finfo(float).tiny)
    similar[kept[:, None] == met] = 2.0  # a column stands for itself before any other does
    return np.asarray(similar)
