"""What halves agree on, against projections of the rows themselves."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.evaluation.stability import compare_halves
from tamis.statistics.gram import DenseGram
from tamis.statistics.grouped import Groups
from tamis.statistics.summary import as_summary


def project(A):
    """Give the projection on the columns of A."""
    return A @ np.linalg.pinv(A)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_share_is_that_of_two_projections_after_each_other(weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6)) @ rng.normal(size=(6, 9)) + rng.normal(size=(40, 9))
    X -= X.mean(axis=0)
    groups = Groups(np.array([1, 2, 1, 3, 1, 1]))
    weights = rng.random(6) if weighted else None
    unit = np.ones(9) if weights is None else np.sqrt(weights[groups.owner])
    kept, sets = np.array([1, 4]), [np.array([1, 4]), np.array([3, 0]), np.array([2])]
    explained, _ = compare_halves(as_summary(DenseGram(X.T @ X), groups), kept, sets, weights)
    said = project(X[:, groups.members(kept)]) @ (X * unit)
    for share, columns in zip(explained, sets, strict=True):
        again = project(X[:, groups.members(columns)]) @ said
        assert share == pytest.approx(np.square(again).sum() / np.square(said).sum(), abs=1e-10)
    assert explained[0] == pytest.approx(1.0)


def test_each_column_of_a_half_stands_for_one_kept_column_at_most():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 500))
    X = np.column_stack([a, a + b / 5, b, b + a / 5, rng.normal(size=500)])
    gram = as_summary(DenseGram(np.corrcoef(X, rowvar=False)))
    sets = [np.array([0, 2]), np.array([1, 3]), np.array([3, 4]), np.array([0, 1])]
    _, counts = compare_halves(gram, np.array([0, 2]), sets)
    assert counts.tolist() == [[2, 1, 0, 0, 0], [0, 0, 1, 2, 0]]


def twins(rows=400, seed=0):
    """Give four columns for each of three hidden ones, all equally good."""
    rng = np.random.default_rng(seed)
    hidden = np.repeat(rng.normal(size=(rows, 3)), 4, axis=1)
    names = [f"{letter}{i}" for letter in "abc" for i in range(4)]
    return pd.DataFrame(hidden + rng.normal(size=(rows, 12)) / 4, columns=names)


def test_twins_stand_in_for_each_other_and_halves_explain_the_same():
    found = tamis.select(twins(), k=3)
    stable = found.stability
    assert stable.index < 0.6
    assert stable.explained > 0.9
    assert set(stable.stand_ins) == set(found.names)
    for column, others in stable.stand_ins.items():
        assert {name[0] for name in others} == {column[0]}
        assert sum(others.values()) > 0.95
        assert list(others.values()) == sorted(others.values(), reverse=True)


def test_noise_agrees_on_nothing():
    noise = np.random.default_rng(2).normal(size=(60, 40))
    stable = tamis.select(noise, k=4).stability
    assert stable.explained < 0.5


def test_terminal_json_and_report_say_which_columns_are_one_of_several(tmp_path):
    found = tamis.select(twins(), k=3, stability=True)
    facts = found.to_dict()["stability"]
    assert facts["explained"] == pytest.approx(found.stability.explained)
    assert facts["stand_ins"][found.names[0]][found.names[0]] > 0
    said = str(found)
    assert said.count("One of these") == 3
    page = found.report(tmp_path / "r.html").read_text(encoding="utf-8")
    for words in ("found on half of the rows", "One of these"):
        assert words in said
        assert words in page
