"""Many files as one table: what they must share, and what a fault in one of them does."""

import gzip
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources.open import open_source


@pytest.fixture
def table(numbers: np.ndarray) -> pa.Table:
    return pa.table({f"x{j}": numbers[:, j] for j in range(7)})


def _parts(table: pa.Table, folder: Path, count: int = 3) -> list[Path]:
    size = table.num_rows // count
    paths = [folder / f"p{i}.parquet" for i in range(count)]
    for i, path in enumerate(paths):
        pq.write_table(table.slice(i * size, size), path, row_group_size=5)
    return paths


def _spoil(path: Path, start: int = 60, length: int = 100) -> None:
    data = bytearray(path.read_bytes())
    data[start : start + length] = b"\xff" * length
    path.write_bytes(data)


def test_text_files_of_any_packing_are_one_table(
    numbers: np.ndarray, as_text: Any, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text(as_text(numbers[:20]))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(as_text(numbers[20:]).encode()))
    (tmp_path / "c.csv").write_text("x0,x1,x2,x3,x4,x5,x6\n")  # no rows: no fault among many
    source = open_source(tmp_path)
    np.testing.assert_array_equal(np.concatenate(list(source.batches(range(7)))), numbers)
    assert source.pick([2, 0]).column_names == ["x2", "x0"]


@pytest.mark.parametrize("kind", ["npz", "feather"])
def test_archives_and_feather_files_are_one_table(
    kind: str, numbers: np.ndarray, table: pa.Table, tmp_path: Path
) -> None:
    for i in range(3):
        path = tmp_path / f"{i}.{kind}"
        if kind == "npz":
            np.savez(path, X=numbers[20 * i : 20 * i + 20].astype(("f4", "f8", "f8")[i]))
        else:
            pyarrow.feather.write_feather(table.slice(20 * i, 20), str(path), chunksize=7)
    source = open_source(tmp_path)
    assert source.n_rows == 60
    np.testing.assert_array_equal(np.concatenate(list(source.batches([3, 1]))), numbers[:, [3, 1]])
    assert source.pick([0]).schema.types == [pa.float64()]


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"a": [1.0], "c": [2.0]}, r"p1\.parquet has other columns than p0\.parquet: it lacks 'b' "
         r"and also has 'c'; give files with the same columns\."),
        ({"a": [1.0], "b": ["x"]}, r"Column 'b' holds text in p1\.parquet and numbers in "
         r"p0\.parquet: make them the same, or skip it with exclude=\[\"b\"\]\."),
    ],
)  # fmt: skip
def test_a_part_with_another_schema_is_named_with_the_difference(
    part: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"a": [1.0, 2.0], "b": [2.0, 1.0]}), tmp_path / "p0.parquet")
    pq.write_table(pa.table(part), tmp_path / "p1.parquet")
    with pytest.raises(TamisError, match=sentence):
        open_source(tmp_path)


def test_types_that_hold_each_other_are_joined(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": pa.array([1, 2], pa.int32())}), tmp_path / "p0.parquet")
    pq.write_table(pa.table({"a": [0.5, 1.5]}), tmp_path / "p1.parquet")
    assert open_source(tmp_path).pick([0])["a"].to_pylist() == [1.0, 2.0, 0.5, 1.5]


def test_an_empty_column_of_text_is_text_where_other_parts_say_so(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,t\n1,\n2,\n")
    (tmp_path / "b.csv").write_text("n,t\n1,x\n2,y\n")
    source = open_source(tmp_path)
    assert source.kinds == ("numeric", "categorical")
    assert source.pick([1])["t"].to_pylist() == ["", "", "x", "y"]


def test_folders_without_a_table_or_with_several_kinds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match=r"has no table: put files in it that end in \.csv"):
        open_source(tmp_path)
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "b.tsv").write_text("a\tb\n1\t2\n")
    with pytest.raises(TamisError, match=r"several types \(\.csv, \.tsv\): give a pattern such as"):
        open_source(tmp_path)


def test_several_files_on_the_command_line_are_one_table(
    table: pa.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tamis.cli import main

    paths = [str(path) for path in _parts(table, tmp_path)]
    main(["select", *paths, "-k", "3", "-o", str(tmp_path / "kept.csv"), "--json"])
    assert "'p0.parquet" not in capsys.readouterr().err
    kept = open_source(tmp_path / "kept.csv")
    assert list(kept.names) == tamis.select(table, 3).names
    assert len(kept.pick([0])) == 60
    with pytest.raises(SystemExit):
        main(["select", *paths, "-o", paths[1]])
    assert "it is the table to read" in capsys.readouterr().err


def test_a_damaged_row_group_is_named(table: pa.Table, tmp_path: Path) -> None:
    paths = _parts(table, tmp_path)
    _spoil(paths[1])
    expected = r"p1\.parquet, row group 1 of 4, cannot be read.*pass skip_corrupt=True to do witho"
    with pytest.raises(TamisError, match=expected):
        tamis.select(tmp_path, 3)


@pytest.mark.parametrize("method", ["sfs", "greedy-fs"])
def test_damaged_parts_are_skipped_on_request_and_listed(
    method: str, table: pa.Table, tmp_path: Path
) -> None:
    paths = _parts(table, tmp_path)
    _spoil(paths[0])
    paths[2].write_bytes(b"PAR1 and no more")
    found = tamis.select(tmp_path, 3, method=method, skip_corrupt=True)
    left = tamis.select(table.slice(5, 35), 3, method=method)
    assert (found.names, found.retained) == (left.names, pytest.approx(left.retained))
    facts = found.to_dict()
    assert facts["unread"]["sentence"] == (
        "Skipped as damaged: p2.parquet, p0.parquet (row group 1 of 4)."
    )
    assert facts["rows"] == 35
    assert "skip_corrupt=True" in facts["repeat"]["python"]
    page = found.report(tmp_path / "page.html").read_text()
    assert "Skipped as damaged: p2.parquet" in page


def test_the_output_has_the_rows_that_were_analysed(
    table: pa.Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tamis.cli import main

    (tmp_path / "parts").mkdir()
    _spoil(_parts(table, tmp_path / "parts")[1])
    out = tmp_path / "kept.parquet"
    main(["select", str(tmp_path / "parts"), "-k", "2", "-o", str(out), "--skip-corrupt"])
    assert "Skipped as damaged: p1.parquet (row group 1 of 4)." in capsys.readouterr().out
    assert pq.read_metadata(out).num_rows == 55
    main(["select", str(tmp_path / "parts"), "-k", "2", "--quiet", "--skip-corrupt"])
    seen = capsys.readouterr()
    assert seen.err == "tamis: warning: Skipped as damaged: p1.parquet (row group 1 of 4).\n"
    assert len(seen.out.splitlines()) == 2


def test_one_damaged_file_alone_is_refused_even_then(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(TamisError, match=r"t\.parquet cannot be read"):
        tamis.select(path, 3, skip_corrupt=True)
    with pytest.raises(TamisError, match=r"no file that can be read, the first: t\.parquet"):
        tamis.select([path, path], 3, skip_corrupt=True)


@pytest.mark.parametrize("kind", ["parquet", "csv", "feather", "npz"])
def test_a_file_that_changes_or_vanishes_between_passes_is_refused(
    kind: str, table_as: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tamis.statistics import mutual_information

    path = Path(table_as(kind))
    usual = mutual_information.usual_bins

    def touched(*given: Any) -> Any:
        found = usual(*given)
        os.utime(path, ns=(1, 1))
        return found

    def removed(*given: Any) -> Any:
        found = usual(*given)
        path.unlink()
        return found

    monkeypatch.setattr(mutual_information, "usual_bins", touched)
    with pytest.raises(TamisError, match=r"has changed while it was read: run again once nothing"):
        tamis.select(path, 3, method="greedy-fs")
    monkeypatch.setattr(mutual_information, "usual_bins", removed)
    with pytest.raises(TamisError, match=r"has been removed while it was read: put it back"):
        tamis.select(path, 3, method="greedy-fs")


def test_a_file_that_changes_before_the_output_is_written_is_refused(
    table_as: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from tamis.cli import main, results

    path = Path(table_as("csv"))
    usual = results.write_files

    def touched(*given: Any) -> Any:
        os.utime(path, ns=(1, 1))
        return usual(*given)

    monkeypatch.setattr(results, "write_files", touched)
    with pytest.raises(SystemExit):
        main(["select", str(path), "-k", "2", "-o", str(tmp_path / "kept.csv")])
    assert "table.csv has changed while it was read" in capsys.readouterr().err
    assert not (tmp_path / "kept.csv").exists()


def test_files_without_a_header_are_told_apart_from_files_of_other_columns(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(60, 4)).round(3)
    for name, rows in {"a.csv": X[:30], "b.csv": X[30:]}.items():
        np.savetxt(tmp_path / name, rows, delimiter=",", fmt="%g")
    with pytest.raises(TamisError, match=r"b\.csv has other columns than a\.csv.*header=False"):
        tamis.select(tmp_path, 2)


def test_what_is_doubtful_in_one_file_only_is_said_and_the_same_of_several_once(tmp_path):
    rows = [f"{j};{1 + j % 5},{100 + j}" for j in range(30)]
    for i, town in enumerate(["Köln", "Bonn", "Düren"]):
        lines = ["town;b;c", *(f"{town};{row}" for row in rows)]
        (tmp_path / f"{i}.csv").write_text("\n".join(lines) + "\n", encoding="latin-1")
    clear = ["town;b;c", *(f"Köln;{j};{j},5" for j in range(30))]
    (tmp_path / "0.csv").write_text("\n".join(clear) + "\n", encoding="latin-1")
    first, second = open_source([tmp_path / f"{i}.csv" for i in range(3)]).info.doubts
    assert first.startswith("0.csv is not UTF-8")
    assert second.startswith("In 1.csv, a value such as '3,117'")


def test_a_column_without_values_in_one_file_has_the_kind_of_the_others(tmp_path):
    for name, values in (("a", [None, None]), ("b", [3.0, 4.0])):
        pq.write_table(pa.table({"x": [1.0, 2.0], "y": values}), tmp_path / f"{name}.parquet")
    source = open_source(tmp_path)
    assert source.kinds == ("numeric", "numeric")
    assert np.isnan(np.vstack(list(source.batches([0, 1])))).sum() == 2
