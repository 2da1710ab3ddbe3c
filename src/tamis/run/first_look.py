"""What the first rows of a table, and the judgement of its columns, say of its columns."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

from tamis.columns.suspects import (
    as_texts,
    find_suspects,
    find_written_numbers,
    judge_texts,
    looks_like_identifier,
)
from tamis.facts.shared_answer import SuspiciousColumn
from tamis.run.beforehand import first_rows
from tamis.run.label_column import find_label_columns
from tamis.run.request import Request
from tamis.run.row_roles import find_roles
from tamis.sources.positions import find_positions
from tamis.sources.source import Source
from tamis.statistics.classes import find_class_column

_TRIED = 1_000_000  # rows on which advice is tried
_MAX_COUNTED_COLUMNS = 2_000  # columns whose pairs are counted in seconds


class FirstRows(NamedTuple):
    """The first rows of the columns to analyse; none of a summary or a table of too many pairs.

    `more` is whether there are rows below them that can be read.
    """

    source: Source
    columns: list[int]
    rows: Any
    more: bool = False

    @classmethod
    def of(cls, source: Source, request: Request) -> Self:
        """Read them of the columns that a matched request asks for."""
        columns = find_analysed(source, request)
        if (
            not columns
            or len(columns) > _MAX_COUNTED_COLUMNS
            or source.info.once
            or not source.has_rows
        ):
            return cls(source, columns, None)
        return cls(source, columns, *first_rows(source, columns))

    @property
    def have_repeating_text(self) -> bool:
        """Whether any text has several values that repeat; others are skipped in any case."""
        if self.rows is None:
            return False
        texts = [i for i, j in enumerate(self.columns) if self.source.kinds[j] == "categorical"]
        rows, counts = self.rows.num_rows, [len(self.rows.column(i).unique()) for i in texts]
        return any(1 < count < rows and not looks_like_identifier(count, rows) for count in counts)

    def find_suspects(self) -> tuple[SuspiciousColumn, ...]:
        """Find the columns that may not be what they seem."""
        if self.rows is None:
            return ()
        kinds = [self.source.kinds[j] for j in self.columns]
        suspects = {one.column: one for one in find_suspects(self.rows, kinds)}
        classes = None if self.source.named else find_class_column(self.rows)
        suspects |= {} if classes is None else {classes: SuspiciousColumn(classes, "label")}
        for name in find_written_numbers(self.rows, kinds) if self.more else ():
            # Advice is tried before it is given: text may follow, or another unit.
            judged = judge_texts(name, self._read_texts(name))
            suspects.pop(name, None)
            suspects |= {} if judged is None else {name: judged}
        return tuple(suspects[name] for name in self.rows.column_names if name in suspects)

    def _read_texts(self, name: str) -> Iterator[Any]:
        place, read = self.columns[self.rows.column_names.index(name)], 0
        for table in self.source.tables([place], mark_missing=True):
            yield as_texts(table.column(0))
            read += table.num_rows
            if read >= _TRIED:
                return


def find_analysed(source: Source, request: Request) -> list[int]:
    """Give the positions of the columns that are asked for and of a kind that can be analysed."""
    given = request.columns
    wanted = set(range(len(source.names)) if given is None else find_positions(source, given))
    roles = find_roles(source, request.row_groups, request.weights)
    unwanted = {*find_positions(source, [*request.exclude, *source.info.unfit]), *roles}
    return sorted(wanted - unwanted - {*find_label_columns(source, request.y)})


MAX_LEAKS = 6  # that are named
_WHOLE = 0.9995  # share predicted that is written as 100%


def suspect_leaks(request: Request) -> tuple[SuspiciousColumn, ...]:
    """Name the columns that predict the target, best first, and those that make it."""
    known = request.preparation
    if known is None or known.judgement is None:
        return ()
    ordered = sorted(known.judgement.leaks, key=lambda leak: -leak.share)[:MAX_LEAKS]
    found = {
        leak.column: SuspiciousColumn(
            leak.column,
            "leak",
            "determines the target"
            if leak.share >= _WHOLE
            else f"nearly determines the target ({leak.share:.1%} of it on held-out rows)",
        )
        for leak in ordered
    }
    for one in known.judgement.made:
        parts = list(one.parts)
        for name in parts[:MAX_LEAKS]:
            more = len(parts) - 1
            others = f"with {more} other{'' if more == 1 else 's'} " if more else ""
            found[name] = SuspiciousColumn(
                name, "leak", f"determines the target exactly {others}".rstrip()
            )
    return tuple(found.values())
