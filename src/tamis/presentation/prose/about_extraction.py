"""What is said about an extraction: what its shares are shares of, how well classes separate."""

from tamis.facts.extraction_answer import ExtractionFacts, SeparationFacts
from tamis.presentation.prose.writing import count_words, percent
from tamis.values import dataclass


@dataclass(frozen=True)
class ComponentWords:
    """How the shares of a method are spoken of.

    Attributes
    ----------
    share
        What the shares are shares of, to follow "91.2%".
    divides
        Whether the components always add up to the whole.
    thing
        What a component is called.
    """

    share: str
    divides: bool = False
    thing: str = "component"


_COMPONENT_WORDS = {
    "pca": ComponentWords("of the variance"),
    "wpca": ComponentWords("of the variance of the weighted columns"),
    "gdfe": ComponentWords("of the weighted distances"),
    "lsa": ComponentWords("of the sum of squares of the table"),
    "nmf": ComponentWords("of the sum of all components", divides=True),
    "kernel-pca": ComponentWords("of the variance in kernel space"),
    "lpp": ComponentWords("of the agreement between neighbouring rows"),
    "spectral": ComponentWords("of the sum of their eigenvalues", divides=True),
    "lda": ComponentWords("of the between-class variance", thing="discriminant"),
    "kda": ComponentWords("of the between-class variance in kernel space", thing="discriminant"),
    "lfda": ComponentWords("of the local between-class variance", thing="discriminant"),
}


def component_words(method_id: str) -> ComponentWords:
    """Give the words for a method's shares.

    >>> component_words("pca").share
    'of the variance'
    """
    return _COMPONENT_WORDS.get(method_id, ComponentWords("of the method's own measure"))


def extraction_sentence(facts: ExtractionFacts) -> str:
    """Say in one sentence what was found."""
    words, k = component_words(facts.method.id), facts.k
    counted = count_words(k, words.thing)
    if words.divides:
        which = "it makes" if k == 1 else "the largest makes"
        text = f"{counted}: {which} up {percent(facts.shares[0])} {words.share}"
    else:
        text = f"{counted} explain{'s' if k == 1 else ''} {percent(facts.held)} {words.share}"
    if words.thing == "discriminant" and percent(facts.held) == "100%":
        text += ", as all discriminants together always do"
    if facts.asked is not None and k < facts.asked:
        return f"{text}; you asked for {facts.asked:,}, but no more exist."
    return f"{text}."


def separation_sentence(facts: SeparationFacts) -> str:
    """Say how well the classes are separated on held-out rows."""
    some = "" if facts.rows == facts.of_rows else f", {facts.rows:,} of the rows"
    sentence = (
        f"Cross-validated accuracy: {percent(facts.accuracy)} ({facts.folds} folds, nearest class "
        f"mean{some}); on the rows used for fitting: {percent(facts.fitted)}; always the largest "
        f"class: {percent(facts.largest_class)}."
    )
    if facts.overfitted:
        sentence += " The separation is overfitted: on new rows the classes overlap."
    return sentence


def units_text(facts: ExtractionFacts) -> str:
    """Say in which units the weights are."""
    return "standard deviations" if facts.scaled else "the units of the columns"


def label_name(facts: ExtractionFacts) -> str | None:
    """Name the column of labels, or say that labels were given beside the table."""
    return (facts.label_column or "the labels given") if facts.labelled else None
