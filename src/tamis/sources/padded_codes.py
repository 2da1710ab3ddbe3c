"""Codes of a text table that are digits with leading zeros: 01067 is a place, and no number."""

import csv
import io
import re
from collections.abc import Sequence
from contextlib import suppress

from tamis.sources.text_lines import is_missing

__all__ = ["find_padded_codes"]

_MIN_CODE_DIGITS = 3  # 07 may be a month or an hour
_CUT_LINES = 100  # beyond, the last line may be cut where the first bytes end
_CODE = re.compile(r"\d+")


def find_padded_codes(below: str, separator: str, names: Sequence[str]) -> list[str]:
    r"""Name the columns whose cells are digits of one length, some with a zero before them.

    `below` are the first lines below the header.

    >>> find_padded_codes("01067,7,007.5\n80331,12,001.5", ",", ["plz", "age", "x"])
    ['plz']
    """
    mark = re.escape(separator)
    # It begins with the zero, which is quickly searched for; what stands before it comes second.
    padded = rf'0(?<![^{mark}"\n]0)\d{{{_MIN_CODE_DIGITS - 1},}}"?(?={mark}|\r?$)'
    if re.search(padded, below, re.MULTILINE) is None:
        return []
    lines = list(io.StringIO(below))
    rows: list[list[str]] = []
    with suppress(csv.Error):  # what the library cannot read is for the reader to say
        rows.extend(
            csv.reader(lines[:-1] if len(lines) > _CUT_LINES else lines, delimiter=separator)
        )
    return [
        name for j, name in enumerate(names) if _are_codes([row[j] for row in rows if j < len(row)])
    ]


def _are_codes(cells: Sequence[str]) -> bool:
    bare = [text for cell in cells if not is_missing(text := cell.strip())]
    lengths = {len(text) for text in bare}
    if len(lengths) != 1 or min(lengths) < _MIN_CODE_DIGITS or not any(t[0] == "0" for t in bare):
        return False
    return all(map(_CODE.fullmatch, bare)) and len({*bare}) > 1
