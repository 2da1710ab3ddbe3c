"""Damage inside an NPZ archive, packed again with good checksums; or lies in its directory."""

import io
import struct
import zipfile
from typing import Any

import numpy as np

Rng = Any

_SHAPES = (
    *("()", "(0, 6)", "(40, 0)", "(40,)", "(-1, 6)", "(40, 6, 1)", "(41, 6)", "(6, 40)"),
    *("(1000000000000, 6)", "(40, 4000000000)", "(True, 6)", "(4e1, 6)", "('40', 6)", "None"),
)
_TYPES = (
    *(">f8", "<f4", "<f2", "<f16", ">i4", "<u8", "|b1", "<c16", "|O", "<U5", "|S8", "<M8[ns]"),
    *("|V8", "<f3", "zz", "", "<f8, <f8", "|i1"),
)
_FORMATS = (b"csr", b"csc", b"coo", b"dia", b"bsr", b"lil", b"???", b"")


def damaged_archive(data: bytes, rng: Rng) -> bytes:
    """Change members of an archive, then perhaps what the archive says about them."""
    members = _unpacked(data)
    for _ in range(int(rng.integers(1, 3))):
        _WAYS[int(rng.integers(len(_WAYS)))](members, rng)
    packing = zipfile.ZIP_DEFLATED if rng.random() < 0.5 else zipfile.ZIP_STORED
    packed = _packed(members, packing)
    return _lie(packed, rng) if rng.random() < 0.2 else packed


def _unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def _packed(members: dict[str, bytes], packing: int) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", packing) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, packing)
    return sink.getvalue()


def _any(members: dict[str, bytes], rng: Rng) -> str:
    names = sorted(members)
    return names[int(rng.integers(len(names)))] if names else "X.npy"


def _remove(members: dict[str, bytes], rng: Rng) -> None:
    members.pop(_any(members, rng), None)


def _rename(members: dict[str, bytes], rng: Rng) -> None:
    new = (
        "X.npy",
        "names.npy",
        "data.npy",
        "shape.npy",
        "X",
        "../X.npy",
        "\n.npy",
        "_is_array.npy",
    )
    members[str(rng.choice(new))] = members.pop(_any(members, rng), b"")


def _cut(members: dict[str, bytes], rng: Rng) -> None:
    name = _any(members, rng)
    data = members.get(name, b"")
    members[name] = data[: int(rng.integers(0, len(data) + 1))]


def _flip(members: dict[str, bytes], rng: Rng) -> None:
    name = _any(members, rng)
    data = bytearray(members.get(name, b""))
    for _ in range(int(rng.integers(1, 6))):
        if data:
            top = 128 if rng.random() < 0.6 else len(data)
            data[int(rng.integers(0, min(top, len(data))))] ^= 1 << int(rng.integers(8))
    members[name] = bytes(data)


def _header(members: dict[str, bytes], rng: Rng) -> None:
    """Write another shape, type, order or version into the header of an array."""
    name, array = _array(members, rng)
    shape = str(array.shape) if rng.random() < 0.5 else str(rng.choice(_SHAPES))
    dtype = array.dtype.str if rng.random() < 0.5 else str(rng.choice(_TYPES))
    order = rng.random() < 0.3
    text = f"{{'descr': {dtype!r}, 'fortran_order': {order}, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    version = bytes((1, 0)) if rng.random() < 0.8 else bytes(rng.integers(0, 5, 2).tolist())
    size = struct.pack("<H", len(text)) if version[0] < 2 else struct.pack("<I", len(text))
    members[name] = b"\x93NUMPY" + version + size + text.encode() + array.tobytes()


def _values(members: dict[str, bytes], rng: Rng) -> None:
    """Write other numbers into an array: positions beyond the end, sizes below zero."""
    name, array = _array(members, rng)
    if array.dtype.kind == "S":
        array = np.array(_FORMATS[int(rng.integers(len(_FORMATS)))])
    elif array.size and array.dtype.kind in "if":
        flat = array.ravel()
        top = np.iinfo(array.dtype).max if array.dtype.kind == "i" else 1e300
        edge = (-1, 0, 1, 5, 6, 7, 41, 1000, 10**6, top, -top)
        with np.errstate(over="ignore"):
            for _ in range(int(rng.integers(1, 4))):
                value = np.array(edge[int(rng.integers(len(edge)))]).astype(array.dtype)
                flat[int(rng.integers(flat.size))] = value
        array = flat.reshape(array.shape)
    members[name] = _saved(array)


def _length(members: dict[str, bytes], rng: Rng) -> None:
    """Make an array longer or shorter than those beside it, or give it another type."""
    name, array = _array(members, rng)
    array = np.atleast_1d(array)
    way = int(rng.integers(4))
    if way == 0:
        array = array[: int(rng.integers(0, len(array) + 1))]
    elif way == 1:
        array = np.concatenate([array, array[:3]])
    elif way == 2:
        array = array[None]
    elif array.dtype.kind in "iuf":
        with np.errstate(invalid="ignore", over="ignore"):
            array = array.astype(str(rng.choice([">i8", ">f8", "<i2", "<u1", "<f4", "<c8", "<U3"])))
    members[name] = _saved(array)


def _array(members: dict[str, bytes], rng: Rng) -> tuple[str, Any]:
    """Choose a member and load it; what was damaged before counts as a row of zeros."""
    name = _any(members, rng)
    try:
        return name, np.lib.format.read_array(io.BytesIO(members[name]), allow_pickle=False)
    except Exception:  # NumPy's reader has no list of what it raises
        return name, np.zeros(5)


def _saved(array: Any) -> bytes:
    sink = io.BytesIO()
    np.lib.format.write_array(sink, array, allow_pickle=False)
    return sink.getvalue()


def _lie(data: bytes, rng: Rng) -> bytes:
    """Change what the directory says of a member: version, flags, packing, sizes, position."""
    changed = bytearray(data)
    start = bytes(changed).find(b"PK\x01\x02")
    entry = changed if start < 0 else memoryview(changed)[start:]
    place, size = ((6, 2), (8, 2), (10, 2), (20, 4), (24, 4), (42, 4))[int(rng.integers(6))]
    values = (1, 8, 9, 14, 63, 99, 1 << 8 * size - 1, (1 << 8 * size) - 1, (1 << 8 * size) - 16)
    if len(entry) > place + size:
        value = int(values[int(rng.integers(len(values)))])
        entry[place : place + size] = value.to_bytes(size, "little")
    return bytes(changed)


_WAYS = (_remove, _rename, _cut, _flip, _header, _header, _values, _values, _values, _length)
