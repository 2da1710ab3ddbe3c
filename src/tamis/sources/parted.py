"""What engines share: work is sent to every part of a table, and only sums are sent back.

`PartedSource`, what an engine has to answer, is in `source.py`; `parts.py` joins many files.
"""

import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis.sources.source import Arrays, PartedSource, Source

_MAX_REASON_LETTERS = 200  # letters of a reason
_PROBLEM = "problem"


@contextmanager
def on_workers(engine: str) -> Iterator[None]:
    """Say in one sentence what went wrong where the work is done, such as a missing package."""
    try:
        yield
    except (TamisError, MemoryError):
        raise
    except Exception as error:
        lost = re.search(r"No module named '([\w.]+)'", str(error))
        if lost is not None:
            raise TamisError(
                f"The workers of {engine} have no package {lost[1]!r}: install tamis where they "
                "run."
            ) from error
        raise TamisError(
            f"{engine} cannot compute the table ({_reason(error)}): fix the frame and run again."
        ) from error


def _reason(error: Exception) -> str:
    """Find the sentence in pages of calls: Spark's own words, or the last cause that is named."""
    text = str(error)
    marked = re.search(r"\[[A-Z][A-Z_.]+\] *([^\n]+)", text)
    causes = re.findall(r"^(?:Caused by: )?(?:[\w$]+\.)*\w*(?:Error|Exception): (.+)$", text, re.M)
    lines = text.strip().splitlines() or [type(error).__name__]
    found = marked[1] if marked else causes[-1] if causes else lines[0]
    reason = " ".join(found.split())
    if len(reason) > _MAX_REASON_LETTERS:
        reason = reason[:_MAX_REASON_LETTERS].rpartition(". ")[0] or reason[:_MAX_REASON_LETTERS]
    return reason.rstrip(" .")


def gather_merged(
    source: PartedSource,
    columns: Sequence[int],
    make: Callable[[Source], Mapping[str, Any]],
    merge: Callable[[Any, Any], Any],
) -> dict[str, Any]:
    """Make named values of every part where it is, and merge those of one name, in its order.

    No value should be large: split what grows with the columns into several.
    """
    work = partial(_make_values, make=make)
    sums = source.gather(columns, work, partial(_merge_values, merge=merge))
    refused = next((found for name, found in sums.items() if name == _PROBLEM), None)
    if refused is not None:
        raise TamisError(str(_unpack_value(refused)))
    return {name: _unpack_value(found) for name, found in sums.items()}


def _make_values(
    number: int,  # noqa: ARG001
    part: Source,
    *,
    make: Callable[[Source], Mapping[str, Any]],
) -> dict[str, Arrays]:
    try:
        return {name: _pack_value(value) for name, value in make(part).items()}
    except TamisError as error:  # raised at home: an engine may bring only a text of it
        return {_PROBLEM: _pack_value(str(error))}


def _merge_values(parts: Sequence[Arrays], *, merge: Callable[[Any, Any], Any]) -> Arrays:
    values = [_unpack_value(part) for part in parts]
    if isinstance(values[0], str):  # the first sentence of those that were refused
        return parts[0]
    return _pack_value(reduce(merge, values))


def _pack_value(value: Any) -> Arrays:
    """Write a value as bytes, between processes of one engine, which trust each other."""
    return {"pickled": np.frombuffer(pickle.dumps(value), dtype=np.uint8)}


def _unpack_value(arrays: Arrays) -> Any:
    return pickle.loads(arrays["pickled"].tobytes())
