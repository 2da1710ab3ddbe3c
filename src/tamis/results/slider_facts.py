"""What the report of a selection adds: the path beyond k, and every column at every step."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tamis import registry
from tamis.algorithms.limits import NO_GROUP
from tamis.columns.judgement import NOT_JUDGED, ColumnJudgement
from tamis.columns.name_words import number_axis
from tamis.errors import spell_name
from tamis.evaluation.held_out import HeldOut
from tamis.evaluation.measure import Known, Measure, Variance, bound_by_components
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.record import Record
from tamis.facts.explorer import ExplorerFacts, RuleFacts
from tamis.facts.json_schema import SHOWN_FROM
from tamis.facts.selection_answer import HeldOutFacts
from tamis.facts.shared_answer import RelationFacts, RepeatFacts
from tamis.numerics.types import Floats, Indices
from tamis.progress import track
from tamis.registry.command import as_flag, flag
from tamis.results.plot_facts import (
    list_means,
    map_facts,
    share_facts,
    spread_steps,
    store_steps,
)
from tamis.results.selection_facts import held_out_facts
from tamis.results.shared_facts import command_for, repeat_patterns
from tamis.rules.pictures import LARGEST_LEVEL
from tamis.rules.tolerances import ROUNDED_STEPS
from tamis.run.again import RowSample, order_columns, read_numbers, sample_rows
from tamis.statistics.gram import part_of

_MAX_STEPS_SHOWN = 60
_AHEAD = 2
_MAX_PATH_ON_PAGE = 200
_SWAPS = 3_000_000  # kept columns times columns, for which substitutes are looked up
_MAX_BEYOND = 1_000_000  # columns times steps squared, where new rows are tried beyond the choice
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
    ceiling = outcome.measure.ceiling(_steps(outcome))
    curve = outcome.curve_of(path, retained, ceiling)
    names = outcome.request.names
    axis = number_axis([names[j] for j in outcome.used])
    steps = source_steps(len(path), known.width, k)
    least = SHOWN_FROM[outcome.measure.weights_are]
    columns, records = pack_sources(outcome.measure, known, steps, least)
    y = None if outcome.labels is None else outcome.labels.given
    shares = explained.shares_at(k)
    wanted, sample = sample_columns(outcome, path, shares)
    stored = store_steps(len(path), known.width, k, measured=outcome.new_rows is not None)
    new_rows, again = _on_new_rows(outcome, path, stored)
    choices, matrix = None, b""
    # The loop of the page knows prices and what is never kept, but none of the other limits.
    limited = outcome.limits.any or bool(outcome.search_options.get("together"))
    if (
        gram
        and live
        and not limited
        and (held := pack_gram(outcome.measure, path, shares, ceiling)) is not None
    ):
        choices, matrix = offer_choices(outcome, held[0], y), held[1]
    return ExplorerFacts(
        curve=curve,
        held_out=_held_out_beyond(outcome, again),
        knee=knee(retained),
        every_name=names,
        analysed=None if len(outcome.used) == len(names) else tuple(outcome.used.tolist()),
        path=tuple(path.tolist()),
        axis=axis,
        means=list_means(outcome) if axis else (),
        **share_facts(explained, k, curve.chance, stored, new_rows),
        source_columns=columns,
        source_records=records,
        has_all_sources=len(steps) == len(path),
        **sample_facts(wanted, sample, rows=rows),
        listed=list_columns(outcome, sample, rows=rows),
        rules=rule_facts(outcome),
        swaps=_swaps(outcome),
        map=map_facts(outcome, path) if gram else None,
        gram=gram,
        patterns=repeat_patterns(outcome.request, y),
        live=choices,
        matrix=matrix,
    )


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
MANY_EMPTY = 0.5  # share of missing values that is a badge
_LISTS = ("kinds", "kind_of", "missing", "distinct", "estimated", "low", "high")
# What is listed where nothing is known of the columns.
NOTHING_LISTED: Mapping[str, Any] = {
    **{"rows": 0, **dict.fromkeys(_LISTS, ()), "odd": {}},
    "rows_shown": (),
}


def list_columns(outcome: Outcome, sample: RowSample | None, *, rows: bool) -> dict[str, Any]:
    """Give what is known of every column for the script of the page, in table order.

    The keys are those of `Listed` in `types.d.ts`. The `sample` of rows has the columns of the path
    first. Smallest and largest values are those of single rows, so they need `rows`.
    """
    names = outcome.request.names
    judgement = NOT_JUDGED if outcome.reader is None else outcome.reader.request.judgement
    if judgement.rows:
        at = {name: j for j, name in enumerate(names)}
        columns = {at[one.name]: one for one in judgement.columns if one.name in at}
        related = {one.column: _name_relation(one) for one in judgement.relations}
        listed = _list_judged(columns, related, len(names), judgement.rows, rows=rows)
    else:
        listed = _list_numbers(outcome, len(names), rows=rows)
    # The sample has the kept columns first.
    shown = sample.cells[: min(outcome.k, MAX_SHOWN_COLUMNS)] if rows and sample else ()
    return {**listed, "rows_shown": shown}


def _list_judged(
    columns: Mapping[int, ColumnJudgement],
    related: Mapping[str, str],
    width: int,
    n_rows: int,
    *,
    rows: bool,
) -> dict[str, Any]:
    """List what the judgement of the table says; columns that were not judged stay open."""
    known = [columns.get(j) for j in range(width)]
    kinds = sorted({one.kind for one in columns.values()})
    digits = 4 if width <= MAX_PRECISE else 3
    odd = {j: _name_oddities(one, related) for j, one in columns.items()}
    return {
        "rows": n_rows,
        "kinds": kinds,
        "kind_of": [None if one is None else kinds.index(one.kind) for one in known],
        "missing": [None if one is None else one.missing for one in known],
        "distinct": [None if one is None else one.distinct or None for one in known],
        "estimated": [j for j, one in columns.items() if not one.exact],
        "low": ["" if one is None else _write(one.smallest, digits) for one in known if rows],
        "high": ["" if one is None else _write(one.largest, digits) for one in known if rows],
        "odd": {j: badges for j, badges in odd.items() if badges},
    }


def _name_relation(one: RelationFacts) -> str:
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


def _list_numbers(outcome: Outcome, width: int, *, rows: bool) -> dict[str, Any]:
    """List what the numbers of an array show: it is what somebody made it, and was not judged."""
    found = read_numbers(outcome.reader, width)
    if found is None:
        return {**NOTHING_LISTED}
    values, every = found
    ordered, known, distinct = order_columns(values)
    filled, seen = known.sum(axis=0), len(values)
    low = np.where(filled > 0, ordered[0], np.nan)
    high = np.where(filled > 0, ordered[np.maximum(filled - 1, 0), np.arange(width)], np.nan)
    digits, empty = 4 if width <= MAX_PRECISE else 3, (seen - filled) / seen
    mostly = np.flatnonzero(empty >= MANY_EMPTY).tolist()
    return {
        "rows": seen,
        "kinds": ["number"],
        "kind_of": [0] * width,
        "missing": (seen - filled).tolist(),
        "distinct": distinct.tolist(),
        "estimated": [] if every else list(range(width)),
        "low": [_write(value, digits) for value in low.tolist() if rows],
        "high": [_write(value, digits) for value in high.tolist() if rows],
        "odd": {j: [f"{100 * empty[j]:.0f}% empty"] for j in mostly},
    }


def _write(value: float | str | None, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value if len(value) <= 24 else f"{value[:23]}…"
    if np.isnan(value):
        return ""
    integer = float(value).is_integer() and abs(value) < 1e9
    return f"{value:.0f}" if integer else f"{value:.{digits}g}"


def _on_new_rows(
    outcome: Outcome, path: Indices, steps: list[int]
) -> tuple[list[Floats], HeldOut | None]:
    """Give each column's share on new rows at some steps, and its lower limit; nothing if unknown.

    With them come the errors of all columns together, chosen again in each fold. At the number of
    columns that are kept it is what the answer says; beyond it nothing is tried where that would
    take long.
    """
    own, width = outcome.new_rows, int(outcome.summary.groups.sizes.sum())
    if width * len(path) ** 2 > _MAX_BEYOND:
        path, steps = path[: outcome.k], steps[: steps.index(outcome.k) + 1]
    found = None if own is None else outcome.follow_new_rows(path, steps)
    if own is None or found is None:
        return [], None
    parts = [found.share, outcome.limit_new_rows(found)]
    for part, here in zip(parts, (own.share, outcome.limit_new_rows(own)), strict=True):
        part[steps.index(outcome.k)] = here[0]
    return parts, found.again


def _held_out_beyond(outcome: Outcome, again: HeldOut | None) -> HeldOutFacts | None:
    """Give the curve on held-out rows, and beyond what the answer has."""
    held = held_out_facts(outcome)
    if held is None or again is None:
        return held
    share, std = (
        (*known, *more[len(known) :].tolist())
        for known, more in ((held.share, again.share), (held.std, again.std))
    )
    return replace(held, share=share, std=std)


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
            (str(name), int(count), int(most) if np.isfinite(most) else None, int(least))
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


def sample_facts(wanted: Indices, found: RowSample | None, *, rows: bool) -> dict[str, Any]:
    """Give the fields of `ExplorerFacts` on kinds, and with `rows` on the values of some rows."""
    if found is None:
        return {"sample_gap": "unreadable"}
    kinds = sorted(set(found.kinds))
    known: dict[str, Any] = {
        "sample_seen": found.seen,
        "kinds": tuple(kinds),
        "kind_of": None if len(kinds) == 1 else tuple(kinds.index(kind) for kind in found.kinds),
    }
    sampled = [list(pair) for pair in zip(wanted.tolist(), found.distinct, strict=True)]
    if not rows:
        return {**known, "sample_gap": "omitted", "sampled": sampled}
    parts = zip(found.values, found.means, found.deviations, found.labels, strict=True)
    for row, (values, mean, deviation, labels) in zip(sampled, parts, strict=True):
        row += [float(f"{number:.6g}") for number in (*_range(values), mean, deviation)]
        row += [labels] if labels else []
    packed = b"".join(map(_levels, found.values))
    known |= {"sample_rows": len(found.at), "sampled": sampled, "sampled_values": packed}
    return {**known, "sample_gap": None}


def _range(values: Floats) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)


def _levels(values: Floats) -> bytes:
    low, high = _range(values)
    known = np.isfinite(values)
    width = high / 2 - low / 2 or 1.0  # halves: the largest numbers have no difference
    levels = np.rint(LARGEST_LEVEL * ((np.where(known, values, low) / 2 - low / 2) / width))
    return np.where(known, levels, LARGEST_LEVEL + 1).astype(np.uint8).tobytes()


_MAX_SOURCES_STORED = 100_000  # columns times steps
_WORTH = 12  # with fewer steps than this, only the chosen one
_LARGEST_INT16 = 32_767


def source_steps(m: int, width: int, k: int) -> list[int]:
    """Choose the numbers of kept columns at which sources are looked up.

    >>> source_steps(3, 20, 2), source_steps(70, 100_000, 30)
    ([1, 2, 3], [30])
    """
    room = _MAX_SOURCES_STORED // width
    return [k] if room < min(m, _WORTH) else spread_steps(m, room, k)


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
        positions, weights, shares = measure.carriers(known, step, targets)
        places = np.where((positions >= 0) & (np.abs(weights) >= least), positions, -1)
        if before.shape[1] != places.shape[1]:
            before = np.pad(before, ((0, 0), (0, places.shape[1] - before.shape[1])))
            before[:, -1] = -2
        new = (places != before[targets]).any(axis=1)
        before[targets] = places
        columns.append(targets[new])
        records.append(_records(step, places[new], weights[new], shares[new]))
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


_METHOD = "sfs"
_DEFAULT = "forward"
_WISHES = ("include", "forbid", "costs")
_REPEATED_OPTIONS = ("refine", "held_out", "stability", "k")


def offer_choices(outcome: Outcome, held: dict[str, Any], y: Any) -> dict[str, Any]:
    """Say what the loop of the page works on, and what was asked of the search, by name.

    `held` says which matrix the page has. The keys are those of `Live` in `types.d.ts`.
    """
    request = outcome.request
    shrink, noise = _find_shrinkage(outcome, held["columns"])
    asked = request.settings
    patterns = live_patterns(request, y, shrink="auto" if noise else shrink)

    def name(column: str | int) -> str:
        return column if isinstance(column, str) else request.names[column]

    return {
        **held,
        "same": request.method.id in (_METHOD, _DEFAULT) and not asked.get("refine"),
        "shrink": shrink,
        "noise": noise,
        "fixed": {
            "include": [name(column) for column in asked.get("include") or ()],
            "forbid": [name(column) for column in asked.get("forbid") or ()],
            "costs": {name(column): price for column, price in (asked.get("costs") or {}).items()},
        },
        "spelled": {option: spell_name(option) for option in ("include", "forbid")},
        "patterns": {"command": patterns.command, "python": patterns.python},
    }


def _find_shrinkage(
    outcome: Outcome, columns: list[int] | None
) -> tuple[float, list[float] | None]:
    """Give the shrinkage of the search, and with what that of each column is multiplied, if any."""
    if outcome.request.method.id != _DEFAULT:
        return 0.0, None
    options = outcome.search_options
    shrink, noise = float(options.get("shrink") or 0.0), options.get("noise")
    if not (shrink and noise):
        return shrink, None
    chosen = range(len(outcome.used)) if columns is None else columns
    return shrink, [float(noise.get(j, 1.0)) for j in chosen]


def live_patterns(request: Record, y: Any = None, *, shrink: float | str = 0.0) -> RepeatFacts:
    """Give the command and the Python line of the same table, with room for wishes.

    They name `sfs`, or the default with the shrinkage of the page: extreme values are limited, too.
    """
    method = _DEFAULT if request.method.id == _DEFAULT else _METHOD
    own = {option.name for option in request.method.taken} - {"outliers"}
    dropped = own | {*_WISHES, *_REPEATED_OPTIONS}
    asked = {name: value for name, value in request.settings.items() if name not in dropped}
    if method == _DEFAULT:
        asked["shrink"] = shrink
    again = replace(request, method=registry.get(method), settings=asked, command=None)
    patterns = repeat_patterns(again, y)
    if request.command and request.command.startswith("tamis select "):
        flags = [flag(name) for name in sorted(dropped)]
        command = command_for(request.command, without=["-m", "--method", *flags])
        usual = asked.get("scale") in (None, True, "auto") or "scale" in command
        more = f" --method {method}"
        if method == _DEFAULT:
            more += f" --shrink {shrink if isinstance(shrink, str) else f'{shrink:g}'}"
        more += "" if usual else f" {as_flag('scale', asked['scale'])}"
        command = command.replace(" -k {k}", f"{more} -k {{k}}")
        return replace(patterns, command=command)
    return patterns


MOST = 500  # columns: 330 kB as text
SOME = 120  # columns of a table so wide that its page has no room for more
_MAX_GRAM_COLUMNS = 2_000
_MAX_KEPT_WITH_GRAM = 2_000  # columns kept: 21 MB as text, and no page holds more
_MAX_EXACT = 200  # columns: 210 kB as text


def pack_gram(
    measure: Measure, path: Indices, shares: Floats, ceiling: Floats
) -> tuple[dict[str, Any], bytes] | None:
    """Give the matrix of the columns that a page can choose from, and what it is the matrix of.

    They are all columns or, of more than 500, those on the path and then those that it explains
    least: 500, or 120 of a table with more than 2,000 columns; `shares` is what it explains of
    each. With it comes the most that 1, 2, ... columns can explain of them, as many as the
    `ceiling` of all columns has. Where some columns are categories the matrix is that of all, with
    the number of its columns for each and of the rows. None where a method goes by information,
    keeps more columns than a page can hold, or where categories make the matrix too wide.
    """
    if not isinstance(measure, Variance) or measure.importance is not None:
        return None
    gram, groups = measure.statistic.gram, {}
    width, columns = len(gram.diagonal()), None
    if not measure.single:
        if width > MOST:
            return None
        sizes = measure.statistic.groups.sizes.tolist()
        groups = {"sizes": sizes, "rows": measure.statistic.n_rows}
    elif len(path) > _MAX_KEPT_WITH_GRAM:
        return None
    elif width > MOST:
        left = 1.0 - shares
        left[path] = np.inf
        room = MOST if width <= _MAX_GRAM_COLUMNS else max(SOME, len(path))
        chosen = np.sort(np.argsort(-left, kind="stable")[:room])
        gram, width, columns = part_of(gram, chosen), len(chosen), chosen.tolist()
        ceiling = bound_by_components(gram, min(len(ceiling), width))
    about = {
        "columns": columns,
        "width": width,
        "rounded": width > _MAX_EXACT,
        "bound": ceiling.tolist(),
        **{"sizes": None, "rows": None, **groups},
    }
    matrix = gram.block(slice(None))
    return about, write_rounded(matrix) if about["rounded"] else write_exactly(matrix)


def write_exactly(gram: Floats) -> bytes:
    """Give the lower triangle, row by row."""
    return np.asarray(gram[np.tril_indices(len(gram))], dtype="<f8").tobytes()


def write_rounded(gram: Floats) -> bytes:
    """Give the lengths of all columns, then their correlations in 16 bits, below the diagonal.

    Low bytes come before high ones: those are alike, and get shorter when deflated.
    """
    lengths = np.sqrt(np.diagonal(gram)).astype("<f8")
    below = np.tril_indices(len(gram), -1)
    links = gram[below] / (lengths[below[0]] * lengths[below[1]])
    steps = np.rint(np.clip(links, -1.0, 1.0) * ROUNDED_STEPS).astype("<i2")
    return lengths.tobytes() + steps.view(np.uint8).reshape(-1, 2).T.tobytes()
