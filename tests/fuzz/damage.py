"""Ways to damage a file: at random places, or where its format has a meaning."""

import gzip
from typing import Any

from tests.fuzz.archives import damaged_archive

Rng = Any

_TOKENS = (
    *(b'"', b"\n", b"\r", b"\r\n", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe9", b"\x1b[31m"),
    *(b",", b";", b"\t", b"-", b"e", b"1e400", b"-inf", b"NaN", b"9" * 19, b"9" * 400, b"1e200"),
    *(b"0x1f", b"1,5", b'"a\nb"', b"''", b"NA", b"2020-01-01", b"True", b"\\N", b"PK\x03\x04"),
)
_EDGE = (0, 1, 2, 127, 128, 255, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63 - 1)


def damaged(kind: str, data: bytes, rng: Rng) -> bytes:
    """Damage the bytes of a file once or a few times."""
    inner = rng.random() < 0.8  # below the packing, where no checksum catches it
    if kind == "csv.gz" and inner:
        return gzip.compress(damaged_text(gzip.decompress(data), rng), mtime=0)
    if kind.endswith("npz") and inner:
        return damaged_archive(data, rng)
    return damaged_text(data, rng) if kind in ("csv", "tsv") else damaged_binary(data, rng)


def damaged_binary(data: bytes, rng: Rng) -> bytes:
    """Damage the bytes of a file of any format once or twice."""
    for _ in range(int(rng.choice([1, 1, 2]))):
        data = _BINARY[int(rng.integers(len(_BINARY)))](data, rng)
    return data


def damaged_text(data: bytes, rng: Rng) -> bytes:
    """Damage a text once or twice."""
    for _ in range(int(rng.choice([1, 1, 2]))):
        data = _WAYS[int(rng.integers(len(_WAYS)))](data, rng)
    return data


def _place(data: bytes, rng: Rng) -> int:
    """Choose a place, often near the beginning or the end, where the formats keep their headers."""
    where, size = rng.random(), len(data)
    near = int(rng.integers(0, min(size, 200) + 1))
    if where < 0.2:
        return near
    return max(0, size - near) if where < 0.4 else int(rng.integers(0, size + 1))


def _flip(data: bytes, rng: Rng) -> bytes:
    changed = bytearray(data)
    for _ in range(int(rng.choice([1, 1, 2, 4]))):
        if changed:
            changed[min(_place(data, rng), len(changed) - 1)] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def _cut(data: bytes, rng: Rng) -> bytes:
    return data[: _place(data, rng)]


def _drop(data: bytes, rng: Rng) -> bytes:
    start = _place(data, rng)
    return data[:start] + data[start + int(rng.integers(1, 64)) :]


def _insert(data: bytes, rng: Rng) -> bytes:
    start = _place(data, rng)
    return data[:start] + rng.bytes(int(rng.integers(1, 32))) + data[start:]


def _repeat(data: bytes, rng: Rng) -> bytes:
    start, size = _place(data, rng), int(rng.integers(1, 400))
    return (
        data[: start + size] + data[start : start + size] * int(rng.integers(1, 4)) + data[start:]
    )


def _number(data: bytes, rng: Rng) -> bytes:
    """Write an edge of the integers over some bytes: a size or a position in a binary format."""
    size = int(rng.choice([1, 2, 4, 8]))
    value = _EDGE[int(rng.integers(len(_EDGE)))] % (1 << 8 * size)
    start = _place(data, rng)
    return data[:start] + value.to_bytes(size, "little") + data[start + size :]


def _token(data: bytes, rng: Rng) -> bytes:
    start = _place(data, rng)
    return data[:start] + _TOKENS[int(rng.integers(len(_TOKENS)))] + data[start:]


def _cell(data: bytes, rng: Rng) -> bytes:
    """Put a token in the place of a cell."""
    lines = data.split(b"\n")
    row = 0 if rng.random() < 0.3 else int(rng.integers(len(lines)))
    separator = next((mark for mark in (b"\t", b";", b",") if mark in lines[row]), b",")
    cells = lines[row].split(separator)
    token = b"" if rng.random() < 0.2 else _TOKENS[int(rng.integers(len(_TOKENS)))]
    cells[0 if rng.random() < 0.3 else int(rng.integers(len(cells)))] = token
    return b"\n".join([*lines[:row], separator.join(cells), *lines[row + 1 :]])


_BINARY = (_flip, _flip, _cut, _drop, _insert, _repeat, _number, _number)
_WAYS = (_flip, _cut, _drop, _insert, _repeat, _token, _cell, _cell, _cell)
