"""The explorer in a real browser: copying, the search, the card of a column, what is taken away."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.reports import Report, report_of

import tamis

pytestmark = pytest.mark.slow

Show = Callable[..., Any]


@pytest.mark.nightly
def test_a_link_opens_the_page_at_a_number_and_a_column(show: Show, report: Report) -> None:
    page = show(report, "#k=2&col=net%2C+kg")
    assert page.locator("#figure-k").inner_text() == "2"
    assert page.locator("#card-title").inner_text() == "net, kg"
    page.locator("#slider").fill("4")
    page.wait_for_url(lambda url: url.endswith("#k=4&col=net%2C+kg"))
    page.get_by_label("Back to 3 columns, your choice").click()
    page.locator("#card-close").click()
    page.wait_for_url(lambda url: "#" not in url)


@pytest.mark.nightly
def test_the_page_of_a_link_with_unknown_names_is_the_usual_one(show: Show, report: Report) -> None:
    page = show(report, "#k=999&col=nobody&pin=nobody")
    assert page.locator("#figure-k").inner_text() == str(len(report.explorer.path))
    assert not page.locator("#card").is_visible()


def test_every_kind_of_column_is_found_and_has_its_card(show: Show, report: Report) -> None:
    page = show(report)
    box = page.get_by_label("Any of 8 columns")
    kept, dropped = report.facts.names[0], report.facts.dropped[0]
    expected = {
        kept: "kept, number 1 of 3",
        dropped.column: f"{dropped.status}: {dropped.new_rows:.1%} explained on new rows".replace(
            "safe:", "safe to drop:"
        ),
        "unit": "not analysed: constant",
        "town": "not analysed: text or categories, not numbers",
    }
    for name, text in expected.items():
        box.fill(name.upper())
        page.locator("#found a").first.click()
        assert page.locator("#card-title").inner_text() == name
        assert text in page.locator("#card-status").inner_text()
    box.fill(dropped.column)
    box.press("Enter")
    card = page.locator("#card").inner_text()
    for name in dropped.weights:
        assert name in card
    assert f"{dropped.share:.1%} by 3 kept columns" in card
    assert f"{dropped.new_rows:.1%} (lower limit {dropped.new_rows_low:.1%})" in card
    assert "240 in 240 rows" in card
    assert re.search(r"Kind\s+number\b", card)
    assert page.locator("#card svg.small").count() == 2
    assert page.locator("#card svg.small circle").count() == 200
    box.fill(kept)
    box.press("Enter")
    assert "Substitutes" in page.locator("#card-facts").inner_text()
    assert "Stands for" in page.locator("#card-facts").inner_text()


@pytest.mark.nightly
def test_the_prediction_on_the_card_is_that_of_the_regression(show: Show, report: Report) -> None:
    page = show(report)
    for row in report.facts.dropped:
        page.evaluate("(name) => modules.state.setState({ column: name })", row.column)
        dots = page.locator("#card svg.small").nth(1).locator("circle").all()
        xs, ys = (
            np.array([float(dot.get_attribute(name)) for dot in dots[::4]]) for name in ("cx", "cy")
        )
        assert np.corrcoef(xs, -ys)[0, 1] ** 2 == pytest.approx(row.carried, abs=0.12)


@pytest.mark.nightly
def test_a_page_without_rows_says_so_and_holds_none(show: Show, table: Path) -> None:
    found = tamis.select(str(table), k=3, method="sfs")
    report = report_of(found, rows=False)
    assert report.explorer.sampled_values == b""
    assert all(len(row) == 2 for row in report.explorer.sampled)
    page = show(report, "#col=age")
    assert page.locator("#card svg").count() == 0
    assert "omitted on request" in page.locator("#card").inner_text()
    assert not page.get_by_text("This page holds data: values").count()


def test_names_are_copied_in_the_chosen_form(show: Show, report: Report) -> None:
    page = show(report, permissions=["clipboard-read", "clipboard-write"])
    names = report.facts.names
    forms = {
        "python": json.dumps(names),
        "lines": "\n".join(names),
        "csv": ",".join(f'"{name}"' if "," in name else name for name in names),
        "frame": f"df[{json.dumps(names)}]",
    }
    for form, text in forms.items():
        page.locator("#copy-as").select_option(form)
        page.get_by_role("button", name="Copy names").first.click()
        page.get_by_text("Copied.").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == text


def test_tables_taken_away_say_what_the_page_shows(
    show: Show, report: Report, tmp_path: Path
) -> None:
    page = show(report)
    rows = {}
    for button in ("kept.csv", "explanations.csv"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=button).click()
        saved.value.save_as(tmp_path / button)
        with (tmp_path / button).open(encoding="utf-8") as file:
            rows[button] = list(csv.DictReader(file))
    assert [row["column"] for row in rows["kept.csv"]] == list(report.facts.names)
    last = {name: float(rows["kept.csv"][-1][name]) for name in ("new_rows", "share")}
    held = report.facts.held_out.share[2]
    assert last == pytest.approx({"new_rows": held, "share": report.facts.retained}, abs=1e-4)
    reasons = {row["column"]: row for row in rows["explanations.csv"]}
    assert tuple(reasons) == report.explorer.every_name
    assert reasons["unit"]["status"] == "skipped"
    for row in report.facts.dropped:
        found = reasons[row.column]
        assert found["status"] == row.status
        shares = [float(found[name]) for name in ("new_rows", "new_rows_low", "share")]
        known = [max(one, 0.0) for one in (row.new_rows, row.new_rows_low, row.share)]
        assert shares == pytest.approx(known, abs=6e-4)
        assert all(name in reasons[row.column]["mostly_by"] for name in row.weights)


def test_pictures_taken_away_stand_alone(show: Show, report: Report, tmp_path: Path) -> None:
    page = show(report)
    with page.expect_download() as saved:
        page.get_by_label("Save curve as SVG").click()
    saved.value.save_as(tmp_path / "curve.svg")
    drawing = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert "var(--" not in drawing
    assert "stroke:rgb" in drawing.replace(" ", "")
    for text in ("explained by the kept columns", "PCA ceiling", "columns kept", "my table.csv"):
        assert text in drawing
    with page.expect_download() as saved:
        page.get_by_label("Save map before as PNG").click()
    saved.value.save_as(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.nightly
def test_the_calls_follow_the_slider_with_the_path_that_was_given(
    show: Show, report: Report, table: Path
) -> None:
    page = show(report)
    page.locator("#slider").fill("2")
    assert page.locator("#command").inner_text() == (
        f"tamis select '{table}' --method sfs --held-out -k 2"
    )
    python = page.locator("#python").inner_text()
    found = eval(python, {"tamis": tamis})
    assert found.names == page.locator("#chips .chip").all_inner_texts()


@pytest.mark.nightly
def test_a_kept_column_says_for_whom_it_stands(show: Show, report: Report) -> None:
    page = show(report)
    stands = {name: [] for name in report.facts.names}
    for row in report.facts.dropped:
        stands[next(iter(row.weights))].append(row.column)
    for name, others in stands.items():
        row = page.locator("#kept tr").filter(has=page.get_by_role("link", name=name, exact=True))
        if others:
            row.get_by_role("button").click()
            listed = page.locator("#kept tr.wards").last.locator("a").all_inner_texts()
            assert sorted(listed) == sorted(others)
            row.get_by_role("button").click()
        else:
            assert not row.get_by_role("button").is_visible()


@pytest.mark.nightly
def test_the_strip_is_read_by_keyboard(show: Show, report: Report) -> None:
    page = show(report)
    page.locator(".wide svg.fate").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator("#fate-readout").inner_text().startswith("weight: ")
    page.keyboard.press("Enter")
    assert page.locator("#card-title").inner_text() == "weight"


@pytest.mark.nightly
def test_every_dot_lies_at_its_share_in_the_colour_of_its_drawer(
    show: Show, report: Report
) -> None:
    page = show(report)
    page.locator("#slider").fill("2")
    dots = page.evaluate(
        "[...document.querySelectorAll('.wide svg.fate .dots circle')].map((dot, j) =>"
        " [dot.getAttribute('class'), Number(dot.getAttribute('cy')),"
        " modules.model.getFirstShares(modules.state.state.model, 2)[j]])"
    )
    assert [kind for kind, *_ in dots].count("kept") == 2
    heights = np.array([[y, share] for _, y, share in dots])
    slope, start = np.polyfit(heights[:, 1], heights[:, 0], 1)
    assert slope < 0
    np.testing.assert_allclose(start + slope * heights[:, 1], heights[:, 0], atol=0.2)


@pytest.mark.nightly
def test_a_picture_goes_to_the_printer_alone_with_its_legend(show: Show, report: Report) -> None:
    page = show(report)
    page.evaluate("window.print = () => {}")
    page.get_by_label("Save curve as PDF").click()
    page.emulate_media(media="print")
    assert page.locator("#one-picture svg").is_visible()
    assert "explained by the kept columns" in (page.locator("#one-picture").text_content() or "")
    assert not page.locator("#verdict").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#one-picture").count() == 0
    assert page.locator("#verdict").is_visible()


@pytest.mark.nightly
def test_a_page_in_a_frame_tells_its_parent_what_is_kept(
    show: Show, report: Report, tmp_path: Path
) -> None:
    page = show(report, viewport={"width": 1280, "height": 900})  # its script stays with it
    outer = tmp_path / "outer.html"
    outer.write_text('<iframe src="report.html"></iframe>', encoding="utf-8")
    page.add_init_script(
        "window.heard = []; addEventListener('message', (e) => heard.push(e.data));"
    )
    page.goto(outer.as_uri())
    page.frame_locator("iframe").locator("html[data-ready]").wait_for()
    page.frame_locator("iframe").locator("#more").click()
    page.wait_for_function("heard.length && heard[heard.length - 1].tamis?.k === 4")
    last = page.evaluate("heard[heard.length - 1].tamis")
    assert last["names"][:3] == list(report.facts.names)


def test_between_stored_numbers_shares_are_said_to_be_interpolated(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.results.plot_facts._MAX_SHARES_STORED", 200)
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 9)) @ rng.normal(size=(9, 40)) + rng.normal(size=(90, 40))
    found = tamis.select(X, k=6, method="sfs")
    report = report_of(found)
    stored = report.explorer.share_steps
    assert 6 in stored
    assert len(stored) < 10 < len(report.explorer.path)
    page = show(report)
    assert not page.locator("#interpolated").is_visible()
    shares = found.measure.reproduction(found.search(20).indices).shares
    for kept in (4, 9, 15):
        assert kept not in stored
        page.locator("#slider").fill(str(kept))
        assert page.locator("#interpolated").is_visible()
        shown = np.array(page.evaluate(f"[...modules.state.state.model.getShares({kept})]"))
        low = max(step for step in stored if step < kept)
        high = min(step for step in stored if step > kept)
        assert (shown >= shares[low - 1] - 1.1e-3).all()
        kept_now = found.search(20).indices[:kept]
        assert (np.delete(shown, kept_now) <= np.delete(shares[high - 1], kept_now) + 1.1e-3).all()
        assert (shown[kept_now] == 1).all()


@pytest.mark.nightly
def test_long_questions_with_text_answers_can_be_told_apart_on_a_phone(show: Show) -> None:
    rng = np.random.default_rng(3)
    answers = np.array(["Disagree", "Neither", "Agree"])
    alike = "In the past twelve months, how often did you, or someone close to you, see item"
    table = {f"{alike} {j}?": list(answers[rng.integers(0, 3, 60)]) for j in range(5)}
    given = pa.table(table)
    found = tamis.select(given, k=3)
    report = report_of(found)
    page = show(report, f"#col={found.names[0]}", viewport={"width": 390, "height": 844})
    chips = page.locator("#chips .chip").all()
    assert all(one.bounding_box()["width"] < 370 for one in chips)
    assert len(set(page.locator("[data-heat=after] .names text").all_text_contents())) == 3
    bars = page.locator("#card-charts .small text").all_text_contents()
    counts = {answer: table[found.names[0]].count(answer) for answer in answers}
    assert sorted(bars) == sorted(f"{answer}: {count}" for answer, count in counts.items())


@pytest.mark.nightly
def test_sources_that_stay_the_same_are_not_said_to_be_of_another_number(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.results.slider_facts._MAX_SOURCES_STORED", 40 * 14)
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 9)) @ rng.normal(size=(9, 40)) + rng.normal(size=(90, 40))
    found = tamis.select(X, k=12, method="sfs")
    report = report_of(found)
    assert not report.explorer.has_all_sources
    page = show(report)
    page.evaluate("document.querySelectorAll('.drawer').forEach((one) => { one.open = true; })")
    first = report.facts.dropped[0].column
    page.wait_for_function(
        "name => document.querySelector('#dropped-columns').innerText.includes(name)", arg=first
    )
    listed = page.inner_text("#dropped-columns")
    assert report.facts.dropped[0].column in listed
    assert "are kept)" not in listed


@pytest.mark.nightly
def test_a_picture_saved_from_a_dark_page_is_light(show: Show, report: Report) -> None:
    saved = []
    for scheme in ("light", "dark"):
        page = show(report, color_scheme=scheme)
        saved.append(
            page.evaluate(
                "modules.pictures.writeStandalone("
                "modules.pictures.findPicture(document.querySelector('#curve figure')))"
            )
        )
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(21, 24, 26)") == (scheme == "dark")
    assert saved[0] == saved[1]
    assert "rgb(21, 24, 26)" not in saved[1]
