"""Standard input, separators, files without a header, spreadsheets."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import tamis


def _names(seen: Any) -> list[str]:
    assert seen.code == 0, seen.err
    return json.loads(seen.out)["names"]


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def _packed(folder: Path, kind: str) -> bytes:
    text = (folder / "table.csv").read_bytes()
    table = pyarrow.csv.read_csv(folder / "table.csv")
    if kind == "gzip":
        import gzip

        return gzip.compress(text)
    if kind == "text":
        return text
    write = {"parquet": pyarrow.parquet.write_table, "feather": pyarrow.feather.write_feather}
    write[kind](table, folder / "packed")
    return (folder / "packed").read_bytes()


@pytest.mark.parametrize("kind", ["text", "gzip", "parquet", "feather"])
def test_standard_input_is_a_table(kind: str, run: Any, pipe: Any, folder: Path) -> None:
    pipe(_packed(folder, kind))
    expected = tamis.select("table.csv", 3).names
    seen = run("select", "-", "-k", "3", "--json", "-o", "kept.csv")
    facts = json.loads(seen.out)
    assert (facts["names"], facts["title"]) == (expected, "standard input")
    assert facts["repeat"]["command"] == "tamis select - -k 3 --json -o kept.csv"
    assert pyarrow.csv.read_csv("kept.csv").column_names == expected


def test_mistakes_in_standard_input_are_named_as_such(run: Any, pipe: Any) -> None:
    pipe(b"a,b\n1,2\n3,5\n4,4\n")
    assert run("select", "-", "--include", "c").err == (
        "tamis: standard input has no column 'c': there is a, b.\n"
    )
    pipe(b"a,b\n1,2\n3\n")
    assert run("select", "-").err.startswith("tamis: Line 3 of standard input has 1 value")
    pipe(b"")
    assert run("select", "-").err.startswith("tamis: standard input is empty")


def test_a_terminal_is_no_table(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)
    assert "nothing is piped into it: give a file instead" in run("select", "-").err


@pytest.mark.parametrize("mark", [b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"X.npy"])
def test_a_damaged_archive_in_a_pipe_is_refused_in_one_sentence(
    run: Any, pipe: Any, mark: bytes
) -> None:
    archive = io.BytesIO()
    np.savez(archive, X=np.arange(12.0).reshape(4, 3))
    whole = archive.getvalue()
    damaged = whole[:4] + whole[4:].replace(mark, b"?" * len(mark))
    for data in (damaged, whole[: whole.rindex(mark)] or b"PK\x03\x04"):
        pipe(data)
        said = run("select", "-", "-k", "1").err
        assert "standard input" in said or data == whole
        assert said.count("\n") <= 1


def test_without_a_file_a_hint_is_given(run: Any) -> None:
    for verb in ("select", "compare", "extract"):
        assert run(verb).err == (
            f"tamis: Give the file with the table, for example `tamis {verb} table.csv`, or - for "
            f"standard input (see `tamis {verb} --help`).\n"
        )


@pytest.mark.parametrize(("given", "mark"), [("tab", "\t"), (":", ":"), (r"\t", "\t"), ("|", "|")])
def test_the_separator_can_be_given(given: str, mark: str, run: Any, folder: Path) -> None:
    text = (folder / "table.csv").read_text()
    (folder / "other.txt").write_text(text.replace(",", mark))
    seen = run("select", "other.txt", "-k", "3", "--delimiter", given, "--json", "-o", "kept.csv")
    assert _names(seen) == tamis.select("table.csv", 3).names
    python = json.loads(seen.out)["repeat"]["python"]
    assert python.startswith(f"tamis.select(tamis.TableFile('other.txt', delimiter={given!r}), ")
    assert eval(python, {"tamis": tamis}).names == _names(seen)


def test_a_file_may_have_no_header(run: Any, folder: Path) -> None:
    lines = (folder / "table.csv").read_text().splitlines(keepends=True)
    (folder / "bare.csv").write_text("".join(lines[1:]))
    seen = run("select", "bare.csv", "-k", "3", "--no-header", "--json", "-o", "kept.csv")
    assert _names(seen) == tamis.select("table.csv", 3).names  # x0, x1, ... as there
    kept = pyarrow.csv.read_csv("kept.csv")
    assert kept.num_rows == len(lines) - 1
    found = tamis.select(tamis.TableFile("bare.csv", header=False), 3)
    assert found.transform(tamis.TableFile("bare.csv", header=False)).num_rows == len(lines) - 1
    assert found.held_out.shape == (3,)


def test_a_first_line_of_values_is_noticed_and_the_axis_of_a_spectrum_is_not(
    run: Any, folder: Path
) -> None:
    lines = (folder / "table.csv").read_text().splitlines(keepends=True)
    bare = ["0.5,-1,0.75,2.25,1.5,-0.4,0.1\n", *lines[1:]]
    (folder / "bare.csv").write_text("".join(bare))
    said = " ".join(run("select", "bare.csv", "-k", "2").out.split())
    assert "first line of bare.csv ('0.5', '-1'," in said
    assert "pass --no-header if it is one" in said
    for verb, more in {"extract": (), "compare": ("--methods", "sfs,pivoted-qr")}.items():
        assert "--no-header" in run(verb, "bare.csv", "-k", "2", *more).out
    assert "--no-header" in run("summarise", "bare.csv", "-o", "bare.tamis").out
    quiet = run("select", "bare.csv", "-k", "2", "-q")
    assert len(quiet.out.splitlines()) == 2
    assert "--no-header" in quiet.err
    assert "header=False" in tamis.select("bare.csv", 2).to_dict()["doubts"][0]
    assert "--no-header" not in run("select", "bare.csv", "-k", "2", "--no-header").out
    (folder / "axis.csv").write_text("".join(["900,901.5,903,904,905,906,907\n", *lines[1:]]))
    assert "--no-header" not in run("select", "axis.csv", "-k", "2").out


BAD = {
    "table.csv --delimiter ::": "--delimiter ::: give one character, such as ';', or tab.",
    "table.parquet --delimiter ;": "--delimiter ';' is for text files, which table.parquet is not",
    "table.parquet --no-header": "--no-header is for text files, which table.parquet is not",
    "table.csv --sheet One": "--sheet One is for workbooks, which table.csv is not: omit it.",
}


@pytest.mark.parametrize("given", BAD)
def test_what_does_not_suit_the_file_is_refused(given: str, refused: Any, folder: Path) -> None:
    pyarrow.parquet.write_table(pyarrow.csv.read_csv("table.csv"), folder / "table.parquet")
    assert refused(*given.split()).startswith(BAD[given])


@pytest.fixture
def book(folder: Path, numbers: np.ndarray) -> str:
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    made.active.title = "Notes"
    made.active.append(["Made by hand"])
    sheet = made.create_sheet("Data")
    sheet.append([None, *(f"x{j}" for j in range(numbers.shape[1]))])
    for i, row in enumerate(numbers):
        sheet.append([f"row {i}", *map(float, row)])
    made.save(folder / "book.xlsx")
    return "book.xlsx"


def test_a_sheet_is_a_table(book: str, run: Any) -> None:
    expected = tamis.select("table.csv", 3).names
    for sheet in ("Data", "2"):
        seen = run("select", book, "-k", "3", "--sheet", sheet, "--json")
        assert _names(seen) == expected
    (skipped,) = json.loads(seen.out)["skipped"]
    assert skipped["column"] == "row names"
    run("select", book, "--sheet", "Data", "-k", "3", "--carry", "row names", "-o", "kept.csv")
    kept = pyarrow.csv.read_csv("kept.csv")
    assert kept.column_names == ["row names", *expected]
    assert kept["row names"][0].as_py() == "row 0"


def test_a_sheet_that_has_no_table_is_refused(book: str, refused: Any) -> None:
    assert refused(book, "--sheet", "Notes") == (
        "Sheet 'Notes' of book.xlsx has no rows: choose another with --sheet Data."
    )
    assert refused(book, "--sheet", "Dato") == (
        "book.xlsx has no sheet 'Dato': did you mean 'Data'?"
    )


def test_the_sheet_with_the_table_is_read_and_named(book: str, run: Any) -> None:
    seen = run("select", book, "-k", "2")
    assert "book.xlsx has 2 sheets, and 'Data' is read" in seen.out.replace("\n", " ")


def test_without_the_library_the_extra_is_named(
    book: str, refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "python_calamine", None)
    assert refused(book, "--sheet", "Data") == (
        "Workbooks (.xlsx, .xls, .ods) need python-calamine: pip install 'tamis[excel]'."
    )


def test_the_options_on_encoding_and_lines_are_named_as_flags(folder: Path, run: Any) -> None:
    path = folder / "t.csv"
    path.write_bytes(
        "é,b,c\nmm,kg,s\n".encode("cp1252")
        + b"".join(b"%d,%d,%d\n" % (i, i * i % 7, 3 * i % 5) for i in range(9))
    )
    seen = run("select", str(path), "-k", "2")
    assert "--skip-lines none reads all" in seen.out.replace("\n", " ")
    assert "--encoding" in seen.out
