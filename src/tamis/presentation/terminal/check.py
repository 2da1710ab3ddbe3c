"""A check of a choice against new rows, as text."""

from typing import Any

from tamis.errors import escape_controls
from tamis.presentation.prose.numbers import percent

__all__ = ["check_text"]

_SHOWN = 10
_UNIT_CHANGES = (10.0, 100.0, 1000.0, 1e6)


def check_text(facts: dict[str, Any]) -> str:
    """Write what holds and what does not, the columns that changed first."""
    lines = [_headline(facts), ""]
    lines += _listed("Missing", facts["missing"])
    lines += _listed(
        "Another kind", [f"{name} (now {what})" for name, what in facts["other_kind"].items()]
    )
    lines += _listed("Constant", facts["constant"])
    lines += _section("Changed beyond chance:", [_drift(one) for one in facts["drifted"]])
    lost = [_share(one) for one in facts["shares"] if one["lost"]]
    lines += _section("Clearly less explained than before:", lost)
    lines += _listed("New", facts["fresh"])
    return "\n".join(escape_controls(line) for line in lines).rstrip()


def _headline(facts: dict[str, Any]) -> str:
    word = "The choice holds" if facts["holds"] else "The choice does not hold"
    where = "on held-out rows then" if facts["held_out"] else "then"
    if facts["now"] is None:
        return f"{word}: of {facts['rows']:,} new rows no dropped column is there to compare."
    now = "less than nothing" if facts["now"] < 0 else percent(facts["now"])
    text = f"{word}: its old weights explain {now} of {facts['rows']:,} new rows"
    text += f" ({percent(facts['then'])} {where})"
    limits = []
    if "min_share" in facts["failures"]:
        limits.append(f"less than the {percent(facts['min_share'])} asked for")
    if "max_fall" in facts["failures"]:
        limits.append(f"a fall of more than {percent(facts['max_fall'])}")
    return f"{text}{', ' if limits else ''}{' and '.join(limits)}."


def _drift(one: dict[str, Any]) -> str:
    said = []
    if one["mean"]:
        said.append(f"mean moved by {one['shift']:+.2f} standard deviations")
    if one["spread"]:
        said.append(f"spread is {one['ratio']:.3g} times what it was{_unit(one['ratio'])}")
    if one["relation"]:
        said.append(f"correlation with {one['partner']} changed by {one['change']:.2f}")
    return f"{one['column']} ({'kept' if one['kept'] else 'dropped'}): {', '.join(said)}"


def _unit(ratio: float) -> str:
    """Say that a unit may have changed, where the spread did by a power of ten.

    >>> _unit(998.0), _unit(0.0101), _unit(3.0)
    (', as if its unit had changed', ', as if its unit had changed', '')
    """
    factors = (max(ratio, 1 / ratio) / one if ratio > 0 else 0.0 for one in _UNIT_CHANGES)
    near = any(0.8 < factor < 1.25 for factor in factors)
    return ", as if its unit had changed" if near else ""


def _share(one: dict[str, Any]) -> str:
    now = "less than nothing" if one["now"] < 0 else percent(one["now"])
    return f"{one['column']}: {percent(one['then'])} then, {now} now"


def _section(title: str, rows: list[str]) -> list[str]:
    more = [f"  and {len(rows) - _SHOWN:,} more"] if len(rows) > _SHOWN else []
    return [title, *(f"  {row}" for row in rows[:_SHOWN]), *more, ""] if rows else []


def _listed(title: str, names: Any) -> list[str]:
    shown = ", ".join(list(names)[:_SHOWN])
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return [f"{title}: {shown}{more}.", ""] if names else []
