"""A name stands for one thing in the whole package."""

import ast
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "tamis"


def test_no_two_classes_have_the_same_name():
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")]
    names = Counter(n.name for t in trees for n in ast.walk(t) if isinstance(n, ast.ClassDef))
    assert [name for name, count in names.items() if count > 1] == []
