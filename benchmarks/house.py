"""Count what a reader of the source meets: `python -m benchmarks.house [FOLDER]`.

The counts of a review before and after a change: size, names that stand for two things, questions
asked of objects instead of their types, untyped facts, modules with one function.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

# Endings of a participle; words of one syllable such as `need` or `read` are verbs.
PARTICIPLE = re.compile(r"[a-z]{3,}(ed|en|wn|ing)$")
VERBS = frozenset(("embed", "need", "proceed", "seed", "succeed", "shorten", "widen", "flatten"))


def parsed(folder: Path) -> dict[Path, ast.Module]:
    """Parse every module below a folder."""
    return {path: ast.parse(path.read_text()) for path in sorted(folder.rglob("*.py"))}


def nodes(trees: dict[Path, ast.Module], *kinds: type[ast.AST]) -> Iterator[ast.AST]:
    """Walk all modules and give the nodes of these kinds."""
    for tree in trees.values():
        yield from (node for node in ast.walk(tree) if isinstance(node, kinds))


def used_twice(names: list[str]) -> list[str]:
    """Give the names that stand more than once."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def constants(trees: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """Give the values that every constant of a module has, by its name; not those of tuples."""
    values: dict[str, set[str]] = {}
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                if isinstance(target, ast.Name) and target.id.isupper():
                    values.setdefault(target.id, set()).add(ast.unparse(node.value))
    return values


def body_lines(function: ast.FunctionDef) -> int:
    """Count the lines of a body without its docstring."""
    documented = ast.get_docstring(function) is not None and len(function.body) > 1
    first = function.body[1 if documented else 0]
    return (function.end_lineno or first.lineno) - first.lineno + 1


def one_function_modules(trees: dict[Path, ast.Module]) -> list[str]:
    """Give the modules whose only definition is one function."""
    found = []
    for path, tree in trees.items():
        made = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
        if len(made) == 1 and isinstance(made[0], ast.FunctionDef):
            found.append(path.stem)
    return found


def imports_of(trees: dict[Path, ast.Module], folder: Path) -> dict[str, set[str]]:
    """Give the modules of the folder that every one of them imports, inside functions, too."""
    known = {_dotted(path, folder): path for path in trees}
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        asked = found.setdefault(name, set())
        for node in ast.walk(trees[path]):
            if isinstance(node, ast.Import):
                asked.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                asked.update((inner & known.keys()) or {node.module})
    return {name: (asked & known.keys()) - {name} for name, asked in found.items()}


def _dotted(path: Path, folder: Path) -> str:
    parts = path.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_cycles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Group the modules that import each other, directly or through others."""
    reached = {name: _reached(imports, name) for name in imports}
    knots = {
        tuple(sorted(other for other in reached[name] if name in reached[other]))
        for name in imports
        if name in reached[name]
    }
    return sorted(map(list, knots), key=len, reverse=True)


def _reached(imports: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        more = imports[waiting.pop()] - found
        found |= more
        waiting += more
    return found


def count(folder: Path) -> dict[str, str]:
    """Give every count with some examples."""
    trees = parsed(folder)
    texts = {path: path.read_text() for path in trees}
    functions = [f for f in nodes(trees, ast.FunctionDef) if isinstance(f, ast.FunctionDef)]
    named = [f.name.strip("_") for f in functions if not f.name.startswith("__")]
    classes = [c.name for c in nodes(trees, ast.ClassDef) if isinstance(c, ast.ClassDef)]
    modules = [path.stem for path in trees if path.stem != "__init__"]
    asked = [
        node
        for node in nodes(trees, ast.Call)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("getattr", "hasattr")
    ]
    participles = [n for n in named if PARTICIPLE.match(n.split("_")[0]) and n not in VERBS]
    twice, doubled = used_twice(classes), used_twice(modules)
    several = sorted(name for name, values in constants(trees).items() if len(values) > 1)
    lines = {path: text.count("\n") for path, text in texts.items()}
    longest = max(lines, key=lambda path: lines[path])
    body = max(functions, key=body_lines)
    cycles = [f"{len(c)} ({', '.join(c)})" for c in import_cycles(imports_of(trees, folder))]
    return {
        "modules": f"{len(trees):,}",
        "lines": f"{sum(lines.values()):,}; longest {longest.name} {lines[longest]}",
        "functions": f"{len(functions):,}; longest body {body.name} {body_lines(body)}",
        "classes": f"{len(classes):,}",
        "class names used twice": f"{len(twice)}: {', '.join(twice)}",
        "module names used twice": f"{len(doubled)}: {', '.join(doubled)}",
        "constant names with two values": f"{len(several)}: {', '.join(several)}",
        "functions named by a participle": f"{len(participles)}",
        "functions of one word": f"{sum('_' not in name for name in named)} of {len(named)}",
        "one-function modules": f"{len(one_function_modules(trees))}",
        "import cycles, lazy ones too": f"{len(cycles)}: {'; '.join(cycles)}",
        "getattr and hasattr": f"{len(asked)}",
        "dict[str, Any]": f"{sum(text.count('dict[str, Any]') for text in texts.values())}",
    }


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src" / "tamis"
    for what, number in count(place).items():
        print(f"{what}: {number}")
