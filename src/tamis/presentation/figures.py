"""Figures of a comparison as short text."""

__all__ = ["figure_text"]


def figure_text(value: float | None, unit: str) -> str:
    """Write a figure in its unit, a dash where it was not measured.

    >>> [figure_text(v, "seconds") for v in (0.0004, 0.0312, 12.34, 250.0)]
    ['<0.001', '0.031', '12.3', '250']
    >>> figure_text(0.6449, "share"), figure_text(-0.0312, "number"), figure_text(None, "share")
    ('64.5%', '-0.03', '-')
    """
    if value is None:
        return "-"
    if unit == "share":
        return f"{100 * value:.1f}%"
    if unit == "number":
        return f"{value:.2f}"
    if value < 0.001:
        return "<0.001"
    return f"{value:.3f}" if value < 1 else f"{value:.3g}"
