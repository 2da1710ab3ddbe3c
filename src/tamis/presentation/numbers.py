"""Numbers as text."""


def percent(share: float) -> str:
    """Write a share as a percentage that never rounds up to a false 100%.

    >>> percent(0.95342), percent(0.99962), percent(0.9999999), percent(1)
    ('95.3%', '99.96%', 'over 99.99%', '100%')
    """
    points = 100 * share if abs(share) >= 5e-4 else 0.0
    if points >= 100 - 1e-7:
        return "100%"
    if points >= 99.995:
        return "over 99.99%"
    return f"{points:.2f}%" if points >= 99.95 else f"{points:.1f}%"
