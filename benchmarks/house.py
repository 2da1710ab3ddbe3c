"""Count what a reader of the source meets, and hold the counts: `make house`.

`python -m benchmarks.house` prints every ratchet beside the value in `benchmarks/house.json` and
exits with 1 where one has risen; `--write` keeps the new values where they have fallen. What no
program can count (files edited by the eight change requests, minutes of `make test`) is written
into that file by hand, with the date it was measured.
"""

import ast
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "tamis"
RATCHETS = Path(__file__).with_suffix(".json")
MIN_SHORT_LINES = 5  # a helper of so many lines with one caller is better where it is used


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


def count_source(folder: Path) -> dict[str, int]:
    """Count what stands in the source."""
    trees = parsed(folder)
    functions = [f for f in nodes(trees, ast.FunctionDef) if isinstance(f, ast.FunctionDef)]
    classes = {c.name for c in nodes(trees, ast.ClassDef) if isinstance(c, ast.ClassDef)}
    once = _referenced_once(trees, functions)
    importers = Counter(other for asked in imports_of(trees, folder).values() for other in asked)
    return {
        "lines": _count_lines(folder, "*.py"),
        "modules": len(trees),
        "modules with one importer": sum(number == 1 for number in importers.values()),
        "classes": len(classes),
        "functions referenced once": len(once),
        "of these with five lines or fewer": sum(body_lines(f) <= MIN_SHORT_LINES for f in once),
        "isinstance on own types": sum(_asks_own_type(n, classes) for n in nodes(trees, ast.Call)),
        "lines of JavaScript": _count_lines(folder, "*.js"),
    }


def _count_lines(folder: Path, pattern: str) -> int:
    return sum(path.read_text().count("\n") for path in folder.rglob(pattern))


def _referenced_once(
    trees: dict[Path, ast.Module], functions: list[ast.FunctionDef]
) -> list[ast.FunctionDef]:
    """Give the functions of a name of their own that one place in the source uses."""
    used = Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes(trees, ast.Name, ast.Attribute)
        if isinstance(node, ast.Name | ast.Attribute)
    )
    named = Counter(function.name for function in functions)
    return [f for f in functions if named[f.name] == 1 and used[f.name] == 1]


def _asks_own_type(call: ast.AST, classes: set[str]) -> bool:
    assert isinstance(call, ast.Call)
    if not (isinstance(call.func, ast.Name) and call.func.id == "isinstance"):
        return False
    return any(
        isinstance(node, ast.Name | ast.Attribute)
        and (node.id if isinstance(node, ast.Name) else node.attr) in classes
        for node in ast.walk(call.args[1])
    )


# Runs one call in a fresh interpreter and prints which own modules ran, which own types were seen
# (as `self`, made or asked) and how many own modules were loaded.
_WALK = """
import sys, json, io, contextlib
import numpy as np, pandas as pd, sklearn.base, scipy.linalg
rng = np.random.default_rng(0)
base = rng.normal(size=(200, 5))
X = np.column_stack([base, base @ rng.normal(size=(5, 7)) + 0.2 * rng.normal(size=(200, 7))])
frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(12)])
frame.to_csv("table.csv", index=False)
modules, types = set(), set()
def watch(event_frame, event, value):
    code = event_frame.f_code
    name = event_frame.f_globals.get("__name__", "")
    optimised = code.co_flags & 1  # bodies of modules and classes are not: an import runs them
    if event != "call" or not name.startswith("tamis") or not optimised:
        return
    if code.co_filename != "<string>" and not code.co_name.startswith("<"):
        modules.add(name)
    kind = type(event_frame.f_locals.get("self"))
    if kind.__module__.startswith("tamis"):
        types.add(kind)
sys.setprofile(watch)
with contextlib.redirect_stdout(io.StringIO()):
    try:
        exec(sys.argv[1])
    except SystemExit:
        pass
sys.setprofile(None)
loaded = sum(m == "tamis" or m.startswith("tamis.") for m in sys.modules)
print(json.dumps([len(modules), len(types), loaded]))
"""
_WALKS = {
    "select --report": "from tamis.cli import main;"
    " main(['select', 'table.csv', '-k', '5', '--report', 'out.html'])",
    "select(df, k=5)": "import tamis; tamis.select(frame, k=5)",
    "fit": "from tamis.selection import SequentialForwardSelection;"
    " SequentialForwardSelection(5).fit(frame)",
}


def count_walks() -> dict[str, int]:
    """Count what three calls on a table of 200 x 12 touch."""
    counts: dict[str, int] = {}
    for name, call in _WALKS.items():
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-c", _WALK, call]
            out = subprocess.run(run, cwd=folder, check=True, capture_output=True, text=True)
        numbers = json.loads(out.stdout)
        for what, number in zip(("modules", "own types", "loaded"), numbers, strict=True):
            counts[f"{name}: {what}"] = number
    return counts


def main(write: bool) -> int:
    """Print all ratchets beside the kept values; give 1 where one has risen."""
    kept = json.loads(RATCHETS.read_text())
    now = {**count_source(SOURCE), **count_walks()}
    risen = [what for what, number in now.items() if number > kept["counted"].get(what, number)]
    for what, number in now.items():
        before = kept["counted"].get(what, number)
        print(f"{what:42}{number:>8,}{before:>10,}{'  RISEN' if what in risen else ''}")
    for what, text in kept["by hand"].items():
        print(f"{what:42}  {text}")
    if write:
        lower = {what: min(n, kept["counted"].get(what, n)) for what, n in now.items()}
        RATCHETS.write_text(json.dumps({**kept, "counted": lower}, indent=2) + "\n")
    if risen:
        print(f"Risen: {', '.join(risen)}. Ratchets may only fall (CONTRIBUTING.md).")
    return int(bool(risen))


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv[1:]))
