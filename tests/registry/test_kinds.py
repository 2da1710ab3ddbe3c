import numpy as np
import pytest

from tamis.registry.option import KINDS, as_plain, is_one_of

TAKEN = [
    ("integer", 3, True),
    ("integer", 3.0, False),
    ("integer", True, False),
    ("number", -1.5, True),
    ("number", float("nan"), False),
    ("share", 1.0, True),
    ("share", 1.5, False),
    ("positive", 0.0, False),
    ("amount", 0.0, True),
    ("amount", -1.0, False),
    ("flag", True, True),
    ("flag", 1, False),
    ("text", "a", True),
    ("text", 1, False),
    ("file", "a.csv", True),
]


@pytest.mark.parametrize(("kind", "value", "taken"), TAKEN)
def test_every_kind_takes_its_values_and_no_others(kind, value, taken):
    assert bool(KINDS[kind].takes(value, 0, ())) is taken


def test_scalars_of_numpy_become_plain_ones():
    assert type(as_plain(np.float32(0.5))) is float
    assert type(as_plain(np.int64(3))) is int
    assert as_plain(np.bool_(True)) is True
    assert as_plain("a") == "a"


def test_a_choice_is_the_value_itself():
    assert is_one_of(True, True)
    assert not is_one_of(1, True)
    assert is_one_of("l1", "l1")


def test_memory_and_prices_are_read_from_text():
    assert KINDS["memory"].convert("1MB") == 1 << 20
    assert KINDS["prices"].convert({"a": np.float64(2)}) == {"a": 2.0}
