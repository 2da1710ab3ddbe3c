"""A selection as one self-contained HTML page.

The template gives the finished page for the chosen number of columns. The script redraws it for
other numbers, from the same facts packed into a JSON block.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from tamis.errors import is_number
from tamis.presentation.charts.clusters import cluster_chart
from tamis.presentation.charts.dendrogram import Dendrogram, dendrogram
from tamis.presentation.charts.fate import drawer
from tamis.presentation.charts.heat import colour_scale
from tamis.presentation.numbers import signed_percent
from tamis.presentation.page.evidence import evidence_charts
from tamis.presentation.page.fill import WIDTHS, fill
from tamis.presentation.page.selection_charts import curves, fates, maps
from tamis.presentation.page.selection_data import embedded
from tamis.presentation.words import Words, words_of

__all__ = ["STYLES", "render"]

Summary = dict[str, Any]
Signs = tuple[tuple[str, str], tuple[str, str]]  # of the first term and the others, plus and minus

STYLES = ("trees", "selection", "explorer", "card", "whatif")
DRAWERS = (
    ("safe", "Safe to drop", "at least 95% explained by the kept columns"),
    ("partly", "Partly lost", "explained, but not fully: the empty part of a bar is lost"),
    ("lost", "Lost", "hardly explained, or no better than chance: you may want these back"),
)
_ROWS = 40  # of a table shown at first
_CHIPS = 400
_TERMS = 4  # of a linear combination
_SUM: Signs = (("{}\u00a0", "\u2212{}\u00a0"), (" +\u00a0{}\u00a0", " \u2212\u00a0{}\u00a0"))


def render(summary: Summary) -> str:
    """Return the complete HTML page of `summary`."""
    from markupsafe import Markup

    words, tree = words_of(summary["measure"]), _tree(summary)
    clusters = cluster_chart(summary["map"], _kept_set(summary)) if summary["map"] else ""
    return fill(
        "selection",
        summary,
        embedded(summary, words, _ROWS),
        script="selection_live" if summary["live"] else "selection",
        styles=STYLES,
        w=words,
        charts=[Markup(chart) for chart in curves(summary, words)],
        fates=[Markup(chart) for chart in fates(summary)],
        maps=[(kind, Markup(svg)) for kind, svg in maps(summary, words)],
        scale=Markup(colour_scale(words)),
        clusters=Markup(clusters),
        tree=tree,
        trees=[Markup(tree.draw(width=width)) for width in WIDTHS] if tree else [],
        evidence=evidence_charts(summary["evidence"]),
        kept=list(_kept(summary)),
        drawers=list(_drawers(summary, words)),
        removed=_removed(summary),
        stability=_stability(summary),
        rows=_ROWS,
        chips=_CHIPS,
    )


def _kept_set(summary: Summary) -> set[int]:
    return set(summary["table"]["path"][: summary["k"]])


def _drawers(summary: Summary, words: Words) -> Iterator[Summary]:
    """Yield the three drawers at the chosen `k`, their columns the least explained first."""
    k, fates = summary["k"], summary["fates"]
    limits = fates["limits"]["safe"] / 1000, fates["limits"]["lost"][k - 1] / 1000
    table = summary["table"]
    used = table["used"] or range(len(table["names"]))
    # Rounded so that no column seems to lie beyond the limit of its drawer.
    shown = {table["names"][j]: at / 1000 for j, at in zip(used, fates["at"], strict=True)}
    rows = sorted(summary["dropped"], key=lambda row: shown[row["column"]])
    for kind, title, about in DRAWERS:
        mine = [row for row in rows if drawer(row["share"], limits) == kind]
        count = fates["counts"][kind][k - 1]
        yield {
            "kind": kind,
            "title": title,
            "about": about,
            "count": count,
            "width": f"{100 * count / max(len(rows), 1):.1f}",
            "rows": [_dropped(row, shown[row["column"]], words) for row in mine[:_ROWS]],
        }


def _dropped(row: Summary, share: float, words: Words) -> Summary:
    pairs = [(name, w) for name, w in row["weights"].items() if abs(w) >= words.least]
    carried = round(row["carried"], 3)
    alone = carried if words.alone and pairs and carried < share else None
    return {
        "column": row["column"],
        "share": share,
        "terms": _terms(pairs, words.before, words.after),
        "reason": row["reason"],
        "alone": alone,
        "alone_text": words.alone[len(pairs) - 1] if alone is not None else "",
    }


def _stability(summary: Summary) -> list[Summary]:
    """Return the kept columns with their frequency and what could replace them, rarest first."""
    found = summary["stability"]
    if found is None:
        return []
    rows = [
        {
            "column": name,
            "included": name in summary["included"],
            "percent": round(100 * found["frequency"].get(name, 0.0)),
            "others": [
                (other["column"], signed_percent(other["change"]))
                for other in found["substitutes"][name]
            ],
        }
        for name in summary["names"]
    ]
    return sorted(rows, key=lambda row: row["percent"])


def _tree(summary: Summary) -> Dendrogram | None:
    tree = summary["tree"]
    if tree is None or len(tree["order"]) < 2:
        return None
    path = [step["column"] for step in summary["path"]]
    return dendrogram(tree["order"], tree["depth"], path, summary["k"])


def _kept(summary: Summary) -> Iterator[Summary]:
    k = summary["k"]
    largest = max((step["gain"] for step in summary["path"]), default=0) or 1
    for step, total in zip(summary["path"][:k], summary["curve"]["retained"], strict=False):
        width = min(max(100 * step["gain"] / largest, 0), 100)
        yield {**step, "width": f"{width:.1f}", "total": total}


def _terms(
    pairs: Iterable[tuple[str, float]], before: Signs, after: str = ""
) -> list[tuple[str, str, str]]:
    """Return each column with what stands before and after it."""
    terms = []
    for place, (column, weight) in enumerate(pairs):
        size, mark = f"{abs(weight):.2f}", '"' if is_number(column) else ""
        start, end = before[place > 0][weight < 0].format(size), after.format(size)
        terms.append((f"{start}{mark}", column, f"{mark}{end}"))
    return terms


def _removed(summary: Summary) -> list[Summary]:
    """Return the first removals of a backward method, each with its largest terms."""
    return [
        {
            "column": row["column"],
            "error": f"{row['error']:.4f}" if row["error"] > 1e-12 else "0",
            "terms": _terms(list(row["weights"].items())[:_TERMS], _SUM),
            "more": max(len(row["weights"]) - _TERMS, 0),
        }
        for row in summary["removed"][:_ROWS]
    ]
