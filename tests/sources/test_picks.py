"""The same picks from the table in memory, from streams, engines, merged summaries and SQL."""

import pyarrow as pa
import pytest
from tests.engines import (
    LOST,
    NUMBERS,
    PICKS,
    CountsPasses,
    FrameInParts,
    GivesParts,
    LostWorkers,
    give_picks,
    keep_rows_in_parts,
    make_picks_frame,
)

import tamis
from tamis import registry
from tamis.sources.dask import DaskSource

dd = pytest.importorskip("dask.dataframe")
pandas = pytest.importorskip("pandas")


def check_picks(data, here, asked):
    names, retained = give_picks(data, asked)
    expected, explained = give_picks(here, asked)
    assert names == expected
    assert retained == pytest.approx(explained, rel=1e-9)


@pytest.mark.parametrize("statistic", PICKS)
def test_streams_and_engines_give_the_picks_in_memory(statistic, monkeypatch):
    frame, asked = make_picks_frame(), PICKS[statistic][0]
    table = pa.Table.from_pandas(frame, preserve_index=False)
    check_picks(lambda: table.to_reader(max_chunksize=37), frame, asked)
    keep_rows_in_parts(monkeypatch)
    monkeypatch.setattr(DaskSource, "_compute_partitions", None)  # no rows come home
    check_picks(GivesParts(FrameInParts(frame, [0, 130, 131])), frame, asked)
    check_picks(dd.from_pandas(frame, npartitions=4), frame, asked)


ON_WORKERS = [
    method.id
    for method in registry.methods("selection")
    if method.needs in ("gram", "response", "information", "class counts")
]


@pytest.mark.slow
@pytest.mark.parametrize("method", ON_WORKERS)
def test_no_method_on_sums_or_counts_brings_rows_home(method, monkeypatch):
    keep_rows_in_parts(monkeypatch)
    frame, asked = make_picks_frame(), {"method": method, "k": 3}
    if registry.get(method).supervised:
        asked["y"] = "class"
    check_picks(GivesParts(FrameInParts(frame, [0, 130, 131])), frame, asked)


# What is read of the table of eight columns, one with gaps: each pass with its columns.
PASSES = {
    "target among the columns that are judged": (
        {"method": "information-gain", "y": "class", "k": 2},
        [("ColumnCounts", 8), ("FirstPass", 8)],
    ),
    "gaps in sums": (
        {"method": "sfs", "columns": NUMBERS, "k": 3},
        [("ColumnCounts", 6), ("GramRows", 6)],
    ),
    "gaps in blocks": (
        {"k": 4},
        [
            ("ColumnCounts", 8),
            ("ColumnsSeen", 8),
            ("HeldRows", 8),
            ("HeldRows", 8),
        ],
    ),
    "gaps beside a response": (
        {"method": "forward-regression", "y": "class", "k": 3},
        [
            ("ColumnCounts", 8),
            ("ResponsesSeen", 2),  # the text, and the labels
            ("HeldRows", 8),
            ("HeldRows", 8),
        ],
    ),
    "gaps that are expected": (
        {"method": "sfs", "columns": NUMBERS, "k": 3, "missing": "mean"},
        [("ColumnCounts", 6), ("means", 6), ("GramRows", 6)],
    ),
    "labels that are only shown": (
        {"y": "class", "k": 3, "missing": "drop"},
        [
            ("ColumnCounts", 8),
            ("ColumnsSeen", 7),
            ("HeldRows", 7),
            ("ResponsesSeen", 1),
        ],
    ),
}


@pytest.mark.parametrize("case", PASSES)
def test_no_pass_is_made_twice_for_a_target_or_for_gaps(case, monkeypatch):
    keep_rows_in_parts(monkeypatch)
    frame, (asked, passes) = make_picks_frame(), PASSES[case]
    source = CountsPasses(frame)
    check_picks(GivesParts(source), frame, asked)
    assert source.passes[: len(passes)] == passes


def test_a_frame_without_gaps_is_judged_and_summed_up_in_one_pass():
    frame = make_picks_frame()[list("acdef")]
    source = CountsPasses(frame)
    check_picks(GivesParts(source), frame, {"method": "sfs", "k": 3})
    assert source.passes == [("ColumnCounts", 5)]


@pytest.fixture
def in_parts(monkeypatch):
    """Give a function that makes a frame of Dask; the worker that takes a part may be lost."""
    import dask

    keep_rows_in_parts(monkeypatch)
    monkeypatch.setattr(DaskSource, "_compute_partitions", None)  # no rows come home

    def make(frame, lost):
        def take(part, number, lose=lost.lose):
            lose(number)
            return part

        cuts = zip([0, 70, 71, 150, 220], [70, 71, 150, 220, 300], strict=True)
        parts = [dask.delayed(take)(frame[a:b], number) for number, (a, b) in enumerate(cuts)]
        return dd.from_delayed(parts, meta=frame[:0])

    return make


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_part_that_is_computed_anew_changes_no_pick(cluster, in_parts, tmp_path, monkeypatch):
    again = pytest.importorskip("distributed").Reschedule()
    frame, lost = make_picks_frame(), LostWorkers(tmp_path, DaskSource, monkeypatch, again)
    table = in_parts(frame, lost)
    with cluster.as_current():
        for statistic in LOST:
            asked, wanted = PICKS[statistic]
            lost.expect(wanted)
            check_picks(table, frame, asked)
            assert lost.is_lost(), (statistic, lost.passes)


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
def test_one_worker_two_and_one_that_is_killed_give_the_picks_in_memory(
    in_parts, tmp_path, monkeypatch
):
    distributed = pytest.importorskip("distributed")
    import dask

    frame, lost = make_picks_frame(), LostWorkers(tmp_path, DaskSource, monkeypatch)
    table = in_parts(frame, lost)
    settings = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    # The timer of a loss (15 s) would fall into the start after a later one and close it for good.
    patient = {f"distributed.comm.timeouts.{one}": "600s" for one in ("connect", "tcp")}
    patient["distributed.deploy.lost-worker-timeout"] = "600s"
    with (
        dask.config.set({"distributed.worker.daemon": False, **patient}),
        distributed.LocalCluster(processes=True, **settings) as workers,
        distributed.Client(workers) as client,
    ):
        check_picks(table, frame, PICKS["pairs with class"][0])
        for statistic in LOST:
            workers.scale(2)  # anew where a worker that was lost did not come back
            client.wait_for_workers(2, timeout=60)
            asked, wanted = PICKS[statistic]
            lost.expect(wanted)
            check_picks(table, frame, asked)
            assert lost.is_lost(), (statistic, lost.passes)


def cut(frame):
    return frame[:100], frame[100:101], frame[101:]


def test_merged_summaries_give_the_picks_of_the_table():
    frame = make_picks_frame().drop(columns="b")  # a gap is filled by the mean of each part
    numbers = frame[list("acdef")]
    merged = sum(tamis.summarise(part) for part in cut(numbers))
    check_picks(merged, numbers, {"method": "sfs", "k": 3})
    how = {"text": True, "blocks": True}
    merged = sum(tamis.summarise(part, **how) for part in cut(frame))
    # Blocks of rows are those of each part, and with them the shrinkage that 300 rows ask for.
    asked = {"k": 4, "options": {"outliers": "keep", "shrink": 0.3}}
    found = tamis.select(merged, k=4, options={"shrink": 0.3})
    expected = tamis.select(frame, **asked)
    assert found.names == expected.names
    assert found.retained == pytest.approx(expected.retained, rel=1e-9)


@pytest.mark.parametrize("method", ["sfs", "krzanowski"])
def test_sums_of_a_database_give_the_picks_of_the_table(method):
    duckdb = pytest.importorskip("duckdb")
    frame = make_picks_frame()
    names = list("abcdef")
    pairs = [f"covar_pop({x}, {y})" for i, x in enumerate(names) for y in names[i:]]
    means = [f"avg({x})" for x in names]
    complete = " AND ".join(f"{x} IS NOT NULL" for x in names)
    query = f"SELECT count(*), {', '.join([*means, *pairs])} FROM frame WHERE {complete}"
    n, *sums = duckdb.sql(query).fetchall()[0]
    made = tamis.summary(sums[6:], n=n, names=names, means=sums[:6])
    check_picks(made, frame[names].dropna(), {"method": method, "k": 3})
