"""What a selection would take: from the shape of the table and the speed of the machine."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse
from click.testing import CliRunner

from tamis.api.select import estimate
from tamis.cli.select import select
from tamis.errors import TamisError
from tamis.run.estimate import MachineSpeed, TableShape, estimate_cost, measure_shape
from tamis.sources.arrays import ArraySource
from tamis.sources.open import open_source

MACHINE = MachineSpeed(product=2.4e-11, scan=3e-10, sort=4.4e-8)
SHAPE = TableShape(rows=20_000, columns=100, stored=2e6, read_seconds=0.1)


def test_the_estimate_of_a_measured_table_is_what_it_took():
    # 2.2 s and 335 MB on the machine where the products took as long as `MACHINE` says.
    cost = estimate_cost(SHAPE, 20, MACHINE)
    assert 1.1 < cost.seconds < 4.4
    assert 0.17e9 < cost.peak < 0.67e9


@pytest.mark.parametrize(
    "shape",
    [SHAPE, replace(SHAPE, rows=50), replace(SHAPE, rows=10**5, columns=30_000, sparse=True)],
)
def test_more_rows_columns_or_picks_never_cost_less(shape):
    least = estimate_cost(shape, 20, MACHINE)
    more_rows = replace(shape, rows=int(1.5 * shape.rows), stored=1.5 * shape.stored)
    for other, k in ((more_rows, 20), (replace(shape, columns=shape.columns * 2), 20), (shape, 90)):
        cost = estimate_cost(other, k, MACHINE)
        assert cost.seconds >= least.seconds
        assert cost.peak >= least.peak


def test_a_slower_machine_takes_longer_and_no_more_memory():
    slow = MachineSpeed(*(10 * one for one in (MACHINE.product, MACHINE.scan, MACHINE.sort)))
    fast_cost, slow_cost = (estimate_cost(SHAPE, 5, one) for one in (MACHINE, slow))
    assert slow_cost.seconds > 5 * fast_cost.seconds
    assert slow_cost.peak == fast_cost.peak


def test_the_shape_of_a_short_table_is_known_exactly():
    X = scipy.sparse.csr_array(np.eye(7))
    shape = measure_shape(ArraySource(X))
    assert (shape.rows, shape.columns, shape.stored) == (7, 7, 7)
    assert shape.sparse
    assert shape.exact


def test_the_rows_of_a_long_text_file_are_estimated_from_its_first_ones(tmp_path, monkeypatch):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1.25,2.5\n" * 400_000)
    monkeypatch.setattr("tamis.run.estimate._GLANCE_BATCHES", 1)
    shape = measure_shape(open_source(path))
    assert 200_000 < shape.rows < 800_000


def test_the_command_says_it_and_selects_nothing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n" + "".join(f"{i},{i * i},{i % 7}\n" for i in range(60)))
    found = CliRunner().invoke(select, [str(path), "-k", "2", "--estimate"], obj=[])
    assert found.exit_code == 0
    assert "To keep 2 of 3 columns of numbers, 60 rows" in found.output


def test_what_cannot_be_estimated_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n2,1\n")
    with pytest.raises(TamisError, match="estimates are for forward and sfs"):
        estimate(path, 1, "pfs")
    with pytest.raises(TamisError, match="needs a number of columns"):
        estimate(path, "auto")


@pytest.mark.parametrize(("k", "seconds"), [(50, 400.0), (300, 1284.0)])
def test_the_estimate_of_a_cell_atlas_is_what_it_took_within_a_factor_of_two(k, seconds):
    # docs/scale.md: 38,237 x 32,285 counts, 7% not 0; 2.6 GB at the peak.
    atlas = TableShape(38_237, 32_285, stored=83.4e6, read_seconds=1.8, sparse=True)
    cost = estimate_cost(atlas, k, MACHINE)
    assert seconds / 2 < cost.seconds < 2 * seconds
    assert 1.3e9 < cost.peak < 5.2e9
