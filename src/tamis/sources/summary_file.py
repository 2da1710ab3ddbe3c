"""A summary in a file (`.tamis`): an NPZ archive without pickles, described in docs/summaries.md.

`header.json` says what the columns are and what was counted; the arrays are the moments of one or
more blocks of rows. The scatter matrices stand in tiles of the upper triangle, so that no array in
the file is large. Everything is checked when it is read: who wrote the file is not known.
"""

import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tamis.errors import TamisError, spelled_name
from tamis.numerics.types import Floats
from tamis.sources.draft import replacing
from tamis.sources.faults import check_names
from tamis.sources.files import readable
from tamis.sources.npy import Member, opened
from tamis.sources.source import Kind
from tamis.sources.summary_checks import check_arrays, check_header
from tamis.versions import version_of

SUFFIX = ".tamis"
FORMAT, VERSION = "tamis summary", 1
TILE = 1024
MOST_COLUMNS = 20_000  # their scatter matrix takes 3.2 GB

_HEADER = "header.json"
_LONGEST_HEADER = 1 << 28


@dataclass(frozen=True, eq=False)
class MomentArrays:
    """The moments of some rows as plain arrays."""

    count: int
    mean: Floats
    scatter: Floats
    rest: Floats
    unit: Floats


@dataclass(frozen=True, eq=False)
class StoredSummary:
    """What a summary file holds.

    `blocks` are the moments of one or more blocks of rows; `rows` were read, and `absent` are the
    missing values by column in them; `missing` is what was done about these in the `parts` tables
    that went into it. `place` is where a pass over a table stopped, for the file of a checkpoint.
    """

    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    named: bool
    rows: int
    absent: NDArray[np.int64]
    missing: tuple[str, ...]
    blocks: tuple[MomentArrays, ...]
    parts: int = 1
    place: dict[str, Any] | None = field(default=None)

    @property
    def used(self) -> int:
        """Number of rows that count."""
        return sum(block.count for block in self.blocks)


def check_width(width: int, label: str) -> None:
    """Refuse a table whose scatter matrix is too large to be held."""
    if width > MOST_COLUMNS:
        raise TamisError(
            f"{label} has {width:,} columns, whose scatter matrix would take "
            f"{8e-9 * width * width:.0f} GB: choose at most {MOST_COLUMNS:,} with "
            f"{spelled_name('columns')}."
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
        "version": VERSION,
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
    }
    vectors = {
        "count": np.array([block.count for block in stored.blocks], dtype=np.int64),
        "missing": stored.absent,
        **{
            name: np.array([getattr(block, name) for block in stored.blocks])
            for name in ("mean", "rest", "unit")
        },
    }
    with replacing(path) as draft, zipfile.ZipFile(draft, "w") as file:
        file.writestr(_HEADER, json.dumps(header, ensure_ascii=False, indent=1))
        for name, values in vectors.items():
            _write(file, name, values)
        for number, block in enumerate(stored.blocks):
            for i, j, rows, columns in tile_slices(len(stored.names)):
                tile = np.ascontiguousarray(block.scatter[rows, columns])
                _write(file, f"scatter_{number}_{i}_{j}", tile)


def _write(file: zipfile.ZipFile, name: str, values: Any) -> None:
    with file.open(f"{name}.npy", "w") as stream:
        np.lib.format.write_array(stream, values, version=(1, 0), allow_pickle=False)


def read_summary(path: Path) -> StoredSummary:
    """Read and check a summary."""
    if not zipfile.is_zipfile(path):
        raise TamisError(f"{path.name} is not a summary, or is damaged: write it again.")
    with readable(path.name):
        header = check_header(_read_header(path), FORMAT, VERSION, path.name)
        check_names(header["names"], path.name)
        check_width(len(header["names"]), path.name)
        stored = StoredSummary(
            tuple(header["names"]),
            tuple(header["kinds"]),
            header["named"],
            header["rows"],
            Member(path, "missing.npy").whole(),
            tuple(header["missing"]),
            tuple(_read_blocks(path, len(header["names"]), header["blocks"])),
            header["parts"],
            header.get("place"),
        )
        check_arrays(stored, header["used"])
    return stored


def _read_header(path: Path) -> Any:
    with opened(path, _HEADER) as (stream, size):
        if size > _LONGEST_HEADER:
            raise ValueError("its header is too long")
        return json.loads(stream.read(size).decode("utf-8"))


def _read_blocks(path: Path, width: int, blocks: int) -> Iterator[MomentArrays]:
    counts = _array(path, "count", (blocks,), np.int64)
    vectors = [_array(path, name, (blocks, width)) for name in ("mean", "rest", "unit")]
    for number in range(blocks):
        mean, rest, unit = (values[number] for values in vectors)
        scatter = _read_scatter(path, width, number)
        yield MomentArrays(int(counts[number]), mean, scatter, rest, unit)


def _read_scatter(path: Path, width: int, number: int) -> Floats:
    # The first tile is read before there is room for all: a damaged file often has none.
    scatter = None
    for i, j, rows, columns in tile_slices(width):
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        tile = _array(path, f"scatter_{number}_{i}_{j}", shape)
        scatter = np.empty((width, width)) if scatter is None else scatter
        if i == j:
            tile = np.triu(tile) + np.triu(tile, 1).T
        scatter[rows, columns] = tile
        scatter[columns, rows] = tile.T
    assert scatter is not None
    return scatter


def _array(path: Path, name: str, shape: tuple[int, ...], dtype: Any = np.float64) -> Any:
    member = Member(path, f"{name}.npy")
    if member.shape != shape or member.dtype.newbyteorder("=") != np.dtype(dtype):
        raise ValueError(
            f"{name!r} is {member.dtype} of the shape {member.shape}, not {np.dtype(dtype)} of the "
            f"shape {shape}"
        )
    return member.whole().astype(dtype)


class SummarySource:
    """A summary in the place of the table it was made of: what needs rows is refused."""

    origin: str | list[str] | None = None

    def __init__(self, summary: StoredSummary, label: str = "The summary") -> None:
        self.summary, self.label = summary, label
        self.names, self.kinds, self.named = summary.names, summary.kinds, summary.named

    @property
    def n_rows(self) -> int:
        """Number of rows that were summarised."""
        return self.summary.used

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
