"""Forward regression against refits by scikit-learn."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, make_regression
from sklearn.linear_model import LinearRegression

import tamis
from tamis.algorithms.forward.response import regress_forward
from tamis.cli import main
from tamis.errors import TamisError
from tamis.selection import ForwardRegression
from tamis.statistics.gram import DenseGram, RowGram
from tamis.statistics.summary import as_summary


def response_gram(X, y, form=DenseGram):
    Z = np.column_stack([X, y])
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0) / np.sqrt(len(Z))
    return replace(
        as_summary(form(Z) if form is RowGram else form(Z.T @ Z)), n_rows=len(Z), responses=1
    )


def refits(X, y, columns):
    """R² of a regression on the first 1, 2, ... columns, fitted anew."""
    heads = [X[:, columns[: i + 1]] for i in range(len(columns))]
    return [LinearRegression().fit(head, y).score(head, y) for head in heads]


def error(X, y):
    """Squared error of a regression with an intercept."""
    A = np.column_stack([np.ones(len(X)), X])
    return float(np.square(y - A @ np.linalg.lstsq(A, y, rcond=None)[0]).sum())


def slow_picks(X, y, k):
    """Choose by a refit with every candidate."""
    kept = []
    for _ in range(k):
        errors = [np.inf if j in kept else error(X[:, [*kept, j]], y) for j in range(X.shape[1])]
        kept.append(int(np.argmin(errors)))
    return kept


def test_orthogonal_columns_are_taken_by_squared_correlation():
    G = np.eye(4)
    G[3, :3] = G[:3, 3] = 0.3, -0.8, 0.5
    found = regress_forward(replace(as_summary(DenseGram(G)), n_rows=100, responses=1), 3)
    assert found.indices.tolist() == [1, 2, 0]
    np.testing.assert_allclose(found.retained, [0.64, 0.89, 0.98])


@pytest.mark.parametrize("seed", range(10))
def test_picks_are_those_of_refits_with_every_candidate(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 4)) @ rng.normal(size=(4, 9)) + rng.normal(size=(50, 9))
    y = X @ rng.normal(size=9) + rng.normal(size=50)
    for form in (DenseGram, RowGram):
        assert regress_forward(response_gram(X, y, form), 5).indices.tolist() == slow_picks(X, y, 5)


@pytest.mark.parametrize("name", ["digits", "regression"])
def test_shares_are_those_of_scikit_learn(name):
    if name == "digits":
        X, y = load_digits(return_X_y=True)
    else:
        X, y = make_regression(10_000, 200, n_informative=40, noise=30.0, random_state=0)
    found = tamis.select(X, 20, method="forward-regression", y=y, task="regression", held_out=False)
    np.testing.assert_allclose(found.curve.retained, refits(X, y, found.indices), rtol=0, atol=1e-9)
    assert found.bound == pytest.approx(LinearRegression().fit(X, y).score(X, y))


def test_classes_are_explained_by_the_mean_squared_canonical_correlation():
    X, y = load_digits(return_X_y=True)
    X, y = X[:400, 2:14], y[:400] % 4
    found = tamis.select(X, 5, method="forward-regression", y=y, held_out=False)
    A = X[:, found.indices] - X[:, found.indices].mean(axis=0)
    B = (y[:, None] == np.arange(4)) - (y[:, None] == np.arange(4)).mean(axis=0)
    basis, other = np.linalg.qr(A)[0], np.linalg.svd(B, full_matrices=False)[0][:, :3]
    assert found.retained == pytest.approx(np.square(basis.T @ other).sum() / 3)


def test_nothing_is_taken_once_the_response_is_explained():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 30))
    y = X[:, 3] - 2 * X[:, 8]
    found = tamis.select(X, 6, method="forward-regression", y=y)
    assert found.indices.tolist() == [8, 3]
    assert "explain the response completely" in found.shortfall


def test_without_a_number_unrelated_columns_are_not_kept():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 40))
    y = X[:, 3] - 2 * X[:, 8] + 0.5 * rng.normal(size=300)
    found = tamis.select(X, method="forward-regression", y=y)
    assert found.indices.tolist() == [8, 3]


def test_held_out_rows_are_predicted_as_by_refits():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 12))
    y = X[:, :3] @ [3.0, 2.0, 1.0] + 2 * rng.normal(size=400)
    found = tamis.select(X, 3, method="forward-regression", y=y)
    assert found.held_out[-1] == pytest.approx(found.retained, abs=0.03)
    noise = tamis.select(X[:40], 8, method="forward-regression", y=rng.normal(size=40))
    assert noise.retained > 0.15
    assert noise.held_out[-1] < 0.1


def test_categories_and_forbidden_columns_and_prices_count():
    rng = np.random.default_rng(3)
    kind = rng.choice(["a", "b", "c"], 200)
    frame = pd.DataFrame({"kind": kind, "x": rng.normal(size=200), "z": rng.normal(size=200)})
    frame["y"] = frame["x"] + 3.0 * (kind == "b") + 0.1 * rng.normal(size=200)
    first = tamis.select(frame, 2, method="forward-regression", y="y")
    assert first.names == ["kind", "x"]
    assert first.skipped == {"y": "the labels"}
    assert first.retained > 0.98
    without = tamis.select(frame, 2, method="forward-regression", y="y", forbid=["kind"])
    assert without.names == ["x", "z"]
    dear = tamis.select(frame, 1, method="forward-regression", y="y", costs={"kind": 50.0})
    assert dear.names == ["x"]


def test_substitutes_are_judged_by_the_response():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 6))
    X[:, 4] = X[:, 0] + 0.1 * rng.normal(size=300)
    y = X[:, 0] + 0.5 * X[:, 1] + 0.1 * rng.normal(size=300)
    found = tamis.select(X, 2, method="forward-regression", y=y)
    name, change = found.substitutes("x0")[0]
    assert name == "x4"
    assert change == pytest.approx(refits(X, y, [4, 1])[-1] - found.retained)


def test_a_number_of_columns_by_rule_is_refused():
    with pytest.raises(TamisError, match="explains a response"):
        tamis.select(np.eye(9), "auto", method="forward-regression", y=np.arange(9.0))


@pytest.mark.parametrize("seed", range(5))
def test_several_responses_are_explained_by_their_mean_share(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 9)) + rng.normal(size=(60, 9))
    Y = X @ rng.normal(size=(9, 3)) * [1, 10, 100] + rng.normal(size=(60, 3)) * [1, 30, 20]
    kept = []
    for _ in range(4):
        shares = [
            -np.inf if j in kept else np.mean([refits(X, y, [*kept, j])[-1] for y in Y.T])
            for j in range(9)
        ]
        kept.append(int(np.argmax(shares)))
    found = tamis.select(X, 4, method="forward-regression", y=Y, held_out=False)
    assert found.indices.tolist() == kept
    shares = [np.mean(step) for step in zip(*[refits(X, y, kept) for y in Y.T], strict=True)]
    np.testing.assert_allclose(found.curve.retained, shares, rtol=0, atol=1e-9)


def test_responses_are_named_columns_or_a_table_beside_them_and_count_the_same(tmp_path, capsys):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    table = pd.DataFrame(X, columns=[*"abcdef"])
    answers = pd.DataFrame({"u": X[:, 0] + X[:, 1], "v": np.where(X[:, 2] > 0, "yes", "no")})
    beside = tamis.select(table, 3, method="forward-regression", y=answers)
    both = pd.concat([table, answers], axis=1)
    both.to_csv(tmp_path / "t.csv", index=False)
    among = tamis.select(both, 3, method="forward-regression", y=["u", "v"])
    assert beside.names == among.names
    assert set(among.names) == {"a", "b", "c"}
    assert among.skipped == {"u": "the labels", "v": "the labels"}
    responses = among.to_dict()["labels"]["responses"]
    assert [(one["name"], one["task"]) for one in responses] == [
        ("u", "regression"),
        ("v", "classification"),
    ]
    for target in (["--target", "u,v"], ["--target", "u", "--target", "v"]):
        asked = ["select", str(tmp_path / "t.csv"), "-m", "forward-regression", "-k", "3", "-q"]
        main([*asked, *target])
        assert capsys.readouterr().out.split() == among.names


def test_several_responses_are_refused_by_methods_that_learn_from_one():
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 5)), columns=[*"abcde"])
    for method in ("mrmr", "tree-importance"):
        with pytest.raises(TamisError, match="one response"):
            tamis.select(table, 2, method=method, y=["a", "b"])
    with pytest.raises(TamisError, match="one response"):
        tamis.compare(table, ["sfs"], k=[2], y=["a", "b"])


def test_an_estimator_takes_several_responses():
    X = np.random.default_rng(0).normal(size=(60, 5))
    fitted = ForwardRegression(2).fit(X, X[:, [3, 1]] + 0.1 * X[:, [0]])
    assert set(fitted.ranking_.tolist()) == {1, 3}
