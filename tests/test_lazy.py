import fractions
import json

import pytest

from tamis.lazy import lazily


def test_names_and_modules_are_loaded_when_they_are_used():
    find, names = lazily("json", {"Fraction": "fractions"}, ["decoder"])
    assert find("Fraction") is fractions.Fraction
    assert find("decoder") is json.decoder
    assert {"Fraction", "decoder", "loads"} <= set(names())


def test_an_unknown_name_is_an_attribute_error():
    find, _ = lazily("json", {}, [])
    with pytest.raises(AttributeError, match="'json' has no attribute 'nothing'"):
        find("nothing")
