"""Fill a page: a template, a style sheet and a script of its own, on top of the shared base.

The page's security policy lets it load nothing and run no script but its own.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tamis.errors import by_door
from tamis.facts.shared_answer import AnswerFacts
from tamis.presentation.page.bundle import bundle_modules
from tamis.presentation.page.pack import ALPHABET, SHORT
from tamis.presentation.prose.document import write_document
from tamis.presentation.prose.names import by_reason
from tamis.presentation.prose.numbers import (
    held_out_figure,
    is_worse,
    p_value,
    percent,
    signed_percent,
)

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["WIDTHS", "fill", "join_styles", "make_environment", "write_json"]

WIDTHS = (720, 340)  # of a drawing for screens and paper, and for phones
_MAX_UNFOLDED_NAMES = 12  # more names than this are folded away


def fill(
    page: str,
    facts: AnswerFacts,
    data: Mapping[str, Any],
    *,
    more: Mapping[str, Any] = MappingProxyType({}),
    script: str | None = None,
    styles: Sequence[str] | None = None,
    **context: Any,
) -> str:
    """Give the page of these facts; `data` is what its script reads, `context` its drawings.

    The template finds the facts in `s`, as `to_dict()` has them, with `more` beside them. `script`
    names the module that runs in the page, `styles` the files that follow the shared one; usually
    both are named as the page.
    """
    from markupsafe import Markup

    environment = make_environment()
    text = bundle_modules(script or page, _text)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return environment.get_template(f"{page}.html.j2").render(
        s={**write_document(facts), **more},
        css=Markup(join_styles(styles or (page,))),
        script=Markup(text),
        script_hash=f"sha256-{digest}",
        data=Markup(write_json({"alphabet": ALPHABET, "short": SHORT, **data})),
        reasons=_reasons(facts),
        few=_MAX_UNFOLDED_NAMES,
        **context,
    )


def make_environment() -> "Environment":
    """Give what fills a template: its files, its filters, and no value left undefined."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent=percent,
        held_out_figure=held_out_figure,
        signed_percent=signed_percent,
        p_value=p_value,
        flags=mark_flags,
        grouped=lambda count: f"{count:,}",
    )
    environment.tests["worse"] = is_worse
    environment.globals["by_door"] = by_door
    return environment


def mark_flags(text: str) -> "Markup":
    """Set the options of the command in a sentence as code, which no line breaks.

    >>> mark_flags("<b>: --scale none keeps it.")
    Markup('&lt;b&gt;: <code>--scale</code> none keeps it.')
    """
    from markupsafe import Markup, escape

    parts = re.split(r"(?<!\S)(--[a-z][a-z-]*)", text)
    parts[::2] = [escape(part) for part in parts[::2]]
    parts[1::2] = [Markup("<code>{}</code>").format(part) for part in parts[1::2]]
    return Markup("").join(parts)


def join_styles(names: Sequence[str]) -> str:
    """Put style sheets behind the shared one."""
    return "".join(_text(f"{name}.css") for name in ("base", *names))


def _text(name: str) -> str:
    """Read a file that lies beside the code."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _reasons(facts: AnswerFacts) -> dict[str, list[str]]:
    """Group the skipped columns by the reason, constant ones last."""
    groups = by_reason(facts.skipped)
    if facts.constant:
        groups["constant"] = list(facts.constant)
    return groups


def write_json(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
