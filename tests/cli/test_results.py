import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tamis
from tamis.sources.open import open_source

FORMATS = ["csv", "tsv", "parquet", "feather", "arrow", "npz"]


def _read(path: Path) -> pa.Table:
    source = open_source(path)
    return pa.concat_tables(source.tables(range(len(source.names))))


@pytest.mark.parametrize("suffix", FORMATS)
def test_kept_columns_are_written_best_first_in_every_format(
    suffix: str, selects: Any, numbers: np.ndarray, folder: Path
) -> None:
    path = folder / f"kept.{suffix}"
    seen = selects("table.csv", "-k", "3", "-o", str(path))
    assert seen.out.endswith(f"\n\nWrote {path.resolve()}\n")
    found = tamis.select(numbers, k=3)
    kept = _read(path)
    assert kept.column_names == found.names
    values = np.column_stack([column.to_numpy() for column in kept.columns])
    np.testing.assert_array_equal(values, numbers[:, found.indices])


@pytest.mark.parametrize("suffix", ["parquet", "feather", "npz", "csv.gz", "sparse.npz"])
def test_every_format_can_be_written_as_text(
    suffix: str, selects: Any, table_as: Any, folder: Path
) -> None:
    selects(table_as(suffix), "-k", "2", "-m", "sfs", "-o", "kept.csv")
    selects("table.csv", "-k", "2", "-m", "sfs", "-o", "expected.csv")
    assert (folder / "kept.csv").read_text() == (folder / "expected.csv").read_text()


def test_a_dash_writes_csv_to_standard_output_and_the_rest_to_the_other(
    selects: Any, folder: Path
) -> None:
    selects("table.csv", "-k", "2", "-o", "kept.csv")
    seen = selects("table.csv", "-k", "2", "-o", "-", "--report", "page.html")
    assert seen.out == (folder / "kept.csv").read_text()
    assert seen.err.startswith("Keep 2 of 7 columns: ")
    assert seen.err.endswith(f"\n\nWrote {(folder / 'page.html').resolve()}\n")
    assert "names" in json.loads(selects("table.csv", "-k", "2", "-o", "-", "--json").err)


@pytest.mark.parametrize("verb", ["select", "extract"])
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_the_answer_is_printed_before_the_report_is_made(
    verb: str, flags: list[str], run: Any, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    found = tamis.Selection if verb == "select" else tamis.Extraction
    seen = []

    def late(_: Any, path: str, **_options: bool) -> Path:
        seen.append(capfd.readouterr().out)
        return Path(path)

    monkeypatch.setattr(found, "report", late)
    after = run(verb, "table.csv", "-k", "2", "--report", "page.html", *flags)
    (before,) = seen
    assert "columns" in before
    assert "Wrote" not in before
    assert after.out == ("" if flags else f"\nWrote {Path('page.html').resolve()}\n")


def test_json_stays_json_when_files_are_written(selects: Any) -> None:
    seen = selects("table.csv", "-k", "2", "-o", "kept.csv", "--report", "r.html", "--json")
    assert json.loads(seen.out)["k"] == 2


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_carried_columns_come_first_and_as_they_are(
    suffix: str, selects: Any, folder: Path
) -> None:
    rng = np.random.default_rng(0)
    rows = "".join(
        f"{i:03d},{i % 2},NA,2020-01-01 10:00,{i},{a:.2f},{b:.2f}\n"
        for i, (a, b) in enumerate(rng.normal(size=(12, 2)))
    )
    (folder / "t.csv").write_text("id,label,country,day,whole,a,b\n" + rows)
    output = f"kept.{suffix}"
    seen = selects("t.csv", "-k", "3", "--carry", "id,label,country,day", "-o", output)
    assert "Skipped (not analysed, copied to the output): id, label, country, day." in seen.out
    first = _read(folder / output).slice(1, 1).to_pylist()[0]
    assert list(first)[:4] == ["id", "label", "country", "day"]
    if suffix == "parquet":
        assert first["id"] == "001"
        assert first["label"] == 1
        assert first["country"] == "NA"
        assert first["day"] == "2020-01-01 10:00"
        assert isinstance(first["whole"], int)
    else:
        line = (folder / output).read_text().splitlines()[2]
        assert line.startswith('"001",1,"NA","2020-01-01 10:00",')


@pytest.mark.parametrize("method", ["sfs", "forward"])
def test_labels_and_texts_that_were_not_judged_go_with_the_output(
    method: str, selects: Any, folder: Path
) -> None:
    rng = np.random.default_rng(0)
    rows = "".join(
        f"{i + 500},{'ab'[i % 2]},{a:.3f},{b:.3f},{a + 0.01 * b:.3f},{'no' if a > 0 else 'yes'}\n"
        for i, (a, b) in enumerate(rng.normal(size=(40, 2)))
    )
    (folder / "t.csv").write_text("id,city,p,q,r,y\n" + rows)
    asked = ("-k", "1", "-m", method, "--target", "y", "-o")
    seen = selects("t.csv", *asked, "kept.csv")
    beside = ["id", "city", "y"] if method == "sfs" else ["id", "y"]
    assert (folder / "kept.csv").read_text().splitlines()[0].split(",")[:-1] == beside
    assert ("Not judged: 'city' (text" in seen.out) == (method == "sfs")
    assert "Labels in 'y': " in seen.out
    selects("t.csv", *asked, "kept.npz")  # which holds numbers only
    assert np.load(folder / "kept.npz")["X"].shape == (40, 1)


def test_whole_numbers_stay_whole(selects: Any, folder: Path) -> None:
    rows = "".join(f"{i},{i * i % 7},{i / 4}\n" for i in range(20))
    (folder / "t.csv").write_text("a,b,c\n" + rows)
    selects("t.csv", "-k", "2", "--include", "a,b", "-o", "kept.parquet")
    assert _read(folder / "kept.parquet").schema.types == [pa.int64(), pa.int64()]
    selects("t.csv", "-k", "2", "--include", "a,b", "-o", "kept.csv")
    assert (folder / "kept.csv").read_text().splitlines()[:3] == ["a,b", "0,0", "1,1"]


def test_an_existing_output_is_replaced_whole_and_no_draft_is_left(
    selects: Any, folder: Path
) -> None:
    (folder / "kept.csv").write_text("x" * 100_000)
    selects("table.csv", "-k", "1", "-o", "kept.csv", "--report", "page.html")
    assert len((folder / "kept.csv").read_text().splitlines()) == 61
    assert sorted(os.listdir(folder)) == ["kept.csv", "page.html", "table.csv"]  # noqa: PTH208


def test_letters_the_terminal_lacks_do_not_stop_the_command(
    selects: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    (folder / "t.csv").write_text("größe,年\n1,2\n3,5\n5,4\n", encoding="utf-8")
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", stream)
    selects("t.csv", "-k", "1", "--include", "年")
    stream.flush()
    assert b"1 \\u5e74" in raw.getvalue()
    raw.truncate(0)
    selects("t.csv", "-k", "1", "--include", "年", "--json")
    stream.flush()
    assert json.loads(raw.getvalue().strip(b"\0"))["names"] == ["年"]


def test_a_file_name_with_a_line_end_stays_on_one_line(selects: Any, folder: Path) -> None:
    seen = selects("table.csv", "-k", "2", "-o", "kept\nagain.csv")
    assert seen.out.splitlines()[-1] == f"Wrote {folder.resolve()}/kept\\nagain.csv"


def test_a_report_holds_correlations_unless_they_are_refused(selects: Any, folder: Path) -> None:
    selects("table.csv", "-k", "2", "--report", "with.html")
    selects("table.csv", "-k", "2", "--report", "without.html", "--no-gram")
    with_them, without = ((folder / f"{name}.html").read_text() for name in ("with", "without"))
    assert '"gram":' in with_them
    assert "Correlations are data" in with_them
    assert '"gram":' not in without
    assert '"live":null' in without
    assert "Correlations are data" not in without


@pytest.mark.parametrize("command", [["select", "-k", "2"], ["score", "--columns", "x1,x2"]])
def test_a_report_holds_values_of_rows_unless_they_are_refused(
    command: list[str], run: Any, folder: Path
) -> None:
    verb, *flags = command
    run(verb, "table.csv", *flags, "--report", "with.html")
    run(verb, "table.csv", *flags, "--report", "without.html", "--no-rows")
    with_them, without = ((folder / f"{name}.html").read_text() for name in ("with", "without"))
    assert "This page holds data: values of " in with_them
    assert "This page holds data: values of " not in without
    assert '"rows":0' in without


def test_no_name_and_no_value_steers_the_terminal(run: Any, folder: Path) -> None:
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(60, 2)) @ rng.normal(size=(2, 4)) + rng.normal(size=(60, 4))).round(3)
    steer, file = "\x1b]0;t\x07", "t\x1b[5m.csv"
    head = ",".join([*(f"{steer}{j}\x9b31m" for j in range(4)), f'"kind\n{steer}"', "id"])
    rows = [f"{','.join(map(str, row))},{steer}{i % 3},k{steer}{i}" for i, row in enumerate(X)]
    (folder / file).write_text("\n".join([head, *rows, ""]))
    save = ["--save", "choice.tamis"]
    seen = [run("look", file), run("select", file, "-k", "2", "--all", *save)]
    seen += [run("select", file, "-k", "2", "--quiet"), run("extract", file, "-k", "2")]
    seen += [run("check", "choice.tamis", file), run("compare", file, "-m", "sfs", "-k", "2")]
    seen += [run("summarise", file, "-o", "s.tamis"), run("select", file, "-k", "99")]
    assert [one.code for one in seen] == [0] * 7 + [2]
    found = tamis.select(file, 2)
    said = [one.out + one.err for one in seen] + [str(found), str(found.kept[0])]
    said += [repr(found.dropped), repr(found.kept)]
    assert {c for text in said for c in text if not c.isprintable()} == {"\n"}
