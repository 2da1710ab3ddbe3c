"""Sheets of Excel files, read as text tables."""

import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources import spreadsheet
from tamis.sources.open import open_source

openpyxl = pytest.importorskip("openpyxl")
pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def made(*rows: list[Any], name: str = "book.xlsx") -> Path:
        workbook = openpyxl.Workbook()
        for row in rows:
            workbook.active.append(row)
        workbook.save(tmp_path / name)
        return tmp_path / name

    return made


def test_cells_keep_their_kinds(book: Any) -> None:
    source = open_source(
        book(
            ["n", "x", "text", "yes", "day", "at"],
            [1, 0.1, "a, b", True, date(2024, 5, 1), datetime(2024, 5, 1, 12, 30)],
            [None, 1e-9, 'say "c"', False, date(2024, 5, 2), datetime(2024, 5, 2, 1, 0)],
        )
    )
    assert source.label == "book.xlsx"
    assert source.kinds == ("numeric", "numeric", "categorical", "boolean", "other", "other")
    numbers = np.concatenate(list(source.batches([0, 1])))
    np.testing.assert_array_equal(numbers, [[1, 0.1], [np.nan, 1e-9]])
    assert source.pick([2]).column(0).to_pylist() == ["a, b", 'say "c"']


def test_empty_rows_and_columns_beside_the_table_are_skipped(book: Any) -> None:
    path = book([None, None], ["a", "b", None], [1, 2, None], [None], [3, 4], [])
    source = open_source(path)
    assert source.names == ("a", "b")
    np.testing.assert_array_equal(next(iter(source.batches([0, 1]))), [[1, 2], [3, 4]])


def test_a_value_beyond_the_header_is_refused(book: Any) -> None:
    path = book(["a", "b"], [1, 2], [3, 4, 5], [6, 7])
    with pytest.raises(TamisError, match=r"Line 3 of book\.xlsx has 3 values where the header has"):
        tamis.select(path, 1)


def test_cells_below_a_title_stay_in_their_columns(book: Any) -> None:
    rows = [[f"p{i}", i + 0.5 if i % 3 else None, 2 * i, None] for i in range(9)]
    source = open_source(book(["Growth of plants"], ["plot", "x", "y", "note"], *rows))
    assert source.names == ("plot", "x", "y", "note")
    numbers = next(iter(source.batches([1, 2])))
    np.testing.assert_array_equal(numbers[:3], [[np.nan, 0], [1.5, 2], [2.5, 4]])


def test_the_first_sheet_with_a_table_is_read(book: Any) -> None:
    path = book(["Report of 2024"], ["Author", "us"], ["plot", "where it grew"])
    workbook = openpyxl.load_workbook(path)
    data = workbook.create_sheet("Data")
    for i, row in enumerate([["a", "b"], [1, 2], [3, 4], [5, 7]]):
        data.append(row)
        workbook.create_sheet(f"more {i}").append(["c", 3])
    workbook.save(path)
    source = open_source(path)
    assert source.names == ("a", "b")
    assert "'Data' is read" in source.info.doubts[0]
    assert open_source(tamis.TableFile(path, sheet=1)).names[0] != "a"


def test_a_sheet_is_converted_once(book: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(["a", "b", "c"], *([i, i * i, -(i**3)] for i in range(9)))
    convert, seen = spreadsheet.run_apart, []
    monkeypatch.setattr(spreadsheet, "run_apart", lambda *a: seen.append(a) or convert(*a))
    found = tamis.select(path, 2)
    assert found.held_out.shape == (2,)
    assert found.transform(path).num_rows == 9
    assert len(seen) == 1


def test_several_books_are_one_table(book: Any) -> None:
    first = book(["a", "b", "c"], *([i, i * i, None] for i in range(9)), name="1.xlsx")
    second = book(["a", "b", "c"], *([i, i * i, "xy"[i % 2]] for i in range(9)), name="2.xlsx")
    source = open_source([first, second])
    assert source.kinds == ("numeric", "numeric", "categorical")
    assert source.pick([2]).column(0).to_pylist()[9:] == ["xy"[i % 2] for i in range(9)]


def test_a_damaged_book_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "book.xlsx"
    path.write_bytes(b"PK\x03\x04 and nothing else")
    with pytest.raises(TamisError, match=r"book\.xlsx cannot be read, it is damaged or not what"):
        tamis.select(path, 1)


def test_the_text_of_a_sheet_has_the_time_of_the_workbook_so_that_a_pass_can_resume(
    book: Any,
) -> None:
    path = book(["a", "b"], [1, 2], [3, 4])
    first = spreadsheet.sheet_as_text(path)[0]
    again = spreadsheet.sheet_as_text.__wrapped__(path)[0]  # as in another process
    assert again != first
    assert first.stat().st_mtime_ns == again.stat().st_mtime_ns == path.stat().st_mtime_ns


def test_other_sheets_are_named_with_the_option(book: Any) -> None:
    path = book(["a", "b"], [1, 2], [3, 4])
    workbook = openpyxl.load_workbook(path)
    workbook.create_sheet("2023").append(["c"])
    workbook.save(path)
    (doubt,) = open_source(path).info.doubts
    assert "'2023'" in doubt
    assert "sheet" in doubt
    assert not open_source(tamis.TableFile(path, sheet=1)).info.doubts


def test_an_opendocument_sheet_is_a_table(tmp_path: Path) -> None:
    def row(*cells: Any) -> str:
        texts = [
            f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
            if isinstance(cell, float)
            else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p>'
            "</table:table-cell>"
            for cell in cells
        ]
        return f"<table:table-row>{''.join(texts)}</table:table-row>"

    rows = row("a", "b") + row(1.0, "x") + row(2.5, "y")
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    with zipfile.ZipFile(tmp_path / "t.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f"<office:document-content {spaces}><office:body><office:spreadsheet>"
            f'<table:table table:name="S">{rows}</table:table></office:spreadsheet></office:body>'
            "</office:document-content>",
        )
    source = open_source(tmp_path / "t.ods")
    assert source.names == ("a", "b")
    assert source.pick([0, 1]).to_pydict() == {"a": [1.0, 2.5], "b": ["x", "y"]}


def test_a_numbered_description_before_the_data_is_not_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    workbook = openpyxl.Workbook()
    for j in range(30):
        workbook.active.append([j + 1, f"v{j}", "what it means", "mm"])
    for year in (2022, 2023):
        data = workbook.create_sheet(str(year))
        data.append([f"v{j}" for j in range(30)])
        for i in range(8 + (year == 2023)):
            data.append([i * j % 7 for j in range(30)])
    workbook.save(tmp_path / "book.xlsx")
    source = open_source(tmp_path / "book.xlsx")
    assert source.names[0] == "v0"
    assert source.pick([0]).num_rows == 8
    assert "'2022' is read: sheet takes another ('Sheet', '2023')" in source.info.doubts[0]


def test_a_sheet_that_cannot_be_read_is_told_with_the_others(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook()
    for row in (["a", "b"], [1, 2], [3, 4, 5], [6, 7]):
        workbook.active.append(row)
    workbook.create_sheet("Other").append(["x"])
    workbook.save(tmp_path / "book.xlsx")
    with pytest.raises(TamisError, match=r"Line 3 of book\.xlsx.*takes another \('Other'\)"):
        tamis.select(tmp_path / "book.xlsx", 1)
