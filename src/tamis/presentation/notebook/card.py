"""The frame of every card: one scoped style sheet, and tables on it.

Colours follow the theme of JupyterLab where there is one, otherwise what the reader prefers. There
is no script: a notebook that is not trusted shows the same words.
"""

import html
from collections.abc import Collection, Iterable, Sequence
from functools import cache, partial
from importlib.resources import files

from tamis.facts.comparison_answer import ComparisonFacts
from tamis.facts.extraction_answer import ExtractionFacts
from tamis.facts.look_and_check import LookFacts
from tamis.facts.selection_answer import ColumnFacts, SelectionFacts
from tamis.presentation.prose.about_column import (
    distinct_text,
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
from tamis.presentation.prose.about_selection import (
    baselines_sentence,
    fates_sentence,
    is_by_chance,
    levels_sentence,
    mostly_by,
    overfit_text,
    prediction_sentence,
    selection_sentence,
    shrink_sentence,
)
from tamis.presentation.prose.about_table import (
    clipped_sentence,
    missing_sentence,
    row_sentences,
    warning_advice,
    warning_text,
)
from tamis.presentation.prose.words import Words, words_of
from tamis.presentation.prose.writing import LONGEST, cut, percent, share_on_new_rows, signed_sum
from tamis.presentation.scenes.curve import curve_chart, curve_scene
from tamis.presentation.scenes.similarity import heat_map
from tamis.registry import Method

_MAX_CARD_CHIPS = 40


def card(sentence: str, *parts: str) -> str:
    """Put parts under the sentence that says what was found."""
    return (
        f'<div class="tamis-card"><style>{_style()}</style>'
        f'<p class="tamis-verdict">{html.escape(sentence)}</p>{"".join(parts)}</div>'
    )


def table(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    more: str = "",
    bare: bool = False,
) -> str:
    """Write a table of texts; columns in `numbers` are set to the right.

    `bare` is for a table within a card, which has the style sheet.
    """

    def line(tag: str, cells: Sequence[str]) -> str:
        marked = (
            f"<{tag}{' class=tamis-number' if i in numbers else ''}>{html.escape(cell)}</{tag}>"
            for i, cell in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(line("td", row) for row in rows)
    text = f"<table><thead>{line('th', head)}</thead><tbody>{body}</tbody></table>{note(more)}"
    return text if bare else f'<div class="tamis-card"><style>{_style()}</style>{text}</div>'


def chips(names: Sequence[str]) -> str:
    """Write names side by side, the first ones of many."""
    shown = "".join(f"<code>{html.escape(name)}</code> " for name in names[:_MAX_CARD_CHIPS])
    more = f"and {len(names) - _MAX_CARD_CHIPS:,} more" if len(names) > _MAX_CARD_CHIPS else ""
    return f'<p class="tamis-chips">{shown}{more}</p>'


def note(text: str) -> str:
    """Write a remark, nothing if there is none."""
    return f'<p class="tamis-note">{html.escape(text.strip())}</p>' if text.strip() else ""


@cache
def _style() -> str:
    return files(__package__).joinpath("card.css").read_text(encoding="utf-8")


def comparison_html(facts: ComparisonFacts) -> str:
    """Write what a notebook shows of a comparison."""
    criteria = facts.criteria
    head = ["method", *(criterion.head for criterion in criteria)]
    rows = []
    for method in facts.methods:
        name = f"{method.id}{' *' if method.best else ' =' if method.within_noise else ''}"
        means = ((facts.figures[one.id][method.id].mean, one.unit) for one in criteria)
        rows.append([name, *(figure_text(mean, unit) for mean, unit in means)])
    sizes = ", ".join(map(str, facts.sizes))
    about = f"Means over k = {sizes}." if len(facts.sizes) > 1 else f"k = {sizes}."
    noise = " =: within noise of the first." if facts.within_noise else ""
    figures = table(head, rows, numbers=range(1, len(head)), bare=True)
    notes = map(note, [missing_sentence(facts.missing), below_note(facts), *facts.notes])
    return card(comparison_sentence(facts), figures, note(about + noise), *notes)


_MAX_CARD_COMPONENTS = 10


def extraction_html(facts: ExtractionFacts) -> str:
    """Write what a notebook shows of an extraction."""
    loadings = facts.loadings
    largest = ["largest loadings"] if loadings else []
    head = [component_name(facts.method.id), "share", "total", *largest]
    rows = []
    for i, name in enumerate(facts.names[:_MAX_CARD_COMPONENTS]):
        figures = [name, percent(facts.shares[i]), percent(facts.cumulative[i])]
        rows.append([*figures, *([signed_sum(loadings[i].weights)] if loadings else [])])
    left = facts.k - _MAX_CARD_COMPONENTS
    more = f"... and {left:,} more" if left > 0 else ""
    separation = separation_sentence(facts.separation) if facts.separation else ""
    remark = f"Note: {facts.note}." if facts.note else ""
    about = f"Method: {facts.method.name}. {separation} {remark}"
    return card(
        extraction_sentence(facts),
        note(about),
        table(head, rows, numbers=[1, 2], more=more, bare=True),
    )


_MAX_LOOKED_AT = 200


def look_html(facts: LookFacts) -> str:
    """Write one row for each column, the first ones of many."""
    head = [
        "column",
        "kind",
        "missing",
        "distinct",
        "smallest",
        "largest",
        "unusual values",
        "analysed as",
        "option",
    ]
    rows = [
        [
            row.column,
            row.kind,
            percent(row.missing / facts.rows) if row.missing else "",
            distinct_text(row),
            value_text(row.smallest),
            value_text(row.largest),
            row.odd,
            row.done,
            row.option,
        ]
        for row in facts.columns[:_MAX_LOOKED_AT]
    ]
    left = len(facts.columns) - len(rows)
    more = f"{left:,} more columns: see frame" if left > 0 else ""
    notes = [note(doubt) for doubt in facts.doubts]
    shown = table(head, rows, numbers={2, 3, 4, 5}, more=more, bare=True)
    return card(look_headline(facts), *notes, shown)


def columns_html(columns: Sequence[ColumnFacts]) -> str:
    """Write a table of columns that have the same status."""
    if not columns:
        return "<p>no columns</p>"
    (head, *rows), numbers, more = tabulate_columns(columns)
    return table(head, rows, numbers=range(1, 1 + numbers), more=more)


def methods_html(methods: Sequence[Method]) -> str:
    """Write one row for each method."""
    head = ["id", "kind", "name", "what it does"]
    return table(head, [[method.id, method.kind, method.name, method.about] for method in methods])


def pairs_html(
    sentence: str,
    columns: Sequence[str],
    values: Sequence[Sequence[int]],
    closest: Sequence[tuple[str, str, float]],
) -> str:
    """Draw similarities in hundredths, and list the closest pairs."""
    rows = [[cut(a, LONGEST), cut(b, LONGEST), f"{share:.2f}"] for a, b, share in closest]
    pairs = table(["closest pairs", "", "shared"], rows, numbers=[2], bare=True) if rows else ""
    return card(sentence, heat_map(columns, values, sentence) if columns else "", pairs)


_WORST = 8


def selection_html(facts: SelectionFacts) -> str:
    """Write what a notebook shows of a selection."""
    words = words_of(facts.measure, facts.weights_are)
    parts = [
        note(baselines_sentence(facts)),
        _about(facts),
        _curve(facts, words),
        chips(facts.names),
        _worst(facts, words),
    ]
    parts += [note(overfit_text(facts.overfit))]
    parts += [note(doubt) for doubt in facts.doubts]
    for row in facts.warnings:
        said = filter(None, (f"{row.column}: {warning_text(row)}", warning_advice(row)))
        parts.append(note(f"{'; '.join(said)}."))
    return card(selection_sentence(facts), *parts)


def _about(facts: SelectionFacts) -> str:
    method = facts.method
    said = f"Method: {method.id}" + (f", {method.why}" if method.why else "") + "."
    clipped = clipped_sentence(facts.clipped) if facts.clipped else ""
    predicted = " ".join(prediction_sentence(one) for one in facts.predictions)
    parts = [said, predicted, missing_sentence(facts.missing), clipped, levels_sentence(facts)]
    parts += [shrink_sentence(facts)]
    parts += row_sentences(facts.row_notes)
    return note(" ".join(part for part in parts if part))


def _curve(facts: SelectionFacts, words: Words) -> str:
    if len(facts.curve.retained) < 2:
        return ""
    scene = curve_scene(facts.curve, facts.k, facts.held_out, words, chance=False)
    drawn = curve_chart(scene, facts.k, height=240)
    lines = [("kept", words.figure), ("ceiling", words.ceiling_key)]
    lines += [("held", "on new rows (held out)")] if facts.held_out else []
    keys = [f'<span><i class="{kind}"></i>{html.escape(text)}</span>' for kind, text in lines]
    return f'{drawn}<p class="tamis-key">{"".join(keys)}</p>'


def _worst(facts: SelectionFacts, words: Words) -> str:
    rows = sorted(facts.dropped, key=lambda row: row.first_share)[:_WORST]
    if not rows:
        return ""
    few = len(facts.dropped) <= _WORST
    measured = any(row.status for row in facts.dropped)
    shares = ["on new rows", "on these rows"] if measured else ["explained"]
    head = ["dropped" if few else "dropped, least explained", *shares, words.terminal_head]
    short, times = partial(cut, width=LONGEST), "\N{MULTIPLICATION SIGN}"
    cells = []
    for row in rows:
        by = mostly_by(row, words, short, chance=is_by_chance(row.share, facts), times=times)
        new = [] if row.new_rows is None else [share_on_new_rows(row.new_rows)]
        new = [""] if measured and not new else new
        cells.append([short(row.column), *new, percent(row.share), by])
    left = facts.columns - facts.used
    skipped = f"{left:,} of {facts.columns:,} columns were not analysed." if left else ""
    said = " ".join(filter(None, [fates_sentence(facts), skipped]))
    return table(head, cells, numbers=range(1, 1 + len(shares)), bare=True) + note(said)
