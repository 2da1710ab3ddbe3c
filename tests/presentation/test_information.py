"""What is shown of the methods on mutual information, from a table to every view."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.reports import report_of

import tamis
from tamis.facts.selection_answer import CurveFacts, DroppedColumn, TreeFacts
from tamis.presentation.prose.words import INFORMATION
from tamis.presentation.scenes.curve import curve_scene
from tamis.presentation.scenes.similarity import colour_scale
from tamis.presentation.terminal.selection import selection_text
from tamis.results.selection_facts import selection_facts

METHODS = ("naive-fs", "greedy-fs", "naive-rspfs", "rspfs")
FOREIGN = re.compile(r"reproduc|of the variance|PCA|standard deviation|correlation", re.IGNORECASE)


def _table(rows: int = 150, columns: int = 12) -> np.ndarray:
    rng = np.random.default_rng(columns)
    hidden = rng.normal(size=(rows, max(columns // 4, 1)))
    return np.repeat(hidden, 4, axis=1)[:, :columns] + 0.3 * rng.normal(size=(rows, columns))


@pytest.fixture(scope="module")
def chosen() -> Callable[..., tamis.Selection]:
    known: dict[Any, tamis.Selection] = {}

    def choose(method: str = "rspfs", k: int = 3) -> tamis.Selection:
        if (method, k) not in known:
            known[method, k] = tamis.select(_table(), k=k, method=method)
        return known[method, k]

    return choose


def _static(page: str) -> str:
    """Give what is read on the page: no style, no script, no tags."""
    body = page[page.index("<body>") : page.index('<script type="application/json"')]
    return re.sub("<[^>]*>", "", body).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("method", METHODS)
def test_no_view_speaks_of_variance(chosen: Callable[..., Any], method: str) -> None:
    selection = chosen(method)
    page = report_of(selection).render()
    labels = " ".join(re.findall('aria-label="(.*?)"', page))
    for shown in (_static(page), labels, str(selection), repr(selection)):
        assert not FOREIGN.search(shown.replace(selection.request.method.about, ""))
    assert selection.to_dict()["measure"] == "information"
    assert tamis.select(_table(), k=2).to_dict()["measure"] == "variance"


def test_the_sentence_and_the_short_form_speak_of_information(chosen: Callable[..., Any]) -> None:
    one, three = chosen(k=1), chosen()
    assert re.fullmatch(
        r"Keep 1 of 12 columns: it explains [\d.]+% of the information in all columns; "
        r"no single column could explain more than [\d.]+%\.",
        one.to_dict()["sentence"],
    )
    assert f"they explain {three.retained:.1%} of the information" in three.to_dict()["sentence"]
    assert f"3 columns, {three.retained:.1%} of the information" in repr(three)


def test_the_terminal_lists_what_explains_a_dropped_column(chosen: Callable[..., Any]) -> None:
    text = str(chosen())
    assert text.splitlines()[2].split() == ["kept", "explained", "ceiling"]
    row = min(chosen().explain(), key=lambda found: found.share)
    told = ", ".join(f"{name} ({w:.2f})" for name, w in row.weights.items() if w >= 0.005)
    assert f"%   {told}" in text
    assert " x " not in text


def test_a_weight_that_would_read_as_nothing_is_not_shown() -> None:
    dropped = (
        DroppedColumn("a", 0.3, {"b": 0.3, "c": 0.004}, 0.3, ""),
        DroppedColumn("d", 0.004, {"c": 0.004}, 0.004, ""),
    )
    found = selection_facts(tamis.select(_table(), k=2, method="rspfs"))
    shown = replace(found, dropped=dropped, chance=0.104)
    *_, first, second, blank, last = selection_text(shown).splitlines()
    lines = [first, second]
    assert blank == ""
    assert last.startswith("By chance alone, two unrelated columns")
    assert "10.4%" in last
    assert lines[0].split() == ["d", "0.4%", "nothing", "above", "chance"]
    assert lines[1].endswith("%   b (0.30)")


def test_a_row_of_the_report_names_what_explains_it_and_lies_in_its_drawer() -> None:
    summary = report_of(tamis.select(_table(), k=3, method="greedy-fs"))
    names = summary.explorer.path_names
    given = (0.07, 0.1, 0.499, 0.5, 0.9, 0.95, 0.0, 0.6, 0.6)
    weights = {names[0]: 0.43, names[1]: 0.31}
    dropped = [
        DroppedColumn(row.column, share, weights if share else {}, share, "")
        for row, share in zip(summary.facts.dropped, given, strict=True)
    ]
    page = summary.change(dropped=tuple(dropped)).render()
    text = _static(page)
    assert f"{names[0]} 0.43, {names[1]} 0.31" in text
    assert "nothing above chance" in text
    assert " alone: " not in text
    assert "These rows: the largest normalised mutual information with a kept column" in " ".join(
        text.split()
    )
    assert 'id="rows-safe"' not in page
    assert re.search(r'id="rows-dropped">(.*?)</tbody>', page, re.S)[1].count("<tr") == len(given)


def test_the_tree_is_in_the_facts_and_survives_json(chosen: Callable[..., Any]) -> None:
    for method in METHODS:
        selection = chosen(method)
        tree = json.loads(json.dumps(selection.to_dict()))["tree"]
        if selection.tree is None:
            assert tree is None
        else:
            assert tree == {"order": selection.tree.order, "depth": selection.tree.depth}
            assert list(tree["depth"]) == tree["order"]
    assert chosen("rspfs").to_dict()["tree"]
    assert chosen("naive-fs").to_dict()["tree"] is None


def test_the_report_draws_the_tree_only_where_there_is_one(chosen: Callable[..., Any]) -> None:
    page = report_of(chosen("rspfs")).render()
    assert page.count('<svg class="tree"') == 2
    assert page[page.index('id="tree-title"') :].count('class="row kept"') == 2 * 3
    for other in (chosen("greedy-fs"), tamis.select(_table(), k=2)):
        assert "Spectral tree" not in report_of(other).render()
    alone = report_of(chosen("rspfs")).change(tree=TreeFacts(("x0",), {"x0": 0}))
    assert "Spectral tree" not in alone.render()


@pytest.mark.slow
def test_a_folded_tree_says_so_and_says_when_kept_columns_are_hidden() -> None:
    few = report_of(tamis.select(_table(60, 100), k=4, method="rspfs"))
    text = _static(few.render())
    assert "of the 100 columns are folded" in text
    assert "too many to draw" not in text
    many = report_of(tamis.select(_table(60, 200), k=120, method="rspfs"))
    assert re.search(r"120 kept columns are too many to draw; \d+ of them", _static(many.render()))


def test_the_maps_run_from_nothing_to_all_and_their_scale_says_so(
    chosen: Callable[..., Any],
) -> None:
    summary = report_of(chosen())
    values = np.array(summary.explorer.map.values)
    np.testing.assert_array_equal(values, values.T)
    assert 0 <= values.min() < values.max() == 100
    assert (values.diagonal() == 100).all()
    page = summary.render()
    assert "Shared information before and after" in page
    assert "Shared information of 12 columns, before selection" in page
    scale = colour_scale(INFORMATION)
    assert re.findall(">([^<>]+)</text>", scale) == ["0", "0.5", "1"]
    assert re.findall('stop-color="(.*?)"', scale)[0] == "#f7f7f7"
    assert re.findall(">([^<>]+)</text>", colour_scale()) == ["\N{MINUS SIGN}1", "0", "1"]


def test_the_curve_is_described_in_words_of_its_measure() -> None:
    curve = CurveFacts((0.5, 1.0), (1.0, 1.0))
    assert "variance explained by 1 to 2" in curve_scene(curve, 1).about
    assert "information explained by 1 to 2" in curve_scene(curve, 1, words=INFORMATION).about


def test_report_and_json_stay_small() -> None:
    selection = tamis.select(_table(100, 200), k=20, method="rspfs")
    assert len(report_of(selection).render().encode()) < 300_000
    plain = selection.to_dict()
    assert len(json.dumps(plain["tree"])) < 40 * 200  # bytes for each column
    assert len(json.dumps(plain)) < 350 * 200


def test_no_share_below_chance_is_called_explained_in_any_view() -> None:
    rng = np.random.default_rng(0)
    codes = {f"c{size}": rng.integers(0, size, 300) for size in (60, 50, 40, 3)}
    table = pd.DataFrame({name: [f"v{v}" for v in value] for name, value in codes.items()})
    plain = {"corrected": False}
    found = tamis.select(table, k=2, method="representatives", include=["c60", "c3"], options=plain)
    information = found.measure.information.matrix
    assert information[found.path.kept, 1].max() > 0.3  # by chance: the columns are unrelated
    assert {row.column: row.share for row in found.explain()} == {"c50": 0.0, "c40": 0.0}
    assert str(found.explain("c50")) == "c50: nothing explained above chance"
    assert "c50 0.0% nothing above chance" in " ".join(str(found).split())
    assert [row["share"] for row in found.to_dict()["dropped"]] == [0.0, 0.0]
    assert found.to_frame()["share"].tolist() == [1.0, 0.0, 0.0, 1.0]
    assert "nothing of the dropped ones above chance" in found.to_dict()["sentence"]
    facts = report_of(found)
    assert facts.explorer.shares_now == ((1000, 0, 0, 1000),)
