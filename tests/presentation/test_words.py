import re
from dataclasses import asdict, fields
from importlib.resources import files

import pytest

from tamis import registry
from tamis.presentation.page.selection import DRAWERS
from tamis.presentation.prose.words import INFORMATION, VARIANCE, Words, words_of
from tamis.rules.search import SAFE_SHARE


def _texts(words: Words) -> str:
    return " ".join(str(value) for value in asdict(words).values()).lower()


def test_every_registered_method_has_words_for_its_measure() -> None:
    found = {method.id: words_of(method.measure) for method in registry.methods()}
    assert found["sfs"] is VARIANCE
    assert all(found[name] is INFORMATION for name in ("naive-fs", "greedy-fs", "rspfs"))


def test_information_is_never_spoken_of_in_words_of_variance() -> None:
    for word in ("varian", "correlation", "pca", "standard deviation", "component"):
        assert word in _texts(VARIANCE)
        assert word not in _texts(INFORMATION)


@pytest.mark.parametrize("words", [VARIANCE, INFORMATION], ids=["variance", "information"])
def test_patterns_take_what_is_put_in(words: Words) -> None:
    assert "12" in words.chart.format(12)
    assert words.maps.format(7, "before").endswith("7 columns, before selection")
    assert all(
        getattr(words, f.name) not in ("", ()) for f in fields(words) if f.name not in _OPTIONAL
    )


def test_the_drawers_name_the_limits_they_have() -> None:
    texts = {kind: about for kind, _, about in DRAWERS}
    assert f"at least {100 * SAFE_SHARE:g}%" in texts["safe"]
    assert "chance" in texts["lost"]


_TEMPLATES = (
    *("base", "parts", "extraction", "selection"),
    *(f"selection_{part}" for part in ("card", "columns", "curve", "more")),
)
_OPTIONAL = ("alone", "after", "chance")


WORN = re.compile(
    r"\b(tells?|told|left out|took (no )?part|spread|gaps|likeness|directions?|buys|weighs?)\b"
)


@pytest.mark.parametrize("name", _TEMPLATES)
def test_the_pages_are_written_in_plain_words(name: str) -> None:
    text = files("tamis.presentation.page").joinpath(f"{name}.html.j2").read_text("utf-8")
    text = re.sub(r"{%.*?%}|{{.*?}}|<[^>]*>", " ", text, flags=re.DOTALL)
    assert not WORN.findall(text)


def test_what_is_said_of_a_measure_is_said_in_plain_words() -> None:
    for words in (VARIANCE, INFORMATION):
        assert not WORN.findall(_texts(words))
