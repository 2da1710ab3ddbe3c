"""The page of a comparison in a real browser: nothing overflows, and the script is quiet."""

import pytest
from sklearn.datasets import load_wine
from tests.needs import nightly

import tamis

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("methods", [["sfs", "pfs", "ufs"], nightly("all")])
def test_nothing_overflows_and_a_chosen_method_stands_out(methods, tmp_path, at_both_widths):
    wine = load_wine(as_frame=True).data
    found = tamis.compare(wine, methods, k=[2, 4, 8], criteria=["share", "redundancy", "seconds"])
    file = found.report(tmp_path / "page.html")
    for page in at_both_widths(file):
        page.click("#chips button:nth-child(3)")
        # One line in each of three curves, and in both drawings of the places.
        assert page.locator("g.m2.on").count() == 5
        assert page.locator("svg.dim").count() == 5
        page.click("#chips button:nth-child(3)")
        assert page.locator("svg.dim").count() == 0
