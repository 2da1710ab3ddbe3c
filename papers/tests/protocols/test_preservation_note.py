import csv
import pickle
from functools import partial
from statistics import fmean

import pytest
from papers.tests.shared import find_shared, load_shared

from tamis.pictures import draw_column_tree
from tamis_papers.protocols.preservation_note import PROTOCOLS
from tamis_papers.protocols.preservation_printed import (
    JACCARD,
    METHODS,
    NEIGHBOURS,
    RAND,
    TOLERANCE,
    printed_curve,
    printed_jaccard,
    printed_rand,
)
from tamis_papers.protocols.preservation_tree import KEY

pytestmark = pytest.mark.slow

SONAR, CLUSTERS, NEAR, TREE, BINS, CLASSES, WIDTHS = PROTOCOLS
IDS = {
    "RSPFS": "rspfs",
    "NaiveRSPFS": "naive-rspfs",
    "NaiveFS": "naive-fs",
    "GreedyFS": "greedy-fs",
    "MCFS": "mcfs",
    "LSFS": "laplacian",
    "FSFS": "fsfs",
}


def expected(name):
    with find_shared(f"expected/seed002_{name}.csv").open() as lines:
        return list(csv.DictReader(lines))


def name_of(row):
    return {"Chess": "kr_vs_kp"}.get(row["dataset"], row["dataset"].lower())


def test_the_printed_rand_indices_are_those_of_the_transcribed_table():
    rows = expected("fig10_rand_score")
    assert [name_of(row) for row in rows] == list(RAND)
    for row in rows:
        words = {IDS[m]: row[m] for m in IDS if row[m]}
        assert printed_rand(name_of(row)) == {m: float(word) for m, word in words.items()}


def test_the_printed_jaccard_indices_are_those_of_the_transcribed_table():
    rows = expected("fig11_knn_jaccard_combined")
    assert [name_of(row) for row in rows] == [name for name in RAND if name in JACCARD]
    for row in rows:
        paper = printed_jaccard(name_of(row))
        words = {(IDS[m], k): row[f"{m}_k{k}"] for m in IDS for k in NEIGHBOURS}
        assert paper == {key: float(word) for key, word in words.items()}


def test_the_printed_curves_are_the_legible_points_of_the_transcribed_table():
    rows = expected("fig3_sonar_knn_jaccard")[:-1]
    for theirs, ours in IDS.items():
        for k in NEIGHBOURS:
            column = [(float(row["n_selected"]), row[f"{theirs}_k{k}"]) for row in rows]
            assert printed_curve(ours, k) == [(q, float(word)) for q, word in column if word]


@pytest.fixture(scope="module")
def sonar():
    return load_shared("sonar")


@pytest.fixture(scope="module")
def results(sonar):
    """Run sonar with the first of the five seeds of K-means."""
    return {cell.key: partial(cell.compute, seeds=(0,))(sonar) for cell in SONAR.cells(False)}


@pytest.mark.nightly
def test_sonar_comes_out_within_the_tolerance(results):
    figures = SONAR.figures(results)
    near = [f for f in figures if f.name.startswith("Jaccard")]
    rand = [f for f in figures if f.name == "Rand" and f.paper is not None]
    assert len(near) == 21
    assert [f.method for f in near if not f.reproduced] == []
    assert len(rand) == 6
    assert all(f.reproduced and f.runs == 1 and f.spread is None for f in rand)
    assert "sonar 27 of 27" in SONAR.limits(results)[0]
    assert SONAR.claims(results) == ()  # judged once, with all tables


def test_curves_are_drawn_over_the_printed_points(results):
    drawings = SONAR.drawings(results)
    assert [len(drawing.series) for drawing in drawings] == [7, 7, 7]
    greedy = next(series for series in drawings[0].series if series.name == "greedy-fs")
    assert len(greedy.x) == len(greedy.y) == len(greedy.paper) == 30
    assert [size for size, _ in greedy.paper] == greedy.x
    theirs = [value for _, value in greedy.paper]
    assert fmean(theirs) == pytest.approx(0.40, abs=0.005)  # the average that is printed below
    assert fmean(greedy.y) == pytest.approx(fmean(theirs), abs=TOLERANCE)


def test_the_tree_is_drawn_and_its_caption_judged(sonar):
    (cell,) = TREE.cells(True)
    found = {KEY: cell.compute(sonar)}
    near, far = (figure.ours for figure in TREE.figures(found))
    assert near < far
    (drawing,) = TREE.drawings(found)
    tree = drawing.tree
    assert len(tree["order"]) == 60
    drawn = draw_column_tree(tree["order"], tree["depth"], kept=tree["path"])
    assert drawn.count("row kept") == 3
    claims = TREE.claims(found)
    assert [claim.verdict == "holds" for claim in claims[1:2]] == [True]
    assert f"{near} edges from v5 to v6 and {far} to v8" in claims[0].reason
    assert claims[0].verdict == "holds"  # thrice as far, which is what is said
    distant = {**found[KEY], "correlation": -0.9}
    assert [c.verdict for c in TREE.claims({KEY: distant})[:3]] == ["holds"] * 3
    near_by = {**found[KEY], "distance": {"v6": near, "v8": near + 1}}
    assert TREE.claims({KEY: near_by})[0].verdict == "does not hold"


def made(tables, **values):
    """Give results in which a method has the same Jaccard and Rand indices for every set."""
    return {
        f"{table}-{method.replace('_', '-')}": {
            "jaccard": {str(k): [value, value] for k in NEIGHBOURS},
            "rand": [[value, value], [value, value]],
        }
        for table in tables
        for method, value in values.items()
    }


def test_claims_follow_the_averages():
    found = made(("sonar", "lrs", "spectf"), greedy_fs=0.5, naive_fs=0.4, rspfs=0.3)
    found |= made(("sonar",), naive_rspfs=0.4)
    greedy, rspfs, fsfs = NEAR.claims(found)
    assert (greedy.verdict, rspfs.verdict) == ("holds", "does not hold")
    assert greedy.reason.startswith("More on sonar, spectf, lrs; fewer on none; of 3 tables")
    printed = rspfs.reason.split("Figure 11 itself prints ")[1]
    assert printed.startswith("more on sonar, spectf and fewer on abalone, lrs, ionosphere")
    assert "(5 tables)" in printed
    assert fsfs.verdict == "cannot be judged"
    full = {m.replace("-", "_"): 0.5 - 0.01 * i for i, m in enumerate(METHODS)}
    assert NEAR.claims(made(("sonar", "lrs"), **full))[2].verdict == "holds"
    first, categorical = CLUSTERS.claims(made(("sonar",), **full))
    assert (first.verdict, categorical.verdict) == ("does not hold", "holds")
    assert CLUSTERS.claims(made(("sonar",), **full | {"mcfs": 0.9}))[0].verdict == "holds"


def test_the_robot_table_is_made_of_two_and_not_judged():
    cells = [cell for cell in NEAR.cells(False) if cell.key.startswith("robot-")]
    assert {cell.tables for cell in cells} == {("robot_lp1", "robot_lp2")}
    figures = [
        *NEAR.figures(made(("robot",), rspfs=0.4)),
        *CLUSTERS.figures(made(("robot",), mcfs=0.4)),
    ]
    assert len(figures) == 4
    assert all(figure.reproduced is None and figure.paper is not None for figure in figures)


def test_without_results_nothing_is_judged_and_nothing_fails():
    for protocol in PROTOCOLS:
        assert not protocol.figures({})
        assert not protocol.drawings({})
        assert not protocol.limits({})
        judged = [claim for claim in protocol.claims({}) if claim.verdict != "cannot be judged"]
        assert all("categorical" in claim.text for claim in judged)


def test_cells_travel_to_other_processes_and_quick_ones_are_few():
    for protocol, count in zip(PROTOCOLS, (7, 63, 56, 1, 56, 49, 35), strict=True):
        cells = protocol.cells(False)
        assert len({cell.key for cell in cells}) == len(cells) == count
        assert {name for cell in cells for name in cell.tables} == set(protocol.tables)
        assert {cell.key for cell in protocol.cells(True)} <= {cell.key for cell in cells}
        assert pickle.loads(pickle.dumps(cells[0].compute))
