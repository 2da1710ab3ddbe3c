"""Write results to files: whole or not at all."""

import csv
import io
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from tamis.errors import TamisError
from tamis.sources.draft import explain_unwritable, replace_file, resolve_path

TABLES = (".csv", ".tsv", ".parquet", ".feather", ".arrow", ".npz")
PAGES = (".html", ".htm")
_GATHERED = (".parquet", ".feather", ".arrow")
_GROUP_BYTES = 1 << 24


def write_page(path: str | Path, page: str) -> Path:
    """Write an HTML page and give its path."""
    with replace_file(Path(path)) as draft:
        draft.write_text(page, encoding="utf-8")
    return Path(path)


def check_output(path: Path, suffixes: tuple[str, ...], sources: Iterable[Path]) -> None:
    """Refuse an output that cannot be written, or is the table read, before any work is done."""
    shown = repr(str(path))
    resolve_path(path)
    try:
        folder = path.parent
        if path.is_dir():
            raise TamisError(f"Cannot write {shown}: it is a folder, give a file name.")
        if path.suffix.lower() not in suffixes:
            *most, last = suffixes
            kinds = f"{', '.join(most)} or {last}" if most else last
            raise TamisError(f"Cannot write {shown}: give a name ending in {kinds}.")
        if not folder.is_dir():
            raise TamisError(f"Cannot write {shown}: there is no folder {str(folder)!r}.")
        if any(_same(path, source) for source in sources):
            raise TamisError(f"Cannot write {shown}: it is the table to read, give another name.")
    except OSError as error:
        raise TamisError(explain_unwritable(path, error)) from error
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise TamisError(f"Cannot write {shown}: permission denied.")


def write_table(tables: Iterable[Any], path: Path, suffix: str, *, safe: bool = False) -> None:
    """Write Arrow tables one after the other into a file of the kind the suffix says.

    With `safe`, text in a CSV file that a spreadsheet would run as a formula begins with `'`.
    """
    if suffix == ".npz":
        _write_npz(tables, path)
        return
    with path.open("wb") as stream:
        write_stream(tables, stream, suffix, safe=safe)


def write_stream(
    tables: Iterable[Any], stream: IO[bytes], suffix: str, *, safe: bool = False
) -> None:
    """Write Arrow tables one after the other to an open binary stream."""
    if safe and suffix in (".csv", ".tsv"):
        tables = map(without_formulas, tables)
    rest = _gather_tables(tables) if suffix in _GATHERED else iter(tables)
    first = next(rest)
    with _explain_unfit(suffix), _writer(stream, first.schema, suffix) as writer:
        writer.write_table(first)
        for table in rest:
            writer.write_table(table)


def _gather_tables(tables: Iterable[Any]) -> Iterator[Any]:
    """Put small tables together: each becomes a row group, and many small ones are slow to read."""
    import pyarrow as pa

    held: list[Any] = []
    for table in tables:
        held.append(table)
        if sum(part.nbytes for part in held) >= _GROUP_BYTES:
            yield pa.concat_tables(held).combine_chunks()
            held = []
    if held:
        yield pa.concat_tables(held).combine_chunks()


@contextmanager
def _explain_unfit(suffix: str) -> Iterator[None]:
    """Say in one sentence that a kind of file has no room for some type of column."""
    import pyarrow as pa

    try:
        yield
    except pa.ArrowException as error:
        reason = " ".join(str(error).split())[:120].rstrip(".")
        raise TamisError(
            f"A {suffix} file cannot hold one of the columns ({reason}): exclude it, or write "
            ".feather."
        ) from error


def _writer(stream: IO[bytes], schema: Any, suffix: str) -> Any:
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        return pq.ParquetWriter(stream, schema)
    if suffix in (".feather", ".arrow"):
        import pyarrow as pa

        return pa.ipc.new_file(stream, schema)
    import pyarrow.csv as pc

    separator = "\t" if suffix == ".tsv" else ","
    # Arrow would put every name into quotes.
    header = io.StringIO()
    csv.writer(header, delimiter=separator, lineterminator="\n").writerow(schema.names)
    stream.write(header.getvalue().encode())
    options = pc.WriteOptions(include_header=False, delimiter=separator)
    return pc.CSVWriter(stream, schema, write_options=options)


def _write_npz(tables: Iterable[Any], draft: Path) -> None:
    """Write one array; its shape stands at the top, so the rows wait in a file until it is known.

    The file has no name: it is deleted with the last handle on it.
    """
    import numpy as np
    import pyarrow as pa

    with tempfile.TemporaryFile(dir=draft.parent) as waiting:
        n, names, kinds = 0, [], set()
        with ExitStack() as stack:
            writer = None
            for table in tables:
                writer = writer or stack.enter_context(pa.ipc.new_stream(waiting, table.schema))
                names, n = table.column_names, n + table.num_rows
                kinds |= {array.dtype for array in _arrays(table)}
                writer.write_table(table)
        waiting.seek(0)
        dtype = np.result_type(*kinds)
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            with archive.open("X.npy", "w", force_zip64=True) as member:
                header = {"descr": dtype.str, "fortran_order": False, "shape": (n, len(names))}
                np.lib.format.write_array_header_1_0(member, header)
                for batch in pa.ipc.open_stream(waiting):
                    rows = np.column_stack(_arrays(batch)).astype(dtype, copy=False)
                    member.write(np.ascontiguousarray(rows).data)
            with archive.open("feature_names.npy", "w") as member:
                np.lib.format.write_array(member, np.array(names), allow_pickle=False)


def _arrays(table: Any) -> list[Any]:
    with _explain_unfit(".npz"):
        arrays = [column.to_numpy(zero_copy_only=False) for column in table.columns]
    for name, array in zip(table.schema.names, arrays, strict=True):
        if array.dtype.kind not in "fiub":
            raise not_numbers(name)
    return arrays


def not_numbers(name: str) -> TamisError:
    """Say that a column does not fit into an array."""
    return TamisError(
        f"Column {name!r} is not all numbers, which .npz cannot hold: write .parquet."
    )


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False


_RUN = r"^[=+\-@\t\r]"  # how a cell begins that Excel, LibreOffice or Google Sheets may run
_PLAIN_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_MARK = "'"


def without_formulas(table: Any) -> Any:
    """Put `'` before such text and before such names; numbers are none, also as text.

    >>> import pyarrow as pa
    >>> without_formulas(pa.table({"=a": ["@b", "-5", "c"], "n": [-1, 2, 3]})).to_pydict()
    {"'=a": ["'@b", '-5', 'c'], 'n': [-1, 2, 3]}
    """
    import pyarrow as pa

    columns = [
        _mark_formulas(column) if _is_text(column.type) else column for column in table.columns
    ]
    names = _mark_formulas(pa.array(table.column_names, pa.string())).to_pylist()
    return pa.table(columns, names=names)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or "string_view" in str(kind)


def _mark_formulas(texts: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = texts.cast(pa.large_string()) if texts.type != pa.string() else texts
    runs = pc.and_not(
        pc.match_substring_regex(texts, _RUN), pc.match_substring_regex(texts, _PLAIN_NUMBER)
    )
    mark = pa.scalar(_MARK, texts.type)
    return pc.if_else(
        runs, pc.binary_join_element_wise(mark, texts, pa.scalar("", texts.type)), texts
    )


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
        sheet.append(
            [ILLEGAL_CHARACTERS_RE.sub("?", one) if isinstance(one, str) else one for one in row]
        )
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
