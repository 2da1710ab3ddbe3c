"""What was asked, as a table of options and as a call that repeats it."""

import platform
from typing import Any

import numpy as np

from tamis.evaluation.record import Record
from tamis.facts.shared_answer import RepeatFacts
from tamis.versions import version_of


def list_options(request: Record) -> tuple[tuple[str, str], ...]:
    """List the options in force, in words."""
    return describe_options({n: v for n, v in _gather_options(request).items() if n != "method"})


def list_repeats(request: Record, verb: str, **beside: Any) -> RepeatFacts:
    """Give the ways to repeat it: the command if there was one, the Python call, the versions.

    `beside` are arrays that were given beside the table; they are written as their names.
    """
    return list_ways(request, _call(request, verb, beside))


def list_ways(request: Record, call: str) -> RepeatFacts:
    """Give the command if there was one, the Python call, the versions."""
    packages = ("tamis", "numpy", "scipy")
    versions = {name: version_of(name) for name in packages}
    python = {"python": platform.python_version()}
    return RepeatFacts(request.command or "", call, python | versions)


def plain_call(request: Record, verb: str, asked: dict[str, Any]) -> str:
    """Write a call of a function with these keywords."""
    text = "".join(f", {name}={_write_option(name, value)}" for name, value in asked.items())
    return f"tamis.{verb}({_table(request)}{text})"


def describe_options(asked: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """List options in words."""
    return tuple((name, _describe_value(value)) for name, value in asked.items())


def _gather_options(request: Record) -> dict[str, Any]:
    goals = {"k": request.k, "retain": request.retain, **request.settings}
    return {"method": request.method.id, **{n: v for n, v in goals.items() if v is not None}}


def _call(request: Record, verb: str, beside: dict[str, Any]) -> str:
    keywords = {"policy", "redundancy", "forbid", "costs"}
    own = {option.name for option in request.method.taken} - keywords
    asked = {**beside, **_gather_options(request)}
    common = [f"{name}={_write_option(name, asked[name])}" for name in asked if name not in own]
    inner = ", ".join(
        f"{name!r}: {_write_option(name, asked[name])}" for name in asked if name in own
    )
    text = ", ".join([*common, *([f"options={{{inner}}}"] if inner else [])])
    return f"tamis.{verb}({_table(request)}, {text})"


def _table(request: Record) -> str:
    return "table" if request.origin is None else repr(request.origin)


def _describe_value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value) or "none"
    if isinstance(value, dict):
        shown = [
            (name, _describe_value(v) if isinstance(v, list) else f"{v:g}")
            for name, v in value.items()
        ]
        return ", ".join(f"{name}: {text}" for name, text in shown) or "none"
    if _is_thing(value):
        return _stand_in("", value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _write_option(name: str, value: Any) -> str:
    return _stand_in(name, value) if _is_thing(value) else repr(value)


def _is_thing(value: Any) -> bool:
    return callable(value) or hasattr(value, "shape")


def _stand_in(name: str, value: Any) -> str:
    """Write a function by its name and an array by the name of its option."""
    if callable(value):
        return getattr(value, "__name__", None) or name or "a function"
    return name or f"an array of {' x '.join(map(str, np.shape(value)))} values"
