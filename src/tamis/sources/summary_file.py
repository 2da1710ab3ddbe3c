"""A summary in a file (`.tamis`): an NPZ archive without pickles, described in docs/summaries.md.

`header.json` says what the columns are and what was counted; the arrays are the moments of one or
more blocks of rows. The scatter matrices stand in tiles of the upper triangle, so that no array in
the file is large. Everything is checked when it is read: who wrote the file is not known.
"""

import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from tamis.errors import TamisError, spell_name
from tamis.memory import check_room
from tamis.numerics.eigen import is_scatter
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import STORED_WORDS
from tamis.rules.kinds import Kind
from tamis.rules.tolerances import LARGEST_SUMMABLE
from tamis.sources.draft import replace_file
from tamis.sources.faults import check_names
from tamis.sources.files import explain_unreadable
from tamis.sources.npz import Member, open_member
from tamis.sources.source import Source, SourceInfo
from tamis.sources.stored_summary import (
    MOST_COLUMNS,
    MomentArrays,
    StoredCategory,
    StoredSummary,
    list_table_names,
    mark_empty,
    tile_slices,
)
from tamis.values import dataclass
from tamis.versions import version_of

SUFFIX = ".tamis"
FORMAT, VERSION = "tamis summary", 1
TEXT_VERSION = 2  # of files with columns of text, which earlier releases would misread

NUMBERS_ROWS = "looks like an identifier of the rows"
_HEADER = "header.json"
_LONGEST_HEADER = 1 << 24  # 20,000 names of 800 letters; as values it is 20 times as large


def check_width(width: int, label: str) -> None:
    """Refuse a table whose scatter matrix is too large to be held."""
    if width > MOST_COLUMNS:
        raise TamisError(
            f"{label} has {width:,} columns, whose scatter matrix would take "
            f"{8e-9 * width * width:.0f} GB: choose at most {MOST_COLUMNS:,} with "
            f"{spell_name('columns')}."
        )


def write_summary(stored: StoredSummary, path: Path) -> None:
    """Write a summary, whole or not at all."""
    header = {
        "format": FORMAT,
        "version": TEXT_VERSION if stored.categories else VERSION,
        "tamis": version_of("tamis"),
        "names": list(stored.names),
        "named": stored.named,
        "kinds": list(stored.kinds),
        "rows": stored.rows,
        "used": stored.used,
        "missing": list(stored.missing),
        "parts": stored.parts,
        "blocks": len(stored.blocks),
        **({} if stored.place is None else {"place": stored.place}),
        **({"inputs": list(stored.inputs)} if stored.inputs else {}),
        **({"min_rows": stored.least} if stored.least > 1 else {}),
        **({"keys": list(stored.keys)} if stored.keys else {}),
        **({"categories": list(map(asdict, stored.categories))} if stored.categories else {}),
    }
    vectors = {
        "count": np.array([block.count for block in stored.blocks], dtype=np.int64),
        "missing": stored.absent,
        **{
            name: np.array([vars(block)[name] for block in stored.blocks])
            for name in ("mean", "rest", "unit")
        },
    }
    text = json.dumps(header, ensure_ascii=False, indent=1).encode()
    if len(text) > _LONGEST_HEADER:
        raise TamisError(
            f"Cannot write {str(path)!r}: the names of its columns take {len(text) >> 20:,} MB, "
            "give them shorter ones."
        )
    with replace_file(path) as draft, zipfile.ZipFile(draft, "w") as file:
        file.writestr(_HEADER, text)
        for name, values in vectors.items():
            write_array(file, name, values)
        for number, block in enumerate(stored.blocks):
            for i, j, rows, columns in tile_slices(len(stored.names)):
                tile = np.ascontiguousarray(block.scatter[rows, columns])
                write_array(file, f"scatter_{number}_{i}_{j}", tile)


def write_array(file: zipfile.ZipFile, name: str, values: Any) -> None:
    """Write an array into an open archive, without pickles."""
    with file.open(f"{name}.npy", "w") as stream:
        np.lib.format.write_array(stream, values, version=(1, 0), allow_pickle=False)


def read_summary(path: Path) -> StoredSummary:
    """Read and check a summary."""
    if not zipfile.is_zipfile(path):
        raise TamisError(f"{path.name} is not a summary, or is damaged: write it again.")
    # One file is read from its start to its end, though an update may put another in its place.
    with explain_unreadable(path.name), zipfile.ZipFile(path) as archive:
        file = Archive(path, archive)
        header = check_header(file.header(), FORMAT, (VERSION, TEXT_VERSION), path.name)
        check_names(header["names"], path.name)
        categories = read_categories(header)
        width = len(header["names"])
        check_width(width, path.name)
        check_room(8 * width**2 * (header["blocks"] + 1), path.name)
        stored = StoredSummary(
            tuple(header["names"]),
            tuple(header["kinds"]),
            header["named"],
            header["rows"],
            file.array("missing", (width,), np.int64),
            tuple(header["missing"]),
            tuple(file.blocks(width, header["blocks"])),
            header["parts"],
            header.get("place"),
            tuple(header.get("inputs", ())),
            header.get("min_rows", 1),
            categories,
            keys=tuple(header.get("keys", ())),
        )
        check_arrays(stored, header["used"])
    return stored


@dataclass(frozen=True, eq=False)
class Archive:
    """The parts of a `.tamis` file, each checked before it is unpacked."""

    path: Path
    archive: zipfile.ZipFile

    def header(self) -> Any:
        """Read what the columns are."""
        with open_member(self.archive, _HEADER) as (stream, size):
            if size > _LONGEST_HEADER:
                raise ValueError("its header is too long")
            return json.loads(stream.read(size).decode("utf-8"))

    def blocks(self, width: int, count: int) -> Iterator[MomentArrays]:
        """Read the moments of every block of rows."""
        counts = self.array("count", (count,), np.int64)
        vectors = [self.array(name, (count, width)) for name in ("mean", "rest", "unit")]
        for number in range(count):
            mean, rest, unit = (values[number] for values in vectors)
            scatter = self._scatter(width, number)
            yield MomentArrays(int(counts[number]), mean, scatter, rest, unit)

    def _scatter(self, width: int, number: int) -> Floats:
        # The first tile is read before there is room for all: a damaged file often has none.
        scatter = None
        for i, j, rows, columns in tile_slices(width):
            shape = (rows.stop - rows.start, columns.stop - columns.start)
            tile = self.array(f"scatter_{number}_{i}_{j}", shape)
            scatter = np.empty((width, width)) if scatter is None else scatter
            if i == j:
                tile = np.triu(tile) + np.triu(tile, 1).T
            scatter[rows, columns] = tile
            scatter[columns, rows] = tile.T
        assert scatter is not None
        return scatter

    def array(self, name: str, shape: tuple[int, ...], dtype: Any = np.float64) -> Any:
        """Read an array of this shape and type; any other is refused before it is unpacked."""
        member = Member(self.path, f"{name}.npy", self.archive)
        if member.shape != shape or member.dtype.newbyteorder("=") != np.dtype(dtype):
            raise ValueError(
                f"{name!r} is {member.dtype} of the shape {member.shape}, not {np.dtype(dtype)} of "
                f"the shape {shape}"
            )
        return member.read_all().astype(dtype)


def open_summary(path: Path) -> "SummarySource":
    """Open a summary as the table it was made of."""
    return SummarySource(read_summary(path), path.name)


class SummarySource(Source):
    """A summary in the place of the table it was made of: what needs rows is refused."""

    def __init__(self, summary: StoredSummary, label: str = "The summary") -> None:
        self.summary = summary
        text, empty = {one.name for one in summary.categories}, mark_empty(summary)
        kinds: list[Kind] = []
        for name, (first, *_) in summary.table.items():
            own = "empty" if empty[first] else summary.kinds[first]
            kinds.append("categorical" if name in text else own)
        self.info = SourceInfo(
            names=tuple(summary.table),
            kinds=tuple(kinds),
            label=label,
            named=summary.named,
            n_rows=summary.used,
            unfit=dict.fromkeys(summary.keys, NUMBERS_ROWS),
        )

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:  # noqa: ARG002
        """Refuse: there are no rows."""
        self._refuse()

    def tables(self, columns: Sequence[int], *, mark_missing: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """Refuse: there are no rows."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise TamisError(
            f"{self.label} is a summary and has no rows, which this needs: give the table itself."
        )


CHOICE_FORMAT = "tamis choice"  # of the other files with this suffix
_MOST_BLOCKS = 1000
_SUMMARY_KINDS = ("numeric", "boolean")
_HASH = re.compile("[0-9a-f]{1,64}")


def check_header(header: Any, form: str, known: Sequence[int], label: str) -> dict[str, Any]:
    """Refuse a header that is not one of a summary, or of a later format."""
    if isinstance(header, dict) and header.get("format") == CHOICE_FORMAT:
        raise TamisError(
            f"{label} is a choice of columns and has no table in it: use it with `tamis check` or "
            "`tamis reconstruct`, or read it with tamis.load."
        )
    if not isinstance(header, dict) or header.get("format") != form:
        raise TamisError(f"{label} is not a summary: its header does not say {form!r}.")
    found = header.get("version")
    if not _is_count(found):
        raise ValueError(f"version {found!r} in its header is not a number")
    if found not in known:
        raise TamisError(
            f"{label} has version {found} of the format and this release supports {known[-1]}: "
            "install a newer one."
        )
    rules: dict[str, Callable[[Any], bool]] = {
        "names": _is_list,
        "named": lambda v: isinstance(v, bool),
        "kinds": lambda v: _is_list(v) and set(v) <= set(_SUMMARY_KINDS),
        "rows": _is_count,
        "used": _is_count,
        "missing": lambda v: _is_list(v) and len(v) > 0 and set(v) <= set(STORED_WORDS),
        "parts": lambda v: _is_count(v) and v >= 1,
        "blocks": lambda v: _is_count(v) and 1 <= v <= _MOST_BLOCKS,
    }
    optional: dict[str, Callable[[Any], bool]] = {
        "place": lambda v: isinstance(v, dict),
        "inputs": lambda v: _is_list(v) and all(map(_HASH.fullmatch, v)),
        "min_rows": lambda v: _is_count(v) and v >= 1,
        "keys": _is_list,
    }
    rules |= {name: holds for name, holds in optional.items() if name in header}
    for name, holds in rules.items():
        if not holds(header.get(name)):
            raise ValueError(f"{name!r} in its header is missing or has a wrong value")
    if len(header["kinds"]) != len(header["names"]):
        raise ValueError("its header has not as many kinds as names")
    return header


def read_categories(header: dict[str, Any]) -> tuple[StoredCategory, ...]:
    """Read the columns of text of a header, whose levels are columns next to each other."""
    found = header.get("categories", [])
    if not isinstance(found, list) or bool(found) != (header["version"] > 1):
        raise ValueError("'categories' in its header is missing or has a wrong value")
    categories = tuple(map(_read_category, found))
    names, rows = header["names"], header["rows"]
    for one in categories:
        first = names.index(one.columns[0]) if one.columns and one.columns[0] in names else 0
        if not one.columns or tuple(names[first : first + len(one.columns)]) != one.columns:
            raise ValueError(f"the levels of column {one.name!r} are not among its columns")
        if sum(one.counts) + one.others > rows or (one.others and not one.has_other):
            raise ValueError(f"the levels of column {one.name!r} have more rows than there are")
    table = list_table_names(names, categories)
    if len({one.name for one in categories} & {*names}) or len(table) < len(categories):
        raise ValueError("a column of text has the name of another column")
    return categories


def _read_category(found: Any) -> StoredCategory:
    keys = {"name", "levels", "counts", "others", "has_other"}
    if not isinstance(found, dict) or found.keys() != keys or not isinstance(found["name"], str):
        raise ValueError("'categories' in its header has a wrong value")
    levels, counts = found["levels"], found["counts"]
    fits = _is_list(levels) and isinstance(counts, list) and all(map(_is_count, counts))
    if not fits or len(levels) != len(counts) or len({*levels}) != len(levels):
        raise ValueError(f"the levels of column {found['name']!r} in its header do not fit")
    if not _is_count(found["others"]) or not isinstance(found["has_other"], bool):
        raise ValueError(f"the levels of column {found['name']!r} in its header do not fit")
    given = (found["others"], found["has_other"])
    return StoredCategory(found["name"], tuple(levels), tuple(counts), *given)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**62


def check_arrays(stored: Any, used: int) -> None:
    """Refuse numbers that cannot be the moments of any table."""
    width, rows, absent = len(stored.names), stored.rows, stored.absent
    plain = absent.shape == (width,) and absent.dtype == np.int64
    if not plain or ((absent < 0) | (absent > rows)).any():
        raise ValueError("its counts of missing values do not fit its columns and rows")
    if min(block.count for block in stored.blocks) < 0 or not stored.used == used <= rows:
        raise ValueError("its counts of rows contradict one another")
    for block in stored.blocks:
        _check_block(block)


def _check_block(block: Any) -> None:
    unit = block.unit
    if not (np.frexp(unit)[0] == 0.5).all() or (unit > 1).any() or (unit < 2.0**-1001).any():
        raise ValueError("a unit of a column is not a power of two of at most 1")
    # Values are at most 1e140, as in every table: so no merge of such blocks overflows either.
    largest = 4 * LARGEST_SUMMABLE**2 * max(block.count, 1)
    most = LARGEST_SUMMABLE
    for values, limit in ((block.mean, most), (block.rest, most), (block.scatter, largest)):
        if not ((values <= limit) & (values >= -limit)).all():
            raise ValueError(
                f"its moments are not all finite numbers of at most {LARGEST_SUMMABLE:g}"
            )
    variances = np.diagonal(block.scatter)
    if (variances < 0).any() or (block.count < 2 and (variances > 0).any()):
        raise ValueError("a variance in it cannot be")
    if not is_scatter(block.scatter):
        raise ValueError("its scatter matrix is not that of any table")
