"""Dataclasses that share their methods do what those of the standard library do."""

import dataclasses
import pickle
from copy import copy
from dataclasses import FrozenInstanceError, field, fields, replace

import pytest

from tamis import values


def _classes(make):
    @make(frozen=True)
    class Point:
        x: int
        y: float = 2.0
        tags: dict = field(default_factory=dict, hash=False, repr=False)
        note: str = field(default="", compare=False)

    @make(frozen=True, kw_only=True)
    class Named(Point):
        name: str

    return Point, Named


OURS, THEIRS = _classes(values.dataclass), _classes(dataclasses.dataclass)


@pytest.mark.parametrize(
    ("given", "named"),
    [((1,), {}), ((1, 3.0), {"note": "a"}), ((), {"y": 1.0, "x": 5, "tags": {"a": 1}})],
)
def test_values_are_made_compared_hashed_and_written_alike(given, named):
    (point, other), (theirs, their_other) = OURS, THEIRS
    one, two = point(*given, **named), theirs(*given, **named)
    assert list(vars(one).items()) == list(vars(two).items())
    assert repr(one) == repr(two).replace("theirs", "ours")
    assert hash(one) == hash(two)
    assert one == point(*given, **named) != point(9)
    assert vars(replace(one, x=7)) == vars(replace(two, x=7))
    assert [f.name for f in fields(other)] == [f.name for f in fields(their_other)]
    assert vars(other(1, name="n")) == vars(their_other(1, name="n"))
    assert one != other(*given, **named, name="n")
    assert vars(copy(one)) == vars(one)


@pytest.mark.parametrize(
    ("given", "named"), [((), {}), ((1, 2.0, {}, "", 5), {}), ((1,), {"x": 1}), ((1,), {"z": 1})]
)
def test_what_does_not_fit_is_refused(given, named):
    for point in (OURS[0], THEIRS[0]):
        with pytest.raises(TypeError):
            point(*given, **named)


def test_a_frozen_value_does_not_change():
    one = OURS[0](1)
    with pytest.raises(FrozenInstanceError):
        one.x = 2
    with pytest.raises(FrozenInstanceError):
        del one.x


def test_no_copy_shares_a_default():
    assert OURS[0](1).tags is not OURS[0](1).tags


@values.dataclass(eq=False)
class Counter:
    """One that can change."""

    count: int = 0


def test_one_that_can_change_is_itself_only_and_can_be_stored():
    one = Counter()
    one.count += 1
    assert one != Counter(1)
    assert pickle.loads(pickle.dumps(one)).count == 1
