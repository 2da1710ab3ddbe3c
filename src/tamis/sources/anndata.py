"""AnnData in files (.h5ad, .zarr) and in memory: genes as columns, annotations of cells beside.

A matrix in a store is dense, or sparse by rows or columns, and read by blocks of rows. The rest is
described by a process of its own: damage can keep HDF5 busy for ever, or ask for any memory; what
was found there is then safe to open. Nothing is read but what lies within the store: HDF5 knows
several ways to point to other files, Zarr is a folder that may have links, and one of its codecs
runs programs.
"""

import json
import os
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse

from tamis.errors import TamisError, spell
from tamis.memory import batch_bytes, batch_rows, check_room, get_budget, limit_memory
from tamis.registry import nearest
from tamis.rules.tables import ROW_NAMES_COLUMN
from tamis.sources.annotated import AnnotatedSource
from tamis.sources.apart import run_apart, serve_apart
from tamis.sources.arrays import ArraySource, StoredArraySource, pick_columns, to_native
from tamis.sources.faults import list_few
from tamis.sources.files import explain_unreadable, once_per_file
from tamis.sources.npz import check_shape
from tamis.sources.scratch import scratch_folder, with_room
from tamis.sources.source import JoinableSource, Source

_ROOT_FILES = (".zgroup", "zarr.json")  # of a folder that is a group


def open_anndata_file(path: Path, layer: str | None) -> Source:
    """Open the matrix of an AnnData file, or one of its layers."""
    if path.suffix.lower() == ".zip":
        path = _unpack_zarr(path)
    with explain_unreadable(path):
        changed = check_zarr(path) if path.is_dir() else 0
        about, copy = _describe(path, layer, changed)
        names, said = _make_unique(about["names"], path.name)
        matrix = _open_matrix(about, path, names)
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


@once_per_file
def _describe(path: Path, layer: str | None, _: int) -> tuple[dict[str, Any], Path]:
    """Give what a file says of itself, and a file of its annotations of rows.

    The last is when the newest file of a folder was changed.
    """
    copy = scratch_folder() / "obs.arrow"
    given = [str(path.absolute()), layer, str(copy), get_budget()]
    with with_room():
        return run_apart("tamis.sources.anndata", given, get_budget()), copy


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
    shown = list_few(twice, 3)
    return unique, [f"Names that several columns of {label} share are numbered ({shown})."]


def _rename(beside: pa.Table, names: Sequence[str]) -> pa.Table:
    """Separate annotations of rows from measurements of the same name."""
    taken = set(names)
    bare = [ROW_NAMES_COLUMN if name in ("_index", "") else name for name in beside.column_names]
    return beside.rename_columns([f"obs:{name}" if name in taken else name for name in bare])


def open_anndata_object(adata: Any) -> Source:
    """Wrap an AnnData object: `X` as it is, the columns of `obs` beside it."""
    names, said = _make_unique([str(name) for name in adata.var_names], "The table")
    matrix = adata.X
    if matrix is None:
        raise TamisError("The AnnData object has no X: give it one, such as a layer.")
    if type(matrix).__module__.partition(".")[0] not in ("numpy", "scipy"):
        matrix = adata.to_memory().X if adata.isbacked else np.asarray(matrix)
    obs = adata.obs.reset_index(names=ROW_NAMES_COLUMN)
    obs.columns = [str(name) for name in obs.columns]
    beside = pa.Table.from_pandas(obs, preserve_index=False)
    inner = ArraySource(matrix, names, choose=lambda columns: adata[:, columns])
    source = AnnotatedSource(inner, _rename(beside, names))
    source.info = source.info.with_doubts(said)
    return source


_MAX_PACKED = 20  # times its size that an archive may take: chunks are packed already


@once_per_file
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
        folder = scratch_folder() / path.stem
        with with_room():
            archive.extractall(folder)  # which keeps to the folder, and makes no links
        return folder / min(roots, key=lambda root: len(root.parts))


_SPARSE_PARTS = ("data", "indices", "indptr")
_ENTRY_BYTES = 16  # a value and its column


def _open_matrix(about: Mapping[str, Any], path: Path, names: Sequence[str]) -> JoinableSource:
    """Open a matrix that was described by its place, form, shape, entries and type."""
    rows, columns = about["shape"]
    check_shape((rows, columns), about["entries"], path.name)
    if about["form"] == "csc":
        return ArraySource(_read_by_columns(about, path), names, path.name)

    def read(chosen: list[int]) -> Iterator[Any]:
        step = batch_rows(columns)
        with open_store(path) as store:
            stored = enter(store, about["place"], path.name)
            dense = map(np.asarray, (stored[i : i + step] for i in range(0, rows, step)))
            sparse = about["form"] == "csr" and _sparse_blocks(stored, rows, columns, path.name)
            for block in sparse or dense:
                yield pick_columns(block, chosen)

    return StoredArraySource(path, (rows, columns), about["dtype"], names, read)


def _read_by_columns(about: Mapping[str, Any], path: Path) -> Any:
    """Read a matrix that is stored by columns: its rows are all over the file."""
    check_room(
        2 * _ENTRY_BYTES * about["entries"],
        path.name,
        "it is stored by columns, write it by rows (`adata.X = adata.X.tocsr()`), or ",
    )
    with open_store(path) as store:
        stored = enter(store, about["place"], path.name)
        data, indices, indptr = (enter(stored, part, path.name)[:] for part in _SPARSE_PARTS)
    _check_parts(data, indices, indptr, about["shape"][1])
    return scipy.sparse.csc_array((data, indices, indptr), shape=tuple(about["shape"]))


def _check_parts(data: Any, indices: Any, indptr: Any, n: int) -> None:
    """Refuse parts that no sparse matrix can have: SciPy's compiled loops trust them."""
    kinds = {indices.dtype.kind, indptr.dtype.kind}
    wrong = data.dtype.kind not in "fiub" or kinds - {"i", "u"} or len(indptr) != n + 1
    wrong = wrong or len(data) != len(indices) or bool(len(indptr) and indptr[0] != 0)
    if wrong or bool((indptr[1:] < indptr[:-1]).any()) or indptr[-1] > len(data):
        raise ValueError("the parts of the sparse matrix do not fit together")


def _sparse_blocks(stored: Any, rows: int, columns: int, label: str) -> Iterator[Any]:
    most, window = max(1, batch_bytes() // _ENTRY_BYTES), batch_rows(1)
    for first in range(0, rows, window):
        # Where rows begin is read some rows at a time: all of it would grow with the table.
        count = min(window, rows - first)
        starts = enter(stored, "indptr", label)[first : first + count + 1]
        indptr = np.asarray(starts).astype(np.int64)
        if len(indptr) != count + 1:
            raise ValueError("the parts of the sparse matrix do not fit together")
        start = 0
        while start < count:
            fits = int(np.searchsorted(indptr, indptr[start] + most, side="right")) - 1
            stop = min(max(start + 1, fits), count)
            yield _sparse_block(stored, indptr[start : stop + 1], columns, label)
            start = stop


def _sparse_block(stored: Any, indptr: Any, width: int, label: str) -> Any:
    """Read the rows that begin and end at these positions."""
    low, high = int(indptr[0]), int(indptr[-1])
    check_room(_ENTRY_BYTES * max(high - low, 0), f"A row of {label}")
    parts = (
        to_native(np.asarray(enter(stored, "data", label)[low:high])),
        np.asarray(enter(stored, "indices", label)[low:high]),
        indptr - low,
    )
    _check_parts(*parts, len(indptr) - 1)
    # SciPy gives both kinds of positions the wider type of the two: 16 bytes a value, not 12.
    if parts[1].dtype == np.int32 and high - low <= np.iinfo(np.int32).max:
        parts = (*parts[:2], parts[2].astype(np.int32))
    matrix = scipy.sparse.csr_array(parts, shape=(len(indptr) - 1, width))
    # All positions are checked there, and brought into order.
    return ArraySource(matrix, label=label).array


_TEXT_BYTES = 100  # that a text of moderate length takes
_TEXTS_AT_A_TIME = 1 << 16  # which are objects of Python until Arrow has them
_OLD = "`anndata.read_h5ad(path).write_h5ad(path)` writes it anew"
_SYMBOLS = ("gene_symbols", "gene_symbol", "gene_name", "feature_name", "gene_ids")
_METADATA = (".zarray", ".zmetadata", "zarr.json")
_METADATA_COPIES = 20  # of the bytes, once they are values of Python
_CODEC_KEYS = ("filters", "compressor", "codecs", "index_codecs")
_CODECS = frozenset((
    *("adler32", "bitround", "blosc", "bytes", "bz2", "crc32", "crc32c", "delta", "endian"),
    *("fixedscaleoffset", "fletcher32", "gzip", "lz4", "lzma", "packbits", "quantize", "shuffle"),
    *("sharding_indexed", "transpose", "vlen-bytes", "vlen-utf8", "zlib", "zstd"),
))  # fmt: skip
_LABEL_TYPES = {"f": np.float64, "i": np.int64, "b": np.bool_}


def describe_store(path: str, layer: str | None, copy: str, budget: int) -> dict[str, Any]:
    """Write the annotations of the rows as an Arrow file, and give what else a store says.

    `place`, `form`, `shape`, `entries` and `dtype` are those of its matrix, or of a layer;
    `names` are those of its columns and `symbols` stand beside them.
    """
    label = Path(path).name
    with limit_memory(budget), open_store(Path(path)) as store:
        place = _find_matrix(store, layer, label)
        about = enter(store, "raw/var" if place == "raw/X" else "var", label)
        beside = enter(store, "obs", label)
        for frame in (about, beside):
            if "_index" not in frame.attrs:
                raise TamisError(f"{label} was written by an old version of anndata: {_OLD}.")
        matrix = _describe_matrix(store, place, label)
        rows = _read_frame(beside, label)
        with pa.OSFile(copy, "wb") as sink, pa.ipc.new_file(sink, rows.schema) as writer:
            writer.write_table(rows)
        field = next((field for field in _SYMBOLS if has_part(about, field)), "")
        found = _read_column(about, field, label) if field else None
        symbols = [] if found is None else found.to_pylist()
        names = enter(about, str(about.attrs["_index"]), label)
        _check_column(names, "The names", label)
        return {"names": _read_texts(names), "symbols": symbols, **matrix}


@contextmanager
def open_store(path: Path) -> Iterator[Any]:
    """Open the group that holds all others."""
    if path.is_dir():  # a Zarr store; HDF5 is a file
        check_zarr(path)
        yield _load("zarr").open_group(str(path), mode="r", use_consolidated=False)
        return
    with _load("h5py").File(path, "r") as file:
        yield file


def _load(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise TamisError(f"AnnData files need {name}: pip install 'tamis[anndata]'.") from error


def _find_matrix(store: Any, layer: str | None, label: str) -> str:
    layers = list(enter(store, "layers", label)) if has_part(store, "layers") else []
    if layer is None:
        if has_part(store, "X"):
            return "X"
        advice = f"choose {spell('layer', layers[0])}" if layers else "write one"
        raise TamisError(f"{label} has no X: {advice}.")
    if layer in layers:
        return f"layers/{layer}"
    if layer == "raw" and has_part(store, "raw"):
        return "raw/X"
    if not layers:
        raise TamisError(f"{spell('layer', layer)}: {label} has no layers: omit it to read X.")
    raise TamisError(f"{label} has no layer {layer!r}{nearest(layer, layers)}")


def _describe_matrix(store: Any, place: str, label: str) -> dict[str, Any]:
    """Say how a matrix is stored: as a dataset, or as a group with the parts of a sparse one."""
    stored = enter(store, place, label)
    encoding = str(stored.attrs.get("encoding-type", stored.attrs.get("h5sparse_format", "")))
    form = encoding[:3] if encoding.startswith(("csr", "csc")) else "dense"
    if form == "dense":
        if not is_dataset(stored) or len(stored.shape) != 2 or stored.dtype.kind not in "fiub":
            raise TamisError(
                f"{label} has no matrix of numbers where one is needed: it must be an array of "
                "rows and columns, or a sparse CSR or CSC matrix."
            )
        shape, data = stored.shape, stored
    else:
        shape = stored.attrs.get("shape", stored.attrs.get("h5sparse_shape"))
        if shape is None or len(shape) != 2:
            raise ValueError("the sparse matrix has no shape")
        data, *_ = (enter(stored, part, label) for part in ("data", "indices", "indptr"))
    entries = prod(map(int, data.shape))
    about = {"shape": [int(n) for n in shape], "entries": entries, "dtype": data.dtype.str}
    return {"place": place, "form": form, **about}


def check_zarr(folder: Path) -> int:
    """Refuse links out of a Zarr folder, and codecs that are not known, before anything is read.

    Gives when the newest of its files was changed.
    """
    root, waiting, newest = folder.resolve(), [folder.resolve()], 0
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                place = Path(entry.path).relative_to(root).as_posix()
                if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root):
                    raise TamisError(
                        f"{place!r} in {folder.name} is a link that leads out of the folder, which "
                        "is not followed: copy what it leads to into the folder."
                    )
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                elif not entry.is_file():
                    raise ValueError(f"{place!r} is no file")
                found = entry.stat()
                newest = max(newest, found.st_mtime_ns)
                if entry.name in _METADATA:
                    check_room(_METADATA_COPIES * found.st_size, f"{place!r} of {folder.name}")
                    for codec in _list_codecs(json.loads(Path(entry.path).read_bytes())):
                        if codec.removeprefix("numcodecs.") not in _CODECS:
                            raise TamisError(
                                f"{folder.name} is packed by the codec {codec!r}, which is not one "
                                "that is read, as some run programs: write it again with blosc, "
                                "gzip or zstd."
                            )
    return newest


def _list_codecs(about: Any) -> Iterator[str]:
    """Name the codecs of all arrays that a file of metadata describes."""
    if isinstance(about, list):
        for part in about:
            yield from _list_codecs(part)
    if not isinstance(about, dict):
        return
    for key, value in about.items():
        if key in _CODEC_KEYS:
            for codec in value if isinstance(value, list) else [value]:
                known = codec.get("id", codec.get("name")) if isinstance(codec, dict) else codec
                if codec is not None:
                    yield str(known)
        # What users write beside the arrays may have the same keys.
        if key != "attributes" and not key.endswith(".zattrs"):
            yield from _list_codecs(value)


def has_part(group: Any, name: str) -> bool:
    """Whether a store or a group of it has a part of this name; no link is followed for that."""
    if is_dataset(group):
        return False
    return group.id.links.exists(name.encode()) if _is_hdf5(group) else name in group


def enter(group: Any, place: str, label: str) -> Any:
    """Give the part of a store at a path; one that does not lie in the file itself is refused."""
    for name in place.split("/"):
        if name in ("", ".", "..") or is_dataset(group):
            raise ValueError(f"{place!r} is no path within the file")
        if _is_hdf5(group) and type(group.get(name, getlink=True)).__name__ != "HardLink":
            raise _refuse_outside(place, label)
        group = group[name]
    if not is_dataset(group):
        return group
    if _is_hdf5(group) and (group.external is not None or group.is_virtual):
        raise _refuse_outside(place, label)
    block = prod(group.chunks or (1,)) * group.dtype.itemsize
    check_room(block, f"A block of {place!r} of {label}")
    return group


def _is_hdf5(part: Any) -> bool:
    return type(part).__module__.startswith("h5py")


def _refuse_outside(place: str, label: str) -> TamisError:
    return TamisError(
        f"{place!r} of {label} is a link or stands in another file, not within the file itself, "
        "and nothing else is read: write it again as one file "
        "(`anndata.read_h5ad(path).write_h5ad(path)`)."
    )


def _read_frame(frame: Any, label: str) -> pa.Table:
    """Read a frame with the names of its rows first."""
    index = str(frame.attrs["_index"])
    order = _read_texts(list(frame.attrs.get("column-order", ())))
    arrays, kept = [], []
    for name in [index, *(name for name in order if name != index)]:
        array = _read_column(frame, name, label)
        if array is not None:
            arrays.append(array)
            kept.append(name)
    lengths = {len(array) for array in arrays}
    if len(lengths) > 1:
        raise ValueError("its columns have different lengths")
    return pa.table(arrays, names=kept)


def _check_column(column: Any, name: str, label: str) -> None:
    rows = int(column.shape[0]) if len(column.shape) else 1
    check_room(rows * max(column.dtype.itemsize, _TEXT_BYTES), f"{name} of {label}")


def is_dataset(column: Any) -> bool:
    """Whether an object of a store has values itself; a group has parts."""
    return type(column).__name__ in ("Dataset", "Array")


def _read_column(frame: Any, name: str, label: str) -> pa.Array | pa.ChunkedArray | None:
    """Read a column as Arrow has it; None for what is no column (a matrix in a frame)."""
    column = enter(frame, name, label)

    def part(group: Any, *path: str) -> Any:
        found = enter(group, "/".join(path), label)
        _check_column(found, repr(name), label)
        return found

    if has_part(column, "categories"):
        codes, categories = part(column, "codes"), part(column, "categories")
        return _as_categories(codes[:], _read_texts(categories))
    if has_part(column, "values"):
        mask = np.asarray(part(column, "mask")[:]).astype(bool)
        values = _read_values(part(column, "values")[:])
        return pa.array([None if m else v for v, m in zip(values, mask, strict=True)])
    if not is_dataset(column):
        return None
    _check_column(column, repr(name), label)
    if has_part(frame, "__categories") and has_part(enter(frame, "__categories", label), name):
        return _as_categories(column[:], _read_texts(part(frame, "__categories", name)))
    if len(column.shape) != 1:
        return None
    if column.dtype.kind in "fib":
        return pa.array(np.asarray(column[:]).astype(_LABEL_TYPES[column.dtype.kind]))
    step = range(0, int(column.shape[0]), _TEXTS_AT_A_TIME)
    parts = [pa.array(_read_values(column[i : i + _TEXTS_AT_A_TIME])) for i in step]
    # They are not joined: all of them would be there twice.
    return pa.chunked_array(parts) if parts else pa.array([])


def _as_categories(codes: Any, categories: list[str]) -> pa.Array:
    codes = np.asarray(codes).astype(np.int64)
    if codes.size and not -1 <= codes.min() <= codes.max() < len(categories):
        raise ValueError("a column refers to categories that it does not have")
    indices = pa.array(codes.astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(categories, pa.string()))


def _read_values(stored: Any) -> list[Any]:
    values = np.asarray(stored)
    return values.tolist() if values.dtype.kind in "fiub" else _read_texts(values)


def _read_texts(column: Any) -> list[str]:
    return [v.decode() if isinstance(v, bytes) else str(v) for v in np.asarray(column[:]).tolist()]


if __name__ == "__main__":
    serve_apart(describe_store)
