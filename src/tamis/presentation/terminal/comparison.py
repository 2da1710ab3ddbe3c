"""A comparison as text for a terminal: a leaderboard that fits 100 columns."""

from collections.abc import Sequence

from tamis.facts.comparison_answer import ComparedMethod, ComparisonFacts, CriterionFacts
from tamis.presentation.prose.about_comparison import below_note, comparison_sentence, figure_text
from tamis.presentation.prose.about_table import labels_sentence, missing_sentence
from tamis.presentation.prose.names import list_skipped
from tamis.presentation.terminal.screen import join_lines, screen_width, wrap_sentence

_MAX_LINE_LETTERS = 100
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
    heads = "".join(f"{criterion.head:>{_wide(criterion)}}" for criterion in criteria)
    lines += ["", f"  {'method':<{_METHOD_LETTERS}}{heads}"]
    lines += [_row(facts, method, criteria) for method in facts.methods]
    sizes = ", ".join(map(str, facts.sizes))
    only = f"Figures for {sizes} columns" if len(facts.sizes) == 1 else f"Means over k = {sizes}"
    least = [c.head for c in criteria if not c.larger]
    smaller = f"; smaller is better for {' and '.join(least)}" if least else ""
    noise = "; =: within noise of the first" if facts.within_noise else ""
    lines += [
        "",
        *wrap_sentence(f"{only}, ordered by {facts.deciding.name}{smaller}{noise}.", width),
    ]
    for note in filter(None, [below_note(facts), *facts.notes]):
        lines += wrap_sentence(note, width)
    lines += _unsuitable(facts, width)
    lines += [part for line in list_skipped(facts) for part in wrap_sentence(line, width)]
    return join_lines(lines)


def _wide(criterion: CriterionFacts) -> int:
    return max(_CELL, len(criterion.head) + 1)


def _row(facts: ComparisonFacts, method: ComparedMethod, criteria: Sequence[CriterionFacts]) -> str:
    mark = "*" if method.best else "=" if method.within_noise else " "
    cells = ""
    for criterion in criteria:
        mean = facts.figures[criterion.id][method.id].mean
        cells += f"{figure_text(mean, criterion.unit):>{_wide(criterion)}}"
    return f"{mark} {method.id:<{_METHOD_LETTERS}}{cells}"


def _unsuitable(facts: ComparisonFacts, width: int) -> list[str]:
    """Write which methods were not compared, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for row in facts.unsuitable:
        reasons.setdefault(row.why, []).append(row.method)
    lines = ["", "Not compared:"] if reasons else []
    for why, methods in reasons.items():
        first, *rest = wrap_sentence(f"{', '.join(methods)}: {why}", width - 2, "    ")
        lines += [first[2:], *rest]
    return lines
