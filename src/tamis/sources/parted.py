"""Tables whose rows lie in parts, on a cluster or in tasks: work goes to them, sums come home."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeGuard

from tamis.errors import TamisError
from tamis.sources.source import Source

Arrays = dict[str, Any]
Work = Callable[[int, Iterable[Any]], dict[str, Arrays]]
Add = Callable[[Sequence[Arrays]], Arrays]


class PartedSource(Source, Protocol):
    """A table in the hands of an engine.

    `work` takes the number of a part and its batches, and gives named groups of arrays; groups
    of one name are added by `add`, in the order of the parts. Only the sums come home. Both are
    functions of a module, or partial ones, that a worker can import; no array they give is large.
    """

    def head(self, columns: Sequence[int], rows: int) -> Any:
        """Bring the first rows of these columns home as an Arrow table, and no others."""

    def gather(self, columns: Sequence[int], work: Work, add: Add) -> dict[str, Arrays]:
        """Do this work on these columns of every part, where the part is, and add it up."""


def is_parted(source: Source) -> TypeGuard[PartedSource]:
    """Whether work can be sent to the parts of a table."""
    return hasattr(source, "gather")


@contextmanager
def on_workers(engine: str) -> Iterator[None]:
    """Say in one sentence that a package is not installed where the work is done."""
    try:
        yield
    except TamisError:
        raise
    except Exception as error:
        lost = re.search(r"No module named '([\w.]+)'", str(error))
        if lost is None:
            raise
        raise TamisError(
            f"The workers of {engine} have no package {lost[1]!r}: install tamis where they run."
        ) from error
