"""What the values of options are: how each kind is checked, described, typed and typed in."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from os import PathLike
from typing import Any, Literal, NamedTuple

from tamis.memory import LEAST
from tamis.registry.value_checks import (
    convert_columns,
    convert_counts,
    convert_groups,
    convert_memory,
    convert_prices,
    convert_values,
    convert_weights,
    is_amount,
    is_axis,
    is_counts,
    is_group,
    is_integer,
    is_learner,
    is_list,
    is_one_of,
    is_price,
    is_real_number,
    is_size,
    is_value,
)

__all__ = ["KINDS", "OptionKind", "ValueKind"]

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
        lambda value, least, _: is_size(value, least),
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
        lambda value, *_: is_amount(value),
        "a number of at least 0",
        float,
        "float",
    ),
    "tuned": ValueKind(
        lambda value, *_: value == "auto" if isinstance(value, str) else is_amount(value),
        "'auto' or a number of at least 0",
        float | str,
        'float or "auto"',
        "NUMBER",
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
        convert_prices,
    ),
    "weights": ValueKind(
        lambda value, *_: isinstance(value, Mapping) and all(map(is_amount, value.values())),
        "columns by name or position, each with a weight of at least 0",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "NAME=WEIGHT",
        convert_weights,
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
        lambda value, *_: is_counts(value),
        "an integer of at least 0 for all groups, or one for each by name",
        int | Mapping[str, int],
        "int or mapping of group names to int",
        "[NAME=]N",
        convert_counts,
    ),
    "axis": ValueKind(
        lambda value, *_: is_axis(value),
        "columns by name or position, each with a number",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "FILE",
        convert_counts,
    ),
    "learner": ValueKind(
        lambda value, _, choices: value in choices if isinstance(value, str) else is_learner(value),
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
        convert_memory,
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
        lambda value, *_: is_list(value) and all(map(is_value, value)),
        "a number or a text, or a list of them",
        Any,
        "number, text or sequence of them",
        "VALUE",
        convert_values,
    ),
    "text": ValueKind(lambda value, *_: isinstance(value, str), "a text", str, "str", "NAME"),
}
