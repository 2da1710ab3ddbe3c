"""A selection as one self-contained HTML page.

The template gives the finished page for the chosen number of columns. The script only redraws it
for other numbers, from the same facts packed into a JSON block.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tamis.presentation.charts.curve import curve_chart
from tamis.presentation.charts.dendrogram import Dendrogram, dendrogram
from tamis.presentation.charts.heat import colour_scale, heat_map
from tamis.presentation.numbers import signed_percent
from tamis.presentation.page.evidence import evidence_charts
from tamis.presentation.page.fill import WIDTHS, fill
from tamis.presentation.page.pack import pack
from tamis.presentation.words import Words, words_of

__all__ = ["render"]

Summary = dict[str, Any]
Signs = tuple[tuple[str, str], tuple[str, str]]  # of the first term and the others, plus and minus

_ROWS = 100  # rows of a table shown at first
_TERMS = 4  # of a linear combination
_SUM: Signs = (("{}\u00a0", "\u2212{}\u00a0"), (" +\u00a0{}\u00a0", " \u2212\u00a0{}\u00a0"))
_SPOKEN = ("before", "after", "alone", "nothing", "counts")


def render(summary: Summary) -> str:
    """Return the complete HTML page of `summary`."""
    from markupsafe import Markup

    words, tree = words_of(summary["measure"]), _tree(summary)
    return fill(
        "selection",
        summary,
        _embedded(summary, words),
        styles=("trees",),
        w=words,
        charts=[Markup(chart) for chart in _charts(summary, words)],
        heat=[(kind, note, Markup(svg)) for kind, note, svg in _heat(summary, words)],
        scale=Markup(colour_scale(words)),
        tree=tree,
        trees=[Markup(tree.draw(width=width)) for width in WIDTHS] if tree else [],
        evidence=evidence_charts(summary["evidence"]),
        kept=list(_kept(summary)),
        dropped=_dropped(summary, words),
        removed=_removed(summary),
        stability=_stability(summary),
        rows=_ROWS,
    )


def _embedded(summary: Summary, words: Words) -> Summary:
    """Return what the script needs, packed."""
    curve, path, others = summary["curve"], summary["path"], summary["others"]
    heat = summary["heat"] or {}
    return {
        "rows": _ROWS,
        "words": {name: getattr(words, name) for name in _SPOKEN},
        "k": summary["k"],
        "used": summary["used"],
        "retained": [round(share, 6) for share in curve["retained"]],
        "bound": [round(share, 6) for share in curve["bound"]],
        "held": [round(share, 6) for share in (summary["held_out"] or {"share": []})["share"]],
        "path": [step["column"] for step in path],
        "gain": [round(step["gain"], 6) for step in path],
        "hidden": summary["hidden"],
        "counts": summary["counts"],
        "names": [other["column"] for other in others],
        "reasons": _reasons(summary),
        "places": pack(other["place"] or 0 for other in others),
        "shares": [pack(_differences(other["shares"])) for other in others],
        "from": [pack(_flat(other["from"])) for other in others],
        "heat": {
            kind: {"columns": part["columns"], "values": pack(_below_diagonal(part["values"]))}
            for kind, part in heat.items()
        },
    }


def _reasons(summary: Summary) -> dict[str, str]:
    """Return why each column was dropped, at the chosen `k`."""
    return {row["column"]: row["reason"] for row in summary["dropped"] if row["reason"]}


def _differences(numbers: Sequence[int]) -> Iterator[int]:
    last = 0
    for number in numbers:
        yield number - last
        last = number


def _flat(entries: Sequence[Any]) -> Iterator[int]:
    """Yield each entry as: kept columns since the last one, carried, pairs, then the pairs."""
    last = 0
    for start, pairs, carried in entries:
        yield from (start - last, carried, len(pairs))
        for position, weight in pairs:
            yield from (position, round(100 * weight))
        last = start


def _below_diagonal(values: Sequence[Sequence[int]]) -> Iterator[int]:
    for row, line in enumerate(values):
        yield from line[:row]


def _charts(summary: Summary, words: Words) -> list[str]:
    """Draw the curve twice: a wide one for screens and paper, a narrow one for phones."""
    curve = summary["curve"]["retained"], summary["curve"]["bound"], summary["k"]
    wide, narrow = WIDTHS
    found = summary["held_out"]
    held = None if found is None else (found["share"], [2 * se for se in _errors(found)])
    return [
        curve_chart(*curve, width=wide, words=words, held_out=held),
        curve_chart(*curve, width=narrow, height=240, words=words, held_out=held),
    ]


def _errors(found: Summary) -> list[float]:
    """Return the standard error of each held-out share."""
    return [std / found["folds"] ** 0.5 for std in found["std"]]


def _stability(summary: Summary) -> list[Summary]:
    """Return the kept columns with their frequency and what could replace them, rarest first."""
    found = summary["stability"]
    if found is None:
        return []
    rows = [
        {
            "column": name,
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


def _heat(summary: Summary, words: Words) -> Iterator[tuple[str, str, str]]:
    for kind, part in (summary["heat"] or {}).items():
        if part["columns"]:
            label = words.maps.format(len(part["columns"]), kind)
            yield kind, part["note"], heat_map(part["columns"], part["values"], label=label)


def _kept(summary: Summary) -> Iterator[Summary]:
    k = summary["k"]
    largest = max((step["gain"] for step in summary["path"]), default=0) or 1
    for step, total in zip(summary["path"][:k], summary["curve"]["retained"], strict=False):
        width = min(max(100 * step["gain"] / largest, 0), 100)
        yield {**step, "width": f"{width:.1f}", "total": total}


def _dropped(summary: Summary, words: Words) -> list[Summary]:
    """Return the dropped columns at the chosen `k`, the least explained first."""
    k = summary["k"]
    path = [step["column"] for step in summary["path"]]
    listed = [
        {"column": other["column"], "share": other["shares"][k - 1], "from": other["from"]}
        for other in summary["others"]
        if not other["place"] or other["place"] > k
    ]
    listed.sort(key=lambda row: row["share"])
    reasons = _reasons(summary)
    for row in listed[:_ROWS]:
        valid = [entry for entry in row["from"] if entry[0] <= k]
        _, pairs, carried = valid[-1] if valid else (0, [], 0)
        named = [(path[position], weight) for position, weight in pairs]
        row["terms"] = _terms(named, words.before, words.after)
        row["reason"] = reasons.get(row["column"], "")
        row["alone"] = carried if words.alone and pairs and carried < row["share"] else None
        row["alone_text"] = words.alone[len(pairs) - 1] if row["alone"] is not None else ""
    return listed


def _terms(
    pairs: Iterable[tuple[str, float]], before: Signs, after: str = ""
) -> list[tuple[str, str, str]]:
    """Return each column with what stands before and after it."""
    terms = []
    for place, (column, weight) in enumerate(pairs):
        size = f"{abs(weight):.2f}"
        terms.append((before[place > 0][weight < 0].format(size), column, after.format(size)))
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
