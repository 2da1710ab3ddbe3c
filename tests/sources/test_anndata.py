"""AnnData in HDF5 and Zarr stores, written here as anndata writes it, and in memory."""

import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import tamis
from tamis import TableFile
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.sources import anndata as anndata_source
from tamis.sources.anndata import open_anndata_object
from tamis.sources.open import open_source

h5py = pytest.importorskip("h5py")
pytestmark = pytest.mark.usefixtures("here")

ROWS, GENES = 60, 8


@pytest.fixture
def counts() -> np.ndarray:
    rng = np.random.default_rng(5)
    return rng.poisson(0.7, size=(ROWS, GENES)).astype(np.float32)


def _put(group: Any, name: str, values: Any) -> None:
    """Write an array with the calls that both libraries have."""
    if values.dtype.kind in "OU":
        values = np.asarray(values, dtype="S20")
    make = group.create_array if hasattr(group, "create_array") else group.create_dataset
    made = make(name, shape=values.shape, dtype=values.dtype)
    made[...] = values


def _put_matrix(store: Any, name: str, X: np.ndarray, form: str) -> None:
    if form == "dense":
        _put(store, name, X)
        return
    matrix = scipy.sparse.csr_array(X) if form == "csr" else scipy.sparse.csc_array(X)
    group = store.create_group(name)
    group.attrs["encoding-type"] = f"{form}_matrix"
    group.attrs["shape"] = [int(n) for n in X.shape]
    for part in ("data", "indices", "indptr"):
        _put(group, part, vars(matrix)[part])


def _put_frame(store: Any, name: str, columns: dict[str, np.ndarray], index: list[str]) -> Any:
    frame = store.create_group(name)
    frame.attrs["_index"] = "_index"
    frame.attrs["column-order"] = list(columns)
    _put(frame, "_index", np.array(index))
    for column, values in columns.items():
        if values.dtype.kind == "U":
            group = frame.create_group(column)
            texts, codes = np.unique(values, return_inverse=True)
            _put(group, "categories", texts)
            _put(group, "codes", codes.astype(np.int8))
        else:
            _put(frame, column, values)
    return frame


def _write(path: Path, X: np.ndarray, form: str = "csr", names: list[str] | None = None) -> Path:
    if path.suffix == ".zarr":
        store = pytest.importorskip("zarr").open_group(str(path), mode="w", zarr_format=2)
    else:
        store = h5py.File(path, "w")
    _put_matrix(store, "X", X, form)
    _put_matrix(store.create_group("layers"), "doubled", 2 * X, form)
    groups = np.array([f"c{i % 3}" for i in range(len(X))])
    obs = {"leiden": groups, "n": X.sum(axis=1), "g1": np.arange(len(X))}
    _put_frame(store, "obs", obs, [f"cell {i}" for i in range(len(X))])
    _put_frame(store, "var", {}, names or [f"g{j}" for j in range(X.shape[1])])
    if path.suffix != ".zarr":
        store.close()
    return path


def _dense(blocks: Any) -> np.ndarray:
    return np.concatenate([b.toarray() if scipy.sparse.issparse(b) else b for b in blocks])


@pytest.mark.parametrize("form", ["csr", "csc", "dense"])
@pytest.mark.parametrize("suffix", [".h5ad", ".zarr"])
def test_every_form_of_the_matrix_gives_its_values_in_blocks(
    tmp_path: Path, counts: np.ndarray, suffix: str, form: str
) -> None:
    path = _write(tmp_path / f"t{suffix}", counts, form)
    source = open_source(path)
    assert source.names == (*(f"g{j}" for j in range(GENES)), "row names", "leiden", "n", "obs:g1")
    assert source.kinds == ("numeric",) * GENES + ("beside",) * 4
    with limit_memory(1 << 14):
        blocks = list(source.batches(range(GENES)))
    assert len(blocks) > 1 or form == "csc"
    np.testing.assert_array_equal(_dense(blocks), counts)
    np.testing.assert_array_equal(_dense(source.batches([5, 2])), counts[:, [5, 2]])
    table = source.pick([1, GENES + 1, GENES])
    assert table.column_names == ["g1", "leiden", "row names"]
    assert table["leiden"].to_pylist()[:4] == ["c0", "c1", "c2", "c0"]
    assert table["row names"].to_pylist()[59] == "cell 59"
    np.testing.assert_array_equal(table["g1"].to_numpy(), counts[:, 1])


def test_where_rows_begin_is_read_some_rows_at_a_time(
    tmp_path: Path, counts: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = open_source(_write(tmp_path / "t.h5ad", counts))
    monkeypatch.setattr("tamis.sources.anndata.batch_rows", lambda _: 7)
    blocks = list(source.batches(range(GENES)))
    assert max(block.shape[0] for block in blocks) == 7
    np.testing.assert_array_equal(_dense(blocks), counts)


def test_the_answer_is_that_of_the_array_and_obs_are_only_labels(
    tmp_path: Path, counts: np.ndarray
) -> None:
    path = _write(tmp_path / "t.h5ad", counts)
    frame = pd.DataFrame(counts, columns=[f"g{j}" for j in range(GENES)])
    found = tamis.select(path, 3)
    assert found.names == tamis.select(frame, 3).names
    assert {"leiden", "n", "row names"} <= set(found.skipped)
    groups = [f"c{i % 3}" for i in range(ROWS)]
    by_labels = tamis.select(path, 3, method="information-gain", y="leiden")
    assert by_labels.names == tamis.select(frame, 3, method="information-gain", y=groups).names


def test_labels_of_many_rows_are_read_some_at_a_time(
    tmp_path: Path, counts: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _write(tmp_path / "t.h5ad", counts)
    monkeypatch.setattr(anndata_source, "_TEXTS_AT_A_TIME", 7)
    labels = open_source(path).pick(range(GENES, GENES + 4))
    assert labels["row names"].to_pylist() == [f"cell {i}" for i in range(ROWS)]
    assert labels["n"].to_pylist() == counts.sum(axis=1).tolist()
    assert labels["obs:g1"].to_pylist() == list(range(ROWS))


def test_a_layer_is_read_in_place_of_the_matrix(tmp_path: Path, counts: np.ndarray) -> None:
    path = _write(tmp_path / "t.h5ad", counts)
    source = open_source(TableFile(path, layer="doubled"))
    np.testing.assert_array_equal(_dense(source.batches(range(GENES))), 2 * counts)
    with pytest.raises(TamisError, match="did you mean 'doubled'"):
        open_source(TableFile(path, layer="double"))
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(TamisError, match="is for AnnData"):
        open_source(TableFile(tmp_path / "t.csv", layer="x"))


def test_names_that_genes_share_are_numbered_and_that_is_said(
    tmp_path: Path, counts: np.ndarray
) -> None:
    names = ["a", "b", "a", "a-1", "a", "c", "d", "e"]
    source = open_source(_write(tmp_path / "t.h5ad", counts, names=names))
    assert len(set(source.names)) == len(source.names)
    assert source.names[:2] == ("a", "b")
    assert "'a'" in source.info.doubts[0]


@pytest.mark.parametrize(
    ("part", "values"),
    [
        ("X/indptr", np.arange(61)[::-1]),
        ("X/indices", np.full(1000, 99)),
        ("X/data", np.ones(3, np.float32)),
        ("obs/leiden/codes", np.full(60, 7, np.int8)),
        ("var/_index", np.array([b"a", b"b"])),
        ("obs/_index", np.array([b"a", b"b"])),
    ],
)
def test_parts_that_do_not_fit_are_refused_in_one_sentence(
    tmp_path: Path, counts: np.ndarray, part: str, values: Any
) -> None:
    path = _write(tmp_path / "t.h5ad", counts)
    with h5py.File(path, "r+") as store:
        size = store[part].shape[0]
        del store[part]
        store[part] = values[:size] if values.dtype.kind in "iu" else values
    with pytest.raises(TamisError):
        list(open_source(path).batches(range(GENES)))


def test_a_zarr_store_can_be_given_to_the_command(
    tmp_path: Path, counts: np.ndarray, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    pytest.importorskip("zarr")
    _write(tmp_path / "t.zarr", counts)
    monkeypatch.chdir(tmp_path)
    from tamis.cli import main

    main(["select", "t.zarr", "-k", "2", "--carry", "leiden", "-o", "kept.csv"])
    assert "Keep 2 of" in capsys.readouterr().out
    assert "leiden" in Path("kept.csv").read_text().splitlines()[0]
    shutil.rmtree("t.zarr")


class AnnData:
    """What an object in memory has, as far as tamis reads it."""

    __module__ = "anndata._core.anndata"
    isbacked = False

    def __init__(self, X: Any, obs: pd.DataFrame, names: list[str]) -> None:
        self.X, self.obs, self.var_names = X, obs, names
        self.var = pd.DataFrame(index=names)

    def __getitem__(self, places: Any) -> "AnnData":
        _, columns = places
        return AnnData(self.X[:, columns], self.obs, [self.var_names[j] for j in columns])


@pytest.mark.parametrize("sparse", [True, False])
def test_an_object_in_memory_is_read_and_not_written_to(counts: np.ndarray, sparse: bool) -> None:
    obs = pd.DataFrame(
        {"leiden": pd.Categorical(["a", "b"] * 30)}, index=[f"c{i}" for i in range(60)]
    )
    names = [f"g{j}" for j in range(GENES)]
    adata = AnnData(scipy.sparse.csr_matrix(counts) if sparse else counts, obs, names)
    assert open_anndata_object(adata).kinds == ("numeric",) * GENES + ("beside",) * 2
    found = tamis.select(adata, 3)
    assert found.names == tamis.select(pd.DataFrame(counts, columns=names), 3).names
    assert isinstance(found.transform(adata), AnnData)
    assert found.transform(adata).var_names == found.names
    assert adata.var.shape == (GENES, 0)


@pytest.mark.parametrize("inside", ["", "t.zarr"])
def test_a_zipped_zarr_store_is_read(tmp_path: Path, counts: np.ndarray, inside: str) -> None:
    folder = _write(tmp_path / "t.zarr", counts)
    shutil.make_archive(
        str(folder), "zip", tmp_path if inside else folder, inside or None
    )  # as `zip -r` of the folder, or of what is in it
    shutil.rmtree(folder)
    source = open_source(tmp_path / "t.zarr.zip")
    np.testing.assert_array_equal(_dense(source.batches(range(GENES))), counts)
    assert source.names[-1] == "obs:g1"


def test_an_archive_that_is_no_zarr_store_or_unpacks_to_far_more_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.zarr.zip"
    path.write_bytes(b"not an archive")
    with pytest.raises(TamisError, match=r"t\.zarr\.zip cannot be read"):
        open_source(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../other", b"0")
    with pytest.raises(TamisError, match="no Zarr group in it"):
        open_source(path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(".zgroup", bytes(30 << 20))
    with pytest.raises(TamisError, match="takes 30 MB once unpacked"):
        open_source(path)
    assert not (tmp_path / "other").exists()


def test_groups_that_the_consolidated_metadata_lack_are_read(
    tmp_path: Path, counts: np.ndarray
) -> None:
    zarr = pytest.importorskip("zarr")
    store = zarr.open_group(str(tmp_path / "t.zarr"), mode="w", zarr_format=2)
    _put_matrix(store, "X", counts, "csr")
    zarr.consolidate_metadata(str(tmp_path / "t.zarr"), zarr_format=2)
    _put_frame(store, "obs", {}, [f"cell {i}" for i in range(len(counts))])
    _put_frame(store, "var", {}, [f"g{j}" for j in range(GENES)])
    source = open_source(tmp_path / "t.zarr")
    np.testing.assert_array_equal(_dense(source.batches(range(GENES))), counts)
