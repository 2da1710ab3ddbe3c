"""Moments in tiles of the scatter matrix: what workers make, add up and bring home.

A tile carries the count and the means of its rows and columns, so the tiles of two parts of a table
merge by Chan's rule without any other tile. None is larger than 8 MB.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np
import scipy.sparse

from tamis.errors import TamisError
from tamis.numerics.sums import exact_sum
from tamis.numerics.types import Floats
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Arrays, PartedSource, Source, Work
from tamis.sources.summary_file import tile_slices
from tamis.statistics.linear import merge_batches
from tamis.statistics.missing import (
    RunningMeans,
    Tally,
    check_keeps_rows,
    check_tally,
    clean_batches,
    column_means,
    finite,
    usable_means,
)
from tamis.statistics.moments import Moments
from tamis.statistics.row_hash import Hashes, are_coded
from tamis.statistics.row_sketch import RowSketch, affordable_sums

ALL, CODES, PROBLEM, TILES = "all", "codes", "problem", "tiles"
_SUMMED = ("read", "used", "complete", "absent", "infinite")


def gather_moments(
    source: PartedSource, columns: Sequence[int], missing: MissingPolicy, tally: Tally
) -> Moments:
    """Find the moments of these columns where the parts of the table are, and add them up."""
    names = [source.names[j] for j in columns]
    sums, _ = sum_cleaned(source, columns, part_tiles, missing, tally)
    return join_tiles(sums, len(names), sums[ALL])


def join_tiles(sums: dict[str, Arrays], width: int, head: Arrays, block: str = "") -> Moments:
    """Put the tiles of all rows, or of a block of them, together."""
    scatter = np.empty((width, width))
    for i, j, rows, others in tile_slices(width):
        tile = sums[f"{block}{i} {j}"]["scatter"]
        scatter[others, rows] = tile.T
        scatter[rows, others] = tile
    mean, rest, unit = head["columns"]
    return Moments(int(head["count"]), mean, scatter, rest, np.where(unit > 0, unit, 1.0))


def gather_sketch(
    source: PartedSource, columns: Sequence[int], missing: MissingPolicy, tally: Tally
) -> RowSketch:
    """Sketch these columns where the parts of the table are, and add the sketches up."""
    sums, _ = sum_cleaned(source, columns, part_sketch, missing, tally)
    del sums[ALL]
    # Strips are named by their first column; a part without rows has none.
    order = sorted(sums, key=lambda name: int(name.split()[1]))
    if not order:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return RowSketch.of_strips(sums.pop(name) for name in order)


def sum_cleaned(
    source: PartedSource, columns: Sequence[int], part: Any, missing: MissingPolicy, tally: Tally
) -> tuple[dict[str, Arrays], RunningMeans | None]:
    """Send work to the parts that is done on rows without missing values; count these.

    Give also the means that were filled in, if any were.
    """
    check_keeps_rows(missing)
    names = [source.names[j] for j in columns]
    work = partial(part, names=names, policy=missing)
    sums = take_ahead(source, columns, missing) if part is part_tiles else {}
    if not sums and not missing.expects_missing:
        sums = _sums(source, columns, partial(work, fill=None))
    means, found = None, sums.pop(MEANS, None)
    if missing.fills and (not sums or sums[ALL]["absent"].any()):
        if found is None or int(found["rows"]) < int(sums[ALL]["read"]):
            wanted = partial(part_means, names=names, policy=missing)
            found = _sums(source, columns, wanted)[MEANS]
        means = RunningMeans(len(names))
        means.counts, means.values = found["counts"], found["mean"]
        means.rows = int(found["rows"])
        usable_means(means, names)
        sums = _sums(source, columns, partial(work, fill=means))
    head = sums[ALL]
    absent, complete = head["absent"].astype(np.intp), int(head["complete"])
    tally.add(int(head["read"]), int(head["used"]), absent, complete)
    tally.infinite += int(head["infinite"])
    check_tally(tally, names, missing)
    return sums, means


def _sums(source: PartedSource, columns: Sequence[int], work: Work) -> dict[str, Arrays]:
    sums = source.gather(columns, work, add_arrays)
    if not sums:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    if PROBLEM in sums:
        raise TamisError(str(sums[PROBLEM]["sentence"]))
    return sums


def take_ahead(
    source: PartedSource, columns: Sequence[int], missing: MissingPolicy
) -> dict[str, Arrays]:
    """Give the sums of these columns as a pass would, if they were made ahead; else nothing."""
    ahead = source.sums_ahead
    if ahead is None or ahead.key != (TILES, missing) or not {*columns} <= {*ahead.columns}:
        return {}
    sums: dict[str, Arrays] = ahead.sums
    if not sums or PROBLEM in sums:  # which may be of a column that is not wanted
        return {}
    if (head := sums[ALL])["absent"].any() and list(columns) != list(ahead.columns):
        return {}  # a row with a gap in any column was not summed up
    places = np.array([ahead.columns.index(j) for j in columns], dtype=np.intp)
    found = cut_tiles(join_tiles(sums, len(ahead.columns), head).of_columns(places))
    counts = {name: head[name] for name in _SUMMED}
    found[ALL] |= {**counts, "absent": head["absent"][places]}
    return {**found, **({MEANS: sums[MEANS]} if MEANS in sums else {})}


def part_means(
    number: int,  # noqa: ARG001
    part: Source,
    *,
    names: Sequence[str],
    policy: MissingPolicy,
) -> dict[str, Arrays]:
    """Count and average what is there of every column of one part."""
    try:
        means = column_means(read_part(part), names, policy)
    except TamisError as error:
        return {PROBLEM: {"sentence": np.array(str(error))}}
    return pack_means(means)


def part_tiles(
    number: int,  # noqa: ARG001
    part: Source,
    *,
    names: Sequence[str],
    policy: MissingPolicy,
    fill: RunningMeans | None,
) -> dict[str, Arrays]:
    """Find the moments of one part, and cut them into tiles."""
    width, tally = len(names), Tally(len(names))
    beside = MeansBeside(policy, fill, tally)
    try:
        batches = beside.watch(read_part(part))
        moments = merge_batches(
            clean_batches(batches, names, policy, tally, give_means(fill)), width
        )
    except TamisError as error:  # raised at home: an engine may bring only a text of it
        return {PROBLEM: {"sentence": np.array(str(error))}}
    found = cut_tiles(moments)
    return {**found, ALL: {**found[ALL], **count_tally(tally)}, **beside.give()}


def cut_tiles(moments: Moments, block: str = "") -> dict[str, Arrays]:
    """Cut moments, of all rows of a part or of a block of them, into tiles."""
    sides, count = _sides(moments), np.array(moments.count)
    found: dict[str, Arrays] = {block + ALL: {"count": count, "columns": sides}}
    for i, j, rows, columns in tile_slices(len(moments.mean)):
        found[f"{block}{i} {j}"] = {
            "count": count,
            "rows": sides[:, rows],
            "columns": sides[:, columns],
            "scatter": np.ascontiguousarray(moments.scatter[rows, columns]),
        }
    return found


def part_sketch(
    number: int,
    part: Source,
    *,
    names: Sequence[str],
    policy: MissingPolicy,
    fill: RunningMeans | None,
) -> dict[str, Arrays]:
    """Sketch the rows of one part, and cut the sketch into strips."""
    tally, sketch = Tally(len(names)), None
    beside = MeansBeside(policy, fill, tally)
    try:
        batches = beside.watch(read_part(part))
        for batch in clean_batches(batches, names, policy, tally, give_means(fill)):
            if sketch is None and batch.shape[0]:
                first = batch[:1].toarray() if scipy.sparse.issparse(batch) else batch[:1]
                sketch = RowSketch.about(first[0], affordable_sums(len(names)), number)
            if sketch is not None:
                sketch.add(batch)
    except TamisError as error:
        return {PROBLEM: {"sentence": np.array(str(error))}}
    strips = {} if sketch is None else dict(sketch.strips())
    return {ALL: count_tally(tally), **strips, **beside.give()}


def read_part(part: Source) -> Iterable[Any]:
    """Read all numbers of a part."""
    return part.batches(range(len(part.names)))


def give_means(fill: RunningMeans | None) -> Callable[[], Floats] | None:
    """Give the means to fill with, as they are asked for."""
    return None if fill is None else lambda: fill.values


def count_tally(tally: Tally) -> Arrays:
    """Give what was counted in a part as arrays that add up."""
    return {
        "read": np.array(tally.rows),
        "used": np.array(tally.used),
        "complete": np.array(tally.complete),
        "absent": tally.counts,
        "infinite": np.array(tally.infinite),
    }


def _sides(moments: Moments) -> Floats:
    """Give mean, its rest and the unit of every column, a unit of 0 where all values are 0."""
    d = len(moments.mean)
    rest, unit = (np.broadcast_to(one, d) for one in (moments.rest, moments.unit))
    nothing = (moments.mean == 0) & (np.diagonal(moments.scatter) == 0)
    return np.stack([moments.mean, rest, np.where(nothing, 0.0, unit)])


def add_arrays(parts: Sequence[Arrays]) -> Arrays:
    """Add what workers found under one name, in this order."""
    if "sentence" in parts[0]:
        return parts[0]
    if "hashes" in parts[0]:
        return join_codes(parts)
    if "mean" in parts[0]:
        return reduce(_add_means, parts)
    if "sums" in parts[0]:
        ((_, total),) = reduce(RowSketch.merge, (RowSketch.of_strips([p]) for p in parts)).strips()
        return total
    return reduce(_merge_moments, parts)


def count_codes(rows: Any, hashes: Hashes) -> Arrays:
    """Give the rows that differ with their hashes and counts; none where they are many."""
    found, first, copies = np.unique(hashes, return_index=True, return_counts=True)
    few = are_coded(len(found))
    some = rows[first if few else first[:0]]
    some = some.toarray() if scipy.sparse.issparse(some) else np.asarray(some, dtype=np.float64)
    return {"rows": some, "hashes": found[: len(some)], "copies": copies[: len(some)]}


def join_codes(parts: Sequence[Arrays]) -> Arrays:
    """Do the same for rows of several parts, of which that is known."""
    hashes = np.concatenate([part["hashes"] for part in parts])
    found, first, place = np.unique(hashes, return_index=True, return_inverse=True)
    if not are_coded(len(found)) or not all(len(part["rows"]) for part in parts):
        none = np.zeros((0, parts[0]["rows"].shape[1]))
        return {"rows": none, "hashes": hashes[:0], "copies": np.zeros(0, dtype=np.int64)}
    copies = np.bincount(place, np.concatenate([part["copies"] for part in parts]))
    rows = np.concatenate([part["rows"] for part in parts])[first]
    return {"rows": rows, "hashes": found, "copies": copies.astype(np.int64)}


def _add_means(a: Arrays, b: Arrays) -> Arrays:
    counts = a["counts"] + b["counts"]
    share = np.divide(b["counts"], counts, out=np.zeros(len(counts)), where=counts > 0)
    mean = a["mean"] + (b["mean"] - a["mean"]) * share
    return {"counts": counts, "mean": mean, "rows": a["rows"] + b["rows"]}


def _merge_moments(a: Arrays, b: Arrays) -> Arrays:
    """Merge the moments of two parts, of all columns or of a tile, by Chan's rule."""
    found: Arrays = {n: a[n] + b[n] for n in _SUMMED if n in a}
    if "count" not in a:
        return found
    if not (a["count"] and b["count"]):
        return {**(a if a["count"] else b), **found}
    count = a["count"] + b["count"]
    shifts: dict[str, Floats] = {}
    for side in ("rows", "columns"):
        if side in a:
            found[side], shifts[side] = _merge_side(a[side], b[side], b["count"] / count)
    if "scatter" in a:
        scatter = np.add(_in_units(a, found), _in_units(b, found))
        weight = a["count"] * (b["count"] / count)
        scatter += np.outer(shifts["rows"] * weight, shifts["columns"])
        found["scatter"] = scatter
    return {"count": count, **found}


def _merge_side(a: Floats, b: Floats, share: Any) -> tuple[Floats, Floats]:
    """Merge means and units; give also the distance of the means, in that unit."""
    shift = (b[0] - a[0]) + (b[1] - a[1])
    mean, rest = exact_sum(a[0], a[1] + shift * share)
    unit = np.maximum(a[2], b[2])
    return np.stack([mean, rest, unit]), shift / np.where(unit > 0, unit, 1.0)


def _in_units(tile: Arrays, found: Arrays) -> Floats:
    changes = []
    for side in ("rows", "columns"):
        unit, common = tile[side][2], found[side][2]
        changes.append(np.divide(unit, common, out=np.ones_like(unit), where=unit > 0))
    scatter: Floats = tile["scatter"]
    if all((change == 1).all() for change in changes):
        return scatter
    return scatter * changes[0][:, None] * changes[1]


MEANS = "means"


class MeansBeside:
    """The means that a second pass fills in, if the first meets missing values.

    Once a value turns out to be missing, the sums are in vain, and the means are what is wanted. Of
    sparse rows there are none.
    """

    def __init__(self, policy: MissingPolicy, fill: RunningMeans | None, tally: Tally) -> None:
        self._policy, self._tally = policy, tally
        self._means = RunningMeans(len(tally.counts)) if policy.fills and fill is None else None

    def watch(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Let batches pass, and add each once it has been seen whether values are missing."""
        for batch in batches:
            yield batch
            if self._means is None or scipy.sparse.issparse(batch):
                continue
            if self._tally.counts.any():
                self._means.add(finite(batch) if self._policy.takes_infinite else batch)
            else:
                self._means.add_complete(batch)

    def give(self) -> dict[str, Arrays]:
        """Give the means under their name, if they may be wanted."""
        return {} if self._means is None else pack_means(self._means)


def pack_means(means: RunningMeans) -> dict[str, Arrays]:
    """Write means as arrays that add up, under their name."""
    rows = np.array(means.rows)
    return {MEANS: {"counts": means.counts, "mean": means.values, "rows": rows}}
