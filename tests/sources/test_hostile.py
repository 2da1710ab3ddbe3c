"""Files that would run a program, or read another file: each is refused in one sentence."""

import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.fuzz import bombs

from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources import anndata, spreadsheet
from tamis.sources.apart import run_apart
from tamis.sources.arff import read_arff_header
from tamis.sources.open import open_source

pytestmark = pytest.mark.usefixtures("here")

ROWS, GENES = 20, 3
SECRET = "password-of-another-file"


class Trap:
    """An object whose pickle makes a file when it is loaded."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.mark),)


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder that a program in a file would make; Zarr is told to trust all files."""
    monkeypatch.setattr("numcodecs.pickles.ALLOW_UNSAFE_PICKLE_DECODE", True, raising=False)
    monkeypatch.setenv("NUMCODECS_ALLOW_UNSAFE_PICKLE_DECODE", "1")
    return tmp_path / "ran"


def _refuse(path: Path, match: str) -> str:
    """Read all there is of a file, and give the sentence that refuses it."""
    with pytest.raises(TamisError, match=match) as refused:
        list(open_source(path).batches([0]))
    sentence = str(refused.value)
    assert SECRET not in sentence
    assert "\n" not in sentence
    return sentence


def _write_zarr(path: Path) -> Path:
    zarr = pytest.importorskip("zarr")
    pytest.importorskip("h5py")
    store = zarr.open_group(str(path), mode="w", zarr_format=2)
    store.create_array("X", data=np.random.default_rng(0).normal(size=(ROWS, GENES)))
    for name, rows in (("obs", ROWS), ("var", GENES)):
        frame = store.create_group(name)
        frame.attrs.update({"_index": "_index", "column-order": []})
        frame.create_array("_index", data=np.array([f"{name}{i}" for i in range(rows)], "S20"))
    return path


def _put_trap(array: Path, mark: Path, **changed: Any) -> None:
    """Let the only block of an array of Zarr be a pickle."""
    about = json.loads((array / ".zarray").read_text()) | {"compressor": None} | changed
    (array / ".zarray").write_text(json.dumps(about))
    block = array / ".".join("0" for _ in about["shape"])
    block.write_bytes(pickle.dumps(np.array([Trap(mark)] * about["shape"][0], dtype=object)))


_PICKLED: dict[str, dict[str, Any]] = {
    "after another filter": {"dtype": "|O", "filters": [{"id": "vlen-utf8"}, {"id": "pickle"}]},
    "alone": {"dtype": "|O", "filters": [{"id": "pickle"}]},
    "as the packing": {"compressor": {"id": "pickle"}},
    "as what fills gaps": {
        **{"dtype": "|O", "filters": [{"id": "pickle"}]},
        "fill_value": "gASVIAAAAAAAAACMBXBvc2l4lIwFbWtkaXKUk5SMBHJhbnOUhZRSlC4=",
    },
    "of a codec that nobody knows": {"filters": [{"id": "run-me"}]},
}


@pytest.mark.parametrize("place", ["var/_index", "obs/_index", "X"])
@pytest.mark.parametrize("changed", _PICKLED.values(), ids=_PICKLED)
def test_a_zarr_array_that_would_run_a_program_is_refused(
    tmp_path: Path, mark: Path, place: str, changed: dict[str, Any]
) -> None:
    path = _write_zarr(tmp_path / "t.zarr")
    _put_trap(path / place, mark, **changed)
    said = _refuse(path, "which is not one that is read")
    assert ("'run-me'" if "run-me" in str(changed) else "'pickle'") in said
    assert not mark.exists()


def test_what_a_zarr_folder_says_of_all_its_arrays_in_one_file_is_checked_too(
    tmp_path: Path, mark: Path
) -> None:
    path = _write_zarr(tmp_path / "t.zarr")
    sound = {name: json.loads((path / name).read_text()) for name in (".zgroup", "X/.zarray")}
    _put_trap(path / "X", mark, filters=[{"id": "pickle"}])
    trap = json.loads((path / "X/.zarray").read_text())
    (path / "X/.zarray").write_text(json.dumps(sound["X/.zarray"]))
    whole = {"zarr_consolidated_format": 1, "metadata": {**sound, "X/.zarray": trap}}
    (path / ".zmetadata").write_text(json.dumps(whole))
    _refuse(path, "'pickle'")
    assert not mark.exists()


def test_a_codec_inside_of_a_shard_is_refused(tmp_path: Path, mark: Path) -> None:
    path = _write_zarr(tmp_path / "t.zarr")
    inner = {"codecs": [{"name": "bytes"}], "index_codecs": ["numcodecs.pickle"]}
    about = {"codecs": [{"name": "sharding_indexed", "configuration": inner}]}
    (path / "zarr.json").write_text(json.dumps({"node_type": "array", **about}))
    _refuse(path, "'numcodecs.pickle'")
    assert not mark.exists()


@pytest.mark.parametrize("place", ["var/_index/0", "var", "X/0.0", "obs/_index/.zarray"])
def test_a_link_out_of_a_zarr_folder_is_refused(tmp_path: Path, place: str) -> None:
    path = _write_zarr(tmp_path / "t.zarr")
    other = _write_zarr(tmp_path / "other.zarr")
    part = path / place
    part.rename(tmp_path / "aside")
    part.symlink_to(other / place)
    assert f"{place!r}" in _refuse(path, "leads out of the folder")


def test_a_link_within_a_zarr_folder_is_followed(tmp_path: Path) -> None:
    path = _write_zarr(tmp_path / "t.zarr")
    (path / "var/_index/0").rename(path / "var/moved")
    (path / "var/_index/0").symlink_to("../moved")
    assert open_source(path).names[:GENES] == ("var0", "var1", "var2")


def _write_h5ad(path: Path) -> Any:
    h5py = pytest.importorskip("h5py")
    store = h5py.File(path, "w")
    store["X"] = np.random.default_rng(0).normal(size=(ROWS, GENES))
    for name, rows in (("obs", ROWS), ("var", GENES)):
        frame = store.create_group(name)
        frame.attrs["_index"] = "_index"
        frame.attrs["column-order"] = ["note"]
        frame["_index"] = np.array([f"{name}{i}" for i in range(rows)], "S20")
        frame["note"] = np.array(["a"] * rows, "S20")
    return store


def _raw(place: str) -> Callable[[Any, Path], None]:
    def change(store: Any, secret: Path) -> None:
        shape = store[place].shape
        del store[place]
        kind, size = ("S20", 20 * shape[0]) if len(shape) == 1 else ("f8", 8 * shape[0] * shape[1])
        store.create_dataset(place, shape, kind, external=[(str(secret), 0, size)])

    return change


def _virtual(place: str) -> Callable[[Any, Path], None]:
    def change(store: Any, secret: Path) -> None:
        import h5py

        shape, dtype = store[place].shape, store[place].dtype
        del store[place]
        layout = h5py.VirtualLayout(shape, dtype)
        layout[...] = h5py.VirtualSource(str(secret.with_suffix(".h5ad")), place, shape, dtype)
        store.create_virtual_dataset(place, layout)

    return change


def _linked(place: str, *, soft: bool = False) -> Callable[[Any, Path], None]:
    def change(store: Any, secret: Path) -> None:
        import h5py

        del store[place]
        outer = h5py.ExternalLink(str(secret.with_suffix(".h5ad")), f"/{place}")
        store["elsewhere" if soft else place] = outer
        if soft:
            store[place] = h5py.SoftLink("/elsewhere")

    return change


def _named(store: Any, secret: Path) -> None:
    import h5py

    store["elsewhere"] = h5py.ExternalLink(str(secret.with_suffix(".h5ad")), "/var")
    store["var"].attrs["_index"] = "../elsewhere/_index"


_OUTSIDE = {
    "names in a raw file": _raw("var/_index"),
    "annotations in a raw file": _raw("obs/note"),
    "a matrix in a raw file": _raw("X"),
    "names of a virtual dataset": _virtual("var/_index"),
    "a virtual matrix": _virtual("X"),
    "names behind a link": _linked("var/_index"),
    "a frame behind a link": _linked("var"),
    "annotations behind a link": _linked("obs/note"),
    "a matrix behind a link": _linked("X"),
    "a link to a link": _linked("var", soft=True),
    "names by a path with dots": _named,
}


@pytest.mark.parametrize("change", _OUTSIDE.values(), ids=_OUTSIDE)
def test_an_hdf5_file_whose_parts_are_in_another_file_is_refused(
    tmp_path: Path, change: Callable[[Any, Path], None]
) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes((SECRET * 100).encode())
    with _write_h5ad(secret.with_suffix(".h5ad")) as other:
        other["var/_index"][...] = SECRET[:20].encode()
    with _write_h5ad(tmp_path / "t.h5ad") as store:
        change(store, secret)
    _refuse(tmp_path / "t.h5ad", r"not within the file|no path within the file")


def test_the_columns_of_a_parquet_file_are_not_sought_in_the_file_that_it_names(
    tmp_path: Path,
) -> None:
    table = pa.table({"a": np.arange(99.0), "b": [SECRET] * 99})
    pq.write_table(table, tmp_path / "secret.parquet")
    about = pq.read_metadata(tmp_path / "secret.parquet")
    about.set_file_path(str(tmp_path / "secret.parquet"))
    about.write_metadata_file(str(tmp_path / "t.parquet"))
    _refuse(tmp_path / "t.parquet", "damaged")


def _book(path: Path, **changed: str) -> Path:
    """Write a workbook of two columns, with other texts in the place of some of its parts."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["a", "b"], *([i, f"text{i}"] for i in range(5))):
        book.active.append(row)
    book.save(path.with_suffix(".sound"))
    with (
        zipfile.ZipFile(path.with_suffix(".sound")) as sound,
        zipfile.ZipFile(path, "w") as archive,
    ):
        for name in sound.namelist():
            text = sound.read(name).decode()
            old, _, new = changed.get(Path(name).stem, "").partition(" => ")
            archive.writestr(name, text.replace(old, new) if old else text)
    return path


def _hide(folder: Path) -> Path:
    """Write a table that nobody gave, as text and as a workbook."""
    (folder / "secret.csv").write_text(f"{SECRET}\n" * 9)
    return folder / "secret.csv"


def _read_texts(path: Path) -> str:
    source = open_source(path)
    return str([source.names, source.pick(range(len(source.names))).to_pylist()])


def test_no_entity_of_a_workbook_stands_for_another_file(tmp_path: Path) -> None:
    secret = _hide(tmp_path)
    entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    path = _book(tmp_path / "t.xlsx", sheet1="text1 => &e;", sharedStrings="text1 => &e;")
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert any("&e;" in text for text in parts.values())
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            start = text.find("?>") + 2 if text.startswith("<?xml") else 0
            archive.writestr(name, text[:start] + entity + text[start:] if "&e;" in text else text)
    try:
        told = _read_texts(path)
    except TamisError as error:
        told = str(error)
    assert SECRET not in told


def test_no_formula_of_a_workbook_is_computed_from_another_file(tmp_path: Path) -> None:
    secret = _hide(tmp_path)
    formula = f"<c r=\"A2\"><f>'{tmp_path}/[{secret.name}]secret'!A1</f><v>7</v></c>"
    path = _book(tmp_path / "t.xlsx", sheet1=f'<c r="A2" t="n"><v>0</v></c> => {formula}')
    told = _read_texts(path)
    assert SECRET not in told
    assert "'a': 7" in told


def test_no_link_of_an_opendocument_sheet_is_followed(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    secret = _hide(tmp_path)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = "".join(
        f"<table:table-row>{cell.format(a)}{cell.format(b)}</table:table-row>"
        for a, b in (("a", "b"), ("c", "d"), ("e", "f"))
    )
    link = f'<table:table-source xlink:href="{secret.as_uri()}" table:filter-name="Text"/>'
    with zipfile.ZipFile(tmp_path / "t.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f'<office:document-content {spaces} xmlns:xlink="http://www.w3.org/1999/xlink">'
            f'<office:body><office:spreadsheet><table:table table:name="S">{link}{rows}'
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    told = _read_texts(tmp_path / "t.ods")
    assert SECRET not in told
    assert "'a': 'e'" in told


@pytest.mark.parametrize("kind", ["6", "5"], ids=["a call", "a promise"])
def test_code_in_a_file_of_r_is_not_run(tmp_path: Path, mark: Path, kind: str) -> None:
    """Write `quote(dir.create("ran"))`, or a promise of it, as R does in letters."""
    pytest.importorskip("rdata")
    name = f"1\n262153\n{len('dir.create')}\ndir.create\n"
    text = f"16\n1\n262153\n{len(str(mark))}\n{mark}\n"
    call = f"6\n{name}2\n{text}254\n"
    whole = call if kind == "6" else f"5\n254\n{call}"
    (tmp_path / "t.rds").write_text(f"A\n2\n262657\n131840\n{whole}")
    _refuse(tmp_path / "t.rds", r"t\.rds")
    assert not mark.exists()


def test_objects_in_arrays_are_never_loaded(tmp_path: Path, mark: Path) -> None:
    trap = np.array([[Trap(mark)] * 2] * 9, dtype=object)
    np.save(tmp_path / "t.npy", trap, allow_pickle=True)
    _refuse(tmp_path / "t.npy", "Python objects")
    np.savez(tmp_path / "t.npz", X=trap)
    _refuse(tmp_path / "t.npz", "t.npz must hold one array")
    np.savez(tmp_path / "n.npz", X=np.eye(2), feature_names=trap[0])
    assert open_source(tmp_path / "n.npz").names == ("x0", "x1")
    np.savez(tmp_path / "s.npz", format=trap[0, 0], data=trap[0], shape=trap[0])
    _refuse(tmp_path / "s.npz", r"s\.npz")
    assert not mark.exists()


@pytest.mark.skipif(os.name != "posix", reason="limits time as Unix does")
def test_a_program_in_a_store_is_not_run_by_the_process_that_reads_it_either(
    tmp_path: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(anndata, "run_apart", run_apart)
    monkeypatch.setattr(anndata, "check_zarr", lambda _: 0)
    path = _write_zarr(tmp_path / "t.zarr")
    _put_trap(path / "var/_index", mark, dtype="|O", filters=[{"id": "pickle"}])
    _refuse(path, "'pickle'")
    assert not mark.exists()


@pytest.mark.skipif(os.name != "posix", reason="limits memory as Unix does")
@pytest.mark.parametrize("make", [bombs.xlsx_shared, bombs.h5ad_long_texts, bombs.h5ad_same_text])
def test_a_small_file_that_unpacks_to_gigabytes_is_refused_by_the_limit_of_memory(
    tmp_path: Path, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for reader in (anndata, spreadsheet):
        monkeypatch.setattr(reader, "run_apart", run_apart)
    path = tmp_path / f"t.{make.__name__.partition('_')[0]}"
    make(path)
    assert path.stat().st_size < 4_000_000
    with limit_memory(1 << 26):
        _refuse(path, r"the limit (of|is) 64MB.*memory=")


def test_a_header_of_comments_takes_no_memory() -> None:
    lines = ["% a comment"] * 10_000 + ["@attribute a numeric", "@data"]
    with limit_memory(1 << 16):
        assert read_arff_header(lines, "t.arff")[1] == 10_002
    with limit_memory(1 << 23), pytest.raises(TamisError, match=r"The header of .* would take"):
        read_arff_header([f"@attribute a{j} numeric" for j in range(2_000)], "t.arff")
