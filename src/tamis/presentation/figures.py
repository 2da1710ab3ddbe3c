"""Figures of a comparison as short text."""

from typing import Any

from tamis.presentation.numbers import WORSE, is_worse

__all__ = ["below_note", "figure_text"]

BELOW = "< 0"


def figure_text(value: float | None, unit: str) -> str:
    """Write a figure in its unit, a dash where it was not measured.

    >>> [figure_text(v, "seconds") for v in (0.0004, 0.0312, 12.34, 250.0)]
    ['<0.001', '0.031', '12.3', '250']
    >>> figure_text(0.6449, "share"), figure_text(-0.0312, "number"), figure_text(None, "share")
    ('64.5%', '-0.03', '-')

    A share below 0 on held-out rows is worse than predicting the mean, by however much.

    >>> figure_text(-13.84, "share")
    '< 0'
    """
    if value is None:
        return "-"
    if unit == "share" and is_worse(value):
        return BELOW
    if unit == "share":
        return f"{100 * value:.1f}%"
    if unit == "number":
        return f"{value:.2f}"
    if value < 0.001:
        return "<0.001"
    return f"{value:.3f}" if value < 1 else f"{value:.3g}"


def below_note(facts: dict[str, Any]) -> str:
    """Say what a share below 0 means, if the table of a comparison has one."""
    shares = [criterion["id"] for criterion in facts["criteria"] if criterion["unit"] == "share"]
    means = [row["mean"] for one in shares for row in facts["figures"][one].values()]
    below = any(mean is not None and is_worse(mean) for mean in means)
    return f"{BELOW}: {WORSE}." if below else ""
