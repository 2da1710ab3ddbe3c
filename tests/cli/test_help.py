"""Help: one screen for every day, everything on request."""

from typing import Any

import pytest

from tamis import registry

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
def test_all_options_but_those_of_methods_are_shown_on_request(verb: str, run: Any) -> None:
    short, full = run(verb, "--help").out, run(verb, "--help-all").out
    assert len(full) > len(short)
    assert "--checkpoint FILE" not in short
    assert ("--checkpoint FILE" in full) == (verb in ("select", "summarise", "compare"))
    assert "--norm" not in full
    assert "FILE...\n" not in full.partition("\n")[2]


def test_every_option_is_in_some_help(run: Any) -> None:
    from tamis.cli.select import select

    own = {option.name for method in registry.methods() for option in method.taken}
    full = run("select", "--help-all").out
    for option in select.params:
        if option.name not in own and option.param_type_name == "option":
            assert option.opts[-1] in full
