"""Moments in tiles: merged part by part they are those of all rows, however the parts lie."""

import numpy as np
import pytest
from tests.engines import keep_rows_in_parts, merge_in_turns, send

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources import stored_summary
from tamis.sources.arrays import ArraySource
from tamis.sources.source import GivesSource, PartedSource
from tamis.statistics.linear import GramRows
from tamis.statistics.missing import Tally, read_clean
from tamis.statistics.moments import Moments


class InParts(ArraySource, PartedSource):
    """An array in parts, with an engine that runs here and sends bytes about."""

    def __init__(self, parts, fan=3):
        super().__init__(np.concatenate(parts))
        self._parts, self._fan = parts, fan

    def head(self, columns, rows):
        return next(ArraySource(self.array[:rows]).tables(columns))

    def gather(self, columns, work):
        parts = enumerate(self._parts)
        done = [send(work(number, ArraySource(part[:, columns]))) for number, part in parts]
        return merge_in_turns(done, self._fan)


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch):
    monkeypatch.setattr(stored_summary, "TILE", 3)


@pytest.fixture
def X():
    rng = np.random.default_rng(2)
    size = [1, 1e-180, 1e6, 3, 1e-170, 1, 1, 0]
    X = (rng.normal(size=(200, 8)) @ np.triu(np.ones((8, 8)))) * size + [0, 0, 1e9, 0, 0, 5, 1e7, 3]
    X[:50, 4] = 0.0  # a tiny column that is empty at first: its unit is that of the other parts
    return X


CUTS = {"one": [], "two": [70], "uneven": [1, 3, 60, 61, 190], "empty": [0, 50, 50, 120, 200]}


@pytest.mark.parametrize("cuts", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("fan", [2, 5])
def test_the_parts_of_a_table_give_its_moments(X, cuts, fan):
    parts, tally = InParts(np.split(X, cuts), fan), Tally(8)
    found = read_clean(parts, range(8), GramRows(8), MissingPolicy.ERROR, tally).moments
    assert tally.rows == 200
    expected = Moments.from_batch(X)
    assert found.count == 200
    np.testing.assert_array_equal(found.unit, expected.unit)
    np.testing.assert_allclose(found.mean + found.rest, expected.mean + expected.rest, rtol=1e-13)
    size = np.sqrt(np.diagonal(expected.scatter)[:7])
    difference = (found.scatter - expected.scatter)[:7, :7] / size / size[:, None]
    assert np.abs(difference).max() < 1e-12
    assert found.std[7] == 0


def test_merging_associates_and_an_empty_part_changes_nothing(X):
    a, b, c, nothing = (
        Moments.from_batch(part).cut()[0, 1] for part in (X[:40], X[40:90], X[90:], X[:0])
    )
    left, right = a.merge(b).merge(c), a.merge(b.merge(c))
    assert left.count == right.count == 200
    for name in ("rows", "columns", "scatter"):
        mine, other = getattr(left, name), getattr(right, name)
        scale = np.abs(mine).max()
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13 * scale)
    assert a.merge(nothing) is a
    assert nothing.merge(a) is a


@pytest.mark.parametrize("missing", ["mean", "drop", "auto"])
def test_missing_values_are_handled_as_in_one_table(X, missing):
    X = X[:, [0, 2, 3, 5, 6]]
    X[[3, 77, 199], [0, 3, 3]] = np.nan
    parts = InParts(np.split(X, [4, 100]))
    found, expected = (tamis.select(data, k=3, missing=missing) for data in (WithParts(parts), X))
    assert found.names == expected.names
    assert found.missing == expected.missing
    np.testing.assert_allclose(found.curve.retained, expected.curve.retained, atol=1e-9)


def test_missing_values_are_refused_with_the_counts_of_all_parts(X):
    X[[3, 77, 199], [0, 3, 3]] = np.nan
    parts = WithParts(InParts(np.split(X, [4, 100])))
    with pytest.raises(tamis.TamisError, match=r"\('x0' 1, 'x3' 2; the table has 200 rows\)"):
        tamis.select(parts, k=2, missing="error")


@pytest.mark.parametrize("missing", ["mean", "drop"])
def test_columns_without_any_value_are_skipped_by_name(X, missing):
    X[:, 3] = np.nan
    found = tamis.select(WithParts(InParts(np.split(X, [4, 100]))), k=2, missing=missing)
    assert "x3" in found.skipped
    assert found.summary.n_rows == 200


def test_what_a_worker_refuses_is_raised_here(X, monkeypatch):
    keep_rows_in_parts(monkeypatch)
    X[[150, 160], [1, 2]] = np.inf
    parts = WithParts(InParts(np.split(X, [100, 155])))
    for missing in ("error", "mean"):
        with pytest.raises(tamis.TamisError, match="Column 'x1' has infinite values"):
            tamis.select(parts, k=2, missing=missing)


def test_a_table_without_parts_has_no_rows():
    class Nothing(InParts):
        n_rows = None

        def gather(self, *_):
            return {}

    with pytest.raises(tamis.TamisError, match="has no rows to work with"):
        tamis.select(WithParts(Nothing([np.ones((1, 3))])), k=2, method="sfs")


class WithParts(GivesSource):
    """Data that gives its source itself, as a summary does."""

    def __init__(self, source):
        self.source = source

    def as_source(self):
        return self.source
