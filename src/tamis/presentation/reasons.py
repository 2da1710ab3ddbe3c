"""Why columns are dropped: irrelevant, or redundant."""

from collections import Counter
from typing import Any

__all__ = ["reasons_sentence"]

_SHARED = (
    "Columns that correlate share their importance in a learner: a dropped column that the kept "
    "ones explain is redundant, not necessarily unrelated to the labels."
)


def reasons_sentence(rows: list[dict[str, Any]], *, shares_credit: bool) -> str:
    """Count the reasons of dropped columns, or warn where a low score can have two.

    >>> rows = [{"reason": "redundant"}, {"reason": "irrelevant"}, {"reason": "redundant"}]
    >>> print(reasons_sentence(rows, shares_credit=False))
    Of 3 dropped columns, 2 are redundant (explained by kept ones) and 1 irrelevant (low score).
    """
    counts = Counter(row["reason"] for row in rows if row["reason"])
    if not counts["redundant"] + counts["irrelevant"]:
        return _SHARED if shares_credit and rows else ""
    of = f"Of {len(rows):,} dropped columns" if len(rows) > 1 else "Of 1 dropped column"
    redundant, irrelevant = counts["redundant"], counts["irrelevant"]
    verb = "is" if redundant == 1 else "are"
    return (
        f"{of}, {redundant:,} {verb} redundant (explained by kept ones) and {irrelevant:,} "
        "irrelevant (low score)."
    )
