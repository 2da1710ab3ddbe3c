"""Columns that are sums, differences or means of others, found in some rows of a table.

What is left of a column when others explain it is nothing but for rounding; which few of them it
takes is found one by one, each the one that correlates most with what is left. A total is missing
where one of its parts is: only columns that are known wherever it is known can be parts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb, log2

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpstrf

from tamis.columns.exactness import Fit, fit_linear, holds_rounded
from tamis.columns.relation import Relation
from tamis.columns.row_groups import KnownRows
from tamis.columns.same_order import CHANCE_BITS
from tamis.numerics.tolerances import RANK_TOL
from tamis.numerics.types import Floats, Indices

__all__ = [
    "find_sums",
    "find_unexplained",
    "is_telling",
    "pursue_parts",
    "solve_for",
]

MAX_PARTS = 60
MAX_FREE_WEIGHTS = 4  # parts whose weights may be any numbers; of more they must be equal
MAX_TARGETS = 300  # columns of which parts are looked for, in a group with the same rows
# Share of its variance that rounded digits may leave of a sum: the coarse one where few columns
# depend on others so nearly, and not in tables such as spectra, where all do.
_COARSELY, _DEPENDENT = 1e-4, 1e-6
MAX_COARSE = 50  # columns that depend on others coarsely
_REACHED = 1e-2  # of what all others are found to leave of a column: parts never leave less
_MANY_TARGETS = 10  # whose parts take longer to find than what all others leave of them
_INVERSE_RIDGE = 1e-9  # on correlations: exact sums among the columns leave no inverse
_MINOR_WEIGHT = 1e-4  # standard deviations of the sum, below which a part is none


def find_sums(groups: Iterable[KnownRows], names: Sequence[str]) -> list[Relation]:
    """Find columns that are linear combinations of few others, with a reason to believe it.

    Examples
    --------
    >>> from tamis.columns.row_groups import group_by_rows
    >>> items = np.random.default_rng(0).integers(1, 6, (50, 4)).astype(float)
    >>> table = np.column_stack([items, items[:, :3].sum(axis=1)])
    >>> find_sums(group_by_rows(table), ["a", "b", "c", "d", "total"])[0].parts
    {'a': 1.0, 'b': 1.0, 'c': 1.0}
    """
    found: dict[int, Relation] = {}
    seen: set[frozenset[int]] = set()
    for group in groups:
        for target, parts, fit in _find_in(group, len(names)):
            members = [int(group.columns[j]) for j in (target, *parts)]
            if frozenset(members) in seen:
                continue
            seen.add(frozenset(members))
            left, terms, constant = solve_for(members, (-1.0, *fit.weights), fit.constant)
            if fit.rounded and left != members[0] and not _holds_for(group, left, terms, constant):
                # What holds to the last digit of one column need not do so to that of another.
                left, constant = members[0], fit.constant
                terms = dict(zip(members[1:], fit.weights, strict=True))
            if left not in found:
                weights = {names[j]: terms[j] for j in sorted(terms)}
                found[left] = Relation(
                    names[left], "linear", weights, constant, fit.rounded, rows=len(group.rows)
                )
    return [found[j] for j in sorted(found)]


def _holds_for(group: KnownRows, left: int, terms: Mapping[int, float], constant: float) -> bool:
    """Whether an equation holds to the last digit of the column that stands alone."""
    values, place = group.take_values(), {int(j): i for i, j in enumerate(group.columns)}
    parts = values[:, [place[j] for j in terms]]
    return holds_rounded(parts, values[:, place[left]], np.array([*terms.values()]), constant)


def find_unexplained(gram: Floats) -> Floats:
    """Give for each column the share of its variance that all others leave, about."""
    return np.asarray(1.0 / np.diagonal(np.linalg.inv(gram + _INVERSE_RIDGE * np.eye(len(gram)))))


def _find_in(group: KnownRows, width: int) -> Iterator[tuple[int, list[int], Fit]]:
    """Yield the targets that others add up to, with these."""
    gram, lengths, sizes = group.correlations
    varying = np.flatnonzero(lengths > 1e-12 * sizes)
    if len(varying) < len(lengths):
        gram = gram[np.ix_(varying, varying)]
    involved = _find_involved(gram)
    place = {int(varying[i]): i for i in involved.tolist()}
    searched = [int(j) for j in group.targets if int(j) in place][:MAX_TARGETS]
    values = group.take_values() if searched else np.zeros((0, 0))
    # To take parts one by one is slow: not for what all of them together do not reach.
    many = len(searched) >= _MANY_TARGETS
    left = find_unexplained(gram[np.ix_(involved, involved)]) if many else np.zeros(len(involved))
    rests = dict(zip(involved.tolist(), left.tolist(), strict=True))
    for target in searched:
        levels = [
            one for one in (_COARSELY, _DEPENDENT) if not one < _REACHED * rests[place[target]]
        ]
        for parts in pursue_parts(gram, place[target], involved, levels):
            fit = _confirm(values, target, [int(varying[j]) for j in parts], width)
            if fit is not None:
                yield target, *fit
                break


def _find_involved(gram: Floats) -> Indices:
    """Find the columns that are part of any linear dependence: all others need no search."""
    factor, order, rank, _ = dpstrf(gram, tol=_COARSELY, lower=1)
    if len(gram) - rank > MAX_COARSE:
        factor, order, rank, _ = dpstrf(gram, tol=_DEPENDENT, lower=1)
    order = order - 1
    if rank == len(gram):
        return np.zeros(0, dtype=np.intp)
    lower = np.tril(factor)
    weights = scipy.linalg.solve_triangular(
        lower[:rank, :rank], lower[rank:, :rank].T, lower=True, trans=1, check_finite=False
    )
    used = np.abs(weights).max(axis=1) > _MINOR_WEIGHT
    return np.sort(np.concatenate([order[:rank][used], order[rank:]])).astype(np.intp)


def pursue_parts(
    gram: Floats, target: int, among: Indices, levels: Sequence[float]
) -> Iterator[list[int]]:
    """Take columns that explain a target, each the best; yield them when so little of it is left.

    `levels` fall; the columns are those of a Gram matrix of correlations.
    """
    waiting = list(levels)
    if not waiting:
        return
    among = among[among != target]
    chosen: list[int] = []
    free = np.ones(len(among), dtype=bool)
    towards, left = gram[among, target].copy(), 1.0
    W = np.zeros((min(MAX_PARTS, len(among)), len(among)))
    remains = np.ones(len(among))  # of every column, once the chosen ones are taken out
    for step in range(len(W)):
        able = free & (remains > _DEPENDENT)
        if not able.any():
            return
        score = np.where(able, np.abs(towards) / np.sqrt(np.maximum(remains, _DEPENDENT)), -1.0)
        best = int(np.argmax(score > score.max() * (1 - 1e-9)))
        w = (gram[among[best], among] - W[:step, best] @ W[:step]) / np.sqrt(remains[best])
        share = towards[best] / np.sqrt(remains[best])
        W[step], free[best] = w, False
        towards -= share * w
        remains -= np.square(w)
        left -= share**2
        chosen.append(int(among[best]))
        if left <= waiting[0]:
            waiting = [level for level in waiting if level < left]
            yield list(chosen)
        if not waiting:
            return


def _confirm(
    values: Floats, target: int, parts: list[int], width: int
) -> tuple[list[int], Fit] | None:
    """Drop parts without weight, and check the equation in every row."""
    if not parts:
        return None
    whole = values[:, target]
    centred = values[:, parts] - values[:, parts].mean(axis=0)
    lengths = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    found = np.linalg.lstsq(centred / lengths, whole - whole.mean(), rcond=RANK_TOL)[0]
    carries = np.abs(found) > _MINOR_WEIGHT * np.linalg.norm(whole - whole.mean())
    parts = [j for j, one in zip(parts, carries, strict=True) if one]
    if not parts or not is_telling(whole, len(parts), width):
        return None
    fit = fit_linear(values[:, parts], whole)
    if fit is None or (len(parts) > MAX_FREE_WEIGHTS and len(set(map(abs, fit.weights))) > 1):
        return None
    return parts, fit


def is_telling(whole: Floats, parts: int, width: int) -> bool:
    """Whether a sum of so many columns would hardly agree in every row by chance.

    The evidence is the entropy of the values in bits, a row at a time; against it stands the choice
    of the columns and their signs.
    """
    counts = np.unique(whole, return_counts=True)[1]
    shares = counts / counts.sum()
    evidence = -float(np.sum(counts * np.log2(shares)))
    choices = log2(comb(width, parts)) + parts + log2(width)
    return evidence > choices + CHANCE_BITS and len(whole) > 2 * parts + 4


def solve_for(
    members: Sequence[int], weights: Sequence[float], constant: float
) -> tuple[int, dict[int, float], float]:
    """Choose which column stands alone: a total, if all others add up to one; else the last.

    Of three columns the one in the middle, if it is the total, is what a difference is taken from.
    """
    terms = dict(zip(members, weights, strict=True))
    above = [j for j in terms if terms[j] > 0]
    below = [j for j in terms if terms[j] < 0]
    alone = [group[0] for group in (above, below) if len(group) == 1]
    left = alone[0] if len(alone) == 1 else max(terms)
    if len(terms) == 3 and sorted(terms)[1] == left:
        left = max(terms)
    divisor = -terms.pop(left)
    return left, {j: one / divisor for j, one in terms.items()}, constant / divisor or 0.0
