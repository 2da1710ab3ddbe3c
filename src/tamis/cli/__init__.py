"""The `tamis` command."""

import io
import sys
from typing import NoReturn

from tamis.errors import TamisError


def main(arguments: list[str] | None = None) -> None:
    """Run the command, print one sentence when it cannot, and set the exit code."""
    try:
        _run(sys.argv[1:] if arguments is None else arguments)
    except TamisError as error:
        _stop(str(error), 2)
    except KeyboardInterrupt:
        _stop("Stopped.", 130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except MemoryError:
        _stop("Not enough memory: choose fewer columns with --columns or --exclude.", 2)


def _run(arguments: list[str]) -> None:
    import click

    from tamis.cli.commands import tamis
    from tamis.errors import spelling
    from tamis.presentation.flags import as_flag

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name the terminal has no letters for
    try:
        with spelling(as_flag), tamis.make_context("tamis", list(arguments), obj=arguments) as here:
            tamis.invoke(here)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "tamis"
        sentence = error.format_message().rstrip(".")
        raise TamisError(f"{sentence} (see `{command} --help`).") from error


def _stop(sentence: str, code: int) -> NoReturn:
    # On a terminal, ^C stands at the start of the line.
    start = "\n" if code == 130 and sys.stderr.isatty() else ""
    sys.stderr.write(f"{start}tamis: {sentence}\n")
    sys.exit(code)
