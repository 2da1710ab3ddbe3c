"""Sums made in the pass that judges the columns, where an engine would compute the table again."""

from collections.abc import Iterable

from tamis.run.request import Request
from tamis.sources.promised import PromisedParts
from tamis.sources.source import Source
from tamis.sources.summary_file import MOST_COLUMNS
from tamis.statistics.tiles_ahead import promise_tiles

__all__ = ["promise_sums"]


def promise_sums(request: Request, source: Source, columns: Iterable[int]) -> Source:
    """Give the table as one whose next pass over these columns sums them up, too.

    It does so for methods on a Gram matrix of numbers without blocks of rows. Where columns turn
    out to be read in another way, or values to be missing, the sums are made anew.
    """
    parted = source.in_parts()
    if parted is None or parted is not source or not _sums_up_plainly(request):
        return source
    kinds = {j: source.kinds[j] for j in sorted(columns)}
    numbers = [j for j, kind in kinds.items() if kind in ("numeric", "boolean")]
    text = request.method.takes_text and "categorical" in kinds.values()
    few = source.n_rows is not None and source.n_rows < len(numbers)
    if text or few or not 2 <= len(numbers) <= MOST_COLUMNS:
        return source
    return PromisedParts(parted, promise_tiles(source, numbers, request.missing))


def _sums_up_plainly(request: Request) -> bool:
    """Whether the method takes sums over all rows, each once and as it is."""
    linked = request.row_groups is not None or request.weights is not None or request.ordered
    changed = request.missing.pairs or request.missing.expects_missing or request.scale.rewrites
    return (
        request.method.needs == "gram"
        and request.blocks is False
        and request.own.get("kind", "pearson") == "pearson"
        and request.checkpoint is None
        and not (linked or changed or request.explains_response)
    )
