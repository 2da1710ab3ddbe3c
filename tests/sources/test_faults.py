"""All that is wrong with a table is said at once."""

from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources import delimited
from tamis.sources.faults import check_names


def _refused(path: Path, **options: Any) -> str:
    with pytest.raises(TamisError) as refusal:
        tamis.select(path, method="sfs", **options)
    return str(refusal.value)


def test_all_columns_with_text_among_numbers_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited, "_READ_BYTES", 1 << 10)
    path = tmp_path / "t.csv"
    rows = [f"{i % 5},{i % 4},{-(i % 6)},{i % 7}" for i in range(9)]
    # Text near the top makes a text column; further down it stands among numbers.
    filler = [f"{i % 5},{i % 4},{i % 6},{i % 5}" for i in range(2_000)]
    path.write_text("\n".join(["a,b,c,d", *rows, *filler, "x,1,2,3", "1,y,nan,NA", "5,1,z,3"]))
    last = len(rows) + len(filler) + 1
    assert _refused(path) == (
        f"3 columns of t.csv have text where numbers are needed ('a': 'x' in line {last + 1}, "
        f"'b': 'y' in line {last + 2}, 'c': 'z' in line {last + 3}): fix it, or skip the columns "
        'with exclude=["a", "b", "c"].'
    )


def test_all_lines_of_another_width_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n1,2,3\n1,2\n4,5,7\n6\n7,8,9,10\n1,4,4\n")
    assert _refused(path) == (
        "3 lines of t.csv do not have 3 values as the header has (line 3: 2, line 5: 1, line 6: "
        "4): fix them."
    )


def test_all_columns_without_a_name_of_their_own_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,,b,a,b,b,,\n1,2,3,4,5,6,7,8\n2,3,4,5,6,7,1,2\n")
    assert _refused(path) == (
        "t.csv has columns without a name (2, 7, 8) and two or more columns named 'a', 'b': give "
        "every column a name of its own in the header."
    )


def test_all_columns_with_missing_or_infinite_values_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c,d\n1,,3,\n2,2,,4\n5,1,2,2\n3,3,1,1\n")
    assert _refused(path, missing="error").startswith(
        "3 columns have missing values ('b' 1, 'c' 1, 'd' 1; the table has 4 rows): pass missing="
    )
    path.write_text("a,b,c\n1,inf,3\n2,2,-inf\n5,1,2\n")
    assert _refused(path, missing="error") == (
        "2 columns have infinite values ('b', 'c'): replace them by numbers or mark them missing, "
        'or pass missing="auto", which fills them.'
    )


def test_lines_of_another_width_that_are_no_text_are_refused_without_a_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,2\n1,2,\xe9\n3\n4,\xc3\xa9\xc3\xa9\n")
    assert _refused(path) == "Line 3 of t.csv has 3 values where the header has 2: fix that line."
    assert capfd.readouterr().err == ""


def test_many_repeated_names_may_be_a_row_of_letters() -> None:
    with pytest.raises(TamisError, match="header=False"):
        check_names(list("pxsntpfcnktns"), "mushrooms.csv")
    with pytest.raises(TamisError) as caught:
        check_names(["a", "b", "a"], "t.csv")
    assert "header=False" not in str(caught.value)


def test_half_a_letter_in_a_name_is_refused_since_no_file_can_hold_it():
    with pytest.raises(TamisError, match=r"The name '\\ud800b' of a column of t.csv has a letter"):
        check_names(["ä", "\ud800b"], "t.csv")
