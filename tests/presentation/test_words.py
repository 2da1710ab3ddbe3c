from dataclasses import asdict, fields

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
    for word in ("varian", "correlation", "pca", "reproduc", "standard deviation", "direction"):
        assert word in _texts(VARIANCE)
        assert word not in _texts(INFORMATION)


@pytest.mark.parametrize("words", [VARIANCE, INFORMATION], ids=["variance", "information"])
def test_patterns_take_what_is_put_in_and_the_limits_are_the_ones_named(words: Words) -> None:
    assert "12" in words.chart.format(12)
    assert words.maps.format(7, "before").endswith("7 columns, before selection")
    told = words.counts.format(well="3", all="9", badly="2")
    assert ": 3 of 9." in told
    assert told.endswith(": 2.")
    named = {"90% or more": 900, "half or more": 500, "less than half": 500, "than a tenth": 100}
    limits = {limit for text, limit in named.items() if text in words.counts}
    assert limits == {words.well, words.badly}
    assert all(getattr(words, f.name) != "" for f in fields(words) if f.name not in _OPTIONAL)


_OPTIONAL = ("alone", "after", "chance")
