import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tamis.errors import TamisError
from tamis.evaluation.protocols.kmeans_nmi import kmeans_nmi
from tamis.evaluation.protocols.relevance_table import (
    Cell,
    Figure,
    as_text,
    paper_figures,
    relevance_table,
)

pytestmark = pytest.mark.slow

SHARED = Path(__file__).parents[4] / "shared"
TABLES = ("x80", "malaysia", "breast_w", "chromo", "satellite", "soybean", "twonorm")
FILES = {
    "seed004_table1_selection.csv": {
        "relPCA": "relpca",
        "Qalpha": "q-alpha",
        "QalphaApp": "q-alpha-approx",
    },
    "seed004_table2_extraction.csv": {
        "PCA": "pca",
        "WPCA_eta": "wpca-relpca",
        "GDFE": "gdfe",
        "WPCA_alpha": "wpca-q-alpha",
        "WPCA_alphahat": "wpca-q-alpha-approx",
    },
}


def shared(name):
    path = SHARED / "data" / f"{name}.npz"
    if not path.exists():
        pytest.skip(f"{name}: the data folder ../shared/data is not here")
    with np.load(path, allow_pickle=False) as archive:
        return {name: (archive["X"].astype(float), archive["y"])}


@pytest.fixture
def iris():
    return {"iris": load_iris(return_X_y=True)}


@pytest.mark.parametrize("file", FILES)
def test_the_figures_are_those_of_the_transcribed_tables(file):
    path = SHARED / "expected" / file
    if not path.exists():
        pytest.skip(f"{file}: the folder ../shared/expected is not here")
    with path.open() as lines:
        rows = list(csv.DictReader(lines))
    for row, figures in zip(rows, paper_figures().values(), strict=True):
        for theirs, ours in FILES[file].items():
            expected = [row[f"{theirs}_{part}"] for part in ("nmi_mean", "nmi_std", "p")]
            figure = figures[ours]
            assert [figure.mean, figure.std, figure.size] == [float(word) for word in expected]
        if "d" in row:
            raw = Figure(float(row["raw_nmi_mean"]), float(row["raw_nmi_std"]), int(row["d"]))
            assert figures["raw"] == raw


def test_iris_of_the_card(iris):
    cells = relevance_table(iris, ["raw", "relpca", "pca", "gdfe"])
    found = {cell.method: (round(cell.found.mean, 3), cell.found.size) for cell in cells}
    expected = {"raw": (0.709, 4), "relpca": (0.688, 2), "pca": (0.794, 1), "gdfe": (0.809, 1)}
    assert found == expected
    assert [cell.mark for cell in cells] == ["", "", "", ""]


def test_what_is_not_reproduced_is_marked(iris):
    (cell,) = relevance_table(iris, ["q-alpha"])
    assert cell.mark == "nmi"
    assert cell.difference == pytest.approx(cell.found.mean - 0.57)
    (cell,) = relevance_table(iris, ["wpca-q-alpha"], runs=1)
    assert "size" in cell.mark


def test_selected_columns_are_clustered_centred_and_unscaled(iris):
    X, y = iris["iris"]
    (cell,) = relevance_table(iris, ["relpca"], runs=4)
    expected = kmeans_nmi((X - X.mean(axis=0))[:, [2, 0]], y, runs=4)
    assert cell.found == Figure(expected.mean, expected.std, 2)


def test_weighted_directions_are_those_of_the_weighted_columns():
    table = shared("breast_w")
    X, y = table["breast_w"]
    (cell,) = relevance_table(table, ["wpca-relpca"], runs=3)
    Z = X - X.mean(axis=0)
    values, V = np.linalg.eigh(Z.T @ Z)
    eta = V[:, -6:] ** 2 @ values[-6:]
    weighted = Z * eta / np.linalg.norm(eta)
    scores = weighted @ np.linalg.eigh(weighted.T @ weighted)[1][:, ::-1][:, :4]
    assert cell.found.size == 4
    assert cell.found.mean == pytest.approx(kmeans_nmi(scores, y, runs=3).mean, abs=1e-6)


@pytest.mark.parametrize("name", TABLES)
def test_all_columns_and_sizes_come_out_as_printed(name):
    (cell,) = relevance_table(shared(name), ["raw"])
    assert cell.mark == ""
    methods = ["pca", "q-alpha", "q-alpha-approx", "wpca-q-alpha-approx"]
    for cell in relevance_table(shared(name), methods, reading="printed", runs=1):
        assert cell.found.size == cell.paper.size, cell.method


def test_the_sizes_of_relpca_are_printed_for_all_tables_but_malaysia():
    for name in TABLES:
        (cell,) = relevance_table(shared(name), ["relpca"], runs=1)
        assert (cell.found.size == cell.paper.size) == (name != "malaysia")


def test_text_has_a_line_for_each_cell_and_leaves_the_paper_out_where_it_is_silent():
    figure = Figure(0.5, 0.01, 3)
    text = as_text(
        [Cell("iris", "raw", figure, Figure(0.6, 0.0, 3)), Cell("own", "pca", figure, None)]
    )
    lines = text.split("\n")
    assert len(lines) == 3
    assert "-0.10  nmi" in lines[1]
    assert lines[2].endswith("not in the paper")


def test_unknown_methods_and_readings_are_refused_with_advice(iris):
    with pytest.raises(TamisError, match="there is raw, relpca"):
        relevance_table(iris, ["sfs"])
    with pytest.raises(TamisError, match="give 'text' or 'printed'"):
        relevance_table(iris, reading="mine")
