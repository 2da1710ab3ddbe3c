"""The page of the papers' experiments in a real browser, on a phone and on a desk."""

import pytest
from papers.tests.toys import FAILING, MEANS, NOISE

import tamis_papers

pytestmark = pytest.mark.slow


def test_nothing_overflows_and_everything_is_said_in_words(tmp_path, monkeypatch, at_both_widths):
    monkeypatch.setattr("tamis_papers.catalogue.list_protocols", lambda: (MEANS, NOISE, FAILING))
    file = tamis_papers.reproduce("all", n_jobs=1).report(tmp_path / "page.html")
    for page in at_both_widths(file):
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
