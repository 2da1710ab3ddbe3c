"""One thing a user can set, and the options that all methods share."""

from dataclasses import dataclass
from typing import Any

from tamis.errors import TamisError, or_none, spelled


@dataclass(frozen=True)
class Option:
    """One thing a user can set, under the same name everywhere.

    `kind` is one of whole, share, positive, amount, flag, choice, columns; `least` is the smallest
    whole number. `reads` marks what is needed while the table is read, before the method proper.
    """

    name: str
    kind: str
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
        if not self._takes(value):
            raise TamisError(f"{spelled(name or self.name, value)}: give {self.accepts}.")
        if self.kind == "choice":
            return next(choice for choice in self.choices if _is_same(value, choice))
        return [plain(column) for column in value] if self.kind == "columns" else value

    def _takes(self, value: Any) -> bool:
        match self.kind:
            case "whole":
                return _is_whole(value) and value >= self.least
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
        return not isinstance(value, str) and hasattr(value, "__iter__")

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        text = {
            "whole": f"a whole number of at least {self.least}",
            "share": "a share above 0 and up to 1, such as 0.95",
            "positive": "a number above 0",
            "amount": "a number of at least 0",
            "flag": "True or False",
            "choice": " or ".join(repr(choice) for choice in self.choices),
            "columns": "a list of column names or positions",
        }[self.kind]
        return or_none(text) if self.default is None else text


K = Option("k", "whole", None, "How many columns to keep.", least=1)
RETAIN = Option("retain", "share", None, "Keep as few columns as reproduce this share of variance.")
INCLUDE = Option("include", "columns", (), "Columns that must stay; they are taken first.")
EXCLUDE = Option("exclude", "columns", (), "Columns left out, as if they were not in the table.")
COLUMNS = Option("columns", "columns", None, "The only columns to look at.")
SCALE = Option("scale", "flag", None, "Bring all columns to the same spread first.")
REFINE = Option(
    "refine",
    "choice",
    False,
    "Swap columns until no swap helps; 'exact' proves the best set (small tables).",
    (False, True, "exact"),
)
MISSING = Option(
    "missing",
    "choice",
    "error",
    "Missing values: refuse, fill with the mean, look at whole rows only, or take as a category.",
    ("error", "mean", "drop", "category"),
)


def plain(value: Any) -> Any:
    """Turn a scalar of NumPy or the like into Python's own; give back all else as it is."""
    is_scalar = getattr(value, "shape", None) == () and hasattr(value, "item")
    return value.item() if is_scalar else value


def _is_same(value: Any, choice: Any) -> bool:
    return value is choice or (isinstance(value, str | int) and value == choice)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    is_scalar = hasattr(value, "__index__") and not hasattr(value, "__len__")
    return is_scalar and not isinstance(value, bool)
