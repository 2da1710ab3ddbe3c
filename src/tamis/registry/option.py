"""One thing a user can set, and the options that all methods share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from os import PathLike
from typing import Any, Literal

from tamis.errors import TamisError, or_none, spelled
from tamis.memory import LEAST, as_bytes

OptionKind = Literal[
    "integer",
    "size",
    "number",
    "share",
    "positive",
    "amount",
    "flag",
    "choice",
    "columns",
    "prices",
    "learner",
    "scoring",
    "file",
    "memory",
]

_TYPES: dict[OptionKind, tuple[Any, str]] = {
    "integer": (int, "int"),
    "size": (int | float, "int or float"),
    "number": (float, "float"),
    "share": (float, "float"),
    "positive": (float, "float"),
    "amount": (float, "float"),
    "flag": (bool, "bool"),
    "columns": (Sequence[str | int], "sequence of column names or positions"),
    "prices": (Mapping[str | int, float], "mapping of column names or positions to float"),
    "learner": (Any, "str or scikit-learn estimator"),
    "scoring": (Any, "str or callable"),
    "file": (Any, "path of a file"),
    "memory": (int | str, "int (bytes) or str"),
}


@dataclass(frozen=True)
class Option:
    """One thing a user can set, under the same name everywhere.

    `least` is the smallest integer. `reads` marks what is needed while the table is read, before
    the method proper. A learner is one of the `choices` or any scikit-learn estimator.
    """

    name: str
    kind: OptionKind
    default: Any
    about: str
    choices: tuple[Any, ...] = ()
    least: int = 0
    reads: bool = False

    def check(self, value: Any, name: str | None = None) -> Any:
        """Give `value` as a plain one, or raise a `TamisError` if this option does not take it."""
        if value is None and self.default is None:
            return None
        value = plain(value)
        if self.kind == "memory" and isinstance(value, str):
            value = as_bytes(value) or value
        if self.kind == "prices" and isinstance(value, Mapping):
            value = _unfit(value) or value
        if not self._takes(value):
            raise TamisError(f"{spelled(name or self.name, value)}: give {self.accepts}.")
        if self.kind == "choice":
            return next(choice for choice in self.choices if _is_same(value, choice))
        if self.kind == "prices":
            return {plain(column): plain(price) for column, price in value.items()}
        return [plain(column) for column in value] if self.kind == "columns" else value

    def _takes(self, value: Any) -> bool:
        match self.kind:
            case "integer":
                return _is_integer(value) and value >= self.least
            case "size":
                part = isinstance(value, float) and 0 < value < 1
                return part or (_is_integer(value) and value >= self.least)
            case "number":
                return _is_number(value) and isfinite(value)
            case "share":
                return _is_number(value) and 0 < value <= 1
            case "positive":
                return _is_number(value) and value > 0
            case "amount":
                return _is_number(value) and value >= 0
            case "flag":
                return isinstance(value, bool)
            case "choice":
                return any(_is_same(value, choice) for choice in self.choices)
            case "learner":
                return value in self.choices if isinstance(value, str) else _is_learner(value)
            case "scoring":
                return isinstance(value, str) or callable(value)
            case "memory":
                return _is_integer(value) and value >= LEAST
            case "file":
                return isinstance(value, str | PathLike)
            case "prices":
                return isinstance(value, Mapping) and not _unfit(value)
        return not isinstance(value, str) and hasattr(value, "__iter__")

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        text = {
            "integer": f"an integer of at least {self.least}",
            "size": f"an integer of at least {self.least}, or a share of the columns below 1",
            "number": "a number",
            "share": "a share above 0 and up to 1, such as 0.95",
            "positive": "a number above 0",
            "amount": "a number of at least 0",
            "flag": "True or False",
            "choice": " or ".join(repr(choice) for choice in self.choices),
            "columns": "a list of column names or positions",
            "prices": "columns by name or position, each with a price above 0",
            "learner": f"{' or '.join(map(repr, self.choices))} or a scikit-learn estimator",
            "scoring": "the name of a scikit-learn scorer, such as 'accuracy', or a function",
            "file": "the path of a file",
            "memory": f"a size of at least {LEAST >> 20}MB, such as '1GB'",
        }[self.kind]
        return or_none(text) if self.default is None else text

    @property
    def annotation(self) -> Any:
        """The type of its values, for a signature."""
        hint = Literal[self.choices] if self.kind == "choice" else _TYPES[self.kind][0]
        return hint | None if self.default is None and hint is not Any else hint

    @property
    def type(self) -> str:
        """The type of its values, for a docstring.

        >>> Option("norm", "choice", "l2", "Norm.", choices=("l1", "l2")).type
        '"l1" or "l2"'
        """
        text = _listed(self.choices) if self.kind == "choice" else _TYPES[self.kind][1]
        return f"{text} or None" if self.default is None else text


K = Option(
    "k", "size", None, "How many columns to keep: a number, or a share of them below 1.", least=1
)
RETAIN = Option(
    "retain",
    "share",
    None,
    "Keep as few columns as explain this share of the variance, or of the mutual information.",
)
INCLUDE = Option("include", "columns", (), "Columns that are always kept; they come first.")
EXCLUDE = Option("exclude", "columns", (), "Columns to skip, as if they were not in the table.")
CATEGORIES = Option(
    "categories", "columns", (), "Columns of codes: take their numbers as categories."
)
NUMBERS = Option(
    "numbers",
    "columns",
    (),
    "Columns of amounts such as '€ 1,234.50': take as numbers.",
)
COLUMNS = Option("columns", "columns", None, "Analyse only these columns.")
SCALE = Option(
    "scale", "flag", None, "Standardise the columns first (mean 0, standard deviation 1)."
)
REFINE = Option(
    "refine",
    "choice",
    False,
    "Swap columns until no swap explains more; 'exact' finds the best set (up to 64 columns).",
    choices=(False, True, "exact"),
)
MISSING = Option(
    "missing",
    "choice",
    "error",
    "Missing values: stop with an error, fill with the mean, drop rows with missing values, "
    "take as a category, or 'auto': the mean for numbers, a category for text; infinite values "
    "count as missing.",
    choices=("error", "mean", "drop", "category", "auto"),
)

TASK = Option(
    "task",
    "choice",
    "auto",
    "What the labels are: classes, or numbers to predict; 'auto' decides, or stops with a message "
    "if that is not clear.",
    choices=("auto", "classification", "regression"),
)
HELD_OUT = Option(
    "held_out",
    "flag",
    False,
    "Also measure the share explained on held-out rows. There are 10 folds; in each columns are "
    "selected again.",
)
BUDGET = Option("budget", "positive", None, "Stop after so many seconds, with the results so far.")
STABILITY = Option(
    "stability",
    "flag",
    False,
    "Also measure how stable the choice is. That is how often each column is kept on half the "
    "rows, and what could replace it.",
)

MEMORY = Option(
    "memory",
    "memory",
    None,
    "Memory limit for reading, such as 1GB; the summary of the table comes on top. Default: "
    "a quarter of the machine's memory, at least 1GB.",
)
MIN_ROWS = Option(
    "min_rows",
    "integer",
    1,
    "Write nothing if there are fewer rows: from a summary of few rows they can be guessed. "
    "Blocks of rows are put together until each has as many.",
    least=1,
)
SKIP_CORRUPT = Option(
    "skip_corrupt",
    "flag",
    False,
    "Skip damaged files and row groups, and list them in the result.",
)


def written(value: Any) -> str:
    """Write a value as in code."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def plain(value: Any) -> Any:
    """Turn a scalar of NumPy or the like into Python's own; give back all else as it is."""
    is_scalar = getattr(value, "shape", None) == () and hasattr(value, "item")
    return value.item() if is_scalar else value


def _listed(choices: Sequence[Any]) -> str:
    *most, last = map(written, choices)
    return f"{', '.join(most)} or {last}"


def _is_same(value: Any, choice: Any) -> bool:
    return value is choice or (isinstance(value, str | int) and value == choice)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unfit(prices: Mapping[Any, Any]) -> dict[Any, Any]:
    """Give the entries whose price is none."""
    kinds = {column: plain(price) for column, price in prices.items()}
    return {c: p for c, p in kinds.items() if not (_is_number(p) and isfinite(p) and p > 0)}


def _is_learner(value: Any) -> bool:
    return hasattr(value, "fit") and hasattr(value, "get_params") and not isinstance(value, type)


def _is_integer(value: Any) -> bool:
    is_scalar = hasattr(value, "__index__") and not hasattr(value, "__len__")
    return is_scalar and not isinstance(value, bool)
