"""Help: one screen for every day, everything on request."""

import re
from typing import Any

import pytest

VERBS = ["select", "extract", "compare", "score", "summarise"]


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("verb", VERBS)
def test_help_fits_one_screen_and_says_where_the_rest_is(verb: str, run: Any) -> None:
    lines = run(verb, "--help").out.splitlines()
    assert len(lines) <= 45
    assert any(line.startswith(f"All options: tamis {verb} --help-all.") for line in lines)


@pytest.mark.parametrize("verb", VERBS)
def test_more_than_the_usual_options_are_shown_on_request(verb: str, run: Any) -> None:
    short, full = run(verb, "--help").out, run(verb, "--help-all").out
    assert len(full) > len(short)
    assert "--checkpoint FILE" not in short
    assert ("--checkpoint FILE" in full) == (verb in ("select", "summarise", "compare"))
    assert "--norm" not in short
    assert "FILE...\n" not in full.partition("\n")[2]


def test_all_options_of_every_command_are_in_its_full_help(run: Any) -> None:
    from tamis.cli.commands import tamis as command

    for verb, one in command.commands.items():
        found = one.load() if hasattr(one, "load") else one
        full = run(verb, "--help-all").out
        if not full:
            full = run(verb, "--help").out
        flags = re.findall(r"(?<![\w-])--?\w[\w-]*", full)
        for option in found.params:
            if option.param_type_name == "option" and not option.hidden:
                assert {*option.opts, *option.secondary_opts} <= {*flags, "--help-all"}, verb
