"""What the tools of one session do: calls of `api/`, and the answers that were given."""

import os
from pathlib import Path
from typing import Any

from tamis.agents.brief import COMPARISON_KEYS, SELECTION_KEYS, shorten
from tamis.agents.tool import Document
from tamis.errors import TamisError
from tamis.results.column import Column
from tamis.results.output import PAGES, check_output
from tamis.results.selection import Selection
from tamis.sources.files import explain_unreadable
from tamis.sources.parts import expand_path
from tamis.sources.standard_input import NAME

__all__ = ["Desk"]

# Ten folds of two rows: with fewer, no share on new rows is worth a decision.
_FEWEST_ROWS = 20
_MAX_REMEMBERED = 8
_MAX_LOOKED_AT = 200
_COMPARISON_SECONDS = 120.0
_WITHOUT_VALUES = ("column", "kind", "missing", "distinct", "distinct_exact", "zeros")
_PLINK = (".bed", ".bim", ".fam")  # which are read together


class Desk:
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
        from tamis.presentation.terminal.check import check_text

        found = check(self._find(choice), self._find(table), **asked).to_dict()
        return shorten({"sentence": check_text(found), **found}, ["sentence", *found])

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
