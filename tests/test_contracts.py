"""Promises that every method on a summary of the columns keeps."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import load_wine
from threadpoolctl import threadpool_limits

import tamis
from tamis import registry
from tamis.algorithms.path import COPIES, REPRODUCED
from tamis.registry.shared import Scale
from tamis.run.beforehand import make_limits
from tamis.run.search import Search
from tamis.sources.arrays import ArraySource
from tamis.statistics.collect import summarise
from tests.kinds import OF_COLUMNS, sample_methods

pytestmark = pytest.mark.slow

METHODS = [method.id for method in OF_COLUMNS]
INFORMATION = [m for m in METHODS if registry.get(m).needs == "information"]
LINEAR = [m for m in METHODS if m not in INFORMATION]
RANKINGS = ("laplacian", "variance", "relpca", "relpca-first", "q-alpha", "q-alpha-approx")
REDUNDANCY_AWARE = [m for m in LINEAR if not registry.get(m).keeps_copies]


@pytest.fixture(params=METHODS)
def method(request):
    return request.param


@pytest.fixture(params=range(2))
def table(request):
    rng = np.random.default_rng(request.param)
    hidden = rng.standard_normal((120, 5)) @ rng.standard_normal((5, 14))
    return (hidden + rng.uniform(0.1, 1) * rng.standard_normal((120, 14))) * rng.uniform(1, 9, 14)


@pytest.mark.parametrize("method", LINEAR)
def test_retained_never_falls_and_never_beats_the_ceiling(method, table):
    for scale in (True, False):
        found = tamis.select(table, k=9, method=method, scale=scale)
        assert found.k == 9
        assert (np.diff(found.curve.retained) >= -1e-12).all()
        assert (found.curve.retained <= found.curve.bound).all()
        assert found.retained == pytest.approx(shares_by_projection(table, found.indices, scale))


def shares_by_projection(X, columns, scale):
    Z = X - X.mean(axis=0)
    Z = Z / Z.std(axis=0) if scale else Z
    basis = np.linalg.qr(Z[:, columns])[0]
    return ((basis.T @ Z) ** 2).sum() / (Z**2).sum()


@pytest.mark.parametrize("method", INFORMATION)
def test_what_is_told_never_falls_and_never_beats_the_ceiling(method, table):
    found = tamis.select(table, k=9, method=method)
    M = np.asarray(tamis.mutual_information(table))
    assert found.k == 9
    assert (np.diff(found.curve.retained) >= 0).all()
    assert (found.curve.retained <= found.curve.bound).all()
    if not registry.get(method).has("corrected"):  # what chance gives is taken off there
        assert found.retained == pytest.approx(M[found.indices].max(axis=0).mean())


def test_scaling_and_mirroring_columns_changes_nothing_when_scaled(method, table):
    factor = np.random.default_rng(1).uniform(0.01, 100, table.shape[1])
    factor[::2] *= -1
    scale = None if method in INFORMATION else True
    # Held-out rows, which decide on shrinkage, follow from the values.
    asked = (
        {"scale": scale, "options": {"shrink": 0.1}} if method == "forward" else {"scale": scale}
    )
    plain = tamis.select(table, k=5, method=method, **asked)
    scaled = tamis.select(table * factor + 3, k=5, method=method, **asked)
    assert scaled.indices.tolist() == plain.indices.tolist()


@pytest.mark.parametrize("method", REDUNDANCY_AWARE)
def test_a_copied_column_never_adds_a_pick(method, table):
    doubled = np.column_stack([table, table[:, 3], -2 * table[:, 7] + 1])
    found = tamis.select(doubled, retain=1.0, method=method)
    assert found.k == table.shape[1]
    assert not {14, 15} & set(found.indices.tolist())


@pytest.mark.parametrize("method", [*RANKINGS, "mcfs", *INFORMATION])
@pytest.mark.parametrize("seed", range(3))
def test_methods_that_rank_keep_as_many_columns_as_asked(method, seed):
    wide = np.random.default_rng(seed).standard_normal((20, 60))
    wide[:, 7] = wide[:, 3]
    assert tamis.select(wide, k=40, method=method).k == 40


def test_constant_columns_are_never_kept_and_are_named(method, table):
    X = np.column_stack([np.full(len(table), 5.5), table])
    found = tamis.select(X, k=4, method=method)
    assert found.constant == ("x0",)
    assert 0 not in found.indices
    assert np.isnan(found.scores[0])


@pytest.mark.parametrize("method", [m for m in METHODS if registry.get(m).needs == "gram"])
def test_rows_instead_of_a_matrix_give_the_same_picks(method, table):
    wide = np.hstack([table[:20], table[20:40], table[40:60]])
    fixed = {"shrink": 0.0, "outliers": "keep"} if method == "forward" else {}
    rows = tamis.select(wide, k=6, method=method, scale=True, options=fixed)
    kernel = registry.get(method).load_kernel()
    Z = wide - wide.mean(axis=0)
    from tamis.statistics.gram import DenseGram

    dense = kernel(DenseGram(np.corrcoef(Z, rowvar=False)), 6)
    assert rows.path.kept.tolist() == dense.kept.tolist()


def test_included_columns_stay_and_excluded_ones_go(method, table):
    found = tamis.select(table, k=5, method=method, include=["x9", 4], exclude=["x2"])
    assert {"x9", "x4"} <= set(found.names)
    assert "x2" not in found.names
    assert found.skipped == {"x2": "excluded"}
    assert found.k == 5


def test_retain_gives_just_enough_columns(method, table):
    found = tamis.select(table, retain=0.8, method=method)
    assert found.retained >= 0.8
    if found.path.nested:
        assert found.k == 1 or found.curve.retained[-2] < 0.8
    else:
        assert tamis.select(table, k=found.k - 1, method=method).retained < 0.8


@pytest.mark.parametrize("method", LINEAR)
def test_swaps_never_lower_and_proof_is_never_beaten(method, table):
    plain = tamis.select(table, k=4, method=method)
    swapped = tamis.select(table, k=4, method=method, refine=True)
    proven = tamis.select(table, k=4, method=method, refine="exact")
    assert plain.retained <= swapped.retained + 1e-12
    assert swapped.retained <= proven.retained + 1e-12
    assert proven.optimal
    assert not swapped.optimal
    assert proven.retained <= proven.bound


@pytest.mark.parametrize("method", LINEAR)
def test_refining_a_share_needs_no_more_columns(method, table):
    plain = tamis.select(table, retain=0.85, method=method)
    refined = tamis.select(table, retain=0.85, method=method, refine=True)
    assert refined.retained >= 0.85
    assert refined.k <= plain.k


def test_a_shorter_request_gives_the_head_of_a_nested_path(method):
    X = load_wine().data
    long = tamis.select(X, k=8, method=method)
    if long.path.nested:
        assert tamis.select(X, k=3, method=method).names == long.names[:3]
    else:
        assert len(set(long.names)) == 8


def test_one_or_fifty_batches_give_the_same_picks(method, table):
    class InBatches(ArraySource):
        def batches(self, columns):
            yield from np.array_split(self.array[:, list(columns)], 50)

    chosen = registry.get(method)
    fixed = {"shrink": 0.0} if chosen.has("shrink") else {}
    whole = tamis.select(table, k=6, method=method, options=fixed)
    own = registry.check_options(chosen, fixed)
    source = InBatches(table)
    scale = Scale.of("standard" if chosen.scale == "auto" else chosen.scale)
    summary = summarise(chosen, source, range(14), scale=scale, options=own)
    limits = make_limits(own, len(summary.varying))
    path = Search(chosen, summary, (), False, own, limits)(6)
    assert path.kept.tolist() == whole.indices.tolist()


def test_float32_and_integers_are_welcome(method, table):
    whole = np.rint(table * 10)
    expected = tamis.select(whole, k=5, method=method).names
    assert tamis.select(whole.astype(np.float32), k=5, method=method).names == expected
    assert tamis.select(whole.astype(np.int32), k=5, method=method).names == expected


# Condensing needs the angles of all pairs (no linkage but single does without); methods on the
# information of all pairs work on that square array.
@pytest.mark.parametrize("method", sample_methods([m for m in LINEAR if m != "condensing"]))
def test_no_square_array_is_made_when_columns_outnumber_rows(method):
    d = 4000
    X = np.random.default_rng(0).standard_normal((30, d)).astype(np.float32)
    for table in (X, scipy.sparse.random_array((30, d), density=0.05, rng=0, format="csr")):
        tamis.select(table[:, :60], k=5, method=method).explain()  # imports do not count
        tracemalloc.start()
        tamis.select(table, k=5, method=method).explain()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < d * d * 8 / 4


@pytest.mark.parametrize("method", sample_methods(METHODS))
def test_any_number_of_threads_gives_the_same_answer(method):
    rng = np.random.default_rng(0)
    d = 80 if method == "krzanowski" else 300  # it takes a minute for 300
    X = rng.standard_normal((700, 20)) @ rng.standard_normal((20, d))
    X += rng.standard_normal(X.shape)
    answers = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            answers.append(tamis.select(X, k=30, method=method).names)
    assert answers[0] == answers[1]


def different_units():
    """Three independent columns whose standard deviations are 1e7, 0.5 and 0.1."""
    return np.random.default_rng(0).standard_normal((200, 3)) * [1e7, 0.5, 0.1]


def copies_and_sums():
    """Six columns and, of these, two copies and two sums."""
    X = np.random.default_rng(0).standard_normal((200, 6))
    return np.column_stack([X, X[:, 0], X[:, 1] + X[:, 2], 1 - 3 * X[:, 3], X[:, 0] + X[:, 5]])


# How many of these columns a method keeps that stops for a reason of its own.
KEPT_BECAUSE = {REPRODUCED: 6, COPIES: 8}


def explains_the_rest(method):
    """Whether a method adds columns until they explain all others, by its registry entry."""
    known = registry.get(method)
    return known.needs == "gram" and known.takes_limits == "adding" and not known.keeps_copies


@pytest.mark.parametrize("method", LINEAR)
@pytest.mark.parametrize("shape", ["long", "wide", "sparse"])
def test_columns_in_very_different_units_are_all_usable(method, shape):
    X = different_units()
    if shape != "long":  # more columns than rows: more columns of the same three sizes
        X = np.random.default_rng(1).standard_normal((13, 18)) * np.repeat([1e7, 0.5, 0.1], 6)
    table = scipy.sparse.csr_array(X) if shape == "sparse" else X
    for k in (2, 3) if shape == "long" else (7, 12):
        found = tamis.select(table, k, method=method, scale=False)
        assert found.k == k
        assert found.shortfall is None


def test_fewer_columns_than_asked_are_kept_only_for_a_reason_that_is_said(method):
    longest = tamis.select(copies_and_sums(), 10, method=method)
    reason = longest.path.stopped if longest.k < 10 else ""
    most = KEPT_BECAUSE[reason] if reason else 10
    assert not (registry.get(method).keeps_copies and reason)
    assert reason == REPRODUCED or not explains_the_rest(method)
    for k in range(5, 11):
        found = tamis.select(copies_and_sums(), k, method=method)
        assert found.k == min(k, most)
        assert len(set(found.names)) == found.k
        if k <= most:
            assert found.shortfall is None
        else:
            assert found.shortfall.startswith(f"Kept {most} of the {k} columns requested: ")
            assert reason in found.shortfall
        assert found.to_dict()["shortfall"] == found.shortfall


@pytest.mark.parametrize("method", LINEAR)
def test_a_table_with_more_columns_than_rows_gives_as_many_as_asked_or_says_why(method):
    wide = np.random.default_rng(0).standard_normal((20, 60))
    for k in (19, 40, 60):
        found = tamis.select(wide, k, method=method)
        if explains_the_rest(method) or found.shortfall is not None:
            assert found.k == min(k, 19)
        assert (found.shortfall is None) == (found.k == k)
