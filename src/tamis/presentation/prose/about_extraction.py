"""What is said about an extraction: what its shares are shares of, how well classes separate."""

from tamis.facts.extraction_answer import ExtractionFacts, SeparationFacts
from tamis.presentation.prose.writing import count_words, percent

# What the shares of a method are shares of, to follow "91.2%".
_SHARES = {
    "pca": "of the variance",
    "wpca": "of the variance of the weighted columns",
    "gdfe": "of the weighted distances",
    "lsa": "of the sum of squares of the table",
    "nmf": "of the sum of all components",
    "kernel-pca": "of the variance in kernel space",
    "lpp": "of the agreement between neighbouring rows",
    "spectral": "of the sum of their eigenvalues",
    "lda": "of the between-class variance",
    "kda": "of the between-class variance in kernel space",
    "lfda": "of the local between-class variance",
}
_ALL_OF_WHOLE = ("nmf", "spectral")  # methods whose components always add up to the whole
_DISCRIMINANTS = ("lda", "kda", "lfda")  # methods whose components are called so


def component_share(method_id: str) -> str:
    """Say what the shares of a method are shares of.

    >>> component_share("pca")
    'of the variance'
    """
    return _SHARES.get(method_id, "of the method's own measure")


def component_name(method_id: str) -> str:
    """Give what a component of a method is called."""
    return "discriminant" if method_id in _DISCRIMINANTS else "component"


def extraction_sentence(facts: ExtractionFacts) -> str:
    """Say in one sentence what was found."""
    k, name, share = facts.k, component_name(facts.method.id), component_share(facts.method.id)
    counted = count_words(k, name)
    if facts.method.id in _ALL_OF_WHOLE:
        which = "it makes" if k == 1 else "the largest makes"
        text = f"{counted}: {which} up {percent(facts.shares[0])} {share}"
    else:
        text = f"{counted} explain{'s' if k == 1 else ''} {percent(facts.held)} {share}"
    if name == "discriminant" and percent(facts.held) == "100%":
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
