"""Summaries that travel: from a table to what a summary file holds, merged, and back to a Gram."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell
from tamis.progress import track
from tamis.registry import Method
from tamis.registry.missing_policy import MissingPolicy, treatment_of
from tamis.rules.kinds import Kind
from tamis.sources.files import hash_files
from tamis.sources.source import Source
from tamis.sources.stored_summary import StoredSummary
from tamis.sources.summary_file import check_width, read_summary, write_summary
from tamis.statistics.encoding import EncodedSource, see_columns
from tamis.statistics.linear import GramRows, len_of, summary_of_moments
from tamis.statistics.merging import (
    add_blocks,
    as_arrays,
    choose_columns,
    fewest_values,
    keep_levels,
    list_categories,
    name_columns,
    settle_levels,
)
from tamis.statistics.missing import Tally, as_float64, finite, read_clean, without_missing
from tamis.statistics.mixed_gram import group_summary
from tamis.statistics.moments import Moments
from tamis.statistics.read_blocks import collect_block_moments
from tamis.statistics.row_blocks import MomentBlocks, summary_of_blocks
from tamis.statistics.row_hash import RowRules
from tamis.statistics.summary import Summary, refuse_unfit

SECONDS = 30.0  # between two writings


class PassCheckpoint:
    """The file that a pass over a table writes now and then, and resumes from.

    `made` gives what is known so far as a summary; its `place` says how many rows of which files
    are in it. A pass that came to its end is not made again while the files stay as they are.
    Nothing is written that shows fewer than `least` values of a column.
    """

    def __init__(
        self, path: str | Path, source: Source, inputs: tuple[str, ...] = (), least: int = 1
    ) -> None:
        self._path, self._files = Path(path), _stamps(source, str(path))
        self._inputs, self._least = inputs, least
        self.written = time.monotonic()

    def before(self, like: StoredSummary) -> StoredSummary | None:
        """Give what an earlier pass over the same columns left; None if there was none."""
        if not self._path.exists():
            return None
        found = read_summary(self._path)
        place = found.place or {}
        same = (found.names, found.missing) == (like.names, like.missing)
        rows = place.get("rows")
        if not same or place.get("files") != self._files or rows != found.rows:
            raise TamisError(
                f"{spell('checkpoint', str(self._path))}: the file belongs to another table, to "
                "other settings, or the table has changed; delete it or give another name."
            )
        return found

    def write(self, made: StoredSummary, *, ended: bool = False) -> None:
        """Write what is known so far."""
        if fewest_values(made)[1] >= self._least:
            place = {"rows": made.rows, "files": self._files, "ended": ended}
            made = replace(made, place=place, inputs=self._inputs, least=self._least)
            write_summary(made, self._path)
        self.written = time.monotonic()


def _stamps(source: Source, path: str) -> list[list[Any]]:
    paths = source.info.files
    if paths is None:
        raise TamisError(
            f"{spell('checkpoint', path)}: only what is read from files can resume; "
            "give a path, or omit it."
        )
    found = [(one, one.stat()) for one in paths]
    return [[one.name, state.st_size, state.st_mtime_ns] for one, state in found]


def collect_stored(
    source: Source,
    columns: Sequence[int],
    *,
    missing: MissingPolicy = MissingPolicy.ERROR,
    checkpoint: str | Path | None = None,
    blocks: bool = False,
    min_rows: int = 1,
    rules: RowRules | None = None,
) -> StoredSummary:
    """Read these columns of a table once into what a summary file holds.

    With a `checkpoint` the pass writes to that file now and then, once it has read `min_rows`, and
    resumes from it. With `blocks` the rows are summarised by block. Rows stand for as many as
    `rules` say, as if all of these were in the table.
    """
    check_width(len(columns), source.label)
    if rules is not None:
        return _store_weighed(source, columns, missing, rules, blocks=blocks)
    if source.summary is not None:
        return choose_columns(source.summary, columns)
    if any(source.kinds[j] == "categorical" for j in columns):
        found = _store_text(source, columns, missing, checkpoint, blocks=blocks)
        return replace(found, inputs=hash_files(source))
    tally, inputs = Tally(len(columns)), hash_files(source)
    if blocks:
        if checkpoint is not None:
            raise TamisError(
                f"{spell('checkpoint', str(checkpoint))} and {spell('blocks', True)}: a "
                "checkpoint keeps no blocks of rows; give one of them."
            )
        parts = collect_block_moments(source, columns, missing, tally).every()
        found = _store_source(source, columns, missing, parts, tally)
    elif source.in_parts() is not None:
        if checkpoint is not None:
            raise TamisError(
                f"{spell('checkpoint', str(checkpoint))} is for files: an engine repeats by "
                "itself what a lost worker had done; omit it."
            )
        rows = read_clean(source, columns, GramRows(len(columns)), missing, tally)
        found = _store_source(source, columns, missing, [rows.moments], tally)
    else:
        saved = None if checkpoint is None else PassCheckpoint(checkpoint, source, inputs, min_rows)
        found = _stream_source(source, columns, missing, tally, saved)
    if not found.used:
        raise TamisError(f"{source.label} has no rows to work with: at least 1 is needed.")
    return replace(found, inputs=inputs)


def _store_text(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    checkpoint: str | Path | None,
    *,
    blocks: bool,
) -> StoredSummary:
    """Read a table twice: for the levels of its text, and for the sums with a column for each."""
    if checkpoint is not None:
        raise TamisError(
            f"{spell('checkpoint', str(checkpoint))} and {spell('text', True)}: a checkpoint keeps "
            "sums of numbers only; give one of them."
        )
    seen = see_columns(source, columns, sampled=False)
    names = [source.names[j] for j in columns]
    encoding = keep_levels(seen, names, mark_missing=not missing.fills)
    categories = list_categories(encoding, seen)
    encoded = EncodedSource(source, columns, encoding)
    if not encoded.names:
        refuse_unfit(len(names), source.label, encoding.refused)
    every, stored_names = range(len(encoded.names)), name_columns(encoding, categories)
    check_width(len(stored_names), source.label)
    found = collect_stored(encoded, every, missing=missing, blocks=blocks)
    absent, owner = found.absent.copy(), encoding.used[encoding.groups.owner]
    text = np.isin(owner, list(encoding.levels))
    absent[text] = [encoding.absent[j] for j in owner[text].tolist()]
    kinds: list[Kind] = [source.kinds[columns[j]] for j in owner]
    kinds = ["numeric" if is_level else kind for kind, is_level in zip(kinds, text, strict=True)]
    return replace(
        found,
        names=stored_names,
        kinds=tuple(kinds),
        absent=absent,
        categories=categories,
        refused={encoding.names[j]: why for j, why in encoding.refused.items()},
    )


def _store_weighed(
    source: Source, columns: Sequence[int], missing: MissingPolicy, rules: RowRules, *, blocks: bool
) -> StoredSummary:
    tally, whole, read = Tally(len(columns)), Tally(len(columns)), 0
    found = collect_block_moments(source, columns, missing, tally, rules)
    weights = rules.weights
    assert weights is not None
    for batch in source.batches(columns) if tally.counts.any() else ():
        missed = np.isnan(as_float64(finite(batch)))
        whole.counts += (weights[read : read + len(missed)] @ missed).astype(np.intp)
        read += len(missed)
    whole.rows = int(weights.sum())
    parts = found.every() if blocks else [found.sum()]
    stored = _store_source(source, columns, missing, parts, whole)
    return replace(stored, inputs=hash_files(source))


def _store_source(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    blocks: Sequence[Moments],
    tally: Tally,
) -> StoredSummary:
    return StoredSummary(
        tuple(source.names[j] for j in columns),
        tuple(source.kinds[j] for j in columns),
        source.named,
        tally.rows,
        tally.counts.astype(np.int64),
        (missing.stored.value,),
        tuple(map(as_arrays, blocks)),
    )


def _stream_source(
    source: Source,
    columns: Sequence[int],
    missing: MissingPolicy,
    tally: Tally,
    checkpoint: PassCheckpoint | None,
) -> StoredSummary:
    """Read batch after batch, from where an earlier pass stopped if there was one."""
    names = [source.names[j] for j in columns]
    rows = GramRows(len(columns))

    def made() -> StoredSummary:
        return _store_source(source, columns, missing, [rows.moments], tally)

    def read() -> Iterator[Any]:
        return track("rows read", source.batches(columns), source.n_rows, size=len_of)

    before = None if checkpoint is None else checkpoint.before(made())
    if before is not None:
        if before.place and before.place.get("ended"):
            return before
        tally.add(before.rows, before.used, before.absent.astype(np.intp))
        rows = GramRows(len(columns), start=add_blocks(before))
    for batch in without_missing(read, names, missing, tally, start=tally.rows):
        rows.add(batch)
        if checkpoint is not None and time.monotonic() - checkpoint.written >= SECONDS:
            checkpoint.write(made())
    found = made()
    if checkpoint is not None:
        checkpoint.write(found, ended=True)
    return found


def tally_of(stored: StoredSummary) -> Tally:
    """Give the rows read and used, and the missing values by column, of text by its first level."""
    tally = Tally(len(stored.table), treatment_of(stored.missing, stored.parts))
    first = [places[0] for places in stored.table.values()]
    tally.add(stored.rows, stored.used, stored.absent[first].astype(np.intp))
    return tally


def check_linear(method: Method, source: Source, kind: str, checkpoint: str | None = None) -> None:
    """Refuse a method that needs the rows where there is only a summary, or is to be one."""
    if source.has_rows and checkpoint is not None:
        if method.needs != "gram" or kind != "pearson":
            raise TamisError(
                f"{spell('checkpoint', checkpoint)}: method {method.id!r} needs the rows, only "
                "linear methods such as sfs can resume; omit it."
            )
        return
    if method.needs != "gram":
        raise TamisError(
            f"{source.label} is a summary and has no rows, which method {method.id!r} needs: give "
            "the table itself, or take a linear method such as sfs or pca."
        )
    if kind != "pearson":
        raise TamisError(
            f"{spell('kind', kind)}: ranks need the rows, and {source.label} is a summary; give "
            "the table itself, or omit it."
        )


def summary_of_stored(stored: StoredSummary, *, scale: bool, blocks: bool = False) -> Summary:
    """Take what a linear method needs from a summary, by block of rows too if that is wanted."""
    if not stored.categories:
        return _summary_of_numbers(stored, scale=scale, blocks=blocks)
    mapped, encoding = settle_levels(stored)
    if not mapped.names:
        refuse_unfit(len(encoding.names), "The summary", encoding.refused)
    found = _summary_of_numbers(mapped, scale=scale, blocks=blocks)
    return group_summary(found, encoding)


def _summary_of_numbers(stored: StoredSummary, *, scale: bool, blocks: bool) -> Summary:
    if not blocks:
        return replace(summary_of_moments(add_blocks(stored), scale), tally=tally_of(stored))
    if len(stored.blocks) == 1:
        raise TamisError(
            "The summary has no blocks of rows, without which nothing can be said about rows not "
            f"used: make it with {spell('blocks', True)}."
        )
    return summary_of_blocks(block_moments(stored), scale, tally_of(stored))


def block_moments(stored: StoredSummary) -> MomentBlocks:
    """Give the moments by block."""
    parts = [vars(block) for block in stored.blocks]
    names = ("count", "mean", "scatter", "rest", "unit")
    return MomentBlocks(*(np.array([part[name] for part in parts]) for name in names))
