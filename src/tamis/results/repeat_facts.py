"""The command and the Python line that give another number of columns of the same table."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tamis.evaluation.record import Record
from tamis.facts.explorer import PatternFacts
from tamis.presentation.flags import as_flag
from tamis.registry.command import options_at
from tamis.registry.missing_options import MISSING
from tamis.results.call_words import list_repeats

__all__ = ["command_for", "repeat_patterns"]

_NUMBER_HOLDER = 987_654_321  # stands for the number of columns until the page puts one in
_GOALS = ("k", "retain")


def repeat_patterns(request: Record, verb: str = "select", **beside: Any) -> PatternFacts:
    """Give both with `{k}` where the number of columns stands, and `{more}` where options follow.

    Where no command was given, one is written if the table came from a single path.
    """
    asked = replace(request, k=_NUMBER_HOLDER, retain=None)
    call = list_repeats(asked, verb, **beside).python
    command = request.command or ""
    if not command.startswith("tamis select "):  # the demo and scores take no number of columns
        command = ""
    if not command and isinstance(request.origin, str) and not beside:
        command = " ".join(["tamis select", shlex.quote(request.origin), *_flags(request)])
    return PatternFacts(
        command=command_for(command) if command else "",
        python=_escape_braces(call[:-1]).replace(str(_NUMBER_HOLDER), "{k}") + "{more})",
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
    """Write what was asked, but for the number of columns, as flags."""
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
