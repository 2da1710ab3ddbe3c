"""Names of a package that are loaded when they are first used."""

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def lazily(
    package: str, modules_of: Mapping[str, str], modules: Collection[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` of a package; `modules_of` are the modules of its names."""

    def find(name: str) -> Any:
        if name in modules_of:
            return getattr(import_module(modules_of[name]), name)
        if name in modules:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules_of, *modules})

    return find, names
