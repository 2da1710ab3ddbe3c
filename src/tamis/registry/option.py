"""One thing a user can set: its name, its values, its text, and where it can be set."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isfinite
from os import PathLike
from typing import Any, Literal, NamedTuple

from tamis.errors import TamisError, or_none, spell
from tamis.memory import LEAST, as_bytes
from tamis.values import dataclass


def as_plain(value: Any) -> Any:
    """Turn a scalar of NumPy or the like into Python's own; give back all else as it is."""
    is_scalar = getattr(value, "shape", None) == () and hasattr(value, "item")
    return value.item() if is_scalar else value


def is_one_of(value: Any, choice: Any) -> bool:
    """Whether this is the choice itself: True is not 1."""
    same_kind = isinstance(value, bool) == isinstance(choice, bool)
    return value is choice or (same_kind and isinstance(value, str | int) and value == choice)


def is_real_number(value: Any) -> bool:
    """Whether this is a number and no truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_amount(value: Any) -> bool:
    """Whether this is a finite number of at least 0."""
    return is_real_number(value) and isfinite(value) and value >= 0


def is_integer(value: Any) -> bool:
    """Whether this is one integer, of Python or of NumPy."""
    is_scalar = hasattr(value, "__index__") and not hasattr(value, "__len__")
    return is_scalar and not isinstance(value, bool)


def is_list(value: Any) -> bool:
    """Whether this holds several values; a text is one."""
    return not isinstance(value, str) and hasattr(value, "__iter__")


def is_price(value: Any) -> bool:
    """Whether this is a finite number above 0."""
    return is_real_number(value) and isfinite(value) and value > 0


def _convert_numbers(value: Any, is_fit: Callable[[Any], bool] = lambda _: True) -> Any:
    """Make names and their numbers plain; give only the unfit ones if there are any."""
    if not isinstance(value, Mapping):
        return value
    numbers = {as_plain(column): as_plain(number) for column, number in value.items()}
    wrong = {column: number for column, number in numbers.items() if not is_fit(number)}
    return wrong or numbers


def convert_groups(value: Any) -> Any:
    """Make a list of the columns of every group; an error names only those that have none."""
    if not isinstance(value, Mapping):
        return value
    groups = {as_plain(name): convert_columns(columns) for name, columns in value.items()}
    wrong = {name: columns for name, columns in groups.items() if not is_group(name, columns)}
    return wrong or groups


def is_group(name: Any, columns: Any) -> bool:
    """Whether this is the name of a group with some columns."""
    return isinstance(name, str) and is_list(columns) and len(columns) > 0


def _is_count(value: Any) -> bool:
    return is_integer(value) and value >= 0


def convert_columns(value: Any) -> Any:
    """Make the names or positions of columns plain."""
    return [as_plain(column) for column in value] if is_list(value) else value


OptionKind = Literal[
    "integer",
    "size",
    "number",
    "share",
    "positive",
    "amount",
    "tuned",
    "flag",
    "choice",
    "columns",
    "prices",
    "weights",
    "groups",
    "counts",
    "axis",
    "learner",
    "scoring",
    "file",
    "memory",
    "labels",
    "texts",
    "text",
    "values",
]
Choices = tuple[Any, ...]


class ValueKind(NamedTuple):
    """One kind of value.

    `takes(value, least, choices)` says whether a value is of this kind. `accepts` says in words
    what may be given, with `{least}` and `{choices}` filled in. `hint` and `type` are for a
    signature and for a docstring, `metavar` is the placeholder on the command line, and `convert`
    turns what is given into what `takes` checks.
    """

    takes: Callable[[Any, int, Choices], bool]
    accepts: str
    hint: Any
    type: str
    metavar: str = "NUMBER"
    convert: Callable[[Any], Any] = lambda value: value


KINDS: dict[OptionKind, ValueKind] = {
    "integer": ValueKind(
        lambda value, least, _: is_integer(value) and value >= least,
        "an integer of at least {least}",
        int,
        "int",
    ),
    "size": ValueKind(
        lambda value, least, _: (
            (isinstance(value, float) and 0 < value < 1) or (is_integer(value) and value >= least)
        ),
        "an integer of at least {least}, or a share of the columns below 1",
        int | float,
        "int or float",
    ),
    "number": ValueKind(
        lambda value, *_: is_real_number(value) and isfinite(value), "a number", float, "float"
    ),
    "share": ValueKind(
        lambda value, *_: is_real_number(value) and 0 < value <= 1,
        "a share above 0 and up to 1, such as 0.95",
        float,
        "float",
    ),
    "positive": ValueKind(
        lambda value, *_: is_real_number(value) and value > 0, "a number above 0", float, "float"
    ),
    "amount": ValueKind(
        lambda value, *_: is_amount(value), "a number of at least 0", float, "float"
    ),
    "tuned": ValueKind(
        lambda value, *_: value == "auto" if isinstance(value, str) else is_amount(value),
        "'auto' or a number of at least 0",
        float | str,
        'float or "auto"',
    ),
    "flag": ValueKind(
        lambda value, *_: isinstance(value, bool), "True or False", bool, "bool", "BOOLEAN"
    ),
    "choice": ValueKind(
        lambda value, _, choices: any(is_one_of(value, choice) for choice in choices),
        "{choices}",
        str,
        "str",
        "NAME",
    ),
    "columns": ValueKind(
        lambda value, *_: is_list(value),
        "a list of column names or positions",
        Sequence[str | int],
        "sequence of column names or positions",
        "A,B",
        convert_columns,
    ),
    "prices": ValueKind(
        lambda value, *_: isinstance(value, Mapping) and all(map(is_price, value.values())),
        "columns by name or position, each with a price above 0",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "NAME=PRICE",
        partial(_convert_numbers, is_fit=is_price),
    ),
    "weights": ValueKind(
        lambda value, *_: isinstance(value, Mapping) and all(map(is_amount, value.values())),
        "columns by name or position, each with a weight of at least 0",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "NAME=WEIGHT",
        partial(_convert_numbers, is_fit=is_amount),
    ),
    "groups": ValueKind(
        lambda value, *_: (
            isinstance(value, Mapping)
            and len(value) > 0
            and all(is_group(*pair) for pair in value.items())
        ),
        "groups by name, each with a list of column names, positions or patterns",
        Mapping[str, Sequence[str | int]],
        "mapping of group names to columns",
        "NAME=A,B",
        convert_groups,
    ),
    "counts": ValueKind(
        lambda value, *_: (
            all(isinstance(name, str) and _is_count(count) for name, count in value.items())
            if isinstance(value, Mapping)
            else _is_count(value)
        ),
        "an integer of at least 0 for all groups, or one for each by name",
        int | Mapping[str, int],
        "int or mapping of group names to int",
        "[NAME=]N",
        _convert_numbers,
    ),
    "axis": ValueKind(
        lambda value, *_: (
            isinstance(value, Mapping)
            and all(is_real_number(place) and isfinite(place) for place in value.values())
        ),
        "columns by name or position, each with a number",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "FILE",
        _convert_numbers,
    ),
    "learner": ValueKind(
        # An estimator as scikit-learn has them, not its class.
        lambda value, _, choices: (
            value in choices
            if isinstance(value, str)
            else hasattr(value, "fit")
            and hasattr(value, "get_params")
            and not isinstance(value, type)
        ),
        "{choices} or a scikit-learn estimator",
        Any,
        "str or scikit-learn estimator",
        "NAME",
    ),
    "scoring": ValueKind(
        lambda value, *_: isinstance(value, str) or callable(value),
        "the name of a scikit-learn scorer, such as 'accuracy', or a function",
        Any,
        "str or callable",
        "SCORER",
    ),
    "file": ValueKind(
        lambda value, *_: isinstance(value, str | PathLike),
        "the path of a file",
        Any,
        "path of a file",
        "FILE",
    ),
    "memory": ValueKind(
        lambda value, *_: is_integer(value) and value >= LEAST,
        f"a size of at least {LEAST >> 20}MB, such as '1GB'",
        int | str,
        "int (bytes) or str",
        "SIZE",
        lambda value: (as_bytes(value) or value) if isinstance(value, str) else value,
    ),
    "labels": ValueKind(
        lambda *_: True,
        "the name of a column, or one label for each row",
        Any,
        "column name or array",
        "COLUMN",
    ),
    "texts": ValueKind(
        lambda value, *_: not is_real_number(value) and not isinstance(value, bool),
        "texts by column, or a table or file of two columns, names and texts",
        Any,
        "mapping of column names to texts, or a table or file of two columns",
        "FILE",
    ),
    "values": ValueKind(
        lambda value, *_: (
            is_list(value) and all(is_real_number(one) or isinstance(one, str) for one in value)
        ),
        "a number or a text, or a list of them",
        Any,
        "number, text or sequence of them",
        "VALUE",
        lambda value: convert_columns(value) if is_list(value) else [value],
    ),
    "text": ValueKind(lambda value, *_: isinstance(value, str), "a text", str, "str", "NAME"),
}

Door = Literal[
    "select", "score", "extract", "compare", "summarise", "merge", "look", "check", "reconstruct"
]
Group = Literal["How many", "Which columns", "How", "What comes out", ""]
Role = Literal["answer", "work", "output"]


@dataclass(frozen=True)
class Option:
    """One thing a user can set, under the same name everywhere.

    `least` is the smallest integer. `reads` marks what is needed while the table is read, before
    the method proper. A learner is one of the `choices` or any scikit-learn estimator. A choice may
    be something that is `also` taken and that the method checks itself; `number` where that is one.

    The rest is for options that functions and commands share. `doors` are those that take it,
    `flag` its name on the command line where that is another one, `short` a letter for it, `words`
    what the command line writes for some of its values, `placeholder` what stands for a value,
    `many` whether the flag may be repeated, `switch` whether the flag of a choice may also stand
    alone, for True, and has a form with no- before, for False, `group` where the help lists it
    (nowhere: only with all options), `texts` its help at a door where `about` would not do. `role`
    says whether it can change the answer, only how the work is done, or only what is shown and
    written.
    """

    name: str
    kind: OptionKind
    default: Any
    about: str
    choices: tuple[Any, ...] = ()
    least: int = 0
    reads: bool = False
    also: str = ""
    number: bool = False
    doors: tuple[Door, ...] = ()
    flag: str = ""
    short: str = ""
    words: tuple[tuple[Any, str], ...] = ()
    group: Group = ""
    texts: tuple[tuple[Door, str], ...] = ()
    placeholder: str = ""
    many: bool = False
    switch: bool = False
    role: Role = "answer"

    def check(self, value: Any, name: str | None = None) -> Any:
        """Give `value` as a plain one, or raise a `TamisError` if this option does not take it."""
        if value is None and self.default is None:
            return None
        if self.also and not isinstance(as_plain(value), str | bool | None):
            return as_plain(value)
        kind = KINDS[self.kind]
        value = kind.convert(as_plain(value))
        if not kind.takes(value, self.least, self.choices):
            raise TamisError(f"{spell(name or self.name, value)}: give {self.accepts}.")
        if self.kind == "choice":
            return next(choice for choice in self.choices if is_one_of(value, choice))
        return value

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        choices = " or ".join(map(repr, self.choices))
        text = KINDS[self.kind].accepts.format(least=self.least, choices=choices)
        text = or_none(text) if self.default is None else text
        return f"{text} or {self.also}" if self.also else text

    @property
    def annotation(self) -> Any:
        """The type of its values, for a signature."""
        if self.also:
            return Any
        if self.kind == "choice":
            return Literal[(*self.choices, *((None,) if self.default is None else ()))]
        hint = KINDS[self.kind].hint
        return hint | None if self.default is None and hint is not Any else hint

    @property
    def type(self) -> str:
        """The type of its values, for a docstring.

        >>> Option("norm", "choice", "l2", "Norm.", choices=("l1", "l2")).type
        '"l1" or "l2"'
        """
        text = KINDS[self.kind].type
        if self.kind == "choice":
            *most, last = map(write_value, self.choices)
            text = f"{', '.join(most)} or {last}"
        text = f"{text} or None" if self.default is None else text
        return f"{text} or {self.also}" if self.also else text

    def text_at(self, door: Door) -> str:
        """Give the help of its flag at a door."""
        return dict(self.texts).get(door, self.about)

    def word_for(self, value: Any) -> Any:
        """Give what the command line writes for a value.

        >>> REFINE = Option("refine", "choice", False, "Swap.", words=((True, "swap"),))
        >>> REFINE.word_for(True), REFINE.word_for("exact")
        ('swap', 'exact')
        """
        return next((word for known, word in self.words if known is value), value)

    @property
    def metavar(self) -> str:
        """What stands for its value on the command line."""
        return self.placeholder or KINDS[self.kind].metavar

    @property
    def flags(self) -> tuple[str, ...]:
        """How it is written on the command line, the usual way last.

        >>> Option("output", "file", None, "Where to.", short="o").flags
        ('-o', '--output')
        """
        name = self.flag or self.name
        long = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"
        return (f"-{self.short}", long) if self.short else (long,)


def write_value(value: Any) -> str:
    """Write a value as in code."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


KERNEL = (
    Option(
        "kernel",
        "choice",
        "rbf",
        "Similarity of two rows: Gaussian, linear or polynomial.",
        choices=("rbf", "linear", "poly"),
        also="a function of two sets of rows",
    ),
    Option(
        "gamma",
        "positive",
        None,
        "Factor of the squared distances or products; by default 1 / number of columns.",
    ),
    Option("degree", "integer", 3, "Degree of the 'poly' kernel.", least=1),
    Option("coef0", "amount", 1.0, "Constant term of the 'poly' kernel."),
)
