"""What is said about the rows: how they were held out, whether they are alike, their sample."""

from tamis.errors import as_term, spell
from tamis.facts.explorer import KindFacts, SampleGap
from tamis.facts.taken_answer import HeavyRowFacts, RowFacts
from tamis.presentation.prose.numbers import percent

__all__ = [
    "alike_advice",
    "alike_effect",
    "alike_sentence",
    "gap_sentence",
    "kind_words",
    "row_sentences",
]

_KIND_WORDS = {
    "numeric": "numbers",
    "boolean": "true or false",
    "categorical": "text or categories",
    "row names": "names of the rows",
    "empty": "no values",
}
_OTHER_KIND = "dates or another type"
_GAPS = {
    "unreadable": "The rows of this table could not be read a second time (a stream, a summary, or "
    "a table no longer there).",
    "omitted": "Values of rows were omitted on request.",
}


def row_sentences(facts: RowFacts) -> list[str]:
    """Say how rows were held out and counted, and what to know of them.

    >>> row_sentences(RowFacts(weighted=True, counted=40))
    ['Rows count by their weights, as 40 rows.']
    """
    said = []
    if facts.groups is not None:
        said.append(f"Rows of one group are held out together ({facts.groups:,} groups).")
    if facts.ordered:
        said.append(
            "Held-out rows are stretches of the table; the rows beside a stretch are not learnt "
            "from."
        )
    if facts.weighted:
        number = "" if facts.counted is None else f", as {facts.counted:,} rows"
        said.append(f"Rows count by their weights{number}.")
    if alike_sentence(facts):
        said.append(f"{alike_sentence(facts)} {alike_advice(facts)} {alike_effect(facts)}.")
    return [*said, *([_say_heavy(facts.heavy)] if facts.heavy else [])]


def alike_sentence(facts: RowFacts) -> str:
    """Say that the share on new rows is too good, and why; nothing where it is not.

    >>> alike_sentence(RowFacts(successive=0.953))
    'Rows are like the ones next to them (correlation of successive rows 0.95): if they follow...'
    """
    flatters = "the share on new rows is likely too good"
    if facts.key is not None:
        return (
            f"Rows with the same {as_term(facts.key)} are alike (intraclass correlation "
            f"{facts.similarity or 0.0:.2f}): for rows with a new one {flatters}."
        )
    if facts.successive is None:
        return ""
    return (
        "Rows are like the ones next to them (correlation of successive rows "
        f"{facts.successive:.2f}): if they follow one another in time, {flatters}."
    )


def alike_advice(facts: RowFacts) -> str:
    """Write the option that helps."""
    return spell("ordered", True) if facts.key is None else spell("row_groups", facts.key)


def alike_effect(facts: RowFacts) -> str:
    """Say what that option does."""
    return "holds out stretches of rows" if facts.key is None else "holds them out together"


def _say_heavy(rows: tuple[HeavyRowFacts, ...]) -> str:
    """Name the rows that carry much of the variance.

    >>> _say_heavy((HeavyRowFacts(57, 0.08),))
    'Row 57 carries 8.0% of the variance of the numbers, as they are: check it.'
    """
    shown = [f"row {one.row:,} carries {percent(one.share)}" for one in rows]
    shown[0] = f"{shown[0]} of the variance of the numbers, as they are"
    text = ", ".join(shown)
    return f"{text[0].upper()}{text[1:]}: check {'it' if len(rows) == 1 else 'them'}."


def gap_sentence(gap: SampleGap | None) -> str:
    """Say why there are no values of rows; nothing where there are."""
    return "" if gap is None else _GAPS[gap]


def kind_words(found: KindFacts) -> tuple[list[str], list[int] | None]:
    """Give the words for kinds of columns, in order, and for each column which (None: the first).

    >>> kind_words(KindFacts(("categorical", "date", "numeric"), (0, 2, 1)))
    (['dates or another type', 'numbers', 'text or categories'], [2, 1, 0])
    """
    said = [_KIND_WORDS.get(kind, _OTHER_KIND) for kind in found.kinds]
    words = sorted(set(said))
    place = [words.index(word) for word in said]
    if len(words) == 1 or found.each is None:
        return words, None
    return words, [place[kind] for kind in found.each]
