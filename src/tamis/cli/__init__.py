"""The `tamis` command."""

import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn, TextIO

from tamis.errors import TamisError, escape_controls


def main(arguments: list[str] | None = None) -> None:
    """Run the command, print one sentence when it cannot, and set the exit code."""
    try:
        with end_by_signals(last=arguments is None):
            _run(sys.argv[1:] if arguments is None else arguments)
            if sys.stdout is not None:
                sys.stdout.flush()  # what cannot be written is said now, not as Python ends
    except TamisError as error:
        _stop(str(error), 2)
    except Ended as error:
        _stop("Stopped.", 128 + error.number)
    except KeyboardInterrupt:
        _stop("Stopped.", 130)
    except BrokenPipeError:
        silence(sys.stdout, sys.stderr)
        sys.exit(141)
    except OSError as error:
        _stop(_describe_refusal(error), 2)
    except MemoryError:
        _stop("Not enough memory: choose fewer columns with --columns or --exclude.", 2)
    except Exception as error:
        code = _code_of_signal(error)
        if code is None:
            raise
        _stop("Stopped.", code)


def _code_of_signal(error: BaseException | None) -> int | None:
    """Give the exit code if a signal is behind an error: one that comes while a lock is taken."""
    while error is not None:
        if isinstance(error, Ended):
            return 128 + error.number
        if isinstance(error, KeyboardInterrupt):
            return 130
        error = error.__context__
    return None


def _run(arguments: list[str]) -> None:
    import click

    from tamis.cli.commands import tamis
    from tamis.errors import use_spelling
    from tamis.sources.shared_passes import share_passes

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name the terminal has no letters for
    try:
        with (
            _print_warnings(),
            use_spelling(_spell_flag),
            share_passes(),
            tamis.make_context("tamis", list(arguments), obj=arguments) as here,
        ):
            tamis.invoke(here)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "tamis"
        sentence = error.format_message().rstrip(".")
        if isinstance(error, click.NoSuchOption) and context is not None:
            sentence = _name_option(error.option_name, context.command.params) or sentence
        raise TamisError(f"{sentence} (see `{command} --help`).") from error


def _name_option(asked: str, there: Sequence[Any]) -> str | None:
    """Say that there is no such flag, and which is meant where others call ours so."""
    from tamis.registry import suggest_option

    flags = {str(one.name): max(one.opts, key=len) for one in there}
    hint = suggest_option(asked.removeprefix("--"), flags)
    meant = next(
        (flag for name, flag in flags.items() if hint == f": did you mean {name!r}?"), None
    )
    return None if meant is None else f"No such option {asked!r}: did you mean {meant!r}?"


def _spell_flag(name: str, value: Any) -> str:
    """Spell an option as a flag; the table of all of them is loaded for that alone."""
    from tamis.registry.command import as_flag

    return as_flag(name, value)


@contextmanager
def _print_warnings() -> Iterator[None]:
    """Write every warning of ours once, as one line, instead of the place it comes from."""
    with warnings.catch_warnings():
        usual, said = warnings.showwarning, set[str]()

        def say(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
            if category is not UserWarning:
                usual(message, category, *place, **more)
            elif str(message) not in said:
                said.add(str(message))
                sys.stderr.write(f"tamis: warning: {escape_controls(str(message))}\n")

        warnings.filterwarnings("always", category=UserWarning, module=r"tamis\.")
        warnings.showwarning = say
        yield


def _describe_refusal(error: OSError) -> str:
    """Say what the system refused; only a file has a name."""
    reason = (error.strerror or str(error)).lower()
    if error.filename is not None:
        return f"Cannot use {str(error.filename)!r}: {reason}."
    silence(sys.stdout)
    return f"Cannot write to standard output, or to the temporary folder: {reason}."


def _stop(sentence: str, code: int) -> NoReturn:
    if sys.stderr is not None:
        # On a terminal, ^C stands at the start of the line.
        start = "\n" if code == 130 and sys.stderr.isatty() else ""
        try:
            sys.stderr.write(f"{start}tamis: {sentence}\n")
            sys.stderr.flush()
        except OSError:  # nobody can be told; the exit code still can
            silence(sys.stderr)
    sys.exit(code)


_SIGNAL_NAMES = ("SIGTERM", "SIGHUP")  # the second where a terminal is closed; not on every system


class Ended(KeyboardInterrupt):
    """The system asks the command to end: as at Ctrl-C, all that was begun is cleaned up."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def end_by_signals(*, last: bool = False) -> Iterator[None]:
    """Raise `Ended` when a signal asks the process to end, while the block runs.

    A signal that was ignored on purpose (`nohup`) stays so. After the `last` block of a process
    there is only cleaning up left, which is not stopped half-way.
    """
    changed = {}
    if threading.current_thread() is threading.main_thread():
        for number in signal.Signals:
            if number.name in _SIGNAL_NAMES and signal.getsignal(number) == signal.SIG_DFL:
                changed[number] = signal.signal(number, _end)
    try:
        yield
    finally:
        for number, before in changed.items():
            signal.signal(number, signal.SIG_IGN if last else before)
        if last and changed:
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as Python calls it
    raise Ended(number)


def silence(*streams: TextIO | None) -> None:
    """Send what is left in these streams nowhere: Python would complain about it as it ends."""
    for stream in streams:
        if stream is None:
            continue
        with suppress(OSError, ValueError):  # closed, or none of the system's
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
