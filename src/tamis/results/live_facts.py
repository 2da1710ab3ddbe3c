"""What a page needs to choose columns again: the Gram matrix, what was asked, how to repeat it."""

from dataclasses import replace
from typing import Any

from tamis import registry
from tamis.evaluation.outcome import Outcome
from tamis.evaluation.record import Record
from tamis.facts.explorer import LiveFacts, PatternFacts, WishFacts
from tamis.numerics.types import Floats, Indices
from tamis.presentation.flags import as_flag, flag
from tamis.results.gram_facts import gram_facts
from tamis.results.repeat_facts import command_for, repeat_patterns
from tamis.run.search import Search

__all__ = ["live_facts", "live_patterns"]

_METHOD = "sfs"
_DEFAULT = "forward"  # of numbers alone, and without shrinkage, it takes the same columns
_WISHES = ("include", "forbid", "costs")
_REPEATED_OPTIONS = ("refine", "held_out", "stability", "k")


def live_facts(
    outcome: Outcome, path: Indices, shares: Floats, steps: int, **beside: Any
) -> LiveFacts | None:
    """Give what the loop of the page works on; None where there is no Gram matrix.

    `path` and `shares` are what the page shows at first, `steps` how many columns it may keep.
    """
    held = gram_facts(outcome.measure, path, shares, steps)
    if held is None:
        return None
    request = outcome.request
    same = _chooses_alike(outcome) and not request.settings.get("refine")
    return LiveFacts(
        columns=held.columns,
        width=held.width,
        matrix=held.matrix,
        rounded=held.rounded,
        bound=held.bound,
        sizes=held.sizes,
        rows=held.rows,
        same=same,
        fixed=_collect_wishes(request),
        patterns=live_patterns(request, **beside),
    )


def _chooses_alike(outcome: Outcome) -> bool:
    """Say whether the method is the loop of the page: that of `sfs`, which shrinks nothing."""
    if outcome.request.method.id == _METHOD:
        return True
    search = outcome.longer
    if outcome.request.method.id != _DEFAULT or not isinstance(search, Search):
        return False
    return not search.options.get("shrink")


def _collect_wishes(request: Record) -> WishFacts:
    """Give the wishes that were part of the request, by name."""

    def name(column: str | int) -> str:
        return column if isinstance(column, str) else request.names[column]

    asked = request.settings
    return WishFacts(
        include=tuple(name(column) for column in asked.get("include") or ()),
        forbid=tuple(name(column) for column in asked.get("forbid") or ()),
        costs={name(column): price for column, price in (asked.get("costs") or {}).items()},
    )


def live_patterns(request: Record, **beside: Any) -> PatternFacts:
    """Give the command and the Python line of the same table, with room for wishes.

    They name `sfs`, or the default where its extreme values are limited as they are on the page.
    """
    method = _DEFAULT if request.method.id == _DEFAULT else _METHOD
    own = {option.name for option in request.method.taken} - {"outliers"}
    dropped = own | {*_WISHES, *_REPEATED_OPTIONS}
    asked = {name: value for name, value in request.settings.items() if name not in dropped}
    if method == _DEFAULT:
        asked["shrink"] = 0.0  # the page does not shrink
    again = replace(request, method=registry.get(method), settings=asked, command=None)
    patterns = repeat_patterns(again, **beside)
    if request.command and request.command.startswith("tamis select "):
        flags = [flag(name) for name in sorted(dropped)]
        command = command_for(request.command, without=["-m", "--method", *flags])
        usual = asked.get("scale") in (None, True, "auto") or "scale" in command
        plain = " --shrink 0" if method == _DEFAULT else ""
        more = f" --method {method}{plain}"
        more += "" if usual else f" {as_flag('scale', asked['scale'])}"
        command = command.replace(" -k {k}", f"{more} -k {{k}}")
        return replace(patterns, command=command)
    return patterns
