"""Text tables that are not plain: encodings, titles, units, totals, blanks, no header."""

import bz2
import csv
import gzip
import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis import TableFile
from tamis.errors import TamisError
from tamis.sources.open import open_source
from tamis.sources.source import Source
from tamis.sources.text_form import as_plain_text

ROWS = "".join(f"{i},{i * i % 7},{(3 * i) % 5}\n" for i in range(1, 13))


def _opened(folder: Path, data: bytes | str, name: str = "t.csv", **how: Any) -> Source:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return open_source(TableFile(path, **how))


def _values(source: Source, *columns: int) -> Any:
    return np.concatenate(list(source.batches(list(columns))))


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-16-le", "utf-16-be"])
def test_texts_in_other_encodings_are_read_and_those_of_bytes_are_said(
    tmp_path: Path, encoding: str
) -> None:
    text = "größe;b;wer\n1,5;2;René\n2,5;3;Zoë\n"
    source = _opened(tmp_path, text.encode(encoding))
    assert source.names == ("größe", "b", "wer")
    assert source.pick([2]).column(0).to_pylist() == ["René", "Zoë"]
    np.testing.assert_array_equal(_values(source, 0, 1), [[1.5, 2], [2.5, 3]])
    said = " ".join(source.info.doubts)
    assert ("Windows-1252" in said) == (encoding in ("cp1252", "latin-1"))
    assert source.label == "t.csv"


def test_a_letter_far_down_that_is_not_utf_8_is_found(tmp_path: Path) -> None:
    source = _opened(tmp_path, b"a,b,c\n" + b"1,2,x\n" * 300_000 + b"3,4,\xe9\n")
    assert source.pick([2]).column(0).to_pylist()[-1] == "é"


def test_an_encoding_can_be_given(tmp_path: Path) -> None:
    source = _opened(tmp_path, "имя,b\n1,1\n2,2\n".encode("cp1251"), encoding="cp1251")
    assert source.names == ("имя", "b")
    with pytest.raises(TamisError, match="cp1252, latin-1 or utf-16"):
        TableFile("t.csv", encoding="windows")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_packed_text_in_another_encoding_is_read(tmp_path: Path, pack: Any) -> None:
    suffix = {gzip.compress: ".gz", bz2.compress: ".bz2"}[pack]
    source = _opened(tmp_path, pack("é,b\n1,2\n3,4\n".encode("cp1252")), f"t.csv{suffix}")
    assert source.names == ("é", "b")
    np.testing.assert_array_equal(_values(source, 0, 1), [[1, 2], [3, 4]])


def test_titles_above_the_header_are_left_out_by_line(tmp_path: Path) -> None:
    source = _opened(tmp_path, "Sales of 2023,,\n\n,,\na,b,c\n" + ROWS)
    assert source.names == ("a", "b", "c")
    assert "Line 1 of t.csv ('Sales of 2023') is skipped" in source.info.doubts[0]
    assert _values(source, 0)[0, 0] == 1


def test_units_below_the_header_are_left_out_by_line_and_kept_as_texts(tmp_path: Path) -> None:
    source = _opened(tmp_path, "a,b,c\nmm,kg,s\n" + ROWS)
    assert source.kinds == ("numeric",) * 3
    assert source.info.texts == {"a": "mm", "b": "kg", "c": "s"}
    assert "Line 2 of t.csv ('mm', 'kg', 's')" in source.info.doubts[0]
    assert "skip_lines" in source.info.doubts[0]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("a,b,a", ("a", "b", "a.1")),
        ("a,b, a", ("a", "b", "a.1")),
        (",a,", ("row names", "a", "column 3")),
        ("a,a.1,a", ("a", "a.1", "a.2")),
    ],
)
def test_a_few_columns_without_a_name_of_their_own_get_one(
    tmp_path: Path, header: str, names: tuple[str, ...]
) -> None:
    source = _opened(tmp_path, f"{header}\n{ROWS}")
    assert source.names == names
    assert f"called {names[2]!r}" in source.info.doubts[0]
    np.testing.assert_array_equal(_values(source, 2)[0], [3])


def test_two_lines_that_have_the_names_together_are_joined(tmp_path: Path) -> None:
    top = ",Pump,Pump\ntime,flow,level\ns,l,m\n"
    source = _opened(tmp_path, top + ROWS)
    assert source.names == ("time", "Pump flow", "Pump level")
    assert "Lines 1 to 2 of t.csv are read as the names" in source.info.doubts[0]
    assert len(_values(source, 0)) == 12


@pytest.mark.parametrize("header", ["a,b,c", "a,b,a"])
def test_a_header_within_the_table_is_left_out_by_line(tmp_path: Path, header: str) -> None:
    source = _opened(tmp_path, f"{header}\n{ROWS}{header}\n{ROWS}")
    assert source.kinds == ("numeric",) * 3
    assert len(_values(source, 0)) == 24
    assert "Line 14 of t.csv repeats the header and is skipped" in source.info.doubts[-1]


def test_subtotals_within_the_table_are_left_out_by_line(tmp_path: Path) -> None:
    part = "".join(f"{{0}},s{i},{i * i % 7}\n" for i in range(12)) + "{0} total,,30\n"
    text = "region,store,sales\n" + part.format("north") + part.format("south")
    source = _opened(tmp_path, text)
    assert len(_values(source, 2)) == 24
    assert "Lines 14, 27 of t.csv are skipped as subtotals" in source.info.doubts[0]
    named = text.replace("total,,", "total,s12,")
    assert len(_values(_opened(tmp_path, named, "u.csv"), 2)) == 26


def test_questions_and_ids_below_the_names_are_left_out(tmp_path: Path) -> None:
    second = 'How old?,"Do you, or not?",And c?\nQID1,QID2,QID3\n'
    source = _opened(tmp_path, "a,b,c\n" + second + ROWS)
    assert source.kinds == ("numeric",) * 3
    assert source.info.texts["b"] == "Do you, or not? QID2"


def test_all_lines_are_read_where_that_is_asked(tmp_path: Path) -> None:
    source = _opened(tmp_path, "a,b,c\nmm,kg,s\n" + ROWS, skip_lines="none")
    assert source.kinds == ("categorical",) * 3
    assert not source.info.doubts


def test_lines_can_be_named(tmp_path: Path) -> None:
    source = _opened(tmp_path, "a,b,c\n9,9,9\n" + ROWS, skip_lines=[2])
    assert _values(source, 0)[0, 0] == 1
    for bad in ([0], ["x"], [True]):
        with pytest.raises(TamisError, match="give numbers of lines from 1"):
            TableFile("t.csv", skip_lines=bad)


@pytest.mark.parametrize("row", ["NA,.,?", "1,x,y", ",,3"])
def test_a_first_row_with_missing_values_or_some_text_is_a_row(tmp_path: Path, row: str) -> None:
    source = _opened(tmp_path, f"a,b,c\n{row}\n" + ROWS)
    assert not source.info.texts
    assert source.pick([0]).num_rows == 13


def test_totals_and_notes_at_the_end_are_left_out_by_line(tmp_path: Path) -> None:
    rows = "".join(f"row {i},{i},{i * i}\n" for i in range(8))
    source = _opened(tmp_path, f"who,b,c\n{rows}Total,28,140\n\nSource: our own count\n")
    assert source.pick([0]).num_rows == 8
    assert "Lines 10 to 12 of t.csv ('Total,28,140') are skipped" in source.info.doubts[0]


def test_statistics_below_a_mean_are_left_out_and_rows_of_such_names_stay(tmp_path: Path) -> None:
    rows = "".join(f"row {i},{i},{i * i}\n" for i in range(8))
    assert _opened(tmp_path, f"who,b,c\n{rows}Mean,3,17\nSD,2,18\nn,8,8\n").pick([0]).num_rows == 8
    (tmp_path / "more").mkdir()
    assert _opened(tmp_path / "more", f"state,b,c\n{rows}SD,2,18\n").pick([0]).num_rows == 9


@pytest.mark.parametrize("mark", ["!", "//", "#"])
def test_remarks_above_the_header_are_left_out(tmp_path: Path, mark: str) -> None:
    rows = "".join(f"  {i} {i * i}  3\n" for i in range(9))
    text = f"{mark} station data\n{mark} units: m s-1 and K\n  u  v  w\n{rows}"
    source = _opened(tmp_path, text, "t.dat")
    assert source.names == ("u", "v", "w")
    assert "Lines 1 to 2 of t.dat" in source.info.doubts[0]


@pytest.mark.parametrize("last", ["Totalitarian,1,2", "zeta,1,2", "Total"])
def test_a_last_row_that_is_no_total_stays(tmp_path: Path, last: str) -> None:
    width = last.count(",") + 1
    header, row = ("who,b,c", "x,{},3\n") if width == 3 else ("who", "x{}\n")
    source = _opened(tmp_path, header + "\n" + "".join(row.format(i) for i in range(8)) + last)
    assert source.pick([0]).num_rows == 9


def test_a_total_that_is_a_category_of_many_rows_stays(tmp_path: Path) -> None:
    rows = "".join(f"{who},{i},{i * i}\n" for i in range(4) for who in ("men", "women", "total"))
    assert _opened(tmp_path, "who,b,c\n" + rows).pick([0]).num_rows == 12


@pytest.mark.parametrize("last", ["subject 9,,", "subject 9,NA,NA"])
def test_a_last_row_of_missing_values_stays(tmp_path: Path, last: str) -> None:
    rows = "".join(f"subject {i},{i},{i * i}\n" for i in range(8))
    assert _opened(tmp_path, f"who,b,c\n{rows}{last}\n").pick([0]).num_rows == 9


def test_rows_and_columns_without_anything_are_left_out(tmp_path: Path) -> None:
    source = _opened(tmp_path, "a,b,,c,\n1,2,,3,\n,,,,\n4,5,,7,\n")
    assert source.names == ("a", "b", "c")
    np.testing.assert_array_equal(_values(source, 0, 1, 2), [[1, 2, 3], [4, 5, 7]])
    assert "(line 3)" in source.info.doubts[0]


def test_a_value_far_down_in_a_column_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match=r"Column 3 of t\.csv has no name"):
        _opened(tmp_path, "a,b,\n" + "1,2,\n" * 200 + "1,2,3\n")


def test_values_between_any_number_of_blanks_are_read(tmp_path: Path) -> None:
    source = _opened(tmp_path, "  a   b  c\n 1   2.5 x\n 10  3.5 y\n", "t.dat")
    assert source.names == ("a", "b", "c")
    np.testing.assert_array_equal(_values(source, 0, 1), [[1, 2.5], [10, 3.5]])


def test_a_commented_header_has_the_names(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 3))
    np.savetxt(tmp_path / "t.txt", X, header="made by hand\none two three")
    source = open_source(tmp_path / "t.txt")
    assert source.names == ("one", "two", "three")
    assert source.info.doubts[0].startswith("Line 2 of t.txt ('# one two three') is read as the")
    np.testing.assert_allclose(_values(source, 0, 1, 2), X)


@pytest.mark.parametrize(
    ("first", "name"),
    [
        ("5.1,3.5,setosa", "t.data"),
        ("1,0,0,0,1", "t.csv"),
        ("p,x,s,n", "t.data"),
    ],
)
def test_a_first_line_of_values_is_a_row(tmp_path: Path, first: str, name: str) -> None:
    source = _opened(tmp_path, f"{first}\n{first}\n{first}\n", name)
    assert not source.named
    assert source.names[0] == "x0"
    assert source.pick([0]).num_rows == 3
    assert "has values" in source.info.doubts[0]


def test_names_in_a_data_file_are_names(tmp_path: Path) -> None:
    source = _opened(tmp_path, "a,b,kind\n1,2,x\n3,4,y\n", "t.data")
    assert source.names == ("a", "b", "kind")


def test_a_plain_table_is_read_in_place(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n" + ROWS)
    assert as_plain_text(path, ".csv", TableFile(path))[0] == path
    assert open_source(path).info.doubts == ()


ENDS = ("\n", "\r\n", "\r")
CELLS = (
    *("", "x", "y z", "7", "-2.5", ";", "|;", " ", "\t", "1,2", "naïve", 'say "hi"', '"', '""'),
    *("a\nb", "x\n", "\n", "\r\n\r\n", "p\rq", "a\n\n\nb", "\n,,\n", "\n1,2,3\n", '\n"\n'),
)


def _write_table(rng: random.Random) -> tuple[str, str]:
    """Write a table with quotes, line breaks, blank lines and any ends; give its separator, too."""
    mark, width = rng.choice(",,,;\t|"), rng.randint(3, 6)
    ends = [rng.choice(ENDS)] if rng.random() < 0.8 else ENDS

    def write(cell: str) -> str:
        quoted = rng.random() < 0.2 or any(letter in cell for letter in f'{mark}"\r\n')
        return '"{}"'.format(cell.replace('"', '""')) if quoted else cell

    rows = [[f"c{j}" if rng.random() < 0.9 else f"c{j}\nmore" for j in range(width)]]
    for i in range(rng.randint(4, 60)):
        blank = [rng.choice(["", " "]) for _ in range(width)]
        filled = [str(i), *(rng.choice(CELLS) for _ in range(width - 1))]
        rows.append(rng.choices([[], blank, filled], [0.08, 0.06, 0.86])[0])
    text = "".join(mark.join(map(write, row)) + rng.choice(ends) for row in rows)
    return mark, text if rng.random() < 0.8 else text.rstrip("\r\n")


def _compare_with_csv(folder: Path, seeds: range) -> list[int]:
    """Give the seeds whose tables have other names, rows or cells than Python's `csv` reads."""
    wrong = []
    for seed in seeds:
        rng = random.Random(seed)
        mark, text = _write_table(rng)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
        names, *rows = [row for row in reader if any(map(str.strip, row))]
        path = folder / f"t{seed}.csv"
        path.write_bytes(text.encode(rng.choice(["utf-8", "utf-8", "cp1252", "utf-16"])))
        try:
            source = open_source(path, text=names)
            table = source.pick(range(len(source.names)))
            cells = [[str(cell) for cell in column.to_pylist()] for column in table.columns]
        except TamisError:
            source, cells = None, []
        columns = [list(column) for column in zip(*rows, strict=True)]
        if source is None or list(source.names) != names or cells != columns:
            wrong.append(seed)
        path.unlink()
    return wrong


def test_names_rows_and_cells_are_those_of_the_csv_module(tmp_path: Path) -> None:
    assert _compare_with_csv(tmp_path, range(150)) == []


@pytest.mark.nightly
def test_names_rows_and_cells_of_2000_tables_are_those_of_the_csv_module(tmp_path: Path) -> None:
    assert _compare_with_csv(tmp_path, range(150, 2150)) == []


@pytest.mark.parametrize(
    "cell", ["x\n", "\n", "\n\nx", ",\n,,\n", '"\n"', "Total,,9\nTotal,,9\n1,2"]
)
def test_a_line_break_in_quotes_loses_no_row(tmp_path: Path, cell: str) -> None:
    quoted = '1,2,"{}"\n'.format(cell.replace('"', '""'))
    source = _opened(tmp_path, "a,b,c\n" + "1,2,y\n" * 50 + quoted + "1,2,y\n" * 50 + '1,2,"y"\n')
    assert source.info.doubts == ()
    assert source.pick([2]).column(0).to_pylist() == ["y"] * 50 + [cell] + ["y"] * 51


def test_lines_in_quotes_are_no_header_no_total_and_no_title(tmp_path: Path) -> None:
    text = '"a\n1",b,c\n' + ROWS + '5,6,"\na,b,c\n"\n"a\n1",b,c\n' + ROWS + '5,6,"x\nTotal,1,2\n"\n'
    source = _opened(tmp_path, text)
    assert source.names == ("a\n1", "b", "c")
    assert source.pick([0]).num_rows == 26
    (said,) = source.info.doubts
    assert "Line 18 of t.csv repeats the header and is skipped" in said
    top = '"Sales\nof 2023",,\n\na,b,c\n"How\nold?","how\nmuch?",s\n'
    source = _opened(tmp_path, top + ROWS + "Total,2,3\n", "u.csv")
    assert (source.names, source.pick([0]).num_rows) == (("a", "b", "c"), 12)
    assert source.info.texts["a"] == "How\nold?"
    said = " ".join(source.info.doubts)
    assert "Lines 1 to 2 of u.csv" in said
    assert "Lines 5 to 7 of u.csv" in said
    assert "Line 20 of u.csv ('Total,2,3')" in said


def test_marks_that_separate_nothing_here_are_values(tmp_path: Path) -> None:
    source = _opened(tmp_path, 'a,b\n1,2\n;,|\n"""",\n,\n3,4\n')
    assert source.pick([0]).column(0).to_pylist() == ["1", ";", '"', "3"]


def test_a_table_without_a_header_may_begin_with_a_line_break_in_quotes(tmp_path: Path) -> None:
    source = _opened(tmp_path, '"x\ny",1,2\nz,3,4\n', header=False)
    assert source.pick([0]).column(0).to_pylist() == ["x\ny", "z"]
