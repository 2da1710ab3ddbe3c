"""In which encoding a text is written: UTF-8 unless its bytes say otherwise."""

import codecs
import re
from typing import Any

__all__ = ["ENCODING_NAMES", "check_encoding", "find_encoding"]

ENCODING_NAMES = {"cp1252": "Windows-1252", "latin-1": "Latin-1"}
_BLOCK = 1 << 20
_LOOKED_AT = 1 << 26  # bytes of a file that are checked before it is read
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x19\x1b-\x1f\x7f]")
_UTF8_LETTERS = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_HIGH = re.compile(rb"[\x80-\xff]")
_NOT_WINDOWS = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_HALF_ZERO = 0.3  # of the bytes at every second place, where most letters are Latin


def find_encoding(stream: Any) -> str:
    """Give the encoding of a stream of bytes, read from its start.

    What is no text at all is called UTF-8: its reader refuses it.
    """
    start = stream.read(_BLOCK)
    for mark, name in _BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return name
    if (wide := _find_wide(start)) is not None:
        return wide
    decoder, block, read = codecs.getincrementaldecoder("utf-8")(), start, len(start)
    while block:
        try:
            decoder.decode(block)
        except UnicodeDecodeError:
            return _find_legacy(block)
        block = stream.read(_BLOCK) if read < _LOOKED_AT else b""
        read += len(block)
    return "utf-8"


def _find_wide(start: bytes) -> str | None:
    """Recognise UTF-16 without a mark: every second byte of Latin letters is zero."""
    some = start[: 1 << 12]
    zeros = [part.count(0) / max(len(part), 1) for part in (some[::2], some[1::2])]
    if min(zeros) > 0.05 or max(zeros) < _HALF_ZERO:
        return None
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _find_legacy(block: bytes) -> str:
    """Separate the encodings of one byte a letter from UTF-8 that is damaged, and from no text."""
    sound = sum(map(len, _UTF8_LETTERS.findall(block)))
    high = len(_HIGH.findall(block))
    if _CONTROL.search(block) or 2 * sound > high:
        return "utf-8"
    return "latin-1" if _NOT_WINDOWS.search(block) else "cp1252"


def check_encoding(name: str) -> bool:
    """Whether there is such an encoding of text.

    >>> check_encoding("cp1251"), check_encoding("windows"), check_encoding("base64")
    (True, False, False)
    """
    try:
        "a".encode(name)
    except (LookupError, UnicodeError, ValueError):
        return False
    return True
