import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.metrics import rand_score

from tamis.evaluation import medoid_widths
from tamis_papers.laboratory.protocol import Table
from tamis_papers.protocols.clustering import cluster_rows
from tamis_papers.protocols.preservation import choose_sets, cut_columns
from tamis_papers.protocols.preservation_clusters import (
    ALL,
    CLASSES,
    WIDTHS,
    compare_with_classes,
    measure_widths,
)


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return Table("wine", X[::2], y[::2])


def test_clusters_are_compared_with_the_classes_on_all_and_on_the_best_columns(wine):
    found = compare_with_classes(wine, method="laplacian")
    codes = cut_columns(wine.X)
    sets = choose_sets(codes, "laplacian")
    assert found["classes"] == 3
    assert found["all"] == pytest.approx(rand_score(wine.y, cluster_rows(codes, 3)))
    assert found["kept"] == pytest.approx(
        [rand_score(wine.y, cluster_rows(codes[:, kept], 3)) for kept in sets]
    )


def test_classes_of_two_archives_are_those_of_both(wine):
    halves = [Table("a", wine.X[i::2], wine.y[i::2]) for i in (0, 1)]
    whole = Table("b", *(np.concatenate([getattr(h, part) for h in halves]) for part in "Xy"))
    found = compare_with_classes(*halves, method="variance")
    assert found == compare_with_classes(whole, method="variance")


def test_widths_are_those_of_medoids_on_a_quarter_and_half_of_the_columns(wine):
    found = measure_widths(wine, method="laplacian")
    codes = cut_columns(wine.X)
    sets = choose_sets(codes, "laplacian")
    for part, size in (("quarter", 3), ("half", 6)):
        expected = medoid_widths(codes, codes[:, sets[size - 1]], clusters=(2, 3, 4, 5, 6))
        assert found[part] == [one.reduced for one in expected]
        assert found["all"] == [one.full for one in expected]


def test_figures_stand_beside_those_of_all_columns_and_nothing_is_judged():
    near = {"all": 0.5, "kept": [0.6, 0.8], "classes": 2}
    figures = CLASSES.figures({"sonar-fsfs": near, "sonar-mcfs": {**near, "kept": [0.1]}})
    assert [(f.method, f.ours) for f in figures] == [(ALL, 0.5), ("mcfs", 0.1), ("fsfs", 0.7)]
    assert "sonar: fsfs." in CLASSES.limits({"sonar-fsfs": near})[0]
    wide = {"all": [0.1, 0.3], "half": [0.3, 0.3], "quarter": [0.1, 0.1]}
    figures = WIDTHS.figures({"lrs-fsfs": wide})
    assert [f.ours for f in figures] == pytest.approx([0.2, 0.1, 0.3])
    assert (
        "in 1 of 1 cases with half of them and in 0 with a quarter"
        in (WIDTHS.limits({"lrs-fsfs": wide})[0])
    )
    assert all(figure.reproduced is None for figure in figures)
