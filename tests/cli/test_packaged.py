"""Commands of other packages: listed without being loaded, found when they are called."""

from importlib.metadata import EntryPoint, EntryPoints

import click
import pytest

from tamis.cli.commands import GROUP


@click.command()
@click.option("--times", type=int, default=1)
def echo(times: int) -> None:
    """Stand in for the command of another package."""
    click.echo("found " * times)


@pytest.fixture
def entries(monkeypatch):
    """Let these be the commands that installed packages offer."""

    def put(*targets: str) -> list[dict[str, str]]:
        asked: list[dict[str, str]] = []
        found = EntryPoints(EntryPoint("reproduce", target, GROUP) for target in targets)

        def look(**wanted: str) -> EntryPoints:
            asked.append(wanted)
            return found

        monkeypatch.setattr("importlib.metadata.entry_points", look)
        return asked

    return put


def test_the_command_of_the_package_runs_with_its_own_options(run, entries):
    asked = entries("tests.cli.test_packaged:echo")
    seen = run("reproduce", "--times", "2")
    assert (seen.code, seen.out.split()) == (0, ["found", "found"])
    assert asked == [{"group": GROUP, "name": "reproduce"}]
    seen = run("reproduce", "--time", "2")
    assert seen.code == 2
    assert "tamis reproduce --help" in seen.err


@pytest.mark.parametrize("arguments", [[], ["all"], ["--help"], ["--list"]])
@pytest.mark.parametrize("targets", [[], ["no_such_package.command:reproduce"]])
def test_without_the_package_one_sentence_says_how_to_install_it(run, entries, targets, arguments):
    entries(*targets)
    seen = run("reproduce", *arguments)
    assert (seen.code, seen.out) == (2, "")
    assert seen.err.count("\n") == 1
    assert "pip install tamis-papers" in seen.err


def test_the_list_of_commands_names_it_without_looking_for_it(run, entries):
    asked = entries()
    assert "reproduce" in run("--help").out
    assert run("methods").code == 0
    assert asked == []
