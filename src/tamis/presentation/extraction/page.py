"""An extraction as one self-contained HTML page.

The template gives the finished page. The script only moves the marks of the score plot to other
directions and shows the weights of one direction at a time. The page's security policy lets it
load nothing and run no script but its own.
"""

from typing import Any

import numpy as np

from tamis.evaluation.extracted import Extracted
from tamis.presentation.extraction.facts import extraction_facts, weight_text
from tamis.presentation.extraction.groups import Group, group_labels
from tamis.presentation.extraction.measures import measure_of
from tamis.presentation.extraction.share_chart import share_chart
from tamis.presentation.numbers import percent
from tamis.presentation.page import fill, reasons, text_of
from tamis.presentation.report import ALPHABET, pack
from tamis.presentation.scatter import BOX, STEPS, axis_of, mark, score_plot, spread_plot

__all__ = ["render_extraction"]

Facts = dict[str, Any]

_PLOTTED = 12  # directions that the plot offers
_BARS = 100  # directions whose shares are drawn
_FEW = 12  # more names than this are folded away
_CHARTS = ((720, 240), (340, 220))  # for screens and paper, and for phones
_RADII = ((300, 4.2), (1500, 3.2))
_SMALLEST = 2.4


def render_extraction(found: Extracted) -> str:
    """Return the complete HTML page of an extraction."""
    from markupsafe import Markup

    facts = extraction_facts(found)
    groups, plot, data = _plot(found, facts)
    measure = measure_of(found.request.method.id)
    css = text_of("tamis.presentation.report", "report.css") + text_of(
        __package__, "extraction.css"
    )
    return fill(
        text_of(__package__, "extraction.html.j2"),
        text_of(__package__, "extraction.js"),
        data,
        s=facts,
        m=measure,
        css=Markup(css),
        plot=Markup(plot),
        groups=groups,
        step=found.sample.step,
        shown=len(found.sample.scores),
        plotted=min(found.k, _PLOTTED),
        radius=_radius(len(found.sample.scores)),
        charts=[Markup(chart) for chart in _charts(facts, measure.thing)],
        bars=min(found.k, _BARS),
        loadings=[_weights(row) for row in facts["loadings"]],
        reasons=reasons(facts),
        few=_FEW,
    )


def _plot(found: Extracted, facts: Facts) -> tuple[list[Group], str, Facts]:
    """Draw the rows; give the groups, the drawing, and what the script needs to draw another."""
    sample = found.sample
    groups, places = group_labels(sample.labels, len(sample.scores))
    titles = [
        f"{name} ({percent(share)})"
        for name, share in zip(found.names, facts["shares"], strict=True)
    ]
    if found.k == 1:
        lanes = [(group.name, group.count, group.kind) for group in groups]
        return groups, spread_plot(sample.scores[:, 0], places, lanes, titles[0]), {}
    columns = sample.scores[:, :_PLOTTED].T
    axes = [axis_of(column) for column in columns]
    steps = [axis.steps(column) for axis, column in zip(axes, columns, strict=True)]
    radius = _radius(len(places))
    marks = [mark(i, group.kind, group.shape, radius) for i, group in enumerate(groups)]
    drawing = score_plot(
        (steps[0], steps[1]), places, marks, (axes[0], axes[1]), (titles[0], titles[1])
    )
    data = {
        "alphabet": ALPHABET,
        "steps": STEPS,
        "box": BOX,
        "names": titles[:_PLOTTED],
        "ticks": [axis.ticks for axis in axes],
        "scores": [pack((line - STEPS // 2).tolist()) for line in steps],
    }
    return groups, drawing, data


def _radius(count: int) -> float:
    return next((radius for most, radius in _RADII if count <= most), _SMALLEST)


def _charts(facts: Facts, thing: str) -> list[str]:
    shares = np.asarray(facts["shares"])[:_BARS].tolist()
    label = f"Share of each of {len(shares)} {thing}s, and what they hold together"
    return [share_chart(shares, label, width=w, height=h) for w, h in _CHARTS]


def _weights(row: Facts) -> Facts:
    """Give each weight as text and as the width of its bar."""
    weights = row["weights"]
    largest = max(map(abs, weights.values()), default=1.0)
    return {
        **row,
        "rows": [
            (column, weight_text(weight, largest), f"{100 * abs(weight) / largest:.1f}", weight < 0)
            for column, weight in weights.items()
        ],
    }
