"""Tables whose rows lie in parts, on a cluster or in tasks: work goes to them, sums come home."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from tamis.errors import TamisError

_MAX_REASON_LETTERS = 200  # letters of a reason


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
