"""A form of the Gram matrix that no module of tamis knows serves every method."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis import registry
from tamis.algorithms.orders import Pairs
from tamis.algorithms.refine.swap import exchange
from tamis.evaluation.subsets import gcd, redundancy
from tamis.statistics.gram import DenseGram, Gram
from tamis.statistics.linear import summary_of_moments
from tamis.statistics.moments import Moments

SELECTORS = [method.id for method in registry.methods("selection") if method.needs == "gram"]


class SketchGram(Gram):
    """`G = Z'Z` with few random combinations `Z` of the rows, which are not centred themselves."""

    def __init__(self, Z):
        self.Z = Z

    def diagonal(self):
        return np.square(self.Z).sum(axis=0)

    def column(self, j):
        return self.Z[:, j] @ self.Z

    def block(self, rows, columns=slice(None)):
        return self.Z[:, rows].T @ self.Z[:, columns]

    def dot(self, v):
        return self.Z.T @ (self.Z @ v)

    def weigh_columns(self, weights):
        return SketchGram(self.Z * weights)

    @property
    def rank_bound(self):
        return min(self.Z.shape)


@pytest.fixture(params=[12, 60], ids=["wide", "tall"])
def case(request, correlated):
    """Make a summary of the sketch, and of the same matrix written out."""
    X = correlated(300, 25, factors=6)
    moments = Moments.from_batch(X)
    Z = np.random.default_rng(1).standard_normal((request.param, 300)) @ (X - X.mean(axis=0))
    Z /= np.linalg.norm(Z, axis=0)
    summary = summary_of_moments(moments, scale=True)
    return replace(summary, gram=SketchGram(Z)), replace(summary, gram=DenseGram(Z.T @ Z))


def test_the_methods_of_all_families_are_run():
    asked = {"sfs", "pfs", "ufs", "vif", "relpca", "q-alpha-approx", "correlation"}
    assert asked <= set(SELECTORS)


@pytest.mark.parametrize("method", SELECTORS)
def test_a_sketch_gives_the_picks_of_the_matrix_written_out(case, method):
    kernel = registry.get(method).load_kernel()
    found, expected = (kernel(summary.gram, 6, retain=np.inf) for summary in case)
    assert found.kept.tolist() == expected.kept.tolist()
    np.testing.assert_allclose(found.retained, expected.retained, atol=1e-9)


@pytest.mark.parametrize("method", ["pca", "wpca"])
@pytest.mark.parametrize("k", [None, 4])
def test_a_sketch_gives_the_components_of_the_matrix_written_out(case, method, k):
    kernel = registry.get(method, "extraction").load_kernel()
    found, expected = (kernel(summary, k, scale=True) for summary in case)
    np.testing.assert_allclose(found.components, expected.components, atol=1e-7)


def test_a_sketch_is_refined_and_measured_like_the_matrix_written_out(case):
    start = registry.get("jolliffe-ni").load_kernel()(case[1].gram, 5)
    found, expected = (exchange(summary.gram, start) for summary in case)
    assert found.kept.tolist() == expected.kept.tolist()
    for measure in (redundancy, gcd):
        values = [measure(summary.gram, expected.kept) for summary in case]
        assert np.isclose(*(getattr(value, "inflation", value) for value in values))
    blocks = [Pairs(summary.gram).correlations(expected.kept, slice(3, 9)) for summary in case]
    np.testing.assert_allclose(*blocks, atol=1e-12)


def test_no_module_asks_for_the_form_of_a_gram_matrix():
    forms = re.compile(r"isinstance\([^)]*(Dense|Row|Sparse|Sample|Sketch)\w*Gram")
    source = Path(tamis.__file__).parent
    inside = source / "statistics" / "gram"
    outside = [path for path in source.rglob("*.py") if inside not in path.parents]
    assert [str(path) for path in outside if forms.search(path.read_text(encoding="utf-8"))] == []
