"""Sentences are made of facts alone."""

from collections.abc import Callable
from typing import Any

import pytest

from tamis.errors import use_spelling
from tamis.facts.selection_answer import (
    AutoFacts,
    BestFacts,
    DroppedColumn,
    HeldOutFacts,
    OverfitFacts,
    PeakFacts,
    ScoreFacts,
)
from tamis.presentation.prose.about_selection import (
    baselines_sentence,
    order_sentence,
    overfit_text,
    selection_sentence,
    shrink_sentence,
)
from tamis.registry.command import as_flag


@pytest.mark.parametrize(
    ("names", "included", "best", "said"),
    [
        ("ab", "", True, "Best first."),
        ("ab", "", False, "In the order they were selected."),
        ("abc", "ba", True, "The columns you included, then best first."),
        ("ab", "ba", True, "The columns you included."),
        ("abc", "c", True, "In the order of the method; columns you included are among them."),
    ],
)
def test_the_order_of_kept_columns_is_said(
    make_summary: Callable[..., Any], names: str, included: str, best: bool, said: str
) -> None:
    facts = make_summary(5, 2).change(names=tuple(names), included=tuple(included), best_first=best)
    assert order_sentence(facts.facts) == said
    given = facts.change(score=ScoreFacts(BestFacts((), 0.5), (), ()))
    assert order_sentence(given.facts) == "In the order given."


def test_the_headline_has_the_interval_the_held_out_share_and_the_error(
    make_summary: Callable[..., Any],
) -> None:
    report = make_summary(
        12,
        3,
        retained=0.5,
        bound=0.75,
        auto=AutoFacts(3, 2, 5, "", ()),
        held_out=HeldOutFacts((0.1, 0.2, 0.25, 0.3), (0.1,) * 4, 10),
        error=0.01,
    )
    said = selection_sentence(report.facts)
    for part in ("Keep 3 (2-5) of 12", "50.0% on these rows", "75.0%", "within 1.0%"):
        assert part in said
    assert said.index("on new rows they explain 25.0%") < said.index("50.0%")


@pytest.mark.parametrize(
    ("retained", "held", "said"),
    [
        (0.5, 0.4, "on new rows it explains 40.0% of the variance (50.0% on these rows, where no"),
        (1.0, 0.4, "on new rows it explains 40.0% of the variance (100% on these rows)."),
        (1.0, 1.0, "Keep 1 of 9 columns: it explains 100% of the variance."),
        (0.5, -2.0, "on new rows it is worse than predicting the mean (50.0% of the variance on"),
    ],
)
def test_the_headline_leads_with_what_holds_on_new_rows(
    make_summary: Callable[..., Any], retained: float, held: float, said: str
) -> None:
    report = make_summary(
        9,
        1,
        retained=retained,
        bound=max(0.75, retained),
        held_out=HeldOutFacts((held,), (0.1,), 5),
    )
    assert said in selection_sentence(report.facts)


def test_a_list_that_was_given_is_judged_on_new_rows_first(
    make_summary: Callable[..., Any],
) -> None:
    score = ScoreFacts(BestFacts(("a", "b"), 0.6), (), ())
    held = HeldOutFacts((0.2, 0.4), (0.1, 0.1), 5)
    report = make_summary(9, 2, retained=0.5, bound=0.75, held_out=held, score=score)
    said = selection_sentence(report.facts)
    assert said.startswith("On new rows the 2 listed columns explain 40.0% of the variance (50.0%")
    assert "on these rows, where the best 2 that tamis finds explain 60.0% and no 2 columns" in said


def test_a_ceiling_that_says_nothing_is_not_said(make_summary: Callable[..., Any]) -> None:
    for bound, said in ((0.74, True), (0.76, False)):
        report = make_summary(9, 2, retained=0.5, bound=bound)
        assert ("could explain more than" in selection_sentence(report.facts)) is said


@pytest.mark.parametrize(
    ("k", "others", "said"),
    [
        (
            2,
            (0.3, True, "correlation", 0.35, True),
            "On new rows 2 columns drawn at random explain 30.0% (median of 20 draws), the 2 that "
            "a correlation filter keeps 35.0%.",
        ),
        (
            2,
            (0.3, True, "variance", 0.39, False),
            "the 2 of largest variance 39.0%. The kept ones are not clearly better than those of "
            "largest variance.",
        ),
        (
            1,
            (-0.3, False, "variance", 0.39, False),
            "On new rows a column drawn at random is worse than predicting the mean (median of 20 "
            "draws), the column of largest variance explains 39.0%. The kept one is not clearly "
            "better than either.",
        ),
        (2, (0.3, False), "random explain 30.0% (median of 20 draws). The kept ones are not"),
        (2, (), ""),
    ],
)
def test_what_other_columns_explain_is_said(
    make_summary: Callable[..., Any], k: int, others: tuple[Any, ...], said: str
) -> None:
    held = HeldOutFacts((0.4,) * k, (0.1,) * k, 10, *others)
    sentence = baselines_sentence(make_summary(9, k, held_out=held).facts)
    assert said in sentence
    assert bool(said) is bool(sentence)


def test_shrinkage_is_said_only_where_there_is_some(make_summary: Callable[..., Any]) -> None:
    report = make_summary(9, 2, shrink=0.0, shrink_chosen=True)
    assert shrink_sentence(report.facts) == ""
    assert "Ridge penalty 0.3, chosen on" in shrink_sentence(report.change(shrink=0.3).facts)
    given = report.change(shrink=0.3, shrink_chosen=False)
    assert "chosen" not in shrink_sentence(given.facts)


def test_advice_is_written_as_the_reader_writes_it() -> None:
    judged = OverfitFacts(8, 0.9, 0.2, True, 0.1, PeakFacts(3, 0.4), "auto")
    assert 'k="auto"' in overfit_text(judged)
    with use_spelling(as_flag):
        assert "-k auto" in overfit_text(judged)
    assert overfit_text(None) == ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"goal": 0.95, "without_first": 0.9},
            "Keep all 3 columns: nothing can be dropped at 95%. The first to drop would be 'b': on "
            "new rows the others explain 62.1% of it (66.0% on these rows).",
        ),
        (
            {"goal": None, "without_first": 0.9},
            "Keep all 3 columns. The first to drop would be 'b': on new rows the others explain "
            "62.1% of it (66.0% on these rows).",
        ),
        (
            {"goal": 0.9, "without_first": 0.91},
            "Keep all 3 columns. 'b' could be dropped: on new rows the others explain 62.1% of it "
            'and 91.0% of all columns; forbid=["b"] drops it.',
        ),
        ({"first_to_drop": None}, "Keep all 3 columns."),
        ({"shortfall": "All others are constant."}, "Keep all 3 columns. All others are constant."),
        (
            {"auto": AutoFacts(3, 2, 3, "", ()), "first_to_drop": None},
            "Keep all 3 columns (2-3).",
        ),
        (
            {"first_to_drop": DroppedColumn("b", 0.5, {}, 0.5, new_rows=-0.2), "goal": None},
            "Keep all 3 columns. The first to drop would be 'b': on new rows the others are worse "
            "than predicting the mean of it (50.0% on these rows).",
        ),
        (
            {"first_to_drop": DroppedColumn("b", 0.5, {}, 0.5), "goal": None},
            "Keep all 3 columns. The first to drop would be 'b': the others explain 50.0% of it.",
        ),
    ],
)
def test_where_nothing_is_dropped_the_first_to_drop_is_named(
    make_summary: Callable[..., Any], change: dict[str, Any], said: str
) -> None:
    first = DroppedColumn("b", 0.66, {}, 0.66, new_rows=0.621)
    usual = {"retained": 1.0, "first_to_drop": first, "without_first": 0.9}
    facts = make_summary(3, 3, **{**usual, **change}).facts
    assert selection_sentence(facts) == said


def test_a_single_column_is_kept_without_figures(make_summary: Callable[..., Any]) -> None:
    only = make_summary(1, 1, retained=1.0)
    assert selection_sentence(only.facts) == "Keep the only column that was analysed."


def test_all_columns_may_explain_less_than_all_of_a_response(
    make_summary: Callable[..., Any],
) -> None:
    facts = make_summary(3, 3, measure="response", retained=0.7, bound=0.7).facts
    assert "Keep 3 of 3 columns: they explain 70.0% of the response" in selection_sentence(facts)
