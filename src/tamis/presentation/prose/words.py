"""The words for what the kept columns explain: variance, or mutual information.

Plain data, so that the terminal, the page and its script speak of a measure alike. In a pattern,
`{}` or a name in braces stands for what is put in.
"""

from dataclasses import replace

from tamis.facts.json_schema import SHOWN_FROM
from tamis.facts.selection_answer import WeightKind
from tamis.values import dataclass

_SPACE = "\N{NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"
_TIMES_SIGN = f"{_SPACE}\N{MULTIPLICATION SIGN}{_SPACE}"


@dataclass(frozen=True)
class Words:
    """How one measure is spoken of."""

    share: str  # what the shares are shares of
    figure: str  # the legend of the share in large print
    ceiling_before: str  # of the upper bound, before the number of columns
    ceiling_after: str
    ceiling_key: str  # legend of its line
    chart_title: str  # title of the curve
    chart: str  # what a drawing shows, for those who do not see it
    maps: str
    kept_about: str  # what the bars of the kept columns mean
    chance: str
    # The terms of the table of dropped columns, each explained.
    terms_about: tuple[tuple[str, str], ...]
    from_head: str  # head of its last column, on the page
    terminal_head: str
    nothing: str  # where no column explains it
    alone: tuple[str, ...]  # by the number of columns named; empty if not shown
    # What stands before a kept column: by whether it is the first, and whether its weight is
    # negative.
    before: tuple[tuple[str, str], tuple[str, str]]
    after: str
    least: float  # smaller weights are not shown
    weight: str  # a kept column {0} and its weight {1} in a sentence
    signed: bool  # whether the weights are terms of a sum
    in_percent: bool  # whether weights are whole percentages, not numbers with two decimals
    similarity: str  # how alike two groups of columns are
    heat_title: str
    heat_about: str
    scale: str  # describes the colours of the heat maps
    lowest: int  # least value on their scale


VARIANCE = Words(
    share="of the variance",
    figure="of the variance explained",
    ceiling_before="PCA ceiling: the most any",
    ceiling_after="or components could explain of these rows",
    ceiling_key="PCA ceiling of these rows, the upper bound",
    chart_title="Variance explained by number of columns",
    chart="Share of variance explained by 1 to {} kept columns, and the PCA ceiling",
    maps="Correlations of {} columns, {} selection",
    kept_about="Each bar shows the share of the total variance of these rows that the column adds "
    "to those above it.",
    chance="the kept columns would explain about {} of an unrelated column",
    terms_about=(
        (
            "New rows:",
            "what these kept columns explain of rows like these that were not used; measured by "
            "ten folds.",
        ),
        (
            "These rows:",
            "the share of the column's variance that they explain of the rows they were chosen on.",
        ),
        (
            "Explained by:",
            "a few kept columns that explain much of it, with regression weights in standard "
            "deviations (SD). 0.80: when the kept column is 1 SD higher and the others listed do "
            "not change, this one is 0.80 SD higher on average.",
        ),
        (
            "Alone:",
            "the share of these rows that these few explain without the other kept columns.",
        ),
    ),
    from_head="Explained by (change in SD per SD)",
    terminal_head="explained by (change in SD per SD)",
    nothing="not explained by any kept column",
    alone=("(this one alone: {})", "(these two alone: {})", "(these three alone: {})"),
    before=(
        (f"{{}}{_TIMES_SIGN}", f"{_MINUS}{{}}{_TIMES_SIGN}"),
        (f", {{}}{_TIMES_SIGN}", f", {_MINUS}{{}}{_TIMES_SIGN}"),
    ),
    after="",
    least=SHOWN_FROM["coefficients"],
    weight="{1:.2f} x {0}",
    signed=True,
    in_percent=False,
    similarity="mean absolute correlation",
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
    ceiling_after="could explain more of these rows (proven bound)",
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
            "These rows:",
            "the largest normalised mutual information with a kept column, where it is above "
            "chance: 0% none, 100% all. It measures relations of every kind, not only linear ones.",
        ),
        (
            "Explained by:",
            "the kept columns that share most information with it, largest first. Their numbers do "
            "not add up.",
        ),
    ),
    from_head="Explained by (mutual information)",
    terminal_head="explained by (mutual information)",
    nothing="nothing above chance",
    alone=(),
    before=(("", ""), (", ", ", ")),
    after=f"{_SPACE}{{}}",
    least=SHOWN_FROM["information"],
    weight="{0} ({1:.2f})",
    signed=False,
    in_percent=False,
    similarity="mean shared information",
    heat_title="Shared information before and after",
    heat_about="Each square is the normalised mutual information of two columns: the stronger the "
    "colour, the more they share. Blocks of strong colour are redundant columns; after a good "
    "selection few remain off the diagonal.",
    scale="Colour scale: white is shared information 0, red is 1",
    lowest=0,
)

GROUPED_VARIANCE = replace(
    VARIANCE,
    ceiling_before="ceiling: the most any",
    ceiling_after="could explain of these rows",
    ceiling_key="ceiling of these rows, the upper bound",
    chart="Share of variance explained by 1 to {} kept columns, and its ceiling",
    terms_about=(
        VARIANCE.terms_about[0],
        (
            "These rows:",
            "the share of the column's variance that they explain of the rows they were chosen "
            "on; of a category, of the variance of its levels.",
        ),
        (
            "Explained by:",
            "kept columns that explain much of it, each with the share that it explains alone. "
            "Their shares do not add up.",
        ),
    ),
    from_head="Explained by (share explained alone)",
    terminal_head="explained by (share each explains alone)",
    alone=(),
    nothing="no kept column alone explains 1%",
    least=SHOWN_FROM["shares"],
    before=(("{} by ", "{} by "), (", {} by ", ", {} by ")),
    weight="{1:.0%} by {0}",
    signed=False,
    in_percent=True,
    similarity="mean similarity",
    heat_title="Similarity before and after",
    heat_about="Each square is the similarity of two columns: of numbers their correlation, of "
    "categories the root of the RV coefficient. Blocks of strong colour are redundant columns; "
    "after a good selection few remain off the diagonal.",
    maps="Similarity of {} columns, {} selection",
    scale="Colour scale: blue is similarity -1, white is 0, red is 1",
)

RESPONSE = replace(
    VARIANCE,
    share="of the response",
    figure="of the response explained (R²)",
    ceiling_before="ceiling: what all columns explain together, so no",
    ceiling_after="can explain more of these rows",
    ceiling_key="all columns together, the upper bound",
    chart_title="Response explained by number of columns",
    chart="Share of the response explained by 1 to {} kept columns, and by all together",
    kept_about="Each bar shows the share of the response that the column adds to those above it.",
)
BY_IMPORTANCE = replace(VARIANCE, share="of the variance, by importance")
_WORDS_OF_MEASURE = {
    "variance": VARIANCE,
    "information": INFORMATION,
    "response": RESPONSE,
    "importance": BY_IMPORTANCE,
}


def words_of(measure: str, weights_are: WeightKind = "coefficients") -> Words:
    """Give the words of a measure, and of its weights.

    >>> words_of("information").share, words_of("variance", "shares").weight
    ('of the information in all columns', '{1:.0%} by {0}')
    """
    return GROUPED_VARIANCE if weights_are == "shares" else _WORDS_OF_MEASURE[measure]
