"""`SavedChoice`: a choice of columns to keep, use and watch, without the table it was made on."""

import warnings
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path as FilePath
from typing import Any, Self

import numpy as np
import pyarrow as pa

from tamis.columns.judgement import NOT_JUDGED
from tamis.errors import TamisError
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.plan import (
    Plan,
    Rebuilt,
    has_weights,
    make_plan,
    rebuild,
    with_block_spreads,
    with_held_out_shares,
)
from tamis.numerics.types import Floats
from tamis.results.frame import add_columns, frame_library
from tamis.results.shown import Shown
from tamis.run.new_rows import FoundIn, NewTable, read_new_rows, table_batches
from tamis.run.request import Request
from tamis.sources.arrow import as_floats
from tamis.statistics.mixed import rows_of_batch
from tamis.statistics.scaled_source import measure_sizes
from tamis.statistics.summary import Summary
from tamis.values import dataclass


@dataclass(frozen=True, eq=False, repr=False)
class SavedChoice(Shown):
    """Columns to keep, and how all others follow from them.

    Attributes
    ----------
    names
        The kept columns, best first.
    dropped
        The columns that `reconstruct` predicts, in table order.
    share
        Share of the variance that the kept columns explain: on held-out rows, where it was known.
    shares
        The same of every dropped column.
    """

    plan: Plan = field(repr=False)
    how: NewTable = field(repr=False)
    label: str = "the table"
    given: tuple[Any, ...] | None = None  # labels of pandas that are no text

    def __repr__(self) -> str:
        count = len(self.plan.dropped)
        return f"<SavedChoice of {len(self.names)} columns that predict {count} others>"

    @property
    def names(self) -> list[Any]:
        """The kept columns, best first."""
        return [self._given[j] for j in self.plan.kept]

    @property
    def dropped(self) -> list[Any]:
        """The columns that are predicted, in table order."""
        return [self._given[j] for j in self.plan.dropped]

    @property
    def share(self) -> float:
        """Share of the variance that the kept columns explain."""
        return self.plan.share

    @property
    def shares(self) -> dict[Any, float]:
        """The same of every dropped column."""
        return {self._given[j]: float(self.plan.shares[j]) for j in self.plan.dropped}

    @property
    def _given(self) -> tuple[Any, ...]:
        return self.plan.names if self.given is None else self.given

    def reconstruct(self, rows: Any, errors: bool = False) -> Any:
        """Predict the dropped columns of new rows from the kept ones.

        Parameters
        ----------
        rows
            A table with the kept columns, of any kind that `select` takes. Of an array the columns
            are found by position.
        errors
            Give also a table of the standard errors. For a category it has the probability of the
            level that is given.

        Returns
        -------
        table, or two of them
            A frame of the same library; an array for an array, an Arrow table for a file. Kept
            columns are as they were, dropped ones predicted, in the order of the table of the
            choice; columns that were not analysed come first. A missing kept value counts as the
            mean, as does an infinite one, which makes the standard errors of its row larger.

        Where counts were taken as logarithms, the rows need all columns that were counted: counts
        are divided by the sum of their row.
        """
        return read_new_rows(rows, self.how, lambda found: self._whole(rows, found, errors))

    def _whole(self, data: Any, found: FoundIn, errors: bool) -> Any:
        tables = [*self.rebuilt_tables(found)]
        whole = tuple(pa.concat_tables([pair[i] for pair in tables]) for i in (0, 1))
        kind, names = type(data).__module__.partition(".")[0], self.plan.names
        made: tuple[Any, ...] = whole
        if frame_library(data) != "pyarrow":
            made = self._frames(found, whole, frame_library(data))
        elif kind == "numpy" or (isinstance(data, list | tuple) and found.source.origin is None):
            made = np.array(data), np.zeros(np.shape(data))  # what was not analysed stays
            made = (made[0].astype(object if self.how.categorical else np.float64), made[1])
            for table, one in zip(made, whole, strict=True):
                for j, name in enumerate(names):
                    table[:, found.at[j]] = one[name].to_numpy()
        return made if errors else made[0]

    def _frames(self, found: FoundIn, whole: tuple[Any, ...], library: str) -> tuple[Any, ...]:
        """Put the predicted columns beside those that were given, which stay as they are."""
        others = [found.source.names.index(name) for name in found.others]
        base = found.source.pick([*others, *(found.at[int(j)] for j in self.plan.kept_in_order)])
        given = list(self._given)
        predicted = {given[j]: whole[0][self.plan.names[j]] for j in self.plan.dropped}
        spread = {label: whole[1][name] for label, name in zip(given, self.plan.names, strict=True)}
        heads = [*list(base.columns)[: len(others)], *given]
        return (
            add_columns(base, predicted, heads, library),
            add_columns(base, spread, given, library),
        )

    def rebuilt_tables(self, found: FoundIn) -> Iterator[tuple[Any, Any]]:
        """Yield the rebuilt rows as Arrow tables, each with that of the standard errors."""
        plan = self.plan
        needed = [int(j) for j in plan.kept_in_order]
        found.check(needed, plan.names)
        source = found.source
        others = [source.names.index(name) for name in found.others]
        kept = [found.at[j] for j in needed]
        texts = tuple(i for i, j in enumerate(needed) if j in self.how.categorical)
        numbers = tuple(i for i, j in enumerate(needed) if j not in self.how.categorical)
        wanted = [*dict.fromkeys([*others, *kept, *found.summed])]
        summed = [wanted.index(j) for j in found.summed]
        filled = 0
        for batch in self._batches(found, wanted):
            own = batch.select(range(len(others), len(others) + len(kept)))
            rows, sizes = rows_of_batch(own, numbers, texts), np.ones(batch.num_rows)
            if self.how.row_size is not None:
                sizes = measure_sizes(as_floats(batch.select(summed)), self.how.row_size)
                rows = replace(rows, numbers=np.log1p(rows.numbers / sizes[:, None]))
            made, count = rebuild(plan, rows)
            filled += count
            yield self._tables(batch, len(others), made, sizes)
        if filled:
            warnings.warn(
                f"{filled:,} rows lack a finite kept value, which counts as its mean: their "
                "standard errors are larger.",
                stacklevel=2,
            )

    def _batches(self, found: FoundIn, columns: list[int]) -> Iterator[Any]:
        """Yield batches; a table without rows gives one of none, for its columns."""
        empty = True
        for batch in table_batches(found, columns):
            empty = False
            yield batch
        if empty:
            raise TamisError(f"{found.source.label} has no rows: give at least one.")

    def _turn_back(self, logs: Floats, errors: Floats, sizes: Floats) -> tuple[Floats, Floats]:
        """Turn logarithms into counts, never below 0, and their standard errors by the slope."""
        if self.how.row_size is None:
            return logs, errors
        steep = np.exp(np.maximum(logs, 0.0))
        return (steep - 1.0) * sizes, errors * steep * sizes

    def _tables(
        self, batch: Any, others: int, made: dict[int, Rebuilt], sizes: Floats
    ) -> tuple[Any, Any]:
        names, kept = self.plan.names, [int(j) for j in self.plan.kept_in_order]
        values = dict(zip(batch.schema.names[:others], batch.columns, strict=False))
        errors: dict[str, Any] = {}
        for j, name in enumerate(names):
            if j in made:
                found, spread = made[j].values, made[j].errors
                if j in self.how.categorical:
                    values[name] = pa.array(found, pa.string())
                else:
                    found, spread = self._turn_back(found, spread, sizes)
                    values[name] = pa.array(found, pa.float64())
                errors[name] = pa.array(spread)
            else:
                own = batch.column(others + kept.index(j))
                values[name] = own
                gone = np.asarray(own.is_null(nan_is_null=True))
                start, spread = self.plan.groups.starts[j], np.ones(batch.num_rows)
                spread *= self.plan.std[start]
                if j not in self.how.categorical:
                    gone = (
                        gone | ~np.isfinite(as_floats(batch.select([others + kept.index(j)])))[:, 0]
                    )
                    middle = np.full(batch.num_rows, self.plan.mean[start])
                    spread = self._turn_back(middle, spread, sizes)[1]
                errors[name] = pa.array(np.where(gone, spread, 0.0))
        return pa.table(values), pa.table(errors)

    def save(self, path: str | FilePath) -> FilePath:
        """Write the choice to a `.tamis` file and give its path."""
        from tamis.results.choice_file import write_choice

        return write_choice(self, FilePath(path))

    def check(
        self, rows: Any, min_share: float | None = None, max_fall: float | None = None
    ) -> Any:
        """Say whether the choice still holds on new rows, as `tamis.check` does."""
        from tamis.results.choice_check import check_choice

        return check_choice(self, rows, min_share=min_share, max_fall=max_fall)

    @classmethod
    def of(cls, found: Outcome) -> Self:
        """Make the plan of a selection, or say why there is none."""
        summary = found.summary
        kind = found.request.settings.get("kind", "pearson")
        if not has_weights(summary, kind):
            raise TamisError(
                f"There are no exact weights by which columns kept by {found.request.method.id!r} "
                "predict others: use method forward, and fewer columns if they are over 20,000."
            )
        ridge = 0.0 if found.search is None else found.search.ridge
        request = None if found.reader is None else found.reader.request
        drops = request is not None and request.missing.drops
        names = tuple(found.request.names[j] for j in found.used)
        plan = make_plan(summary, names, found.path.kept, ridge=ridge, drops=drops)
        if summary.blocks is not None:
            plan = with_held_out_shares(plan, summary.blocks, ridge, _share_again(found))
            plan = with_block_spreads(plan, summary.blocks)
        units = None if summary.units is None else summary.units[summary.varying]
        given = tuple(found.names_of(np.arange(len(found.used))))
        how = _how(found, summary, names, plan, request)
        labels = None if all(isinstance(name, str) for name in given) else given
        return cls(plan.in_units(units), how, found.request.label, labels)


def _share_again(found: Outcome) -> float | None:
    """Give what columns chosen again in every fold explain; None if not of all columns alike."""
    weighed = found.summary.responses or found.path.importance is not None
    if weighed or not found.shows_held_out or len(found.held_out) < found.k:
        return None
    return float(found.held_out[found.k - 1])


def _how(
    found: Outcome, summary: Summary, names: tuple[str, ...], plan: Plan, request: Request | None
) -> NewTable:
    judgement = NOT_JUDGED if request is None else request.judgement
    every, own = found.request.names, set(names)
    return NewTable(
        names,
        frozenset(plan.encoding.levels),
        tuple(int(j) for j in found.used),
        len(every),
        found.request.named,
        judgement.read_only(own),
        frozenset(name for name in every if name not in own),
        summary.row_size,
        _list_summed(found, summary) if summary.row_size is not None else (),
    )


def _list_summed(found: Outcome, summary: Summary) -> tuple[tuple[str, int, bool], ...]:
    """List the counts that do not vary: they belong to the sum of a row, even so."""
    every = found.request.names
    read = [every.index(name) for name in found.constant] if found.reader is None else ()
    read = sorted([*read, *found.used.tolist()]) if found.reader is None else found.reader.columns
    encoding = summary.encoding
    numbers = range(len(read)) if encoding is None else encoding.used.tolist()
    starts = range(len(read)) if encoding is None else encoding.groups.starts.tolist()
    varying = set(summary.varying.tolist())
    return tuple(
        (every[read[i]], int(read[i]), bool(summary.mean[start]))
        for i, start in zip(numbers, starts, strict=True)
        if i not in varying and (encoding is None or i not in encoding.levels)
    )
