"""Predictions of a response on held-out rows against loops by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tamis
from tamis.cli import main
from tamis.evaluation.prediction import PENALTIES


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 6))
    frame = pd.DataFrame(X, columns=[*"abcdef"])
    frame["kind"] = np.where(X[:, 0] > 0, "up", "down")
    frame["u"] = X[:, 1] * 2 + X[:, 2] + rng.normal(size=120)
    return frame


def test_a_list_is_scored_by_ridge_regression_in_every_fold(table):
    found = tamis.score(table, ["b", "c"], y="u")
    (one,) = found.predictions
    X, y = table[["b", "c"]].to_numpy(), table["u"].to_numpy()
    scores = []
    for train, test in KFold(5, shuffle=True, random_state=0).split(y):
        alphas = len(train) * PENALTIES
        model = make_pipeline(StandardScaler(), RidgeCV(alphas=alphas)).fit(X[train], y[train])
        scores.append(model.score(X[test], y[test]))
    assert (one.response, one.score, one.folds) == ("u", "R²", 5)
    assert one.value == pytest.approx(np.mean(scores), abs=1e-9)
    assert one.std == pytest.approx(np.std(scores, ddof=1), abs=1e-9)
    assert one.with_all == pytest.approx(one.value, abs=0.1)


def test_a_category_in_a_list_predicts_by_its_levels(table):
    found = tamis.score(table.assign(v=(table["kind"] == "up") * 2.5), ["kind"], y="v")
    assert found.predictions[0].value == pytest.approx(1.0, abs=1e-6)


def test_rows_without_a_label_are_dropped_and_classes_of_a_few_rows_are_not_predicted(table):
    gone = table.assign(u=table["u"].where(table.index % 4 > 0))
    assert tamis.score(gone, ["b"], y="u").predictions[0].rows == 90
    rare = table.assign(kind=["rare"] * 3 + ["usual"] * 117)
    judged = tamis.score(rare, ["b"], y="kind")
    assert judged.predictions == ()
    assert "rarest class has 3 rows" in str(judged)


def test_a_column_that_is_empty_where_labels_are_known_predicts_nothing(table):
    table = table.assign(u=table["u"].where(table.index < 60), f=table["f"].where(table.index > 60))
    (one,) = tamis.score(table, ["b", "f"], y="u", max_missing=1.0).predictions
    assert one.value > 0.3


def test_several_responses_are_each_predicted_and_said(table, tmp_path, capsys):
    table.to_csv(tmp_path / "t.csv", index=False)
    asked = ["score", str(tmp_path / "t.csv"), "--columns", "a,b", "--target", "kind,u"]
    main(asked)
    said = capsys.readouterr().out
    assert "'kind' on held-out rows: AUC" in said
    assert "'u' on held-out rows: R²" in said
    assert "does not use the" not in said


def test_classes_are_predicted_with_columns_selected_again_in_every_fold():
    X, y = load_breast_cancer(return_X_y=True)
    X, y = X[::4], y[::4]
    (one,) = tamis.select(X, 3, method="forward-regression", y=y).predictions
    scores = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        chosen = tamis.select(X[train], 3, method="forward-regression", y=y[train], held_out=False)
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        model.fit(X[train][:, chosen.indices], y[train])
        scores.append(roc_auc_score(y[test], model.decision_function(X[test][:, chosen.indices])))
    assert (one.score, one.selected_again) == ("AUC", True)
    assert one.value == pytest.approx(np.mean(scores), abs=1e-9)


def test_shares_of_several_responses_add_up_to_that_of_all():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 8))
    Y = np.column_stack([X[:, 0] + rng.normal(size=300), X[:, 1] + 0.1 * rng.normal(size=300)])
    found = tamis.select(X, 2, method="forward-regression", y=Y)
    weak, strong = found.predictions
    assert (weak.response, strong.response) == ("y0", "y1")
    assert strong.value > 0.95 > 0.6 > weak.value
    assert (weak.value + strong.value) / 2 == pytest.approx(found.held_out[-1], abs=0.01)


def test_nothing_is_predicted_where_it_says_nothing_new_or_was_not_wanted(table):
    numbers = table.drop(columns="kind")
    assert tamis.select(numbers, 2, method="forward-regression", y="u").predictions == ()
    asked = {"method": "forward-regression", "y": "kind", "held_out": False}
    assert tamis.select(table, 2, **asked).predictions == ()


def test_every_view_says_how_well_a_list_predicts(table, tmp_path):
    found = tamis.score(table, ["b", "c"], y="u")
    said = found.to_dict()["predictions"][0]["sentence"]
    assert f"R² {found.predictions[0].value:.2f}" in said
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    for view in (str(found), page, found._repr_html_()):
        assert f"R² {found.predictions[0].value:.2f} by ridge regression" in " ".join(view.split())


def test_rows_that_belong_together_are_not_split_at_random(table):
    linked = table.assign(person=np.repeat(np.arange(40), 3).astype(str))
    judged = tamis.score(linked, ["b", "c"], y="u", row_groups="person")
    assert judged.predictions == ()
    assert "random folds would flatter" in str(judged).replace("\n", " ")
