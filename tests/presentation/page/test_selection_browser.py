"""The report in a real browser: what the slider does, and what the page must never do."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.needs import nightly
from tests.reports import Report

from tamis.facts.shared_answer import SkippedColumn
from tamis.presentation.prose.about_selection import selection_sentence

pytestmark = pytest.mark.slow

Make = Callable[..., Report]
PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
DRAWERS = ("safe", "partly", "lost")


def _slide(page: Any, kept: int) -> None:
    """Move the slider, and wait until the long lists follow."""
    page.locator("#slider").fill(str(kept))
    page.wait_for_selector(f"html[data-drawn='{kept}']")


def _open_all(page: Any) -> None:
    page.evaluate("document.querySelectorAll('.drawer').forEach((one) => { one.open = true; })")


def _column(page: Any, body: str) -> list[str]:
    return page.locator(f"#{body} th").all_inner_texts()


def _dropped(page: Any) -> list[str]:
    return [name for kind in DRAWERS for name in _column(page, f"rows-{kind}")]


def _shown(page: Any) -> dict[str, Any]:
    kinds = [kind for kind in (*DRAWERS, "dropped") if page.locator(f"#drawer-{kind}").count()]
    counts = tuple(f"count-{kind}" for kind in kinds)
    figures = ("verdict", "figure-k", "figure-share", "figure-rows", "figure-bound")
    ids = (*figures, "kept-count", "dropped-count", *counts)
    rows = {f"rows-{kind}": page.locator(f"#rows-{kind}").text_content() for kind in kinds}
    return {
        **{part: page.locator(f"#{part}").inner_text() for part in ids},
        "chips": page.locator("#chips .chip").all_inner_texts(),
        "kept": page.locator("#kept tr > :not(th)").all_inner_texts(),
        "command": page.locator("#command").all_inner_texts(),
        **{name: "".join(text.split()) for name, text in rows.items()},
        "names": page.locator("#names").input_value(),
    }


def test_the_slider_changes_verdict_names_figures_and_drawers(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(30, 7)
    page = show(summary)
    _open_all(page)
    before, marker = _shown(page), page.locator(".wide .marker line").get_attribute("x1")
    _slide(page, 4)
    after = _shown(page)
    names = summary.explorer.path_names[:4]
    assert after["chips"] == names
    assert after["names"].splitlines() == names
    assert after["figure-k"] == after["kept-count"] == "4"
    curve = summary.explorer.curve
    share, most = curve.retained[3], curve.bound[3]
    assert after["figure-share"] == f"{share:.1%}"
    assert after["figure-rows"] == "on these rows; new rows were not measured"
    assert after["figure-bound"] == f"{most:.1%}"
    assert after["verdict"] == (
        f"Keep 4 of 30 columns: they explain {share:.1%} of the variance; no 4 columns could "
        f"explain more than {most:.1%}."
    )
    assert before["verdict"] == selection_sentence(summary.facts)
    assert after["dropped-count"] == "26"
    assert set(_dropped(page)) == set(summary.explorer.every_name) - set(names)
    assert after["rows-partly"] != before["rows-partly"]
    assert page.locator(".wide .marker line").get_attribute("x1") != marker


def test_every_number_shows_its_own_shares_and_sources(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(12, 3, m=12))
    _open_all(page)
    for kept in (1, 4, 11, 12):
        expected = make_summary(12, kept, m=12)
        _slide(page, kept)
        rows = [row for kind in DRAWERS for row in page.locator(f"#rows-{kind} tr").all()]
        assert len(rows) == 12 - kept
        texts = {row.locator("th").inner_text(): row.text_content() for row in rows}
        places = {name: j for j, name in enumerate(expected.explorer.every_name)}
        drawers = expected.explorer.drawers_at(kept)
        counts = Counter(drawers[places[row.column]] for row in expected.facts.dropped)
        for row in expected.facts.dropped:
            text = texts[row.column].replace("\u00a0", " ")
            assert f"{row.share:.1%}" in text
            new = expected.explorer.first_shares[places[row.column]]
            assert ("worse" if new < 0 else f"{new / 10:.1f}%") in text
            said = row.weights if row.share > expected.facts.chance else {}  # less says nothing
            for name, weight in said.items():
                assert f"{abs(weight):.2f} \N{MULTIPLICATION SIGN} {name}" in text
        for kind in DRAWERS:
            assert page.locator(f"#count-{kind}").inner_text() == str(counts[kind])
            assert page.locator(f"#rows-{kind} tr").count() == counts[kind]


@pytest.mark.nightly
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
    page.get_by_label("Back to 7 columns, your choice").click()
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
    assert static_page.locator("#chips").is_visible()
    assert static_page.locator("#find noscript p").is_visible()


@pytest.mark.nightly
def test_a_drawer_sorts_and_shows_all_on_request(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(140, 12))
    for kind in ("safe", "lost"):
        page.evaluate(f"document.getElementById('drawer-{kind}').open = false")
    page.evaluate("document.getElementById('drawer-partly').open = true")
    count = int(page.locator("#count-partly").inner_text())
    assert len(_column(page, "rows-partly")) == 40 < count
    page.locator("#drawer-partly").get_by_role("button", name="Show all").click()
    worst_first = _column(page, "rows-partly")
    assert len(worst_first) == count
    page.locator("#drawer-partly").get_by_role("button", name="New rows").click()
    header = page.locator("#drawer-partly th[data-sort=share]")
    assert header.get_attribute("aria-sort") == "descending"
    assert _column(page, "rows-partly")[0] == worst_first[-1]
    page.locator("#drawer-partly").get_by_role("button", name="Column", exact=True).click()
    assert _column(page, "rows-partly")[0] == min(worst_first)


@pytest.mark.nightly
def test_the_counts_and_the_search_of_a_wide_table_are_true(
    show: Callable[..., Any], wide: Report
) -> None:
    page = show(wide)
    static = show(wide, java_script_enabled=False)
    for kind in DRAWERS:
        count = f"#count-{kind}"
        assert page.locator(count).inner_text() == static.locator(count).inner_text()
    for kept in (1, 5, 9):
        _slide(page, kept)
        assert page.locator("#dropped-count").inner_text() == f"{2300 - kept:,}"
        shown = [page.locator(f"#count-{kind}").inner_text() for kind in DRAWERS]
        assert sum(int(count.replace(",", "")) for count in shown) == 2300 - kept
    _slide(page, 5)
    for row in wide.facts.dropped[::400]:
        page.get_by_label("Any of 2,300 columns").fill(row.column)
        found = page.locator("#found tr").first
        assert found.locator("a").inner_text() == row.column
        assert f"{row.share:.1%}" in found.inner_text()
        assert f"{row.new_rows:.1%}" in found.inner_text()
    page.get_by_label("Any of 2,300 columns").fill("no such name")
    assert page.get_by_text("None of the 2,300 columns has this in its name.").is_visible()


@pytest.mark.nightly
def test_a_click_on_the_chart_chooses_the_nearest_number(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(30, 7))
    box = page.locator(".wide svg.curve").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 5, box["y"] + box["height"] / 2)
    assert page.locator("#figure-k").inner_text() == "20"


def test_pointing_at_the_map_reads_the_correlation(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(6, 3)
    page = show(summary)
    image = page.locator("figure[data-heat=before] image")
    image.scroll_into_view_if_needed()
    box = image.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.92)
    found = summary.explorer.map
    value = f"{found.values[5][1] / 100:.2f}".replace("-", "\N{MINUS SIGN}")
    told = page.locator("figure[data-heat=before] .readout").inner_text()
    assert told == f"{found.names[1]} and {found.names[5]}: {value}"
    page.locator("figure[data-heat=before] svg").focus()
    page.keyboard.press("ArrowRight")
    told = page.locator("figure[data-heat=before] .readout").inner_text()
    assert told.startswith(f"{found.names[2]} and {found.names[5]}: ")


@pytest.mark.parametrize("viewport", [PHONE, nightly(DESKTOP)], ids=["phone", "desktop"])
@pytest.mark.parametrize("columns", [60, nightly(2), nightly(200)])
def test_nothing_overflows_sideways(
    show: Callable[..., Any], make_summary: Make, viewport: dict[str, int], columns: int
) -> None:
    names = [f"{'long' * 20}_{i}" if i % 3 else f"gene {i}" for i in range(columns)]
    left = (SkippedColumn("x" * 90, "y" * 90),)
    page = show(
        make_summary(columns, min(columns, 12), names=names, skipped=left, title="z" * 90),
        viewport=viewport,
    )
    for kept in (1, 2):
        _slide(page, kept)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"]


@pytest.mark.nightly
def test_the_dark_scheme_changes_the_background(
    show: Callable[..., Any], make_summary: Make
) -> None:
    summary = make_summary(12, 4)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = show(summary, color_scheme="light").evaluate(colour)
    dark = show(summary, color_scheme="dark").evaluate(colour)
    assert light != dark


@pytest.mark.nightly
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
        _slide(page, kept)
    shown = page.locator("#chips .chip").all_inner_texts()
    assert sorted(shown) == sorted(name or "(no name)" for name in names)
    for name in names:
        page.locator("#filter").fill(name)
        page.evaluate("(name) => modules.state.openColumn(name)", name)
        assert page.locator("#card-title").inner_text() == (name or "(no name)")
    assert page.locator("img").count() == 0


@pytest.mark.nightly
def test_a_table_of_one_column_needs_no_slider(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(1, 1, m=1, names=["only"]))
    assert not page.locator("#control").is_visible()
    assert page.locator("#chips .chip").all_inner_texts() == ["only"]


@pytest.mark.slow
@pytest.mark.nightly
def test_two_thousand_columns_follow_the_slider(
    show: Callable[..., Any], make_summary: Make
) -> None:
    page = show(make_summary(2000, 40, m=100))
    for k in (1, 10, 100):
        _slide(page, k)
        assert page.locator("#figure-k").inner_text() == str(k)
        assert page.locator("#dropped-count").inner_text() == f"{2000 - k:,}"


@pytest.mark.parametrize("viewport", [PHONE, nightly(DESKTOP)], ids=["phone", "desktop"])
def test_the_marks_in_the_tree_follow_the_slider(
    show: Callable[..., Any], told: Report, viewport: dict[str, int]
) -> None:
    page = show(told, viewport=viewport)
    marked = page.locator("svg.tree:not(.clusters):visible .kept text")
    for kept in (6, 2, 20):
        _slide(page, kept)
        names = set(told.explorer.path_names[:kept])
        texts = marked.all_text_contents()
        folded = [text for text in texts if text.endswith(" kept")]
        assert set(texts) - set(folded) <= names
        hidden = sum(int(text.split()[1]) for text in folded)
        assert len(texts) - len(folded) + hidden == kept
        assert bool(hidden) == (kept == 20)
    assert page.locator("svg.tree:not(.clusters):visible .kept circle").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


def test_the_script_and_the_static_page_agree_on_information(
    show: Callable[..., Any], told: Report
) -> None:
    live = show(told)
    static = show(told, java_script_enabled=False)
    assert _shown(static) == _shown(live)
    _slide(live, 20)
    _open_all(live)
    kept = set(told.explorer.path_names[:20])
    rows = set(live.locator(".drawer tr .from").all_text_contents())
    named = {row.split("\N{NO-BREAK SPACE}0.")[0] for row in rows - {"nothing above chance"}}
    assert named
    assert named <= kept
