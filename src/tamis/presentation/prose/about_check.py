"""A check of a choice against new rows, in sentences."""

from typing import Any

from tamis.presentation.prose.numbers import percent

__all__ = ["check_headline", "drift_sentence", "share_now"]

_UNIT_CHANGES = (10.0, 100.0, 1000.0, 1e6)


def check_headline(facts: dict[str, Any]) -> str:
    """Say whether the choice holds, with the share then and now."""
    word = "The choice holds" if facts["holds"] else "The choice does not hold"
    where = "on held-out rows then" if facts["held_out"] else "then"
    if facts["now"] is None:
        return f"{word}: of {facts['rows']:,} new rows no dropped column is there to compare."
    text = (
        f"{word}: its old weights explain {share_now(facts['now'])} of {facts['rows']:,} new rows"
    )
    text += f" ({percent(facts['then'])} {where})"
    limits = []
    if "min_share" in facts["failures"]:
        limits.append(f"less than the {percent(facts['min_share'])} asked for")
    if "max_fall" in facts["failures"]:
        limits.append(f"a fall of more than {percent(facts['max_fall'])}")
    return f"{text}{', ' if limits else ''}{' and '.join(limits)}."


def share_now(share: float) -> str:
    """Write a share that may be below 0.

    >>> share_now(0.5), share_now(-0.2)
    ('50.0%', 'less than nothing')
    """
    return "less than nothing" if share < 0 else percent(share)


def drift_sentence(one: dict[str, Any]) -> str:
    """Say how a column changed."""
    said = []
    if one["emptied"]:
        now, then = percent(one["missing_now"]), percent(one["missing_then"])
        said.append(f"missing in {now} of the rows ({then} then)")
    if one["mean"]:
        said.append(f"mean moved by {one['shift']:+.2f} standard deviations")
    if one["spread"]:
        said.append(f"spread is {one['ratio']:.3g} times what it was{_unit(one['ratio'])}")
    if one["relation"]:
        said.append(f"correlation with {one['partner']} changed by {one['change']:.2f}")
    return ", ".join(said)


def _unit(ratio: float) -> str:
    """Say that a unit may have changed, where the spread did by a power of ten.

    >>> _unit(998.0), _unit(0.0101), _unit(3.0)
    (', as if its unit had changed', ', as if its unit had changed', '')
    """
    factors = (max(ratio, 1 / ratio) / one if ratio > 0 else 0.0 for one in _UNIT_CHANGES)
    near = any(0.8 < factor < 1.25 for factor in factors)
    return ", as if its unit had changed" if near else ""
