from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from tamis.errors import TamisError
from tamis.progress import Meter
from tamis.run.held_source import HeldSource, ThinnedSource
from tamis.sources.arrays import ArraySource
from tamis.sources.marked import MarkedSource, Reading, recast
from tamis.sources.source import Source, SourceInfo

FULL = SourceInfo(
    names=("a", "b"),
    kinds=("numeric", "numeric"),
    label="t.csv",
    named=False,
    origin="t.csv",
    given_names=(1, 2),
    n_rows=5,
    once=True,
    files=(Path("t.csv"),),
    meter=Meter(100),
    doubts=("It may be misread.",),
    undecided=("a",),
    guessed=True,
    blank=frozenset("b"),
    texts={"a": "Length (mm)"},
    unfit={"a": "a key"},
    late={"b": TamisError("Text.")},
    unread=(("t.csv", ""),),
)


@pytest.fixture
def inner() -> Source:
    source = ArraySource(np.arange(10.0).reshape(5, 2))
    source.info = FULL
    return source


@pytest.mark.parametrize(
    ("wrap", "changed"),
    [
        (lambda source: recast(source, ["a"], []), {"kinds"}),
        (lambda source: HeldSource(source, [0]), {"once", "meter"}),
        (lambda source: MarkedSource(source, {1: Reading(frozenset([3.0]))}), set()),
        (lambda source: ThinnedSource(source, 2), {"n_rows", "meter"}),
    ],
    ids=["recast", "held", "marked", "thinned"],
)
def test_a_source_around_another_says_all_that_it_does_not_change(
    inner: Source, wrap: Callable[[Source], Source], changed: set[str]
) -> None:
    found, given = vars(wrap(inner).info), vars(FULL)
    names = [item.name for item in fields(SourceInfo)]
    assert {name for name in names if found[name] != given[name]} == changed


def test_the_example_above_has_a_value_of_its_own_in_every_field() -> None:
    usual = SourceInfo(names=(), kinds=())
    assert all(vars(FULL)[item.name] != vars(usual)[item.name] for item in fields(SourceInfo))


def test_what_a_source_says_is_what_its_info_says(inner: Source) -> None:
    assert (inner.names, inner.label, inner.n_rows) == (FULL.names, "t.csv", 5)
    inner.info = replace(inner.info, label="another", n_rows=None)
    assert (inner.label, inner.n_rows) == ("another", None)


def test_rows_that_are_held_are_counted(inner: Source) -> None:
    inner.info = replace(FULL, n_rows=None)
    held = HeldSource(inner, [0, 1])
    assert held.n_rows is None
    list(held.batches([0, 1]))
    assert held.n_rows == 5


def test_where_a_column_is_is_found_once_and_by_label_first():
    info = SourceInfo(names=("1", "0"), kinds=("numeric", "numeric"), given_names=(1, "0"))
    assert info.place_of == {"1": 0, "0": 1, 1: 0}
    assert info.place_of is info.place_of
    assert replace(info, names=("a", "b"), given_names=None).place_of == {"a": 0, "b": 1}
