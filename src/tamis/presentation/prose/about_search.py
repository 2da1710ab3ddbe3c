"""How the search for the columns with which a learner scores best is spoken of."""

from collections.abc import Mapping
from typing import Any

from tamis.facts.selection_answer import SearchFacts
from tamis.presentation.prose.writing import percent

Facts = Mapping[str, Any]

_OPTIMISTIC = (
    "The cross-validation score is too optimistic: it is the best of many sets that were tried."
)


def score_text(score: float, scorer: str) -> str:
    """Write a score: an accuracy in percent, any other as a number.

    >>> score_text(0.91234, "accuracy"), score_text(-12.3456, "neg_mean_squared_error")
    ('91.2%', '-12.35')
    """
    return percent(score) if scorer.endswith("accuracy") else f"{score:.4g}"


def search_sentences(evidence: SearchFacts) -> list[str]:
    """Say how good the kept columns are, what that means, and what it took to find them."""
    facts = evidence.values
    return [_describe_scorer(facts), _meant(facts), _took(facts)]


def _describe_scorer(facts: Facts) -> str:
    scorer, k = facts["scorer"], len(facts["kept"])
    these = "this column" if k == 1 else f"these {k:,} columns"
    reached = (
        f"With {these}, {facts['learner']} reaches {scorer} {score_text(facts['score'], scorer)} "
        f"in cross-validation"
    )
    if facts["test_score"] is None:
        return f"{reached}; there is no score on rows that the search has not seen."
    rows, last = facts["test_rows"], score_text(facts["test_score"], scorer)
    error = facts["test_error"]
    about = f" (standard error {100 * error:.1f} points)" if error is not None else ""
    return f"{reached} and {last}{about} on {rows:,} rows that the search has not seen."


def _meant(facts: Facts) -> str:
    scorer = facts["scorer"]
    nothing = f"Cross-validated without any column: {score_text(facts['score_empty'], scorer)}."
    if facts["test_score"] is None:
        return f"{_OPTIMISTIC} No rows were set aside for a test: {facts['test_why']}. {nothing}"
    every = score_text(facts["test_score_all"], scorer)
    return (
        f"{_OPTIMISTIC} On the {facts['test_rows']:,} rows set aside before the search, all "
        f"{facts['all']:,} columns reach {every}. {nothing}"
    )


def _took(facts: Facts) -> str:
    tried, repeats = facts["evaluations"], facts["repeats"]
    again = f"; the search came back to one of them {repeats:,} times" if repeats > 0 else ""
    sets = "1 set of columns was" if tried == 1 else f"{tried:,} sets of columns were"
    folds = f"each in {facts['folds']:,}-fold cross-validation"
    why = f" The search stopped early: {facts['stopped']}." if facts["stopped"] else ""
    return f"{sets} tried, {folds}{again}.{why}"


def mark_text(mark: list[Any]) -> str:
    """Write a column with its mean in standard deviations, or with its commonest value.

    >>> mark_text(["width", -1.26]), mark_text(["cover", ["fur", 0.8]])
    ('width \N{MINUS SIGN}1.3', 'cover fur (80.0%)')
    """
    name, value = mark
    if isinstance(value, list):
        level, share = value
        return f"{name} {level}" + ("" if share >= 1 else f" ({percent(share)})")
    sign = "\N{MINUS SIGN}" if round(value, 1) < 0 else "+"
    return f"{name} {sign}{abs(value):.1f}"
