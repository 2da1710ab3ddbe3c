"""Tables and pictures of a result as files: whole or not at all."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tamis.errors import TamisError
from tamis.results.output import write_table
from tamis.sources.draft import replace_file

__all__ = ["FRAMES", "PLOT_SUFFIXES", "check_packages", "write_frame", "write_plot"]

FRAMES = (".csv", ".tsv", ".xlsx", ".parquet", ".feather", ".arrow")
PLOT_SUFFIXES = (".svg", ".png", ".pdf")
_NEEDED = {".xlsx": ("openpyxl", "excel"), **dict.fromkeys(PLOT_SUFFIXES, ("matplotlib", "plot"))}
_READ = (".csv", ".tsv", ".xlsx")  # by people
_MAX_CELL_LETTERS = 60  # letters of a cell that a sheet makes room for
_DPI = 200


def check_packages(path: Path) -> None:
    """Refuse a file that needs a package which is not installed."""
    package, extra = _NEEDED.get(path.suffix.lower(), ("", ""))
    if package and find_spec(package) is None:
        raise TamisError(
            f"Cannot write {str(path)!r}: it needs {package}, which is not installed; "
            f"pip install 'tamis[{extra}]'."
        )


def write_frame(table: Any, path: str | Path, *, safe: bool = False) -> Path:
    """Write an Arrow table to a file of the kind that its name says.

    Files that people read have numbers of six digits, the others all of them. With `safe`, text
    that a spreadsheet would take for a formula is marked as text in a CSV file.
    """
    path = Path(path)
    check_packages(path)
    suffix = path.suffix.lower()
    table = _round_table(table) if suffix in _READ else table
    with replace_file(path) as draft:
        if suffix == ".xlsx":
            _write_sheet(table, draft)
        else:
            write_table([table], draft, suffix, safe=safe)
    return path


def write_plot(axes: Any, path: str | Path) -> Path:
    """Write the figure of a picture, the same bytes for the same picture."""
    from matplotlib import rc_context

    path = Path(path)
    kind = path.suffix.lower().removeprefix(".")
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    with replace_file(path) as draft, rc_context({"svg.hashsalt": "tamis"}):
        axes.figure.savefig(draft, format=kind, dpi=_DPI, metadata=undated)
    return path


def _round_table(table: Any) -> Any:
    """Write fractions with six digits; none becomes a false 1."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if pa.types.is_floating(field.type):
            values = [None if v is None else _short(v) for v in table.column(place).to_pylist()]
            table = table.set_column(place, field, pa.array(values, field.type))
    return table


def _short(value: float) -> float:
    """Round to six digits.

    >>> _short(0.12345678901), _short(0.99999999), _short(1.0), _short(1.23456789e-8)
    (0.123457, 0.999999, 1.0, 1.23457e-08)
    """
    short = float(f"{value:.6g}")
    return 0.999999 if short == 1.0 and value < 1 - 1e-9 else short


def _write_sheet(table: Any, draft: Path) -> None:
    """Write a workbook of one sheet: its head stays in view, and its columns can be filtered."""
    from openpyxl import Workbook
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.utils import get_column_letter

    book = Workbook()
    sheet = book.active
    sheet.title = "columns"
    sheet.append(table.column_names)
    for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
        sheet.append([_cell(value, ILLEGAL_CHARACTERS_RE) for value in row])
    for cells in sheet.iter_rows(min_row=2):
        for cell in cells:
            # A name that starts with = is text, not a formula.
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type
    for place, name in enumerate(table.column_names, start=1):
        texts = [name, *(str(value) for value in table[name].to_pylist()[:200])]
        width = min(max(map(len, texts)), _MAX_CELL_LETTERS)
        shares = table[name].type == "double"
        sheet.column_dimensions[get_column_letter(place)].width = 10 if shares else width + 2
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions
    book.save(draft)


def _cell(value: Any, illegal: Any) -> Any:
    return illegal.sub("?", value) if isinstance(value, str) else value
