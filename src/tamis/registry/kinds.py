"""What the values of options are: how each kind is checked, described, typed and typed in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from os import PathLike
from typing import Any, Literal

from tamis.memory import LEAST, as_bytes

__all__ = ["KINDS", "OptionKind", "ValueKind", "as_plain", "is_one_of"]

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


@dataclass(frozen=True)
class ValueKind:
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


def as_plain(value: Any) -> Any:
    """Turn a scalar of NumPy or the like into Python's own; give back all else as it is."""
    is_scalar = getattr(value, "shape", None) == () and hasattr(value, "item")
    return value.item() if is_scalar else value


def is_one_of(value: Any, choice: Any) -> bool:
    """Whether this is the choice itself: True is not 1."""
    same_kind = isinstance(value, bool) == isinstance(choice, bool)
    return value is choice or (same_kind and isinstance(value, str | int) and value == choice)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_amount(value: Any) -> bool:
    return _is_number(value) and isfinite(value) and value >= 0


def _is_integer(value: Any) -> bool:
    is_scalar = hasattr(value, "__index__") and not hasattr(value, "__len__")
    return is_scalar and not isinstance(value, bool)


def _is_size(value: Any, least: int) -> bool:
    is_share = isinstance(value, float) and 0 < value < 1
    return is_share or (_is_integer(value) and value >= least)


def _is_learner(value: Any) -> bool:
    return hasattr(value, "fit") and hasattr(value, "get_params") and not isinstance(value, type)


def _is_list(value: Any) -> bool:
    return not isinstance(value, str) and hasattr(value, "__iter__")


def _is_price(value: Any) -> bool:
    return _is_number(value) and isfinite(value) and value > 0


def _convert_prices(value: Any) -> Any:
    """Make names and prices plain; an error names only the entries that have no price."""
    if not isinstance(value, Mapping):
        return value
    prices = {as_plain(column): as_plain(price) for column, price in value.items()}
    wrong = {column: price for column, price in prices.items() if not _is_price(price)}
    return wrong or prices


def _convert_weights(value: Any) -> Any:
    """Make names and weights plain; an error names only the entries that have none."""
    if not isinstance(value, Mapping):
        return value
    weights = {as_plain(column): as_plain(weight) for column, weight in value.items()}
    wrong = {column: weight for column, weight in weights.items() if not _is_amount(weight)}
    return wrong or weights


def _convert_groups(value: Any) -> Any:
    """Make a list of the columns of every group; an error names only those that have none."""
    if not isinstance(value, Mapping):
        return value
    groups = {as_plain(name): _convert_columns(columns) for name, columns in value.items()}
    wrong = {name: columns for name, columns in groups.items() if not _is_group(name, columns)}
    return wrong or groups


def _is_group(name: Any, columns: Any) -> bool:
    return isinstance(name, str) and _is_list(columns) and len(columns) > 0


def _is_count(value: Any) -> bool:
    return _is_integer(value) and value >= 0


def _convert_counts(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    return {as_plain(name): as_plain(count) for name, count in value.items()}


def _is_counts(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(name, str) and _is_count(count) for name, count in value.items())
    return _is_count(value)


def _is_axis(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        _is_number(place) and isfinite(place) for place in value.values()
    )


def _convert_columns(value: Any) -> Any:
    return [as_plain(column) for column in value] if _is_list(value) else value


def _convert_values(value: Any) -> Any:
    return [as_plain(one) for one in value] if _is_list(value) else [value]


def _convert_memory(value: Any) -> Any:
    return (as_bytes(value) or value) if isinstance(value, str) else value


KINDS: dict[OptionKind, ValueKind] = {
    "integer": ValueKind(
        lambda value, least, _: _is_integer(value) and value >= least,
        "an integer of at least {least}",
        int,
        "int",
    ),
    "size": ValueKind(
        lambda value, least, _: _is_size(value, least),
        "an integer of at least {least}, or a share of the columns below 1",
        int | float,
        "int or float",
    ),
    "number": ValueKind(
        lambda value, *_: _is_number(value) and isfinite(value), "a number", float, "float"
    ),
    "share": ValueKind(
        lambda value, *_: _is_number(value) and 0 < value <= 1,
        "a share above 0 and up to 1, such as 0.95",
        float,
        "float",
    ),
    "positive": ValueKind(
        lambda value, *_: _is_number(value) and value > 0, "a number above 0", float, "float"
    ),
    "amount": ValueKind(
        lambda value, *_: _is_amount(value),
        "a number of at least 0",
        float,
        "float",
    ),
    "tuned": ValueKind(
        lambda value, *_: value == "auto" if isinstance(value, str) else _is_amount(value),
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
        lambda value, *_: _is_list(value),
        "a list of column names or positions",
        Sequence[str | int],
        "sequence of column names or positions",
        "A,B",
        _convert_columns,
    ),
    "prices": ValueKind(
        lambda value, *_: isinstance(value, Mapping) and all(map(_is_price, value.values())),
        "columns by name or position, each with a price above 0",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "NAME=PRICE",
        _convert_prices,
    ),
    "weights": ValueKind(
        lambda value, *_: isinstance(value, Mapping) and all(map(_is_amount, value.values())),
        "columns by name or position, each with a weight of at least 0",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "NAME=WEIGHT",
        _convert_weights,
    ),
    "groups": ValueKind(
        lambda value, *_: (
            isinstance(value, Mapping)
            and len(value) > 0
            and all(_is_group(*pair) for pair in value.items())
        ),
        "groups by name, each with a list of column names, positions or patterns",
        Mapping[str, Sequence[str | int]],
        "mapping of group names to columns",
        "NAME=A,B",
        _convert_groups,
    ),
    "counts": ValueKind(
        lambda value, *_: _is_counts(value),
        "an integer of at least 0 for all groups, or one for each by name",
        int | Mapping[str, int],
        "int or mapping of group names to int",
        "[NAME=]N",
        _convert_counts,
    ),
    "axis": ValueKind(
        lambda value, *_: _is_axis(value),
        "columns by name or position, each with a number",
        Mapping[str | int, float],
        "mapping of column names or positions to float",
        "FILE",
        _convert_counts,
    ),
    "learner": ValueKind(
        lambda value, _, choices: (
            value in choices if isinstance(value, str) else _is_learner(value)
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
        lambda value, *_: _is_integer(value) and value >= LEAST,
        f"a size of at least {LEAST >> 20}MB, such as '1GB'",
        int | str,
        "int (bytes) or str",
        "SIZE",
        _convert_memory,
    ),
    "labels": ValueKind(
        lambda *_: True,
        "the name of a column, or one label for each row",
        Any,
        "column name or array",
        "COLUMN",
    ),
    "texts": ValueKind(
        lambda value, *_: not _is_number(value) and not isinstance(value, bool),
        "texts by column, or a table or file of two columns, names and texts",
        Any,
        "mapping of column names to texts, or a table or file of two columns",
        "FILE",
    ),
    "values": ValueKind(
        lambda value, *_: (
            _is_list(value) and all(_is_number(v) or isinstance(v, str) for v in value)
        ),
        "a number or a text, or a list of them",
        Any,
        "number, text or sequence of them",
        "VALUE",
        _convert_values,
    ),
    "text": ValueKind(lambda value, *_: isinstance(value, str), "a text", str, "str", "NAME"),
}
