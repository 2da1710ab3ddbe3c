"""Categories as indicators: which levels have a column, and what is refused."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from tamis.sources.open import open_source
from tamis.statistics import mixed
from tamis.statistics.encoding import (
    EncodedSource,
    Levels,
    pool_levels,
    see_columns,
    settle_encoding,
)


def encoding_of(table, insist=()):
    source = open_source(table)
    columns = range(len(source.names))
    seen = see_columns(source, columns, sampled=False)
    return source, settle_encoding(seen, source.names, insist=insist)


def test_every_value_has_one_level_and_rare_ones_share_one():
    values = pa.array(["a"] * 10 + ["b"] * 8 + ["c", "d", None])
    levels = Levels(("a", "b"), pooled=True, missing=True)
    encoded = levels.encode(values)
    assert encoded.sum(axis=0).tolist() == [10, 8, 2, 1]
    assert (encoded.sum(axis=1) == 1).all()


def test_of_two_levels_one_column_stands_for_both():
    assert Levels(("no", "yes")).encode(pa.array(["yes", "no"])).tolist() == [[0.0], [1.0]]


@pytest.mark.parametrize(
    ("counts", "absent", "names"),
    [
        ({"a": 50, "b": 50}, 0, ("a", "b")),
        ({"a": 50, "b": 40}, 10, ("a", "b", "(missing)")),
        ({"a": 50, "b": 40, "c": 8}, 2, ("a", "b", "(other)")),
        ({"a": 98}, 2, ("a", "(other)")),
        ({f"z{i}": 1 for i in range(100)}, 0, ("(other)",)),
        ({"Ex": 2, "Gd": 2}, 96, ("(other)", "(missing)")),
    ],
)
def test_levels_that_have_a_column(counts, absent, names):
    assert pool_levels(Counter(counts), absent, 100).names == names


def test_identifiers_are_refused_unless_asked_for_and_constants_are():
    table = pa.table(
        {
            "code": [f"p{i}" for i in range(60)],
            "same": ["x"] * 60,
            "group": ["u", "v", "w"] * 20,
            "number": np.arange(60.0),
        }
    )
    _, found = encoding_of(table)
    assert set(found.refused) == {0, 1}
    assert found.used.tolist() == [2, 3]
    assert found.encoded_names == ("group", "group=v", "group=w", "number")


def test_a_pool_of_few_rows_takes_the_rarest_level_in():
    assert pool_levels(Counter(a=60, b=30, c=9, d=1), 0, 100).names == ("a", "b", "(other)")


def test_the_encoded_table_is_that_of_its_values_in_any_batch():
    table = pa.table({"g": ["u", "v", None, "u", "w"] * 8, "x": [1.0, None, 3.0, 4.0, 5.0] * 8})
    source, encoding = encoding_of(table)
    encoded = EncodedSource(source, [0, 1], encoding)
    whole = np.concatenate(list(encoded.batches(range(len(encoded.names)))))
    assert whole.shape == (40, 4)
    assert np.isnan(whole[:, 3]).sum() == 8
    gone = np.arange(40) % 5 == 2  # a missing text is missing, not a level
    assert np.isnan(whole[gone, :3]).all()
    assert (whole[~gone, :3].sum(axis=1) == 1).all()
    part = np.concatenate(list(encoded.batches([3])))
    np.testing.assert_array_equal(part[:, 0], whole[:, 3])


def test_values_drawn_in_are_counted_once_though_means_are_found_on_the_way(monkeypatch):
    monkeypatch.setattr(mixed, "batch_rows", lambda _: 4)
    source, encoding = encoding_of(pa.table({"a": [0.0, 9.0] * 5, "t": list("xyxyxyxyxy")}))
    encoded = EncodedSource(source, [0, 1], replace(encoding, limits={0: (-1.0, 1.0)}))
    outer = encoded.batches([0])
    next(outer)
    list(encoded.batches([0]))
    list(outer)
    assert (encoded.counts.values, encoded.counts.rows) == ({0: 5}, 5)
