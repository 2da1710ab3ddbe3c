"""Commands are listed by their sentences and imported when they are called."""

import subprocess
import sys
from typing import Any

import click
import pytest

from tamis.cli.commands import DeferredCommand
from tamis.cli.commands import tamis as group


@pytest.mark.parametrize("name", group.commands)
def test_the_sentence_in_the_list_is_the_first_of_the_help_of_the_command(name: str) -> None:
    listed = group.commands[name]
    assert isinstance(listed, DeferredCommand)
    itself = listed.load()
    assert itself.name == name
    assert type(itself) is not DeferredCommand
    # What the list shows is cut at the width of the screen: it is compared before.
    first = str(itself.help).split("\n\n", maxsplit=1)[0]
    assert " ".join(first.split()) == str(listed.help).split("\n\n", maxsplit=1)[0]
    assert listed.get_short_help_str(60) == itself.get_short_help_str(60)


def test_a_command_reads_its_own_arguments(run: Any) -> None:
    assert "--retain" in run("select", "--help").out
    seen = run("demo", "--reprt", "a.html")
    assert (seen.code, seen.out) == (2, "")
    assert "tamis demo --help" in seen.err
    assert isinstance(group.commands["demo"].make_context("demo", []).command, click.Command)


def test_help_imports_no_command_and_not_the_tables_of_methods_and_options() -> None:
    script = (
        "import sys\nfrom tamis.cli import main\ntry:\n    main(['--help'])\n"
        "except SystemExit: pass\nprint(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "tamis.cli.commands" in loaded
    assert not loaded & {"tamis.registry", *(f"tamis.cli.{name}" for name in group.commands)}
