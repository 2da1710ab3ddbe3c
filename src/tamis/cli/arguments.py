"""What was asked on the command line, checked before any work is done."""

import atexit
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tamis import registry
from tamis.cli.flags import match_carried, read_lists, read_targets, resolve_files, split_list
from tamis.errors import TamisError
from tamis.memory import limit_memory
from tamis.registry import MEMORY
from tamis.registry.command import LAYOUT, options_at
from tamis.values import dataclass

Files = Any  # a path, several, or a `TableFile`


@dataclass(frozen=True, eq=False)
class Asked:
    """A table, how `command` asked for it, the keywords of the api, and where results go."""

    file: Files
    command: str
    keywords: dict[str, Any]
    memory: int | None
    carry: list[str]
    output: str | None
    report: str | None
    as_json: bool
    open_page: bool
    safe_csv: bool
    stamps: tuple[Any, ...]
    page: dict[str, Any]  # keywords of `report`
    table: Path | None = None  # for the list of columns
    choice: Path | None = None
    plots: tuple[tuple[str, Path], ...] = ()  # the kind and the file of each

    @classmethod
    def of(cls, door: registry.Door, file: Files, command: str, given: dict[str, Any]) -> "Asked":
        """Check what the flags of a command say; those in no table are options of the method."""
        further = _check_further(given, file)
        said = {one.name: given.get(one.name, one.default) for one in options_at(door)}
        own = {n: v for n, v in given.items() if n not in said and v is not None}
        kind: registry.Kind = "extraction" if door == "extract" else "selection"
        if door in ("select", "extract"):
            # A goal and options of a method that is named, before anything heavy is loaded.
            chosen = registry.get(said["method"] or registry.DEFAULT_METHOD, kind)
            named = {} if said["method"] is None else own
            registry.check_options(chosen, named)
            registry.resolve_goal(chosen, said["k"], said["retain"], named)
        file = add_format(file, said)
        output, open_page = said.get("output"), said["open_page"]
        report = said["report"] or (str(temporary_page()) if open_page else None)
        scored = door == "extract" and not said["no_rows"]
        if door == "select" and output and output.lower().endswith(".xlsx"):
            raise TamisError(
                f"-o {shlex.quote(output)}: rows go to .csv, .parquet and the like; "
                f"--table {shlex.quote(output)} writes the list of columns with their reasons."
            )
        stamps = _check_outputs(file, output, report, scored=scored)
        size = MEMORY.check(said.get("memory"))
        with limit_memory(size):
            shared = _gather_shared(door, file, said)
            options = [one for method in registry.methods(kind) for one in method.own_options]
            lists = {one.name for one in options if one.kind == "columns"}
            own |= resolve_files(file, {n: v for n, v in own.items() if n in lists})
            carried = _find_carried(file, said, output)
        if carried:
            shared["exclude"] = [*shared.get("exclude", ()), *carried]
        more = {n: said[n] for n in ("method",) if n in said} | ({"options": own} if own else {})
        return cls(
            file=file,
            command=command,
            keywords={**shared, **more},
            memory=size,
            carry=carried,
            output=output,
            report=report,
            as_json=said["as_json"],
            open_page=open_page,
            safe_csv=said.get("safe_csv", False),
            stamps=stamps,
            **further,
            page={n: not said[f"no_{n}"] for n in ("rows", "gram") if f"no_{n}" in said},
        )


def _gather_shared(door: registry.Door, file: Files, said: Mapping[str, Any]) -> dict[str, Any]:
    known = {one.name: one for one in registry.list_shared(door)}
    given = {name: said[name] for name in known if said[name] not in (None, ())}
    given = {name: value for name, value in given.items() if value != known[name].default}
    lists = {name: value for name, value in given.items() if known[name].kind == "columns"}
    if "y" in given:
        given["y"] = read_targets(file, given["y"])
    values = {n: split_list(value) for n, value in given.items() if known[n].kind == "values"}
    return {**given, **values, **read_lists(file, lists)}


def _find_carried(file: Files, said: Mapping[str, Any], output: str | None) -> list[str]:
    """Find the columns that are only copied; no text goes to a file that holds only numbers."""
    if "carry" not in said:
        return []
    carried = match_carried(file, read_lists(file, {"carry": said["carry"]})["carry"])
    if not carried or output is None or Path(output).suffix.lower() != ".npz":
        return carried
    from tamis.results.output import not_numbers
    from tamis.sources.open import open_source
    from tamis.sources.positions import find_positions

    source = open_source(file, unread={})
    for j in find_positions(source, carried):
        if source.kinds[j] not in ("numeric", "boolean"):
            raise not_numbers(source.names[j])
    return carried


def add_format(file: Files, said: Mapping[str, Any]) -> Files:
    """Add to a file how it is laid out, where that was said."""
    if all(said[one.name] == one.default for one in LAYOUT):
        return file
    from tamis.sources.table_file import TableFile

    given = {one.name: said[one.name] for one in LAYOUT if one.name != "no_header"}
    header = False if said["no_header"] else None
    return TableFile(file, **{**given, "header": header, "skip_lines": _lines(said["skip_lines"])})


def _lines(text: str | None) -> Any:
    """Read the numbers of lines; what is none is refused where they are used."""
    if text is None or text in ("auto", "none"):
        return text or "auto"
    parts = [part.strip() for part in text.split(",")]
    return tuple(int(part) if part.isdecimal() else part for part in parts)


def check_checkpoint(path: str | None, files: Files) -> None:
    """Refuse the file of a checkpoint that cannot be written, before any work is done."""
    if path is None:
        return
    from tamis.results.output import check_output
    from tamis.sources.parts import look_at_files

    check_output(Path(path), (".tamis",), list(look_at_files(files)))


def _check_outputs(
    file: Files, output: str | None, report: str | None, *, scored: bool
) -> tuple[Any, ...]:
    if not output and not report:
        return ()
    from tamis.results.output import PAGES, TABLES, check_output
    from tamis.sources.parts import look_at_files

    rows = output or (report if scored else None)  # the report of an extraction plots rows
    if rows and isinstance(file, str) and Path(file).suffix.lower() == ".tamis":
        raise TamisError(
            f"{'-o' if output else '--report'} {shlex.quote(rows)}: {Path(str(file)).name} is a "
            "summary and has no rows; omit it, or give the table itself."
        )
    if output == "-" and sys.stdout is None:
        raise TamisError("-o -: standard output is closed, give a file instead.")
    states = look_at_files(file)
    sources = list(states)
    if output and output != "-":
        check_output(Path(output), TABLES, sources)
    if report:
        check_output(Path(report), PAGES, sources)
    return tuple(states.items())


def _check_further(given: Mapping[str, Any], files: Files) -> dict[str, Any]:
    """Refuse what cannot be written beside the output, and two things in one file."""
    table = Path(given["table"]) if given.get("table") else None
    choice = Path(given["save"]) if given.get("save") else None
    plots = tuple(map(_kind_and_path, given.get("plots", ())))
    if not (table or choice or plots):
        return {}
    from tamis.results.output import FRAMES, PLOT_SUFFIXES, check_output, check_packages
    from tamis.sources.parts import look_at_files

    sources = list(look_at_files(files))
    wanted: list[tuple[Path, tuple[str, ...]]] = []
    wanted += [(table, FRAMES)] if table else []
    wanted += [(choice, (".tamis",))] if choice else []
    wanted += [(path, PLOT_SUFFIXES) for _, path in plots]
    for path, suffixes in wanted:
        check_output(path, suffixes, sources)
        check_packages(path)
    taken = {Path(given["output"]).resolve()} if given.get("output") else set()
    for path, _ in wanted:
        if path.resolve() in taken:
            raise TamisError(f"Cannot write '{path}' twice: give each output another name.")
        taken.add(path.resolve())
    return {"table": table, "choice": choice, "plots": plots}


_PLOT_KINDS = ("curve", "fate", "map")


def _kind_and_path(text: str) -> tuple[str, Path]:
    """Separate the kind of picture from the file; one letter and a colon are a drive.

    >>> _kind_and_path("fate:a.svg") == ("fate", Path("a.svg")), _kind_and_path("b.svg")[0]
    (True, 'curve')
    """
    kind, mark, rest = text.partition(":")
    if not mark or len(kind) < 2 or "/" in kind:
        return "curve", Path(text)
    if kind not in _PLOT_KINDS:
        from tamis.registry import nearest

        raise TamisError(f"--plot {text}: there is no plot {kind!r}{nearest(kind, _PLOT_KINDS)}")
    return kind, Path(rest)


_PAGE_PREFIX = "tamis-page-"
_KEPT_SECONDS = 24 * 3600  # a browser may load the page again, but not after a day


def temporary_page() -> Path:
    """Make a folder for a page and give the page's path; folders of earlier days are deleted.

    If no page is written, the folder goes with the process.
    """
    try:
        _delete_old(Path(tempfile.gettempdir()))
        folder = Path(tempfile.mkdtemp(prefix=_PAGE_PREFIX))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TamisError(
            f"--open: there is no temporary folder for the page ({reason}), name it with --report."
        ) from error
    atexit.register(_delete_empty, folder)
    return folder / "report.html"


def _delete_old(place: Path) -> None:
    """Delete what an earlier `--open` of this user left: real folders of theirs, not links."""
    for folder in place.glob(f"{_PAGE_PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
            if mine and time.time() - found.st_mtime > _KEPT_SECONDS:
                shutil.rmtree(folder)  # which refuses a link


def _delete_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
