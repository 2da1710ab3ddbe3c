"""An extraction, a comparison, a check, a look, a summary and a table of columns as text."""

from collections.abc import Mapping, Sequence

from tamis.errors import by_door, escape_controls
from tamis.facts.comparison_answer import ComparisonFacts, CriterionFacts
from tamis.facts.extraction_answer import ExtractionFacts
from tamis.facts.look_and_check import CheckFacts, LookedColumn, LookFacts
from tamis.facts.selection_answer import ColumnFacts
from tamis.facts.shared_answer import SummaryFacts
from tamis.presentation.prose.about_column import (
    check_headline,
    distinct_text,
    drift_sentence,
    look_headline,
    tabulate_columns,
    value_text,
)
from tamis.presentation.prose.about_comparison import below_note, comparison_sentence, figure_text
from tamis.presentation.prose.about_extraction import (
    component_name,
    extraction_sentence,
    separation_sentence,
)
from tamis.presentation.prose.about_table import labels_sentence, missing_sentence, summary_sentence
from tamis.presentation.prose.writing import (
    cut,
    list_reasons,
    list_skipped,
    percent,
    share_on_new_rows,
    signed_sum,
    weight_text,
)
from tamis.presentation.terminal.screen import Screen, join_lines, screen_width, wrap_sentence
from tamis.presentation.terminal.selection import split_notes

_MAX_LISTED_COMPONENTS = 20
_COMPONENT_BAR_LETTERS = 16


def extraction_text(facts: ExtractionFacts, *, width: int | None = None) -> str:
    """Write what was found: the sentence, the components with their shares and loadings."""
    loadings = facts.loadings
    named = [name for row in loadings[:_MAX_LISTED_COMPONENTS] for name in row.weights]
    screen = Screen.of(named, width=width)
    thing = component_name(facts.method.id)
    head = f"  {thing:<{_COMPONENT_BAR_LETTERS}}{'share':>13}{'total':>13}"
    lines = [
        part
        for said in split_notes(facts, extraction_sentence(facts), screen.width)
        for line in said
        for part in wrap_sentence(line, screen.width)
    ]
    rows = [(head, "loadings" if loadings else "")]
    for i, name in enumerate(facts.names[:_MAX_LISTED_COMPONENTS]):
        share, total = percent(facts.shares[i]), percent(facts.cumulative[i])
        weights = _write_sum(loadings[i].weights, screen) if i < len(loadings) else ""
        rows.append((f"  {name:<{_COMPONENT_BAR_LETTERS}}{share:>13}{total:>13}", weights))
    lines += ["", *screen.rows(rows)]
    if facts.k > _MAX_LISTED_COMPONENTS:
        lines.append(f"  ... and {facts.k - _MAX_LISTED_COMPONENTS:,} more")
    remarks = [separation_sentence(facts.separation)] if facts.separation else []
    remarks += [f"Note: {facts.note}."] if facts.note else []
    remarks += [] if loadings else ["Kernel methods have no column weights (loadings)."]
    remarks = [*(["", *remarks] if remarks else []), *list_skipped(facts)]
    lines += [part for line in remarks for part in wrap_sentence(line, screen.width)]
    return join_lines(lines)


def _write_sum(weights: Mapping[str, float], screen: Screen) -> str:
    """Write the columns with the largest weights as a sum.

    >>> _write_sum({"petal": 0.86, "sepal": -0.0829}, Screen())
    '0.86 petal - 0.08 sepal'
    """
    largest = max(map(abs, weights.values()), default=0.0)
    return signed_sum(weights, lambda weight: weight_text(weight, largest), screen.name)


_MAX_LINE_LETTERS = 100  # a leaderboard fits them
_METHOD_LETTERS = 22
_CELL = 7


def comparison_text(facts: ComparisonFacts) -> str:
    """Write the recommendation, the means of all criteria by method, and what was not compared."""
    width = min(_MAX_LINE_LETTERS, screen_width())
    lines = wrap_sentence(comparison_sentence(facts), width)
    labels = labels_sentence(facts.labels) if facts.labels else ""
    for said in (missing_sentence(facts.missing), labels):
        lines += wrap_sentence(said, width) if said else []
    lines += [part for doubt in facts.doubts for part in wrap_sentence(doubt, width)]
    criteria = facts.criteria
    heads = "".join(f"{criterion.head:>{_size_cell(criterion)}}" for criterion in criteria)
    lines += ["", f"  {'method':<{_METHOD_LETTERS}}{heads}"]
    for method in facts.methods:
        mark = "*" if method.best else "=" if method.within_noise else " "
        means = ((one, facts.figures[one.id][method.id].mean) for one in criteria)
        cells = [f"{figure_text(mean, one.unit):>{_size_cell(one)}}" for one, mean in means]
        lines.append(f"{mark} {method.id:<{_METHOD_LETTERS}}{''.join(cells)}")
    sizes = ", ".join(map(str, facts.sizes))
    only = f"Figures for {sizes} columns" if len(facts.sizes) == 1 else f"Means over k = {sizes}"
    least = [c.head for c in criteria if not c.larger]
    smaller = f"; smaller is better for {' and '.join(least)}" if least else ""
    noise = "; =: within noise of the first" if facts.within_noise else ""
    order = f"{only}, ordered by {facts.deciding.name}{smaller}{noise}."
    lines += ["", *wrap_sentence(order, width)]
    for note in filter(None, [below_note(facts), *facts.notes]):
        lines += wrap_sentence(note, width)
    reasons: dict[str, list[str]] = {}
    for row in facts.unsuitable:
        reasons.setdefault(row.why, []).append(row.method)
    lines += ["", "Not compared:"] if reasons else []
    for why, methods in reasons.items():
        first, *rest = wrap_sentence(f"{', '.join(methods)}: {why}", width - 2, "    ")
        lines += [first[2:], *rest]
    lines += [part for line in list_skipped(facts) for part in wrap_sentence(line, width)]
    return join_lines(lines)


def _size_cell(criterion: CriterionFacts) -> int:
    return max(_CELL, len(criterion.head) + 1)


_MAX_DRIFTS_SHOWN = 10


def check_text(facts: CheckFacts) -> str:
    """Write what holds and what does not, the columns that changed first."""
    kinds = [f"{name} (now {what})" for name, what in facts.other_kind.items()]
    drifts = [
        f"{drift.column} ({'kept' if drift.kept else 'dropped'}): {drift_sentence(drift)}"
        for drift in facts.drifted
    ]
    lost = [
        f"{row.column}: {percent(row.then)} then, {share_on_new_rows(row.now or 0.0)} now"
        for row in facts.shares
        if row.lost
    ]
    lines = [check_headline(facts), ""]
    lines += _list_columns("Missing", facts.missing)
    lines += _list_columns("Another kind", kinds)
    lines += _list_columns("Constant", facts.constant)
    lines += _write_section("Changed beyond chance:", drifts)
    lines += _write_section("Clearly less explained than before:", lost)
    lines += _list_columns("New", facts.fresh)
    return join_lines(lines).rstrip()


def _write_section(title: str, rows: Sequence[str]) -> list[str]:
    left = len(rows) - _MAX_DRIFTS_SHOWN
    more = [f"  and {left:,} more"] if left > 0 else []
    return [title, *(f"  {row}" for row in rows[:_MAX_DRIFTS_SHOWN]), *more, ""] if rows else []


def _list_columns(title: str, names: Sequence[str]) -> list[str]:
    left = len(names) - _MAX_DRIFTS_SHOWN
    more = f" and {left:,} more" if left > 0 else ""
    return [f"{title}: {', '.join(names[:_MAX_DRIFTS_SHOWN])}{more}.", ""] if names else []


_MAX_MEANING_LETTERS = 60  # letters of what a column means
MAX_LOOKED_AT = 100  # columns, beyond which only those with something to say are listed

_LOOK_TITLES = (
    f"{'kind':<13}{'missing':>8}{'distinct':>10}  {'smallest':>12}{'largest':>12}{'zeros':>7}"
)


def look_text(facts: LookFacts, *, everything: bool = False) -> str:
    """Write the table: a line for each column, or for those with something odd of a wide one."""
    shown = rows = facts.columns
    if len(rows) > MAX_LOOKED_AT and not everything:
        odd = [row for row in rows if row.odd or row.done.startswith("skipped")]
        shown = tuple(odd[:MAX_LOOKED_AT])
    screen = Screen.of([row.column for row in shown], beside=len(_LOOK_TITLES) - 24)
    lines = wrap_sentence(look_headline(facts), screen.width)
    lines += [part for doubt in facts.doubts for part in wrap_sentence(doubt, screen.width)]
    done = "unusual values; how it is analysed (what changes it)"
    head = f"  {'column':<{screen.room}}{_LOOK_TITLES}   {done}"
    lines += ["", head]
    lines += screen.rows(
        (f"  {screen.fit(row.column)}{_write_figures(row, facts.rows)}", _say_done(row))
        for row in shown
    )
    if len(shown) < len(rows):
        every = by_door("frame", "--all or --json")
        lines.append(f"  ... {len(rows) - len(shown):,} more columns: see {every}")
    return join_lines(lines)


def _write_figures(row: LookedColumn, rows: int) -> str:
    missing = percent(row.missing / rows) if row.missing and rows else ""
    zeros = percent(row.zeros / rows) if row.zeros and rows else ""
    ends = f"{value_text(row.smallest):>12}{value_text(row.largest):>12}"
    return f"{row.kind:<13}{missing:>8}{distinct_text(row):>10}  {ends}{zeros:>7}"


def _say_done(row: LookedColumn) -> str:
    done = f"{row.done} ({row.option})" if row.option else row.done
    text = f'"{cut(row.text, _MAX_MEANING_LETTERS)}"' if row.text else ""
    return "; ".join(part for part in (text, row.odd, done) if part)


def summary_text(facts: SummaryFacts) -> str:
    """Write what is in a summary, what was done about missing values, and what is not in it."""
    said = (summary_sentence(facts), missing_sentence(facts.missing), *facts.doubts)
    return join_lines([*filter(None, said), *list_reasons(facts.skipped)])


def columns_text(columns: Sequence[ColumnFacts]) -> str:
    """Write a table of columns that have the same status."""
    if not columns:
        return "no columns"
    rows, numbers, more = tabulate_columns(columns)
    width, *widths = (max(map(len, cells)) for cells in zip(*rows, strict=True))
    room = [max(10, 2 + one) for one in widths[:numbers]]
    lines = [
        f"  {name.ljust(width)}"
        + "".join(f"{cell:>{size}}" for cell, size in zip(rest, room, strict=False))
        for name, *rest in rows
    ]
    if columns[0].status not in ("kept", "skipped"):
        pairs = zip(lines, rows, strict=True)
        lines = [f"{line}   {row[-1]}".rstrip() for line, row in pairs]
    return "\n".join(map(escape_controls, [*lines, *([more] if more else [])]))
