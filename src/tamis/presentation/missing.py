"""What is said about missing values: nothing where there are none."""

from typing import Any

from tamis.errors import spelled_name
from tamis.presentation.names import LONGEST, shortened
from tamis.presentation.numbers import percent
from tamis.registry.missing_policy import describe_treatment

_WORST = 6


def missing_sentence(missing: dict[str, Any], longest: int = LONGEST) -> str:
    """Say how many rows were dropped, or what was filled, with the worst columns.

    Names have at most `longest` characters.

    >>> counts = {"done": "mean", "rows_read": 40, "rows_used": 40}
    >>> missing_sentence({**counts, "shares": {"age": 0.95, "bmi": 0.1}})
    'Missing values filled with the column mean: age (95.0% of the rows), bmi (10.0%).'
    """
    rows, used = missing["rows_read"], missing["rows_used"]
    worst = _worst(missing["shares"], longest)
    if done := describe_treatment(missing["done"]):
        said = f"{done}{_observed(missing)}: {worst}{_infinite(missing)}{_other_ways(missing)}."
        return said if worst else ""
    if used == rows:
        return ""
    lost = missing.get("rows_unlabelled", 0)
    why = "labels" if lost == rows - used else "values"
    some = f", {lost:,} of them without a label" if 0 < lost < rows - used else ""
    text = f"Dropped {rows - used:,} of {rows:,} rows because of missing {why}{some}; "
    text += f"{used:,} are used."
    return f"{text} Missing most often: {worst}." if worst else text


def _other_ways(missing: dict[str, Any]) -> str:
    """Name the option that treats them otherwise; in a summary it is too late for that."""
    known = missing.get("rows_complete") is not None
    return f"; see {spelled_name('missing')} for other ways" if known else ""


def _observed(missing: dict[str, Any]) -> str:
    """Say how much is known where columns are related by the rows that have both."""
    rows = missing.get("fewest_common")
    if rows is None:
        return ""
    return f" ({percent(missing['observed'])} of all values; at least {rows:,} rows each); missing"


def _infinite(missing: dict[str, Any]) -> str:
    """Say that infinite values count among the missing ones, where there were any."""
    count = missing.get("infinite", 0)
    values = "value counts" if count == 1 else "values count"
    return f"; {count:,} infinite {values} as missing" if count else ""


def _worst(shares: dict[str, float], longest: int) -> str:
    short = shortened(list(shares)[:_WORST], longest)
    shown = [
        f"{short[name]} ({_share(share)}{'' if i else ' of the rows'})"
        for i, (name, share) in enumerate(list(shares.items())[:_WORST])
    ]
    rest = len(shares) - _WORST
    more = f" and {rest:,} more column{'' if rest == 1 else 's'}" if rest > 0 else ""
    return ", ".join(shown) + more


def _share(share: float) -> str:
    return percent(share) if share >= 1e-3 else "under 0.1%"
