"""One read of a table gives what three reads of it give, digit by digit."""

from collections import Counter
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import tamis
from tamis.columns import tally
from tamis.errors import TamisError
from tamis.registry.missing_policy import MissingPolicy
from tamis.run import front
from tamis.sources import arrow, parquet
from tamis.sources.open import open_source
from tamis.statistics import speculative
from tamis.statistics.read_blocks import collect_blocks
from tamis.statistics.speculative import SpeculativeSums

ROWS, SMALL = 700, 64


def _measured(rows: int = ROWS, width: int = 6, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, width)) + rng.normal(size=(rows, width))
    return {f"m{j}": X[:, j] for j in range(width)}


def _with(**more: object) -> dict[str, object]:
    return {**_measured(), **more}


def _gap(at: int) -> np.ndarray:
    column = np.random.default_rng(5).normal(size=ROWS)
    column[at] = np.nan
    return column


RNG = np.random.default_rng(9)
WALK = {f"w{j}": column for j, column in enumerate(RNG.normal(size=(5, ROWS)).cumsum(axis=1))}
MARKED = np.where(np.arange(ROWS) % 7 == 0, -999.0, RNG.normal(size=ROWS))
HEAVY_ROW = np.where(np.arange(ROWS) == 650, 60.0, RNG.normal(size=ROWS))
# A table, and how many times it is read from its first to its last row: missing values take one
# pass for the means to fill with.
TABLES = {
    "measurements": (_measured(), 1),
    "successive rows": (WALK, 1),
    "a constant": (_with(same=np.full(ROWS, 2.5)), 1),
    "codes": (_with(grade=RNG.integers(1, 6, ROWS).astype(float)), 1),
    "counts": (_with(visits=RNG.poisson(3.0, ROWS)), 1),
    "an identifier": (_with(id=np.arange(ROWS) + 1000), 1),
    "names of rows": (_with(code=[f"p{i}" for i in range(ROWS)]), 1),
    "small and large": (
        _with(tiny=RNG.normal(size=ROWS) * 1e-9, far=1e9 + RNG.normal(size=ROWS)),
        1,
    ),
    "heavy tails": (_with(tail=RNG.standard_cauchy(ROWS)), 2),
    "an extreme value at the end": (_with(late=np.append(RNG.normal(size=ROWS - 1), 1e6)), 2),
    "a heavy row": (dict.fromkeys("abc", HEAVY_ROW) | _measured(), 2),
    "a gap at first": (_with(gap=_gap(3)), 3),
    "a gap at the end": (_with(gap=_gap(ROWS - 2)), 3),
    "marks for missing values": (_with(marked=MARKED), 4),
    "categories": (_with(town=RNG.choice(["ulm", "bonn", "kiel"], ROWS)), 3),
    "what is no identifier at first": (
        _with(ref=np.append(np.arange(600) + 7.0, RNG.normal(size=100))),
        3,
    ),
    "more columns than rows": (_measured(rows=40, width=60), 3),
}


@contextmanager
def _without_sums(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(front, "plan_sums", lambda *_: None)
        yield


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    monkeypatch.setattr(speculative, "LEAST_CELLS", 1)


@pytest.fixture
def reads(monkeypatch):
    """How often the rows of a file were asked for, all but the first of them."""
    found = Counter()
    plain = parquet.ParquetSource._group

    def read(self, file, i, columns, rows):
        yield from plain(self, file, i, columns, rows)
        found["whole"] += i + 1 == file.metadata.num_row_groups

    monkeypatch.setattr(parquet.ParquetSource, "_group", read)
    return found


def _set_batches(monkeypatch, rows: int) -> None:
    monkeypatch.setattr(tally, "_GATHERED_CELLS", 8 * rows)
    for module in (arrow, speculative, tamis.memory):
        for name in ("batch_rows", "batch_bytes"):
            if hasattr(module, name):
                size = rows if name == "batch_rows" else 1 << 25
                monkeypatch.setattr(module, name, lambda *_, size=size: size)


def _answer(path, **asked):
    found = tamis.select(path, 4, **asked)
    known = found.to_dict()
    for varying in ("seconds", "command", "call"):
        known.pop(varying, None)
    return known, found.retained, repr(found.held_out) if asked.get("held_out") else ""


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("rows", [SMALL, 150, 5_000])
def test_what_is_summed_up_in_the_first_read_is_what_later_reads_find(
    tmp_path, monkeypatch, reads, name, rows
):
    columns, passes = TABLES[name]
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=200)
    _set_batches(monkeypatch, rows)
    found, times = _answer(path), reads["whole"]
    with _without_sums(monkeypatch):
        plain = _answer(path)
    assert found == plain
    # Batches of more rows may end with the table where only its first rows are asked for.
    assert times == passes if rows == SMALL else times >= 1


@pytest.mark.parametrize("asked", [{"method": "sfs"}, {"method": "sfs", "held_out": True}])
def test_named_methods_read_a_file_once(tmp_path, monkeypatch, reads, asked):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(_measured()), path, row_group_size=200)
    _set_batches(monkeypatch, SMALL)
    found, times = _answer(path, **asked), reads["whole"]
    with _without_sums(monkeypatch):
        plain = _answer(path, **asked)
    assert found == plain
    assert times == 1
    assert reads["whole"] == 3


def test_a_text_file_is_summed_up_in_its_first_read(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    pyarrow.csv.write_csv(pa.table(_measured()), path)
    found = _answer(path)
    with _without_sums(monkeypatch):
        assert found == _answer(path)


def test_files_under_each_other_are_read_once(tmp_path, monkeypatch, reads):
    for i in range(3):
        pq.write_table(pa.table(_measured(seed=i)), tmp_path / f"{i}.parquet")
    found, times = _answer(tmp_path), reads["whole"]
    with _without_sums(monkeypatch):
        assert found == _answer(tmp_path)
    assert times <= 6  # three files, and the first rows of each once more


def test_infinite_values_are_refused_as_before(tmp_path):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(_with(odd=np.append(_gap(0)[1:], np.inf))), path)
    with pytest.raises(TamisError, match="infinite"):
        tamis.select(path, 2, missing="error")


def _sum_up(path, **wanted) -> tuple[SpeculativeSums, list[int]]:
    source = open_source(path)
    every = list(range(len(source.names)))
    sums = SpeculativeSums(source, every, MissingPolicy.AUTO, **wanted)
    for table in source.tables(every, mark_missing=True):
        sums.add(table)
    return sums, every


def test_sums_are_given_once_and_only_of_the_columns_summed_up(tmp_path):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(_measured()), path)
    source = open_source(path)
    sums, every = _sum_up(path, blocks=True)
    assert sums.take(source, every[:-1]) is None
    sums, every = _sum_up(path, blocks=True)
    found = sums.take(source, every)
    assert sums.take(source, every) is None
    first = found.take_rows(blocks=True)
    assert found.take_rows(blocks=False) is None
    summary = collect_blocks(source, every, scale=True, first=first)
    again = collect_blocks(source, every, scale=True, missing=MissingPolicy.ERROR)
    assert (summary.gram.matrix == again.gram.matrix).all()


def test_no_sums_are_made_beyond_their_room(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(_measured()), path)
    monkeypatch.setattr(speculative, "get_budget", lambda: 8 * 8 * 20 * 6**2 - 8)
    assert _sum_up(path, blocks=True)[0].take(open_source(path), list(range(6))) is None
    assert _sum_up(path, blocks=False)[0].take(open_source(path), list(range(6))) is not None


def test_the_first_missing_value_ends_the_sums_and_not_the_sample(tmp_path):
    path = tmp_path / "table.parquet"
    pq.write_table(pa.table(_with(gap=_gap(500))), path)
    source, every = open_source(path), list(range(7))
    found = _sum_up(path, blocks=True, outliers="auto")[0].take(source, every)
    assert found.rows is None
    assert found.seen.n_rows == ROWS
    assert _sum_up(path, blocks=True)[0].take(source, every) is None
