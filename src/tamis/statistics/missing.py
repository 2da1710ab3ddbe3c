"""Missing and infinite values: counted and refused, filled, or dropped by row.

What is done is up to a `MissingPolicy`, also whether infinite values count as missing; what is
filled in is up to `statistics/fills.py`.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self, TypeVar

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from tamis.errors import InfiniteValues, NoValues, TamisError, spell, spell_name
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.rules.tolerances import LARGEST_SUMMABLE
from tamis.sources.read import Accumulator, read
from tamis.sources.source import Source
from tamis.statistics.fills import FillValues, fill_missing, refuse_sparse, start_fill

Batches = Iterable[Any]
Sums = TypeVar("Sums", bound="CleanSums")


class Tally:
    """Rows and missing values, counted while a table is read.

    `rows` were read and `used` of them count; `counts` are the missing values by column and
    `complete` the rows without any, None where that is not known; `infinite` of the missing values
    were infinite; where pairs of columns are related, `fewest_common` is the fewest rows that two
    of them have in common. `unlabelled` rows were dropped for want of a label; a `sparse` table
    cannot be filled, and `fill` is what was put in for missing values, by column. `done` is what
    was done about them where that was decided before: in a summary.
    """

    def __init__(self, width: int = 0, done: str | None = None) -> None:
        self.rows = self.used = self.unlabelled = 0
        self.complete: int | None = 0
        self.sparse = False
        self.fill: NDArray[np.float64] | None = None
        self.infinite = 0
        self.fewest_common: int | None = None
        self.done = done
        self.counts: NDArray[np.intp] = np.zeros(width, dtype=np.intp)

    def add(
        self,
        rows: int,
        used: int,
        counts: NDArray[np.intp] | None = None,
        complete: int | None = None,
    ) -> None:
        """Count a batch; None for `counts` says that nothing is missing in it."""
        self.rows, self.used = self.rows + rows, self.used + used
        if complete is None and (counts is None or not counts.any()):
            complete = rows
        known = complete is not None and self.complete is not None
        self.complete = (self.complete or 0) + (complete or 0) if known else None
        if counts is not None:
            self.counts += counts

    def merge(self, other: "Tally") -> "Tally":
        """Count what was counted in other rows."""
        self.add(other.rows, other.used, other.counts, other.complete)
        self.unlabelled += other.unlabelled
        self.infinite += other.infinite
        self.sparse = self.sparse or other.sparse
        self.fill = other.fill if self.fill is None else self.fill
        return self

    def mark_infinite(self, batch: Any) -> Any:
        """Take infinite values for missing ones, and count them."""
        marked = finite(batch)
        if marked is not batch:
            cells = batch.data if scipy.sparse.issparse(batch) else batch
            self.infinite += int(np.count_nonzero(np.isinf(cells)))
        return marked

    def check_left(self, names: Sequence[str], fill: MissingPolicy) -> None:
        """Refuse a table of which every row was dropped, and say the ways out."""
        if self.used or not self.rows:
            return
        check_values(self.counts, self.rows, names)
        # What is dropped for want of a label cannot be filled.
        way = "" if self.sparse or self.unlabelled else f" or pass {spell('missing', fill)}"
        what = "values or no label" if self.unlabelled else "values"
        raise TamisError(
            f"All {self.rows} rows have missing {what}, so none is left: skip the emptiest "
            f"columns{way}."
        )


def without_missing(
    read: Callable[[], Batches],
    names: Sequence[str],
    policy: MissingPolicy,
    tally: Tally | None = None,
    *,
    start: int = 0,
) -> Iterator[Any]:
    """Yield batches free of missing values, or raise one sentence that names the columns.

    The first `start` rows are skipped: they are counted already. What to fill with is learnt
    by another pass, once a value turns out to be missing.
    """
    tally = Tally(len(names)) if tally is None else tally
    check_keeps_rows(policy)
    clean = CleanRows(None, names, policy, read=read)
    clean.tally = tally
    for batch in read():
        count = int(batch.shape[0])
        if count > start:
            rows = clean.clean(batch[start:] if start else batch)
            if rows is not None:
                yield rows
        start = max(start - count, 0)
    check_tally(tally, names, policy)


def check_keeps_rows(policy: MissingPolicy) -> None:
    """Refuse a policy that leaves no rows where they are needed."""
    if policy.pairs:
        usual = spell("missing", MissingPolicy.AUTO)
        raise TamisError(
            f"{spell('missing', policy)} keeps no rows, only sums over pairs of columns, and "
            f"here rows are needed: pass {usual}."
        )


def check_tally(tally: Tally, names: Sequence[str], policy: MissingPolicy) -> None:
    """Refuse missing values that nothing was said about, and a table without complete rows."""
    if policy.refuses and tally.counts.any():
        fill = None if tally.sparse else MissingPolicy.filling(takes_text=False)
        raise make_missing_error(
            tally.counts, tally.rows, names, fill=fill, complete=tally.complete
        )
    if policy.drops:
        tally.check_left(names, MissingPolicy.filling(takes_text=False))


def learn_batch(
    values: FillValues,
    batch: Any,
    names: Sequence[str],
    policy: MissingPolicy,
    weights: NDArray[Any] | None = None,
) -> None:
    """Learn what to fill with from some rows, which count as their weights say."""
    batch = finite(batch) if policy.takes_infinite else batch
    missing = find_missing(batch, names)
    if not scipy.sparse.issparse(batch):
        values.add(batch, weights)
    elif missing is not None:
        raise refuse_sparse()


def learn_fills(
    batches: Batches,
    names: Sequence[str],
    policy: MissingPolicy,
    weights: NDArray[Any] | None = None,
) -> FillValues:
    """Learn what to fill with from all rows; refuse columns without any value."""
    fills, first = start_fill(policy, len(names)), 0
    for batch in batches:
        last = first + batch.shape[0]
        own = None if weights is None else weights[first:last]
        learn_batch(fills, batch, names, policy, own)
        first = last
    check_fills(fills, names)
    return fills


def check_fills(fills: FillValues, names: Sequence[str]) -> None:
    """Refuse columns without any value to fill others with."""
    if fills.counts.any():
        check_values(-fills.counts, 0, names)


# Rows free of missing values, on their way into sums: here, or where the parts of a table are.
class CleanSums(Accumulator):
    """Sums of rows without missing values."""

    @abstractmethod
    def add(self, rows: Any, raw: tuple[Any, Any] = (None, None)) -> None:
        """Take in clean rows; `raw` are those that they were made of, and hashes if there are."""

    def note_fills(self, values: FillValues) -> None:
        """Note what missing values are filled with from now on."""


class CleanRows(Accumulator):
    """Rows that are cleaned and added to `sums`; what is missing is counted in `tally`.

    Missing values that are to be filled are filled with `fills` or, where these are not known, with
    what another pass over the batches of `read` shows, once a value turns out to be missing. Where
    it `learns`, that is learnt alongside (`learnt`): once a value turns out to be missing the sums
    are in vain, and the next pass fills. Of sparse rows nothing is learnt. Without `sums`, what is
    learnt is all that is wanted.
    """

    def __init__(
        self,
        sums: Any,
        names: Sequence[str],
        policy: MissingPolicy,
        *,
        read: Callable[[], Batches] | None = None,
        weights: NDArray[Any] | None = None,
        fills: FillValues | None = None,
        learns: bool = False,
    ) -> None:
        self.sums, self._names, self._policy = sums, list(names), policy
        self._read, self._weights, self._fills = read, weights, fills
        self.tally = Tally(len(names))
        self.learnt = start_fill(policy, len(names)) if learns and policy.fills else None

    def begin(self, number: int) -> Self:
        """Begin the sums of a part of a table."""
        sums, learns = self.sums, self.learnt is not None
        sums = None if sums is None else sums.begin(number)
        return type(self)(sums, self._names, self._policy, fills=self._fills, learns=learns)

    def add(self, rows: tuple[Any, Any]) -> None:
        """Take in some rows, and the hash of each if it is known."""
        raw, learnt, policy = rows[0], self.learnt, self._policy
        if self.sums is None:
            assert learnt is not None
            learn_batch(learnt, raw, self._names, policy)
            return
        clean = self.clean(raw)
        if clean is not None:
            if self._fills is not None:
                self.sums.note_fills(self._fills)
            self.sums.add(clean, rows)
        if learnt is not None and not scipy.sparse.issparse(raw):
            if self.tally.counts.any():
                learnt.add(finite(raw) if policy.takes_infinite else raw)
            else:
                learnt.add(raw, complete=True)

    def clean(self, batch: Any) -> Any:
        """Give the rows of a batch free of missing values, and count these.

        Where it is learnt what to fill with, missing values are just counted. Sums of the rows are
        in vain then (None), and where missing values are refused: by `check_tally`, once all rows
        are counted.
        """
        names, policy, tally = self._names, self._policy, self.tally
        if policy.takes_infinite:
            batch = tally.mark_infinite(batch)
        missing, rows = find_missing(batch, names), batch.shape[0]
        counts, incomplete = (None, np.zeros(rows, dtype=bool)) if missing is None else missing
        if missing is not None and policy.fills and self.learnt is None:
            tally.fill = self._find_fill()
            if scipy.sparse.issparse(batch):
                raise refuse_sparse()
            batch = fill_missing(batch, tally.fill)
        if missing is not None and policy.drops:
            batch = batch[~incomplete]
        tally.add(rows, batch.shape[0], counts, rows - int(np.count_nonzero(incomplete)))
        tally.sparse = tally.sparse or scipy.sparse.issparse(batch)
        counts_only = policy.refuses or self.learnt is not None
        return None if counts_only and tally.counts.any() else batch

    def _find_fill(self) -> NDArray[np.float64]:
        """Give the value that each column is filled with."""
        if self._fills is None:
            assert self._read is not None, "what has no rows has its values"
            self._fills = learn_fills(self._read(), self._names, self._policy, self._weights)
        return self._fills.values

    @property
    def lacks_fill(self) -> bool:
        """Whether values turned out to be missing that are to be filled: the sums are in vain."""
        return self.learnt is not None and bool(self.tally.counts.any())

    def of_columns(self, places: Sequence[int]) -> "CleanRows | None":
        """Give what is known of some columns only; None where rows have missing values in any."""
        if self.tally.counts.any():
            return None
        names = [self._names[j] for j in places]
        sums, learns = self.sums.of_columns(places), self.learnt is not None
        found = CleanRows(sums, names, self._policy, fills=self._fills, learns=learns)
        found.tally.add(self.tally.rows, self.tally.used)
        return found

    def split(self) -> dict[Hashable, Any]:
        """Give the sums, what was counted, and what was learnt if it may be wanted."""
        found: dict[Hashable, Any] = {("tally", ""): self.tally}
        if self.learnt is not None:
            found["fill", ""] = self.learnt
        if self.sums is not None and not self.lacks_fill:
            found |= {("sums", name): value for name, value in self.sums.split().items()}
        return found

    def join(self, values: Mapping[Any, Any]) -> None:
        """Put together what was found in the parts of a table."""
        self.tally = values.get(("tally", ""), self.tally)
        self.learnt = values.get(("fill", ""), self.learnt)
        sums = {name: one for (kind, name), one in values.items() if kind == "sums"}
        if self.sums is not None and not self.lacks_fill:
            if self._fills is not None:
                self.sums.note_fills(self._fills)
            self.sums.join(sums)


def read_clean(
    source: Source,
    columns: Sequence[int],
    sums: Sums,
    missing: MissingPolicy,
    tally: "Tally",
    *,
    here: bool = False,
    weights: NDArray[Any] | None = None,
    first: CleanRows | None = None,
) -> Sums:
    """Read rows free of missing values into sums, or raise one sentence that names the columns.

    What to fill with is learnt by another pass, once a value turns out to be missing: in the
    middle of a pass that is made here, after one over the parts of an engine's table. `first` is
    the first pass if it was made before.
    """
    check_keeps_rows(missing)
    names = [source.names[j] for j in columns]
    clean: CleanRows | None
    if first is not None and not first.lacks_fill:
        clean = first
    elif here or source.in_parts() is None:
        again = partial(source.batches, columns)
        clean = CleanRows(sums, names, missing, read=again, weights=weights)
        read(source, columns, clean, rows=_read_hashed, here=here)
    else:
        clean = first
        if clean is None and not missing.expects_missing:
            clean = CleanRows(sums, names, missing, learns=True)
            (clean,) = read(source, columns, clean, rows=_read_hashed)
        if clean is None or clean.lacks_fill:
            if clean is None or clean.learnt is None or clean.learnt.rows < clean.tally.rows:
                clean = CleanRows(None, names, missing, learns=True)
                (clean,) = read(source, columns, clean, rows=_read_hashed)
            assert clean.learnt is not None
            check_fills(clean.learnt, names)
            clean = CleanRows(sums, names, missing, fills=clean.learnt)
            (clean,) = read(source, columns, clean, rows=_read_hashed)
    tally.merge(clean.tally)
    check_tally(tally, names, missing)
    found: Sums = clean.sums
    return found


def _read_hashed(source: Source, columns: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """Yield rows and their hashes, if these are known."""
    batches = source.hashed_batches(columns)
    return track("rows read", batches, source.n_rows, lambda b: int(b[0].shape[0]), source.meter)


def check_values(counts: NDArray[np.intp], rows: int, names: Sequence[str]) -> None:
    """Refuse columns of which as many values are missing as there are rows."""
    empty = [names[j] for j in np.flatnonzero(counts == rows).tolist()]
    if empty:
        raise no_value(empty)


def finite(batch: Any) -> Any:
    """Mark infinite values as missing; a batch without any is given back as it is.

    >>> finite(np.array([[1.0, np.inf]]))
    array([[ 1., nan]])
    """
    values = batch.data if scipy.sparse.issparse(batch) else batch
    if values.dtype.kind != "f" or are_harmless(values) or not np.isinf(values).any():
        return batch
    marked = batch.copy()
    cells = marked.data if scipy.sparse.issparse(batch) else marked
    cells[np.isinf(cells)] = np.nan
    return marked


def as_float64(batch: Any) -> NDArray[np.float64]:
    """Give a dense or sparse batch as a dense one of float64, also where a NaN signals."""
    with np.errstate(invalid="ignore"):
        return np.asarray(batch.toarray() if scipy.sparse.issparse(batch) else batch, np.float64)


def count_missing(batch: Any, names: Sequence[str]) -> NDArray[np.intp] | None:
    """Count the missing values of every column, None when there are none; refuse infinities."""
    found = find_missing(batch, names)
    return None if found is None else found[0]


def find_missing(
    batch: Any, names: Sequence[str]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]] | None:
    """Count the missing cells of every column, and mark the rows that have any.

    None when there are none; infinities are refused.
    """
    sparse = scipy.sparse.issparse(batch)
    values = batch.data if sparse else batch
    if values.dtype.kind != "f" or are_harmless(values):
        return None
    rows, columns = batch.tocoo().coords if sparse else np.nonzero(_odd(values))
    cells = values if sparse else values[rows, columns]
    if sparse:
        odd = _odd(cells)
        rows, columns, cells = rows[odd], columns[odd], cells[odd]
    _check_size(cells, columns, names, sparse=sparse)
    if not len(cells):
        return None
    incomplete = np.zeros(batch.shape[0], dtype=bool)
    incomplete[rows] = True
    return np.bincount(columns, minlength=batch.shape[1]), incomplete


def are_harmless(values: Any) -> bool:
    """Check in one fast product that nothing is missing, infinite or too large to square."""
    flat = values.ravel("K")
    return float(np.vdot(flat, flat)) < LARGEST_SUMMABLE**2


def _odd(values: Any) -> Any:
    return ~(np.abs(values) <= min(LARGEST_SUMMABLE, float(np.finfo(values.dtype).max)))


def check_finite(values: Any, names: Sequence[str]) -> None:
    """Refuse infinite and immense values; missing ones pass."""
    if values.size and not are_harmless(values):
        positions = np.nonzero(_odd(values))
        _check_size(values[positions], positions[1], names)


def _check_size(cells: Any, columns: Any, names: Sequence[str], *, sparse: bool = False) -> None:
    large = ~np.isnan(cells)
    if not large.any():
        return
    infinite = sorted({int(j) for j in columns[np.isinf(cells)]})
    if infinite:
        which = [repr(names[j]) for j in infinite]
        more = f" and {len(which) - 5} more" if len(which) > 5 else ""
        what = f"Column {which[0]} has" if len(which) == 1 else f"{len(which)} columns have"
        listed = "" if len(which) == 1 else f" ({', '.join(which[:5])}{more})"
        raise InfiniteValues(
            f"{what} infinite values{listed}: replace them by numbers or mark them missing",
            sparse=sparse,
        )
    j = int(columns[large].min())
    raise TamisError(
        f"Column {names[j]!r} has values beyond {LARGEST_SUMMABLE:g}: use a larger unit."
    )


def make_missing_error(
    counts: NDArray[np.intp],
    rows: int,
    names: Sequence[str],
    *,
    fill: MissingPolicy | None,
    complete: int | None = None,
) -> TamisError:
    """Say which columns have missing values, how many, and the ways out.

    `fill` is the policy that fills them, None where none can; rows are dropped only where that
    leaves most of them.
    """
    found = [int(j) for j in np.flatnonzero(counts)]
    empty = [names[j] for j in found if counts[j] == rows]
    if empty:
        return no_value(empty)
    advice = _ways_out(fill, rows, complete)
    if len(found) == 1:
        j = found[0]
        values = "value" if counts[j] == 1 else "values"
        return TamisError(
            f"Column {names[j]!r} has {counts[j]} missing {values} in {rows} rows: {advice}"
        )
    listed = ", ".join(f"{names[j]!r} {counts[j]}" for j in found[:5])
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    listed = f"{listed}{more}; the table has {rows} rows"
    return TamisError(f"{len(found)} columns have missing values ({listed}): {advice}")


def leaves_most(complete: int | None, rows: int) -> bool:
    """Whether most rows are left once those with missing values are dropped."""
    return complete is not None and 2 * complete >= rows


def _ways_out(fill: MissingPolicy | None, rows: int, complete: int | None) -> str:
    ways = [] if fill is None else [f"{spell('missing', fill)} to {fill.remedy}"]
    if fill is not None and not fill.for_numbers_only:
        other = MissingPolicy.CATEGORY
        ways[0] += f", {spell('missing', other)} to {other.remedy}"
    drop = spell("missing", MissingPolicy.DROP)
    if leaves_most(complete, rows):
        return f"pass {' or '.join([*ways, f'{drop} to {MissingPolicy.DROP.remedy}'])}."
    left = "" if complete is None else f" ({drop} would leave {complete:,} of {rows:,} rows)"
    how = f"pass {ways[0]}, or" if ways else "fill them before, or"
    return f"{how} skip the emptiest columns with {spell_name('exclude')}{left}."


def no_value(empty: list[str]) -> NoValues:
    """Say which columns have no value, and how to skip them."""
    if len(empty) == 1:
        advice = f"skip it with {spell('exclude', empty)}."
        return NoValues(f"Column {empty[0]!r} has no value at all: {advice}", empty)
    advice = f"skip them with {spell('exclude', empty)}."
    return NoValues(f"{len(empty)} columns have no value at all: {advice}", empty)
