import numpy as np
import pytest
from sklearn.datasets import load_wine

from tamis_papers.laboratory.protocol import Table
from tamis_papers.protocols.preservation import choose_sets, compare_neighbours, cut_columns
from tamis_papers.protocols.preservation_bins import (
    BINS_PROTOCOL,
    count_root_bins,
    measure_with_root_bins,
)
from tamis_papers.protocols.preservation_printed import NEIGHBOURS, printed_jaccard, printed_rand


@pytest.mark.parametrize(("rows", "bins"), [(80, 4), (208, 5), (1000, 10), (4601, 16), (3, 2)])
def test_the_number_of_bins_is_the_cube_root_of_the_rows(rows, bins):
    assert count_root_bins(rows) == bins


def test_all_but_the_number_of_bins_is_as_in_the_other_experiments():
    X = load_wine().data
    found = measure_with_root_bins(Table("wine", X), method="naive-fs", figures=("jaccard",))
    codes = cut_columns(X, 5)
    assert found["bins"] == 5 == len(np.unique(codes))
    expected = compare_neighbours(codes, choose_sets(codes, "naive-fs"), NEIGHBOURS)
    assert found["jaccard"] == {str(k): curve for k, curve in expected.items()}
    assert len(found["rand"]) == 1


def test_averages_near_the_print_are_counted_by_table_and_judged_nowhere():
    jaccard = {str(k): [printed_jaccard("sonar")["fsfs", k] + 0.05 * (k > 3)] for k in NEIGHBOURS}
    off = {**jaccard, "3": [0.9]}
    results = {
        "sonar-fsfs": {"bins": 5, "rand": [[0.5]], "jaccard": off},
        "sonar-mcfs": {"bins": 5, "rand": [[printed_rand("sonar")["mcfs"]]]},
    }
    near, rand = BINS_PROTOCOL.figures(results)
    assert (near.ours, near.name.split()[-1], near.method) == (2, "3", "5 bins")
    assert (rand.ours, rand.name.split()[-1]) == (1, "1")
    assert near.reproduced is None
    assert "2 of 3 Jaccard and 1 of 1 Rand" in BINS_PROTOCOL.limits(results)[0]
    assert BINS_PROTOCOL.claims(results) == ()
