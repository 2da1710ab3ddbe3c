"""A check of a choice against new rows, as text."""

from typing import Any

from tamis.presentation.prose.about_check import check_headline, drift_sentence, share_now
from tamis.presentation.prose.numbers import percent
from tamis.presentation.terminal.screen import join_lines

__all__ = ["check_text"]

_MAX_DRIFTS_SHOWN = 10


def check_text(facts: dict[str, Any]) -> str:
    """Write what holds and what does not, the columns that changed first."""
    lines = [check_headline(facts), ""]
    lines += _list_drifts("Missing", facts["missing"])
    lines += _list_drifts(
        "Another kind", [f"{name} (now {what})" for name, what in facts["other_kind"].items()]
    )
    lines += _list_drifts("Constant", facts["constant"])
    lines += _section("Changed beyond chance:", [_drift(one) for one in facts["drifted"]])
    lost = [_share(one) for one in facts["shares"] if one["lost"]]
    lines += _section("Clearly less explained than before:", lost)
    lines += _list_drifts("New", facts["fresh"])
    return join_lines(lines).rstrip()


def _drift(one: dict[str, Any]) -> str:
    return f"{one['column']} ({'kept' if one['kept'] else 'dropped'}): {drift_sentence(one)}"


def _share(one: dict[str, Any]) -> str:
    return f"{one['column']}: {percent(one['then'])} then, {share_now(one['now'])} now"


def _section(title: str, rows: list[str]) -> list[str]:
    more = (
        [f"  and {len(rows) - _MAX_DRIFTS_SHOWN:,} more"] if len(rows) > _MAX_DRIFTS_SHOWN else []
    )
    return [title, *(f"  {row}" for row in rows[:_MAX_DRIFTS_SHOWN]), *more, ""] if rows else []


def _list_drifts(title: str, names: Any) -> list[str]:
    shown = ", ".join(list(names)[:_MAX_DRIFTS_SHOWN])
    more = f" and {len(names) - _MAX_DRIFTS_SHOWN:,} more" if len(names) > _MAX_DRIFTS_SHOWN else ""
    return [f"{title}: {shown}{more}.", ""] if names else []
