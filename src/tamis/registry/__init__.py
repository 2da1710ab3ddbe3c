"""The one table of methods and options; data only, no maths.

`select`, the command line, the estimators, the report, the docs and the tests all read it. A method
that is not listed here does not exist.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from tamis.errors import TamisError, spelled_name
from tamis.registry.backward import BACKWARD
from tamis.registry.forward import FORWARD
from tamis.registry.method import Method
from tamis.registry.option import (
    COLUMNS,
    EXCLUDE,
    INCLUDE,
    MISSING,
    REFINE,
    RETAIN,
    SCALE,
    K,
    Option,
)

__all__ = [
    "COLUMNS",
    "EXCLUDE",
    "INCLUDE",
    "METHODS",
    "MISSING",
    "REFINE",
    "RETAIN",
    "SCALE",
    "K",
    "Method",
    "Option",
    "check_options",
    "get",
    "methods",
    "nearest",
    "on_ranks",
    "resolve_goal",
]

DEFAULT_METHOD = "sfs"
DEFAULT_RETAIN = 0.95

METHODS: tuple[Method, ...] = (*FORWARD, *BACKWARD)


def methods() -> tuple[Method, ...]:
    """List every method."""
    return METHODS


def get(method_id: str) -> Method:
    """Give the method with this id, or suggest the nearest one."""
    for method in METHODS:
        if method.id == method_id:
            return method
    ids = [method.id for method in METHODS]
    raise TamisError(f"Unknown method {method_id!r}{nearest(str(method_id), ids)}.")


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest the known word most like `word`, or list what is known."""
    known = list(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    if close:
        return f": did you mean {close[0]!r}"
    more = f" and {len(known) - 8} more" if len(known) > 8 else ""
    return f": there is {', '.join(known[:8])}{more}"


def check_options(method: Method, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check a method's own options and fill in the defaults."""
    known = {option.name: option for option in method.options}
    for name, value in given.items():
        if name not in known:
            hint = nearest(name, known) if known else ": it has no options of its own"
            raise TamisError(f"Method {method.id!r} has no option {name!r}{hint}.")
        known[name].check(value)
    return {name: given.get(name, option.default) for name, option in known.items()}


def on_ranks(own: Mapping[str, Any]) -> bool:
    """Tell whether a method's own options ask for the ranks of the values in their place."""
    return own.get("kind") == "spearman"


def resolve_goal(
    method: Method, k: Any, retain: Any, own: Mapping[str, Any], *, k_name: str = "k"
) -> tuple[int | None, float | None, dict[str, Any]]:
    """Check the ways to say how many columns to keep, and choose one if the user did not.

    The threshold is one of the method's `own` options, which come back with it filled in.
    """
    K.check(k, k_name)
    RETAIN.check(retain)
    given = {k_name: k, "retain": retain, "threshold": own.get("threshold")}
    names = [spelled_name(name) for name, value in given.items() if value is not None]
    if len(names) > 1:
        raise TamisError(
            f"Give {' or '.join(names)}, not both: each decides how many columns stay."
        )
    if not names and method.usual_threshold is not None:
        return None, None, {**own, "threshold": method.usual_threshold}
    return k, retain if names else DEFAULT_RETAIN, dict(own)
