"""The report in a real browser: what the script does, and what the page must never do."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.presentation.page.selection import render

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = (
    "/usr/bin/chromium" if os.access("/usr/bin/chromium", os.X_OK) else shutil.which("chromium")
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]

Make = Callable[..., dict[str, Any]]
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a summary's page; at the end, check that it was quiet and asked for nothing."""
    asked: list[str] = []
    complaints: list[str] = []
    contexts = []

    def _show(summary: dict[str, Any], **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(render(summary), encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": DESKTOP, **options}))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.as_uri())
        return page

    yield _show
    for context in contexts:
        context.close()
    assert not complaints
    own = (tmp_path / "report.html").as_uri()
    assert [url for url in asked if url != own and not url.startswith("data:")] == []
    assert own in asked


def _column(page: Any, body: str) -> list[str]:
    return page.locator(f"#{body} th").all_inner_texts()


def _shown(page: Any) -> dict[str, Any]:
    ids = ("figure-k", "figure-retained", "figure-bound", "kept-count", "dropped-count")
    return {
        **{part: page.locator(f"#{part}").inner_text() for part in ids},
        "kept": page.locator("#kept").inner_text(),
        "dropped": page.locator("#dropped").inner_text(),
        "names": page.locator("#names").input_value(),
    }


def test_the_slider_changes_the_kept_list_the_figures_and_the_dropped_table(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(30, 7)
    page = show(summary)
    before, marker = _shown(page), page.locator(".wide .marker line").get_attribute("x1")
    page.locator("#slider").fill("4")
    after = _shown(page)
    names = [step["column"] for step in summary["path"][:4]]
    assert _column(page, "kept") == names
    assert after["names"].splitlines() == names
    assert after["figure-k"] == after["kept-count"] == "4"
    assert after["figure-retained"] == f"{summary['curve']['retained'][3]:.1%}"
    assert after["figure-bound"] == f"{summary['curve']['bound'][3]:.1%}"
    assert after["dropped-count"] == "26"
    assert set(_column(page, "dropped")) == {o["column"] for o in summary["others"]} - set(names)
    assert after["dropped"] != before["dropped"]
    assert page.locator(".wide .marker line").get_attribute("x1") != marker


def test_every_number_shows_its_own_shares_and_sources(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(12, 3, m=12)
    page = show(summary)
    for kept in range(1, 13):
        page.locator("#slider").fill(str(kept))
        rows = page.locator("#dropped tr").all()
        left = [o for o in summary["others"] if o["place"] > kept]
        assert len(rows) == len(left)
        for row, other in zip(rows, sorted(left, key=lambda o: o["shares"][kept - 1]), strict=True):
            text = row.text_content().replace("\u00a0", " ")
            entry = [entry for entry in other["from"] if entry[0] <= kept][-1]
            assert text.startswith(other["column"])
            assert f"{other['shares'][kept - 1] / 10:.1f}%" in text
            for position, weight in entry[1]:
                name = summary["path"][position]["column"]
                assert f"{abs(weight):.2f} \N{MULTIPLICATION SIGN} {name}" in text
    assert page.locator("#dropped-about").inner_text() == "No column is dropped."


def test_the_keyboard_moves_the_slider_and_a_button_leads_back(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(30, 7, optimal=True))
    at_first = _shown(page)
    assert not page.locator("#back").is_visible()
    page.locator("#slider").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator("#figure-k").inner_text() == "9"
    assert not page.locator("#badge").is_visible()
    page.get_by_label("One column fewer").click()
    assert page.locator("#figure-k").inner_text() == "8"
    page.get_by_label("Back to your choice of 7 columns").click()
    assert _shown(page) == at_first
    assert page.locator("#badge").is_visible()


def test_the_static_page_says_the_same_as_the_live_one(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(140, 12)
    live = _shown(show(summary))
    static_page = show(summary, java_script_enabled=False)
    assert _shown(static_page) == live
    assert not static_page.locator("#control").is_visible()
    rest = static_page.locator("noscript summary")
    assert rest.inner_text() == "The other 28, explained at least as well"
    assert rest.is_visible()


def test_the_table_sorts_filters_and_shows_all_on_request(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(140, 12))
    assert len(_column(page, "dropped")) == 100
    page.get_by_role("button", name="Show all").click()
    worst_first = _column(page, "dropped")
    assert len(worst_first) == 128
    page.get_by_role("button", name="Explained").click()
    assert page.locator("th[data-sort=share]").get_attribute("aria-sort") == "descending"
    assert _column(page, "dropped")[0] == worst_first[-1]
    page.get_by_role("button", name="Column", exact=True).click()
    assert _column(page, "dropped")[0] == min(worst_first)
    page.get_by_label("Find a column").fill("TEXTURE")
    assert all("texture" in name for name in _column(page, "dropped"))
    page.get_by_label("Find a column").fill("no such name")
    assert _column(page, "dropped") == []
    assert page.get_by_text("No dropped column matches.").is_visible()


def test_the_counts_and_the_search_of_a_wide_table_are_true(
    show: Callable[..., Any], wide: dict[str, Any]
) -> None:
    page = show(wide)
    about, static = "#dropped-about", show(wide, java_script_enabled=False)
    assert page.locator(about).inner_text() == static.locator(about).inner_text()
    assert page.locator("#more-text").inner_text() == static.locator("#more-text").inner_text()
    for kept in (1, 5, 9):
        page.locator("#slider").fill(str(kept))
        well, badly = (wide["counts"][kind][kept - 1] for kind in ("well", "badly"))
        assert page.locator("#dropped-count").inner_text() == f"{2300 - kept:,}"
        assert page.locator(about).inner_text() == (
            f"Of {2300 - kept:,} dropped columns, {well:,} are explained to at least 90%, "
            f"{badly:,} to less than 50%."
        )
    listed = {other["column"] for other in wide["others"]}
    missed = next(row["column"] for row in wide["dropped"] if row["column"] not in listed)
    page.get_by_label("Find a listed column").fill(missed + " ")
    page.get_by_label("Find a listed column").fill("x99999")
    assert page.get_by_text("No listed column matches").is_visible()
    assert "of the 2,291 dropped columns" in page.locator("#more-text").inner_text()


def test_a_moved_slider_says_that_headline_and_commands_stay(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(30, 7))
    assert not page.locator("#elsewhere").is_visible()
    page.locator("#slider").fill("4")
    assert page.locator("#elsewhere").inner_text() == (
        "The slider is set to 4 columns: numbers, lists and curve show that. The sentence "
        "above, the maps and the commands show your choice of 7 columns."
    )
    page.get_by_label("Back to your choice of 7 columns").click()
    assert not page.locator("#elsewhere").is_visible()


def test_a_click_on_the_chart_chooses_the_nearest_number(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(30, 7))
    box = page.locator(".wide svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 5, box["y"] + box["height"] / 2)
    assert page.locator("#figure-k").inner_text() == "20"


def test_pointing_at_the_heat_map_reads_the_correlation(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(6, 3)
    page = show(summary)
    image = page.locator("figure[data-heat=before] image")
    image.scroll_into_view_if_needed()
    box = image.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.92)
    before = summary["heat"]["before"]
    value = f"{before['values'][5][1] / 100:.2f}".replace("-", "\N{MINUS SIGN}")
    told = page.locator("figure[data-heat=before] .readout").inner_text()
    assert told == f"{before['columns'][1]} and {before['columns'][5]}: {value}"


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("columns", [2, 60, 200])
def test_nothing_overflows_sideways(
    show: Callable[..., Any], make_summary: Make, viewport: dict[str, int], columns: int
) -> None:
    names = [f"{'long' * 20}_{i}" if i % 3 else f"gene {i}" for i in range(columns)]
    left = [{"column": "x" * 90, "why": "y" * 90}]
    page = show(
        make_summary(columns, min(columns, 12), names=names, left_out=left, title="z" * 90),
        viewport=viewport,
    )
    for kept in ("1", "2"):
        page.locator("#slider").fill(kept)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"]


def test_the_dark_scheme_changes_the_background(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(12, 4)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = show(summary, color_scheme="light").evaluate(colour)
    dark = show(summary, color_scheme="dark").evaluate(colour)
    assert light != dark


def test_paper_shows_the_answer_and_no_controls(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(30, 7), color_scheme="dark")
    page.emulate_media(media="print")
    assert page.locator("#kept").is_visible()
    assert not page.locator("#control").is_visible()
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"


def test_hostile_names_run_nothing(show: Callable[..., Any], make_summary: Make) -> None:
    names = [
        "<script>alert(1)</script>",
        '"quoted"',
        "<img onerror=alert(1) src=x>",
        "",
        "__proto__",
    ]
    page = show(make_summary(5, 2, names=names, title=names[2]))
    for kept in range(1, 6):
        page.locator("#slider").fill(str(kept))
    assert sorted(_column(page, "kept")) == sorted(name or "(no name)" for name in names)
    assert page.locator("img").count() == 0


def test_a_table_of_one_column_needs_no_slider(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(1, 1, m=1, heat=None, names=["only"]))
    assert not page.locator("#control").is_visible()
    assert _column(page, "kept") == ["only"]


@pytest.mark.slow
def test_two_thousand_columns_follow_the_slider(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(2000, 40, m=100))
    for k in (1, 10, 100):
        page.locator("#slider").fill(str(k))
        assert page.locator("#figure-k").inner_text() == str(k)
        assert page.locator("#dropped-count").inner_text() == f"{2000 - k:,}"


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_marks_in_the_tree_follow_the_slider(
    show: Callable[..., Any], told: dict[str, Any], viewport: dict[str, int]
) -> None:
    page = show(told, viewport=viewport)
    marked = page.locator("svg.tree:visible .kept text")
    for kept in (6, 2, 20):
        page.locator("#slider").fill(str(kept))
        names = {step["column"] for step in told["path"][:kept]}
        texts = marked.all_text_contents()
        folded = [text for text in texts if text.endswith(" kept")]
        assert set(texts) - set(folded) <= names
        hidden = sum(int(text.split()[1]) for text in folded)
        assert len(texts) - len(folded) + hidden == kept
        assert bool(hidden) == (kept == 20)
    assert page.locator("svg.tree:visible .kept circle").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_the_script_and_the_static_page_agree_on_information(
    show: Callable[..., Any], told: dict[str, Any]
) -> None:
    live, about = show(told), "#dropped-about"
    static = show(told, java_script_enabled=False)
    assert _shown(static) == _shown(live)
    assert live.locator(about).inner_text() == static.locator(about).inner_text()
    live.locator("#slider").fill("20")
    kept = {step["column"] for step in told["path"][:20]}
    rows = set(live.locator("#dropped tr .from").all_text_contents())
    named = {row.split("\N{NO-BREAK SPACE}0.")[0] for row in rows - {"nothing above chance"}}
    assert named
    assert named <= kept
