"""A selection as text for a terminal."""

from collections.abc import Sequence
from typing import Any

from tamis.presentation.summary import percent
from tamis.registry import Method

_KEPT = 20
_DROPPED = 10
_NAMES = 6


def selection_text(facts: dict[str, Any]) -> str:
    """Write what was found: the sentence, the kept columns, the costliest losses."""
    lines = [facts["sentence"], "", "  kept" + " " * 25 + "reproduced   ceiling"]
    retained, bound = facts["curve"]["retained"], facts["curve"]["bound"]
    lines += [
        f"  {i + 1:>3} {_fit(name, 24)} {percent(retained[i]):>10} {percent(bound[i]):>9}"
        for i, name in enumerate(facts["names"][:_KEPT])
    ]
    if facts["k"] > _KEPT:
        lines.append(f"      ... and {facts['k'] - _KEPT:,} more")
    lines += _dropped(facts["dropped"])
    if facts["constant"]:
        lines += ["", f"Constant, never kept: {_listed(facts['constant'])}."]
    reasons: dict[str, list[str]] = {}
    for row in facts["left_out"]:
        reasons.setdefault(row["why"], []).append(row["column"])
    lines += [f"Left out ({why}): {_listed(names)}." for why, names in reasons.items()]
    return "\n".join(lines)


def methods_text(methods: Sequence[Method]) -> str:
    """Write the table of methods with their options."""
    lines = []
    for method in methods:
        lines.append(f"{method.id:<20} {method.name} - {method.paper}")
        lines.append(f"{'':<20} {method.about}")
        for option in method.options:
            flag = "--" + option.name.replace("_", "-")
            lines.append(f"{'':<20}   {flag} {option.accepts} (default {option.default})")
    return "\n".join(lines)


def _dropped(rows: list[dict[str, Any]]) -> list[str]:
    if not rows:
        return []
    worst = sorted(rows, key=lambda row: row["share"])[:_DROPPED]
    title = "dropped" if len(rows) <= _DROPPED else f"dropped, the {_DROPPED} least reproduced"
    return [
        "",
        f"  {title}",
        *(
            f"  {percent(row['share']):>8} of {_fit(row['column'], 24)} {formula(row)}".rstrip()
            for row in worst
        ),
    ]


def formula(row: dict[str, Any]) -> str:
    """Write the few columns that carry a dropped one, as a sum.

    >>> formula({"weights": {"weight": 0.981, "height": -0.31}})
    '= 0.98 weight - 0.31 height'
    """
    text = ""
    for name, weight in row["weights"].items():
        sign = "-" if weight < 0 else "+"
        text += f" {sign} {abs(weight):.2f} {name}"
    text = text.removeprefix(" + ")
    return f"= {text.replace(' - ', '-', 1) if text.startswith(' - ') else text}" if text else ""


def _fit(name: str, width: int) -> str:
    return (
        name.ljust(width) if len(name) <= width else name[: width - 1] + "\N{HORIZONTAL ELLIPSIS}"
    )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _NAMES:,} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
