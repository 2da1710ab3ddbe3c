"""A table summarised by pairs of columns, so that no missing value has to be filled or dropped."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
import scipy.sparse

from tamis.errors import TamisError, spell, spell_name
from tamis.numerics.semidefinite import make_definite
from tamis.progress import track
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.source import Source
from tamis.statistics.gram import DenseGram
from tamis.statistics.linear import TableSummary, len_of, stack_batches
from tamis.statistics.missing import Tally, check_values
from tamis.statistics.missing_cells import as_float64, count_missing
from tamis.statistics.pair_moments import PairMoments, shrink_uncertain
from tamis.statistics.units import compute_level, find_varying

MAX_COLUMNS = 3_000  # whose matrix is decomposed within a minute


def check_pairwise(
    source: Source, *, kind: str, checkpoint: str | None, blocks: bool, policy: MissingPolicy
) -> None:
    """Refuse what sums over pairs of columns cannot do, before a row is read."""
    obstacles = {
        "a summary, which has no rows": not source.has_rows,
        f"ranks ({spell('kind', kind)})": kind != "pearson",
        "Dask or Spark": source.in_parts() is not None,
        spell_name("checkpoint"): checkpoint is not None,
        f"held-out rows, {spell_name('stability')} or {spell('k', 'auto')}": blocks,
    }
    for what, holds in obstacles.items():
        if holds:
            raise TamisError(
                f"{spell('missing', policy)} does not work with {what} yet: omit one of them, or "
                f"pass {spell('missing', MissingPolicy.AUTO)}."
            )


def collect_pairwise(
    source: Source, columns: Sequence[int], *, scale: bool, policy: MissingPolicy
) -> TableSummary:
    """Read the table once into the sums of every two columns, and make a Gram matrix of them."""
    names, tally = [source.names[j] for j in columns], Tally(len(columns))
    if len(names) > MAX_COLUMNS:
        raise TamisError(
            f"{spell('missing', policy)}: {len(names):,} columns are too many to relate every "
            f"two of them; analyse at most {MAX_COLUMNS:,}, or pass "
            f"{spell('missing', MissingPolicy.AUTO)}."
        )
    moments = _read_pairs(source, columns, names, tally, policy)
    check_values(tally.counts, tally.rows, names)
    std = moments.std
    varying = find_varying(std, scale=scale)
    at = np.ix_(varying, varying)
    if tally.counts.any() and len(varying):
        tally.fewest_common = int(moments.count[at].min())
    related = shrink_uncertain(moments.correlations(), moments.count, moments.rows)
    matrix = make_definite(related[at])
    if not scale:
        size = std[varying] / compute_level(std)
        matrix = matrix * size * size[:, None]
    return TableSummary(moments.rows, moments.mean, std, varying, DenseGram(matrix), tally=tally)


def _read_pairs(
    source: Source, columns: Sequence[int], names: list[str], tally: Tally, policy: MissingPolicy
) -> PairMoments:
    parts, held = [], []
    for batch in track("rows read", source.batches(columns), source.n_rows, len_of, source.meter):
        if scipy.sparse.issparse(batch):
            raise TamisError(
                f"{spell('missing', policy)} is for dense tables: pass "
                f"{spell('missing', MissingPolicy.DROP)}, or fill the sparse one before."
            )
        rows = tally.mark_infinite(as_float64(batch))
        counts = count_missing(rows, names)
        complete = len(rows) if counts is None else int((~np.isnan(rows).any(axis=1)).sum())
        tally.add(len(rows), len(rows), counts, complete)
        held.append(rows)
        if sum(map(len, held)) >= len(names):
            parts.append(PairMoments.from_batch(stack_batches(held)))
            parts, held = [reduce(PairMoments.merge, parts)], []
    parts += [PairMoments.from_batch(stack_batches(held))] if held else []
    if not parts:
        raise TamisError(f"{source.label} has no rows to work with: at least 2 are needed.")
    return reduce(PairMoments.merge, parts)
