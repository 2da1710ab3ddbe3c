"""The page of an extraction in a real browser: what the script does, and that it is quiet."""

import re

import numpy as np
import pytest
from tests.needs import nightly

import tamis

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(3)
    labels = np.repeat(["first kind", "second kind"], 60)
    return tamis.extract(rng.normal(size=(120, 5)) * [5, 4, 3, 2, 1], 3, y=labels)


@pytest.fixture
def show(open_page, tmp_path):
    """Open the page of an extraction."""
    return lambda found, **options: open_page(found.report(tmp_path / "page.html"), **options)


def _across(page):
    html = page.inner_html("#points")
    return np.array(re.findall(r' x="([\d.]+)"', html), dtype=float)


def _placed(page):
    html = page.inner_html("#scores")
    return np.array(re.findall(r' [xy][12]?="([\d.]+)"', html), dtype=float)


def test_another_pair_of_directions_moves_the_marks_and_back_again(show, found):
    page = show(found)
    scores = found.sample.scores
    before = _placed(page)
    page.select_option("#across", "2")
    assert np.corrcoef(_across(page), scores[:, 2])[0, 1] > 0.9999
    assert page.text_content("#name-x").startswith("PC3 (")
    assert "PC3" in page.get_attribute("#scores", "aria-label")
    page.select_option("#across", "0")
    np.testing.assert_allclose(_placed(page), before, atol=0.11)  # in tenths


@pytest.mark.nightly
def test_one_direction_at_a_time_shows_its_weights(show, found):
    page = show(found)
    assert page.locator(".weights:visible").count() == 1
    assert page.inner_text(".weights:visible h3") == "PC1"
    page.select_option("#direction", "1")
    assert page.inner_text(".weights:visible h3") == "PC2"
    first = page.inner_text(".weights:visible tbody th >> nth=0")
    assert first == next(iter(found.loadings(1)))


def test_without_script_all_is_there(show, found):
    page = show(found, java_script_enabled=False)
    assert page.locator(".weights:visible").count() == 3
    assert page.locator("select:visible").count() == 0
    assert page.locator("#points use").count() == 120


@pytest.mark.parametrize("width", [360, nightly(390), nightly(1280)])
@pytest.mark.parametrize("scheme", ["dark", nightly("light")])
def test_nothing_sticks_out(width, scheme, show, found):
    page = show(found, viewport={"width": width, "height": 800}, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#scores").bounding_box()
    assert box["width"] > min(300, width - 60)


@pytest.mark.nightly
def test_marks_of_two_labels_differ_in_colour_and_shape(show, found):
    page = show(found)
    marks = page.eval_on_selector_all(
        "defs .mark", "all => all.map(m => [getComputedStyle(m).fill, m.getAttribute('d')])"
    )
    assert len(marks) == 2
    assert marks[0][0] != marks[1][0]
    assert marks[0][1] != marks[1][1]


@pytest.mark.nightly
def test_one_direction_needs_no_script(show, found):
    single = tamis.extract(found.source.array, 1)
    page = show(single)
    assert page.locator("svg.scores").count() == 1
    assert page.locator("#choices").count() == 0
