"""Trees beside a linear model: they find what a line does not, and nothing in noise."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError
from tamis.evaluation.second_opinion import ask_trees


def _shares(kept, **targets):
    columns = {name: np.asarray(value, dtype=float)[:, None] for name, value in targets.items()}
    found = ask_trees([np.asarray(kept, dtype=float)[:, None]], columns)
    return {one.column: (one.linear, one.trees) for one in found}


def test_trees_see_curves_and_both_see_lines_and_neither_noise():
    rng = np.random.default_rng(0)
    x, noise = rng.uniform(-1, 1, (2, 400))
    found = _shares(x, line=2 * x + 1, bowl=x**2, noise=noise)
    assert found["line"][0] > 0.999
    assert found["line"][1] > 0.95
    assert found["bowl"][0] < 0.1 < 0.9 < found["bowl"][1]
    assert max(found["noise"]) < 0.1


def test_the_linear_share_is_that_of_least_squares_where_rows_are_many():
    rng = np.random.default_rng(1)
    x, noise = rng.normal(size=(2, 1000))
    y = x + noise
    half = np.zeros(1000, dtype=bool)
    half[np.random.default_rng(0).permutation(1000)[:500]] = True
    wrong = total = 0.0
    for learn, test in ((half, ~half), (~half, half)):
        slope, start = np.polyfit(x[learn], y[learn], 1)
        wrong += np.square(y[test] - start - slope * x[test]).sum()
        total += np.square(y[test] - y[learn].mean()).sum()
    assert _shares(x, y=y)["y"][0] == pytest.approx(1 - wrong / total, abs=1e-3)


@pytest.fixture
def bowls():
    rng = np.random.default_rng(2)
    x = rng.uniform(-1, 1, 300)
    table = pd.DataFrame({"x": x, "bowl": x**2 + 0.02 * rng.normal(size=300)})
    table["side"] = np.where(np.abs(x) > 0.5, "out", "in")
    table["noise"] = rng.normal(size=300)
    return table


def test_an_answer_shows_the_second_opinion_where_it_is_asked_for(bowls, tmp_path):
    found = tamis.select(bowls, include=["x"], k=1, second_opinion=True)
    by = {one["column"]: one for one in found.to_dict()["opinions"]}
    assert set(by) == {"bowl", "side", "noise"}
    assert {name for name, one in by.items() if one["clearly"]} == {"bowl", "side"}
    assert "bowl" in found.to_dict()["second_opinion"]
    assert "trees" in str(found)
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert 'id="opinions"' in page


def test_it_is_not_shown_unasked_and_can_be_had_later(bowls):
    found = tamis.select(bowls, include=["x"], k=1)
    assert found.to_dict()["opinions"] == []
    first = found.second_opinion(n=2)
    assert len(first) == 2
    assert first == found.second_opinion(n=2)


def test_too_few_rows_are_said(bowls):
    few = bowls.head(30)
    found = tamis.select(few, k=1)
    with pytest.raises(TamisError, match="40 rows"):
        found.second_opinion()
