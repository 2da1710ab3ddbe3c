"""The options about missing values; what each of their words means is in `missing_policy.py`."""

from collections.abc import Iterable
from dataclasses import replace

from tamis.registry.missing_policy import USUAL_POLICY, MissingPolicy, explain_policies
from tamis.registry.option import Door, Option

__all__ = ["MAX_MISSING", "MISSING", "MISSING_LINEAR", "MISSING_NUMBERS", "MISSING_TEXT"]

_COLUMN_DOORS: tuple[Door, ...] = ("select", "score", "compare")
_NUMBER_DOORS: tuple[Door, ...] = ("extract", "summarise")
_FOR_TEXT = MissingPolicy.for_method(takes_text=True)
_FOR_NUMBERS = MissingPolicy.for_method(takes_text=False)
_FOR_LINEAR = MissingPolicy.for_method(takes_text=False, linear=True)


def _missing_help(policies: Iterable[MissingPolicy]) -> str:
    """Say which policies there are, and in words what each does."""
    *most, last = policies
    words = f"{', '.join(most)} or {last}"
    return (
        f"Missing values: {words}. In words: {explain_policies([*most, last])}. Default: "
        f"{USUAL_POLICY}."
    )


MISSING = Option(
    "missing",
    "choice",
    USUAL_POLICY.value,
    f"Missing values: {explain_policies(list(MissingPolicy))}.",
    choices=tuple(policy.value for policy in MissingPolicy),
    doors=(*_COLUMN_DOORS, *_NUMBER_DOORS),
    group="How",
    placeholder="HOW",
    texts=tuple((door, _missing_help(MissingPolicy)) for door in _COLUMN_DOORS),
)
MISSING_NUMBERS = replace(
    MISSING,
    choices=tuple(policy.value for policy in _FOR_NUMBERS),
    about=f"Missing values: {explain_policies(_FOR_NUMBERS)}.",
    texts=tuple((door, _missing_help(_FOR_NUMBERS)) for door in _NUMBER_DOORS),
)
MISSING_LINEAR = replace(
    MISSING,
    choices=tuple(policy.value for policy in _FOR_LINEAR),
    about=f"Missing values: {explain_policies(_FOR_LINEAR)}.",
)
MISSING_TEXT = replace(
    MISSING,
    choices=tuple(policy.value for policy in _FOR_TEXT),
    about=f"Missing values: {explain_policies(_FOR_TEXT)}.",
)
MAX_MISSING = Option(
    "max_missing",
    "share",
    0.5,
    "Skip columns of which a larger share than this is missing, unless they are named; 1 skips "
    "none that has a value.",
    doors=(*_COLUMN_DOORS, "extract"),
    placeholder="SHARE",
)
