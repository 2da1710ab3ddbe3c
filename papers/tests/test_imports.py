"""The papers use what tamis offers to everybody, which shows that this is enough."""

import ast
from pathlib import Path

import pytest

PUBLIC = {"tamis", "tamis.errors", "tamis.evaluation", "tamis.pictures", "tamis.progress"}
SOURCE = Path(__file__).parents[1] / "src" / "tamis_papers"


def imported(code: str) -> set[str]:
    """Give the modules of tamis that code imports, at the top or inside of functions.

    `from tamis import thing` may name a module: it counts as one unless `tamis.__all__` has it.
    """
    import tamis

    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names} - set(tamis.__all__)
            found |= {f"tamis.{name}" for name in names if node.module == "tamis"}
            found.add(str(node.module))
    return {name for name in found if name.split(".")[0] == "tamis"}


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: path.stem)
def test_only_public_modules_of_tamis_are_imported(path):
    assert imported(path.read_text(encoding="utf-8")) <= PUBLIC


@pytest.mark.parametrize(
    "line",
    [
        "import tamis.run.request",
        "from tamis.sources.arrays import ArraySource",
        "from tamis import registry",
        "def f():\n    from tamis.evaluation.neighbour_agreement import pair_agreement",
    ],
)
def test_a_private_import_is_found(line):
    assert not imported(line) <= PUBLIC
