"""What is asked of the values of options, and how they are made plain before."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from tamis.memory import as_bytes


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


def is_value(value: Any) -> bool:
    """Whether this is a number or a text."""
    return is_real_number(value) or isinstance(value, str)


def is_amount(value: Any) -> bool:
    """Whether this is a finite number of at least 0."""
    return is_real_number(value) and isfinite(value) and value >= 0


def is_integer(value: Any) -> bool:
    """Whether this is one integer, of Python or of NumPy."""
    is_scalar = hasattr(value, "__index__") and not hasattr(value, "__len__")
    return is_scalar and not isinstance(value, bool)


def is_size(value: Any, least: int) -> bool:
    """Whether this is a number of columns, or a share of them."""
    is_share = isinstance(value, float) and 0 < value < 1
    return is_share or (is_integer(value) and value >= least)


def is_learner(value: Any) -> bool:
    """Whether this is an estimator as scikit-learn has them, not its class."""
    return hasattr(value, "fit") and hasattr(value, "get_params") and not isinstance(value, type)


def is_list(value: Any) -> bool:
    """Whether this holds several values; a text is one."""
    return not isinstance(value, str) and hasattr(value, "__iter__")


def is_price(value: Any) -> bool:
    """Whether this is a finite number above 0."""
    return is_real_number(value) and isfinite(value) and value > 0


def convert_prices(value: Any) -> Any:
    """Make names and prices plain; an error names only the entries that have no price."""
    return _convert_numbers(value, is_price)


def convert_weights(value: Any) -> Any:
    """Make names and weights plain; an error names only the entries that have none."""
    return _convert_numbers(value, is_amount)


def _convert_numbers(value: Any, is_fit: Callable[[Any], bool]) -> Any:
    """Make columns and their numbers plain; give only the unfit ones if there are any."""
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


def convert_counts(value: Any) -> Any:
    """Make names and counts plain."""
    if not isinstance(value, Mapping):
        return value
    return {as_plain(name): as_plain(count) for name, count in value.items()}


def is_counts(value: Any) -> bool:
    """Whether this is a count, or one for each of several names."""
    if isinstance(value, Mapping):
        return all(isinstance(name, str) and _is_count(count) for name, count in value.items())
    return _is_count(value)


def is_axis(value: Any) -> bool:
    """Whether this has a number for each column."""
    return isinstance(value, Mapping) and all(
        is_real_number(place) and isfinite(place) for place in value.values()
    )


def convert_columns(value: Any) -> Any:
    """Make the names or positions of columns plain."""
    return [as_plain(column) for column in value] if is_list(value) else value


def convert_values(value: Any) -> Any:
    """Make a list of one or several values."""
    return [as_plain(one) for one in value] if is_list(value) else [value]


def convert_memory(value: Any) -> Any:
    """Give a size such as 1GB in bytes."""
    return (as_bytes(value) or value) if isinstance(value, str) else value
