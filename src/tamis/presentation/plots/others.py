"""Pictures of an extraction and of a comparison."""

from typing import Any

from tamis.facts.comparison_answer import ComparisonFacts
from tamis.facts.plots import LoadingPlotFacts, RowsPlotFacts
from tamis.presentation.plots.canvas import axes, percent_axis

__all__ = ["comparison_plot", "loadings_plot", "scores_plot"]

_BARS = 20
_SHARES = ("share", "held-out")


def scores_plot(facts: RowsPlotFacts, ax: Any = None) -> Any:
    """Draw the rows on the first two components, coloured by their labels if there are any."""
    ax = axes(ax)
    for rows in facts.groups:
        ax.scatter(rows.first, rows.second, s=9, alpha=0.7, linewidths=0, label=rows.label)
    across, up = (f"{name} ({share:.1%})" for name, share in facts.components)
    ax.set(xlabel=across, ylabel=up)
    if len(facts.groups) > 1:
        ax.legend(frameon=False, fontsize="small", loc="best")
    return ax


def loadings_plot(facts: LoadingPlotFacts, ax: Any = None) -> Any:
    """Draw the largest loadings of the first component as bars."""
    ax = axes(ax)
    pairs = list(facts.weights.items())[:_BARS][::-1]
    colours = ["#2166ac" if weight < 0 else "#b2182b" for _, weight in pairs]
    ax.barh([str(name) for name, _ in pairs], [weight for _, weight in pairs], color=colours)
    ax.axvline(0, color="#5c636a", lw=0.8)
    ax.set(xlabel=f"loading on {facts.component}")
    return ax


def comparison_plot(facts: ComparisonFacts, criterion: str, ax: Any = None) -> Any:
    """Draw one line for each method: a criterion against the number of columns."""
    ax = axes(ax)
    known = next(one for one in facts.criteria if one.id == criterion)
    for method in facts.methods:
        figures = facts.figures[criterion][method.id].values
        points = [(k, v) for k, v in zip(facts.sizes, figures, strict=True) if v is not None]
        if points:
            wide = 2.4 if method.best else 1.2
            ax.plot(*zip(*points, strict=True), marker="o", ms=3.5, lw=wide, label=method.id)
    ax.set(xlabel="columns kept", ylabel=known.name)
    if criterion in _SHARES:
        percent_axis(ax.yaxis)
    ax.legend(frameon=False, fontsize="x-small", loc="best", ncols=1 + len(facts.methods) // 8)
    return ax
