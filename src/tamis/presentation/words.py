"""The words for what the kept columns explain: variance, or mutual information.

Plain data, so that the terminal, the page and its script speak of a measure alike. In a pattern,
`{}` or a name in braces stands for what is put in.
"""

from dataclasses import dataclass, replace
from typing import Any

__all__ = ["INFORMATION", "VARIANCE", "Words", "is_by_chance", "words_of"]

_SPACE = "\N{NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"
_TIMES = f"{_SPACE}\N{MULTIPLICATION SIGN}{_SPACE}"


@dataclass(frozen=True)
class Words:
    """How one measure is spoken of.

    Attributes
    ----------
    share
        What the shares are shares of.
    figure
        The legend of the share in large print.
    ceiling_before, ceiling_after, ceiling_key
        The upper bound: its legend before and after the number of columns, and that of its line.
    chart_title
        Title of the curve.
    chart, maps
        What a drawing shows, for those who do not see it.
    kept_about
        What the bars of the kept columns mean.
    terms_about
        What the table of dropped columns means: each term with its explanation.
    from_head, terminal_head
        Head of its last column, on the page and in the terminal.
    nothing, alone
        Shorter texts of that table; `alone` by the number of columns named, empty if not shown.
    before, after
        What stands around a kept column's name in a row: `before` by whether it is the first and
        whether its weight is negative. Weights below `least` are not shown.
    signed
        Whether the weights are terms of a sum.
    heat_title, heat_about, scale, lowest
        The heat maps, the description of their colours, and the least value on their scale.
    """

    share: str
    figure: str
    ceiling_before: str
    ceiling_after: str
    ceiling_key: str
    chart_title: str
    chart: str
    maps: str
    kept_about: str
    chance: str
    terms_about: tuple[tuple[str, str], ...]
    from_head: str
    terminal_head: str
    nothing: str
    alone: tuple[str, ...]
    before: tuple[tuple[str, str], tuple[str, str]]
    after: str
    least: float
    signed: bool
    heat_title: str
    heat_about: str
    scale: str
    lowest: int


VARIANCE = Words(
    share="of the variance",
    figure="of the variance explained",
    ceiling_before="PCA ceiling: the most any",
    ceiling_after="or components could explain",
    ceiling_key="PCA ceiling, the upper bound",
    chart_title="Variance explained by number of columns",
    chart="Share of variance explained by 1 to {} kept columns, and the PCA ceiling",
    maps="Correlations of {} columns, {} selection",
    kept_about="Each bar shows the share of the total variance that the column adds to "
    "those above it.",
    chance="the kept columns would explain about {} of an unrelated column",
    terms_about=(
        ("Explained:", "the share of the column's variance that all kept columns explain."),
        (
            "Mostly by:",
            "the few kept columns that explain most of it, with regression weights in standard "
            "deviations (SD). 0.80: when the kept column is 1 SD higher and the others listed do "
            "not change, this one is 0.80 SD higher on average.",
        ),
        ("Alone:", "the share that these few explain without the other kept columns."),
    ),
    from_head="Mostly by (weights in SD)",
    terminal_head="mostly by (weights in SD)",
    nothing="not explained by any kept column",
    alone=("(this one alone: {})", "(these two alone: {})", "(these three alone: {})"),
    before=(
        (f"{{}}{_TIMES}", f"{_MINUS}{{}}{_TIMES}"),
        (f", {{}}{_TIMES}", f", {_MINUS}{{}}{_TIMES}"),
    ),
    after="",
    least=0.0,
    signed=True,
    heat_title="Correlations before and after",
    heat_about="Each square is the correlation of two columns. Blocks of strong colour are "
    "redundant columns; after a good selection few remain off the diagonal.",
    scale="Colour scale: blue is correlation -1, white is 0, red is 1",
    lowest=-1,
)

INFORMATION = Words(
    share="of the information in all columns",
    figure="of the information explained, mean over all columns",
    ceiling_before="ceiling: no",
    ceiling_after="could explain more (proven bound)",
    ceiling_key="ceiling: no selection can exceed it (proven bound)",
    chart_title="Information explained by number of columns",
    chart="Share of information explained by 1 to {} kept columns, and its proven ceiling",
    maps="Shared information of {} columns, {} selection",
    kept_about="Each bar shows the information that the column "
    "adds to those above it, as the mean over all columns.",
    chance="two unrelated columns of this table would appear to share about {} of their "
    "information",
    terms_about=(
        (
            "Explained:",
            "the largest normalised mutual information with a kept column, where it is above "
            "chance: 0% none, 100% all. It measures relations of every kind, not only linear ones.",
        ),
        (
            "Mostly by:",
            "the kept columns that share most information with it, largest first. Their numbers do "
            "not add up.",
        ),
    ),
    from_head="Mostly by (mutual information)",
    terminal_head="mostly by (mutual information)",
    nothing="nothing above chance",
    alone=(),
    before=(("", ""), (", ", ", ")),
    after=f"{_SPACE}{{}}",
    least=0.005,
    signed=False,
    heat_title="Shared information before and after",
    heat_about="Each square is the normalised mutual information of two columns: the stronger the "
    "colour, the more they share. Blocks of strong colour are redundant columns; after a good "
    "selection few remain off the diagonal.",
    scale="Colour scale: white is shared information 0, red is 1",
    lowest=0,
)

RESPONSE = replace(
    VARIANCE,
    share="of the response",
    figure="of the response explained (R^2)",
    ceiling_before="ceiling: what all columns explain together, so no",
    ceiling_after="can explain more",
    ceiling_key="all columns together, the upper bound",
    chart_title="Response explained by number of columns",
    chart="Share of the response explained by 1 to {} kept columns, and by all together",
    kept_about="Each bar shows the share of the response that the column adds to those above it.",
)
IMPORTANCE = replace(VARIANCE, share="of the variance, by importance")
_WORDS = {
    "variance": VARIANCE,
    "information": INFORMATION,
    "response": RESPONSE,
    "importance": IMPORTANCE,
}


def words_of(measure: str) -> Words:
    """Give the words of a measure.

    >>> words_of("information").share
    'of the information in all columns'
    """
    return _WORDS[measure]


def is_by_chance(share: float, facts: dict[str, Any]) -> bool:
    """Say whether a regression explains no more of a column than of an unrelated one.

    Shared information that is not above chance is dropped before it comes here.

    >>> facts = {"measure": "variance", "chance": 0.19}
    >>> is_by_chance(0.06, facts), is_by_chance(0.3, facts)
    (True, False)
    """
    return facts["measure"] == "variance" and 0 < share <= (facts["chance"] or 0.0)
