"""Which method suits a table when none is named."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tamis.registry import DEFAULT_METHOD
from tamis.run.request import Columns, Request
from tamis.run.selection import FoundColumns, select_from
from tamis.sources.source import Source, open_source, positions
from tamis.statistics.information import looks_like_identifier

MIXED = "representatives"
_SAMPLE = 10_000  # rows that say whether a text is an identifier
_WIDEST = 2_000  # columns whose pairs are counted in seconds


def select_by_default(data: Any, asked: Mapping[str, Any]) -> FoundColumns:
    """Find the columns to keep by the method that suits the table.

    Missing values are then no error where text is analysed, but filled as "auto" says.
    """
    for_numbers = asked["scale"] is not None or asked["refine"] == "exact"
    if for_numbers or asked["missing"] == "mean":
        choice = Choice(DEFAULT_METHOD, "the default for numbers")
    else:
        where = {name: asked[name] for name in ("columns", "exclude")}
        choice = suitable_method(open_source(data), **where, labels=asked["y"])
    usual = "auto" if choice.method == MIXED else "error"
    missing = usual if asked["missing"] is None else asked["missing"]
    request = Request.of(choice.method, **{**asked, "missing": missing}, why=choice.why)
    return select_from(request, data)


class Choice(NamedTuple):
    """A method, and why it suits the table."""

    method: str
    why: str


def suitable_method(
    source: Source, *, columns: Columns | None, exclude: Columns, labels: Any
) -> Choice:
    """Choose by the columns to analyse: numbers alone, or text and categories as well.

    Text that looks like an identifier is skipped in any case, so it does not count.
    """
    analysed = set(range(len(source.names)) if columns is None else positions(source, columns))
    beside = [labels] if isinstance(labels, str | int) else []
    analysed -= set(positions(source, [*exclude, *beside]))
    texts = sorted(j for j in analysed if source.kinds[j] == "categorical")
    if not texts:
        return Choice(DEFAULT_METHOD, "the default for numbers")
    if len(analysed) > _WIDEST:
        return Choice(DEFAULT_METHOD, f"the default for more than {_WIDEST:,} columns")
    if not _repeating(source, texts):
        return Choice(DEFAULT_METHOD, "the default for numbers; text is skipped")
    return Choice(MIXED, "the default where text or categories are analysed")


def _repeating(source: Source, texts: Sequence[int]) -> bool:
    """Say whether any of these columns has several values that repeat, in the first rows."""
    first: Any = next(iter(source.tables(texts, mark_missing=True)), None)
    if first is None:
        return False
    sample = first.slice(0, _SAMPLE)
    rows, counts = sample.num_rows, [len(column.unique()) for column in sample.columns]
    return any(1 < count < rows and not looks_like_identifier(count, rows) for count in counts)
