"""Write results to files: whole or not at all."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tamis.errors import TamisError

SUFFIXES = (".csv", ".tsv", ".parquet", ".feather", ".arrow", ".npz")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a draft to write to, and put it in the place of `path` when all went well."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent or ".")
        os.close(handle)
    except OSError as error:
        raise TamisError(_unwritable(path, error)) from error
    draft = Path(name)
    try:
        yield draft
        draft.chmod(0o666 & ~_umask())
        draft.replace(path)
    except OSError as error:
        raise TamisError(_unwritable(path, error)) from error
    finally:
        draft.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Refuse an output that cannot be written, before any work is done."""
    if path.is_dir():
        raise TamisError(f"Cannot write {str(path)!r}: it is a folder, give a file name.")
    folder = path.parent
    if not folder.is_dir():
        raise TamisError(f"Cannot write {str(path)!r}: there is no folder {str(folder)!r}.")
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise TamisError(f"Cannot write {str(path)!r}: permission denied.")


def check_table_suffix(path: Path) -> None:
    """Refuse an output suffix that stands for no table format."""
    if path.suffix.lower() not in SUFFIXES:
        raise TamisError(f"Cannot write {path.name}: give one of {', '.join(SUFFIXES)}.")


def write_tables(tables: Iterable[Any], path: Path) -> None:
    """Write Arrow tables one after the other into a file of the kind its suffix says."""
    suffix = path.suffix.lower()
    with replacing(path) as draft:
        if suffix == ".npz":
            _write_npz(tables, draft)
        else:
            with draft.open("wb") as stream:
                write_stream(tables, stream, suffix)


def write_stream(tables: Iterable[Any], stream: IO[bytes], suffix: str) -> None:
    """Write Arrow tables one after the other to an open binary stream."""
    writer = None
    for table in tables:
        if writer is None:
            writer = _writer(stream, table.schema, suffix)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _writer(stream: IO[bytes], schema: Any, suffix: str) -> Any:
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        return pq.ParquetWriter(stream, schema)
    if suffix in (".feather", ".arrow"):
        import pyarrow as pa

        return pa.ipc.new_file(stream, schema)
    import pyarrow.csv as pc

    separator = "\t" if suffix == ".tsv" else ","
    return pc.CSVWriter(
        stream, schema, write_options=pc.WriteOptions(delimiter=separator, quoting_style="needed")
    )


def _write_npz(tables: Iterable[Any], draft: Path) -> None:
    import numpy as np
    import pyarrow as pa

    table = pa.concat_tables(tables)
    arrays = [column.to_numpy(zero_copy_only=False) for column in table.columns]
    text = [name for name, array in zip(table.column_names, arrays, strict=True) if _odd(array)]
    if text:
        raise TamisError(f"Column {text[0]!r} is text, which NPZ cannot hold: write Parquet.")
    with draft.open("wb") as stream:
        np.savez_compressed(
            stream, X=np.column_stack(arrays), feature_names=np.array(table.column_names)
        )


def _odd(array: Any) -> bool:
    return array.dtype.kind not in "fiub"


def _unwritable(path: Path, error: OSError) -> str:
    reason = (error.strerror or str(error)).lower()
    return f"Cannot write {str(path)!r}: {reason}."


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
