"""What is said about the sample of rows in a report."""

from tamis.facts.explorer import KindFacts, SampleGap

__all__ = ["gap_sentence", "kind_words"]

_KINDS = {
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


def gap_sentence(gap: SampleGap | None) -> str:
    """Say why there are no values of rows; nothing where there are."""
    return "" if gap is None else _GAPS[gap]


def kind_words(found: KindFacts) -> tuple[list[str], list[int] | None]:
    """Give the words for kinds of columns, in order, and for each column which (None: the first).

    >>> kind_words(KindFacts(("categorical", "date", "numeric"), (0, 2, 1)))
    (['dates or another type', 'numbers', 'text or categories'], [2, 1, 0])
    """
    said = [_KINDS.get(kind, _OTHER_KIND) for kind in found.kinds]
    words = sorted(set(said))
    place = [words.index(word) for word in said]
    if len(words) == 1 or found.each is None:
        return words, None
    return words, [place[kind] for kind in found.each]
