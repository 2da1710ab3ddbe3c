"""An extraction, a comparison and a check as self-contained HTML pages.

The templates give the finished pages, that of a check without any script. Of an extraction the
script only moves the marks of the score plot to other components and shows the loadings of one
component at a time; of a comparison it only highlights the methods that are chosen.
"""

from array import array
from collections.abc import Sequence
from itertools import zip_longest

from tamis.facts.comparison_answer import ComparisonFacts
from tamis.facts.extraction_answer import STEPS, ExtractionFacts, ScorePlotFacts
from tamis.facts.look_and_check import CheckFacts
from tamis.presentation.page.fill import WIDTHS, deflate, fill, join_styles, make_environment
from tamis.presentation.prose.about_column import check_headline, drift_sentence
from tamis.presentation.prose.about_comparison import below_note, figure_text
from tamis.presentation.prose.about_extraction import component_name
from tamis.presentation.prose.writing import percent, weight_text
from tamis.presentation.scenes.comparison import agreement_map, line_chart, place_chart
from tamis.presentation.scenes.rows import (
    BOX,
    MAX_UNJOINED,
    mark,
    score_plot,
    share_chart,
    spread_plot,
)

_MAX_SHARES_DRAWN = 100  # components whose shares are drawn
_HEIGHTS = (240, 220)  # of their chart, by width
_RADII = ((300, 4.2), (1500, 3.2))
_SMALLEST = 2.4


def render_extraction(facts: ExtractionFacts, plot: ScorePlotFacts | None) -> str:
    """Return the complete HTML page of `facts`; `plot` is None where rows are not to be shown."""
    from markupsafe import Markup

    drawn = zip(plot.ticks if plot else (), facts.names, facts.shares, strict=False)
    titles = [f"{name} ({percent(share)})" for _, name, share in drawn]
    shown = len(plot.places) if plot else 0
    radius = next((radius for most, radius in _RADII if shown <= most), _SMALLEST)
    shares, thing = facts.shares[:_MAX_SHARES_DRAWN], component_name(facts.method.id)
    label = f"Share of each of {len(shares)} {thing}s, and their running total"
    return fill(
        "extraction",
        facts,
        _embed_scores(plot, titles) if plot and facts.k > 1 else {},
        more={"plot": plot},
        plot=Markup(_draw_scores(plot, titles, radius)) if plot else "",
        shown=shown,
        plotted=len(titles),
        radius=radius,
        charts=[
            Markup(share_chart(shares, label, thing, width=width, height=height))
            for width, height in zip(WIDTHS, _HEIGHTS, strict=True)
        ],
        joined=facts.k > MAX_UNJOINED,
        bars=len(shares),
        loadings=facts.loadings,
        weight_text=weight_text,
    )


def _draw_scores(plot: ScorePlotFacts, titles: Sequence[str], radius: float) -> str:
    groups, ticks = plot.groups, plot.ticks
    if len(titles) == 1:
        lanes = [(group.name, group.count, group.kind) for group in groups]
        return spread_plot(plot.histograms, ticks[0], lanes, titles[0])
    marks = [mark(i, group.kind, group.shape, radius) for i, group in enumerate(groups)]
    across, up = plot.steps[:2]
    axes, names = (ticks[0], ticks[1]), (titles[0], titles[1])
    return score_plot((across, up), plot.places, marks, axes, names)


def _embed_scores(plot: ScorePlotFacts, titles: Sequence[str]) -> dict[str, object]:
    return {
        "steps": STEPS,
        "box": BOX,
        "names": titles,
        "ticks": plot.ticks,
        "scores": [
            deflate(array("h", (step - STEPS // 2 for step in line)).tobytes())
            for line in plot.steps
        ],
    }


_MAX_COLOURED_METHODS = 6  # methods that have a colour of their own
_SHADES = 8
_MAX_COLUMNS_COMPARED = 25  # shown of those that some method keeps


def render_comparison(facts: ComparisonFacts) -> str:
    """Return the complete HTML page of `facts`."""
    from markupsafe import Markup

    ids = [method.id for method in facts.methods]
    # The classes of a method's lines: its own, and its colour.
    colours = [f"c{place}" for place in range(_MAX_COLOURED_METHODS)]
    pairs = zip_longest(ids, colours[: len(ids)], fillvalue="rest")
    kinds = {method: f"m{place} {colour}" for place, (method, colour) in enumerate(pairs)}
    heat = []
    for method in facts.methods:
        figures = ((c.unit, facts.figures[c.id][method.id]) for c in facts.criteria)
        heat.append((method, [(figure_text(one.mean, unit), one.level) for unit, one in figures]))
    shown = facts.popular[:_MAX_COLUMNS_COMPARED]
    return fill(
        "comparison",
        facts,
        {},
        kinds=kinds,
        colours=_MAX_COLOURED_METHODS,
        curves=[
            (c, Markup(svg)) for c in facts.criteria if (svg := line_chart(facts, c.id, kinds))
        ],
        heat=heat,
        shades=_SHADES,
        places=[Markup(place_chart(facts, kinds, width=w)) for w in WIDTHS if len(facts.sizes) > 1],
        agree=Markup(agreement_map(ids, facts.agreement.values, "Columns that methods share")),
        popular=shown,
        hidden=len(facts.popular) - len(shown),
        below=below_note(facts),
        basis=facts.deciding,
    )


_MAX_CHECK_ROWS = 200  # of a table in the page; the JSON has all


def render_check(facts: CheckFacts, title: str) -> str:
    """Return the complete HTML page of a check."""
    from markupsafe import Markup

    other = [f"{name} (now {what})" for name, what in facts.other_kind.items()]
    lists = {
        "Missing": facts.missing,
        "Of another kind": other,
        "Constant": facts.constant,
        "New": facts.fresh,
    }
    return (
        make_environment()
        .get_template("check.html.j2")
        .render(
            s=vars(facts),
            title=title,
            sentence=check_headline(facts),
            css=Markup(join_styles(("check",))),
            lists=[(name, columns) for name, columns in lists.items() if columns],
            drifted=[(drift, drift_sentence(drift)) for drift in facts.drifted[:_MAX_CHECK_ROWS]],
            shares=facts.shares[:_MAX_CHECK_ROWS],
            rows=_MAX_CHECK_ROWS,
            count=len(facts.shares),
        )
    )
