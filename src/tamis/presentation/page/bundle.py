"""Put the JavaScript modules of a page together as one plain script, without Node.

A page loads nothing, so its modules cannot load each other. Each becomes a function of its own
scope, after those that it imports, and leaves its exports in `modules`, where the others (and a
reader with the console open) find them. Three forms are understood, each at the start of a line:
`import { a, b } from "./file.js";` (or from the folder `../page/`), `export const` and `export
function` (or `async function`, `class`). An export never changes later: importers hold a copy.
Comments, types and indentation stay in the files, so no text may run over several lines. Spaces
around signs stay there, too: every page holds the script.
"""

import re
from collections.abc import Callable

from tamis.errors import TamisError

__all__ = ["bundle_modules"]

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
    parts = ['"use strict";\nconst modules = {};\n']
    _add_module(entry, read, exports, parts, ())
    return "".join(parts)


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
        missing = set(_split_names(names)) - set(exports[other])
        if missing:
            raise TamisError(f"{name}.js imports {sorted(missing)[0]}, not exported by {other}.js.")
    exports[name] = _EXPORT.findall(text)
    text = _EXPORT.sub("", _IMPORT.sub(_copy_names, text))
    unknown = _UNKNOWN.search(text)
    if unknown:
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


def _copy_names(found: re.Match[str]) -> str:
    """Write an import as constants of the module's own scope."""
    return f"const {{{','.join(_split_names(found[1]))}}} = modules.{found[2]};\n"


def _split_names(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]
