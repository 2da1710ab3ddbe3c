"""An extraction as one self-contained HTML page.

The template gives the finished page. The script only moves the marks of the score plot to other
components and shows the loadings of one component at a time.
"""

from collections.abc import Sequence

from tamis.facts.extraction_answer import STEPS, ExtractionFacts, LoadingFacts, ScorePlotFacts
from tamis.presentation.page.fill import WIDTHS, fill, pack
from tamis.presentation.prose.about_extraction import component_words
from tamis.presentation.prose.numbers import percent, weight_text
from tamis.presentation.scenes.rows import (
    BOX,
    MAX_UNJOINED,
    mark,
    score_plot,
    share_chart,
    spread_plot,
)
from tamis.values import dataclass

__all__ = ["render"]

_MAX_SHARES_DRAWN = 100  # components whose shares are drawn
_HEIGHTS = (240, 220)  # of their chart, by width
_RADII = ((300, 4.2), (1500, 3.2))
_SMALLEST = 2.4


@dataclass(frozen=True)
class LoadingRow:
    """The largest weights of a component: column, text, width of its bar, whether negative."""

    direction: str
    others: int
    rows: tuple[tuple[str, str, str, bool], ...]


def render(facts: ExtractionFacts, plot: ScorePlotFacts | None) -> str:
    """Return the complete HTML page of `facts`; `plot` is None where rows are not to be shown."""
    from markupsafe import Markup

    titles = _titles(facts, plot) if plot else []
    shown = len(plot.places) if plot else 0
    radius = _radius(shown)
    return fill(
        "extraction",
        facts,
        _embed_scores(plot, titles) if plot and facts.k > 1 else {},
        more={"plot": plot},
        plot=Markup(_draw_scores(plot, titles, radius)) if plot else "",
        shown=shown,
        plotted=len(titles),
        radius=radius,
        charts=[Markup(chart) for chart in _charts(facts)],
        joined=facts.k > MAX_UNJOINED,
        bars=min(facts.k, _MAX_SHARES_DRAWN),
        loadings=[_weights(row) for row in facts.loadings],
    )


def _titles(facts: ExtractionFacts, plot: ScorePlotFacts) -> list[str]:
    """Name the components that the plot offers, each with its share."""
    shown = zip(plot.ticks, facts.names, facts.shares, strict=False)
    return [f"{name} ({percent(share)})" for _, name, share in shown]


def _draw_scores(plot: ScorePlotFacts, titles: Sequence[str], radius: float) -> str:
    """Draw the rows on the first two components, or along the only one."""
    groups, ticks = plot.groups, plot.ticks
    if len(titles) == 1:
        lanes = [(group.name, group.count, group.kind) for group in groups]
        return spread_plot(plot.histograms, ticks[0], lanes, titles[0])
    marks = [mark(i, group.kind, group.shape, radius) for i, group in enumerate(groups)]
    across, up = plot.steps[:2]
    axes, names = (ticks[0], ticks[1]), (titles[0], titles[1])
    return score_plot((across, up), plot.places, marks, axes, names)


def _embed_scores(plot: ScorePlotFacts, titles: Sequence[str]) -> dict[str, object]:
    """Return what the script needs to draw other components."""
    return {
        "steps": STEPS,
        "box": BOX,
        "names": titles,
        "ticks": plot.ticks,
        "scores": [pack(step - STEPS // 2 for step in line) for line in plot.steps],
    }


def _radius(count: int) -> float:
    return next((radius for most, radius in _RADII if count <= most), _SMALLEST)


def _charts(facts: ExtractionFacts) -> list[str]:
    shares, thing = facts.shares[:_MAX_SHARES_DRAWN], component_words(facts.method.id).thing
    label = f"Share of each of {len(shares)} {thing}s, and their running total"
    return [
        share_chart(shares, label, thing, width=width, height=height)
        for width, height in zip(WIDTHS, _HEIGHTS, strict=True)
    ]


def _weights(row: LoadingFacts) -> LoadingRow:
    """Give each weight as text and as the width of its bar."""
    weights = row.weights
    largest = max(map(abs, weights.values()), default=1.0)
    rows = [
        (column, weight_text(weight, largest), f"{100 * abs(weight) / largest:.1f}", weight < 0)
        for column, weight in weights.items()
    ]
    return LoadingRow(row.direction, row.others, tuple(rows))
