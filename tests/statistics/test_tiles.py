"""Moments in tiles: merged part by part they are those of all rows, however the parts lie."""

import numpy as np
import pytest
from tests.engines import keep_rows_in_parts

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources import summary_file
from tamis.sources.arrays import ArraySource
from tamis.sources.source import GivesSource, PartedSource
from tamis.sources.spark import pack_arrays, unpack_arrays
from tamis.statistics.missing import Tally
from tamis.statistics.moments import Moments
from tamis.statistics.tiles import add_arrays, gather_moments, part_tiles


class InParts(ArraySource, PartedSource):
    """An array in parts, with an engine that runs here and sends bytes about."""

    def __init__(self, parts, fan=3):
        super().__init__(np.concatenate(parts))
        self._parts, self._fan = parts, fan

    def head(self, columns, rows):
        return next(ArraySource(self.array[:rows]).tables(columns))

    def gather(self, columns, work, add):
        done = [
            {
                name: pack_arrays(arrays)
                for name, arrays in work(number, ArraySource(part[:, columns])).items()
            }
            for number, part in enumerate(self._parts)
        ]
        while len(done) > 1:
            groups = [done[i : i + self._fan] for i in range(0, len(done), self._fan)]
            done = [_added(group, add) for group in groups]
        return {name: unpack_arrays(data) for name, data in done[0].items()} if done else {}


def _added(group, add):
    names = dict.fromkeys(name for part in group for name in part)
    return {
        name: pack_arrays(add([unpack_arrays(part[name]) for part in group if name in part]))
        for name in names
    }


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch):
    monkeypatch.setattr(summary_file, "TILE", 3)


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
    found = gather_moments(InParts(np.split(X, cuts), fan), range(8), MissingPolicy.ERROR, Tally(8))
    expected = Moments.from_batch(X)
    assert found.count == 200
    np.testing.assert_array_equal(found.unit, expected.unit)
    np.testing.assert_allclose(found.mean + found.rest, expected.mean + expected.rest, rtol=1e-13)
    size = np.sqrt(np.diagonal(expected.scatter)[:7])
    difference = (found.scatter - expected.scatter)[:7, :7] / size / size[:, None]
    assert np.abs(difference).max() < 1e-12
    assert found.std[7] == 0


def test_adding_associates_and_an_empty_part_changes_nothing(X):
    names = [f"x{j}" for j in range(8)]
    a, b, c, nothing = (
        part_tiles(0, ArraySource(part), names=names, policy=MissingPolicy.ERROR, fill=None)["0 1"]
        for part in (X[:40], X[40:90], X[90:], X[:0])
    )
    left, right = add_arrays([add_arrays([a, b]), c]), add_arrays([a, add_arrays([b, c])])
    for name in left:
        scale = np.abs(left[name]).max()
        np.testing.assert_allclose(left[name], right[name], rtol=1e-12, atol=1e-13 * scale)
    for found in (add_arrays([a, nothing]), add_arrays([nothing, a])):
        assert all(np.array_equal(found[name], a[name]) for name in a)


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
