"""What if, in a real browser: what the page chooses is what the calls that it shows give."""

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from tests.run.test_shrinkage import signal_and_rare

import tamis
from tamis.algorithms.limits import Limits
from tamis.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture
def show(open_page: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Open the report of a selection."""

    def _show(found: tamis.Selection, at: str = "", **options: Any) -> Any:
        page = open_page(found.report(tmp_path / "report.html", **options), at)
        page.wait_for_selector("html[data-ready]")
        return page

    return _show


@pytest.fixture
def wine(tmp_path: Path) -> Path:
    path = tmp_path / "wine table.csv"
    load_wine(as_frame=True).data.to_csv(path, index=False)
    return path


def chips(page: Any) -> list[str]:
    return page.locator("#chips .chip").all_inner_texts()


def open_column(page: Any, name: str) -> None:
    page.fill("#filter", name)
    page.press("#filter", "Enter")


def names_by_python(page: Any) -> list[str]:
    """Run the Python line that the page shows."""
    return eval(page.inner_text("#python"), {"tamis": tamis}).names


def names_by_command(page: Any, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Run the command that the page shows."""
    main([*shlex.split(page.inner_text("#command"))[1:], "--json"])
    return json.loads(capsys.readouterr().out)["names"]


def test_a_page_with_categories_chooses_again_as_python_does(show, tmp_path, capsys):
    rng = np.random.default_rng(3)
    hidden = rng.normal(size=(300, 3))
    X = hidden @ rng.normal(size=(3, 7)) + 0.4 * rng.normal(size=(300, 7))
    table = pd.DataFrame(X, columns=list("abcdefg"))
    for name, part in (("town", X[:, 0]), ("kind", X[:, 3])):
        table[name] = pd.qcut(part, 4, labels=["low", "mid", "high", "top"]).astype(str)
    path = tmp_path / "mixed.csv"
    table.to_csv(path, index=False)
    page = show(tamis.select(str(path), k=3, options={"shrink": 0.0}))
    before = chips(page)
    open_column(page, "town")
    page.click("#whatif >> text=Pin")
    assert chips(page)[0] == "town"
    open_column(page, before[0])
    page.click("#whatif >> text=Forbid")
    assert before[0] not in chips(page)
    assert names_by_python(page) == chips(page)
    assert names_by_command(page, capsys) == chips(page)
    page.click("#whatif-reset")
    assert chips(page) == before


def test_where_the_search_shrinks_the_page_shrinks_alike(show, tmp_path, capsys):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 24)) + 2 * rng.normal(size=(60, 24))
    path = tmp_path / "few rows.csv"
    pd.DataFrame(X, columns=[f"c{j}" for j in range(24)]).to_csv(path, index=False)
    found = tamis.select(str(path), k=6)
    assert found.to_dict()["shrink"] == 1.0
    page = show(found, f"#k=6&bar={found.names[1]}&pin=c20")
    assert chips(page)[0] == "c20"
    assert page.inner_text("#whatif-on").endswith("against your choice with 6 columns.")
    assert "--shrink 1.0 " in page.inner_text("#command")
    assert names_by_python(page) == chips(page)
    assert names_by_command(page, capsys) == chips(page)


def test_where_tails_are_heavy_the_page_shrinks_each_column_as_the_answer_does(show):
    X = signal_and_rare(seed=2)
    names = [f"c{j}" for j in range(X.shape[1])]
    found = tamis.select(pd.DataFrame(X, columns=names), k=8)
    assert found.to_dict()["shrink_by_tails"]
    page = show(found, f"#k=8&bar={found.names[1]}&pin=c20")
    barred = int(found.path.kept[1])
    again = replace(found.search, include=(20,), limits=Limits.of(len(found.used), forbid=[barred]))
    assert chips(page) == [names[found.used[j]] for j in again(8).kept]
    assert "These calls choose the shrinkage again" in page.inner_text("#take-differs")


@pytest.mark.nightly
def test_pins_forbidden_columns_and_prices_choose_again_as_python_does(show, wine, capsys):
    page = show(tamis.select(str(wine), k=4))
    before = chips(page)
    open_column(page, "hue")
    page.click("#whatif >> text=Pin")
    assert chips(page)[0] == "hue"
    assert names_by_python(page) == chips(page)
    open_column(page, before[0])
    page.click("#whatif >> text=Forbid")
    open_column(page, "ash")
    page.fill("#whatif input", "0.25")
    page.press("#whatif input", "Enter")
    assert before[0] not in chips(page)
    assert names_by_python(page) == chips(page)
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert len(chips(page)) == 5
    assert names_by_python(page) == chips(page)
    assert names_by_command(page, capsys) == chips(page)
    shown = float(re.search(r"explain ([\d.]+)%", page.inner_text("#verdict"))[1])
    line = page.inner_text("#python")
    assert shown == pytest.approx(100 * eval(line, {"tamis": tamis}).retained, abs=0.051)


def test_what_is_wished_stands_in_the_address_and_in_the_bar(show, wine):
    found = tamis.select(str(wine), k=4)
    page = show(found, "#k=6&pin=hue&bar=flavanoids&price=ash%3A0.5")
    kept = chips(page)
    assert len(kept) == 6
    bar = page.inner_text("#whatif-list")
    for said in ("pinned", "hue", "forbidden", "flavanoids", "price 0.5:", "ash"):
        assert said in bar
    page.click("#whatif-list button[aria-label='Take back: pinned hue']")
    page.wait_for_url(re.compile("#(?!.*hue).*bar="))
    assert "bar=flavanoids" in page.evaluate("location.hash")
    address = page.evaluate("location.hash")
    kept = chips(page)
    assert chips(show(found, address)) == kept
    page.click("#whatif-reset")
    assert page.locator("#whatif-on").is_hidden()
    page.click("#back")
    assert chips(page) == found.names
    page.wait_for_url(re.compile(r"report\.html$"))


@pytest.mark.nightly
def test_unknown_names_and_prices_in_an_address_do_no_harm(show, wine):
    found = tamis.select(str(wine), k=3)
    page = show(found, "#pin=nobody&bar=nothing&price=ash%3A-1&price=hue")
    assert chips(page) == found.names
    assert page.locator("#whatif-on").is_hidden()


@pytest.mark.nightly
def test_wishes_are_made_by_keyboard_and_keep_the_focus(show, wine):
    page = show(tamis.select(str(wine), k=3), "#col=ash")
    page.focus("#whatif button")
    page.keyboard.press("Enter")
    assert chips(page)[0] == "ash"
    assert page.evaluate("document.activeElement.textContent") == "Pinned"
    assert page.get_attribute("#whatif button", "aria-pressed") == "true"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Pin"
    assert page.locator("#whatif-on").is_hidden()


@pytest.mark.nightly
def test_on_a_phone_an_opened_column_is_not_under_the_bar(show, wine):
    found = tamis.select(str(wine), k=3)
    page = show(found, "#bar=hue&pin=alcohol&price=ash%3A2&col=proline")
    _check_title_is_clear(page)
    page.set_viewport_size({"width": 390, "height": 844})
    open_column(page, "magnesium")
    _check_title_is_clear(page)


def _check_title_is_clear(page: Any) -> None:
    bar = page.locator(".sticky").bounding_box()
    title = page.locator("#card-title").bounding_box()
    assert bar["y"] + bar["height"] <= title["y"] < 600


def test_a_cross_on_a_kept_name_forbids_it(show, wine):
    found = tamis.select(str(wine), k=3)
    page = show(found)
    page.click(f"#chips button[aria-label='Forbid {found.names[1]}']")
    assert found.names[1] not in chips(page)
    assert names_by_python(page) == chips(page)
    assert page.locator("svg.curve polyline.asked").count() > 0
    page.click("#whatif-reset")
    assert chips(page) == found.names
    assert page.locator("svg.curve polyline.asked").count() == 0


@pytest.mark.nightly
def test_fewer_columns_than_pins_cannot_be_kept(show, wine):
    page = show(tamis.select(str(wine), k=5), "#k=1&pin=ash&pin=hue&pin=alcohol")
    assert chips(page) == ["ash", "hue", "alcohol"]
    assert page.locator("#less").is_disabled()
    assert names_by_python(page) == chips(page)


def test_what_the_call_asked_for_stays_in_force(show, wine, capsys):
    asked = {"include": ["hue"], "forbid": ["flavanoids"], "costs": {"ash": 3}}
    page = show(tamis.select(str(wine), k=4, **asked), "#bar=proline")
    assert chips(page)[0] == "hue"
    assert not {"flavanoids", "proline"} & set(chips(page))
    assert names_by_python(page) == chips(page)
    assert names_by_command(page, capsys) == chips(page)
    open_column(page, "flavanoids")
    assert page.inner_text("#whatif") == "Never kept: the call says so."
    open_column(page, "ash")
    assert page.input_value("#whatif input") == "3"
    page.fill("#whatif input", "1")
    page.press("#whatif input", "Enter")
    assert 'costs={"ash": 1}' in page.inner_text("#python")
    assert names_by_python(page) == chips(page)


@pytest.mark.parametrize("method", ["ufs", "variance"])
@pytest.mark.nightly
def test_other_methods_are_chosen_again_by_greedy_reconstruction(show, wine, capsys, method):
    page = show(tamis.select(str(wine), k=4, method=method), "#k=4&bar=hue")
    assert f"Greedy reconstruction (sfs), not {method}" in page.inner_text("#whatif-on")
    assert names_by_python(page) == chips(page)
    assert names_by_command(page, capsys) == chips(page)


@pytest.mark.nightly
def test_a_refined_choice_is_chosen_again_without_swaps(show, wine):
    page = show(tamis.select(str(wine), k=4, method="sfs", refine=True), "#k=4&bar=hue")
    assert "Greedy reconstruction (sfs), without swaps" in page.inner_text("#whatif-on")
    assert names_by_python(page) == chips(page)


@pytest.mark.nightly
def test_shares_and_reasons_follow_the_wishes(show, wine):
    page = show(tamis.select(str(wine), k=4), "#k=4&pin=hue&bar=flavanoids&col=flavanoids")
    found = eval(page.inner_text("#python"), {"tamis": tamis})
    row = next(row for row in found.explain() if row.column == "flavanoids")
    facts = page.inner_text("#card-facts")
    assert f"{100 * row.share:.1f}% by 4 kept columns" in facts
    assert "new rows" not in facts
    for name, weight in row.weights.items():
        assert name in facts
        assert f"{abs(weight):.2f}" in facts


@pytest.mark.nightly
def test_of_many_columns_some_can_be_chosen_and_the_page_says_so(show):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 20)) @ rng.standard_normal((20, 620))
    frame = pd.DataFrame(X + rng.standard_normal(X.shape), columns=[f"c{j}" for j in range(620)])
    found = tamis.select(frame, k=5)
    shares = {row.column: row.share for row in found.explain()}
    best = max(shares, key=shares.get)
    page = show(found, f"#k=5&bar={found.names[0]}&pin={best}")
    assert "500 of 620 columns can be chosen" in page.inner_text("#whatif-on")
    assert found.names[0] not in chips(page)
    assert "of the variance of the 500 columns" in page.inner_text("#verdict")
    assert "from 500 of the 620 columns" in page.inner_text("#whatif-about")
    assert best not in page.inner_text("#whatif-list")
    open_column(page, best)
    assert "this one is not among them" in page.inner_text("#whatif")
    assert "These calls choose from all 620 columns" in page.inner_text("#take-differs")
    page.click("#whatif-reset")
    assert not page.is_visible("#take-differs")


@pytest.mark.nightly
def test_a_shorter_path_is_drawn_at_the_numbers_under_the_axis(show, wine):
    page = show(tamis.select(str(wine), k=13))
    page.evaluate(
        "modules.state.setState({ barred: modules.model.data.path.slice(3)"
        ".map((column) => modules.state.getName(column)) })"
    )
    assert len(chips(page)) == 3
    assert float(page.get_attribute(".wide .marker line", "x1")) == pytest.approx(
        42 + (720 - 54) * 2 / 12, abs=0.1
    )
    page.hover(".wide svg.curve", position={"x": 700, "y": 60})
    assert page.inner_text("#curve-readout").startswith("3 columns")


@pytest.mark.nightly
def test_without_the_gram_matrix_the_page_only_shows_what_was_found(show, wine):
    found = tamis.select(str(wine), k=4)
    page = show(found, "#pin=ash&col=hue", gram=False)
    assert chips(page) == found.names
    assert page.locator("#whatif-on, #whatif button, #whatif-about").count() == 0
    page.focus("#slider")
    page.keyboard.press("ArrowRight")
    assert len(chips(page)) == 5


@pytest.mark.nightly
def test_shares_of_ranks_are_not_shown_as_a_prediction_of_values(show):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(80, 3)), columns=["a", "b", "c"])
    frame["steep"] = np.exp(3 * frame["a"])
    found = tamis.select(frame, k=3, method="correlation", options={"kind": "spearman"})
    page = show(found, "#col=steep" if "steep" not in found.names else "#col=a")
    assert "against predicted" not in page.inner_text("#card-charts").lower()
    assert "Against " in page.inner_text("#card-charts")
    assert "those of the ranks (Spearman)" in page.inner_text("#cautions")
    assert "1 dropped column has the same ranks as a kept one" in page.inner_text("#cautions")
    assert not page.is_visible("#take-differs")
    page.evaluate("modules.state.setState({ pins: ['b'] })")
    assert "this page their ranks" in page.inner_text("#take-differs")


def test_columns_named_as_parts_of_the_language_are_columns_like_others(
    show: Callable[..., Any], tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)
    names = ["constructor", "__proto__", "toString", "hasOwnProperty", "a", "b", "c"]
    X = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 7)) + rng.normal(size=(60, 7))
    pd.DataFrame(X, columns=names).to_csv(tmp_path / "t.csv", index=False)
    found = tamis.select(str(tmp_path / "t.csv"), k=2, method="sfs", stability=True)
    page = show(found)
    for name in names[:4]:
        open_column(page, name)
        box = page.locator("#whatif input[type=number]")
        assert box.input_value() == "1"
        assert "none" in page.locator("#card-facts").inner_text()
        box.fill("50")
        box.press("Tab")
        assert f'"{name}": 50' in page.inner_text("#python")
        assert name not in chips(page)
        assert chips(page) == names_by_python(page)
        page.click("#whatif-reset")
    assert "undefined" not in page.inner_text("#dropped-columns")


def test_with_wishes_nothing_is_called_safe_and_shares_are_of_these_rows(show, wine):
    found = tamis.select(str(wine), k=6)
    assert any(row.status for row in found.explain())
    page = show(found)
    assert page.inner_text("#shown").startswith(f"6: {found.held_out[5]:.1%} on new rows")
    assert page.inner_text("#figure-here") == f"{found.retained:.1%} on these rows"
    page.evaluate("modules.state.setState({ barred: [modules.state.getName(0)] })")
    assert page.inner_text("#shown").endswith("on these rows")
    assert "new rows were not measured" in page.inner_text("#figure-rows")
    assert page.locator(".drawer:visible strong").all_inner_texts() == ["All dropped columns"]
    words = page.inner_text("body").replace("without being removed", "")
    assert "safe" not in words
    page.click("#whatif-reset")
    drawers = page.locator(".drawer:visible strong").all_inner_texts()
    assert drawers == ["Safe to drop", "Partly lost", "Lost"]
