"""The words for what the kept columns do: reproduce variance, or tell information.

Plain data, so that the terminal, the page and its script speak of a measure alike. In a pattern,
`{}` or a name in braces stands for what is put in.
"""

from dataclasses import dataclass

__all__ = ["INFORMATION", "VARIANCE", "Words", "words_of"]

_SPACE = "\N{NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Words:
    """How one measure is spoken of.

    Attributes
    ----------
    does, do, done
        The verb, of one column, of several, and of what happened to a dropped one.
    share
        What the shares are shares of.
    figure
        The legend of the share in large print.
    ceiling_before, ceiling_after, ceiling_key
        The upper bound: its legend before and after the number of columns, and that of its line.
    chart, maps
        What a drawing shows, for those who do not see it.
    kept_about
        The order of the kept columns and what their bars mean.
    well, badly, counts
        From which share (in thousandths) a column counts as well off, below which as badly off,
        and the sentence that counts both.
    cost, terms_about
        What the table of dropped columns means; each term with its explanation.
    head, from_head
        Heads of that table.
    worst, rest, nothing, alone
        Shorter texts of that table; an empty `alone` is not shown.
    before, after
        What stands around a kept column's name in a row: `before` by whether it is the first and
        whether its weight is negative. Weights below `least` are not shown.
    signed
        Whether the weights are terms of a sum.
    heat_title, heat_about, scale, lowest
        The heat maps, the description of their colours, and the least value on their scale.
    """

    does: str
    do: str
    done: str
    share: str
    figure: str
    ceiling_before: str
    ceiling_after: str
    ceiling_key: str
    chart: str
    maps: str
    kept_about: str
    well: int
    badly: int
    counts: str
    cost: str
    chance: str
    terms_about: tuple[tuple[str, str], ...]
    head: str
    from_head: str
    worst: str
    rest: str
    nothing: str
    alone: str
    before: tuple[tuple[str, str], tuple[str, str]]
    after: str
    least: float
    signed: bool
    heat_title: str
    heat_about: str
    scale: str
    lowest: int


VARIANCE = Words(
    does="reproduces",
    do="reproduce",
    done="reproduced",
    share="of the variance",
    figure="of the variance reproduced",
    ceiling_before="PCA ceiling: the most any",
    ceiling_after="or directions could reproduce",
    ceiling_key="PCA ceiling: nothing can lie above it",
    chart="Share of variance reproduced by 1 to {} kept columns, and the PCA ceiling",
    maps="Correlations of {} columns, {} selection",
    kept_about="Best first. Each bar shows the share of the whole table's variance that the column "
    "adds to those above it.",
    well=900,
    badly=500,
    counts="Reproduced to 90% or more: {well} of {all}. To less than half: {badly}.",
    cost="This is the cost: what a bar leaves empty is lost.",
    chance="",
    terms_about=(
        (
            "From",
            "names the few kept columns that say most about a dropped one, with weights in "
            "standard deviations: 0.80 means that one standard deviation more there goes with "
            "0.80 more here.",
        ),
        (
            "Alone",
            "is the share that those few reproduce without the other kept columns.",
        ),
    ),
    head="Reproduced",
    from_head="From",
    worst="worst reproduced",
    rest="reproduced at least as well",
    nothing="no kept column helps",
    alone="(alone {})",
    before=(
        (f"{{}}{_SPACE}", f"{_MINUS}{{}}{_SPACE}"),
        (f" +{_SPACE}{{}}{_SPACE}", f" {_MINUS}{_SPACE}{{}}{_SPACE}"),
    ),
    after="",
    least=0.0,
    signed=True,
    heat_title="Correlations before and after",
    heat_about="Each square is the correlation of two columns. Blocks of strong colour are columns "
    "that repeat each other; after a good choice few remain off the diagonal.",
    scale="Colour scale: blue is correlation -1, white is 0, red is 1",
    lowest=-1,
)

INFORMATION = Words(
    does="tells",
    do="tell",
    done="told",
    share="of the information",
    figure="of the information told, as the mean over all columns",
    ceiling_before="ceiling: no",
    ceiling_after="could tell more (proven bound)",
    ceiling_key="ceiling: no choice of columns can lie above it (proven bound)",
    chart="Share of information told by 1 to {} kept columns, and its proven ceiling",
    maps="Shared information of {} columns, {} selection",
    kept_about="In the order they were taken. Each bar shows what the column adds to the "
    "information told by those above it, as the mean over all columns.",
    well=500,
    badly=100,
    counts="Told to half or more: {well} of {all}. To less than a tenth: {badly}.",
    cost="This is the cost: what a bar leaves empty is lost.",
    chance="two unrelated columns of this table would seem to tell about {} of each other",
    terms_about=(
        (
            "Told:",
            "how much of the column one kept column tells, as normalised mutual information: 0% "
            "nothing, 100% everything. It counts every kind of relation, not only straight lines.",
        ),
        (
            "By which:",
            "the kept columns that tell most about it, best first. Their numbers do not add up.",
        ),
    ),
    head="Told",
    from_head="By which",
    worst="least told",
    rest="told at least as well",
    nothing="hardly told by any kept column",
    alone="",
    before=(("by ", "by "), (", ", ", ")),
    after=f"{_SPACE}{{}}",
    least=0.005,
    signed=False,
    heat_title="Shared information before and after",
    heat_about="Each square shows how much two columns tell of each other, as normalised mutual "
    "information: the stronger the colour, the more. Blocks of strong colour are columns that "
    "repeat each other; after a good choice few remain off the diagonal.",
    scale="Colour scale: white is shared information 0, red is 1",
    lowest=0,
)

_WORDS = {"variance": VARIANCE, "information": INFORMATION}


def words_of(measure: str) -> Words:
    """Give the words of a measure.

    >>> words_of("information").share
    'of the information'
    """
    return _WORDS[measure]
