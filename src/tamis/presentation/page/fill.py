"""Fill a page: a template, a style sheet and a script of its own, on top of the shared base.

The page's security policy lets it load nothing and run no script but its own.
"""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tamis.errors import TamisError, by_door
from tamis.facts.shared_answer import AnswerFacts
from tamis.presentation.prose.document import write_document
from tamis.presentation.prose.writing import (
    by_reason,
    held_out_figure,
    is_worse,
    p_value,
    percent,
    share_on_new_rows,
    signed_percent,
)

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


WIDTHS = (720, 340)  # of a drawing for screens and paper, and for phones
CURVE_HEIGHTS = (300, 240)
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
    reasons = by_reason(facts.skipped)
    reasons |= {"constant": list(facts.constant)} if facts.constant else {}
    text = bundle_modules(script or page, _text)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return environment.get_template(f"{page}.html.j2").render(
        s={**write_document(facts), **more},
        css=Markup(join_styles(styles or (page,))),
        script=Markup(text),
        script_hash=f"sha256-{digest}",
        data=Markup(write_json(data)),
        reasons=reasons,
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
        share_on_new_rows=share_on_new_rows,
        signed_percent=signed_percent,
        p_value=p_value,
        flags=mark_flags,
        grouped=lambda count: f"{count:,}",
        width=lambda share: f"{100 * min(max(share, 0.0), 1.0):.1f}",  # of a bar
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
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def write_json(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def deflate(block: bytes) -> str:
    """Compress a block of bytes and write it in letters, which `inflate` of page_data.js reads.

    >>> len(deflate(b"a" * 1000)) < 40, zlib.decompress(base64.b64decode(deflate(b"abc")))
    (True, b'abc')
    """
    return base64.b64encode(zlib.compress(block, 9)).decode("ascii")


# Put the JavaScript modules of a page together as one plain script, without Node.
#
# A page loads nothing, so its modules cannot load each other. Each becomes a function of its own
# scope, after those that it imports, and leaves its exports in `modules`, where the others (and a
# reader with the console open) find them. Three forms are understood, each at the start of a line:
# `import { a, b } from "./file.js";` (or from the folder `../page/`), `export const` and `export
# function` (or `async function`, `class`). An export never changes later: importers hold a copy.
# Comments, types and indentation stay in the files, so no text may run over several lines. Spaces
# around signs stay there, too: every page holds the script.
_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(?:\.|\.\./page)/(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (\w+))", re.MULTILINE)
_UNKNOWN = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENTS = re.compile(
    r"^ *//.*\n"  # a line
    r"|^ */\*\*(?:(?!\*/)[\s\S])*\*/\n"  # a block of full lines
    r"|/\*\* @type .*?\*/ "  # the type of an expression
    r"| // [^\"'`\n]*$"  # at the end of a line, and not inside a text
    r"|^ +|^\n",
    re.MULTILINE,
)

_QUOTED_TEXTS = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`[^`]*`)")
_TIGHT_SIGNS = re.compile(r" ?(=>|[=!]==|[{}();,:=]) ?")


def bundle_modules(entry: str, read: Callable[[str], str]) -> str:
    r"""Return one script that runs the module `entry` after all that it imports.

    `read` gives the text of a file by its name.

    >>> files = {"a.js": "export const two = 2;\n", "b.js": 'import { two } from "./a.js";\n'}
    >>> print(bundle_modules("b", files.__getitem__))
    "use strict";
    const modules = {};
    modules.a = (() => {
    const two=2;
    return {two};
    })();
    modules.b = (() => {
    const{two}=modules.a;
    })();
    <BLANKLINE>
    """
    exports: dict[str, list[str]] = {}
    parts: list[str] = []
    _add_module(entry, read, exports, parts, ())
    text = "".join(parts)
    return f'"use strict";\n{_write_rules(text)}const modules = {{}};\n{text}'


# What a module reads of the rules: `RULES.texts.MONTHS`, or several as `const {A,B}=RULES.texts;`.
_RULE = re.compile(r"\bRULES\.(\w+)\.(\w+)|\bconst\{([^;]*)\}=RULES\.(\w+);")


def _write_rules(script: str) -> str:
    """Write the values of `tamis.rules` that a script reads as a constant of its own.

    >>> print(_write_rules("const{DATE_YEARS:[first]}=RULES.texts;f(RULES.kinds.MIN_KEYS)"), end="")
    const RULES={"kinds":{"MIN_KEYS":10},"texts":{"DATE_YEARS":[1500,2500]}};
    """
    wanted: set[tuple[str, str]] = set()
    for module, name, names, of in _RULE.findall(script):
        known = [(of, one) for one in re.findall(r"(?:^|,)\s*([A-Z]\w*)(?=[,:]|$)", names)]
        wanted.update([(module, name)] if module else known)
    modules: dict[str, list[str]] = {}
    for module, name in sorted(wanted):
        rules = import_module(f"tamis.rules.{module}")
        if not hasattr(rules, name):
            raise TamisError(f"A script reads {name}, which is no rule of tamis/rules/{module}.py.")
        value = getattr(rules, name)
        is_set = isinstance(value, frozenset)
        text = f"new Set({write_json(sorted(value))})" if is_set else write_json(value)
        modules.setdefault(module, []).append(f'"{name}":{text}')
    every = ",".join(f'"{module}":{{{",".join(found)}}}' for module, found in modules.items())
    return f"const RULES={{{every}}};\n" if every else ""


def _add_module(
    name: str,
    read: Callable[[str], str],
    exports: dict[str, list[str]],
    parts: list[str],
    importers: tuple[str, ...],
) -> None:
    """Append a module to `parts`, those that it imports first."""
    if name in exports:
        return
    if name in importers:
        raise TamisError(f"Modules import each other in a circle: {', '.join((*importers, name))}.")
    text = _COMMENTS.sub("", read(f"{name}.js"))
    if any(line.count("`") % 2 for line in text.splitlines()):
        raise TamisError(f"{name}.js has a text over several lines: write it in one.")
    for names, other in _IMPORT.findall(text):
        _add_module(other, read, exports, parts, (*importers, name))
        if missing := set(_split_names(names)) - set(exports[other]):
            raise TamisError(f"{name}.js imports {sorted(missing)[0]}, not exported by {other}.js.")
    exports[name] = _EXPORT.findall(text)
    # An import becomes constants of the module's own scope.
    text = _IMPORT.sub(
        lambda found: f"const {{{','.join(_split_names(found[1]))}}} = modules.{found[2]};\n", text
    )
    text = _EXPORT.sub("", text)
    if unknown := _UNKNOWN.search(text):
        raise TamisError(f"{name}.js has an import or export of another form: {unknown[0]}")
    result = f"return {{{','.join(exports[name])}}};\n" if exports[name] else ""
    text = "".join(map(_tighten, text.splitlines(keepends=True)))
    parts.append(f"modules.{name} = (() => {{\n{text}{result}}})();\n")


def _tighten(line: str) -> str:
    r"""Take out spaces around signs, outside of texts; lines that are hard to read stay.

    >>> _tighten('const [a, b] = f("x, y", { c: 1 });')
    'const [a,b]=f("x, y",{c:1});'
    """
    if line.count("`") > 2 or "/" in line:  # a text inside another, or perhaps a pattern
        return line
    parts = _QUOTED_TEXTS.split(line)
    parts[::2] = [_TIGHT_SIGNS.sub(r"\1", part) for part in parts[::2]]
    return "".join(parts)


def _split_names(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
