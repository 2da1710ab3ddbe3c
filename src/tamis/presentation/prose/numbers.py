"""Numbers as text."""

from tamis.facts.json_schema import decimals

WORSE = "worse than predicting the mean"
_ROUNDING = 5e-4  # a share that is written as 0.0%


def percent(share: float) -> str:
    """Write a share as a percentage that never rounds up to a false 100%.

    >>> percent(0.95342), percent(0.99962), percent(0.9999999), percent(1)
    ('95.3%', '99.96%', 'over 99.99%', '100%')
    """
    points = 100 * share if abs(share) >= _ROUNDING else 0.0
    if points >= 100 - 1e-7:
        return "100%"
    if points >= 99.995:
        return "over 99.99%"
    return f"{points:.2f}%" if points >= 99.95 else f"{points:.1f}%"


def percent_cell(share: float) -> str:
    """Write a percentage where room is short, as in a table of the terminal.

    >>> percent_cell(0.95342), percent_cell(0.9999999)
    ('95.3%', '>99.99%')
    """
    return percent(share).replace("over ", ">")


def held_out_figure(share: float) -> str:
    """Write a share on held-out rows where room is short; below 0 it is no share of anything.

    >>> held_out_figure(0.35), held_out_figure(-0.0001), held_out_figure(-13.84)
    ('35.0%', '0.0%', 'below 0')
    """
    return "below 0" if is_worse(share) else percent(share)


def is_worse(share: float) -> bool:
    """Say whether a share on held-out rows is below 0, and not only by rounding.

    >>> is_worse(-0.01), is_worse(-0.0001), is_worse(0.2)
    (True, False, False)
    """
    return share <= -_ROUNDING


def at_most(share: float) -> str:
    """Write a bound that nothing exceeds; nothing where it says nothing.

    >>> at_most(0.953), at_most(0.999999), at_most(1.0)
    ('more than 95.3%', 'all of it', '')
    """
    text = percent(share)
    if text == "100%":
        return ""
    return "all of it" if text.startswith("over ") else f"more than {text}"


def p_value(p: float) -> str:
    """Write a p-value with two digits, and what is too small for a number as such.

    >>> p_value(0.03456), p_value(0.5), p_value(3.21e-7), p_value(0.0)
    ('0.035', '0.50', '3.2e-07', '< 1e-300')
    """
    if p < 1e-300:
        return "< 1e-300"
    return f"{p:.1e}" if p < 1e-3 else f"{p:.{2 if p >= 0.1 else 3}f}"


def signed_percent(change: float) -> str:
    """Write a change of a share with its sign.

    >>> signed_percent(0.0012), signed_percent(-0.00012), signed_percent(-0.2)
    ('+0.1%', '-0.01%', '-20.0%')
    """
    digits = 1 if abs(change) >= 5e-4 else 2
    text = f"{100 * change:+.{digits}f}%"
    return "0%" if float(text[:-1]) == 0 else text


def weight_text(weight: float, largest: float) -> str:
    """Write a weight with as many decimals as the largest of its component needs.

    >>> weight_text(-0.0829, 0.86), weight_text(0.00123, 0.0045), weight_text(3e-9, 5e-9)
    ('\N{MINUS SIGN}0.08', '0.0012', '3.0e-09')
    """
    digits = decimals(largest)
    text = f"{abs(weight):.{digits}f}" if digits <= 6 else f"{abs(weight):.1e}"
    return f"\N{MINUS SIGN}{text}" if weight < 0 else text
