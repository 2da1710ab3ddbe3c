"""Write results to files: whole or not at all."""

import csv
import io
import os
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from tamis.errors import TamisError
from tamis.results.formulas import without_formulas
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
            raise TamisError(f"Cannot write {shown}: give a name ending in {_any_of(suffixes)}.")
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
    """Give the columns as arrays, refusing what is no number."""
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


def _any_of(suffixes: tuple[str, ...]) -> str:
    *most, last = suffixes
    return f"{', '.join(most)} or {last}" if most else last
