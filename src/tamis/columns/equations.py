"""Columns that are sums, differences or means of others, found in some rows of a table.

What is left of a column when others explain it is nothing but for rounding; which few of them it
takes is found one by one, each the one that correlates most with what is left. A total is missing
where one of its parts is: only columns that are known wherever it is known can be parts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import comb, log2
from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.linalg.lapack import dpstrf

from tamis.facts.shared_answer import RelationFacts
from tamis.numerics.types import Floats, Indices
from tamis.rules.tolerances import EPS, RANK_TOL, ROUNDING

CHANCE_BITS = 20  # of evidence beyond what a choice among all columns takes

MAX_DECIMALS = 9
FINE_STEP = 2e-3  # of a standard deviation: a coarser last digit leaves room for coincidence
PLAIN_STEP = 2e-2  # the same of a plain sum or mean, which has no coefficients to choose
ROWS_PER_COEFFICIENT = 3  # different ones, for an equation to say more than that it fits
_SINGLE = float(np.finfo(np.float32).eps)
_SHORT = (0, 1, 2, 3, 4, 6, 9, 12)  # decimals and digits of a coefficient that somebody chose


class Fit(NamedTuple):
    """A linear equation that holds in all rows; `rounded` but for the last digit."""

    weights: tuple[float, ...]
    constant: float
    rounded: bool


def find_step(values: Floats) -> float:
    """Give the smallest difference that a column was written with, 0 where it has all digits.

    >>> find_step(np.array([1.25, 3.0])), find_step(np.array([1.0, 7.0]))
    (0.01, 1.0)
    >>> find_step(np.array([np.pi, np.e]))
    0.0
    """
    size = float(np.abs(values).max(initial=0.0))
    for decimals in range(MAX_DECIMALS + 1):
        step = 10.0**-decimals
        if step <= 1e4 * EPS * size:
            break
        if (np.abs(values - np.rint(values / step) * step) <= 8 * EPS * size).all():
            return step
    return 0.0


def fit_linear(parts: Floats, whole: Floats, fine: float = FINE_STEP) -> Fit | None:
    """Find the equation by which columns add up to another; None where there is none.

    The error that is allowed is that of adding up numbers of this size in float64, or in float32
    where all are such numbers. Where the sum has few decimals it is half a step of the last: the
    equation, rounded, then gives every row as it is written. The step must be `fine` beside the
    spread of the column.

    Examples
    --------
    >>> celsius = np.array([[0.0], [10.0], [25.0], [30.5]])
    >>> fit_linear(celsius, 1.8 * celsius[:, 0] + 32)
    Fit(weights=(1.8,), constant=32.0, rounded=False)
    >>> fit_linear(celsius, np.array([1.0, 2.0, 0.0, 1.0])) is None
    True
    """
    middle, centre = parts.mean(axis=0), float(whole.mean())
    centred, spread = parts - middle, float(whole.std())
    lengths = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    if spread == 0.0 or not lengths.all():
        return None
    found = np.linalg.lstsq(centred / lengths, whole - centre, rcond=None)[0] / lengths
    limit, step = _limit_rounding(parts, whole, found), find_step(whole)
    sizes = lengths / np.sqrt(len(whole)) / spread
    tried, rounded = _shorten(found, sizes), None
    if step and float(np.abs(whole - centre - centred @ found).max()) <= step:
        # Most units start at 0: without a constant the coefficients are found more sharply.
        through: Floats = np.linalg.lstsq(parts, whole, rcond=None)[0].astype(np.float64)
        tried = [*(_shorten(through, sizes) if through.all() else ()), *tried]
    for weights in tried:
        left = whole - parts @ weights
        constant = float(left.min() + left.max()) / 2  # the one of the smallest error
        # More is allowed of a plain sum or mean: no coefficient was chosen freely.
        size = float(np.abs(weights[0]))
        plain = len(weights) > 1 and (np.abs(weights) == size).all() and (1 / size).is_integer()
        coarse = step > max(fine, PLAIN_STEP if plain else FINE_STEP) * spread
        allowed = 0.0 if coarse else _allow_rounding(whole, step)
        shorter_ones = [0.0, *(float(f"{constant:.{n}g}") for n in (3, 6, 12)), constant]
        for shorter in shorter_ones:
            if abs(shorter - constant) > limit + allowed:
                continue
            error = float(np.abs(left - shorter).max())
            if error <= limit:
                return Fit(tuple(weights.tolist()), shorter, rounded=False)
            if rounded is None and error <= limit + allowed:
                rounded = Fit(tuple(weights.tolist()), shorter, rounded=True)
    return rounded


def is_loose(fit: Fit, parts: Floats) -> bool:
    """Whether an equation would fit so few different rows of its parts in any case.

    Two points lie on a line, and three on a plane. Coefficients that are integers, or those of a
    mean, are evidence by themselves.

    >>> line = Fit((0.0448,), -87.852, rounded=False)
    >>> is_loose(line, np.array([[1985.0], [1995.0]] * 9)), is_loose(line, np.arange(9.0)[:, None])
    (True, False)
    """
    size = abs(fit.weights[0])
    mean = all(abs(one) == size for one in fit.weights) and (1 / size).is_integer()
    if mean or all(one.is_integer() for one in (*fit.weights, fit.constant)):
        return False
    return len(np.unique(parts, axis=0)) < ROWS_PER_COEFFICIENT * (len(fit.weights) + 1)


def _allow_rounding(whole: Floats, step: float) -> float:
    """Give half a step of the last digit, and what single precision took before that was written.

    Numbers of seven digits mostly come from there: its own rounding is of the size of their last.
    """
    size = float(np.abs(whole).max())
    return step / 2 + (size * _SINGLE / 2 if 0 < step <= 10 * size * _SINGLE else 0.0)


def _limit_rounding(parts: Floats, whole: Floats, weights: Floats) -> float:
    """Bound the rounding of a sum of these numbers, each rounded itself when it was written."""
    size = float(np.abs(whole).max() + np.abs(parts).max(axis=0) @ np.abs(weights))
    single = all((one == one.astype(np.float32)).all() for one in (*parts.T, whole))
    whole_numbers = find_step(whole) == 1.0 and all(find_step(one) == 1.0 for one in parts.T)
    return size * (_SINGLE if single and not whole_numbers else ROUNDING)


def _shorten(weights: Floats, sizes: Floats) -> list[Floats]:
    """List coefficients that somebody may have chosen, the shortest first.

    They differ little from those found; whether the equation holds with them is checked.
    """
    found: list[Floats] = []
    equal = np.abs(weights).mean() * np.sign(weights)
    counts = np.sign(weights) / max(round(1 / np.abs(weights).mean()), 1)
    tried = [np.rint(weights), counts]
    tried += [np.round(weights, digits) for digits in _SHORT[1:]]
    tried += [np.array([float(f"{w:.{n}g}") for w in weights]) for n in _SHORT[1:]]
    for one in [*tried, equal, weights]:
        near = (np.abs(one - weights) * sizes <= 1e-3).all()
        if near and (one != 0.0).all() and not any((one == known).all() for known in found):
            found.append(one)
    return found


MAX_PRODUCTS = 2_000_000_000  # multiplications spent on the correlations of columns


class KnownRows(NamedTuple):
    """Rows of a table, the columns that are known in all of them, and among these the targets.

    Targets are missing in all other rows. `gram` are the correlations of the columns, 0 where one
    is constant, `lengths` how much these vary, and `sizes` how large they are, as lengths.
    """

    table: Floats
    rows: Indices
    columns: Indices
    targets: Indices
    gram: Floats
    lengths: Floats
    sizes: Floats


def take_values(table: Floats, rows: Indices, columns: Indices) -> Floats:
    """Take rows and columns; a table without missing values is not copied."""
    if len(columns) == table.shape[1]:
        return table if len(rows) == len(table) else table.take(rows, axis=0)
    return table[np.ix_(rows, columns)]


def group_by_rows(values: Floats) -> Iterator[KnownRows]:
    """Yield the groups, those with many targets first, until the work is too much.

    >>> table = np.ones((9, 4))
    >>> table[:2, 3] = np.nan
    >>> [(one.rows.tolist()[0], one.targets.tolist()) for one in group_by_rows(table)]
    [(0, [0, 1, 2]), (2, [3])]
    """
    known = np.isfinite(values)
    groups: dict[bytes, list[int]] = {}
    for j, packed in enumerate(np.packbits(known.T, axis=1)):
        groups.setdefault(packed.tobytes(), []).append(j)
    spent = 0
    for group in sorted(groups.values(), key=lambda one: (-len(one), one[0])):
        rows = np.flatnonzero(known[:, group[0]])
        columns = np.flatnonzero(known[rows].all(axis=0)) if len(rows) else rows
        if len(columns) < 3 or len(rows) <= len(columns):
            continue
        spent += len(rows) * len(columns) ** 2
        if spent > MAX_PRODUCTS:
            return
        known_in_all = take_values(values, rows, columns)
        sizes = np.abs(known_in_all).max(axis=0) * np.sqrt(len(rows))
        centred = known_in_all - known_in_all.mean(axis=0)
        lengths = np.sqrt(np.einsum("ij,ij->j", centred, centred))
        centred /= np.where(lengths > 0.0, lengths, 1.0)
        targets = np.flatnonzero(np.isin(columns, group))
        yield KnownRows(values, rows, columns, targets, centred.T @ centred, lengths, sizes)


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


def find_sums(groups: Iterable[KnownRows], names: Sequence[str]) -> list[RelationFacts]:
    """Find columns that are linear combinations of few others, with a reason to believe it.

    Examples
    --------
    >>> items = np.random.default_rng(0).integers(1, 6, (50, 4)).astype(float)
    >>> table = np.column_stack([items, items[:, :3].sum(axis=1)])
    >>> find_sums(group_by_rows(table), ["a", "b", "c", "d", "total"])[0].parts
    {'a': 1.0, 'b': 1.0, 'c': 1.0}
    """
    found: dict[int, RelationFacts] = {}
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
                found[left] = RelationFacts(
                    names[left], "linear", weights, constant, fit.rounded, rows=len(group.rows)
                )
    return [found[j] for j in sorted(found)]


def _holds_for(group: KnownRows, left: int, terms: Mapping[int, float], constant: float) -> bool:
    """Whether an equation holds to the last digit of the column that stands alone."""
    values = take_values(*group[:3])
    place = {int(j): i for i, j in enumerate(group.columns)}
    parts, whole = values[:, [place[j] for j in terms]], values[:, place[left]]
    weights = np.array([*terms.values()])
    limit = _limit_rounding(parts, whole, weights) + _allow_rounding(whole, find_step(whole))
    return float(np.abs(whole - parts @ weights - constant).max()) <= limit


def find_unexplained(gram: Floats) -> Floats:
    """Give for each column the share of its variance that all others leave, about."""
    return np.asarray(1.0 / np.diagonal(np.linalg.inv(gram + _INVERSE_RIDGE * np.eye(len(gram)))))


def _find_in(group: KnownRows, width: int) -> Iterator[tuple[int, list[int], Fit]]:
    """Yield the targets that others add up to, with these."""
    gram, lengths, sizes = group.gram, group.lengths, group.sizes
    varying = np.flatnonzero(lengths > 1e-12 * sizes)
    if len(varying) < len(lengths):
        gram = gram[np.ix_(varying, varying)]
    involved = _find_involved(gram)
    place = {int(varying[i]): i for i in involved.tolist()}
    searched = [int(j) for j in group.targets if int(j) in place][:MAX_TARGETS]
    values = take_values(*group[:3]) if searched else np.zeros((0, 0))
    # To take parts one by one is slow: not for what all of them together do not reach.
    many = len(searched) >= _MANY_TARGETS
    left = find_unexplained(gram[np.ix_(involved, involved)]) if many else np.zeros(len(involved))
    rests = dict(zip(involved.tolist(), left.tolist(), strict=True))
    for target in searched:
        least = _REACHED * rests[place[target]]
        levels = [level for level in (_COARSELY, _DEPENDENT) if not level < least]
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
    if is_loose(fit, values[:, parts]):
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


MIN_RIGHT = 0.97  # of the rows
MAX_BROKEN_COLUMNS = 400  # of which totals are looked for
MAX_LEFT = 2e-2  # share of its variance that wrong rows may leave of a total
_LEVELS = tuple(np.geomspace(MAX_LEFT, 1e-4, 40))  # at which the sum is tried
_REACHED_LEFT = 0.5  # of what all others leave of a column: parts never leave less
_EXACT_LEFT = 1e-5  # what is less is an exact sum, or none
_MINOR_PART = 0.3  # of what parts usually add: wrong rows alone give others a weight


def find_broken_sums(groups: Iterable[KnownRows], names: Sequence[str]) -> list[RelationFacts]:
    """Find columns that are sums or differences of others, but for a few rows.

    Examples
    --------
    >>> items = np.random.default_rng(0).integers(1, 6, (200, 4)).astype(float)
    >>> table = np.column_stack([items, items.sum(axis=1)])
    >>> table[3, 4] += 2
    >>> (found,) = find_broken_sums(group_by_rows(table), ["a", "b", "c", "d", "total"])
    >>> found.column, found.parts, found.exceptions
    ('total', {'a': 1.0, 'b': 1.0, 'c': 1.0, 'd': 1.0}, 1)
    """
    found: dict[int, RelationFacts] = {}
    for group in groups:
        if len(group.columns) > MAX_BROKEN_COLUMNS:
            continue
        for target, parts, weights, constant, wrong in _find_broken_in(group, len(names)):
            members = [int(group.columns[j]) for j in (target, *parts)]
            left, terms, rest = solve_for(members, (-1.0, *weights), constant)
            shown = {names[j]: terms[j] for j in sorted(terms)}
            relation = RelationFacts(names[left], "linear", shown, rest, rows=len(group.rows))
            found.setdefault(left, replace(relation, exceptions=wrong))
    return list(found.values())


def _find_broken_in(
    group: KnownRows, width: int
) -> Iterator[tuple[int, list[int], list[float], float, int]]:
    gram, lengths = group.gram, group.lengths
    if not lengths.all():
        return
    left = find_unexplained(gram)
    every = np.arange(len(gram))
    searched = [j for j in group.targets.tolist() if _EXACT_LEFT < left[j] <= MAX_LEFT]
    values = take_values(*group[:3]) if searched else np.zeros((0, 0))
    for target in searched:
        reached = [level for level in _LEVELS if level > _REACHED_LEFT * left[target]]
        for parts in pursue_parts(gram, target, every, reached):
            shares = np.linalg.solve(gram[np.ix_(parts, parts)], gram[parts, target])
            weights = np.asarray(shares * lengths[target] / lengths[parts], dtype=np.float64)
            found = _check_rows(values, target, parts, weights, lengths[parts])
            if found is not None and is_telling(values[:, target], len(found[0]), width):
                yield target, *found
                break


def _check_rows(
    values: Floats, target: int, parts: Sequence[int], weights: Floats, lengths: Floats
) -> tuple[list[int], list[float], float, int] | None:
    """Add up with the nearest weights of 1 and -1, and count the rows in which that is wrong.

    `weights` are those of the parts by least squares, `lengths` how much these vary.
    """
    whole = values[:, target]
    carried = np.abs(weights) * lengths
    found = np.rint(np.where(carried >= _MINOR_PART * np.median(carried), weights, 0.0))
    used = [(j, float(w)) for j, w in zip(parts, found, strict=True) if w]
    if len(used) < 2 or any(abs(w) != 1.0 for _, w in used):
        return None
    columns, signs = [j for j, _ in used], [w for _, w in used]
    rest = whole - values[:, columns] @ np.array(signs)
    constant = float(np.median(rest))
    size = float(np.abs(values[:, [target, *columns]]).max())
    wrong = int(np.count_nonzero(np.abs(rest - constant) > 1e-9 * size * len(columns)))
    if wrong == 0 or wrong > (1 - MIN_RIGHT) * len(whole):
        return None
    return columns, signs, constant, wrong
