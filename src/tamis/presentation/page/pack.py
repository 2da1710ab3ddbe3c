"""Numbers and blocks of bytes as short text for the script of a page.

`unpack` in page_data.js reads numbers back, `inflate` in model.js blocks.
"""

import base64
import zlib
from collections.abc import Iterable

__all__ = ["ALPHABET", "SHORT", "deflate", "pack"]

# Printable, and safe inside JSON, HTML and script alike.
ALPHABET = "".join(chr(code) for code in range(35, 127) if chr(code) not in "&'<>\\`=:@")
SHORT = 68  # first digits below this stand alone; the others open a longer number
_LETTER_BASE = len(ALPHABET)
_MAX_TWO_LETTER_NUMBER = SHORT + (_LETTER_BASE - 1 - SHORT) * _LETTER_BASE


def pack(numbers: Iterable[int]) -> str:
    """Write integers as text, small ones with a single character.

    >>> pack([0, -1, 1, 40, 1000])
    '#$%p1~#.A'
    """
    return "".join(_digits(number) for number in numbers)


def _digits(number: int) -> str:
    code = 2 * number if number >= 0 else -2 * number - 1
    if code < SHORT:
        return ALPHABET[code]
    if code < _MAX_TWO_LETTER_NUMBER:
        first, second = divmod(code - SHORT, _LETTER_BASE)
        return ALPHABET[SHORT + first] + ALPHABET[second]
    code = min(code - _MAX_TWO_LETTER_NUMBER, _LETTER_BASE**3 - 1)
    return (
        ALPHABET[-1]
        + ALPHABET[code // _LETTER_BASE**2]
        + ALPHABET[code // _LETTER_BASE % _LETTER_BASE]
        + ALPHABET[code % _LETTER_BASE]
    )


def deflate(block: bytes) -> str:
    """Compress a block of bytes and write it in letters.

    >>> len(deflate(b"a" * 1000)) < 40, zlib.decompress(base64.b64decode(deflate(b"abc")))
    (True, b'abc')
    """
    return base64.b64encode(zlib.compress(block, 9)).decode("ascii")
