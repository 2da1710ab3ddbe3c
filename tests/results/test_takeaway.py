"""Tables and pictures as files."""

import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import tamis
from tamis.results.output import check_packages, write_frame, write_plot


@pytest.fixture
def table(numbers: np.ndarray) -> Any:
    names = ["=1+1", "b\x07", *"cdefg"]
    frame = pa.table({name: numbers[:, j] for j, name in enumerate(names)})
    return tamis.select(frame, 3).to_frame()


def test_a_sheet_has_the_rows_of_the_frame_and_names_are_no_formulas(table, tmp_path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
    path = write_frame(table, tmp_path / "a.xlsx")
    sheet = openpyxl.load_workbook(path).active
    head, *rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert head == table.column_names
    assert [row[0] for row in rows] == ["=1+1", "b?", *"cdefg"]
    assert sheet["A2"].data_type == "s"
    shares = [row[head.index("share")] for row in rows]
    assert shares == pytest.approx(table["share"].to_pylist())


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "feather"])
def test_other_tables_are_written_by_their_suffix(kind, table, tmp_path) -> None:
    path = write_frame(table, tmp_path / f"a.{kind}")
    if kind == "csv":
        assert pa.csv.read_csv(path)["share"].to_pylist() == pytest.approx(
            table["share"].to_pylist()
        )
    elif kind == "parquet":
        assert pa.parquet.read_table(path).equals(table)
    else:
        assert path.stat().st_size > 100


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_picture_has_the_same_bytes(kind, numbers, tmp_path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    found = tamis.select(numbers, 3)
    paths = [write_plot(found.plot(), tmp_path / f"{one}.{kind}") for one in "ab"]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a.{kind}", f"b.{kind}"]


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("a.xlsx", "openpyxl", "excel"), ("a.svg", "matplotlib", "plot")],
)
def test_a_missing_package_is_named_with_its_extra(
    name, package, extra, tmp_path, monkeypatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(tamis.TamisError, match=rf"needs {package}.*'tamis\[{extra}\]'"):
        check_packages(tmp_path / name)


@pytest.mark.parametrize("kind", ["csv", "tsv", "xlsx"])
def test_files_for_people_have_short_numbers_and_a_reason_for_every_column(
    kind, numbers, tmp_path
) -> None:
    frame = pa.table({f"c{j}": numbers[:, j] for j in range(7)} | {"one": [1.0] * 60})
    found = tamis.select(frame, 3, include=["c2"], exclude=["c6"], options={"forbid": ["c5"]})
    path = write_frame(found.to_frame(), tmp_path / f"a.{kind}")
    if kind == "xlsx":
        openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")
        head, *rows = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
    else:
        read = {"delimiter": "\t" if kind == "tsv" else ","}
        table = pa.csv.read_csv(path, parse_options=pa.csv.ParseOptions(**read))
        head, rows = table.column_names, [*zip(*table.to_pydict().values(), strict=True)]
    fractions = [cell for row in rows for cell in row if isinstance(cell, float)]
    assert fractions
    assert all(cell == float(f"{cell:.6g}") for cell in fractions)
    reasons = {row[0]: row[head.index("reason")] for row in rows}
    assert all(reasons.values())
    assert reasons["c2"] == "included"
    assert reasons["c5"] == "forbidden"
    assert (reasons["c6"], reasons["one"]) == ("excluded", "constant")
    assert {reasons[name] for name in found.names if name != "c2"} == {"selected"}


def test_files_for_programs_keep_every_digit(table, tmp_path) -> None:
    path = write_frame(table, tmp_path / "a.parquet")
    assert pa.parquet.read_table(path)["share"].to_pylist() == table["share"].to_pylist()
