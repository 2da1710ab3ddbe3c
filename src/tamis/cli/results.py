"""Where a result goes: files, standard output, the terminal."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from tamis.cli.arguments import Asked
from tamis.errors import TamisError, escape_controls

_COPIED = "not analysed, copied to the output"


def deliver(
    found: Any, as_text: Callable[[Any], str], asked: Asked, *, quiet: bool = False
) -> None:
    """Bring a result to where it was asked for; the answer first, since files may take long.

    What was written is not listed if the text must be `quiet`.
    """
    from tamis.memory import limit_memory
    from tamis.presentation.prose.about_table import unread_sentence
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.run.candidates import LABELS

    asked = replace(asked, carry=list_carried(found, asked))
    carry, output, report = asked.carry, asked.output, asked.report
    copied = {
        name: _COPIED
        for name in carry
        if output and found.skipped.get(name, LABELS) != LABELS  # these are said to be such
    }
    found = replace(
        found,
        request=replace(found.request, command=asked.command),
        skipped={**found.skipped, **copied},
    )
    err = output == "-"
    with progress_bar(label="explaining the dropped columns"):
        text = json.dumps(found.to_dict(), indent=2) if asked.as_json else as_text(found._facts)
    click.echo(text, err=err)
    unread = unread_sentence(found._facts.unread)
    if quiet and unread:
        click.echo(f"tamis: warning: {escape_controls(unread)}", err=True)
    with limit_memory(asked.memory):
        write_files(found, asked)
        if output == "-":
            write_rows(found, asked)
    written = [Path(path) for path in (output, report) if path and path != "-"]
    written += write_further(found, asked)
    if written and not asked.as_json and not quiet:
        lines = [f"Wrote {escape_controls(str(path.resolve()))}" for path in written]
        click.echo("\n" + "\n".join(lines), err=err)
    if asked.open_page and report:
        open_page(Path(report))
    if quiet and not asked.as_json:  # only names were printed
        for doubt in found._facts.doubts:
            click.echo(escape_controls(doubt), err=True)


def list_carried(found: Any, asked: Asked) -> list[str]:
    """Give the columns to copy to the output: those named, or else all that were not judged.

    These are keys, text where numbers are needed, labels, and what rules the rows.
    """
    from tamis.results import Selection
    from tamis.results.column_positions import list_unjudged
    from tamis.run.candidates import LABELS

    named = asked.carry or asked.output is None or Path(asked.output).suffix.lower() == ".npz"
    if named or not isinstance(found, Selection) or found.reader is None:
        return asked.carry
    request = found.reader.request
    roles = [one for one in (request.row_groups, request.weights) if isinstance(one, str)]
    labels = [str(label) for label, why in found.skipped.items() if why == LABELS]
    beside = [found.request.names[j] for j in list_unjudged(found)]
    return list(dict.fromkeys([*roles, *beside, *labels]))


def open_page(path: Path) -> None:
    """Open a page in the browser, or say that there is none."""
    import webbrowser

    try:
        opened = webbrowser.open(path.resolve().as_uri())
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        click.echo("No browser was found: open the report yourself.", err=True)


def write_files(found: Any, asked: Asked) -> None:
    """Write the table and the report; either both replace what was there or none does."""
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.results.output import write_table
    from tamis.sources.draft import replace_file

    with ExitStack() as drafts:
        if asked.output and asked.output != "-":
            path = Path(asked.output)
            draft = drafts.enter_context(replace_file(path))
            with progress_bar(label="writing the table"):
                suffix = path.suffix.lower()
                write_table(_rows(found, asked), draft, suffix, safe=asked.safe_csv)
        if asked.report:
            with progress_bar(label="writing the report"):
                found.report(asked.report, **asked.page)


def write_rows(found: Any, asked: Asked) -> None:
    """Write the kept columns, or the scores, as CSV to standard output."""
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.results.output import write_stream

    with nullcontext() if sys.stdout.isatty() else progress_bar(label="writing the table"):
        write_stream(_rows(found, asked), sys.stdout.buffer, ".csv", safe=asked.safe_csv)
        sys.stdout.buffer.flush()


def _rows(found: Any, asked: Asked) -> Iterator[Any]:
    """Read the table again: it must still be the one that was analysed."""
    from tamis.progress import track
    from tamis.results import Extraction
    from tamis.run.front import open_like
    from tamis.sources.files import check_unchanged
    from tamis.sources.open import open_source
    from tamis.sources.positions import find_positions

    for path, state in asked.stamps:
        check_unchanged(path, state)
    unread = dict.fromkeys(found.request.unread, "")
    if isinstance(found, Extraction):
        source = open_like(found.judgement, asked.file, asked.carry, unread or None)
        return _scores(found, source, find_positions(source, asked.carry))
    source = open_source(asked.file, exact=asked.carry, unread=unread or None)
    tables = source.tables(find_positions(source, [*asked.carry, *found.names]))
    return track("rows written", tables, source.n_rows, lambda t: t.num_rows, source.meter)


def _scores(found: Any, source: Any, carry: list[int]) -> Iterator[Any]:
    import pyarrow as pa

    from tamis.progress import track

    taken = _make_taker(source.tables(carry)) if carry else None
    batches = source.batches(found.used.tolist())
    meter = source.meter
    for batch in track("rows written", batches, source.n_rows, lambda b: b.shape[0], meter):
        scores = found.score(batch)
        columns = {
            name: pa.array(scores[:, i], from_pandas=True) for i, name in enumerate(found.names)
        }
        beside = taken(len(scores)) if taken else None
        carried = {} if beside is None else {n: beside[n] for n in beside.column_names}
        yield pa.table({**carried, **columns})


def _make_taker(tables: Iterator[Any]) -> Callable[[int], Any]:
    """Give a function that takes the next so many rows off a stream of Arrow tables."""
    import pyarrow as pa

    held: list[Any] = []

    def take(count: int) -> Any:
        while sum(table.num_rows for table in held) < count:
            held.append(next(tables))
        whole = pa.concat_tables(held)
        held[:] = [whole.slice(count)]
        return whole.slice(0, count)

    return take


def check_carried(carry: list[str], names: list[str]) -> None:
    """Refuse a carried column that has the name of a score."""
    for name in carry:
        if name in names:
            raise TamisError(
                f"--carry {name}: the scores have a column of this name, rename yours."
            )


def write_further(found: Any, asked: Asked) -> list[Path]:
    """Write the list of columns, the choice and the plots of a selection; give their paths."""
    if not (asked.table or asked.choice or asked.plots):
        return []
    from tamis.results.output import write_frame, write_plot

    written = []
    if asked.table is not None:
        written.append(write_frame(found.to_frame(), asked.table, safe=asked.safe_csv))
    if asked.choice is not None:
        written.append(found.save(asked.choice))
    return [*written, *(write_plot(found.plot(kind), path) for kind, path in asked.plots)]
