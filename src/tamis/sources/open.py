"""The only door: what a thing is, and which reader takes it.

Readers are loaded when a table of their kind comes: most need a package of their own.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, Unreadable
from tamis.sources.faults import check_names
from tamis.sources.shared_passes import open_once
from tamis.sources.source import GivesSource, Source, Unread
from tamis.sources.stamp import Stamp
from tamis.sources.standard_input import LABEL, NAME
from tamis.sources.suffixes import BOOKS, TEXTS, suffix_of
from tamis.sources.table_file import TableFile

__all__ = ["is_path", "open_file", "open_source"]


def open_source(
    data: Any,
    exact: Collection[str] = (),
    *,
    text: Collection[str] = (),
    unread: Unread | None = None,
) -> Source:
    """Recognise the table and wrap it; nothing is read yet but the names and kinds.

    A text file keeps the columns in `exact` just as they are written, and takes those in `text`
    for text even if they start with numbers. Damaged files and units of files in `unread` are done
    without; more that turn up while files are opened are added. None refuses them.
    """
    source = _open_any(data, exact, text, unread)
    check_names(source.names, source.label)
    return source


def _open_any(
    data: Any, exact: Collection[str], text: Collection[str], unread: Unread | None
) -> Source:
    if is_path(data):
        return _open_paths(data, exact, text, unread)
    if _is_array(data):
        from tamis.sources.arrays import ArraySource

        return ArraySource(data)
    if isinstance(data, GivesSource):
        return data.as_source()
    if _is_anndata(data):
        from tamis.sources.anndata import open_anndata_object

        return open_anndata_object(data)
    if (engine := type(data).__module__.partition(".")[0]) in ("dask", "pyspark"):
        return _open_engine(data, engine)
    from tamis.sources.streams import open_stream

    stream = open_stream(data)
    if stream is not None:
        return stream
    from tamis.sources.frames import FrameSource

    return FrameSource(data)


def _is_anndata(data: Any) -> bool:
    return any(c.__name__ == "AnnData" and "anndata" in c.__module__ for c in type(data).__mro__)


def _open_engine(data: Any, engine: str) -> Source:
    if engine == "dask":
        from tamis.sources.dask import open_dask

        return open_dask(data)
    from tamis.sources.spark import open_spark

    return open_spark(data)


def _is_array(data: Any) -> bool:
    kinds = {name for cls in type(data).__mro__ for name in [f"{cls.__module__}.{cls.__name__}"]}
    return (
        "numpy.ndarray" in kinds
        or isinstance(data, list | tuple)
        or any(name.startswith("scipy.sparse") for name in kinds)
    )


def is_path(data: Any) -> bool:
    """Whether this is the name of a file, or a list of such names.

    >>> is_path("a.csv"), is_path(["a.csv", "b.csv"]), is_path([[1, 2]]), is_path([])
    (True, True, False, False)
    """
    if isinstance(data, TableFile):
        return True
    items = data if isinstance(data, list | tuple) else [data]
    return bool(items) and all(isinstance(item, str | os.PathLike) for item in items)


def _open_paths(
    given: Any, exact: Collection[str], text: Collection[str], unread: Unread | None
) -> Source:
    """Open the file that a path names, or all files of a list, a folder or a pattern."""
    from tamis.sources.parts import expand_path, join_parts, label_of

    how = TableFile.of(given)
    names = how.names
    paths = [path for name in names for path in expand_path(name)]
    if names == [NAME]:
        with _call_by_label(LABEL, paths[0]):
            source = open_file(paths[0], exact, text, unread, how)
        doubts = tuple(doubt.replace(paths[0].name, LABEL) for doubt in source.info.doubts)
        source.info = replace(source.info, label=LABEL, doubts=doubts)
    elif len(paths) == 1 and paths[0] == Path(names[0]):
        source = open_file(paths[0], exact, text, unread, how)
    else:
        source = join_parts(
            paths,
            label_of(names),
            lambda path, more: open_file(path, exact, [*text, *more], unread, how),
            unread,
        )
    if source.has_rows:
        source = _turn(source, how)
    source.info = replace(source.info, origin=how.origin)
    return source


def _turn(source: Source, how: TableFile) -> Source:
    """Turn a table whose variables are in rows; ask where it looks so and nothing was said."""
    if how.transpose is None:
        from tamis.sources.orientation import check_orientation

        check_orientation(source)
        return source
    if not how.transpose:
        return source
    from tamis.sources.transposed import transpose

    return transpose(source)


@contextmanager
def _call_by_label(label: str, path: Path) -> Iterator[None]:
    """Put what the user knows into messages in place of the name of a temporary file."""
    try:
        yield
    except TamisError as error:
        error.args = (str(error).replace(path.name, label),)
        raise


def open_file(
    path: Path,
    exact: Collection[str] = (),
    text: Collection[str] = (),
    unread: Unread | None = None,
    how: TableFile | None = None,
) -> Source:
    """Choose the reader by suffix; `.gz` and `.bz2` behind a text suffix are unpacked.

    `how` says what else is known about text files and sheets.
    """
    _check_file(path)
    source = _open_by_suffix(path, exact, text, unread, how or TableFile(path))
    # A sheet is read from a text of its own: the sheets of a workbook are different tables.
    files = source.info.files or ((path,) if path.is_file() else None)
    source.info = replace(source.info, files=files)
    return source


def _open_by_suffix(
    path: Path, exact: Collection[str], text: Collection[str], unread: Unread | None, how: TableFile
) -> Source:
    suffix = suffix_of(path)
    if suffix not in (*BOOKS, ".rdata", ".rda"):
        how.check_no_sheet(path.name)
    if suffix not in (".h5ad", ".zarr"):
        how.check_no_layer(path.name)
    if suffix in (*TEXTS, *BOOKS):
        return _open_text(path, suffix, exact, text, how)
    from tamis.sources.readers import READERS, refuse_suffix

    if suffix not in READERS:
        raise refuse_suffix(path, suffix)
    how.check_text(path.name)
    return READERS[suffix](path, how, unread)


def _open_text(
    path: Path, suffix: str, exact: Collection[str], text: Collection[str], how: TableFile
) -> Source:
    from tamis.sources.delimited import DelimitedSource
    from tamis.sources.text_form import as_plain_text

    if suffix in BOOKS:
        from tamis.sources.spreadsheet import sheet_as_text

        replace(how, header=None, skip_lines="auto").check_text(path.name)
        sheet = sheet_as_text(path, how.sheet)
        said = sheet.doubts
        read = partial(as_plain_text, sheet.path, ".csv", replace(how, delimiter=","))
    else:
        said, read = (), partial(as_plain_text, path, suffix, how)
    try:
        form = read()
        source = open_once(
            (Stamp(form.path).key, form.mark, form.header, frozenset(exact), frozenset(text)),
            lambda: DelimitedSource(
                form.path, mark=form.mark, header=form.header, exact=exact, text=text
            ),
        )
    except TamisError as error:  # another sheet may be the table
        error.args = (" ".join([str(error), *said]),)
        raise
    form = replace(form, doubts=(*said, *form.doubts))
    source.info = replace(source.info, texts=dict(form.texts)).with_doubts(form.doubts)
    return source


def _check_file(path: Path) -> None:
    from tamis.sources.files import explain_unreadable

    with explain_unreadable(path):
        if not path.exists():
            raise TamisError(f"There is no file {str(path)!r}: check the name and the folder.")
        if path.stat().st_size == 0:
            raise Unreadable(
                f"{path.name} is empty: give a file with a header line and rows.", str(path)
            )
