import numpy as np
import pytest

import tamis
from tamis.evaluation.auto_size import _count_superseded, best_size, best_sizes
from tamis.evaluation.held_out import HeldOut
from tamis.rules.search import BAR
from tamis.selection import ForwardSelection


def planted(seed, rows, base, derived, noise):
    """Make base columns, mixtures of three of them with noise, and columns of noise."""
    rng = np.random.default_rng(seed)
    B = rng.standard_normal((rows, base))
    L = np.zeros((base, derived))
    for j in range(derived):
        L[rng.permutation(base)[:3], j] = rng.choice([-1.0, 1.0], 3)
    D = B @ L / np.sqrt(3) + 0.4 * rng.standard_normal((rows, derived))
    return np.column_stack([B, D, rng.standard_normal((rows, noise))])


def test_the_largest_sum_of_gains_beyond_the_bar_decides():
    # Of 10 columns' variance the first explains itself and 3 others, the second itself and 1.
    errors = np.array([[6.0, 4.0, 3.1, 2.1]])
    own = np.array([[1.0, 1.0, 0.8, 1.0]])
    found = HeldOut(errors, own, np.array([10.0]), (np.arange(4),))
    assert best_size(found, d=10) == 2
    assert best_size(found, d=10, bar=0.05) == 3
    assert best_sizes(found, d=10, bar=2.0).tolist() == [1]


@pytest.mark.parametrize("rows", [300, 2000])
def test_the_planted_number_lies_in_the_interval_whatever_the_noise_columns(rows):
    found = tamis.select(planted(0, rows, 6, 30, 40), k="auto")
    assert found.auto.low <= 6 <= found.auto.high
    assert abs(found.k - 6) <= 1
    assert found.k == found.auto.k == len(found.names)


def test_the_answer_is_that_of_the_number_found():
    X = planted(1, 400, 5, 20, 10)
    found = tamis.select(X, k="auto", method="sfs")
    again = tamis.select(X, k=found.k, method="sfs", held_out=True)
    assert found.names == again.names
    np.testing.assert_allclose(found.held_out, again.held_out, atol=1e-12)
    assert found.stability.index == pytest.approx(again.stability.index)
    assert found.auto.worth[found.k] < BAR


def test_the_interval_allows_for_a_mixture_that_was_taken_before_its_parts():
    rng = np.random.default_rng(0)
    a, b, c = rng.standard_normal((3, 500, 1))
    weights = np.array([[1.0, 1.0, 1.0, 1.0, -1.0, 0.5], [1.0, 1.0, 1.0, -1.0, 1.0, 1.0]])
    X = np.hstack([a, b]) @ weights + 0.2 * rng.standard_normal((500, 6))
    X = np.hstack([a, b, X, c + 0.1 * rng.standard_normal((500, 3))])
    found = tamis.select(X, k="auto", include=[2, 0, 1])
    assert found.names[:3] == ["x2", "x0", "x1"]
    summary, kept = found.summary, found.path.kept
    assert _count_superseded(summary, kept[:3]) == 1
    assert _count_superseded(summary, kept[1:3]) == 0


def test_unrelated_columns_are_said_to_explain_themselves_only():
    found = tamis.select(np.random.default_rng(0).standard_normal((500, 12)), k="auto")
    assert found.k == 1
    assert "would explain only 0.0" in found.auto.reason


@pytest.mark.slow
@pytest.mark.nightly
def test_a_long_structure_is_followed_beyond_the_first_steps():
    found = tamis.select(planted(2, 1000, 60, 140, 0), k="auto")
    assert found.auto.low <= 60 <= found.auto.high


def test_columns_to_include_count():
    X = planted(3, 300, 3, 20, 10)
    found = tamis.select(X, k="auto", include=[30, 31, 32, 29, 28])
    assert found.auto.low >= 5
    assert found.names[:5] == ["x30", "x31", "x32", "x29", "x28"]


def test_more_columns_than_rows():
    found = tamis.select(planted(4, 60, 3, 80, 20), k="auto")
    assert found.auto.low <= 3 <= found.auto.high


def test_only_methods_on_correlations_find_a_number():
    X = planted(5, 50, 3, 4, 2)
    with pytest.raises(tamis.TamisError, match="works on mutual information"):
        tamis.select(X, k="auto", method="rspfs")
    with pytest.raises(tamis.TamisError, match="not both"):
        tamis.select(X, k="auto", retain=0.9)
    with pytest.raises(tamis.TamisError, match="an integer of at least 1"):
        tamis.extract(X, k="auto")


@pytest.mark.parametrize("retain", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("method", ["forward", "sfs"])
def test_a_share_to_retain_is_one_of_new_rows(retain, method):
    X = planted(4, 90, 5, 12, 6)
    options = {"shrink": 0.0} if method == "forward" else {}
    asked = {"method": method, "options": options, "held_out": True}
    found = tamis.select(X, retain=retain, **asked)
    shares = [tamis.select(X, k, **asked).held_out[-1] for k in range(1, X.shape[1] + 1)]
    assert found.k == next(k for k, share in enumerate(shares, 1) if share >= retain)
    np.testing.assert_allclose(found.held_out, shares[: found.k], atol=1e-12)
    assert found.shortfall is None


def test_a_share_that_no_number_reaches_is_said_with_the_number_that_comes_nearest():
    rng = np.random.default_rng(5)
    X = rng.standard_normal((40, 3)) @ rng.standard_normal((3, 90))
    X += 1.5 * rng.standard_normal(X.shape)
    options = {"shrink": 0.0, "outliers": "keep"}
    found = tamis.select(X, retain=0.9, options=options)
    curve = tamis.select(X, 39, options=options).held_out
    assert found.k == curve.argmax() + 1 < 39
    assert found.retained > curve.max()
    assert found.shortfall == (
        f"No number of columns explains 90% on new rows; {found.k} explain most, "
        f"{100 * curve.max():.1f}%."
    )
    assert found.shortfall in found.to_dict()["sentence"]


@pytest.mark.parametrize("asked", [{"method": "sfs"}, {"held_out": False}])
def test_without_new_rows_the_share_to_retain_is_of_these(asked):
    X = planted(4, 90, 5, 12, 6)
    found = tamis.select(X, retain=0.9, **asked)
    shares = [tamis.select(X, k, **asked).retained for k in (found.k - 1, found.k)]
    assert shares[0] < 0.9 <= shares[1]
    assert tamis.select(X, retain=0.9).k > found.k


def test_estimators_retain_a_share_of_the_rows_they_are_fitted_to():
    X = planted(4, 90, 5, 12, 6)
    fitted = ForwardSelection(retain=0.9).fit(X)
    assert len(fitted.ranking_) < tamis.select(X, retain=0.9).k
    assert fitted.retained_[-2] < 0.9 <= fitted.retained_[-1]
