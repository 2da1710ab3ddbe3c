"""Files are known by what they hold, whatever they are called."""

import io
import os

import numpy as np
import pytest

from tamis.errors import TamisError
from tamis.sources.files import hash_files
from tamis.sources.marked import recast
from tamis.sources.open import open_source


def _print_of(data):
    return hash_files(open_source(data))


def test_a_copy_has_the_fingerprint_of_the_file_and_another_table_has_not(tmp_path):
    for name, text in (("a", "x,y\n1,2\n"), ("b", "x,y\n1,2\n"), ("c", "x,y\n1,3\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    a, b, c = (_print_of(tmp_path / f"{name}.csv") for name in "abc")
    assert a == b != c
    assert len(a) == 1
    assert _print_of([tmp_path / "a.csv", tmp_path / "c.csv"]) == tuple(sorted({*a, *c}))


def test_a_file_that_has_changed_has_another_fingerprint(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n")
    before = _print_of(path)
    path.write_text("x,y\n1,9\n")
    os.utime(path, (1, 1))
    assert _print_of(path) != before


@pytest.mark.parametrize("save", ["dense", "columns", "sparse"])
def test_archives_have_one_too(tmp_path, numbers, save):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    path = tmp_path / "a.npz"
    if save == "sparse":
        scipy_sparse.save_npz(path, scipy_sparse.csr_array(numbers))
    else:
        np.savez(path, X=np.asarray(numbers, order="F" if save == "columns" else "C"))
    assert len(_print_of(path)) == 1
    assert len(_print_of([path])) == 1


def test_sheets_of_one_workbook_are_told_apart(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    from tamis import TableFile

    book = openpyxl.Workbook()
    for sheet, value in ((book.active, 1), (book.create_sheet("second"), 2)):
        sheet.append(["x", "y"])
        sheet.append([value, 3])
    book.save(tmp_path / "a.xlsx")
    first, second = (_print_of(TableFile(tmp_path / "a.xlsx", sheet=n)) for n in (1, 2))
    assert first != second


def test_a_file_that_is_gone_is_one_sentence(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,2\n")
    source = open_source(path)
    path.unlink()
    with pytest.raises(TamisError, match=r"a\.csv cannot be opened: no such file"):
        hash_files(source)


def test_what_is_no_file_has_none(numbers):
    assert _print_of(numbers) == ()


def test_standard_input_is_known_by_what_came(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")

    class Piped(io.StringIO):
        buffer = io.BytesIO(b"x,y\n1,2\n")

    monkeypatch.setattr("sys.stdin", Piped())
    assert _print_of("-") == _print_of(tmp_path / "a.csv")


def test_columns_taken_for_another_kind_leave_the_files_what_they_are(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"x,y\n1,{name}\n2,{name}\n")
    source = open_source(tmp_path)
    assert len(hash_files(source)) == 2
    assert hash_files(recast(source, ["x"], [])) == hash_files(source)
