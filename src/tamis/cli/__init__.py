"""The `tamis` command."""

import sys

from tamis.errors import TamisError


def main(arguments: list[str] | None = None) -> None:
    """Run the command, print one sentence when it cannot, and set the exit code."""
    import click

    from tamis.cli.commands import tamis

    try:
        tamis.main(args=arguments, prog_name="tamis", standalone_mode=False)
    except TamisError as error:
        _stop(str(error), 2)
    except click.ClickException as error:
        _stop(f"{error.format_message()} ('tamis --help' lists what there is.)", 2)
    except (KeyboardInterrupt, click.exceptions.Abort):
        _stop("Stopped.", 130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except MemoryError:
        _stop("Not enough memory: choose fewer columns with --columns or --exclude.", 2)


def _stop(sentence: str, code: int) -> None:
    sys.stderr.write(f"tamis: {sentence}\n")
    sys.exit(code)
