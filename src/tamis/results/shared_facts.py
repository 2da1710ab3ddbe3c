"""What is known about every result: the table, the method, what was asked and what repeats it."""

import platform
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.evaluation.outcome import Outcome
from tamis.evaluation.record import Record
from tamis.facts.shared_answer import (
    LabelFacts,
    MethodFacts,
    RepeatFacts,
    SkippedColumn,
    SuspiciousColumn,
    UnreadFacts,
    UnreadPart,
)
from tamis.registry.command import as_flag, options_at
from tamis.registry.missing_policy import MISSING
from tamis.versions import version_of

if TYPE_CHECKING:
    from tamis.evaluation.extraction_outcome import Extracted


def collect_answer(
    found: "Outcome | Extracted",
    verb: str,
    *,
    used: int,
    rows: int,
    labels: LabelFacts | None,
    warnings: tuple[SuspiciousColumn, ...] = (),
    y: Any = None,
) -> dict[str, Any]:
    """Give the fields of `AnswerFacts`; labels `y` that were given beside the table are named."""
    request, method = found.request, found.request.method
    return {
        "title": request.label,
        "method": MethodFacts(method.id, method.name, method.about, method.paper, request.why),
        "missing": found.missing,
        "unread": UnreadFacts(tuple(UnreadPart(*part) for part in request.unread)),
        "doubts": tuple(request.doubts),
        "columns": len(request.names),
        "used": used,
        "rows": rows,
        "skipped": list_skipped(found.skipped),
        "constant": tuple(found.constant),
        "labels": labels,
        "warnings": warnings,
        "options": describe_options(_gather_options(request)),
        "repeat": list_ways(request, _call(request, verb, y)),
    }


def list_skipped(skipped: Mapping[str, str]) -> tuple[SkippedColumn, ...]:
    """List the columns that were not analysed, each with the reason."""
    return tuple(SkippedColumn(name, why) for name, why in skipped.items())


def list_ways(request: Record, call: str) -> RepeatFacts:
    """Give the command if there was one, the Python call, the versions."""
    versions = {name: version_of(name) for name in ("tamis", "numpy", "scipy")}
    return RepeatFacts(
        request.command or "", call, {"python": platform.python_version(), **versions}
    )


def plain_call(request: Record, verb: str, asked: dict[str, Any]) -> str:
    """Write a call of a function with these keywords."""
    text = "".join(f", {name}={_write_option(name, value)}" for name, value in asked.items())
    return f"tamis.{verb}({_table(request)}{text})"


def describe_options(asked: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """List options in words."""
    return tuple((name, _describe_value(value)) for name, value in asked.items())


def _gather_options(request: Record) -> dict[str, Any]:
    goals = {"k": request.k, "retain": request.retain, **request.settings}
    return {name: value for name, value in goals.items() if value is not None}


def _call(request: Record, verb: str, y: Any) -> str:
    keywords = {"policy", "redundancy", "forbid", "costs"}
    own = {option.name for option in request.method.taken} - keywords
    asked = {} if y is None else {"y": y}
    asked |= {"method": request.method.id, **_gather_options(request)}
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
    return _stand_in("", value) or (str(value).lower() if isinstance(value, bool) else str(value))


def _write_option(name: str, value: Any) -> str:
    return _stand_in(name, value) or repr(value)


def _stand_in(name: str, value: Any) -> str:
    """Write a function by its name and an array by the name of its option; nothing of others."""
    if callable(value):
        return getattr(value, "__name__", None) or name or "a function"
    if not hasattr(value, "shape"):
        return ""
    return name or f"an array of {' x '.join(map(str, np.shape(value)))} values"


_NUMBER_HOLDER = 987_654_321  # stands for the number of columns until the page puts one in
_GOALS = ("k", "retain")


def repeat_patterns(request: Record, y: Any = None) -> RepeatFacts:
    """Give both with `{k}` where the number of columns stands, and `{more}` where options follow.

    Where no command was given, one is written if the table came from a single path.
    """
    asked = replace(request, k=_NUMBER_HOLDER, retain=None)
    repeat = list_ways(asked, _call(asked, "select", y))
    command = request.command or ""
    if not command.startswith("tamis select "):  # the demo and scores take no number of columns
        command = ""
    if not command and isinstance(request.origin, str) and y is None:
        command = " ".join(["tamis select", shlex.quote(request.origin), *_flags(request)])
    return replace(
        repeat,
        command=command_for(command) if command else "",
        python=_escape_braces(repeat.python[:-1]).replace(str(_NUMBER_HOLDER), "{k}") + "{more})",
    )


def command_for(command: str, without: Sequence[str] = ()) -> str:
    """Put `{k}` for the goal of a command, and take out the files it writes.

    Flags in `without` are taken out, too.

    >>> command_for("tamis select 'my table.csv' --retain 0.9 -m sfs --report a.html")
    "tamis select 'my table.csv' -m sfs -k {k}{more}"
    """
    known = {flag: option for option in options_at("select") for flag in option.flags}
    kept: list[str] = []
    words = iter(shlex.split(command))
    for word in words:
        flag = word.partition("=")[0]
        option = known.get(flag)
        if flag in without or (
            option is not None and (option.role == "output" or option.name in _GOALS)
        ):
            takes_value = option is None or option.kind != "flag"
            if flag == word and takes_value:
                next(words, None)
        elif not (word.startswith("-k") and word[2:].isdigit()):
            kept.append(word)
    return _escape_braces(shlex.join(kept)) + " -k {k}{more}"


def _flags(request: Record) -> list[str]:
    usual = {
        "scale": request.method.scale,
        "refine": False,
        "missing": MISSING.default,
        "k": "auto",
    }
    usual |= {option.name: option.default for option in request.method.taken}
    flags = [f"--method {request.method.id}"]
    for name, value in request.settings.items():
        if name not in usual or value != usual[name]:
            flags.append(as_flag(name, value))
    return flags


def _escape_braces(text: str) -> str:
    """Keep braces of the text apart from those of the pattern."""
    return text.replace("{", "{{").replace("}", "}}")
