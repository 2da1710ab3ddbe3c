import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import tamis
from tamis.errors import TamisError
from tamis.sources.npz import Member, open_npz


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.npz"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_only_table_is_found_whatever_its_name(
    path: Path, numbers: np.ndarray, save: Any, order: str
) -> None:
    save(path, data=np.asarray(numbers, order=order), labels=np.arange(60))
    source = open_npz(path)
    assert source.names[:2] == ("x0", "x1")
    np.testing.assert_array_equal(np.concatenate(list(source.batches(range(7)))), numbers)


def test_x_is_taken_among_several_tables(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers, Y=numbers[:, :2])
    assert len(open_npz(path).names) == 7


@pytest.mark.parametrize("key", ["feature_names", "columns", "names"])
def test_names_beside_the_table_are_used(path: Path, numbers: np.ndarray, key: str) -> None:
    np.savez(path, X=numbers[:, :2], **{key: np.array(["age", "weight"])})
    assert open_npz(path).names == ("age", "weight")


@pytest.mark.parametrize("code", [0x110000, 0xFFFFFFFF, 0xD800])
def test_names_with_letters_that_do_not_exist_are_refused(
    path: Path, numbers: np.ndarray, code: int
) -> None:
    names = np.array(["age", "weight"])
    names.view(np.uint32)[1] = code
    np.savez(path, X=numbers[:, :2], names=names)
    with pytest.raises(TamisError, match=r"cannot be read, .*'names' does not hold text"):
        open_npz(path)


def test_byte_swapped_names_are_read(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers[:, :2], names=np.array(["age", "größe"], ">U5"))
    assert open_npz(path).names == ("age", "größe")


def test_booleans_and_whole_numbers_are_read(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers > 0)
    assert set(open_npz(path).kinds) == {"boolean"}
    np.savez(path, X=np.round(numbers).astype(np.int16))
    assert tamis.select(path, k=2).names == tamis.select(np.round(numbers), k=2).names


def test_a_cube_is_refused_with_the_tables_that_it_can_be(path: Path) -> None:
    np.savez(path, cube=np.zeros((4, 5, 6)))
    with pytest.raises(tamis.TamisError, match=r"\(4, 5, 6\): .* makes 20 rows of 6 columns"):
        tamis.select(path, k=2)


def test_columns_are_picked_in_the_order_asked(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers)
    np.testing.assert_array_equal(open_npz(path).pick([4, 1]), numbers[:, [4, 1]])


@pytest.mark.parametrize(
    ("arrays", "found"),
    [
        ({"a": np.eye(3), "b": np.eye(4)}, "a, b"),
        ({"a": np.arange(3)}, "none"),
        ({"a": np.array([["x", "y"]])}, "none"),
        ({}, "none"),
    ],
)
def test_no_table_or_several_are_refused(path: Path, arrays: Any, found: str) -> None:
    np.savez(path, **arrays)
    with pytest.raises(TamisError, match=f"must hold one array of rows.*numbers in it: {found}"):
        open_npz(path)


@pytest.mark.parametrize("share", [0.01, 0.5, 0.98])
@pytest.mark.parametrize("kind", ["npz", "sparse.npz"])
def test_a_truncated_archive_is_refused(table_as: Any, kind: str, share: float) -> None:
    path = Path(table_as(kind))
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(TamisError, match="is not an NPZ archive, or is damaged: write it again"):
        tamis.select(path)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_damaged_values_are_refused(path: Path, numbers: np.ndarray, save: Any) -> None:
    save(path, X=numbers)
    data = bytearray(path.read_bytes())
    data[500:600] = bytes(100)
    path.write_bytes(data)
    with pytest.raises(TamisError, match=r"t\.npz cannot be read, it is damaged"):
        tamis.select(path)


def test_a_single_array_or_text_under_the_suffix_is_refused(path: Path) -> None:
    np.save(path.with_suffix(".npy"), np.eye(3))
    path.write_bytes(path.with_suffix(".npy").read_bytes())
    with pytest.raises(TamisError, match="is not an NPZ archive"):
        open_npz(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(TamisError, match="is not an NPZ archive"):
        open_npz(path)


def test_pickled_objects_are_never_loaded(path: Path) -> None:
    np.savez(path, X=np.array([[1, "a"]], dtype=object))
    with pytest.raises(TamisError, match="must hold one array of rows and columns"):
        open_npz(path)


def _sparse(**changed: Any) -> dict[str, Any]:
    matrix = scipy.sparse.csr_array([[1.0, 0, 2], [0, 3, 0], [4, 0, 5], [0, 0, 7]])
    parts = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    return {**parts, "shape": np.array(matrix.shape), "format": np.array(b"csr"), **changed}


@pytest.mark.parametrize(
    "changed",
    [
        {"indices": np.array([0, 2, 1, 0, 2, 3])},
        {"indices": np.array([0, 2, 1, 0, 2, -1])},
        {"indices": np.array([0, 2, 1, 0, 2, 2**62])},
        {"indices": np.array([0, 2, 1, 0, 2, 2], float)},
        {"indices": np.array([0, 2, 1])},
        {"indptr": np.array([0, 2, 3, 5, 600])},
        {"indptr": np.array([0, 9, 3, 5, 6])},
        {"indptr": np.array([0, 2, 3, -5, 6])},
        {"indptr": np.array([0, 2, 1000, 5, 0])},
        {"indptr": np.array([0, 2**62, -(2**62), 2**62, 0])},
        {"indptr": np.array([0, 2, 1000, 0]), "format": np.array(b"csc"), "shape": [3, 3]},
        {"indptr": np.array([0, 2])},
        {"shape": np.array([4, 2])},
        {"shape": np.array([4000, 3])},
        {"shape": np.array([-4, 3])},
        {"shape": np.array([4, 3, 1])},
        {"shape": np.array([4.0, 3.0])},
        {"data": np.arange(6.0)[None]},
        {"format": np.array(b"bsr")},
        {"format": np.array(b"csc"), "shape": np.array([2**40, 4])},
    ],
)
def test_a_sparse_matrix_with_positions_out_of_range_is_refused(path: Path, changed: Any) -> None:
    np.savez(path, **_sparse())
    assert tamis.select(path, k=2).k == 2
    np.savez(path, **_sparse(**changed))
    with pytest.raises(TamisError, match=r"t\.npz"):
        tamis.select(path, k=2)


@pytest.mark.parametrize("shape", [(4, 2**40), (2**40, 3), (2**31, 2**31)])
@pytest.mark.parametrize("layout", ["coo", "csc"])
def test_a_few_bytes_cannot_declare_a_shape_that_fills_the_memory(
    path: Path, layout: str, shape: tuple[int, int]
) -> None:
    one = np.array([0])
    places = {"row": one, "col": one} if layout == "coo" else {"indices": one, "indptr": [0, 1]}
    np.savez(path, data=[1.0], shape=shape, format=np.array(layout.encode()), **places)
    with pytest.raises(TamisError, match=r"t\.npz declares [0-9,]+ (rows|columns) and has values"):
        open_npz(path)
    np.savez(path, X=np.empty((0, shape[1])))
    if shape[1] > 3:
        with pytest.raises(TamisError, match=r"declares [0-9,]+ columns and has values for at"):
            open_npz(path)


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr"])
def test_every_layout_that_fits_is_read(path: Path, numbers: np.ndarray, layout: str) -> None:
    scipy.sparse.save_npz(path, scipy.sparse.coo_array(numbers).asformat(layout))
    assert tamis.select(path, k=3).names == tamis.select(numbers, k=3).names


def test_a_layout_that_is_not_read_is_refused_with_the_way_out(path: Path) -> None:
    scipy.sparse.save_npz(path, scipy.sparse.dia_array(np.eye(4)))
    with pytest.raises(TamisError, match=r"in the layout 'dia': save it as CSR, with matrix.tocsr"):
        open_npz(path)


@pytest.mark.parametrize("dtype", [">f8", ">f4", ">i4", "<f2", "longdouble"])
def test_byte_swapped_and_odd_numbers_are_read_and_written(
    path: Path, numbers: np.ndarray, dtype: str
) -> None:
    whole = np.round(numbers)
    np.savez(path, X=whole.astype(dtype))
    table = next(iter(open_npz(path).tables([1, 0])))
    np.testing.assert_array_equal(table["x1"].to_numpy(), whole[:, 1])
    matrix = scipy.sparse.csr_array(whole)
    parts = {"indices": matrix.indices.astype(">i4"), "indptr": matrix.indptr.astype(">i8")}
    np.savez(path, **_sparse(data=matrix.data.astype(dtype), shape=(60, 7), **parts))
    assert tamis.select(path, k=3).names == tamis.select(whole, k=3).names


def _repacked(path: Path, change: Any) -> None:
    """Write the archive again, its members changed and its checksums right."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, change(data))


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:70],
        lambda data: data[:3],
        lambda _: b"",
        lambda data: data.replace(b"(60, 7)", b"(60, 7("),
        lambda data: data.replace(b"(60, 7)", b"(60, 9)"),
        lambda data: data.replace(b"(60, 7)", b"(-1,-7)"),
        lambda data: data.replace(b"(60, 7), }  ", b"(90**9,7), }"),
        lambda data: data.replace(b"(60, 7), }         ", b"(10000000000, 7), }"),
        lambda data: data.replace(b"'<f8'", b"'<f7'"),
        lambda data: data.replace(b"\x93NUMPY\x01", b"\x93NUMPY\x07"),
        lambda data: data + bytes(8),
    ],
)
def test_a_header_that_does_not_fit_its_array_is_refused(
    path: Path, numbers: np.ndarray, change: Any
) -> None:
    np.savez(path, X=numbers)
    _repacked(path, change)
    with pytest.raises(TamisError, match=r"t\.npz cannot be read, it is damaged"):
        tamis.select(path)


@pytest.mark.parametrize(
    ("place", "value"),
    [(6, 240), (8, 1), (8, 32), (10, 9), (10, 12), (10, 14), (10, 99), (20, 1), (24, 1 << 31)],
    ids=[
        *("version", "encrypted", "patched", "deflate64", "bzip2", "lzma", "unknown packing"),
        *("packed size", "size"),
    ],
)
def test_a_directory_that_lies_about_a_member_is_refused(
    path: Path, numbers: np.ndarray, place: int, value: int
) -> None:
    np.savez_compressed(path, X=numbers)
    data = bytearray(path.read_bytes())
    start = data.find(b"PK\x01\x02") + place
    size = 4 if place >= 20 else 2
    data[start : start + size] = value.to_bytes(size, "little")
    path.write_bytes(data)
    with pytest.raises(TamisError, match=r"t\.npz cannot be read, it is damaged"):
        tamis.select(path)


def test_pickled_labels_beside_the_table_do_no_harm(path: Path, numbers: np.ndarray) -> None:
    np.savez(path, X=numbers, labels=np.array(["a", None] * 30, dtype=object))
    assert tamis.select(path, k=3).names == tamis.select(numbers, k=3).names


def test_a_member_that_is_no_array_does_no_harm(path: Path, numbers: np.ndarray) -> None:
    with zipfile.ZipFile(path, "w") as file:
        sink = io.BytesIO()
        np.save(sink, numbers)
        file.writestr("X.npy", sink.getvalue())
        file.writestr("notes.txt", "made by hand")
    assert len(open_npz(path).names) == 7


def _zeros(path: Path, **shapes: Any) -> Path:
    """Write arrays of zeros, which take next to no room in the archive."""
    np.savez_compressed(path, **{name: np.zeros(*given) for name, given in shapes.items()})
    assert path.stat().st_size < 1 << 20
    return path


@pytest.mark.parametrize("what", ["by columns", "names", "stored zeros", "columns"])
def test_what_would_not_fit_is_refused_before_it_is_unpacked(
    path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sizes that the headers declare are enough to know."""
    n = 5_000_000
    if what == "by columns":
        _zeros(path, X=((n, 2), "f8", "F"))
    elif what == "names":
        _zeros(path, X=((3, 2),), names=(2, f"U{n}"))
    elif what == "columns":
        _zeros(path, X=((2, n), "i1"))
    else:
        np.savez_compressed(
            path,
            data=np.zeros(n, "i1"),
            indices=np.zeros(n, "i1"),
            indptr=[0, n],
            shape=[1, 3],
            format=b"csr",
        )
    for read in ("read_rows", "read_array"):
        owner = Member if read == "read_rows" else np.lib.format
        monkeypatch.setattr(owner, read, lambda *_, **__: pytest.fail("values were unpacked"))
    if what == "stored zeros":
        monkeypatch.setattr(Member, "read_all", lambda _: np.array(b"csr"))
    with pytest.raises(TamisError, match=r"of memory and the limit is 64MB.*memory="):
        tamis.select(path, 1, memory="64MB")


@pytest.mark.parametrize("wrong", [{"format": (1_000_000, "U1")}, {"shape": (1_000_000, "i8")}])
def test_a_sparse_matrix_has_a_short_format_and_shape(path: Path, wrong: Any) -> None:
    _zeros(path, **{"data": (1,), "format": ((), "S3"), "shape": (2, "i8"), **wrong})
    with pytest.raises(TamisError, match="its format must be one word and its shape two integers"):
        open_npz(path)


def test_an_array_stored_by_columns_is_read_by_blocks_of_rows(
    path: Path, numbers: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.savez(path, X=np.asfortranarray(numbers))
    monkeypatch.setattr("tamis.sources.arrays.batch_rows", lambda _: 25)
    blocks = list(open_npz(path).batches(range(7)))
    assert [len(block) for block in blocks] == [25, 25, 10]
    np.testing.assert_array_equal(np.concatenate(blocks), numbers)
