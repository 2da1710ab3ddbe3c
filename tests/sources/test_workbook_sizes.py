"""Workbooks that ask for more memory than there may be, found out before they are read."""

import zipfile
from pathlib import Path

import pytest

from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources.workbook_sizes import ExcelGrid, OpenDocumentGrid, check_workbook


def _book(path: Path, **parts: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(f"{name}.xml", data)
    return path


def test_a_cell_far_outside_of_the_table_makes_a_large_grid() -> None:
    grid = ExcelGrid([])
    grid.add(b'<row r="1"><c r="A1"><v>1</v></c></row><row r="9"><c r="XFD1048576"/></row>')
    assert grid.cells == 16384 * 1048576


def test_a_shared_text_counts_once_for_every_cell_that_has_it() -> None:
    shared: list[int] = []
    ExcelGrid(shared).add(b"<sst><si><t>" + b"x" * 100 + b"</t></si></sst>")
    grid = ExcelGrid(shared)
    grid.add(
        b'<c r="A1" t="s"><v>0</v></c><c r="A2" s="3" t="s"><v>0</v></c><c r="A3"><v>0</v></c>'
    )
    assert 200 <= grid.texts <= 240


def test_empty_rows_and_cells_to_the_edge_of_a_sheet_take_no_room() -> None:
    grid = OpenDocumentGrid()
    filled = b'<table:table-cell office:value-type="float"/>'
    edge = b'<table:table-cell table:number-columns-repeated="16382"/>'
    grid.add(b"<table:table-row>" + 2 * filled + edge + b"</table:table-row>")
    grid.add(b'<table:table-row table:number-rows-repeated="1048574">')
    grid.add(edge + b"</table:table-row></table:table>")
    assert grid.cells == 2


def test_a_filled_row_that_stands_for_a_million_is_counted_as_such() -> None:
    grid = OpenDocumentGrid()
    many = b'<table:table-cell table:number-columns-repeated="1000" office:value-type="float"/>'
    grid.add(b'<table:table-row table:number-rows-repeated="1000000">' + many)
    grid.add(b"</table:table-row>")
    assert grid.cells == 10**9


def test_a_workbook_beyond_the_memory_allowed_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = _book(tmp_path / "t.xlsx", sheet=b'<c r="A1"><v>1</v></c><c r="XFD1048576"/>')
    with limit_memory(1 << 30), pytest.raises(TamisError, match="far outside of the table"):
        check_workbook(path, ".xlsx")
