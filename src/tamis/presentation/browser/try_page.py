"""Make the page that takes a table: one file that loads nothing and asks nobody.

The numbers are found by a worker, whose script lies in the page as text.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from tamis.facts.selection_answer import CurveFacts, HeldOutFacts
from tamis.presentation.page.fill import (
    CURVE_HEIGHTS,
    WIDTHS,
    bundle_modules,
    join_styles,
    write_json,
)
from tamis.presentation.scenes.curve import curve_chart, curve_scene
from tamis.versions import version_of

_EXAMPLES = {"wine.csv": "178 wines, 13 measurements and a cultivar", "iris.csv": "150 flowers"}
_FOLDER = files(__package__)
_SHARED_FOLDER = files("tamis.presentation.page")


def make_try_page(draws: Mapping[int, Sequence[Sequence[int]]]) -> str:
    """Give the page; `draws` are the halves of so many blocks of rows that the search is tried on.

    >>> page = make_try_page({})
    >>> page.count("<script"), "://" in page.partition("<body>")[0]
    (3, False)
    """
    script, worker = (bundle_modules(entry, read_module) for entry in ("try_page", "worker"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    examples = [
        {"name": name, "about": about, "text": _read(f"examples/{name}")}
        for name, about in _EXAMPLES.items()
    ]
    return Template(_read("try_page.html")).substitute(
        css=join_styles(("curve",)) + _read("try_page.css"),
        curves=_draw_curves(),
        script=script,
        script_hash=f"sha256-{digest}",
        worker=worker,
        data=write_json({"examples": examples, "draws": json.loads(json.dumps(draws))}),
        version=version_of("tamis"),
    )


def _draw_curves() -> str:
    """Draw the curve as in a report, for screens and phones: a script moves its lines."""
    shares = tuple(k / 30 for k in range(31))
    scene = curve_scene(CurveFacts(shares, shares), 1, HeldOutFacts(shares, shares, folds=10))
    return "".join(
        f'<div class="{kind}">{curve_chart(scene, 1, width=width, height=height)}</div>'
        for kind, width, height in zip(("wide", "narrow"), WIDTHS, CURVE_HEIGHTS, strict=True)
    )


def _read(name: str) -> str:
    return _FOLDER.joinpath(name).read_text(encoding="utf-8")


def read_module(name: str) -> str:
    """Read a module of this page, or one that it shares with the report."""
    own = _FOLDER.joinpath(name)
    found = own if own.is_file() else _SHARED_FOLDER.joinpath(name)
    return found.read_text(encoding="utf-8")
