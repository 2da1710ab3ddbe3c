"""What is said about a comparison: the recommendation, and figures as short text."""

from tamis.facts.comparison_answer import ComparisonFacts
from tamis.presentation.prose.words import words_of
from tamis.presentation.prose.writing import is_worse, percent
from tamis.rules.pictures import WORSE

BELOW = "< 0"
_NAMED_METHODS = 3


def comparison_sentence(facts: ComparisonFacts) -> str:
    """Say which method to take, on what that rests, and which others are within noise."""
    k, advice = facts.sizes, facts.advice
    several = f"k = {', '.join(map(str, k[:-1]))} and {k[-1]}"
    sizes = f"k = {k[0]}" if len(k) == 1 else f"mean over {several}"
    basis = _say_basis(facts)
    basis += f", {sizes}" + (f"; {advice.folds} folds)" if advice.folds else ")")
    return f"Use {facts.best}: {basis}; {_say_others(facts)}."


def _say_basis(facts: ComparisonFacts) -> str:
    """Say by what the method is best; a bracket stays open."""
    advice, value = facts.advice, percent(facts.advice.value)
    match facts.basis:
        case "prediction":
            worse = advice.score == "R²" and is_worse(advice.value)
            score = WORSE if worse else f"{advice.score} {advice.value:.3f}"
            return f"it predicts the labels of held-out rows best ({score}"
        case "held-out" if is_worse(advice.value):
            return (
                f"it is best on held-out rows, where all are {WORSE} ({len(facts.methods)} methods"
            )
        case "held-out":
            return f"it explains most on held-out rows ({value} of the variance"
        case "share":
            return f"it explains most ({value} {words_of(advice.measure).share}"
    return f"it is best by {facts.deciding.name} ({advice.value:.3g}"


def _say_others(facts: ComparisonFacts) -> str:
    equal, folds = facts.within_noise, facts.advice.folds
    count = len(equal)
    if facts.advice.measured == 1:
        return "no other method was measured by this"
    if not count:
        if not folds:
            return "how much of the difference is noise is not known"
        return "its lead over all others is larger than noise (2 standard errors over the folds)"
    more = [f"{count - _NAMED_METHODS} more"] if count > _NAMED_METHODS else []
    shown = [*equal[:_NAMED_METHODS], *more]
    names = " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
    verb = "is" if count == 1 else "are"
    if not folds:
        return f"{names} {verb} equal"
    return f"{names} {verb} within noise of it (2 standard errors over the folds)"


def figure_text(value: float | None, unit: str) -> str:
    """Write a figure in its unit, a dash where it was not measured.

    >>> [figure_text(v, "seconds") for v in (0.0004, 0.0312, 12.34, 250.0)]
    ['<0.001', '0.031', '12.3', '250']
    >>> figure_text(131.07, "megabytes")
    '131'
    >>> figure_text(0.6449, "share"), figure_text(-0.0312, "number"), figure_text(None, "share")
    ('64.5%', '-0.03', '-')

    A share below 0 on held-out rows is worse than predicting the mean, by however much.

    >>> figure_text(-13.84, "share")
    '< 0'
    """
    if value is None:
        return "-"
    if unit == "share" and is_worse(value):
        return BELOW
    if unit == "share":
        return f"{100 * value:.1f}%"
    if unit == "number":
        return f"{value:.2f}"
    if unit == "megabytes":
        return f"{value:,.0f}"
    if value < 0.001:
        return "<0.001"
    return f"{value:.3f}" if value < 1 else f"{value:.3g}"


def below_note(facts: ComparisonFacts) -> str:
    """Say what a share below 0 means, if the table of a comparison has one."""
    shares = [criterion.id for criterion in facts.criteria if criterion.unit == "share"]
    means = [row.mean for one in shares for row in facts.figures[one].values()]
    below = any(mean is not None and is_worse(mean) for mean in means)
    return f"{BELOW}: {WORSE}." if below else ""
