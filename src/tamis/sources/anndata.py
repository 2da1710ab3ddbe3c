"""AnnData in files (.h5ad, .zarr) and in memory: genes as columns, annotations of cells beside."""

import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tamis.errors import TamisError
from tamis.memory import get_budget
from tamis.sources.annotated import AnnotatedSource
from tamis.sources.apart import run_apart
from tamis.sources.arrays import ArraySource
from tamis.sources.files import Stamp, explain_unreadable
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import Source
from tamis.sources.stored_matrix import check_zarr, enter, open_matrix, open_store

__all__ = ["open_anndata_file", "open_anndata_object"]

_ROW_NAMES = "row names"

# What files say of themselves, and their annotations of rows: a table is opened several times.
_described: dict[tuple[object, ...], tuple[dict[str, Any], Path]] = {}
_ROOT_FILES = (".zgroup", "zarr.json")  # of a folder that is a group


def open_anndata_file(path: Path, layer: str | None) -> Source:
    """Open the matrix of an AnnData file, or one of its layers."""
    path = _unpack_zarr(path) if path.suffix.lower() == ".zip" else path
    with explain_unreadable(path):
        changed = check_zarr(path) if path.is_dir() else 0
        key = (*Stamp(path).key, changed, layer)
        if key not in _described:
            copy = scratch_folder() / "obs.arrow"
            given = [str(path.absolute()), layer, str(copy), get_budget()]
            with with_room():
                about = run_apart("tamis.sources.stored_matrix", given, get_budget())
            _described[key] = (about, copy)
        about, copy = _described[key]
        names, said = _make_unique(about["names"], path.name)
        matrix = open_matrix(about, path, names, partial(_open_part, path, about["place"]))
        if len(names) != len(matrix.info.kinds):
            raise ValueError(f"{len(names):,} names for {len(matrix.info.kinds):,} columns")
        with pa.OSFile(str(copy)) as file:
            beside = pa.ipc.open_file(file).read_all()
        if beside.num_rows != matrix.n_rows:
            raise ValueError(f"{matrix.n_rows:,} rows and {beside.num_rows:,} in obs")
        source = AnnotatedSource(matrix, _rename(beside, names))
        texts = {
            name: str(text)
            for name, text in zip(names, about["symbols"] or names, strict=True)
            if text is not None and text != name
        }
        source.info = replace(source.info, texts=texts).with_doubts(said)
        return source


@contextmanager
def _open_part(path: Path, place: str) -> Iterator[Any]:
    with open_store(path) as store:
        yield enter(store, place, path.name)


def _make_unique(names: Sequence[str], label: str) -> tuple[list[str], list[str]]:
    """Add numbers to names that several genes share, as `var_names_make_unique` does.

    >>> _make_unique(["a", "b", "a"], "t.h5ad")[0]
    ['a', 'b', 'a-1']
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if not twice:
        return list(names), []
    taken, seen, unique = set(names), Counter[str](), []
    for name in names:
        new = name
        while seen[name] and new in taken:
            new = f"{name}-{seen[name]}"
            seen[name] += 1
        seen[name] += not seen[name]
        taken.add(new)
        unique.append(new)
    more = ", ..." if len(twice) > 3 else ""
    shown = ", ".join(map(repr, twice[:3]))
    return unique, [f"Names that several columns of {label} share are numbered ({shown}{more})."]


def _rename(beside: pa.Table, names: Sequence[str]) -> pa.Table:
    """Separate annotations of rows from measurements of the same name."""
    taken = set(names)
    return beside.rename_columns([_apart(name, taken) for name in beside.column_names])


def _apart(name: str, taken: set[str]) -> str:
    name = _ROW_NAMES if name in ("_index", "") else name
    return f"obs:{name}" if name in taken else name


def open_anndata_object(adata: Any) -> Source:
    """Wrap an AnnData object: `X` as it is, the columns of `obs` beside it."""
    names, said = _make_unique([str(name) for name in adata.var_names], "The table")
    matrix = adata.X
    if matrix is None:
        raise TamisError("The AnnData object has no X: give it one, such as a layer.")
    if type(matrix).__module__.partition(".")[0] not in ("numpy", "scipy"):
        matrix = adata.to_memory().X if adata.isbacked else np.asarray(matrix)
    obs = adata.obs.reset_index(names=_ROW_NAMES)
    obs.columns = [str(name) for name in obs.columns]
    beside = pa.Table.from_pandas(obs, preserve_index=False)
    inner = AnnDataSource(matrix, names, adata)
    source = AnnotatedSource(inner, _rename(beside, names))
    source.info = source.info.with_doubts(said)
    return source


class AnnDataSource(ArraySource):
    """The matrix of an AnnData object; a selection of its columns is an AnnData object."""

    def __init__(self, matrix: Any, names: Sequence[str], adata: Any) -> None:
        super().__init__(matrix, names)
        self._adata = adata

    def pick(self, columns: Sequence[int]) -> Any:
        """Give the object with these genes only."""
        return self._adata[:, list(columns)]

    def batches(self, columns: Sequence[int]) -> Iterator[Any]:
        """Yield the numbers of these columns."""
        yield from ArraySource(self.array, self.names).batches(columns)


_MAX_PACKED = 20  # times its size that an archive may take: chunks are packed already
_unpacked: dict[tuple[object, ...], Path] = {}


def _unpack_zarr(path: Path) -> Path:
    """Give the folder that a `.zarr.zip` file holds, unpacked once."""
    with explain_unreadable(path), zipfile.ZipFile(path) as archive:
        roots = [Path(n).parent for n in archive.namelist() if Path(n).name in _ROOT_FILES]
        if not roots:
            raise ValueError("no Zarr group in it")
        size = sum(entry.file_size for entry in archive.infolist())
        if size > _MAX_PACKED * path.stat().st_size + (1 << 20):
            raise TamisError(
                f"{path.name} takes {size >> 20:,} MB once unpacked, {_MAX_PACKED} times its size "
                "or more: if it is sound, unpack it and give the folder."
            )
        key = Stamp(path).key
        if key not in _unpacked:
            folder = scratch_folder() / path.stem
            with with_room():
                archive.extractall(folder)  # which keeps to the folder, and makes no links
            _unpacked[key] = folder / min(roots, key=lambda root: len(root.parts))
        return _unpacked[key]
