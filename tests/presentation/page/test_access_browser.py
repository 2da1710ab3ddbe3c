"""The explorer for everybody: by keyboard, on a phone, on paper, and as axe-core judges it."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.needs import AXE, needs_axe, nightly
from tests.reports import Report

pytestmark = pytest.mark.slow

Show = Callable[..., Any]
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.mark.nightly
def test_paper_holds_the_answer_on_two_pages(show: Show, report: Report) -> None:
    page = show(report)
    paper = page.pdf(format="A4")
    assert paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") in (1, 2)


@pytest.mark.parametrize("viewport", [PHONE, nightly(DESKTOP)], ids=["phone", "desktop"])
def test_the_names_are_on_the_first_screen(
    show: Show, report: Report, viewport: dict[str, int]
) -> None:
    page = show(report, viewport=viewport)
    for place in ("#verdict", "#chips", "#copy", "#slider"):
        box = page.locator(place).bounding_box()
        assert box["y"] + box["height"] <= viewport["height"]


@needs_axe
@pytest.mark.parametrize("scheme", ["dark", nightly("light")])
@pytest.mark.parametrize("viewport", [PHONE, nightly(DESKTOP)], ids=["phone", "desktop"])
def test_axe_finds_nothing_to_complain_about(
    show: Show, report: Report, viewport: dict[str, int], scheme: str
) -> None:
    page = show(report, "#col=weight", viewport=viewport, color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document)")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []


CONTROLS = (
    "[...document.querySelectorAll("
    "'button, input, select, textarea, a[href], summary, svg[tabindex]')]"
    ".filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true }))"
)
NOTE = """(() => {
  const one = document.activeElement;
  if (one === document.body) return;
  seen.add(one);
  const style = getComputedStyle(one);
  if (style.outlineStyle === "none" || style.outlineWidth === "0px") bare.push(one.outerHTML);
})()"""


def test_every_control_is_reached_by_tab_and_shows_its_focus(show: Show, report: Report) -> None:
    page = show(report, "#col=weight")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate("window.seen = new Set(); window.bare = []")
    page.locator(".kicker").click()
    for _ in range(page.evaluate(f"{CONTROLS}.length") + 10):
        page.keyboard.press("Tab")
        page.evaluate(NOTE)
    missed = page.evaluate(
        f"{CONTROLS}.filter((one) => !seen.has(one)).map((one) => one.outerHTML)"
    )
    assert missed == []
    assert page.evaluate("bare") == []
