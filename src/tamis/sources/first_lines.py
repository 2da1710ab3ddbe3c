"""The first lines of a text table: what they say must fit into memory before they are read."""

import codecs
from typing import Any

import pyarrow as pa

from tamis.errors import NoRows, TamisError, Unreadable, spell
from tamis.memory import get_budget

__all__ = [
    "block_bytes",
    "check_lines",
    "check_width",
    "find_not_utf8",
    "first_block",
    "first_lines",
]

_PROBE = 1 << 20
_LONGEST_LINE = 1 << 26
_LARGEST_BLOCK = 1 << 30  # Arrow counts the bytes of a block in 32 bits
_TYPE_INFERENCE_BYTES = 10_000  # that finding out the type of a column takes, as measured
_N_TYPED_ROWS = 64  # that say what a column holds


def first_lines(stream: Any, label: str, path: str) -> list[bytes]:
    """Read the first line and some below it, as far as there are any; a huge one is refused."""
    blocks: list[bytes] = []
    size, longest = 0, min(_LONGEST_LINE, get_budget() // 4)
    lines: list[bytes] = []
    while len(lines) < 2 and (block := stream.read(_PROBE)):
        blocks.append(block)
        size += len(block)
        # All that was read is split only once a line has ended: else long lines take forever.
        if lines or b"\n" in block or b"\r" in block:
            lines = b"".join(blocks).splitlines()
        elif size > longest:
            raise Unreadable(
                f"The first line of {label} does not end within {longest >> 20} MB: give a text "
                "table with the names in its first line.",
                path,
            )
    return lines or b"".join(blocks).splitlines()


def check_lines(lines: list[bytes], label: str, path: str, *, named: bool) -> None:
    """Refuse a table that starts with an empty line, or that has only a header."""
    if not lines or not lines[0].strip(b"\xef\xbb\xbf \t"):
        raise Unreadable(f"{label} starts with an empty line: put the header there.", path)
    if len(lines) < 2 and named:
        raise NoRows(f"{label} has no rows below the header: at least 2 are needed.")


def check_width(width: int, label: str) -> None:
    """Refuse a table of more columns than memory allows for, before Arrow reads them."""
    if (needed := width * _TYPE_INFERENCE_BYTES) > get_budget():
        size = f"{-(-needed // 10**8) / 10:,.1f}GB"
        raise TamisError(
            f"{label} has {width:,} columns, and a text table of so many takes about {size} of "
            f"memory, more than the {get_budget() / 10**9:,.1f} GB allowed: pass "
            f"{spell('memory', size)} if there is that much, or give the table as .npz."
        )


def block_bytes(usual: int, line: int) -> int:
    """Give the size of the blocks to read: some lines, as long as the first, and not too many."""
    most = min(_LARGEST_BLOCK, max(4 * line, get_budget() // 8))
    return max(usual, min(_N_TYPED_ROWS * line, most))


def first_block(stream: Any, size: int) -> pa.BufferReader:
    """Give the first block as a file, with what a row that begins in it may need of the next.

    From the whole file Arrow reads 32 blocks ahead before anyone asks for a second one.
    """
    with stream:
        return pa.BufferReader(stream.read(2 * size + 1))


def find_not_utf8(stream: Any) -> str:
    """Say where the first byte is that no UTF-8 text has; nothing where the text ends too early."""
    decoder, line = codecs.getincrementaldecoder("utf-8")(), 1
    while block := stream.read(_PROBE):
        try:
            decoder.decode(block)
        except UnicodeDecodeError as error:
            line += error.object[: error.start].count(b"\n")
            return f" (line {line}, byte 0x{error.object[error.start]:02x})"
        line += block.count(b"\n")
    return ""
