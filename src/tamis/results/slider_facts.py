"""What the report of a selection adds: the path beyond k, and every column at every step."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tamis.algorithms.limits import NO_GROUP
from tamis.columns.judgement import ColumnJudgement
from tamis.errors import TamisError
from tamis.evaluation.held_out import hold_out_columns
from tamis.evaluation.measure import Measure
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.reconstruction import Known
from tamis.facts.explorer import (
    ExplorerFacts,
    GroupFacts,
    ListedFacts,
    RuleFacts,
    SampleFacts,
)
from tamis.facts.json_schema import SHOWN_FROM
from tamis.facts.shared_answer import RelationFacts
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.results.call_words import repeat_patterns
from tamis.results.live_facts import live_facts
from tamis.results.plot_facts import list_means, map_facts
from tamis.results.selection_facts import chance_facts, curve_facts
from tamis.results.share_facts import share_facts, spread_steps
from tamis.run.again import RowSample, order_columns, read_numbers, sample_rows
from tamis.statistics.row_blocks import choose_folds

_MAX_STEPS_SHOWN = 60
_AHEAD = 2
_MAX_PATH_ON_PAGE = 200
_SWAPS = 3_000_000  # kept columns times columns, for which substitutes are looked up
_MIN_AXIS_NAMES = 3  # names that make an axis
_SHARED = 600  # columns, where every swap needs the whole matrix


def slider_facts(
    outcome: Outcome, *, rows: bool = True, gram: bool = True, live: bool = True
) -> ExplorerFacts:
    """Gather what the explorer of the report needs; its curve replaces the shorter one.

    `rows` says whether values of a few rows may be in it, `gram` whether the correlations may: as a
    map, and with `live` as numbers with which the page can choose columns again.
    """
    path, retained = _longer(outcome)
    known, k = outcome.measure.reproduction(path), outcome.k
    explained = outcome.measure.explain_beyond_chance(known)
    chance = chance_facts(outcome, len(path))
    names = outcome.request.names
    axis = number_axis([names[j] for j in outcome.used])
    steps = source_steps(len(path), known.width, k)
    least = SHOWN_FROM[outcome.measure.weights_are]
    columns, records = pack_sources(outcome.measure, known, steps, least)
    y = None if outcome.labels is None else outcome.labels.given
    wanted, sample = sample_columns(outcome, path, explained.shares_at(k))
    return ExplorerFacts(
        curve=curve_facts(outcome.curve_of(retained), chance),
        knee=knee(retained),
        every_name=names,
        analysed=None if len(outcome.used) == len(names) else tuple(outcome.used.tolist()),
        path=tuple(path.tolist()),
        axis=axis,
        means=list_means(outcome) if axis else (),
        fates=share_facts(explained, k, chance),
        source_columns=columns,
        source_records=records,
        has_all_sources=len(steps) == len(path),
        sample=sample_facts(wanted, sample, rows=rows),
        listed=list_facts(outcome, sample, rows=rows),
        rules=rule_facts(outcome),
        swaps=_swaps(outcome),
        map=map_facts(outcome, path) if gram else None,
        gram=gram,
        patterns=repeat_patterns(outcome.request, y),
        live=live_facts(outcome, path, explained.shares_at(k), _steps(outcome), y)
        if gram and live
        else None,
    )


def number_axis(names: list[str]) -> tuple[float, float] | None:
    """Give the ends of the axis where all names are numbers, as the wavelengths of a spectrum.

    >>> number_axis(["400", "402.5", "405"]), number_axis(["400", "red"])
    ((400.0, 405.0), None)
    """
    try:
        values = [float(name) for name in names]
    except ValueError:
        return None
    steps = np.diff(values)
    rising = bool((steps > 0).all() or (steps < 0).all())
    known = len(values) >= _MIN_AXIS_NAMES and bool(np.isfinite(values).all())
    return (min(values), max(values)) if known and rising else None


def knee(retained: Floats) -> int | None:
    """Give the number of columns after which each further one adds much less.

    The point of the curve farthest above the line from its first to its last point.

    >>> knee(np.array([0.5, 0.8, 0.85, 0.88, 0.9]))
    2
    """
    m = len(retained)
    rise = float(retained[-1] - retained[0]) if m else 0.0
    if m < 5 or rise <= 0:
        return None
    above = (retained - retained[0]) / rise - np.arange(m) / (m - 1)
    return int(np.argmax(above)) + 1


def _steps(outcome: Outcome) -> int:
    """Give the largest number of columns that the slider shows."""
    used, k = len(outcome.used), outcome.k
    return (
        used if used <= _MAX_STEPS_SHOWN else max(k, min(_AHEAD * k + 10, _MAX_PATH_ON_PAGE, used))
    )


def _longer(outcome: Outcome) -> tuple[Indices, Floats]:
    """Follow the path beyond the columns kept, where a longer path has the same head."""
    path, k, steps = outcome.path, outcome.k, _steps(outcome)
    if len(path.indices) == k and path.nested and outcome.search is not None and steps > k:
        longer = outcome.search(steps)
        path = longer if np.array_equal(longer.indices[:k], path.indices) else path
    return path.indices[:steps], path.retained[:steps]


def _swaps(outcome: Outcome) -> dict[str, tuple[tuple[str, float], ...]] | None:
    """Give for each kept column what could replace it; None where that would take long."""
    width = len(outcome.used)
    if outcome.k * width > _SWAPS or outcome.k == width:
        return None
    if outcome.measure.name == "information" and width > _SHARED:
        return None
    return {name: tuple(pairs) for name, pairs in outcome.substitutes(n=3).items()}


MAX_PRECISE = 20_000  # columns whose smallest and largest values are written with four digits
MAX_SHOWN_COLUMNS = 200
MAX_ALL_FOLDS = 1_000  # columns; of more, every second fold says enough of each
MANY_EMPTY = 0.5  # share of missing values that is a badge


def list_facts(outcome: Outcome, found: RowSample | None, *, rows: bool) -> ListedFacts:
    """Give what is known of every column; `found` are sampled rows, the columns of the path first.

    Smallest and largest values are those of single rows, so they need `rows`.
    """
    width = len(outcome.request.names)
    judged = None if outcome.reader is None else outcome.reader.request.known
    new_rows = _hold_out(outcome)
    # The sample has the kept columns first.
    shown = found.cells[: min(outcome.k, MAX_SHOWN_COLUMNS)] if rows and found else ()
    if judged is not None and judged.rows:
        at = {name: j for j, name in enumerate(outcome.request.names)}
        columns = {at[one.name]: one for one in judged.columns if one.name in at}
        related = {one.column: _name_relation(one) for one in judged.relations}
        listed = _list_judged(columns, related, width, judged.rows, rows=rows)
    else:
        listed = _list_numbers(outcome, width, rows=rows)
    return ListedFacts(**{**vars(listed), "new_rows": new_rows, "rows_shown": shown})


def _list_judged(
    columns: Mapping[int, ColumnJudgement],
    related: Mapping[str, str],
    width: int,
    n_rows: int,
    *,
    rows: bool,
) -> ListedFacts:
    """List what the judgement of the table says; columns that were not judged stay open."""
    known = [columns.get(j) for j in range(width)]
    kinds = sorted({one.kind for one in columns.values()})
    digits = 4 if width <= MAX_PRECISE else 3
    odd = {j: tuple(_name_oddities(one, related)) for j, one in columns.items()}
    return ListedFacts(
        rows=n_rows,
        kinds=tuple(kinds),
        kind_of=tuple(None if one is None else kinds.index(one.kind) for one in known),
        missing=tuple(None if one is None else one.missing for one in known),
        distinct=tuple(None if one is None else one.distinct or None for one in known),
        estimated=tuple(j for j, one in columns.items() if not one.exact),
        low=tuple("" if one is None else _write(one.smallest, digits) for one in known if rows),
        high=tuple("" if one is None else _write(one.largest, digits) for one in known if rows),
        odd={j: badges for j, badges in odd.items() if badges},
    )


def _name_relation(one: RelationFacts) -> str:
    """Give the badge of a column that others determine."""
    first = next(iter(one.parts))
    if len(one.parts) > 1:
        return f"made of {len(one.parts)} columns"
    return f"copy of {first}" if one.is_copy else f"follows {first}"


def _name_oddities(one: ColumnJudgement, related: Mapping[str, str]) -> list[str]:
    """Give badges: how empty it is first, then what was seen in its values."""
    badges = [text for text in one.badges if text != "mostly missing"]
    if one.rows and one.missing >= MANY_EMPTY * one.rows and one.kind != "empty":
        badges.insert(0, f"{100 * one.missing / one.rows:.0f}% empty")
    if one.action == "skipped" and one.kind in ("identifier", "key"):
        badges.append("key" if one.kind == "key" else "id")
    return [*badges, related[one.name]] if one.name in related else badges


def _list_numbers(outcome: Outcome, width: int, *, rows: bool) -> ListedFacts:
    """List what the numbers of an array show: it is what somebody made it, and was not judged."""
    found = read_numbers(outcome.reader, width)
    if found is None:
        return ListedFacts()
    values, whole = found
    ordered, known, distinct = order_columns(values)
    filled, seen = known.sum(axis=0), len(values)
    low = np.where(filled > 0, ordered[0], np.nan)
    high = np.where(filled > 0, ordered[np.maximum(filled - 1, 0), np.arange(width)], np.nan)
    digits, empty = 4 if width <= MAX_PRECISE else 3, (seen - filled) / seen
    return ListedFacts(
        rows=seen,
        kinds=("number",),
        kind_of=(0,) * width,
        missing=tuple((seen - filled).tolist()),
        distinct=tuple(distinct.tolist()),
        estimated=() if whole else tuple(range(width)),
        low=_write_all(low, digits) if rows else (),
        high=_write_all(high, digits) if rows else (),
        odd={
            int(j): (f"{100 * empty[j]:.0f}% empty",) for j in np.flatnonzero(empty >= MANY_EMPTY)
        },
    )


def _write_all(values: Floats, digits: int) -> tuple[str, ...]:
    return tuple("" if np.isnan(value) else _write(value, digits) for value in values.tolist())


def _write(value: float | str | None, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value if len(value) <= 24 else f"{value[:23]}…"
    whole = float(value).is_integer() and abs(value) < 1e9
    return f"{value:.0f}" if whole else f"{value:.{digits}g}"


def _hold_out(outcome: Outcome) -> tuple[int | None, ...] | None:
    """Measure each column on held-out rows, in thousandths, where they are shown at all."""
    if not outcome.shows_held_out or outcome.measure.name != "variance":
        return None
    if outcome.path.importance is not None or outcome.search is None:
        return None
    try:
        blocks = outcome.resampled.blocks
    except TamisError:  # the table is no longer there
        return None
    width, kept = len(outcome.used), outcome.path.kept
    choices = choose_folds(blocks)[:: 1 if width <= MAX_ALL_FOLDS else 2]
    found = hold_out_columns(blocks, kept, width, choices, ridge=outcome.search.ridge)
    return tuple(None if np.isnan(one) else _thousandths(one) for one in found.shares.tolist())


def _thousandths(share: float) -> int:
    return -1 if share <= -5e-4 else round(1000 * max(share, 0.0))


def rule_facts(outcome: Outcome) -> RuleFacts | None:
    """Give the groups and prices that the search had to respect, None where there were none."""
    limits = outcome.limits
    priced = bool(outcome.search_options.get("costs")) or np.isfinite(limits.budget)
    if not (limits.names or limits.apart > 0 or priced):
        return None
    kept = outcome.path.kept
    counts = limits.count_taken(kept)
    group_of = limits.group[: len(outcome.used)].tolist() if limits.names else []
    return RuleFacts(
        groups=tuple(
            GroupFacts(str(name), int(count), int(most) if np.isfinite(most) else None, int(least))
            for name, count, most, least in zip(
                limits.names, counts, limits.most, limits.least, strict=True
            )
        ),
        group_of=tuple(None if place == NO_GROUP else place for place in group_of),
        spent=limits.spend(kept) if priced else 0.0,
        budget=float(limits.budget) if np.isfinite(limits.budget) else None,
        apart=limits.apart or None,
    )


_MAX_SAMPLED_ROWS = 200
_BYTES = 160_000
_LARGEST_LEVEL = 254  # levels from the smallest to the largest value; 255 stands for a missing one


def sample_columns(
    outcome: Outcome, path: Indices, shares: Floats
) -> tuple[Indices, RowSample | None]:
    """Read some rows of the columns for which there is room, None where that cannot be done.

    Those of the path come first, then the least explained ones by `shares`.
    """
    order = np.argsort(shares, kind="stable")
    wanted = np.concatenate([path, np.setdiff1d(order, path, assume_unique=True)])
    wanted = wanted[: _BYTES // _MAX_SAMPLED_ROWS]
    found = sample_rows(outcome.reader, outcome.used[wanted].tolist(), _MAX_SAMPLED_ROWS)
    same = found is not None and len(found.kinds) == len(outcome.request.names)
    return wanted, found if same else None


def sample_facts(wanted: Indices, found: RowSample | None, *, rows: bool) -> SampleFacts:
    """Give kinds and distinct values, and with `rows` the values of some rows."""
    if found is None:
        return SampleFacts("unreadable")
    kinds, shown = sorted(set(found.kinds)), slice(None if rows else 0)
    numbers = zip(found.values[shown], found.means, found.deviations, strict=False)
    return SampleFacts(
        gap=None if rows else "omitted",
        rows=len(found.at) if rows else 0,
        seen=found.seen,
        kinds=tuple(kinds),
        kind_of=None if len(kinds) == 1 else tuple(kinds.index(kind) for kind in found.kinds),
        columns=tuple(wanted.tolist()),
        distinct=found.distinct,
        numbers=tuple(_summarise_numbers(*one) for one in numbers),
        labels=found.labels[shown],
        values=b"".join(map(_levels, found.values[shown])),
    )


def _summarise_numbers(
    values: Floats, mean: float, deviation: float
) -> tuple[float, float, float, float]:
    """Give range, mean and deviation of the values of a column."""
    low, high = _range(values)
    return _short(low), _short(high), _short(mean), _short(deviation)


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _range(values: Floats) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


def _levels(values: Floats) -> bytes:
    low, high = _range(values)
    known = np.isfinite(values)
    width = high / 2 - low / 2 or 1.0  # halves: the largest numbers have no difference
    levels = np.rint(_LARGEST_LEVEL * ((np.where(known, values, low) / 2 - low / 2) / width))
    return np.where(known, levels, _LARGEST_LEVEL + 1).astype(np.uint8).tobytes()


_MAX_SOURCES_STORED = 100_000  # columns times steps
_WORTH = 12  # with fewer steps than this, only the chosen one
_LARGEST_INT16 = 32_767


def source_steps(m: int, width: int, k: int) -> list[int]:
    """Choose the numbers of kept columns at which sources are looked up.

    >>> source_steps(3, 20, 2), source_steps(70, 100_000, 30)
    ([1, 2, 3], [30])
    """
    room = _MAX_SOURCES_STORED // width
    if m <= room:
        return list(range(1, m + 1))
    return [k] if room < _WORTH else spread_steps(m, room, k)


def pack_sources(
    measure: Measure, known: Known, steps: list[int], least: float
) -> tuple[bytes, bytes]:
    """Give for each column from which of these steps on which few path columns carry it.

    The first bytes say whose record it is; a record is step, share carried (thousandths), number of
    sources, then for each its place on the path and its weight (hundredths). A column has a new
    record only where its sources change; weights below `least` are omitted.
    """
    width = known.width
    before = np.full((width, 1), -2)
    columns, records = [], []
    for step in track("steps explained", steps, len(steps)):
        targets = np.setdiff1d(np.arange(width), known.kept[:step])
        if not targets.size:
            break
        found = measure.carriers(known, step, targets)
        fit = (found.positions >= 0) & (np.abs(found.weights) >= least)
        places = np.where(fit, found.positions, -1)
        if before.shape[1] != places.shape[1]:
            before = np.pad(before, ((0, 0), (0, places.shape[1] - before.shape[1])))
            before[:, -1] = -2
        new = (places != before[targets]).any(axis=1)
        before[targets] = places
        columns.append(targets[new])
        records.append(_records(step, places[new], found.weights[new], found.shares[new]))
    whose = np.concatenate(columns) if columns else np.zeros(0)
    return whose.astype("<u4").tobytes(), b"".join(records)


def _records(step: int, places: Indices, weights: Any, carried: Any) -> bytes:
    count, most = places.shape
    table = np.empty((count, 3 + 2 * most), dtype=np.int64)
    table[:, 0] = step
    table[:, 1] = np.where(carried < 1 - 1e-9, np.minimum(np.rint(1000 * carried), 999), 1000)
    table[:, 2] = (places >= 0).sum(axis=1)
    table[:, 3::2] = places
    table[:, 4::2] = np.rint(100 * weights)
    there = np.ones(table.shape, dtype=bool)
    there[:, 3:] = np.repeat(places >= 0, 2, axis=1)
    return np.clip(table[there], -_LARGEST_INT16, _LARGEST_INT16).astype("<i2").tobytes()
