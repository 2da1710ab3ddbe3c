"""Whether the sums that a request needs may be gathered when its table is first read."""

from collections.abc import Callable, Sequence

from tamis.columns.judge import list_readable
from tamis.run.request import Request
from tamis.sources.source import Source
from tamis.statistics.clipping import Outliers
from tamis.statistics.collect import has_blocks
from tamis.statistics.sums_ahead import SumsAhead, SumsWanted

__all__ = ["Hope", "hope_for_sums"]

Hope = Callable[[Sequence[int]], SumsAhead | None]  # gives what sums up the columns judged


def hope_for_sums(request: Request, source: Source, columns: Sequence[int]) -> SumsAhead | None:
    """Give what sums up the columns that are judged; None where that would be of no use.

    Labels, weights and groups of rows are read apart, what is damaged must be met by every pass,
    and of a table in memory a second read costs little.
    """
    others = (request.y, request.row_groups, request.weights, request.checkpoint)
    if request.skip_corrupt or request.ordered or any(one is not None for one in others):
        return None
    method, how = request.method, request.own
    if not source.read_anew or source.in_parts() is not None or method.needs != "gram":
        return None
    if request.missing.pairs or request.scale.rewrites or how.get("kind", "pearson") != "pearson":
        return None
    outliers: Outliers = how.get("outliers", "keep") if method.mixed else "keep"
    possible = has_blocks(source, len(columns), None)
    blocks = request.blocks if outliers == "keep" else True
    blocks = possible if blocks is None else blocks
    if blocks and not possible:
        return None
    wanted = SumsWanted(blocks, None if outliers == "keep" else outliers)
    return SumsAhead(source, list_readable(source, columns), wanted)
