"""A summary in a file (`.tamis`): an NPZ archive without pickles, described in docs/summaries.md.

`header.json` says what the columns are and what was counted; the arrays are the moments of one or
more blocks of rows. The scatter matrices stand in tiles of the upper triangle, so that no array in
the file is large. Everything is checked when it is read: who wrote the file is not known.
"""

import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from tamis.errors import TamisError, spell_name
from tamis.numerics.types import Floats
from tamis.sources.draft import replace_file
from tamis.sources.faults import check_names
from tamis.sources.files import explain_unreadable
from tamis.sources.info import Kind, SourceInfo
from tamis.sources.npy import Member, open_member
from tamis.sources.room import check_room
from tamis.sources.source import Source
from tamis.sources.stored_summary import MomentArrays, StoredSummary, mark_empty
from tamis.sources.summary_checks import check_arrays, check_header, read_categories
from tamis.versions import version_of

SUFFIX = ".tamis"
FORMAT, VERSION = "tamis summary", 1
TEXT_VERSION = 2  # of files with columns of text, which earlier releases would misread
TILE = 1024
MOST_COLUMNS = 20_000  # their scatter matrix takes 3.2 GB

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


def tile_slices(width: int) -> Iterator[tuple[int, int, slice, slice]]:
    """Give number and extent of every tile of the upper triangle of a square matrix."""
    cuts = [slice(start, min(start + TILE, width)) for start in range(0, width, TILE)]
    for i, rows in enumerate(cuts):
        for j, columns in enumerate(cuts[i:], start=i):
            yield i, j, rows, columns


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

    def pick(self, columns: Sequence[int]) -> Any:  # noqa: ARG002
        """Refuse: there are no rows."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise TamisError(
            f"{self.label} is a summary and has no rows, which this needs: give the table itself."
        )
