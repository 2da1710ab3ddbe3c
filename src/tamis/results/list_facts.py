"""What the report lists of every column: what it is, what is odd, how well it does on new rows."""

from collections.abc import Mapping, Sequence

import numpy as np

from tamis.algorithms.limits import NO_GROUP, limits_of
from tamis.columns.judgement import ColumnJudgement
from tamis.columns.relation import Relation
from tamis.errors import TamisError
from tamis.evaluation.held_out_columns import hold_out_columns
from tamis.evaluation.outcome import Outcome
from tamis.facts.column_list import GroupFacts, ListedFacts, RuleFacts
from tamis.numerics.types import Floats
from tamis.results.relation_facts import relation_facts
from tamis.run.row_sample import RowSample, measure_numbers
from tamis.run.search import Search
from tamis.statistics.row_blocks import choose_folds

__all__ = ["list_facts", "rule_facts"]

MAX_PRECISE = 20_000  # columns whose smallest and largest values are written with four digits
MAX_SHOWN_COLUMNS = 200
MAX_ALL_FOLDS = 1_000  # columns; of more, every second fold says enough of each
MANY_EMPTY = 0.5  # share of missing values that is a badge


def list_facts(outcome: Outcome, found: RowSample | None, *, rows: bool) -> ListedFacts:
    """Give what is known of every column; `found` are sampled rows, the columns of the path first.

    Smallest and largest values are those of single rows, so they need `rows`.
    """
    width = len(outcome.request.names)
    request = None if outcome.reader is None else outcome.reader.request
    judgement = None if request is None or request.preparation is None else request.preparation
    judged = None if judgement is None else judgement.judgement
    new_rows = _hold_out(outcome)
    shown = _show_rows(outcome, found) if rows and found is not None else ()
    if judged is not None:
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


def _name_relation(one: Relation) -> str:
    """Give the badge of a column that others determine."""
    first = next(iter(one.parts))
    if len(one.parts) > 1:
        return f"made of {len(one.parts)} columns"
    return f"copy of {first}" if relation_facts(one).is_copy else f"follows {first}"


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
    found = measure_numbers(outcome.reader, width)
    if found is None:
        return ListedFacts()
    digits = 4 if width <= MAX_PRECISE else 3
    empty = found.missing / max(found.seen, 1)
    return ListedFacts(
        rows=found.seen,
        kinds=("number",),
        kind_of=(0,) * width,
        missing=tuple(found.missing.tolist()),
        distinct=tuple(found.distinct.tolist()),
        estimated=() if found.whole else tuple(range(width)),
        low=_write_all(found.low, digits) if rows else (),
        high=_write_all(found.high, digits) if rows else (),
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
    if outcome.path.importance is not None or not isinstance(outcome.longer, Search):
        return None
    try:
        blocks = outcome.resampled.summary.blocks
    except TamisError:  # the table is no longer there
        return None
    width, kept = len(outcome.used), outcome.path.kept
    choices = choose_folds(blocks)[:: 1 if width <= MAX_ALL_FOLDS else 2]
    shares = hold_out_columns(blocks, kept, width, choices, shrink=outcome.longer.ridge)
    return tuple(None if np.isnan(one) else _thousandths(one) for one in shares.tolist())


def _thousandths(share: float) -> int:
    return -1 if share <= -5e-4 else round(1000 * max(share, 0.0))


def _show_rows(outcome: Outcome, found: RowSample) -> tuple[tuple[str, ...], ...]:
    """Give the cells of a few rows for the kept columns, which the sample has first."""
    return tuple(one.cells for one in found.columns[: min(outcome.k, MAX_SHOWN_COLUMNS)])


def rule_facts(outcome: Outcome) -> RuleFacts | None:
    """Give the groups and prices that the search had to respect, None where there were none."""
    options = outcome.longer.options if isinstance(outcome.longer, Search) else {}
    limits = limits_of(options, len(outcome.used))
    priced = bool(options.get("costs")) or np.isfinite(limits.budget)
    if not (limits.names or limits.apart > 0 or priced):
        return None
    kept = outcome.path.kept
    counts = limits.count_taken(kept)
    return RuleFacts(
        groups=tuple(
            GroupFacts(str(name), int(count), _whole(most), int(least))
            for name, count, most, least in zip(
                limits.names, counts, limits.most, limits.least, strict=True
            )
        ),
        group_of=_groups_of(limits.group[: len(outcome.used)].tolist()) if limits.names else (),
        spent=limits.spend(kept) if priced else 0.0,
        budget=float(limits.budget) if np.isfinite(limits.budget) else None,
        apart=limits.apart or None,
    )


def _whole(most: float) -> int | None:
    return int(most) if np.isfinite(most) else None


def _groups_of(group: Sequence[int]) -> tuple[int | None, ...]:
    return tuple(None if one == NO_GROUP else one for one in group)
