"""A public name stands for one thing in the whole package; a private one may be plain."""

import ast
from pathlib import Path

from benchmarks.house import constants, used_twice


def test_no_two_public_classes_have_the_same_name(trees):
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    names = [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    assert used_twice([name for name in names if not name.startswith("_")]) == []


def test_no_public_constant_has_two_values(trees):
    public = {name: v for name, v in constants(trees).items() if not name.startswith("_")}
    assert {name: values for name, values in public.items() if len(values) > 1} == {}


def test_a_constant_with_two_values_is_seen():
    modules = ["LIMIT = 3", "LIMIT: int = 4", "lower = 1", "_OTHER = 1", "_OTHER = 1"]
    found = constants({Path(str(i)): ast.parse(text) for i, text in enumerate(modules)})
    assert found == {"LIMIT": {"3", "4"}, "_OTHER": {"1"}}
