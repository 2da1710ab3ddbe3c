"""Counts, and what was made of them: two scales are tried on new rows."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import tamis
from tamis.registry.shared import Scale
from tamis.run.scale import NEAREST, _Halves, try_scales
from tamis.sources.arrays import ArraySource


def draw_cells(n=400, d=120, types=5, seed=0):
    """Give counts of genes in cells of some types, each with markers of its own."""
    rng = np.random.default_rng(seed)
    folds = np.ones((types, d))
    for own in folds:
        own[rng.choice(d, d // 12, replace=False)] = 12.0
    means = rng.lognormal(-1.5, 1.0, d) * folds[rng.integers(0, types, n)]
    return rng.poisson(rng.gamma(2.0, means / 2.0)).astype(np.float64)


def write_logs(X):
    """Write counts as scanpy does: of the median size of a row, then log1p."""
    sizes = np.maximum(X.sum(axis=1, keepdims=True), 1.0)
    return np.log1p(X / sizes * np.median(sizes))


def say(found):
    """Give the sentences about zeros."""
    return [text for text in found.to_dict()["doubts"] if "zeros)" in text]


def test_log_counts_are_not_standardised_and_both_figures_are_said():
    X = write_logs(draw_cells())
    found, standard = tamis.select(X, 15), tamis.select(X, 15, scale="standard")
    assert found.names == tamis.select(X, 15, scale="none").names != standard.names
    assert found.request.settings["scale"] is False
    tried = try_scales(ArraySource(X), range(120), 15, Scale.NONE)
    assert tried.clear
    assert tried.other > tried.standard
    (said,) = say(found)
    assert f"keep {tried.other:.0%}," in said
    assert f"columns {tried.standard:.0%} (" in said
    assert 'scale="standard"' in said
    assert not say(standard)


def test_counts_of_few_columns_are_taken_as_counts():
    X = draw_cells(d=60)
    found = tamis.select(X, 10)
    assert found.request.settings["scale"] == "counts"
    assert found.names == tamis.select(X, 10, scale="counts").names
    assert len(say(found)) == 1


def test_the_scale_is_the_same_for_rows_in_any_order_and_form():
    X = write_logs(draw_cells())
    order = np.random.default_rng(1).permutation(len(X))
    tables = [X, X[order], scipy.sparse.csr_array(X), pd.DataFrame(X).add_prefix("x")]
    keep = {"outliers": "keep"}
    answers = [tamis.select(table, 15, options=keep) for table in tables]
    assert len({tuple(found.indices) for found in answers}) == 1
    assert len({tuple(say(found)) for found in answers}) == 1


def test_held_out_rows_that_are_read_later_have_the_scale_of_the_answer():
    X = write_logs(draw_cells())
    late = tamis.select(X, 15, held_out=False)
    assert late.held_out == pytest.approx(tamis.select(X, 15).held_out, abs=0.02)


def test_the_neighbours_that_are_kept_follow_the_definition():
    X = np.random.default_rng(2).normal(size=(90, 8)) @ np.diag(np.arange(1.0, 9.0))
    halves = _Halves(X, 45, standard=False)
    kept = np.array([7, 3])
    centred = X - X[:45].mean(axis=0)
    weights = np.linalg.lstsq(centred[:45, kept], centred[:45], rcond=None)[0]
    held, given = centred[45:], centred[45:][:, kept] @ weights
    expected = [len(nearest(held, i) & nearest(given, i)) / NEAREST for i in range(len(held))]
    assert abs(halves.count_kept(kept).mean() - np.mean(expected)) < 0.03


def nearest(rows, i):
    """Give the rows nearest to one of them."""
    distances = [np.inf if j == i else np.linalg.norm(rows[i] - row) for j, row in enumerate(rows)]
    return {*np.argsort(distances)[:NEAREST].tolist()}


def test_few_rows_are_not_tried():
    assert try_scales(ArraySource(draw_cells(50)), range(120), 10, Scale.NONE) is None
    assert not say(tamis.select(write_logs(draw_cells(50)), 5))
