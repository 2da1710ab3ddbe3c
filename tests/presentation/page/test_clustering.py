"""The clusters of a clustering wrapper, in the report and in a terminal."""

import numpy as np
import pytest
from tests.algorithms.clustering.planted import planted

import tamis
from tamis.presentation.scenes.evidence import means_chart
from tamis.presentation.scenes.trees import hierarchy_chart


@pytest.fixture(params=["category-utility", "em-wrapper"])
def method(request):
    return request.param


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_search_and_the_clusters_are_shown(method, direction, tmp_path):
    table, _ = planted(0, noise=1, rows=60)
    found = tamis.select(table, method=method, options={"direction": direction})
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    facts = found.to_dict()
    assert f"The kept columns lead to {len(facts['evidence']['sizes'])} clusters" in page
    assert page.count('class="concepts"') == (2 if method == "category-utility" else 0)
    assert page.count('class="means"') == (2 if method == "em-wrapper" else 0)
    text = str(found)
    assert f"Clusters of the 60 rows: {len(facts['evidence']['sizes'])}, with " in text
    assert ("Hierarchy, with means in SD:" in text) == (method == "category-utility")


def test_one_cluster_and_a_sample_are_said(tmp_path):
    table = np.random.default_rng(0).standard_normal((60, 3))
    found = tamis.select(table, 2, method="em-wrapper", options={"k_max": 1, "sample": 40})
    page = found.report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "No clusters: all 40 rows (a random sample of the 60 rows;" in page
    assert "No clusters: all 40 rows (a random sample of the 60)" in str(found)


def node(rows, *children, name="width"):
    return {"rows": rows, "marks": [[name, 1.0]], "children": list(children), "hidden": 0}


def test_a_large_hierarchy_is_folded_and_names_are_escaped():
    leaves = [node(4, name="<b>") for _ in range(5)]
    tree = node(100, *(node(20, *leaves) for _ in range(5)))
    drawing = hierarchy_chart(tree, 720)
    assert drawing.count("<circle") < 31
    assert "20 rows in 5 groups" in drawing
    assert "&lt;b&gt;" in drawing
    assert "<b>" not in drawing


def test_every_cluster_has_a_field_for_every_column_up_to_thirty():
    drawing = means_chart([f"x{j}" for j in range(40)], np.zeros((4, 40)).tolist(), [5] * 4, 340)
    assert drawing.count("<rect") == 4 * 30
