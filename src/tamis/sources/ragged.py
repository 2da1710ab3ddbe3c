"""Lines of a text table that have more or fewer values than its first."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa


def list_ragged(
    open_bytes: Callable[[], Any], open_table: Callable[[Callable[[Any], str]], Any], size: int
) -> list[tuple[int, int]]:
    """List the lines and how many values each has, of a file of at most `size` bytes.

    `open_table` reads the file, and calls what it is given for every such line.
    """
    found: list[tuple[int, int]] = []

    def note(row: Any) -> str:
        found.append((row.number, row.actual_columns))
        return "skip"

    try:
        with open_bytes() as stream:
            text = stream.read(size)
            if stream.read(1):
                return []
        text.decode()  # Arrow decodes each such line, and writes to the terminal if it cannot
        with open_table(note) as reader:
            for _ in reader:
                pass
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        pass
    return found
