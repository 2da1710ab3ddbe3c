"""The table of tools: look, select, explain, score, compare, check."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from tamis import registry
from tamis.errors import TamisError
from tamis.presentation.prose.document import describe_document
from tamis.registry.command import MAX_FALL, MIN_SHARE
from tamis.registry.method import FORBID
from tamis.registry.option import Door, OptionKind
from tamis.results.column import Column
from tamis.results.output import PAGES, check_output
from tamis.results.selection import Selection
from tamis.sources.files import NAME, explain_unreadable
from tamis.sources.parts import expand_path
from tamis.values import dataclass

__all__ = [
    "COMPARISON_KEYS",
    "JSON_OF_KIND",
    "LIST_OF_NAMES",
    "SELECTION_KEYS",
    "Document",
    "Tool",
    "ToolServer",
    "describe_brief",
    "describe_options",
    "describe_text",
    "make_tools",
    "shorten",
]

Document = dict[str, Any]

_PYTHON_TYPES: dict[str, type | tuple[type, ...]] = {
    **{"string": str, "boolean": bool, "array": list, "object": dict},
    **{"integer": int, "number": (int, float)},
}


@dataclass(frozen=True, eq=False)
class Tool:
    """One thing that can be asked for: JSON in, JSON out.

    `takes` has the JSON schema of every argument, `required` the names of those that must be
    given, `gives` the schema of the answer, `writes` whether it can write files.
    """

    name: str
    about: str
    takes: Mapping[str, Document]
    run: Callable[..., Document]
    required: tuple[str, ...] = ()
    gives: Document | None = None
    writes: bool = False

    @property
    def input_schema(self) -> Document:
        """The JSON schema of all arguments."""
        return {
            "type": "object",
            "properties": dict(self.takes),
            "required": list(self.required),
            "additionalProperties": False,
        }

    def call(self, given: Mapping[str, Any]) -> Document:
        """Run it; what is null counts as not given."""
        asked = {name: value for name, value in given.items() if value is not None}
        for name in asked:
            if name not in self.takes:
                known = ", ".join(self.takes)
                raise TamisError(f"{self.name} has no argument {name!r}: give some of {known}.")
        for name in self.required:
            if name not in asked:
                about = self.takes[name]["description"]
                raise TamisError(f"{self.name} needs {name!r}: {about}")
        for name, value in asked.items():
            if not _fits(self.takes[name], value):
                kinds = " or ".join(_list_types(self.takes[name]))
                of = "".join(
                    f" of {kind}s" for kind in _list_types(self.takes[name].get("items", {}))
                )
                raise TamisError(
                    f"{self.name} takes {kinds}{of} as {name!r}, not {repr(value)[:80]}: give that."
                )
        return self.run(**asked)


def _list_types(schema: Document) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _fits(schema: Document, value: Any) -> bool:
    """Whether a value is of a type that a schema names; true and false are no numbers."""
    known = [_PYTHON_TYPES[kind] for kind in _list_types(schema)]
    if not known:
        return True
    if isinstance(value, bool):
        return bool in known
    if isinstance(value, float) and not isfinite(value):
        return False
    if isinstance(value, list) and not all(_fits(schema.get("items", {}), one) for one in value):
        return False
    return any(isinstance(value, kind) for kind in known)


LIST_OF_NAMES: Document = {"type": "array", "items": {"type": "string"}}
_TEXT: Document = {"type": "string"}
_NUMBER: Document = {"type": "number"}
_BY_NAME: Document = {"type": "object"}
# What each kind of option is in JSON; its values are checked once more where it is used.
JSON_OF_KIND: dict[OptionKind, Document] = {
    "integer": {"type": "integer"},
    "size": {"type": ["number", "string"]},
    "number": _NUMBER,
    "share": _NUMBER,
    "positive": _NUMBER,
    "amount": _NUMBER,
    "tuned": {"type": ["number", "string"]},
    "flag": {"type": "boolean"},
    "choice": {"type": ["string", "boolean"]},
    "columns": LIST_OF_NAMES,
    "prices": _BY_NAME,
    "weights": _BY_NAME,
    "groups": _BY_NAME,
    "counts": {"type": ["integer", "object"]},
    "axis": _BY_NAME,
    "learner": _TEXT,
    "scoring": _TEXT,
    "file": _TEXT,
    "memory": {"type": ["integer", "string"]},
    "labels": _TEXT,
    "texts": {"type": ["object", "string"]},
    "text": _TEXT,
    "values": {"type": ["number", "string", "array"]},
}


def describe_text(about: str) -> Document:
    """Describe an argument that is text."""
    return {"type": "string", "description": about}


def describe_options(door: Door, names: Iterable[str]) -> dict[str, Document]:
    """Describe shared options by name, as the table of options does."""
    known = {one.name: one for one in (*registry.list_shared(door), FORBID, MIN_SHARE, MAX_FALL)}
    return {
        name: {**JSON_OF_KIND[known[name].kind], "description": known[name].text_at(door)}
        for name in names
    }


_PATH_OF_TABLE = describe_text("Path of the table: CSV, Parquet, Excel, NPZ, SPSS and others.")
_ANSWER_NAME = describe_text("What select or score gave as answer.")
_LIST_OF_COLUMNS = {**LIST_OF_NAMES, "description": "Names of columns."}
_OFFERED = ("k", "retain", "y", "columns", "exclude", "include", "forbid", "refine", "missing")
_SELECT_TAKES = {
    "table": _PATH_OF_TABLE,
    "method": describe_text("Id of a method; forward if none is given."),
    **describe_options("select", _OFFERED),
    "save": describe_text("New .tamis file for the choice, which check takes later."),
    "report": describe_text("New .html file for a report."),
}
_COMPARE_TAKES = {
    "table": _PATH_OF_TABLE,
    "methods": {
        **LIST_OF_NAMES,
        "description": "Ids of methods; by default all that suit the table.",
    },
    "k": {"type": "array", "items": {"type": "integer"}, "description": "Numbers of columns."},
    **describe_options("compare", ("y", "exclude", "budget")),
}


def make_tools(root: Path, *, values: bool = True) -> list[Tool]:
    """Make the tools of one session, for files below a folder, with values in answers or not."""
    server = ToolServer(root, values=values)
    selection = describe_brief("selection", SELECTION_KEYS, answer=_ANSWER_NAME)
    return [
        Tool(
            name="look",
            about="What each column of a table is, what is unusual about it and what would be done "
            "with it.",
            takes={"table": _PATH_OF_TABLE},
            required=("table",),
            run=server.look,
        ),
        Tool(
            name="select",
            about="Which columns of a table to keep, why, and what dropping the rest costs on new "
            "rows. Refuses tables with too few rows to say so.",
            takes=_SELECT_TAKES,
            required=("table",),
            run=server.select,
            gives=selection,
            writes=True,
        ),
        Tool(
            name="explain",
            about="Why columns were kept or dropped, what explains them, and what could replace "
            "them.",
            takes={"answer": _ANSWER_NAME, "columns": _LIST_OF_COLUMNS},
            required=("answer", "columns"),
            run=server.explain,
        ),
        Tool(
            name="score",
            about="How good a given list of columns is, on new rows, and which swaps would help.",
            takes={
                **{"table": _PATH_OF_TABLE, "columns": _LIST_OF_COLUMNS},
                **describe_options("score", ("y", "exclude")),
            },
            required=("table", "columns"),
            run=server.score,
            gives=selection,
        ),
        Tool(
            name="compare",
            about="Which method suits a table: all are measured on the same rows and columns.",
            takes=_COMPARE_TAKES,
            required=("table",),
            run=server.compare,
            gives=describe_brief("comparison", COMPARISON_KEYS),
        ),
        Tool(
            name="check",
            about="Whether a saved choice of columns still holds on new rows, by its old weights.",
            takes={
                "choice": describe_text("A file that select saved."),
                **{"table": _PATH_OF_TABLE, **describe_options("check", ("min_share", "max_fall"))},
            },
            required=("choice", "table"),
            run=server.check,
        ),
    ]


# Ten folds of two rows: with fewer, no share on new rows is worth a decision.
_FEWEST_ROWS = 20
_MAX_REMEMBERED = 8
_MAX_LOOKED_AT = 200
_COMPARISON_SECONDS = 120.0
_WITHOUT_VALUES = ("column", "kind", "missing", "distinct", "distinct_exact", "zeros")
_PLINK = (".bed", ".bim", ".fam")  # which are read together


class ToolServer:
    """The tools as methods; answers are remembered by name, the newest last.

    Files are read and written below `root` only. Without `values`, `look` gives none.
    """

    def __init__(self, root: Path, *, values: bool = True) -> None:
        self._root, self._roots = root.resolve(), (root.resolve(), root.absolute())
        self._values = values
        self._answers: dict[str, Selection] = {}
        self._given = 0

    def _enter(self, given: str) -> Path:
        """Give a path below the root; no link is followed for that."""
        path = Path(os.path.normpath(self._root / given))
        if given == NAME or not any(map(path.is_relative_to, self._roots)):
            raise self._refuse_outside(given)
        return path

    def _refuse_outside(self, given: str) -> TamisError:
        return TamisError(
            f"{given!r} is not below the folder that is served ({self._root}): give a file there, "
            "or start tamis mcp with another --root."
        )

    def _find(self, given: str) -> str:
        """Give the path of a table; all files that it stands for are below the root."""
        with explain_unreadable(given):
            path = self._enter(given)
            for one in expand_path(str(path)):
                beside = _PLINK if one.suffix.lower() == _PLINK[0] else (one.suffix,)
                for file in map(one.with_suffix, beside):
                    if not file.resolve().is_relative_to(self._root):
                        raise self._refuse_outside(given)
            return str(path)

    def _check_new(self, given: str | None, suffixes: tuple[str, ...], table: str) -> str | None:
        """Refuse to write where something is already, be it a link: nobody is asked before."""
        if given is None:
            return None
        with explain_unreadable(given):
            path = self._enter(given)
            if not path.parent.resolve().is_relative_to(self._root):
                raise self._refuse_outside(given)
            if os.path.lexists(path):
                raise TamisError(f"Cannot write {given!r}: it exists already, give another name.")
            check_output(path, suffixes, [Path(table)])
            return str(path)

    def look(self, table: str) -> Document:
        """Say what each column is."""
        from tamis.api.look import look

        found = look(self._find(table)).to_dict()
        if not self._values:
            known = [{key: one[key] for key in _WITHOUT_VALUES} for one in found["columns"]]
            found = {**found, "columns": known, "doubts": []}
        return shorten(found, found, _MAX_LOOKED_AT)

    def select(
        self, table: str, save: str | None = None, report: str | None = None, **asked: Any
    ) -> Document:
        """Choose columns; the choice and a report go into new files."""
        from tamis.api.select import select

        table = self._find(table)
        save = self._check_new(save, (".tamis",), table)
        report = self._check_new(report, PAGES, table)
        found = select(table, **asked)
        answer = self._remember(found)
        if save is not None:
            found.save(save)
        if report is not None:
            found.report(report)
        return answer

    def score(self, table: str, columns: list[str], **asked: Any) -> Document:
        """Judge a list of columns."""
        from tamis.api.score import score

        found = score(self._find(table), columns, held_out=True, **asked)
        return self._remember(found)

    def explain(self, answer: str, columns: list[str]) -> Document:
        """Say what became of some columns."""
        if answer not in self._answers:
            known = ", ".join(self._answers) or "none yet"
            raise TamisError(f"There is no answer {answer!r} here ({known}): call select first.")
        found = self._answers[answer]
        return {"columns": [_write_column(found[name]) for name in columns]}

    def compare(self, table: str, **asked: Any) -> Document:
        """Compare methods, for two minutes unless more is asked for."""
        from tamis.api.compare import compare

        found = compare(self._find(table), **{"budget": _COMPARISON_SECONDS, **asked}).to_dict()
        _refuse_few_rows(found["rows"])
        return shorten(found, COMPARISON_KEYS)

    def check(self, choice: str, table: str, **asked: Any) -> Document:
        """Check a saved choice against new rows."""
        from tamis.api.check import check
        from tamis.presentation.terminal.answers import check_text

        made = check(self._find(choice), self._find(table), **asked)
        found = {"sentence": check_text(made), **made.to_dict()}
        return shorten(found, list(found))

    def _remember(self, found: Selection) -> Document:
        document = found.to_dict()
        _refuse_without_evidence(document)
        self._given += 1
        name = f"answer-{self._given}"
        self._answers[name] = found
        while len(self._answers) > _MAX_REMEMBERED:
            del self._answers[next(iter(self._answers))]
        return {**shorten(document, SELECTION_KEYS), "answer": name}


def _write_column(column: Column) -> Document:
    """Write what is known about a column; what does not apply to it is null."""
    plain = ("status", "reason", "rank", "gain", "total", "share", "alone", "explained_by")
    substitutes = [{"column": str(name), "change": change} for name, change in column.substitutes]
    known = {key: getattr(column, key) for key in plain}
    return {"column": str(column.name), **known, "substitutes": substitutes, "text": str(column)}


def _refuse_without_evidence(found: Document) -> None:
    """Refuse an answer that does not hold on new rows: a program may not heed a warning.

    Kept columns explain themselves, k of all; an overfitted choice may explain less than that.
    """
    _refuse_few_rows(found["rows"])
    overfit = found["overfit"]
    if overfit and overfit["overfitted"] and overfit["share"] <= found["k"] / found["used"]:
        raise TamisError(
            f"On new rows these {found['k']:,} columns explain nothing but themselves: "
            f"{found['rows']:,} rows are too few for {found['used']:,} columns, give more rows or "
            "ask for fewer columns."
        )


def _refuse_few_rows(rows: int) -> None:
    if rows < _FEWEST_ROWS:
        raise TamisError(
            f"{rows:,} rows are too few to say what holds on new rows: give a table with at least "
            f"{_FEWEST_ROWS}."
        )


SELECTION_KEYS = (
    *("sentence", "k", "names", "retained", "bound", "chance", "held_out", "overfit", "auto"),
    *("rows", "columns", "measure", "dropped", "skipped", "constant", "warnings", "relations"),
    *("missing", "row_notes", "limits", "predictions", "score", "shortfall", "repeat"),
)
COMPARISON_KEYS = (
    *("sentence", "best", "basis", "within_noise", "sizes", "figures", "names"),
    *("rows", "columns", "skipped", "unsuitable", "notes", "repeat"),
)
_MAX_LISTED = 20
_LEFT_OUT = "Of lists that were cut: how many more there are."
_SCHEMA_REFERENCE = "#/$defs/"


def shorten(document: Document, keys: Iterable[str], most: int = _MAX_LISTED) -> Document:
    """Choose some keys and cut lists of more than `most` items; names of kept columns stay.

    >>> shorten({"k": 3, "dropped": [1, 2, 3], "scores": {}}, ["k", "dropped"], most=2)
    {'k': 3, 'dropped': [1, 2], 'left_out': {'dropped': 1}}
    """
    short = {key: document[key] for key in keys}
    long = {
        key: len(value) - most
        for key, value in short.items()
        if isinstance(value, list) and len(value) > most and key != "names"
    }
    cut = {key: value[:most] if key in long else value for key, value in short.items()}
    return {**cut, "left_out": long}


def describe_brief(document: str, keys: Iterable[str], **more: Document) -> Document:
    """Give the schema of a shortened document; `more` are keys that only tools give."""
    whole = describe_document(document)
    properties: dict[str, Any] = {key: whole["properties"][key] for key in keys}
    counts = {"type": "object", "additionalProperties": {"type": "integer"}}
    properties |= {"left_out": {**counts, "description": _LEFT_OUT}, **more}
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "$defs": _find_used(properties, whole["$defs"]),
    }


def _find_used(properties: Document, known: Document) -> Document:
    """Give the definitions that some properties, or these definitions, refer to."""
    used: Document = {}
    while True:
        text = json.dumps([properties, used])
        found = {name: known[name] for name in known if f'"{_SCHEMA_REFERENCE}{name}"' in text}
        if len(found) == len(used):
            return used
        used = found
