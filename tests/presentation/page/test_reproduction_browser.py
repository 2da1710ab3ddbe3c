"""The page of the papers' experiments in a real browser, on a phone and on a desk."""

import os
import shutil

import pytest
from tests.evaluation.protocols.toys import FAILING, MEANS, NOISE

import tamis

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = (
    "/usr/bin/chromium" if os.access("/usr/bin/chromium", os.X_OK) else shutil.which("chromium")
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


def test_nothing_overflows_and_everything_is_said_in_words(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "tamis.evaluation.protocols.catalogue.protocols", lambda: (MEANS, NOISE, FAILING)
    )
    file = tamis.reproduce("all", n_jobs=1).report(tmp_path / "page.html")
    complaints = []
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        for width in (390, 1280):
            page = chromium.new_page(viewport={"width": width, "height": 800})
            page.on("console", lambda message: complaints.append(message.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(file.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            verdicts = page.locator(".claims .verdict").all_inner_texts()
            assert [text[2:] for text in verdicts[:3]] == [
                *("holds", "does not hold", "cannot be judged"),
            ]
            assert len({text[0] for text in verdicts}) == 3
            charts = page.locator("#toy-noise figure > div:visible > svg")
            assert charts.count() == 3
            lines = charts.first.locator(".ours polyline")
            assert lines.count() == 4
            dashes = {lines.nth(i).get_attribute("stroke-dasharray") for i in range(4)}
            assert len(dashes) == 4
            marks = charts.first.locator(".paper path")
            assert [marks.nth(i).get_attribute("d").count("M") for i in range(4)] == [2] * 4
            assert page.locator("#toy-noise .keys .key").all_inner_texts()[0] == "seed 0"
        chromium.close()
    assert not complaints
