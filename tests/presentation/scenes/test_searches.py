import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.facts.selection_answer import SearchFacts
from tamis.presentation.prose.about_search import search_sentences
from tamis.presentation.scenes.evidence import search_course
from tamis.presentation.scenes.trees import search_tree


@pytest.fixture(scope="module")
def evidence():
    """Give the evidence of each search on 24 columns, two of which have awkward names."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 24))
    y = X[:, 0] + X[:, 1] > 0
    names = [f"column {j}" for j in range(22)] + ["<b>&", "a very long name of a column indeed"]
    frame = pd.DataFrame(X, columns=names)
    return {
        name: tamis.select(frame, k, method=f"wrapper-{name}", y=y).to_dict()["evidence"]
        for name, k in (("forward", 3), ("backward", 2), ("genetic", 4), ("annealing", None))
    }


def test_the_tree_shows_every_level_and_marks_what_was_taken(evidence):
    drawn = search_tree(evidence["forward"])
    assert drawn.count('<g class="taken">') == 3
    assert "no columns" in drawn
    assert "19 more" in drawn
    assert "not drawn" not in drawn
    assert drawn.count("<rect") == 1 + 3 * 5


def test_a_long_tree_is_cut_in_the_middle_and_says_so(evidence):
    facts = evidence["backward"]
    assert facts["n_levels"] == 23
    drawn = search_tree(facts, width=340)
    assert "11 levels not drawn" in drawn
    assert "all 24 columns" in drawn
    assert drawn.count("<rect") == 1 + 12 * 2


def test_names_are_escaped_and_cut(evidence):
    drawn = search_tree(evidence["backward"])
    assert "<b>" not in drawn
    level = {
        **evidence["forward"]["levels"][0],
        "sets": [{"column": "a very long name of a column indeed", "score": 0.5, "taken": True}],
    }
    drawn = search_tree({**evidence["forward"], "levels": [level], "n_levels": 1})
    assert "+ a very long\N{HORIZONTAL ELLIPSIS}" in drawn
    assert "<title>a very long name of a column indeed</title>" in drawn


@pytest.mark.parametrize("name", ["genetic", "annealing"])
def test_a_course_has_both_lines(evidence, name):
    drawn = search_course(evidence[name], width=340)
    assert drawn.count("<polyline") == 1
    assert drawn.count('class="best"') == 1
    assert "sets tried" in drawn
    assert len(evidence[name]["points"]) < 500


def test_a_course_of_one_point_or_without_change_can_be_drawn():
    flat = {"scorer": "r2", "current": "current set", "points": [[1, 0.5, 0.5]]}
    assert "nan" not in search_course(flat)
    assert "nan" not in search_course({**flat, "points": [[1, -3.0, -3.0], [9, -3.0, -3.0]]})


def test_the_sentences_say_what_is_optimistic_and_what_is_not(evidence):
    facts = evidence["forward"]
    first, second, third = facts["sentences"]
    assert "in cross-validation and" in first
    assert "standard error" in first
    assert "24 rows that the search has not seen" in first
    assert "too optimistic" in second
    assert third == "70 sets of columns were tried, each in 10-fold cross-validation."
    none = {**facts, "test_score": None, "test_why": "40 rows are too few"}
    first, second, _ = search_sentences(SearchFacts("search_tree", none))
    assert "there is no score on rows that the search has not seen" in first
    assert "40 rows are too few" in second
    ended = {**facts, "stopped": "the budget of 9 evaluations was used up", "repeats": 3}
    third = search_sentences(SearchFacts("search_tree", ended))[2]
    assert "came back to one of them 3 times" in third
    assert third.endswith("stopped early: the budget of 9 evaluations was used up.")


def test_the_report_and_the_terminal_show_the_search(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((80, 5))
    for method in ("wrapper-backward", "wrapper-annealing"):
        found = tamis.select(X, method=method, y=X[:, 0] > 0)
        page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
        assert page.count('<svg class="search"') == 2
        text = str(found)
        for sentence in found.to_dict()["evidence"]["sentences"]:
            assert sentence in text
            assert sentence in page
