"""What a notebook shows of results: small, scoped, without a script, safe."""

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import tamis

VOID = {"br", "img", "input", "hr", "image"}


class _Balanced(HTMLParser):
    """Read HTML whose elements all close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture
def shown(numbers: np.ndarray) -> dict[str, str]:
    found = tamis.select(numbers, 3, held_out=True)
    results = {
        "selection": found,
        "kept": found.kept,
        "extraction": tamis.extract(numbers, 2),
        "kernel": tamis.extract(numbers, 2, method="kernel-pca"),
        "comparison": tamis.compare(numbers, ["sfs", "pfs"], k=2, criteria=["share"]),
        "methods": tamis.methods(),
        "pairs": tamis.mutual_information(numbers),
    }
    return {name: result._repr_html_() for name, result in results.items()}


def test_every_card_is_closed_scoped_and_has_no_script(shown) -> None:
    for html in shown.values():
        reader = _Balanced()
        reader.feed(html)
        assert reader.open == []
        assert "<script" not in html
        assert not re.search(r"https?://", html)
        style = html.split("<style>")[1].split("</style>")[0]
        heads = re.findall(r"(?:^|\})\s*([^{}@]+)\{", style)
        assert all("tamis-card" in part for head in heads for part in head.split(","))
        assert len(html) < 60_000


def test_a_selection_shows_the_answer_the_curve_the_names_and_what_is_lost(shown, numbers) -> None:
    html, found = shown["selection"], tamis.select(numbers, 3)
    assert "Keep 3 of 7 columns" in html
    assert 'class="curve"' in html
    assert "on new rows" in html
    assert all(f"<code>{name}</code>" in html for name in found.names)
    assert found.dropped[0].name in html.split("<table>")[1]


def test_names_are_text_and_never_markup(numbers) -> None:
    pd = pytest.importorskip("pandas")
    names = ["<b>bold</b>", "a&b", '"', *"defg"]
    found = tamis.select(pd.DataFrame(numbers, columns=names), 6)
    html = found._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html or "<b>bold</b>" in [one.name for one in found.dropped]


def test_a_single_column_needs_no_curve(numbers) -> None:
    assert "<svg" not in tamis.select(numbers, 1)._repr_html_()


def test_the_methods_are_a_table_that_is_still_a_tuple(shown) -> None:
    found = tamis.methods("extraction")
    assert isinstance(found, tuple)
    assert found[0].kind == "extraction"
    assert str(found).startswith("Start here")
    assert "\nCompute components, with tamis.extract\n" in str(found)
    assert shown["methods"].count("<tr>") == 1 + len(tamis.methods())


def test_other_results_say_what_they_found(shown) -> None:
    assert "largest loadings" in shown["extraction"]
    assert "largest loadings" not in shown["kernel"]
    assert "sfs" in shown["comparison"]
    assert "closest pairs" in shown["pairs"]
