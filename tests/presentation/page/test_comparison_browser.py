"""The page of a comparison in a real browser: nothing overflows, and the script is quiet."""

import os
import shutil

import pytest
from sklearn.datasets import load_wine

import tamis

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = (
    "/usr/bin/chromium" if os.access("/usr/bin/chromium", os.X_OK) else shutil.which("chromium")
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


@pytest.mark.parametrize("methods", [["sfs", "pfs", "ufs"], "all"])
def test_nothing_overflows_and_a_chosen_method_stands_out(methods, tmp_path):
    wine = load_wine(as_frame=True).data
    found = tamis.compare(wine, methods, k=[2, 4, 8], criteria=["share", "redundancy", "seconds"])
    file = found.report(tmp_path / "page.html")
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
            page.click("#chips button:nth-child(3)")
            # One line in each of three curves, and in both drawings of the places.
            assert page.locator("g.m2.on").count() == 5
            assert page.locator("svg.dim").count() == 5
            page.click("#chips button:nth-child(3)")
            assert page.locator("svg.dim").count() == 0
        chromium.close()
    assert not complaints
