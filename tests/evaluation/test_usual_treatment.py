"""Missing values are used and said by default; only estimators refuse them unless told."""

import numpy as np
import pytest

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.selection import SequentialForwardSelection
from tamis.sources.arrays import ArraySource
from tamis.statistics.linear import collect_gram
from tamis.statistics.read_blocks import collect_blocks


@pytest.fixture
def holes():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 6)) @ rng.normal(size=(6, 6)) + 3
    X[70:80, 1] = np.nan
    X[75, 2] = np.inf
    return X


def test_every_function_fills_by_default_and_says_so(holes):
    answers = [
        tamis.select(holes, 2),
        tamis.select(holes, 2, method="laplacian"),
        tamis.select(holes, 2, method="representatives"),
        tamis.score(holes, ["x0"]),
        tamis.extract(holes, 2),
        tamis.compare(holes, ["sfs", "pfs"], k=2, criteria=["share"]),
    ]
    for found in answers:
        assert found.missing.done == "mean"
        assert dict(found.missing.shares) == {"x1": 10 / 90, "x2": 1 / 90}
        assert found.missing.infinite == 1
        said = found.to_dict()["missing"]["sentence"]
        assert "x1 (11.1% of the rows)" in said
        assert "1 infinite value" in said
    assert tamis.summarise(holes).missing.shares == answers[0].missing.shares


def test_the_default_is_to_fill_with_the_mean(holes):
    marked = np.where(np.isinf(holes), np.nan, holes)
    assert tamis.select(holes, 3).names == tamis.select(marked, 3, missing="mean").names
    for verb in ("select", "extract"):
        with pytest.raises(tamis.TamisError, match=r"missing values|infinite values"):
            getattr(tamis, verb)(holes, 2, missing="error")


def test_estimators_refuse_missing_values_unless_told(holes):
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        SequentialForwardSelection(2).fit(holes)
    kept = SequentialForwardSelection(2, missing="auto").fit(holes)
    assert kept.ranking_.tolist() == tamis.select(holes, 2, method="sfs").indices.tolist()


class Counted(ArraySource):
    """A table that comes in parts and counts how often it is read."""

    reads = 0

    def batches(self, columns):
        self.reads += 1
        block = super().pick(columns)
        yield from np.split(block, [40, 72])


@pytest.mark.parametrize("collect", [collect_gram, collect_blocks])
def test_a_full_table_is_read_once_and_one_with_holes_twice(holes, collect):
    for table, passes in ((np.nan_to_num(holes, posinf=0), 1), (holes, 2)):
        source = Counted(table)
        found = collect(source, range(6), scale=True, missing=MissingPolicy.AUTO)
        assert source.reads == passes
        whole = collect(ArraySource(table), range(6), scale=True, missing=MissingPolicy.AUTO)
        np.testing.assert_allclose(found.gram.block(slice(None)), whole.gram.block(slice(None)))


@pytest.mark.parametrize("rows", [90, 900])
def test_values_missing_late_are_filled_from_the_training_rows_as_those_missing_early(rows):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(rows, 5)) @ rng.normal(size=(5, 5)) + 10
    X[-rows // 4 :, 3] = np.nan
    late = collect_blocks(Counted(X), range(5), scale=True, missing=MissingPolicy.AUTO)
    early = collect_blocks(ArraySource(X[::-1]), range(5), scale=True, missing=MissingPolicy.AUTO)
    half = np.arange(len(late.blocks.count))[None, :] % 2 == 0
    for one, other in zip(late.blocks.splits(half), early.blocks.splits(half), strict=True):
        np.testing.assert_allclose(one[0].mean, other[0].mean, rtol=1e-9)
        np.testing.assert_allclose(one[1].diagonal(), other[1].diagonal(), rtol=1e-9)


def test_a_stream_is_read_once_and_refused_only_if_a_value_is_missing(holes):
    pa = pytest.importorskip("pyarrow")
    full = np.nan_to_num(holes, posinf=0)
    for table, fits in ((full, True), (holes, False)):
        frame = pa.table({f"x{j}": table[:, j] for j in range(6)})
        if fits:
            assert tamis.select(frame.to_reader(), 2).names == tamis.select(table, 2).names
        else:
            with pytest.raises(tamis.TamisError, match="can be read only once"):
                tamis.select(frame.to_reader(), 2)


def test_columns_that_are_mostly_missing_are_skipped_and_named(holes):
    holes[:60, 4] = np.nan
    found = tamis.select(holes, 2)
    assert "more than 50% missing" in found.skipped["x4"]
    assert "max_missing=1" in found.skipped["x4"]
    assert "x4" not in tamis.select(holes, 2, max_missing=1).skipped
    assert "x1" in tamis.select(holes, 2, max_missing=0.1).skipped
    assert "x4" in tamis.extract(holes, 2).skipped
    assert "x4" in tamis.compare(holes, ["sfs"], k=2, criteria=["share"]).skipped


def test_columns_that_are_named_or_without_which_none_is_left_stay(holes):
    holes[:60, 4] = np.nan
    assert tamis.select(holes, 2, include=["x4"]).names[0] == "x4"
    assert "x4" not in tamis.score(holes, ["x4"]).skipped
    holes[:60, :5] = np.nan
    assert tamis.select(holes, 2).skipped == {}
    assert SequentialForwardSelection(2, missing="auto").fit(holes).skipped_ == {}


def test_filters_on_numbers_keep_the_share_of_the_variance(holes):
    y = np.arange(90) % 2
    for method in ("chi2", "information-gain"):
        facts = tamis.select(holes, 2, method=method, y=y).to_dict()
        assert facts["measure"] == "variance"
