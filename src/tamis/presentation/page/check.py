"""A check of a choice against new rows as one self-contained HTML page, without any script."""

from typing import Any

from tamis.presentation.page.fill import join_styles, make_environment
from tamis.presentation.prose.about_check import check_headline, drift_sentence
from tamis.presentation.prose.numbers import held_out_figure
from tamis.values import dataclass

__all__ = ["render_check"]

MAX_ROWS = 200  # of a table in the page; the JSON has all


@dataclass(frozen=True)
class ShareRow:
    """A dropped column: its share then and now as text, and the widths of both bars."""

    column: str
    lost: bool
    then: float
    now: str
    width_then: str
    width_now: str


@dataclass(frozen=True)
class DriftRow:
    """A column that changed: whether it is kept, in what it changed, and how."""

    column: str
    kept: bool
    kinds: tuple[str, ...]
    said: str


def render_check(facts: dict[str, Any], title: str) -> str:
    """Return the complete HTML page of a check."""
    from markupsafe import Markup

    shares = [_share_row(one) for one in facts["shares"]]
    drifted = [_drift_row(one) for one in facts["drifted"]]
    return (
        make_environment()
        .get_template("check.html.j2")
        .render(
            s=facts,
            title=title,
            sentence=check_headline(facts),
            css=Markup(join_styles(("check",))),
            lists=_lists(facts),
            drifted=drifted[:MAX_ROWS],
            shares=shares[:MAX_ROWS],
            rows=MAX_ROWS,
            count=len(shares),
        )
    )


def _share_row(one: dict[str, Any]) -> ShareRow:
    now = one["now"]
    text = "not there" if now is None else held_out_figure(now)
    return ShareRow(
        one["column"], one["lost"], one["then"], text, _width(one["then"]), _width(now or 0.0)
    )


def _width(share: float) -> str:
    return f"{100 * min(max(share, 0.0), 1.0):.1f}"


def _drift_row(one: dict[str, Any]) -> DriftRow:
    kinds = tuple(kind for kind in ("mean", "spread", "relation", "emptied") if one[kind])
    return DriftRow(one["column"], one["kept"], kinds, drift_sentence(one))


def _lists(facts: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Give the lists of columns that are missing, changed in kind, constant or new, if any."""
    other = [f"{name} (now {what})" for name, what in facts["other_kind"].items()]
    found = {
        "Missing": list(facts["missing"]),
        "Of another kind": other,
        "Constant": list(facts["constant"]),
        "New": list(facts["fresh"]),
    }
    return [(name, columns) for name, columns in found.items() if columns]
