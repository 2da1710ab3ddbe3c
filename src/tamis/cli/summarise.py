"""`tamis summarise` and `tamis merge`: the summary of one or more tables as a file."""

import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.arguments import add_format, check_checkpoint
from tamis.cli.flags import LISTS, HelpfulCommand, flags_at, read_lists
from tamis.errors import TamisError, escape_controls
from tamis.registry.missing_policy import MISSING_NUMBERS
from tamis.registry.shared import MEMORY

if TYPE_CHECKING:
    from tamis.results.summary import DataSummary


@click.command(cls=HelpfulCommand, epilog=LISTS)
@click.argument("files", nargs=-1, required=True)
@flags_at("summarise")
def summarise(
    files: Sequence[str],
    output: str | None,
    update: str | None,
    columns: Sequence[str],
    exclude: Sequence[str],
    missing: str | None,
    checkpoint: str | None,
    blocks: bool,
    text: bool,
    min_rows: int,
    weights: str | None,
    again: bool,
    no_fingerprints: bool,
    memory: str | None,
    **layout: Any,
) -> None:
    """Write means, variances and correlations of FILES to a summary.

    `tamis select`, `tamis extract` and `tamis merge` take the summary in place of the rows. The
    rows of all files are taken together; their columns must have the same names.
    """
    wanted = _check_asked(files, output, update, checkpoint)
    from tamis.api.summarise import load_summary
    from tamis.api.summarise import summarise as find
    from tamis.presentation.terminal.progress import progress_bar
    from tamis.sources.draft import lock_file

    before = None if update is None else load_summary(update, memory=memory)
    blocks = _check_blocks(before, blocks, checkpoint)
    least = max(min_rows, before.stored.least if before else 1)
    if weights is not None and least > 1:  # which counts the rows that are in the files
        raise TamisError(f"--weights {weights} and --min-rows {least}: give one of them.")
    tables = [add_format(file, layout) for file in files]
    if not again:
        _check_new(tables, before, memory)
    names = read_lists(tables[0], {"columns": columns, "exclude": exclude})
    chosen = names["columns"] if columns else before.names if before else None
    _check_same_columns(tables, chosen, names["exclude"], text=text)
    with progress_bar(label="reading the table"):
        fresh = [
            find(
                table,
                columns=chosen,
                exclude=names["exclude"],
                missing=missing or MISSING_NUMBERS.default,
                checkpoint=checkpoint,
                blocks=blocks,
                text=text or bool(before and before.stored.categories),
                min_rows=least if checkpoint else 1,
                memory=memory,
                weights=weights,
            )
            for table in tables
        ]
    # Others may have updated the file meanwhile: what counts is what it holds now.
    with nullcontext() if update is None else lock_file(Path(update)):
        now = [] if update is None else [load_summary(update, memory=memory)]
        whole = merge_all([*now, *fresh], again)
        keep(whole, wanted, min_rows, fingerprints=not no_fingerprints)


def _check_asked(
    files: Sequence[str], output: str | None, update: str | None, checkpoint: str | None
) -> str:
    """Refuse what cannot be done, before any work; give the file to write."""
    if (output is None) == (update is None):
        raise TamisError("Give -o for a new summary or --update for one to add to, and not both.")
    wanted = str(output or update)
    for file in files:
        check_target(wanted, file)
    if checkpoint and len(files) > 1:
        raise TamisError("--checkpoint is for one FILE: summarise each, and merge the summaries.")
    check_checkpoint(checkpoint, list(files))
    if checkpoint and Path(checkpoint).resolve() == Path(wanted).resolve():
        raise TamisError(f"Cannot write '{wanted}' twice: give --checkpoint another name.")
    return wanted


def _check_blocks(before: "DataSummary | None", blocks: bool, checkpoint: str | None) -> bool:
    """Say whether blocks are needed: always where the summary that is updated has some."""
    if before is None:
        return blocks
    if blocks and before.n_blocks == 1:
        raise TamisError(
            f"--blocks: {before.label} has no blocks of rows, and its rows cannot be put into any; "
            "omit the flag, or summarise all files again with -o."
        )
    if before.n_blocks > 1 and checkpoint:
        raise TamisError(
            f"--checkpoint keeps no blocks of rows, and {before.label} has some: omit the flag."
        )
    return before.n_blocks > 1


def _check_new(tables: Sequence[Any], before: "DataSummary | None", memory: str | None) -> None:
    if before is None and len(tables) == 1:
        return
    from tamis.memory import limit_memory
    from tamis.sources.files import hash_files
    from tamis.sources.open import open_source

    place = "an earlier FILE" if before is None else before.label
    known = set() if before is None else set(before.stored.inputs)
    for table in tables:
        with limit_memory(MEMORY.check(memory)):
            source = open_source(table)
        found = set(hash_files(source))
        if found & known:
            rows = "rows" if found <= known else "some of the rows"
            raise TamisError(
                f"{source.label}: {place} has {rows} of it already, so nothing is written; omit "
                "it, or insist with --again."
            )
        known |= found


def merge_all(summaries: Sequence["DataSummary"], again: bool) -> "DataSummary":
    """Merge summaries, and say what the result has no longer."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        whole = reduce(lambda one, other: one.merge(other, again=again), summaries)
    for sentence in dict.fromkeys(str(one.message) for one in said):
        click.echo(f"tamis: {escape_controls(sentence)}", err=True)
    return whole


def _check_same_columns(
    tables: Sequence[Any], columns: Any, exclude: Sequence[str], *, text: bool
) -> None:
    if len(tables) < 2 or columns is not None:
        return
    from tamis.run.candidates import sort_out_columns
    from tamis.sources.open import open_source
    from tamis.sources.positions import match_columns
    from tamis.sources.source import Source

    def analysed(source: Source) -> set[str]:
        unwanted = match_columns(source, "exclude", exclude)
        usable, _ = sort_out_columns(source, None, unwanted, categories=text, least=1)
        return {source.names[j] for j in usable}

    first, *others = [open_source(table) for table in tables]
    for other in others:
        for has, lacks in ((first, other), (other, first)):
            gone = sorted(analysed(has) - set(lacks.names))
            if gone:
                raise TamisError(
                    f"{lacks.label} has no column {gone[0]!r}, which {has.label} has: give files "
                    "with the same columns, or choose some with --columns."
                )


def check_target(output: str, file: str) -> None:
    """Refuse a summary that cannot be written, before any work is done."""
    from tamis.results.output import check_output

    check_output(Path(output), (".tamis",), [Path(file)])


def keep(summary: "DataSummary", output: str, min_rows: int, *, fingerprints: bool = True) -> None:
    """Write a summary and say what is in it."""
    from tamis.presentation.terminal.answers import summary_text

    shown = summary.limit_blocks(min_rows)
    path = shown.save(output, fingerprints=fingerprints)
    text = summary_text(shown._facts)
    if shown.n_blocks < summary.n_blocks:
        text += (
            f"\nThe {summary.n_blocks} blocks of rows are put together into {shown.n_blocks}, so "
            f"that none shows fewer than {shown.stored.least:,} rows."
        )
    click.echo(f"{text}\n\nWrote {escape_controls(str(path.resolve()))}")


@click.command()
@click.argument("summaries", nargs=-1, required=True)
@flags_at("merge", required=["output"])
def merge(
    summaries: Sequence[str],
    output: str,
    min_rows: int,
    again: bool,
    no_fingerprints: bool,
    memory: str | None,
) -> None:
    """Merge SUMMARIES as if their rows had been in one table.

    Columns are matched by name.
    """
    for file in summaries:
        check_target(output, file)
    from tamis.api.summarise import load_summary

    loaded = [load_summary(path, memory=memory) for path in summaries]
    keep(merge_all(loaded, again), output, min_rows, fingerprints=not no_fingerprints)
