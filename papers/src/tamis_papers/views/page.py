"""The experiments of the papers as one self-contained HTML page.

The page's security policy lets it load nothing and run no script but its own.
"""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from tamis.pictures import draw_column_tree, draw_search_tree, read_style_sheet
from tamis_papers.views.overlay import draw_overlay, list_keys
from tamis_papers.views.sentences import (
    VERDICTS,
    count_figures,
    write_difference,
    write_ours,
    write_printed,
)

__all__ = ["render_page"]

Facts = dict[str, Any]

_WIDTHS = (720, 340)  # of a drawing for screens and paper, and for phones
_MOST_UNFOLDED = 30  # figures; a longer table is folded
_SEVERAL = 3  # drawings of curves; as many stand beside each other, small


def render_page(facts: Facts) -> str:
    """Return the complete HTML page of `facts`."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(_read_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(grouped=lambda count: f"{count:,}")
    script = _read_text("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return environment.get_template("page.html.j2").render(
        r=facts,
        css=Markup(read_style_sheet() + _read_text("page.css")),
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        papers=_papers(facts),
        protocols=[_protocol(one) for one in facts["protocols"]],
        verdicts=VERDICTS,
        long=_MOST_UNFOLDED,
    )


def _read_text(name: str) -> str:
    """Read a file that lies beside the code."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _papers(facts: Facts) -> list[Facts]:
    """Group the claims by paper, in the order of the papers."""
    names = dict.fromkeys(one["paper"] for one in facts["protocols"])
    return [
        {
            "name": name,
            "claims": [
                {**claim, "protocol": one["id"]}
                for one in facts["protocols"]
                if one["paper"] == name
                for claim in one["claims"]
            ],
        }
        for name in names
    ]


def _protocol(protocol: Facts) -> Facts:
    figures = [
        {
            **one,
            "ours": write_ours(one),
            "printed": write_printed(one["paper"]),
            "difference": write_difference(one),
            "within": write_printed(one["tolerance"]),
        }
        for one in protocol["figures"]
    ]
    several = sum(one["kind"] == "curves" for one in protocol["drawings"]) >= _SEVERAL
    drawn = [_draw(one, _WIDTHS[several:]) for one in protocol["drawings"]]
    return {
        **protocol,
        "counted": count_figures(protocol),
        "rows": figures,
        "drawn": [one for one in drawn if one["charts"]],
        "several": several,
    }


def _draw(drawing: Facts, widths: Sequence[int]) -> Facts:
    """Draw for screens and for phones, or in one width for both, with what the lines mean."""
    from markupsafe import Markup

    curves = drawing["kind"] == "curves"
    charts = [
        draw_overlay(drawing, w) if curves else _draw_tree(drawing["tree"], w) for w in widths
    ]
    return {
        "title": drawing["title"],
        "charts": [Markup(chart) for chart in charts if chart],
        "legend": [(name, Markup(swatch)) for name, swatch in list_keys(drawing)] if curves else [],
        "paper": any(one["paper"] for one in drawing["series"]),
        "spread": any(any(one["spread"]) for one in drawing["series"]),
    }


def _draw_tree(tree: Facts | None, width: int) -> str:
    """Draw a tree by what it holds: levels of a search, or leaves with their depths."""
    if not tree:
        return ""
    if "levels" in tree:
        return draw_search_tree(tree, width)
    return draw_column_tree(tree["order"], tree["depth"], kept=tree["path"], width=width)
