"""What the pages share: the template engine, text files, and a JSON block that cannot break out."""

import base64
import hashlib
import json
from importlib.resources import files
from typing import Any

from tamis.presentation.names import by_reason
from tamis.presentation.numbers import percent

Facts = dict[str, Any]


def fill(template: str, script: str, data: Facts, **context: Any) -> str:
    """Fill a template; `script` is the only one that the page's policy lets run."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(percent=percent, grouped=lambda count: f"{count:,}")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return environment.from_string(template).render(
        script=Markup(script),
        script_hash=f"sha256-{digest}",
        data=Markup(_json(data)),
        **context,
    )


def text_of(package: str, name: str) -> str:
    """Read a file that lies beside the code."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def reasons(facts: Facts) -> dict[str, list[str]]:
    """Group the columns that took no part, constant ones last."""
    groups = by_reason(facts["left_out"])
    if facts["constant"]:
        groups["always the same value"] = list(facts["constant"])
    return groups


def _json(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
