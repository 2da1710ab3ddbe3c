import re
from dataclasses import asdict, fields
from importlib.resources import files

import pytest

from tamis import registry
from tamis.presentation.words import INFORMATION, VARIANCE, Words, words_of


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
def test_patterns_take_what_is_put_in_and_the_limits_are_the_ones_named(words: Words) -> None:
    assert "12" in words.chart.format(12)
    assert words.maps.format(7, "before").endswith("7 columns, before selection")
    told = words.counts.format(well="3", all="9", badly="2")
    assert sorted(re.findall(r"\b\d\b", told)) == ["2", "3", "9"]
    named = {"at least 90%": 900, "at least 50%": 500, "less than 50%": 500, "less than 10%": 100}
    limits = {limit for text, limit in named.items() if text in words.counts}
    assert limits == {words.well, words.badly}
    assert all(
        getattr(words, f.name) not in ("", ()) for f in fields(words) if f.name not in _OPTIONAL
    )


_OPTIONAL = ("alone", "after", "chance")


WORN = re.compile(
    r"\b(tells?|told|left out|took (no )?part|spread|gaps|likeness|directions?|buys|weighs?)\b"
)


@pytest.mark.parametrize("name", ["base", "parts", "selection", "extraction"])
def test_the_pages_are_written_in_plain_words(name: str) -> None:
    text = files("tamis.presentation.page").joinpath(f"{name}.html.j2").read_text("utf-8")
    text = re.sub(r"{%.*?%}|{{.*?}}|<[^>]*>", " ", text, flags=re.DOTALL)
    assert not WORN.findall(text)


def test_what_is_said_of_a_measure_is_said_in_plain_words() -> None:
    for words in (VARIANCE, INFORMATION):
        assert not WORN.findall(_texts(words))
