"""What a hostile user gives: one sentence, exit code 2, no file touched (see `refused`)."""

from pathlib import Path
from typing import Any

import pytest

from tamis.sources.table_file import SUFFIXES


def _put(folder: Path, data: str | bytes, name: str = "bad.csv") -> str:
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    return name


TEXTS = {
    "empty file": ("", "bad.csv is empty: give a file with a header line and rows."),
    "header only": ("a,b,c\n", "bad.csv has no rows below the header: at least 2 are needed."),
    "one row": ("a,b\n1,2\n", "bad.csv has 1 row to work with: at least 2 are needed."),
    "one column": (
        "a\n1\n2\n",
        "bad.csv has too few columns of numbers to choose from (only 'a'): at least 2 are needed.",
    ),
    "all constant": (
        "a,b\n1,2\n1,2\n",
        "All 2 columns of bad.csv are constant: there is nothing to choose from.",
    ),
    "missing values": (
        "a,b\n1,2\n,3\n5,\n5,7\n",
        "2 columns have missing values ('a' 1, 'b' 1; the table has 4 rows): pass --missing mean "
        "to fill them or --missing drop to drop rows with missing values.",
    ),
    "empty columns": (
        'a,b,"c, d"\n1,,\n3,,\n',
        "bad.csv has too few columns of numbers to choose from (only 'a'): at least 2 are needed.",
    ),
    "infinities": (
        "a,b\n1,2\n-inf,3\ninf,4\n",
        "Column 'a' has infinite values: replace them by numbers or mark them missing, or pass "
        "--missing auto, which fills them.",
    ),
    "huge values": (
        "a,b\n1e300,2\n2,3\n3,4\n",
        "Column 'a' has values beyond 1e+140: use a larger unit.",
    ),
    "only text": (
        "a,b\nx,y\nz,w\n",
        "bad.csv has too few columns of numbers to choose from (none): at least 2 are needed; "
        "methods such as representatives take text as it is.",
    ),
    "duplicate names": (
        "a,b,a,b,c,c\n1,2,3,4,5,6\n4,5,7,8,9,1\n",
        "bad.csv has two or more columns named 'a', 'b', 'c': give every column a name of its own "
        "in the header, or pass --no-header if the first line has values.",
    ),
    "missing names": (
        "a,,,,c\n1,2,3,4,5\n4,5,7,8,9\n",
        "bad.csv has columns without a name (2, 3, 4): give every column a name of its own in the "
        "header.",
    ),
    "ragged": (
        "a,b,c\n1,2,3\n4,5\n6,7,8\n",
        "Line 3 of bad.csv has 2 values where the header has 3: fix that line.",
    ),
    "not UTF-8": (
        b"a,b,n\n1,2,caf\xe9\n3,4,\xc3\xa9\xc3\xa9\n",
        "bad.csv is not UTF-8 text (line 2, byte 0xe9): save it as UTF-8, in a spreadsheet as "
        "'CSV UTF-8'.",
    ),
}


@pytest.mark.parametrize("case", TEXTS)
def test_a_bad_text_table_is_refused(case: str, folder: Path, refused: Any) -> None:
    data, sentence = TEXTS[case]
    insist = ["--missing", "error", "-m", "sfs"]  # others would go on
    assert refused(_put(folder, data), *insist) == sentence


def test_columns_without_any_value_are_not_called_constant(folder: Path, refused: Any) -> None:
    assert "columns of bad.csv are empty:" in refused(_put(folder, "a,b\nNA,\nNA,\n"))


def test_text_deep_in_a_column_of_numbers_is_refused(folder: Path, refused: Any) -> None:
    lines = 600_000
    file = _put(folder, "age,b,c,d\n" + "1234567,2,3,4\n" * lines + "unknown,2,3,4\n")
    assert refused(file, "-m", "sfs") == (
        f"Column 'age' of bad.csv has the text 'unknown' (line {lines + 2}) where numbers are "
        "needed: fix it, or skip the column with --exclude age."
    )


@pytest.mark.parametrize("kind", ["parquet", "feather", "npz", "csv.gz"])
def test_a_truncated_file_is_refused(kind: str, folder: Path, table_as: Any, refused: Any) -> None:
    data = Path(table_as(kind)).read_bytes()
    assert "damaged" in refused(_put(folder, data[: len(data) // 2], f"bad.{kind}"))


@pytest.mark.parametrize("suffix", ["parquet", "feather", "npz", "csv.gz"])
def test_a_file_that_is_not_what_its_suffix_says_is_refused(
    suffix: str, folder: Path, refused: Any
) -> None:
    assert "damaged" in refused(_put(folder, "a,b\n1,2\n3,5\n", f"bad.{suffix}"))


def test_parquet_under_a_text_suffix_is_refused(folder: Path, table_as: Any, refused: Any) -> None:
    sentence = refused(_put(folder, Path(table_as("parquet")).read_bytes()))
    assert sentence.startswith("bad.csv ")


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("nope.csv", "There is no file 'nope.csv': check the name and the folder."),
        ("*.nope", "No file matches '*.nope': check the pattern and the folder."),
        (
            "a" * 300 + ".csv",
            f"{'a' * 300}.csv cannot be opened: file name too long, check it and its folder.",
        ),
    ],
)
def test_a_missing_file_and_a_folder_are_refused(file: str, sentence: str, refused: Any) -> None:
    assert refused(file) == sentence


@pytest.mark.parametrize("name", ["bad.doc", "bad"])
def test_an_unknown_suffix_is_refused(name: str, folder: Path, refused: Any) -> None:
    assert refused(_put(folder, "a,b\n1,2\n3,5\n", name)) == (
        f"{name} has an unsupported file type: give one of {', '.join(SUFFIXES)}."
    )


OPTIONS = {
    "-k 0": "-k 0: give an integer of at least 1, or a share of the columns below 1.",
    "-k -1": "-k -1: give an integer of at least 1, or a share of the columns below 1.",
    "-k 1.5": "-k 1.5: give an integer of at least 1, or a share of the columns below 1.",
    "-k many": "-k many: give an integer of at least 1, or a share of the columns below 1.",
    "-k 2 --retain 0.9": "Give -k or --retain, not both: each decides how many columns are kept.",
    "--retain 0": "--retain 0: give a share above 0 and up to 1, such as 0.95.",
    "--retain 95": "--retain 95: give a share above 0 and up to 1, such as 0.95.",
    "--retain nan": "--retain nan: give a share above 0 and up to 1, such as 0.95.",
    "--method sfz": "Unknown method 'sfz': did you mean 'sfs'?",
    "--method principle-variables": "did you mean 'principal-variables'",
    "--method ???": "Unknown method '???': there is forward,",
    "--columns x1,x33": "table.csv has no column 'x33': did you mean 'x3'?",
    "--exclude age": "table.csv has no column 'age': there is x0, x1,",
    "--include age": "table.csv has no column 'age'",
    "--carry age": "table.csv has no column 'age'",
    "--columns x1": "too few columns of numbers or categories to choose from (only 'x1')",
    "-m sfs --norm none": "Method 'sfs' does not take --norm: it has --forbid, --cost,",
    "--cost x1=0": "--cost x1=0: give columns by name or position, each with a price above 0.",
    "--cost x1": "--cost x1: give a column and its price, as in --cost x1=2.",
    "--cost age=2": "table.csv has no column 'age'",
    "--forbid x1 --include x1": "--forbid x1: the column is also to be kept in any case",
    "-m pfs --random-state 1": "Method 'pfs' does not take --random-state: it has --norm,",
    "-m pfs --norm strange": "'strange' is not one of 'residual', 'original', 'none'",
    "-m pfa --component-share 2": "--component-share 2: give a share above 0 and up to 1",
    "-m pfa --random-state -1": "--random-state -1: give ",
    "--missing guess": "Invalid value for '--missing': 'guess' is not one of",
    "--refine please": "Invalid value for '--refine': 'please' is not one of 'swap', 'exact'",
    "--colums x1": "No such option '--colums'",
    "more.csv": "There is no file 'more.csv': check the name",
    "-o kept.xlsx": "-o kept.xlsx: rows go to .csv, .parquet and the like; --table kept.xlsx "
    "writes the list of columns with their reasons.",
    "-o kept": "Cannot write 'kept': give a name ending in .csv, .tsv, .parquet, .feather, .arrow "
    "or .npz.",
    "-o nowhere/kept.csv": "Cannot write 'nowhere/kept.csv': there is no folder 'nowhere'.",
    "-o .": "Cannot write '.': it is a folder, give a file name.",
    "-o table.csv": "Cannot write 'table.csv': it is the table to read, give another name.",
    "--report table.csv": "Cannot write 'table.csv': give a name ending in .html or .htm.",
    "--report nowhere/r.html": "Cannot write 'nowhere/r.html': there is no folder 'nowhere'.",
}


@pytest.mark.parametrize("given", OPTIONS)
def test_a_bad_option_is_refused(given: str, refused: Any) -> None:
    assert OPTIONS[given] in refused("table.csv", *given.split())


def test_more_columns_than_there_are_is_refused(refused: Any) -> None:
    assert "has 7 columns to choose from, give at most 7" in refused("table.csv", "-k", "8")


def test_fewer_columns_than_included_is_refused(refused: Any) -> None:
    sentence = refused("table.csv", "-k", "1", "--include", "x0,x1")
    assert "--include names 2 columns, give at least 2" in sentence


def test_no_permission_is_refused_before_any_work(
    refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert refused("table.csv") == "Cannot write 'kept.csv': permission denied."


def test_text_in_a_kept_table_of_numbers_only_is_refused(folder: Path, refused: Any) -> None:
    rows = "".join(f"{i},{i * i},n{i}\n" for i in range(9))
    file = _put(folder, "a,b,who\n" + rows)
    sentence = refused(file, "-k", "1", "--carry", "who", "-o", "kept.npz")
    assert sentence == "Column 'who' is not all numbers, which .npz cannot hold: write .parquet."


def test_a_full_disk_while_writing_is_refused(
    refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tamis.results.output.write_stream", full)
    sentence = refused("table.csv", late=True)
    assert sentence == "Cannot write 'kept.csv': no space left on device."


def test_a_report_that_fails_leaves_the_table_untouched_too(
    refused: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tamis.presentation.page.selection.render", full)
    assert "no space left on device" in refused("table.csv", late=True)


def test_too_little_memory_is_one_sentence(refused: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("tamis.api.select.select", greedy)
    assert refused("table.csv").startswith("Not enough memory: choose fewer columns with --columns")


def test_an_odd_list_of_columns_is_read_as_well_as_can_be(refused: Any) -> None:
    assert "no column ''" in refused("table.csv", "--columns", "x1,,x2")
    assert "(none)" in refused("table.csv", "--columns", "")
    assert "no column 'x1;x2'" in refused("table.csv", "--columns", "x1;x2")
