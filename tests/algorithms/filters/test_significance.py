"""P-values adjusted for the number of columns, and how they are shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from sklearn.datasets import load_wine

import tamis
from tamis.algorithms.filters.independence import adjust_p
from tamis.facts.selection_answer import EvidenceFacts
from tamis.presentation.terminal.screen import Screen
from tamis.presentation.terminal.selection import evidence_lines


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_scipy_agrees_with_the_adjustment(p):
    np.testing.assert_allclose(adjust_p(np.array(p)), false_discovery_control(p), atol=1e-15)


def test_of_noise_nothing_but_the_best_column_is_kept_nearly_always():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    kept = [tamis.select(rng.standard_normal((300, 30)), method="chi2", y=y).k for _ in range(20)]
    assert sum(k > 1 for k in kept) <= 2


def test_terminal_and_page_show_scores_and_p_values(tmp_path):
    X, y = load_wine(return_X_y=True)
    found = tamis.select(X, 3, method="chi2", y=y)
    text = str(found)
    assert "adjusted" in text
    assert f"{found.scores.max():.4g}" in text
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Each column and the classes" in page
    assert "chi-square test of independence" in page


def test_a_column_without_a_p_value_has_a_dash():
    row = {"column": "a", "score": 1.5, "p": None, "adjusted": None, "note": ""}
    values = {"score": "gain ratio", "columns": [row] * 25}
    evidence = EvidenceFacts("significance", values)
    lines = evidence_lines(evidence, Screen())
    assert lines[2].split() == ["a", "1.5", "-", "-"]
    assert lines[-1] == "  ... and 5 more"


@pytest.mark.parametrize("method", ["chi2", "information-gain", "odds-ratio"])
def test_without_a_number_the_related_columns_are_kept(method):
    rng = np.random.default_rng(1)
    y = np.arange(400) % 2
    X = rng.standard_normal((400, 12))
    X[:, [2, 7]] += y[:, None]
    found = tamis.select(X, method=method, y=y)
    assert sorted(found.names) == ["x2", "x7"]
