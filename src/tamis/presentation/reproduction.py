"""How the experiments of the papers are spoken of, in a terminal, on a page and in a document."""

from typing import Any

from tamis.presentation.numbers import decimals

__all__ = [
    "VERDICTS",
    "amount",
    "counted",
    "difference_text",
    "ours_text",
    "printed_text",
    "summary_sentence",
]

Facts = dict[str, Any]

VERDICTS = {
    "holds": ("\N{CHECK MARK}", "yes"),
    "does not hold": ("\N{MULTIPLICATION SIGN}", "no"),
    "cannot be judged": ("?", "open"),
}
"""For each verdict the mark and the class of a style sheet; the words stand beside it."""


def amount(value: float | None) -> str:
    """Write a figure with the digits that papers print.

    >>> amount(0.6288), amount(113.24), amount(72.0), amount(None), amount(-0.0123)
    ('0.629', '113.2', '72', '', '\N{MINUS SIGN}0.012')
    """
    if value is None:
        return ""
    size = abs(value)
    if size >= 10 or size == round(size):
        text = f"{size:,.0f}" if size == round(size) else f"{size:,.1f}"
    else:
        text = f"{size:.3f}" if size >= 0.001 else f"{size:.{min(decimals(size), 8)}f}"
    return f"\N{MINUS SIGN}{text}" if value < 0 else text


def ours_text(figure: Facts) -> str:
    """Write our figure with its spread.

    >>> ours_text({"ours": 0.6288, "spread": 0.0641}), ours_text({"ours": 4.0, "spread": None})
    ('0.629 \N{PLUS-MINUS SIGN} 0.064', '4')
    """
    spread = "" if figure["spread"] is None else f" \N{PLUS-MINUS SIGN} {amount(figure['spread'])}"
    return f"{amount(figure['ours'])}{spread}"


def printed_text(value: float | None) -> str:
    """Write a figure as the paper does, with no more digits than it has.

    >>> printed_text(5.84), printed_text(0.0), printed_text(None)
    ('5.84', '0', '')
    """
    return "" if value is None else f"{value:.6g}".replace("-", "\N{MINUS SIGN}")


def difference_text(figure: Facts) -> str:
    """Write ours less the paper's, with its sign.

    >>> difference_text({"difference": 0.0312}), difference_text({"difference": None})
    ('+0.031', '')
    """
    value = figure["difference"]
    return f"+{amount(value)}" if value is not None and value > 0 else amount(value)


def counted(protocol: Facts) -> str:
    """Say how many figures of an experiment are reproduced.

    >>> counted({"reproduced": 3, "judged": 4, "figures": [{}] * 6})
    '3 of 4 figures reproduced, 2 more shown'
    """
    judged, shown = protocol["judged"], len(protocol["figures"])
    if not shown:
        return "no figures"
    if not judged:
        return f"{_many(shown, 'figure')} shown, none judged"
    more = f", {shown - judged} more shown" if shown > judged else ""
    return f"{protocol['reproduced']} of {_many(judged, 'figure')} reproduced{more}"


def summary_sentence(facts: Facts) -> str:
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


def _verb(verdict: str, count: int) -> str:
    plural = {"holds": "hold", "does not hold": "do not hold"}
    return verdict if count == 1 else plural.get(verdict, verdict)


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"
