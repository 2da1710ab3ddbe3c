"""How the experiments of the papers are spoken of, in a terminal, on a page and in a document."""

import math
from typing import Any

__all__ = [
    "VERDICTS",
    "count_figures",
    "summarise_claims",
    "write_amount",
    "write_difference",
    "write_ours",
    "write_printed",
]

Facts = dict[str, Any]

VERDICTS = {
    "holds": ("\N{CHECK MARK}", "yes"),
    "does not hold": ("\N{MULTIPLICATION SIGN}", "no"),
    "cannot be judged": ("?", "open"),
}
"""For each verdict the mark and the class of a style sheet; the words stand beside it."""


def write_amount(value: float | None) -> str:
    """Write a figure with the digits that papers print.

    >>> [write_amount(value) for value in (0.6288, 113.24, 72.0, None, -0.0123)]
    ['0.629', '113.2', '72', '', '\N{MINUS SIGN}0.012']
    """
    if value is None:
        return ""
    size = abs(value)
    if size >= 10 or size == round(size):
        text = f"{size:,.0f}" if size == round(size) else f"{size:,.1f}"
    else:
        text = f"{size:.3f}" if size >= 0.001 else f"{size:.{_count_decimals(size)}f}"
    return f"\N{MINUS SIGN}{text}" if value < 0 else text


def write_ours(figure: Facts) -> str:
    """Write our figure with its spread.

    >>> write_ours({"ours": 0.6288, "spread": 0.0641}), write_ours({"ours": 4.0, "spread": None})
    ('0.629 \N{PLUS-MINUS SIGN} 0.064', '4')
    """
    ours, spread = write_amount(figure["ours"]), figure["spread"]
    return ours if spread is None else f"{ours} \N{PLUS-MINUS SIGN} {write_amount(spread)}"


def write_printed(value: float | None) -> str:
    """Write a figure as the paper does, with no more digits than it has.

    >>> write_printed(5.84), write_printed(0.0), write_printed(None)
    ('5.84', '0', '')
    """
    return "" if value is None else f"{value:.6g}".replace("-", "\N{MINUS SIGN}")


def write_difference(figure: Facts) -> str:
    """Write ours less the paper's, with its sign.

    >>> write_difference({"difference": 0.0312}), write_difference({"difference": None})
    ('+0.031', '')
    """
    value = figure["difference"]
    return f"+{write_amount(value)}" if value is not None and value > 0 else write_amount(value)


def count_figures(protocol: Facts) -> str:
    """Say how many figures of an experiment are reproduced.

    >>> count_figures({"reproduced": 3, "judged": 4, "figures": [{}] * 6})
    '3 of 4 figures reproduced, 2 more shown'
    """
    judged, shown = protocol["judged"], len(protocol["figures"])
    if not shown:
        return "no figures"
    if not judged:
        return f"{_many(shown, 'figure')} shown, none judged"
    more = f", {shown - judged} more shown" if shown > judged else ""
    return f"{protocol['reproduced']} of {_many(judged, 'figure')} reproduced{more}"


def summarise_claims(facts: Facts) -> str:
    """Say in one sentence what came out of all experiments."""
    count = facts["counts"]
    said = [f"{n} {_verb(verdict, n)}" for verdict, n in count["claims"].items() if n]
    *most, last = said or ["none was judged"]
    verdicts = f"{', '.join(most)} and {last}" if most else last
    claims = _many(sum(count["claims"].values()), "claim")
    papers = _many(len({protocol["paper"] for protocol in facts["protocols"]}), "paper")
    judged = count["judged"]
    verb = "is" if judged == 1 else "are"
    figures = f"{count['reproduced']} of {_many(judged, 'printed figure')} {verb} reproduced"
    return f"Of {claims} in {papers}, {verdicts}{f'; {figures}' if judged else ''}."


def _count_decimals(size: float) -> int:
    """Count the decimals that show two digits of a number below 1, at most eight.

    >>> _count_decimals(0.00012), _count_decimals(1e-12)
    (5, 8)
    """
    return min(1 - math.floor(math.log10(size)), 8)


def _verb(verdict: str, count: int) -> str:
    plural = {"holds": "hold", "does not hold": "do not hold"}
    return verdict if count == 1 else plural.get(verdict, verdict)


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
