"""The only door: what a thing is, and which reader takes it.

Readers are loaded when a table of their kind comes: most need a package of their own.
"""

import os
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from tamis.errors import TamisError, Unreadable, by_door, spell
from tamis.rules import tables as rules
from tamis.rules.kinds import NUMBER_KINDS
from tamis.sources.faults import check_names
from tamis.sources.files import LABEL, NAME, explain_unreadable, look_at_file
from tamis.sources.shared_passes import open_once
from tamis.sources.source import GivesSource, Source, Unread
from tamis.sources.table_file import BOOKS, READERS, TEXTS, TableFile, suffix_of


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
    # By their names: no library is loaded to recognise what is not of it.
    kinds = {f"{cls.__module__}.{cls.__name__}" for cls in type(data).__mro__}
    sparse = any(kind.startswith("scipy.sparse") for kind in kinds)
    if sparse or "numpy.ndarray" in kinds or isinstance(data, list | tuple):
        from tamis.sources.arrays import ArraySource

        return ArraySource(data)
    if isinstance(data, GivesSource):
        return data.as_source()
    if any("anndata" in kind and kind.endswith(".AnnData") for kind in kinds):
        from tamis.sources.anndata import open_anndata_object

        return open_anndata_object(data)
    engine = type(data).__module__.partition(".")[0]
    if engine == "dask":
        from tamis.sources.dask import open_dask

        return open_dask(data)
    if engine == "pyspark":
        from tamis.sources.spark import open_spark

        return open_spark(data)
    from tamis.sources.streams import open_stream

    if (stream := open_stream(data)) is not None:
        return stream
    from tamis.sources.frames import FrameSource

    return FrameSource(data)


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
        try:
            source = open_file(paths[0], exact, text, unread, how)
        except TamisError as error:  # not the name of a temporary file
            error.args = (str(error).replace(paths[0].name, LABEL),)
            raise
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
    if source.has_rows and how.transpose is None:
        check_orientation(source)
    elif source.has_rows and how.transpose:
        from tamis.sources.transposed import transpose

        source = transpose(source)
    source.info = replace(source.info, origin=how.origin)
    return source


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
    with explain_unreadable(path):
        if not path.exists():
            raise TamisError(f"There is no file {str(path)!r}: check the name and the folder.")
        if path.stat().st_size == 0:
            raise Unreadable(
                f"{path.name} is empty: give a file with a header line and rows.", str(path)
            )
    how, suffix = how or TableFile(path), suffix_of(path)
    how.check_options(path.name, suffix)
    if suffix in (*TEXTS, *BOOKS):
        source = _open_text(path, suffix, exact, text, how)
    else:
        _, module, name, taken = READERS[suffix]
        reader = getattr(import_module(f"tamis.sources.{module}"), name)
        source = reader(path, {"unread": unread, **vars(how)}[taken]) if taken else reader(path)
    # A sheet is read from a text of its own: the sheets of a workbook are different tables.
    files = source.info.files or ((path,) if path.is_file() else None)
    source.info = replace(source.info, files=files)
    return source


def _open_text(
    path: Path, suffix: str, exact: Collection[str], text: Collection[str], how: TableFile
) -> Source:
    from tamis.sources.delimited import DelimitedSource
    from tamis.sources.text_form import as_plain_text

    if suffix in BOOKS:
        from tamis.sources.spreadsheet import sheet_as_text

        sheet, said = sheet_as_text(path, how.sheet)
        read = partial(as_plain_text, sheet, ".csv", replace(how, delimiter=","))
    else:
        said, read = (), partial(as_plain_text, path, suffix, how)
    try:
        plain, layout = read()
        mark, header = layout.separator, layout.header
        source = open_once(
            (look_at_file(plain), mark, header, frozenset(exact), frozenset(text)),
            lambda: DelimitedSource(plain, mark=mark, header=header, exact=exact, text=text),
        )
    except TamisError as error:  # another sheet may be the table
        error.args = (" ".join([str(error), *said]),)
        raise
    doubts = (*said, *layout.doubts)
    source.info = replace(source.info, texts=dict(layout.texts)).with_doubts(doubts)
    return source


_IDS = re.compile(rules.IDS)
_VARIABLES = re.compile(rules.VARIABLES, re.IGNORECASE)
_OBSERVATIONS = re.compile(rules.OBSERVATIONS, re.IGNORECASE)
_NUMBERED = re.compile(rules.NUMBERED)


def check_orientation(source: Source) -> None:
    """Ask, by an error that names both ways out, where the variables seem to be in rows."""
    kinds = source.kinds
    if len(kinds) <= rules.FEWEST_COLUMNS or kinds[0] not in ("categorical", "row names"):
        return
    texts_first = next((j for j, kind in enumerate(kinds) if kind in NUMBER_KINDS), len(kinds))
    if texts_first > rules.MAX_TEXTS or len(kinds) - texts_first < rules.FEWEST_COLUMNS:
        return
    numbers = [j for j, kind in enumerate(kinds) if kind in NUMBER_KINDS]
    last = numbers[-1] + 1
    if len(kinds) - last > rules.MAX_TEXTS or len(numbers) < last - texts_first:
        return
    first = next(iter(islice(source.tables([0]), 1)), None)
    rows = [] if first is None else first.column(0).slice(0, rules.NAMES_LOOKED_AT).to_pylist()
    texts = [str(text) for text in rows if text is not None]
    columns = source.names[texts_first:last]
    named = _may_be_observations(columns) or _are_numbered(columns)
    if (named or last == len(kinds)) and looks_transposed(source.names[0], texts, columns):
        yes, no = spell("transpose", True), spell("transpose", False)
        ways = by_door(
            f"read it as `tamis.TableFile(path, {yes})` if they are, with {no} if not",
            f"pass {yes} if they are, {no} if not",
        )
        rows_shown, columns_shown = (", ".join(map(repr, some[:2])) for some in (texts, columns))
        raise TamisError(
            f"The variables of {source.label} may be in rows: its rows are named {rows_shown}, ... "
            f"and its columns {columns_shown}, ...: {ways}."
        )


def _may_be_observations(columns: Sequence[str]) -> bool:
    return _share(columns[: rules.NAMES_LOOKED_AT], _OBSERVATIONS) >= rules.ALIKE


def looks_transposed(first: str, rows: Sequence[str], columns: Sequence[str]) -> bool:
    """Whether the names of the rows look like variables, or those of the columns like rows.

    >>> genes = [f"ENSG{j:011d}" for j in range(40)]
    >>> looks_transposed("", genes, ["a", "b", "c"]), looks_transposed("", ["a"] * 40, genes)
    (True, False)
    """
    if len(rows) < rules.FEWEST_ROWS or len(set(rows)) < len(rows):
        return False
    if _share(rows, _IDS) >= rules.ALIKE:
        return True
    observed = _may_be_observations(columns)
    if _VARIABLES.fullmatch(first.strip()):
        return observed or _are_numbered(columns)
    return observed and _share(rows, _OBSERVATIONS) < rules.ALIKE


def _share(names: Sequence[str], pattern: re.Pattern[str]) -> float:
    some = [name[: rules.NAME_LETTERS_LOOKED_AT] for name in names[: rules.NAMES_LOOKED_AT]]
    return sum(pattern.fullmatch(name) is not None for name in some) / max(len(some), 1)


def _are_numbered(names: Sequence[str]) -> bool:
    """Whether most names are one word or a few with a number: S1, S2, ..."""
    found = [
        _NUMBERED.fullmatch(name[: rules.NAME_LETTERS_LOOKED_AT])
        for name in names[: rules.NAMES_LOOKED_AT]
    ]
    words = Counter(match[1] for match in found if match is not None)
    numbered = sum(times for times in words.values() if times >= rules.LEAST_NUMBERED)
    return numbered >= rules.ALIKE * len(names[: rules.NAMES_LOOKED_AT])
