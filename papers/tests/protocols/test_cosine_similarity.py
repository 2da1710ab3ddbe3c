import numpy as np
import pytest

from tamis_papers.protocols.cosine_similarity import FIGURE_2, measure_cosines


def test_means_and_variances_are_those_of_all_pairs():
    found = measure_cosines(law="uniform", features=5)
    rows = np.random.default_rng(0).random((500, 5))
    cosines = [
        a @ b / np.sqrt(a @ a * (b @ b)) for i, a in enumerate(rows[:40]) for b in rows[i + 1 :]
    ]
    assert found["mean"][0] == pytest.approx(np.mean(cosines), abs=0.01)
    assert len(found["mean"]) == len(found["variance"]) == 10
    assert found["counts"].sum() == pytest.approx(1)


def test_normal_cosines_have_the_variance_of_one_over_the_dimensions():
    for features in (5, 20):
        found = measure_cosines(law="normal", features=features)
        assert np.mean(found["variance"]) == pytest.approx(1 / features, rel=0.02)
        assert np.mean(found["mean"]) == pytest.approx(0, abs=0.005)


def test_the_variance_falls_and_the_mean_does_not_rise():
    results = {cell.key: cell.compute() for cell in FIGURE_2.cells(False)}
    narrower, nearer = FIGURE_2.claims(results)
    assert (narrower.verdict, nearer.verdict) == ("holds", "does not hold")
    assert len(FIGURE_2.figures(results)) == 8
    assert len(FIGURE_2.drawings(results)) == 2
    higher = results | {"uniform/20": {**results["uniform/20"], "mean": [0.9, 0.91]}}
    assert FIGURE_2.claims(higher)[1].verdict == "holds"
