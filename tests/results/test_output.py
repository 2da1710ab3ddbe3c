import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from tamis.errors import TamisError
from tamis.results.output import PAGES, TABLES, check_output, replace_file, write_table

PARTS = [
    pa.table({"a, b": [1, 2], 'c "d"': ["x", "y,z"]}),
    pa.table({"a, b": [3, None], 'c "d"': ["", None]}),
]


def test_a_draft_takes_the_place_when_all_went_well(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("before")
    with replace_file(path) as draft:
        draft.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, TamisError, RuntimeError])
def test_whatever_goes_wrong_the_old_file_stays_and_no_draft_does(
    tmp_path: Path, error: Any
) -> None:
    path = tmp_path / "out.txt"
    path.write_text("before")

    def fail() -> None:
        with replace_file(path) as draft:
            draft.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_the_system_refuses_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match=r"Cannot write .*no such file or directory\."):
        replace_file(tmp_path / "nowhere" / "out.txt").__enter__()
    with (
        pytest.raises(TamisError, match=r"Cannot write .*: no space left on device\."),
        replace_file(tmp_path / "out.txt"),
    ):
        raise OSError(28, "No space left on device")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "out.txt"
    link.symlink_to(tmp_path / "real" / "file.txt")
    with replace_file(link) as draft:
        draft.write_text("after")
    assert link.is_symlink()
    assert (tmp_path / "real" / "file.txt").read_text() == "after"


@pytest.mark.skipif(os.name != "posix", reason="Unix permissions")
def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    usual = tmp_path / "usual.txt"
    usual.touch()
    with replace_file(tmp_path / "out.txt"):
        pass
    assert (tmp_path / "out.txt").stat().st_mode == usual.stat().st_mode


@pytest.mark.parametrize("name", ["kept.csv", "KEPT.PARQUET", "kept.npz"])
def test_a_writable_output_passes(name: str, tmp_path: Path) -> None:
    check_output(tmp_path / name, TABLES, [tmp_path / "t.csv"])


def test_a_read_only_file_or_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.csv"
    path.touch()
    for closed in (path, tmp_path):
        monkeypatch.setattr(os, "access", lambda p, _, closed=closed: Path(p) != closed)
        with pytest.raises(TamisError, match=r"kept\.csv': permission denied"):
            check_output(path, TABLES, [tmp_path / "t.csv"])


def test_the_table_that_is_read_is_never_written_over(tmp_path: Path) -> None:
    source = tmp_path / "t.csv"
    source.touch()
    (tmp_path / "link.csv").symlink_to(source)
    for path in (source, tmp_path / "." / "t.csv", tmp_path / "link.csv"):
        with pytest.raises(TamisError, match="it is the table to read, give another name"):
            check_output(path, TABLES, [source])


def test_a_report_needs_the_suffix_of_a_page(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match=r"give a name ending in \.html or \.htm\."):
        check_output(tmp_path / "report.csv", PAGES, [tmp_path / "t.csv"])


def test_text_formats_quote_only_what_needs_it_in_names(tmp_path: Path) -> None:
    write_table(iter(PARTS), tmp_path / "t", ".csv")
    text = (tmp_path / "t").read_text()
    assert text == '"a, b","c ""d"""\n1,"x"\n2,"y,z"\n3,""\n,\n'
    write_table(iter(PARTS), tmp_path / "t", ".tsv")
    assert (tmp_path / "t").read_text().startswith('a, b\t"c ""d"""\n1\t"x"\n')


@pytest.mark.parametrize(
    ("suffix", "read"),
    [
        (".parquet", pq.read_table),
        (".feather", pyarrow.feather.read_table),
        (".arrow", pyarrow.feather.read_table),
    ],
)
def test_arrow_formats_hold_all_parts(tmp_path: Path, suffix: str, read: Any) -> None:
    write_table(iter(PARTS), tmp_path / "t", suffix)
    assert read(tmp_path / "t").equals(pa.concat_tables(PARTS))


def test_npz_holds_numbers_and_names_and_refuses_the_rest(tmp_path: Path) -> None:
    import numpy as np

    table = pa.table({"a": [1, None], "b": [True, False], "c": [0.5, 2.0]})
    write_table(iter([table]), tmp_path / "t", ".npz")
    with np.load(tmp_path / "t") as archive:
        np.testing.assert_array_equal(archive["X"], [[1, 1, 0.5], [np.nan, 0, 2]])
        assert archive["feature_names"].tolist() == ["a", "b", "c"]
    with pytest.raises(TamisError, match=r"is not all numbers, which \.npz cannot hold: write"):
        write_table(iter(PARTS), tmp_path / "t", ".npz")


@pytest.mark.parametrize(
    ("column", "suffix"),
    [
        (pa.array([[1], [2]]), ".csv"),
        (pa.array([b"\xff", b"a"]), ".tsv"),
        (pa.array([(1, 2, 3)] * 2, pa.month_day_nano_interval()), ".parquet"),
        (pa.array([1, 2], pa.time64("ns")), ".npz"),
    ],
)
def test_a_column_the_format_has_no_room_for_is_refused(
    tmp_path: Path, column: Any, suffix: str
) -> None:
    with pytest.raises(TamisError, match=rf"A \{suffix} file cannot hold .* or write \.feather"):
        write_table([pa.table({"odd": column})], tmp_path / "out", suffix)


@pytest.mark.skipif(os.name != "posix", reason="limits on the size of files")
@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".feather", ".npz"])
def test_a_disk_that_is_full_half_way_is_one_sentence_and_leaves_what_was_there(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import resource

    from tamis.cli import main

    X = np.random.default_rng(0).standard_normal((5000, 4))
    np.savez(tmp_path / "t.npz", X=X)
    path = tmp_path / f"kept{suffix}"
    path.write_text("before")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, usual[1]))
    try:
        with pytest.raises(SystemExit):
            main(["select", str(tmp_path / "t.npz"), "-k", "3", "-o", str(path)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert f"kept{suffix}': file too large.\n" in capsys.readouterr().err
    assert path.read_text() == "before"
    assert {p.name for p in tmp_path.iterdir()} == {"t.npz", path.name}


def test_small_tables_become_row_groups_of_some_size(tmp_path: Path) -> None:
    table = pa.table({"a": np.arange(1000.0)})
    write_table((table.slice(i, 10) for i in range(0, 1000, 10)), tmp_path / "t", ".parquet")
    assert pq.read_metadata(tmp_path / "t").num_row_groups == 1


def test_an_archive_holds_what_all_batches_need(tmp_path: Path) -> None:
    tables = [
        pa.table({"a": [1, 2], "b": [True, False]}),
        pa.table({"a": [None, 4], "b": [True] * 2}),
    ]
    tables[1] = tables[1].cast(tables[0].schema)
    write_table(tables, tmp_path / "t.npz", ".npz")
    with np.load(tmp_path / "t.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["X"], [[1, 1], [2, 0], [np.nan, 1], [4, 1]])
        assert found["feature_names"].tolist() == ["a", "b"]
    write_table([pa.table({"a": [True]})], tmp_path / "t.npz", ".npz")
    with np.load(tmp_path / "t.npz", allow_pickle=False) as found:
        assert found["X"].dtype == bool
