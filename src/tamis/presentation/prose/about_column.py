"""What is said about single columns: before a choice, in an answer, on new rows."""

from collections.abc import Callable, Sequence
from typing import Any

from tamis.facts.look_and_check import CheckFacts, ColumnDrift, LookedColumn, LookFacts
from tamis.facts.selection_answer import ColumnFacts, TakenFacts
from tamis.presentation.prose.writing import (
    cut,
    is_worse,
    percent,
    plain,
    share_on_new_rows,
    signed_percent,
)
from tamis.rules.pictures import WORSE

_PLURALS = {"share": "shares", "category": "categories", "free text": "free text", "key": "keys"}
_UNUSABLE = ("constant", "empty", "other")  # kinds, named last and without a plural
_UNIT_CHANGES = (10.0, 100.0, 1000.0, 1e6)
_MAX_NAME_LETTERS = 40  # letters of a name in a table
_MAX_PRINTED_ROWS = 60


def look_headline(facts: LookFacts) -> str:
    """Say how many rows there are, and columns of every kind."""
    kinds = [
        f"{count:,} {kind if count == 1 else _PLURALS.get(kind, f'{kind}s')}"
        for kind, count in sorted(facts.kinds.items(), key=lambda pair: -pair[1])
        if kind not in _UNUSABLE
    ]
    kinds += [f"{facts.kinds[kind]:,} {kind}" for kind in _UNUSABLE if kind in facts.kinds]
    columns = len(facts.columns)
    return f"{facts.title}: {facts.rows:,} rows, {columns:,} columns: {', '.join(kinds)}."


def value_text(value: float | str | None) -> str:
    """Write the smallest or largest value in few characters."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else f"{value:.6g}"
    return text if len(text) <= 11 else f"{text[:10]}\N{HORIZONTAL ELLIPSIS}"


def distinct_text(row: LookedColumn) -> str:
    """Write how many different values there are, and whether that is an estimate."""
    if not row.distinct and not row.distinct_exact:  # dates are not counted
        return ""
    return f"{'' if row.distinct_exact else '~'}{row.distinct:,}"


def column_text(column: ColumnFacts, substitutes: Sequence[tuple[Any, float]] = ()) -> str:
    """Say what is known about one column, and which could replace it.

    >>> column_text(ColumnFacts("id", 0, "skipped", "text"))
    'id: skipped (text)'
    >>> column_text(ColumnFacts("q7", 6, "skipped", "constant", text="I worry"))
    'q7 ("I worry"): skipped (constant)'
    >>> column_text(ColumnFacts("a", 0, "safe", new_rows=0.98, new_rows_low=0.96, share=0.99))
    'a: dropped, safe: 98.0% explained on new rows (at least 96.0%), 99.0% on these rows'
    """
    meaning = f' ("{plain(column.text)}")' if column.text else ""
    name, status = f"{plain(str(column.name))}{meaning}", column.status
    if status == "kept":
        rank, gain, total = column.rank or 0, column.gain or 0.0, column.total or 0.0
        said = f"{name}: kept, number {rank:,}; adds {percent(gain)}"
        said += f", {percent(total)} with those before it" if rank > 1 else ""
        others = [f"{other} ({signed_percent(by)})" for other, by in substitutes[:3]]
        return f"{said}; instead of it: {', '.join(others)}" if others else said
    if status != "skipped":
        why = f"{column.reason}, " if column.reason else ""
        mostly = f"; {column.by}" if column.by else ""
        here = percent(column.share or 0.0)
        if column.new_rows is None or column.new_rows_low is None:
            return f"{name}: dropped, {why}{here} explained{mostly}"
        new = f"{percent(column.new_rows)} explained on new rows"
        new += f" (at least {percent(column.new_rows_low)})" if column.new_rows_low > 0 else ""
        new = f"{WORSE} on new rows" if is_worse(column.new_rows) else new
        return f"{name}: dropped, {why}{status}: {new}, {here} on these rows{mostly}"
    why = f" ({column.reason})" if column.reason else ""
    return f"{name}: {status}{why}"


def taken_text(taken: TakenFacts) -> str:
    """Say how a column was taken.

    >>> taken_text(TakenFacts("price", "number")), taken_text(TakenFacts("genes", "logarithm"))
    ('number', 'count as logarithm')
    >>> taken_text(TakenFacts("colour", "category", 3, 2, True))
    'category of 3 levels (2 rare ones pooled, missing values a level)'
    """
    if taken.kind == "category":
        beside = [f"{taken.rare:,} rare one{'s' * (taken.rare != 1)} pooled"] if taken.rare else []
        beside += ["missing values a level"] if taken.missing_level else []
        said = f"category of {taken.levels or 0:,} level{'s' * (taken.levels != 1)}"
        return f"{said} ({', '.join(beside)})" if beside else said
    if taken.kind == "bins":
        return f"{taken.levels or 0:,} levels or bins"
    return {"logarithm": "count as logarithm", "rank": "rank"}.get(taken.kind, "number")


def tabulate_columns(columns: Sequence[ColumnFacts]) -> tuple[list[list[str]], int, str]:
    """Write columns that are kept, or dropped, or skipped as rows, the head first.

    Gives how many cells behind the names are numbers, too, and what is skipped.
    """
    kinds: dict[str, tuple[list[str], Callable[[ColumnFacts], list[str]], int]] = {
        "kept": (["adds", "total"], lambda c: [_share(c.gain), _share(c.total)], 2),
        "dropped": (["explained", "by"], lambda c: [_share(c.share), c.by], 1),
        "skipped": (["reason"], lambda c: [c.reason], 0),
    }
    status = columns[0].status or "dropped"
    if any(c.new_rows_low is not None for c in columns) and status != "kept":
        status = "dropped"
        heads = ["new rows", "these rows", "status", "by"]
        kinds[status] = (heads, lambda c: [_new(c), _share(c.share), c.status or "", c.by], 3)
    head, cells, numbers = kinds[status]
    rows = [[cut(str(c.name), _MAX_NAME_LETTERS), *cells(c)] for c in columns[:_MAX_PRINTED_ROWS]]
    more = len(columns) - _MAX_PRINTED_ROWS
    return [[status, *head], *rows], numbers, f"  ... and {more:,} more" if more > 0 else ""


def _new(column: ColumnFacts) -> str:
    return "" if column.new_rows is None else share_on_new_rows(column.new_rows)


def _share(share: float | None) -> str:
    return percent(share or 0.0)


def check_headline(facts: CheckFacts) -> str:
    """Say whether the choice holds, with the share then and now."""
    word = "The choice holds" if facts.holds else "The choice does not hold"
    where = "on held-out rows then" if facts.held_out else "then"
    if facts.now is None:
        return f"{word}: of {facts.rows:,} new rows no dropped column is there to compare."
    limits = []
    if "min_share" in facts.failures:
        limits.append(f"less than the {percent(facts.min_share or 0.0)} asked for")
    if "max_fall" in facts.failures:
        limits.append(f"a fall of more than {percent(facts.max_fall or 0.0)}")
    explain = f"are {WORSE} in" if is_worse(facts.now) else f"explain {percent(facts.now)} of"
    return (
        f"{word}: its old weights {explain} {facts.rows:,} new rows "
        f"({percent(facts.then)} {where}){', ' if limits else ''}{' and '.join(limits)}."
    )


def drift_sentence(drift: ColumnDrift) -> str:
    """Say how a column changed."""
    said = []
    if drift.emptied:
        then = percent(drift.missing_then or 0.0)
        said.append(f"missing in {percent(drift.missing_now)} of the rows ({then} then)")
    if drift.mean:
        said.append(f"mean moved by {drift.shift:+.2f} standard deviations")
    if drift.spread:
        said.append(f"spread is {drift.ratio:.3g} times what it was{_say_unit(drift.ratio)}")
    if drift.relation:
        said.append(f"correlation with {drift.partner} changed by {drift.change:.2f}")
    return ", ".join(said)


def _say_unit(ratio: float) -> str:
    """Say that a unit may have changed, where the spread did by a power of ten.

    >>> _say_unit(998.0), _say_unit(0.0101), _say_unit(3.0)
    (', as if its unit had changed', ', as if its unit had changed', '')
    """
    factors = (max(ratio, 1 / ratio) / unit if ratio > 0 else 0.0 for unit in _UNIT_CHANGES)
    near = any(0.8 < factor < 1.25 for factor in factors)
    return ", as if its unit had changed" if near else ""
