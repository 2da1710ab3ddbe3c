"""One pass over a table, here or where its parts are: what accumulators know of rows comes home.

`PartedSource`, what an engine has to answer, is in `source.py`.
"""

import copy
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from typing import Any, Self

from tamis.errors import TamisError
from tamis.progress import track
from tamis.sources.source import Source, Values
from tamis.values import dataclass

_MAX_REASON_LETTERS = 200  # letters of a reason
_REFUSED = "refused"


class Accumulator(ABC):
    """What sees the rows of a pass, and is filled by it, wherever the rows are read.

    A part of a table has one of its own (`begin`), of which values come home (`split`). Those of
    one name `merge`, and fill the accumulator that stayed (`join`).
    """

    done: bool = False  # whether further rows would change nothing

    @abstractmethod
    def add(self, rows: Any) -> None:
        """Take in some rows."""

    def begin(self, number: int) -> Self:
        """Begin an accumulator for the part of this number, before any row was seen."""
        del number
        return copy.deepcopy(self)

    def split(self) -> Mapping[Hashable, Any]:
        """Cut what is known into values that merge with those of their name; none is large."""
        return {"": self}

    def merge(self, other: Any) -> Self:
        """Take in what is known of a later part; asked of what goes home as a whole only."""
        raise NotImplementedError

    def join(self, values: Mapping[Any, Any]) -> None:
        """Take in the merged values of all parts; there are none of a table without parts."""
        if "" in values:
            vars(self).update(vars(values[""]))


# Gives the rows of some columns of a table or a part, in the form that accumulators take.
Rows = Callable[[Source, Sequence[int]], Iterator[Any]]


def read_numbers(source: Source, columns: Sequence[int]) -> Iterator[Any]:
    """Yield the numbers of these columns, as dense or sparse arrays of some rows each."""
    batches = source.batches(columns)
    return track("rows read", batches, source.n_rows, lambda b: int(b.shape[0]), source.meter)


def read(
    source: Source,
    columns: Sequence[int],
    *accumulators: Accumulator,
    rows: Rows = read_numbers,
    here: bool = False,
) -> tuple[Any, ...]:
    """Let accumulators see the rows of these columns once, which fills them; give them back.

    The parts of an engine's table are read where they are, unless all is wanted `here`.
    """
    parts = None if here else source.in_parts()
    if parts is None:
        _fill(accumulators, rows(source, columns))
        return accumulators
    work = partial(_read_part, accumulators=accumulators, rows=rows)
    values = parts.gather(columns, work)
    if _REFUSED in values:
        raise TamisError(values[_REFUSED].sentence)
    own: list[dict[Hashable, Any]] = [{} for _ in accumulators]
    for (place, name), value in values.items():
        own[place][name] = value
    for one, some in zip(accumulators, own, strict=True):
        one.join(some)
    return accumulators


def _fill(accumulators: Sequence[Accumulator], batches: Iterator[Any]) -> None:
    for batch in batches:
        for one in accumulators:
            one.add(batch)
        if all(one.done for one in accumulators):
            return


@dataclass(frozen=True)
class Refusal:
    """Why a part cannot be read: an engine may bring only a text of an error home."""

    sentence: str

    def merge(self, other: "Refusal") -> "Refusal":
        """Give the first."""
        del other
        return self


def _read_part(
    number: int, part: Source, *, accumulators: Sequence[Accumulator], rows: Rows
) -> Values:
    own = [one.begin(number) for one in accumulators]
    try:
        _fill(own, rows(part, range(len(part.names))))
        return {
            (i, name): value for i, one in enumerate(own) for name, value in one.split().items()
        }
    except TamisError as error:
        return {_REFUSED: Refusal(str(error))}


def merge_values(parts: Sequence[Values]) -> Values:
    """Merge the values of each name, in the order of the parts."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {
        name: reduce(lambda a, b: a.merge(b), [part[name] for part in parts if name in part])
        for name in names
    }


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
