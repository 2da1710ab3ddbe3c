"""Pictures of an extraction and of a comparison."""

from typing import Any

from tamis.facts.explorer import LoadingPlotFacts, RowsPlotFacts
from tamis.presentation.drawings.criterion_drawing import CriterionDrawing
from tamis.presentation.plots.selection import axes, legend_beside, percent_axis

__all__ = ["criterion_plot", "loadings_plot", "scores_plot"]

_MAX_BARS = 20


def scores_plot(facts: RowsPlotFacts, ax: Any = None) -> Any:
    """Draw the rows on the first two components, coloured by their labels if there are any."""
    ax = axes(ax)
    for rows in facts.groups:
        ax.scatter(rows.first, rows.second, s=9, alpha=0.7, linewidths=0, label=rows.label)
    across, up = (f"{name} ({share:.1%})" for name, share in facts.components)
    ax.set(xlabel=across, ylabel=up)
    if len(facts.groups) > 1:
        legend_beside(ax)
    return ax


def loadings_plot(facts: LoadingPlotFacts, ax: Any = None) -> Any:
    """Draw the largest loadings of the first component as bars."""
    ax = axes(ax)
    pairs = list(facts.weights.items())[:_MAX_BARS][::-1]
    colours = ["#2166ac" if weight < 0 else "#b2182b" for _, weight in pairs]
    ax.barh([str(name) for name, _ in pairs], [weight for _, weight in pairs], color=colours)
    ax.axvline(0, color="#5c636a", lw=0.8)
    ax.set(xlabel=f"loading on {facts.component}")
    return ax


def criterion_plot(drawing: CriterionDrawing, ax: Any = None) -> Any:
    """Draw one line for each method: a criterion against the number of columns."""
    ax = axes(ax)
    for line in drawing.lines:
        pairs = zip(drawing.sizes, line.values, strict=True)
        points = [(k, value) for k, value in pairs if value is not None]
        if points:
            wide = 2.4 if line.best else 1.2
            ax.plot(*zip(*points, strict=True), marker="o", ms=3.5, lw=wide, label=line.method)
    ax.set(xlabel="columns kept", ylabel=drawing.name)
    if drawing.in_percent:
        percent_axis(ax.yaxis)
    legend_beside(ax)
    return ax
