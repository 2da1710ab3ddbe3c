"""A choice in a file (`.tamis`): an NPZ archive without pickles, with a header of JSON.

Everything is checked when it is read: who wrote the file is not known. A summary of a table has the
same suffix; the header says which of the two a file is.
"""

import json
import zipfile
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from tamis.columns.judgement import TableJudgement
from tamis.errors import TamisError
from tamis.evaluation.plan import Plan
from tamis.memory import check_room
from tamis.numerics.types import Floats
from tamis.results.saved_choice import SavedChoice
from tamis.run.new_rows import NewTable
from tamis.sources.draft import replace_file
from tamis.sources.faults import check_names
from tamis.sources.files import explain_unreadable
from tamis.sources.marked import Reading
from tamis.sources.summary_file import CHOICE_FORMAT, SUFFIX, Archive, write_array
from tamis.sources.summary_file import FORMAT as SUMMARY_FORMAT
from tamis.statistics.encoding import Encoding, Levels
from tamis.values import dataclass
from tamis.versions import version_of

_VERSION = 1
_COUNTS_VERSION = 2  # of choices by logarithms of counts, which older releases took for values
_HEADER = "header.json"
_LARGEST_STORED = 1e150  # of a value in the file: no product of two overflows
MAX_CHOICE_WIDTH = 1_000_000  # columns of a saved choice, levels counted
_VECTORS = ("mean", "std", "residual", "importance", "kurtosis")
_MATRICES = ("weights", "relation", "relation_spread")


def write_choice(choice: SavedChoice, path: Path) -> Path:
    """Write a choice, whole or not at all."""
    if path.suffix.lower() != SUFFIX:
        raise TamisError(f"Cannot write {str(path)!r}: give a name ending in {SUFFIX}.")
    plan = choice.plan
    with replace_file(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(_HEADER, json.dumps(_header(choice), ensure_ascii=False, indent=1))
        for name in (*_VECTORS, *_MATRICES, "inverse", "shares"):
            write_array(file, name, np.ascontiguousarray(vars(plan)[name], dtype=np.float64))
    return path


def _header(choice: SavedChoice) -> dict[str, Any]:
    plan, how = choice.plan, choice.how
    levels = {
        str(j): {"common": list(one.common), "pooled": one.pooled, "missing": one.missing}
        for j, one in plan.encoding.levels.items()
    }
    readings = {
        name: {"absent": sorted(one.absent), "marks": sorted(one.marks), "decimal": one.decimal}
        for name, one in how.judgement.readings.items()
    }
    gone = plan.missing  # shares by the place of their column, None if not known
    counts = {"row_size": how.row_size, "summed": [list(one) for one in how.summed]}
    return {
        **({} if how.row_size is None else counts),
        "format": CHOICE_FORMAT,
        "version": _VERSION if how.row_size is None else _COUNTS_VERSION,
        "tamis": version_of("tamis"),
        "label": choice.label,
        "names": list(plan.names),
        "kept": plan.kept.tolist(),
        "rows": plan.n_rows,
        "freedom": plan.freedom,
        "share": plan.share,
        "held_out": plan.held_out,
        "drops": plan.drops,
        "levels": levels,
        "limits": {str(j): list(pair) for j, pair in plan.encoding.limits.items()},
        "missing": None if gone is None else {str(j): float(gone[j]) for j in np.flatnonzero(gone)},
        "mark_missing": plan.encoding.mark_missing,
        "places": list(how.places),
        "width": how.width,
        "named": how.named,
        "readings": readings,
        "categories": list(how.judgement.categories),
        "numbers": list(how.judgement.numbers),
        "beside": sorted(how.beside),
    }


def read_choice(path: Path) -> SavedChoice:
    """Read and check a choice."""
    if not path.is_file():
        raise TamisError(f"There is no file {str(path)!r}: give the path of a choice.")
    if not zipfile.is_zipfile(path):
        raise TamisError(f"{path.name} is not a saved choice, or is damaged: save it again.")
    with explain_unreadable(path.name), zipfile.ZipFile(path) as archive:
        file = Archive(path, archive)
        header = _Header(_check_format(file.header(), path.name))
        encoding = header.encoding(path.name)
        plan = _read_plan(file, header, encoding)
        return SavedChoice(plan, header.how(encoding), header.take("label", str))


def _check_format(header: Any, label: str) -> Mapping[str, Any]:
    form = header.get("format") if isinstance(header, dict) else None
    if form == SUMMARY_FORMAT:
        raise TamisError(
            f"{label} is the summary of a table, not a choice of columns: choose from it with "
            "`tamis select`, and save the choice."
        )
    if not isinstance(header, dict) or form != CHOICE_FORMAT:
        raise TamisError(f"{label} is not a saved choice: its header does not say so.")
    if header.get("version") not in (_VERSION, _COUNTS_VERSION):
        raise TamisError(
            f"{label} has version {header.get('version')!r:.20} of the format and this release "
            f"supports {_VERSION} and {_COUNTS_VERSION}: install a newer one."
        )
    return header


@dataclass(frozen=True, eq=False)
class _Header:
    """The header of a file, every value checked as it is taken."""

    values: Mapping[str, Any]

    def take(self, name: str, kind: type) -> Any:
        """Give a value of a type; an integer does for a number, a truth value for itself only."""
        value: Any = self.values.get(name)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not kind or (isinstance(value, float) and not isfinite(value)):
            raise ValueError(f"{name!r} in its header is missing or has a wrong value")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Give a list of texts."""
        given = self.take(name, list)
        if not all(isinstance(one, str) for one in given):
            raise ValueError(f"{name!r} in its header has a wrong value")
        return tuple(given)

    def counts(self, name: str, below: int) -> tuple[int, ...]:
        """Give a list of different integers from 0 to below a limit."""
        found = self.take(name, list)
        if any(type(one) is not int or not 0 <= one < below for one in found):
            raise ValueError(f"{name!r} in its header has a wrong value")
        if len(set(found)) < len(found):
            raise ValueError(f"{name!r} in its header has a value twice")
        return tuple(found)

    def encoding(self, label: str) -> Encoding:
        """Give how the columns are written as numbers."""
        names = self.texts("names")
        check_names(names, label)
        levels = {_place(j, names): _levels(one) for j, one in self.take("levels", dict).items()}
        limits = {_place(j, names): _limits(one) for j, one in self.take("limits", dict).items()}
        return Encoding(names, levels, {}, {}, limits, self.take("mark_missing", bool))

    def how(self, encoding: Encoding) -> NewTable:
        """Give how the columns of a new table are found and read."""
        names, width = encoding.names, self.take("width", int)
        places = self.counts("places", width)
        if len(places) != len(names):
            raise ValueError("'places' in its header has another length than 'names'")
        readings = {}
        for name, one in self.take("readings", dict).items():
            if name not in names or not isinstance(one, dict):
                raise ValueError("'readings' in its header has a wrong value")
            own = _Header(one)
            absent = frozenset(_number(value) for value in own.take("absent", list))
            decimal = own.take("decimal", str)
            if decimal not in ("", ".", ","):
                raise ValueError("'decimal' in its header has a wrong value")
            readings[name] = Reading(absent, frozenset(own.texts("marks")), decimal)
        judgement = TableJudgement(
            readings=readings, categories=self.texts("categories"), numbers=self.texts("numbers")
        )
        return NewTable(
            *(names, frozenset(encoding.levels), places, width, self.take("named", bool)),
            *(judgement, frozenset(self.texts("beside"))),
            *self._sums(width),
        )

    def _sums(self, width: int) -> tuple[float | None, tuple[tuple[str, int, bool], ...]]:
        """Give the mean sum of a row of counts, and the columns in it that did not vary."""
        if self.take("version", int) == _VERSION:
            return None, ()
        size, summed = self.take("row_size", float), self.take("summed", list)
        for one in summed:
            typed = isinstance(one, list) and [*map(type, one)] == [str, int, bool]
            if not typed or not 0 <= one[1] < width:
                raise ValueError("'summed' in its header has a wrong value")
        if not 0 < size <= _LARGEST_STORED:
            raise ValueError("'row_size' in its header has a wrong value")
        return size, tuple((name, place, needed) for name, place, needed in summed)


def _read_plan(file: Archive, header: _Header, encoding: Encoding) -> Plan:
    names = encoding.names
    kept = np.array(header.counts("kept", len(names)), dtype=np.intp)
    rows, freedom = header.take("rows", int), header.take("freedom", float)
    if not len(kept) or rows < 2 or not 0 <= freedom <= rows:
        raise ValueError("its counts of rows and columns cannot be")
    groups = encoding.groups
    width, size = int(groups.sizes.sum()), len(groups.members(kept))
    if max(width, len(names)) > MAX_CHOICE_WIDTH:
        raise ValueError("it has too many columns")
    check_room(8 * size * (3 * width + size), file.path.name)
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(_VECTORS, (width,))
    shapes |= dict.fromkeys(_MATRICES, (size, width))
    shapes |= {"inverse": (size, size), "shares": (len(names),)}
    arrays: dict[str, Any] = {
        name: _finite(file.array(name, shape), name) for name, shape in shapes.items()
    }
    if min(arrays[name].min() for name in (*_VECTORS[1:], "relation_spread")) < 0:
        raise ValueError("a variance in it is negative")
    if not _is_semidefinite(arrays["inverse"]):
        raise ValueError("its matrix of the leverage cannot be")
    if np.abs(arrays["relation"]).max(initial=0.0) > 1 + 1e-6 or arrays["shares"].max() > 1 + 1e-6:
        raise ValueError("a correlation or share in it is above 1")
    share = header.take("share", float)
    flags = {name: header.take(name, bool) for name in ("held_out", "drops")}
    missing = _read_missing(header.values.get("missing"), names)
    return Plan(encoding, kept, rows, freedom, share=share, missing=missing, **arrays, **flags)


def _read_missing(given: Any, names: tuple[str, ...]) -> Floats | None:
    if given is None:
        return None
    found = np.zeros(len(names))
    for place, share in _Header({"missing": given}).take("missing", dict).items():
        found[_place(place, names)] = _number(share)
    if found.min(initial=0.0) < 0 or found.max(initial=0.0) > 1:
        raise ValueError("'missing' in its header has a wrong value")
    return found


def _is_semidefinite(matrix: Floats) -> bool:
    """Whether no row can have a negative leverage, but for rounding."""
    unit = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
    if (np.diagonal(matrix) < 0).any():
        return False
    scaled = matrix / np.outer(np.where(unit > 0, unit, 1.0), np.where(unit > 0, unit, 1.0))
    values = np.linalg.eigvalsh((scaled + scaled.T) / 2)
    return bool(np.allclose(scaled, scaled.T, atol=1e-9) and values.min(initial=0.0) > -1e-9)


def _finite(values: Floats, name: str) -> Floats:
    if not (np.abs(values) <= _LARGEST_STORED).all():
        raise ValueError(f"{name!r} has values that are no finite numbers")
    return values


def _place(text: str, names: tuple[str, ...]) -> int:
    if not text.isdecimal() or len(text) > 9 or int(text) >= len(names):
        raise ValueError("a column in its header does not exist")
    return int(text)


def _levels(given: Any) -> Levels:
    own = _Header(given if isinstance(given, dict) else {})
    found = Levels(own.texts("common"), own.take("pooled", bool), own.take("missing", bool))
    if len(found.names) < 2 or len(set(found.names)) < len(found.names):
        raise ValueError("the levels of a category in its header cannot be")
    return found


def _limits(given: Any) -> tuple[float, float]:
    low, high = map(_number, given) if isinstance(given, list) and len(given) == 2 else (1.0, 0.0)
    if low > high:
        raise ValueError("'limits' in its header has a wrong value")
    return low, high


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= _LARGEST_STORED:
        raise ValueError("a number in its header is none")
    return float(value)
