"""Dask arrays and frames: the answers of the table in memory, one and two workers, one killed."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
from tests.engines import keep_rows_in_parts

import tamis
from tamis import registry
from tamis.sources.dask import DaskSource

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
pandas = pytest.importorskip("pandas")

LINEAR = [method.id for method in registry.methods("selection") if method.needs == "gram"]


@pytest.fixture
def frame(numbers):
    frame = pandas.DataFrame(numbers, columns=list("abcdefg"))
    frame["even"] = frame["a"] > 0
    frame["text"] = ["one", "two", "three"] * 20
    return frame


@pytest.fixture
def table(numbers):
    rng = np.random.default_rng(0)
    return np.column_stack([numbers, numbers @ rng.normal(size=(7, 9)) + rng.normal(size=(60, 9))])


def _sfs(data, **asked):
    return tamis.select(data, method="sfs", **asked)


def test_a_frame_with_text_gets_the_method_that_suits_it(frame):
    parts = dd.from_pandas(frame, npartitions=3)
    found, expected = (tamis.select(data, k=3) for data in (parts, frame))
    assert found.request.method.id == expected.request.method.id == "forward"
    assert found.names == expected.names


def test_the_index_of_a_frame_is_no_column(frame):
    named = frame.set_axis([f"row {i:02}" for i in range(60)])
    parts = dd.from_pandas(named, npartitions=3)
    assert tamis.select(parts, k=3).names == tamis.select(frame, k=3).names


def test_an_array_in_chunks_gives_the_answer_of_the_array(table):
    for chunks in ((60, 16), (7, 5), (1, 16)):
        found = tamis.select(da.from_array(table, chunks=chunks), k=5)
        assert found.names == tamis.select(table, k=5).names


def test_a_frame_gives_the_answer_of_the_frame_in_memory(frame):
    parts = dd.from_pandas(frame, npartitions=4)
    found, expected = (_sfs(data, k=3, exclude=["c"]) for data in (parts, frame))
    assert found.names == expected.names
    assert found.skipped == expected.skipped
    assert found.summary.n_rows == 60


@pytest.mark.parametrize("method", ["greedy-fs", "laplacian"])
def test_methods_on_rows_read_the_parts_one_after_the_other(frame, method):
    parts = dd.from_pandas(frame, npartitions=3)
    found, expected = (tamis.select(data, k=3, method=method) for data in (parts, frame))
    assert found.names == expected.names


def test_more_columns_than_rows_are_read_as_rows(numbers):
    wide = numbers[:5]
    found = tamis.select(da.from_array(wide, chunks=(2, 7)), k=3)
    assert found.summary.gram.form == tamis.select(wide, k=3).summary.gram.form
    assert found.names == tamis.select(wide, k=3).names


def test_transform_computes_nothing_and_keeps_the_columns(frame):
    parts = dd.from_pandas(frame, npartitions=3)
    found = _sfs(parts, k=2)
    kept = found.transform(parts)
    assert isinstance(kept, dd.DataFrame)
    made = kept.compute()
    assert list(made) == ["text", *found.names]  # text is not judged, and stays
    pandas.testing.assert_frame_equal(made[found.names], frame[found.names])
    array = da.from_array(frame[list("abcdefg")].to_numpy(), chunks=(20, 7))
    assert tamis.select(array, k=2).transform(array).shape == (60, 2)


def test_a_summary_of_a_frame_is_saved(frame, tmp_path):
    tamis.summarise(dd.from_pandas(frame, npartitions=3)).save(tmp_path / "a.tamis")
    assert tamis.select(tmp_path / "a.tamis", k=3).names == _sfs(frame, k=3).names


def test_what_is_no_table_is_refused(frame, numbers):
    parts = dd.from_pandas(frame, npartitions=3)
    with pytest.raises(tamis.TamisError, match="Unsupported type Series of Dask"):
        tamis.select(parts["a"], k=2)
    with pytest.raises(tamis.TamisError, match="has the shape"):
        tamis.select(da.from_array(numbers[:, 0]), k=2)
    with pytest.raises(tamis.TamisError, match=r"shape \(4, 5, 6\): .* 20 rows of 6 columns"):
        tamis.select(da.zeros((4, 5, 6)), k=2)


def test_a_package_that_workers_lack_is_named(frame):
    def lost(_):
        raise ModuleNotFoundError("No module named 'tamis'")

    parts = dd.from_pandas(frame, npartitions=3).map_partitions(lost, meta=frame[:0])
    with pytest.raises(tamis.TamisError, match="workers of Dask have no package 'tamis'"):
        _sfs(parts, k=2)


@pytest.fixture
def mixed(table):
    frame = pandas.DataFrame(table, columns=[f"c{j}" for j in range(16)])
    return frame.assign(text=["one", "two", "three"] * 20)


def check_workers(table, mixed):
    """All linear methods on a summary that was made by the workers, and the default on parts."""
    summary = tamis.summarise(da.from_array(table, chunks=(9, 16)))
    for method in LINEAR:
        expected = tamis.select(table, k=5, method=method).names
        assert tamis.select(summary, k=5, method=method).names == expected, method
    with pytest.MonkeyPatch.context() as patch:
        keep_rows_in_parts(patch)
        patch.setattr(DaskSource, "_compute_partitions", None)  # no rows come home
        apart = tamis.select(dd.from_pandas(mixed, npartitions=4), k=5)
        here = tamis.select(mixed, k=5)
    assert apart.names == here.names
    assert apart.held_out == pytest.approx(here.held_out, rel=1e-9)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_workers_give_the_picks_in_memory(cluster, table, mixed):
    with cluster.as_current():
        check_workers(table, mixed)


def part_of(X, number, folder):
    """Give a part of the table; the first worker to take part 3 is killed."""
    mark = Path(folder) / "killed"
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return X


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_one_process_two_and_a_killed_one_give_the_picks_in_memory(table, mixed, tmp_path):
    distributed = pytest.importorskip("distributed")
    settings = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    with (
        dask.config.set({"distributed.worker.daemon": False}),
        distributed.LocalCluster(processes=True, **settings) as workers,
        distributed.Client(workers) as client,
    ):
        for count in (1, 2):
            workers.scale(count)
            client.wait_for_workers(count, timeout=60)
            check_workers(table, mixed)
        parts = [
            da.from_delayed(dask.delayed(part_of)(X, i, str(tmp_path)), X.shape, X.dtype)
            for i, X in enumerate(np.array_split(table, 6))
        ]
        expected = tamis.select(table, k=5, method="sfs").names
        assert tamis.select(da.concatenate(parts), k=5).names == expected
        assert (tmp_path / "killed").exists()


@pytest.mark.parametrize("ask", [tamis.select, tamis.summarise], ids=["select", "summarise"])
def test_a_part_with_text_among_numbers_is_refused_by_the_name_of_the_column(ask):
    pandas = pytest.importorskip("pandas")
    dask = pytest.importorskip("dask")
    frames = pytest.importorskip("dask.dataframe")

    def make(number):
        values = list("xyzuv") if number == 2 else range(5)
        return pandas.DataFrame({"a": np.arange(5.0) + number, "b": values})

    parts = [dask.delayed(make)(number) for number in range(3)]
    frame = frames.from_delayed(parts, meta=make(0), verify_meta=False)
    with pytest.raises(tamis.TamisError, match=r"Column 'b' .* partition 2 .*exclude=\[\"b\"\]"):
        ask(frame)


def test_a_part_that_cannot_be_computed_is_one_sentence():
    dask = pytest.importorskip("dask")
    arrays = pytest.importorskip("dask.array")

    def fail():
        raise OSError("the disk is gone")

    array = arrays.from_delayed(dask.delayed(fail)(), shape=(9, 3), dtype=float)
    for method in ("sfs", "laplacian"):
        with pytest.raises(tamis.TamisError, match=r"^Dask cannot compute .*the disk is gone"):
            tamis.select(array, 1, method=method)
