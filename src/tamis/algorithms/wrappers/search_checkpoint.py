"""The scores of a search in a file, from which a killed run goes on."""

import copyreg
import dis
import errno
import functools
import hashlib
import inspect
import json
import os
import sys
import sysconfig
import time
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError, spell, spell_name
from tamis.sources.draft import replace_file

_FORMAT = "tamis wrapper search, 1"
_FORMAT_BYTES = 200  # bytes at its start that name the format
_MIN_SECONDS_BETWEEN_WRITES = 1.0  # seconds between two writings at least
_MIN_WRITE_RATIO = 20  # of the time that a writing took, between it and the next

Columns = frozenset[int]


class SearchCheckpoint:
    """A JSON file with the score of every set of columns that was tried.

    The fingerprint says for which rows, labels, splits, learner and scorer they hold. A search that
    is run again asks the same questions in the same order, so known answers bring it to where it
    was; another search on the same rows can use them, too.
    """

    def __init__(self, path: str | os.PathLike[str], fingerprint: str) -> None:
        """Read the file if there is one, and see that it can be written."""
        self.path, self._fingerprint = Path(path), fingerprint
        self.scores = self._read()
        self._last, self._took = time.monotonic(), 0.0
        self.write(self.scores)

    def due(self) -> bool:
        """Say whether it is time to write again."""
        return time.monotonic() - self._last >= max(
            _MIN_SECONDS_BETWEEN_WRITES, _MIN_WRITE_RATIO * self._took
        )

    def write(self, scores: Mapping[Columns, float]) -> None:
        """Put the scores in the place of the file's, whole or not at all."""
        start = time.monotonic()
        known = {" ".join(map(str, sorted(columns))): score for columns, score in scores.items()}
        text = json.dumps(
            {"format": _FORMAT, "fingerprint": self._fingerprint, "scores": known}, indent=0
        )
        with replace_file(self.path) as draft:
            draft.write_text(text, encoding="utf-8")
        self._last = time.monotonic()
        self._took = self._last - start

    def _read(self) -> dict[Columns, float]:
        """Give the scores in the file, none if there is no file."""
        given = spell("checkpoint", str(self.path))
        try:
            if not self.path.exists():
                return {}
            found = json.loads(self.path.read_text(encoding="utf-8"))
            if found["format"] != _FORMAT:
                raise KeyError
            same = found["fingerprint"] == self._fingerprint
            scores = {_columns(key): float(score) for key, score in found["scores"].items()}
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise TamisError(f"{given} cannot be read: {why}.") from error
        except (
            ValueError,
            ArithmeticError,
            LookupError,
            TypeError,
            AttributeError,
            RecursionError,
        ):
            raise _no_checkpoint(self.path) from None
        if not same:
            names = ("learner", "scoring", "cv", "test_size", "random_state")
            raise TamisError(
                f"{given} belongs to another table or other settings "
                f"({', '.join(map(spell_name, names))}; a function with other code or values is "
                "another one): give those, or another name."
            )
        return scores


def check_place(path: str | os.PathLike[str]) -> None:
    """Refuse a file that cannot be written or is no checkpoint, before there is any to write."""
    place = Path(path)
    try:
        if not place.resolve().parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        start = None
        if place.exists():
            with place.open("rb") as stream:
                start = stream.read(_FORMAT_BYTES)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise TamisError(f"Cannot write the checkpoint {str(path)!r}: {why}.") from error
    if start is not None and _FORMAT.encode() not in start:
        raise _no_checkpoint(place)


def _no_checkpoint(path: Path) -> TamisError:
    return TamisError(
        f"{spell('checkpoint', str(path))} is not a checkpoint of a wrapper search, and is left "
        "as it is: give another name."
    )


def _columns(key: str) -> Columns:
    return frozenset(map(int, key.split()))


def hash_inputs(*parts: Any) -> str:
    """Give a text that differs whenever what the scores depend on does.

    >>> hash_inputs([1, 2], "accuracy") == hash_inputs([1, 2], "accuracy")
    True
    >>> hash_inputs([1, 2], "accuracy") == hash_inputs([1, 3], "accuracy")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(describe(part).encode() + b"\n")
    return digest.hexdigest()


# What a thing is, as a text: equal for two things that compute the same, in every process.
#
# A function is its code and the values that it uses, an estimator its class and parameters, any
# other object what pickle would write of it. Names do not count (all lambdas share one), nor do
# places in memory. What comes with an installed package is known by its code and the version of
# the package.
_PLAIN_TYPES = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
_PACKAGES = {"site-packages", "dist-packages"}
_OF_A_CLASS = {"__module__", "__doc__", "__dict__", "__weakref__", "__firstlineno__", "_abc_impl"}
_SLOTS = types.GetSetDescriptorType | types.MemberDescriptorType | types.WrapperDescriptorType


def describe(thing: Any) -> str:
    """Give the text; refuse what cannot be distinguished from another of its kind.

    >>> describe(lambda x: x + 1) == describe(lambda x: x + 1)
    True
    >>> describe(lambda x: x + 1) == describe(lambda x: x + 2)
    False
    """
    return _Description().of(thing)


class _Description:
    """The texts of a thing and all that it is made of, each made once."""

    def __init__(self) -> None:
        self._under_way: list[int] = []
        self._known: dict[int, tuple[Any, str]] = {}  # things stay alive, so that ids do not recur

    def of(self, thing: Any) -> str:
        if isinstance(thing, _PLAIN_TYPES):
            return f"{type(thing).__name__} {thing!r}"
        if id(thing) in self._under_way:  # a class in the closure of its own method
            return f"again {self._under_way.index(id(thing))}"
        if id(thing) not in self._known:
            self._under_way.append(id(thing))
            text = hashlib.sha256(self._write_thing(thing).encode("utf-8", "replace")).hexdigest()
            self._under_way.pop()
            self._known[id(thing)] = thing, text
        return self._known[id(thing)][1]

    def _write_thing(self, thing: Any) -> str:
        match thing:
            case np.ndarray() if thing.dtype != object:
                content = hashlib.sha256(np.ascontiguousarray(thing).tobytes()).hexdigest()
                return f"array {thing.dtype} {thing.shape} {content}"
            case list() | tuple() if type(thing) in (list, tuple):
                return f"{type(thing).__name__} {self._each(thing)}"
            case dict() if type(thing) is dict:
                return f"dict {sorted(self._each(pair) for pair in thing.items())}"
            case set() | frozenset():
                return f"set {sorted(self._each(thing))}"
            case types.ModuleType():
                return f"module {thing.__name__} {_version(thing.__name__)}"
            case functools.partial():
                return f"partial {self._each([thing.func, thing.args, thing.keywords])}"
            case types.MethodType():
                return f"method {self._each([thing.__func__, thing.__self__])}"
            case types.FunctionType():
                return f"function {self._each(self._parts(thing))}"
            case type():
                return self._class(thing)
            case _ if hasattr(thing, "get_params"):  # it is trained anew, so its state is no part
                return f"learner {self._each([type(thing), thing.get_params(deep=False)])}"
        return self._write_pickled(thing)

    def _each(self, things: Iterable[Any]) -> list[str]:
        return [self.of(one) for one in things]

    def _parts(self, function: types.FunctionType) -> list[Any]:
        """Give what decides about the result of a function."""
        code = function.__code__
        cells = [cell.cell_contents for cell in function.__closure__ or () if _is_set(cell)]
        parts = [self._code(code), cells, function.__defaults__, function.__kwdefaults__]
        if _is_installed(code.co_filename):
            return [*parts, function.__module__, _version(function.__module__)]
        known = function.__globals__
        return [*parts, {name: known[name] for name in _globals_in(code) if name in known}]

    def _code(self, code: types.CodeType) -> list[Any]:
        """Give the instructions, and the constants and names that they use."""
        inner = [self._code(c) if isinstance(c, types.CodeType) else c for c in code.co_consts]
        return [code.co_code, inner, code.co_names, code.co_varnames, code.co_freevars]

    def _class(self, kind: type) -> str:
        """Write a class of a package by its name, any other by what is in it."""
        name = f"class {kind.__module__} {kind.__qualname__}"
        if kind.__module__ == "builtins" or _is_installed(_file_of(kind)):
            return f"{name} {_version(kind.__module__)}"
        own = {
            name: _unwrap_function(value)
            for name, value in vars(kind).items()
            if name not in _OF_A_CLASS and not isinstance(value, _SLOTS)
        }
        return f"class {kind.__name__} {self._each([own, kind.__bases__])}"

    def _write_pickled(self, thing: Any) -> str:
        """Write any other object as pickle would take it apart."""
        reduce = copyreg.dispatch_table.get(type(thing))
        try:
            parts = thing.__reduce_ex__(2) if reduce is None else reduce(thing)
        except Exception as problem:
            what = f"{type(thing).__module__}.{type(thing).__qualname__}"
            raise TamisError(
                f"{spell_name('checkpoint')}: the learner or scorer uses an object ({what}) that "
                "cannot be recognised in a later run: give one without it, or omit "
                f"{spell_name('checkpoint')}."
            ) from problem
        if isinstance(parts, str):
            module = str(getattr(thing, "__module__", None) or type(thing).__module__)
            return f"name {module} {parts} {_version(module)}"
        return f"object {self._each(map(_list_items, parts))}"


def _list_items(items: Any) -> Any:
    """Give the elements of an iterator, and all else as it is."""
    return list(items) if hasattr(items, "__next__") else items


def _is_set(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - an empty cell raises
    except ValueError:
        return False
    return True


def _unwrap_function(value: Any) -> Any:
    """Give the functions in what a class wraps them in."""
    if isinstance(value, staticmethod | classmethod):
        return type(value).__name__, value.__func__
    if isinstance(value, property):
        return "property", value.fget, value.fset, value.fdel
    return value


def _globals_in(code: types.CodeType) -> list[str]:
    """List the global names that a function reads, those of functions inside it as well."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            names.update(_globals_in(inner))
    return sorted(names)


def _file_of(kind: type) -> str:
    try:
        return inspect.getfile(kind)
    except (TypeError, OSError):  # it is built in, or was typed in
        module = sys.modules.get(kind.__module__)
        return "" if module is None or kind.__module__ == "__main__" else "<frozen>"


@functools.cache
def _is_installed(file: str) -> bool:
    """Whether code comes with Python or a package: its version then says what it is."""
    if file.startswith("<"):
        return file.startswith("<frozen")
    path = Path(file)
    roots = [Path(sysconfig.get_paths()["stdlib"]), Path(__file__).parents[2]]
    return bool(_PACKAGES & set(path.parts)) or any(root in path.parents for root in roots)


def _version(module: str | None) -> str:
    """Give the version of the package that a module is part of."""
    top: Any = sys.modules.get((module or "").partition(".")[0])
    found: Mapping[str, Any] = vars(top) if isinstance(top, types.ModuleType) else {}
    return str(found.get("__version__", ""))
