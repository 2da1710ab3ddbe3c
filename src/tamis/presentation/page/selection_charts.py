"""The drawings of a selection's page, for the chosen number of columns."""

from collections.abc import Iterator
from typing import Any

from tamis.presentation.charts.curve import curve_chart
from tamis.presentation.charts.fate import fate_chart
from tamis.presentation.charts.heat import heat_map
from tamis.presentation.page.fill import WIDTHS
from tamis.presentation.words import Words

__all__ = ["curves", "fates", "maps"]

Summary = dict[str, Any]


def curves(summary: Summary, words: Words) -> list[str]:
    """Draw the curve twice: a wide one for screens and paper, a narrow one for phones."""
    curve = summary["curve"]["retained"], summary["curve"]["bound"], summary["k"]
    found = summary["held_out"]
    held = None if found is None else (found["share"], [2 * se for se in _errors(found)])
    chance = summary["chances"] if words.signed else ()
    return [
        curve_chart(
            *curve,
            width=width,
            height=height,
            words=words,
            held_out=held,
            chance=chance,
            knee=summary["knee"],
        )
        for width, height in zip(WIDTHS, (300, 240), strict=True)
    ]


def _errors(found: Summary) -> list[float]:
    """Return the standard error of each held-out share."""
    return [std / found["folds"] ** 0.5 for std in found["std"]]


def fates(summary: Summary) -> list[str]:
    """Draw every column's share, wide and narrow."""
    table, fates, k = summary["table"], summary["fates"], summary["k"]
    shares = [share / 1000 for share in fates["at"]]
    used = table["used"] or range(len(table["names"]))
    names = [table["names"][j] for j in used]
    across, ends = _across(names, table["axis"])
    limits = fates["limits"]["safe"] / 1000, fates["limits"]["lost"][k - 1] / 1000
    label = f"Share explained of each of {len(shares):,} columns when {k:,} are kept"
    return [
        fate_chart(shares, across, table["path"][:k], limits, label=label, ends=ends, width=width)
        for width in WIDTHS
    ]


def _across(names: list[str], axis: list[float] | None) -> tuple[list[float], tuple[str, str]]:
    if axis is None:
        last = max(len(names) - 1, 1)
        return [j / last for j in range(len(names))], ("first column", "last column")
    low, high = axis
    places = [(float(name) - low) / (high - low) for name in names]
    return places, (f"{low:g}", f"{high:g}")


def maps(summary: Summary, words: Words) -> Iterator[tuple[str, str]]:
    """Draw the similarity of the columns before and after, in the same order and size."""
    found = summary["map"]
    if not found:
        return
    kept = set(summary["table"]["path"][: summary["k"]])
    rows = [i for i, column in enumerate(found["columns"]) if column in kept]
    for kind, chosen in (("before", range(len(found["columns"]))), ("after", rows)):
        names = [found["names"][i] for i in chosen]
        values = [[found["values"][i][j] for j in chosen] for i in chosen]
        marked = [found["columns"][i] in kept for i in chosen]
        label = words.maps.format(len(names), kind)
        yield kind, heat_map(names, values, label=label, marked=marked)
