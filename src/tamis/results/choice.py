"""The same question with other wishes: columns pinned, forbidden or priced, another number."""

from dataclasses import dataclass, replace

from tamis.errors import TamisError
from tamis.registry import DEFAULT_METHOD
from tamis.results.make_selection import make_selection
from tamis.results.selection import Selection
from tamis.run.request import Request
from tamis.run.selection import select_from

__all__ = ["Chooser"]


@dataclass(frozen=True, eq=False)
class Chooser:
    """Find columns in the table of a selection again, under other wishes."""

    found: Selection

    def __call__(
        self, k: int, pins: list[str], barred: list[str], prices: dict[str, float]
    ) -> Selection:
        """Give the selection of `k` columns with these wishes; the first one if there are none."""
        found = self.found
        if not (pins or barred or prices) and k == found.k:
            return found
        data = None if found.reader is None else found.reader.table()
        if data is None or found.reader is None:
            raise TamisError(
                "The table is no longer in memory to choose again: keep it in a variable, or "
                "select from its path."
            )
        return make_selection(
            select_from(_add_wishes(found.reader.request, k, pins, barred, prices), data), data
        )


def _add_wishes(
    request: Request, k: int, pins: list[str], barred: list[str], prices: dict[str, float]
) -> Request:
    """Put the wishes into a request; what a method cannot forbid is not analysed at all."""
    own, exclude = {**request.own}, [*request.exclude]
    include = [*request.include, *(name for name in pins if name not in request.include)]
    if barred and request.method.has("forbid"):
        own["forbid"] = [*(own.get("forbid") or []), *barred]
    else:
        exclude += barred
    if prices and not request.method.has("costs"):
        raise TamisError(
            f"Method {request.method.id!r} takes no prices: remove them, or use {DEFAULT_METHOD}."
        )
    if prices:
        own["costs"] = {**(own.get("costs") or {}), **prices}
    own = {name: None if name == "threshold" else value for name, value in own.items()}
    return replace(request, k=k, retain=None, auto=False, include=include, exclude=exclude, own=own)
