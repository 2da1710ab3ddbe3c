"""What a page needs to choose columns again: the Gram matrix, what was asked, how to repeat it."""

from dataclasses import replace
from typing import Any

from tamis import registry
from tamis.errors import spelled_name
from tamis.evaluation.outcome import Outcome, Record
from tamis.numerics.types import Floats, Indices
from tamis.presentation.flags import as_flag, flag
from tamis.results.gram_facts import gram_facts
from tamis.results.repeat_facts import command_for, repeat_patterns

__all__ = ["live_facts", "live_patterns"]

Facts = dict[str, Any]

_METHOD = "sfs"
_WISHES = ("include", "forbid", "costs")
_REPEATED = ("refine", "held_out", "stability", "k")


def live_facts(
    outcome: Outcome, path: Indices, shares: Floats, steps: int, **beside: Any
) -> Facts | None:
    """Give what the loop of the page works on; None where there is no Gram matrix.

    `path` and `shares` are what the page shows at first, `steps` how many columns it may keep.
    """
    gram = gram_facts(outcome.measure, path, shares, steps)
    if gram is None:
        return None
    request = outcome.request
    same = request.method.id == _METHOD and not request.settings.get("refine")
    return {
        **gram,
        "same": same,
        "fixed": _fixed(request),
        "spelled": {"include": spelled_name("include"), "forbid": spelled_name("forbid")},
        "patterns": live_patterns(request, **beside),
    }


def _fixed(request: Record) -> Facts:
    """Give the wishes that were part of the request, by name."""

    def name(column: str | int) -> str:
        return column if isinstance(column, str) else request.names[column]

    asked = request.settings
    return {
        "include": [name(column) for column in asked.get("include") or ()],
        "forbid": [name(column) for column in asked.get("forbid") or ()],
        "costs": {name(column): price for column, price in (asked.get("costs") or {}).items()},
    }


def live_patterns(request: Record, **beside: Any) -> dict[str, str]:
    """Give the command and the Python line of the same table and `sfs`, with room for wishes."""
    own = {option.name for option in request.method.taken}
    dropped = own | {*_WISHES, *_REPEATED}
    asked = {name: value for name, value in request.settings.items() if name not in dropped}
    sfs = replace(request, method=registry.get(_METHOD), settings=asked, command=None)
    patterns = repeat_patterns(sfs, **beside)
    if request.command and request.command.startswith("tamis select "):
        flags = [flag(name) for name in sorted(dropped)]
        command = command_for(request.command, without=["-m", "--method", *flags])
        usual = asked.get("scale") in (None, True, "auto") or "scale" in command
        more = f" --method {_METHOD}" + ("" if usual else f" {as_flag('scale', asked['scale'])}")
        patterns["command"] = command.replace(" -k {k}", f"{more} -k {{k}}")
    return patterns
