"""Which columns others determine, and which alone predict a target, on rows they have not seen."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import lgamma, log, log2
from typing import Any

import numpy as np
from scipy.special import gammaln

from tamis.columns.equations import (
    CHANCE_BITS,
    find_broken_sums,
    find_sums,
    fit_linear,
    group_by_rows,
    is_loose,
)
from tamis.facts.shared_answer import RelationFacts, RelationForm
from tamis.numerics.types import Floats

MIN_RELATED_ROWS = 8  # below, anything may be a coincidence


@np.errstate(all="ignore")  # columns too large to be squared or added have no relations
def find_relations(
    values: Floats, names: Sequence[str], *, sampled: bool = False
) -> tuple[RelationFacts, ...]:
    """Find every column that others determine, each with the simplest way that was found.

    `values` are rows of the table, NaN where a value is missing, all of them or, if `sampled`,
    some. Sums are of columns that are no function of one other; ranks that differ in places, or
    were taken within groups, are known as such only where all rows are there.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 40)).round(2)
    >>> found = find_relations(np.column_stack([a, b, a, a + b]), ["a", "b", "again", "both"])
    >>> [(one.column, one.parts) for one in found]
    [('again', {'a': 1.0}), ('both', {'a': 1.0, 'b': 1.0})]
    """
    values = np.where(np.isfinite(values), values, np.nan)
    if len(values) < MIN_RELATED_ROWS:
        return ()
    found = {one.column: one for one in find_same_order(values, names)}
    left = [j for j, name in enumerate(names) if name not in found]
    others = [names[j] for j in left]
    # Of columns that are there reversed, too, the reversed one and the sum of both.
    mirrored: dict[str, tuple[str, float]] = {}
    for one in found.values():
        if one.form == "linear" and not one.rounded and list(one.parts.values()) == [-1.0]:
            mirrored.setdefault(next(iter(one.parts)), (one.column, one.constant))
    rest = values.take(left, axis=1)  # row by row in memory, as rows are taken of it
    groups = list(group_by_rows(rest))
    exact = find_sums(groups, others)
    sums = [_add_up(one, mirrored) for one in (*exact, *find_broken_sums(groups, others))]
    ranks = [] if sampled else find_near_ranks(rest, others)
    for one in (*sums, *ranks):
        found.setdefault(one.column, one)
    place = {name: j for j, name in enumerate(names)}
    ordered = sorted(found.values(), key=lambda one: place[one.column])
    return tuple(replace(one, sampled=sampled) for one in ordered)


def _add_up(relation: RelationFacts, mirrored: Mapping[str, tuple[str, float]]) -> RelationFacts:
    """Write a sum with reversed items in the place of those taken off, where all of them are there.

    >>> total = RelationFacts("total", "linear", {"a": 1.0, "b": -1.0}, 6.0)
    >>> _add_up(total, {"b": ("b reversed", 6.0)}).parts
    {'a': 1.0, 'b reversed': 1.0}
    """
    off = [name for name, weight in relation.parts.items() if weight < 0]
    if not off or not all(name in mirrored for name in off):
        return relation
    parts, constant = {}, relation.constant
    for name, weight in relation.parts.items():
        if weight < 0:
            name, both = mirrored[name]
            constant += weight * both
            weight = -weight
        parts[name] = weight
    return replace(relation, parts=parts, constant=constant)


MAX_NEAR_DISTANCE = 0.02  # mean distance to the ranks of a column, as a share of the largest
MAX_EXACT_DISTANCE = 0.005  # to call them the ranks, though a few were taken otherwise
MIN_RANKED_ROWS = 30
MIN_AGREEMENT = 0.9  # correlation with ranks of all rows, to look within what they were taken
_ROWS_PER_GROUP = 8
_EVEN = (0.35, 0.65)  # mean of ranks as a share of the largest; counts have most values low
_MAX_TRIED = 5  # columns that are ranked
_MAX_GROUPINGS = 100  # columns within whose values ranks are tried


def find_near_ranks(values: Floats, names: Sequence[str]) -> list[RelationFacts]:
    """Find columns of ranks that agree with those of another column.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> score, year = rng.normal(size=80), np.repeat([2020.0, 2021.0], 40)
    >>> place = np.concatenate([(-part).argsort().argsort() + 1.0 for part in score.reshape(2, 40)])
    >>> found = find_near_ranks(np.column_stack([year, score, place]), ["year", "score", "place"])
    >>> found[0].parts, found[0].within, found[0].nearly
    ({'score': -1.0}, 'year', False)
    """
    found = []
    ranked = [j for j in range(values.shape[1]) if _holds_ranks(values[:, j])]
    for j in ranked:
        rows = np.isfinite(values[:, j])
        known = np.flatnonzero(np.isfinite(values[rows]).all(axis=0)).tolist()
        others = [i for i in known if i not in ranked]
        relation = _match_ranks(values[rows], j, others, names)
        if relation is not None:
            found.append(relation)
    return found


def _holds_ranks(column: Floats) -> bool:
    """Whether numbers may be ranks: integers or halves from 1 (or 0), no more than there are rows.

    >>> _holds_ranks(np.arange(1.0, 41.0)), _holds_ranks(np.arange(40.0) ** 2)
    (True, False)
    """
    known = column[np.isfinite(column)]
    if len(known) < MIN_RANKED_ROWS or known.min() not in (0.0, 1.0, 1.5):
        return False
    halves = bool((2 * known == np.rint(2 * known)).all())
    even = known.max() <= len(known) and _EVEN[0] <= known.mean() / known.max() <= _EVEN[1]
    return halves and bool(even) and len(np.unique(known)) >= MIN_RANKED_ROWS / 2


def _match_ranks(
    values: Floats, target: int, groupings: Sequence[int], names: Sequence[str]
) -> RelationFacts | None:
    """Find the column whose ranks agree most with these, among those that correlate most."""
    others = list(groupings)
    if not others:
        return None
    alike = np.abs(_correlate(values[:, others], values[:, target]))
    others = [others[i] for i in np.argsort(-alike, kind="stable")[:_MAX_TRIED].tolist()]
    ranks = np.column_stack([rank_evenly(values[:, i]) for i in others])
    agreement = _correlate(ranks, values[:, target])
    best = int(np.argmax(np.abs(agreement)))
    if abs(agreement[best]) < MIN_AGREEMENT:
        return None
    sign = float(np.sign(agreement[best]))
    ranked = sign * values[:, others[best]]
    found = RelationFacts(names[target], "rank", {names[others[best]]: sign}, rows=len(values))
    apart = _measure_distance(rank_evenly(ranked), values[:, target])
    if apart <= MAX_EXACT_DISTANCE:
        return found
    within = _look_within(values, target, ranked, groupings)
    if within is not None:
        return replace(found, within=names[within])
    return replace(found, nearly=True) if apart <= MAX_NEAR_DISTANCE else None


def _measure_distance(ranks: Floats, given: Floats) -> float:
    return float(np.abs(ranks - given).mean() / ranks.max())


def _look_within(
    values: Floats, target: int, ranked: Floats, groupings: Sequence[int]
) -> int | None:
    """Find the column within whose values the ranks were taken, if there is one."""
    counted = [(len(np.unique(values[:, i])), i) for i in groupings]
    few = sorted(one for one in counted if 1 < one[0] <= len(values) / _ROWS_PER_GROUP)
    for _, i in few[:_MAX_GROUPINGS]:
        inside = _rank_within(ranked, values[:, i])
        if _measure_distance(inside, values[:, target]) <= MAX_EXACT_DISTANCE:
            return i
    return None


def _rank_within(column: Floats, grouping: Floats) -> Floats:
    """Rank values among those of the same group.

    >>> _rank_within(np.array([5.0, 1.0, 2.0, 9.0]), np.array([0.0, 1.0, 0.0, 1.0])).tolist()
    [2.0, 1.0, 1.0, 2.0]
    """
    _, group, counts = np.unique(grouping, return_inverse=True, return_counts=True)
    different, places = np.unique(column, return_inverse=True)
    before = np.cumsum(counts) - counts
    keys = np.asarray(group * len(different) + places, dtype=np.float64)
    return rank_evenly(keys) - before[group]


def rank_evenly(column: Floats) -> Floats:
    """Rank values from 1; equal ones have the mean of their ranks.

    >>> rank_evenly(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places])


def _correlate(columns: Floats, with_column: Floats) -> Floats:
    centred, other = columns - columns.mean(axis=0), with_column - with_column.mean()
    lengths = np.linalg.norm(centred, axis=0) * np.linalg.norm(other)
    products = other @ centred
    return np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)


def find_same_codes(columns: Mapping[str, Sequence[Any]]) -> list[RelationFacts]:
    """Find columns of which each value goes with one value of an earlier column, and the reverse.

    None is a missing value, and must be missing in both.

    Examples
    --------
    >>> codes = ["a", "b", "c", "d"] * 20
    >>> found = find_same_codes({"code": codes, "name": [code.upper() for code in codes]})
    >>> found[0].column, found[0].form, found[0].parts
    ('name', 'codes', {'code': 1.0})
    """
    first: dict[bytes, str] = {}
    found = []
    for name, values in columns.items():
        known: dict[Any, int] = {None: -1}  # a number for every value, as they come
        for value in values:
            known.setdefault(value, len(known) - 1)
        codes = np.array([known[value] for value in values], dtype=np.int32)
        if not _is_telling(codes, len(columns), ordered=False):
            continue
        original = first.setdefault(codes.tobytes(), name)
        if original != name:
            same = list(values) == list(columns[original])
            rows = int(np.count_nonzero(codes >= 0))
            form: RelationForm = "linear" if same else "codes"
            found.append(RelationFacts(name, form, {original: 1.0}, rows=rows))
    return found


COARSE_STEP = 0.05  # of a standard deviation: that rows have the same order is evidence by itself
MIN_ORDERED_ROWS = 30  # with fewer, columns that correlate highly may happen to agree
_COMPARED_ROWS = 64  # whose order shows that most columns differ


def find_same_order(values: Floats, names: Sequence[str]) -> list[RelationFacts]:
    """Find columns that are functions of an earlier one which only rise or only fall.

    Missing values are NaN, and must be missing in both.

    Examples
    --------
    >>> celsius = np.random.default_rng(0).normal(20, 5, 60).round(1)
    >>> table = np.column_stack([celsius, 1.8 * celsius + 32])
    >>> find_same_order(table, ["C", "F"])[0].parts
    {'C': 1.8}
    """
    groups: dict[bytes, list[int]] = {}
    for j in _find_alike(values):
        order = _rank_densely(values[:, j])
        if order is not None and _is_telling(order, len(names), ordered=True):
            groups.setdefault(order.tobytes(), []).append(j)
    found = [_relate(values, names, one[0], j) for one in groups.values() for j in one[1:]]
    return [one for one in found if one.form != "order" or one.rows >= MIN_ORDERED_ROWS]


def _find_alike(values: Floats) -> list[int]:
    """List the columns that may order the rows as another one does: only these are ranked.

    Such columns, or one of them reversed, have their extreme values in the same rows, and pairs of
    rows stand in the same order.
    """
    known = np.isfinite(values)
    ends = []
    for found in (
        np.where(known, values, np.inf).min(axis=0),
        np.where(known, values, -np.inf).max(axis=0),
    ):
        there = values == found
        ends.append(zip(there.argmax(axis=0).tolist(), there.sum(axis=0).tolist(), strict=True))
    rows = np.linspace(0, len(values) - 1, _COMPARED_ROWS).astype(np.intp)
    signs = np.sign(np.diff(values[rows], axis=0))
    first = np.where(np.isnan(signs), 0.0, signs)
    turned = signs * first[np.abs(first).argmax(axis=0), np.arange(values.shape[1])]
    pairs = np.nan_to_num(turned.T, nan=2.0).astype(np.int8)
    keys = [(*sorted(two), one.tobytes()) for *two, one in zip(*ends, pairs, strict=True)]
    times = Counter(keys)
    return [j for j, key in enumerate(keys) if times[key] > 1]


def _rank_densely(column: Floats) -> Any:
    """Give the place of every value among the different ones, -1 where missing, from either end.

    Which end that is follows from the first row that is not in the middle.
    """
    known = np.isfinite(column)
    different, places = np.unique(column[known], return_inverse=True)
    if len(different) < 2:
        return None
    top = len(different) - 1
    aside = places[2 * places != top]
    if 2 * aside[0] > top:
        places = top - places
    ranks = np.full(len(column), -1, dtype=np.int32)
    ranks[known] = places
    return ranks


def _is_telling(codes: Any, width: int, *, ordered: bool) -> bool:
    """Whether so many columns would hardly order the rows alike, or divide them, by chance.

    There are n! / (c1! c2! ...) orders with these ties, and k! times fewer ways to divide the rows
    into k such sets, whichever is called the first. All pairs of columns are compared.
    """
    counts = np.bincount(codes[codes >= 0])
    ways = float(gammaln(counts.sum() + 1) - gammaln(counts + 1.0).sum())
    ways -= 0.0 if ordered else lgamma(len(counts) + 1)
    return ways / log(2) > 2 * log2(max(width, 2)) + CHANCE_BITS


def _relate(values: Floats, names: Sequence[str], first: int, second: int) -> RelationFacts:
    """Say how two columns of the same order are related.

    The earlier one is the original, unless the other direction has a name: it is then a logarithm,
    or has the ranks.
    """
    known = np.isfinite(values[:, first])
    pairs, rows = ((first, second), (second, first)), int(known.sum())
    for one, other in pairs:
        x, y = values[known, one], values[known, other]
        for form, source in _transform(x):
            if form == "linear" and one != first:
                continue
            fit = fit_linear(source[:, None], y, COARSE_STEP)
            if fit is not None and not is_loose(fit, source[:, None]):
                parts, how = {names[one]: fit.weights[0]}, (fit.constant, fit.rounded)
                return RelationFacts(names[other], form, parts, *how, rows=rows)
    x, y = values[known, first], values[known, second]
    sign = 1.0 if y[np.argmax(x)] > y[np.argmin(x)] else -1.0
    for one, other in pairs:
        if are_ranks_of(values[known, other], sign * values[known, one]):
            return RelationFacts(names[other], "rank", {names[one]: sign}, rows=rows)
    return RelationFacts(names[second], "order", {names[first]: sign}, rows=rows)


def _transform(x: Floats) -> Iterator[tuple[RelationForm, Floats]]:
    yield "linear", x
    if x.min() > 0:
        yield "log", np.log(x)
        yield "reciprocal", 1.0 / x
    if x.min() >= 0:
        yield "root", np.sqrt(x)
    if x.min() > -1:
        yield "log1p", np.log1p(x)


def are_ranks_of(ranks: Floats, values: Floats) -> bool:
    """Whether numbers are the ranks of values: from 1 or 0, equal ones by any of the usual rules.

    >>> values = np.array([3.0, 1.0, 7.0, 3.0])
    >>> are_ranks_of(np.array([2.0, 1.0, 4.0, 2.0]), values), are_ranks_of(values, values)
    (True, False)
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    rules = (last, last - counts + 1, last - (counts - 1) / 2, np.arange(1, len(counts) + 1))
    shift = ranks[np.argmin(values)] < 1
    return any(bool((ranks + shift == rule[places]).all()) for rule in rules)


MIN_LEAK_SHARE = 0.98  # of the target that a column must predict
MAX_CLASSES = 20  # different numbers that are still classes


def find_leaks(columns: Mapping[str, Any], target: Sequence[Any]) -> dict[str, float]:
    """Find the columns that alone predict a target, or nearly, each with the share predicted.

    A column is an array of numbers, NaN where missing, or a list of texts with None. Half of the
    rows predict the other half: numbers by interpolation, or by the class of the nearest value;
    texts by the mean or the most frequent class of the same text. Rows must come in no order.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x, other = rng.normal(size=(2, 200))
    >>> classes = ["high" if value > 0 else "low" for value in x]
    >>> list(find_leaks({"x": x, "other": other}, classes))
    ['x']
    """
    known = np.array([value is not None and value == value for value in target], dtype=bool)
    kept = [value for value, there in zip(target, known, strict=True) if there]
    # No column may predict by chance what has so much information.
    counts = np.array([*Counter(kept).values()], dtype=np.float64)
    bits = -float(np.sum(counts * np.log2(counts / counts.sum()))) / 2
    if len(counts) < 2 or bits <= log2(max(len(columns), 2)) + CHANCE_BITS:
        return {}
    different = sorted(set(kept), key=str)
    texts = any(isinstance(value, str) for value in different)
    classes = texts or len(different) <= MAX_CLASSES
    place = {value: float(code) for code, value in enumerate(different)}
    numbers = np.array([place[v] if classes else float(v) for v in kept])
    count = len(different) if classes else 0
    shares = {n: _predict(_pick(values, known), numbers, count) for n, values in columns.items()}
    return {name: share for name, share in shares.items() if share >= MIN_LEAK_SHARE}


def _pick(values: Any, rows: Any) -> Floats:
    """Give some values as numbers, texts as numbers of their own."""
    if isinstance(values, np.ndarray):
        return np.asarray(values[rows], dtype=np.float64)
    codes: dict[Any, float] = {}
    found = [codes.setdefault(v, 2.0 * len(codes)) if v is not None else np.nan for v in values]
    return np.array(found)[rows]


def _predict(x: Floats, y: Floats, classes: int) -> float:
    """Give the share of the target that a column predicts, each half of the rows by the other.

    Rows without a value count as not predicted: their target is taken for the mean, or the most
    frequent class.
    """
    half = np.arange(len(y)) % 2 == 0
    wrong = total = 0.0
    for learn, test in ((half, ~half), (~half, half)):
        there = np.isfinite(x)
        known = y[learn]
        usual = np.bincount(known.astype(np.intp)).argmax() if classes else known.mean()
        guess = np.full(len(y), float(usual))
        base = guess.copy()
        if (learn & there).sum() < 2:
            return 0.0
        guess[there] = _interpolate(x[learn & there], y[learn & there], x[there], classes)
        if classes:
            wrong += float((guess != y)[test].sum())
            total += float((base != y)[test].sum())
        else:
            wrong += float(np.square(guess - y)[test].sum())
            total += float(np.square(base - y)[test].sum())
    return 1.0 - wrong / total if total else 0.0


def _interpolate(x: Floats, y: Floats, at: Floats, classes: int) -> Floats:
    different, places = np.unique(x, return_inverse=True)
    if not classes:
        sums = np.bincount(places, weights=y)
        return np.interp(at, different, sums / np.bincount(places))
    counts = np.zeros((len(different), classes))
    np.add.at(counts, (places, y.astype(np.intp)), 1.0)
    most = counts.argmax(axis=1).astype(np.float64)
    above = np.clip(np.searchsorted(different, at), 0, len(different) - 1)
    below = np.maximum(above - 1, 0)
    nearer = np.abs(different[below] - at) <= np.abs(different[above] - at)
    return most[np.where(nearer, below, above)]
