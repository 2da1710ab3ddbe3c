"""What is said about missing values: nothing where there are none."""

from typing import Any

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
        return f"{done}: {worst}." if worst else ""
    if used == rows:
        return ""
    lost = missing.get("rows_unlabelled", 0)
    why = "labels" if lost == rows - used else "values"
    some = f", {lost:,} of them without a label" if 0 < lost < rows - used else ""
    text = f"Dropped {rows - used:,} of {rows:,} rows because of missing {why}{some}; "
    text += f"{used:,} are used."
    return f"{text} Missing most often: {worst}." if worst else text


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
