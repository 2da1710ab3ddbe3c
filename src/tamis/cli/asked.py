"""What was asked on the command line, checked before any work is done."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tamis import registry
from tamis.cli.lists import carried_columns, named_columns, resolved
from tamis.cli.opened import temporary_page
from tamis.errors import TamisError
from tamis.memory import limited
from tamis.registry import MEMORY

__all__ = ["Asked", "Files", "check_checkpoint", "check_listing", "formatted", "is_summary"]

Files = Any  # a path, several, or a `TableFile`


@dataclass(frozen=True, eq=False)
class Asked:
    """A table, how `command` asked for it, the keywords of the api, and where results go."""

    file: Files
    command: str
    keywords: dict[str, Any]
    carry: list[str]
    output: str | None
    report: str | None
    as_json: bool
    stamps: tuple[Any, ...] = ()
    open_page: bool = False
    safe_csv: bool = False
    page: dict[str, Any] = field(default_factory=dict)  # keywords of `report`

    @classmethod
    def of(
        cls,
        kind: registry.Kind,
        file: Files,
        command: str,
        /,
        *,
        method: str | None,
        k: Any = None,
        retain: Any = None,
        output: str | None = None,
        report: str | None = None,
        safe_csv: bool = False,
        as_json: bool = False,
        open_page: bool = False,
        columns: Sequence[str] = (),
        exclude: Sequence[str] = (),
        carry: Sequence[str] = (),
        include: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        numbers: Sequence[str] | None = None,
        missing: str | None = None,
        scale: bool | None = None,
        target: str | None = None,
        memory: str | None = None,
        skip_corrupt: bool = False,
        delimiter: str | None = None,
        no_header: bool = False,
        sheet: str | None = None,
        plots_rows: bool = True,
        **own: Any,
    ) -> "Asked":
        """Check what the shared flags say; what is left over are options of the method."""
        own = {name: value for name, value in own.items() if value is not None}
        _check_goal(kind, method, k, retain, own)
        file = formatted(file, delimiter, no_header, sheet)
        report = report or (str(temporary_page()) if open_page else None)
        stamps = _check_outputs(file, output, report, scored=kind == "extraction" and plots_rows)
        lists = {"columns": columns, "exclude": exclude, "carry": carry}
        more = {"include": include, "categories": categories, "numbers": numbers}
        lists |= {name: given for name, given in more.items() if given is not None}
        size = MEMORY.check(memory)
        with limited(size):
            names = named_columns(file, lists)
            own |= resolved(file, {n: v for n, v in own.items() if _names_columns(kind, n)})
            carried = carried_columns(file, names.pop("carry"))
            _check_carried(file, carried, output)
        keywords = {
            **names,
            "k": k,
            "method": method,
            "retain": retain,
            "columns": names["columns"] if columns else None,
            "exclude": names["exclude"] + carried,
            "scale": scale,
            "y": target,
            **({} if missing is None else {"missing": missing}),
            "memory": size,
            "skip_corrupt": skip_corrupt,
            "options": own,
        }
        goes = (output, report, as_json, stamps, open_page, safe_csv)
        return cls(file, command, keywords, carried, *goes)


def _check_goal(
    kind: registry.Kind, method: str | None, k: Any, retain: Any, own: dict[str, Any]
) -> None:
    """Refuse at once what the run would: a goal, and the options of a method that is named.

    Where none is named, the table chooses one first.
    """
    chosen = registry.get(method or registry.DEFAULT_METHOD, kind)
    if method is not None:
        registry.check_options(chosen, own)
    registry.resolve_goal(chosen, k, retain, {} if method is None else own)


def _names_columns(kind: registry.Kind, name: str) -> bool:
    """Whether an option that some method has is a list of columns."""
    return any(method.names_columns(name) for method in registry.methods(kind))


def _check_carried(file: Files, carry: Sequence[str], output: str | None) -> None:
    """Refuse to copy text to a file that holds only numbers, before any work is done."""
    if not carry or output is None or Path(output).suffix.lower() != ".npz":
        return
    from tamis.results.output import not_numbers
    from tamis.sources.source import open_source, positions

    source = open_source(file, unread={})
    for j in positions(source, carry):
        if source.kinds[j] not in ("numeric", "boolean"):
            raise not_numbers(source.names[j])


def check_listing(quiet: bool, as_json: Any) -> None:
    """Refuse two forms of the answer; how much of a text is shown has no say beside `--quiet`."""
    if quiet and as_json:
        raise TamisError("Give --quiet or --json, not both: each decides what is printed.")


def formatted(file: Files, delimiter: str | None, no_header: bool, sheet: str | None) -> Files:
    """Add to a file how it is written, where that was said."""
    if delimiter is None and not no_header and sheet is None:
        return file
    from tamis.sources.table_file import TableFile

    return TableFile(file, delimiter=delimiter, header=not no_header, sheet=sheet)


def is_summary(file: Files) -> bool:
    """Whether a file holds a summary, by its name."""
    return isinstance(file, str) and Path(file).suffix.lower() == ".tamis"


def check_checkpoint(path: str | None, files: Files) -> None:
    """Refuse the file of a checkpoint that cannot be written, before any work is done."""
    if path is None:
        return
    from tamis.results.output import check_output
    from tamis.sources.parts import stamps_of

    check_output(Path(path), (".tamis",), [stamp.path for stamp in stamps_of(files)])


def _check_outputs(
    file: Files, output: str | None, report: str | None, *, scored: bool
) -> tuple[Any, ...]:
    """Refuse what cannot be written, before any work; give the files, to see if they change."""
    if not output and not report:
        return ()
    from tamis.results.output import PAGES, TABLES, check_output
    from tamis.sources.parts import stamps_of

    rows = output or (report if scored else None)  # the report of an extraction plots rows
    if rows and is_summary(file):
        raise TamisError(
            f"{'-o' if output else '--report'} {shlex.quote(rows)}: {Path(str(file)).name} is a "
            "summary and has no rows; omit it, or give the table itself."
        )
    if output == "-" and sys.stdout is None:
        raise TamisError("-o -: standard output is closed, give a file instead.")
    stamps = stamps_of(file)
    sources = [stamp.path for stamp in stamps]
    if output and output != "-":
        check_output(Path(output), TABLES, sources)
    if report:
        check_output(Path(report), PAGES, sources)
    return stamps
