import csv
import json

import numpy as np
import pytest
from papers.tests.shared import find_shared

from tamis_papers.laboratory.order import order_columns
from tamis_papers.laboratory.protocol import Table
from tamis_papers.protocols.artificial import count_lost_dimensions, generate_table
from tamis_papers.protocols.yen import PROTOCOLS
from tamis_papers.protocols.yen_curves import BESIDE, key_of
from tamis_papers.protocols.yen_curves import PRINTED as PRINTED_4
from tamis_papers.protocols.yen_methods import OPTIONS
from tamis_papers.protocols.yen_table_2 import PRINTED as PRINTED_2
from tamis_papers.protocols.yen_table_2 import UNCENTRED, count_lost
from tamis_papers.protocols.yen_table_4 import measure_curve

IDS = {
    "without_updating": "ufs-static",
    "with_updating": "ufs",
    "pca_based": "principal-variables",
    "clustering_based": "condensing",
}
TABLE_2, TABLE_4, COST = PROTOCOLS
X_GRID = [0.0, 0.25, 0.5, 0.75]


def expected(name):
    with find_shared(f"expected/{name}").open() as file:
        return list(csv.DictReader(file))


def test_table_2_is_quoted_without_error():
    for row in expected("seed000_table2_artificial.csv"):
        quoted = PRINTED_2[IDS[row["method"]]]
        assert [int(row[f"run{i}"]) for i in range(1, 11)] == list(quoted)
        assert float(row["avg"]) == pytest.approx(np.mean(quoted))


def test_table_4_is_quoted_without_error():
    for row in expected("seed000_table4_pfr_aca.csv"):
        pfr, aca = PRINTED_4[row["dataset"].lower()][IDS[row["method"]]]
        for place, tolerance in enumerate(("0.01", "0.02", "0.03", "0.04")):
            assert float(row[f"pfr_percent_{tolerance}"]) == pfr[place]
            assert float(row[f"aca_{tolerance}"]) == aca[place]


def test_cells_have_keys_of_their_own_and_gisette_is_among_them():
    for protocol in PROTOCOLS:
        for quick in (True, False):
            keys = [cell.key for cell in protocol.cells(quick)]
            assert len(set(keys)) == len(keys) > 0
    named = {name for cell in TABLE_4.cells(False) for name in cell.tables}
    assert named == {"arcene", "gisette", "arrhythmia"} == set(TABLE_4.tables)
    assert len(TABLE_2.cells(False)) == 50
    beside = [cell for cell in TABLE_4.cells(False) if cell.key.split("/")[1] in BESIDE]
    assert {cell.tables for cell in beside} == {("arcene",)}
    assert len(beside) == 12


def test_a_run_of_table_2_is_the_loss_of_the_registered_method():
    made = generate_table(3, n_samples=40, n_base=30, n_derived=30, n_groups=4, derived="cuts")
    for method, options in {
        "ufs-static": {"collision": "skip", "random_state": 3},
        "condensing": {"linkage": "single"},
    }.items():
        kept = order_columns(made.X, method, k=30, options=options)
        found = count_lost(method=method, seed=3, sizes=(40, 30, 30, 4))
        assert found == {"lost": count_lost_dimensions(made, kept)}


def test_the_uncentred_row_is_principal_variables_on_sums_of_products():
    made = generate_table(3, n_samples=40, n_base=30, n_derived=30, n_groups=4, derived="cuts")
    left = made.X / np.linalg.norm(made.X, axis=0)
    kept = []
    for _ in range(30):
        scores = np.square(left.T @ left).sum(axis=0)
        scores[kept] = 0
        kept.append(int(scores.argmax()))
        one = left[:, kept[-1]] / np.linalg.norm(left[:, kept[-1]])
        left = left - np.outer(one, one @ left)
    found = count_lost(method=UNCENTRED, seed=3, sizes=(40, 30, 30, 4))
    assert found == {"lost": count_lost_dimensions(made, kept)}
    results = {f"{UNCENTRED}/{seed}": {"lost": lost} for seed, lost in enumerate([0, 1])}
    (figure,) = TABLE_2.figures(results)
    assert (figure.ours, figure.paper, figure.reproduced) == (0.5, 0, None)
    both = {**results, "principal-variables/0": {"lost": 1}, "ufs/0": {"lost": 0}}
    assert "principal variables loses 0.5, 1 at most." in TABLE_2.claims(both)[0].reason


def test_one_table_of_the_paper_separates_good_methods_from_bad_ones():
    runs = {method: count_lost(method=method, seed=0)["lost"] for method in IDS.values()}
    assert runs["ufs"] == 0
    assert runs["principal-variables"] <= 1
    assert min(runs["ufs-static"], runs["condensing"]) > 50


def table_2_results(without, updating, variables, clustering):
    lists = {
        "ufs-static": without,
        "ufs": updating,
        "principal-variables": variables,
        "condensing": clustering,
    }
    return {f"{method}/{seed}": {"lost": n} for method, runs in lists.items() for seed, n in runs}


def test_averages_of_table_2_stand_beside_the_printed_ones():
    results = table_2_results([(0, 100), (4, 120)], [(0, 0)], [(0, 1)], [(1, 90)])
    static, updated, variables, _ = TABLE_2.figures(results)
    assert (static.ours, static.paper, static.runs) == (110, pytest.approx(111.8), 2)
    assert static.spread == pytest.approx(np.std([100, 120], ddof=1))
    assert static.reproduced
    assert updated.spread is None
    assert variables.reproduced
    verdicts = [claim.verdict for claim in TABLE_2.claims(results)]
    assert verdicts == ["holds", "holds"]
    assert TABLE_2.drawings(results)[0].series[0].y == [100, 120]


def test_without_results_nothing_is_judged():
    for protocol in PROTOCOLS:
        assert not protocol.figures({})
        assert not protocol.drawings({})
        assert {claim.verdict for claim in protocol.claims({})} == {"cannot be judged"}
        assert protocol.limits({})


def table_4_results(table="arrhythmia", **falls):
    """Curves that leave the band for good at one share, for each of two seeds."""
    results = {}
    for method, shares in falls.items():
        for seed, share in enumerate(shares):
            auc = [0.9 if x <= share else 0.5 for x in X_GRID]
            results[key_of(table, method.replace("_", "-"), seed)] = {
                "removed": X_GRID,
                "auc": auc,
            }
    return results


def test_pfr_is_judged_by_its_deviation_over_fold_seeds():
    results = table_4_results(ufs=[0.25, 0.75])
    figures = TABLE_4.figures(results)
    first = next(figure for figure in figures if figure.name == "PFR, % at 0.01")
    assert (first.ours, first.paper, first.runs) == (50, 49, 2)
    assert first.spread == first.tolerance == pytest.approx(35.355, abs=1e-3)
    assert next(f for f in figures if f.name == "ACA at 0.01").reproduced is None
    course, reached = TABLE_4.drawings(results)
    assert course.series[0].spread[2] == pytest.approx(np.std([0.5, 0.9], ddof=1))
    assert reached.series[0].paper == [(0.01, 49), (0.02, 70), (0.03, 76), (0.04, 79)]


@pytest.mark.parametrize(
    ("updating", "verdict"),
    [([0.75, 0.75], "holds"), ([0.25, 0.75], "cannot be judged"), ([0, 0], "does not hold")],
)
def test_a_lead_must_exceed_what_the_folds_vary_it_by(updating, verdict):
    others = {"principal_variables": [0.25, 0.25], "condensing": [0.25, 0.25]}
    results = table_4_results(ufs=updating, ufs_static=[0.25, 0.25], **others)
    claims = TABLE_4.claims(results)
    assert len({claim.text for claim in claims}) == len(claims) == 5  # each once
    assert claims[0].verdict == verdict
    assert "arcene was not run" in claims[0].reason
    assert claims[4].verdict == "cannot be judged"  # it speaks of the two other tables
    assert "arrhythmia" not in claims[4].reason


def test_a_table_without_an_order_decides_nothing():
    others = {m: [0.25, 0.25] for m in ("ufs_static", "principal_variables", "condensing")}
    results = table_4_results("arcene", ufs=[0.75, 0.75], **others)
    claims = TABLE_4.claims(results)
    assert {claim.verdict for claim in claims} == {"cannot be judged"}
    assert all("defines no order" in claim.reason for claim in claims)


def test_the_print_is_heard_before_a_claim_is_refuted():
    # Principal variables changes least in the print, too: the table cannot refute the claim.
    results = table_4_results(
        ufs=[0.25, 0.25],
        ufs_static=[0.5, 0.5],
        principal_variables=[0.75, 0.75],
        condensing=[0.5, 0.5],
    )
    removed, changed, green, _, _ = TABLE_4.claims(results)
    assert removed.verdict == "does not hold"
    assert "itself does not have it" not in removed.reason
    assert changed.verdict == "cannot be judged"
    assert "itself does not have it on arrhythmia." in changed.reason
    assert "itself does not have it on arcene, arrhythmia." in green.reason


@pytest.mark.parametrize(
    ("static", "clustering", "verdict"),
    [(0.02, 0.03, "holds"), (0.03, 0.02, "does not hold"), (0.05, 0.06, "does not hold")],
)
def test_drops_are_compared_with_those_of_clustering_up_to_95_percent(static, clustering, verdict):
    results = {}
    falls = {"ufs-static": static, "condensing": clustering, "ufs": 0.0, "principal-variables": 0.0}
    for method, fall in falls.items():
        auc = [0.9, 0.9 - fall, 0.9 - fall, 0.1]  # the last fall is at 99%
        cell = {"removed": [0.0, 0.5, 0.95, 0.99], "auc": auc}
        results |= {key_of("arrhythmia", method, seed): cell for seed in (0, 1)}
    claim = TABLE_4.claims(results)[3]
    assert claim.verdict == verdict
    assert f"{static:.3f} for ufs-static (from 0% to 50% removed)" in claim.reason


def test_orders_beside_stand_by_the_printed_figures_and_are_not_judged():
    results = table_4_results("arcene", **{"random order": [0.5, 0.5]})
    figures = TABLE_4.figures(results)
    assert [f.paper for f in figures if f.name.startswith("PFR, % at")] == [60, 75, 79, 84]
    assert all(figure.reproduced is None for figure in figures)
    assert "PFR 50 50 50 50, where 60 75 79 84" in " ".join(TABLE_4.limits(results))


def test_claims_compare_only_fold_seeds_that_all_methods_have():
    every = {"ufs_static": [0.25, 0.25], "principal_variables": [0.25, 0.25, 0.75]}
    results = table_4_results(ufs=[0.75, 0.75, 0], condensing=[0.25, 0.25], **every)
    assert TABLE_4.claims(results)[0].verdict == "holds"


def test_a_cell_of_table_4_is_plain_and_takes_the_two_labels():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 6))
    X[::7, 2] = np.nan
    labels = np.where(X[:, 0] > 0, "normal", "abnormal")
    table = Table("arrhythmia", X, np.arange(40), {"y_binary": labels})
    found = measure_curve(table, method="ufs", seed=1, n_folds=2, fractions=[0, 0.5])
    assert json.loads(json.dumps(found)) == found
    assert found["auc"][0] > 0.9
    assert OPTIONS == {"condensing": {"linkage": "single"}}
