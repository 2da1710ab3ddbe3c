"""What is said where the kept columns explain less on held-out rows."""

from typing import Any

from tamis.presentation.numbers import is_worse, on_held_out_rows, percent

__all__ = ["overfit_sentence", "overfit_text"]


def overfit_sentence(
    retained: float, share: float, k: int, *, overfitted: bool, peak: dict[str, Any] | None
) -> str:
    """Say that a choice is overfitted, and which number of columns explains most.

    `share` is that of `k` columns on held-out rows, `peak` has the number and the share of fewer.

    >>> overfit_sentence(0.9, 0.2, 8, overfitted=True, peak={"k": 3, "share": 0.4})
    'Overfitted: 90.0% here, 20.0% on held-out rows. There 3 columns explain most: 40.0%.'
    >>> overfit_sentence(0.9, 0.88, 8, overfitted=False, peak={"k": 3, "share": 0.89})
    'On held-out rows 3 columns explain more than 8: 89.0% against 88.0%.'
    """
    said = f"Overfitted: {percent(retained)} here, {on_held_out_rows(share)}."
    if peak is None:
        return said if overfitted else ""
    many = "1 column explains" if peak["k"] == 1 else f"{peak['k']:,} columns explain"
    best = percent(peak["share"])
    if overfitted:
        return f"{said} There {many} most: {best}."
    if is_worse(share):
        return f"On held-out rows {many} most: {best}."
    return f"On held-out rows {many} more than {k:,}: {best} against {percent(share)}."


def overfit_text(found: dict[str, Any] | None) -> str:
    """Write the sentence and what helps; nothing where there is nothing to say."""
    if found is None or not found["sentence"]:
        return ""
    advice = f" {found['advice']} {found['effect']}." if found["advice"] else ""
    return f"{found['sentence']}{advice}"
