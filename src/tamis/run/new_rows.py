"""New rows for an old choice: its columns found in another table and read as they were."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from tamis.columns.judgement import TableJudgement
from tamis.errors import TamisError, in_sentence, spell
from tamis.rules.kinds import NUMBER_KINDS
from tamis.run.front import read_table
from tamis.sources.open import open_source
from tamis.sources.source import Source
from tamis.values import dataclass

__all__ = ["FoundIn", "NewTable", "read_new_rows"]

T = TypeVar("T")
_KINDS_IN_WORDS = {
    "categorical": "text or categories",
    "numeric": "numbers",
    "empty": "no value at all",
}


@dataclass(frozen=True, eq=False)
class NewTable:
    """How to find and read the analysed columns of a choice in another table.

    `names` are these columns, `categorical` those of them that hold text, `places` their positions
    in the table of the choice, which had `width` columns; `named` is whether it had names.
    `beside` are the columns that the table had and that were not analysed. Where counts were taken
    as logarithms, `row_size` is the mean sum of a row: of the numbers among `names` and of
    `summed`, each a name, its position, and whether it must be there, as it was not 0 throughout.
    """

    names: tuple[str, ...]
    categorical: frozenset[int]
    places: tuple[int, ...]
    width: int
    named: bool
    judgement: TableJudgement
    beside: frozenset[str] = frozenset()
    row_size: float | None = None
    summed: tuple[tuple[str, int, bool], ...] = ()


@dataclass(frozen=True, eq=False)
class FoundIn:
    """A table with new rows: where columns are in it, which are absent, new or of another kind.

    `others` are all columns that are not part of the choice, `fresh` those that are new, `summed`
    those whose sum is the size of a row, if that counts.
    """

    source: Source
    at: dict[int, int]
    absent: tuple[int, ...]
    other_kind: dict[int, str]
    others: tuple[str, ...]
    fresh: tuple[str, ...]
    summed: tuple[int, ...] = ()

    def check(self, needed: Sequence[int], names: Sequence[str]) -> None:
        """Refuse a table in which columns that are needed cannot be used."""
        label = self.source.label
        lost = [repr(names[j]) for j in needed if j in self.absent]
        if lost:
            shown = ", ".join(lost[:5]) + (", ..." if len(lost) > 5 else "")
            many = "columns" if len(lost) > 1 else "column"
            raise TamisError(f"{label} has no {many} {shown}: give all columns that were kept.")
        for j in needed:
            if j in self.other_kind and self.source.kinds[self.at[j]] != "empty":
                raise TamisError(
                    f"Column {names[j]!r} of {in_sentence(label)} holds {self.other_kind[j]}: give "
                    "it as it was when the columns were chosen."
                )


def read_new_rows(data: Any, how: NewTable, run: Callable[[FoundIn], T]) -> T:
    """Open a table and run on what was found; anew where text turns up among numbers."""
    there = set(open_source(data).names) if how.named else set()
    return read_table(
        data,
        lambda source: run(_find(how.judgement.apply(source), how)),
        categories=[name for name in how.judgement.categories if name in there],
        numbers=[name for name in how.judgement.numbers if name in there],
        as_text=[name for name in how.judgement.opened_as_text if name in there],
    )


def _find(source: Source, how: NewTable) -> FoundIn:
    if not source.has_rows:
        raise TamisError(f"{source.label} is a summary and has no rows: give the table itself.")
    at = _match(source, how)
    other = {}
    for j, place in at.items():
        kind = source.kinds[place]
        wanted = ("categorical",) if j in how.categorical else NUMBER_KINDS
        if kind not in wanted:
            other[j] = _KINDS_IN_WORDS.get(kind, "dates or another type")
    absent = tuple(j for j in range(len(how.names)) if j not in at)
    known = set(at.values())
    others = tuple(name for place, name in enumerate(source.names) if place not in known)
    fresh = tuple(name for name in others if name not in how.beside)
    return FoundIn(source, at, absent, other, others, fresh, _find_summed(source, how, at, other))


def _find_summed(
    source: Source, how: NewTable, at: dict[int, int], other: dict[int, str]
) -> tuple[int, ...]:
    """Find the columns whose sum is the size of a row, which takes all of them."""
    if how.row_size is None:
        return ()
    by_name = source.named and how.named
    names = {name: place for place, name in enumerate(source.names)}
    beyond = {name: names.get(name) if by_name else place for name, place, _ in how.summed}
    numbers = [j for j in range(len(how.names)) if j not in how.categorical]
    lost = [how.names[j] for j in numbers if j not in at or j in other]
    lost += [name for name, _, needed in how.summed if needed and beyond[name] is None]
    if lost:
        raise TamisError(
            f"{source.label} lacks {len(lost):,} of the columns that were counted, such as "
            f"{lost[0]!r}: counts are divided by the sum of their row, so give all "
            f"{len(numbers) + len(how.summed):,}, or choose with {spell('scale', 'standard')}."
        )
    return (*(at[j] for j in numbers), *(j for j in beyond.values() if j is not None))


def _match(source: Source, how: NewTable) -> dict[int, int]:
    """Find columns by name, or by position where one of the two tables has no names."""
    if source.named and how.named:
        known = {name: place for place, name in enumerate(source.names)}
        return {j: known[name] for j, name in enumerate(how.names) if name in known}
    if len(source.names) != how.width:
        raise TamisError(
            f"{source.label} has {len(source.names):,} columns where the table of the choice has "
            f"{how.width:,}: give as many, because one of the two has no column names."
        )
    return dict(enumerate(how.places))


def table_batches(found: FoundIn, columns: Sequence[int]) -> Iterator[Any]:
    """Yield columns of the new table as batches of Arrow, missing values as nulls."""
    for table in found.source.tables(list(columns), mark_missing=True):
        yield from (batch for batch in table.combine_chunks().to_batches() if batch.num_rows)
