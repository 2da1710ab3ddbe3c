"""One thing a user can set, and the options that all methods share."""

from dataclasses import dataclass
from typing import Any

from tamis.errors import TamisError, spelled


@dataclass(frozen=True)
class Option:
    """One thing a user can set, under the same name everywhere.

    `kind` is one of whole, share, positive, flag, choice, columns; `least` is the smallest whole
    number. `reads` marks what is needed while the table is read, before the method proper.
    """

    name: str
    kind: str
    default: Any
    about: str
    choices: tuple[Any, ...] = ()
    least: int = 0
    reads: bool = False

    def check(self, value: Any, name: str | None = None) -> None:
        """Raise a `TamisError` unless `value` is one this option takes."""
        if value is None and self.default is None:
            return
        accepted = {
            "whole": _is_whole(value) and value >= self.least,
            "share": _is_number(value) and 0 < value <= 1,
            "positive": _is_number(value) and value > 0,
            "flag": isinstance(value, bool) or type(value).__name__ == "bool_",
            "choice": any(value is c or value == c for c in self.choices),
            "columns": not isinstance(value, str) and hasattr(value, "__iter__"),
        }
        if not accepted[self.kind]:
            raise TamisError(f"{spelled(name or self.name, value)}: give {self.accepts}.")

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        text = {
            "whole": f"a whole number of at least {self.least}",
            "share": "a share above 0 and up to 1, such as 0.95",
            "positive": "a number above 0",
            "flag": "True or False",
            "choice": " or ".join(repr(choice) for choice in self.choices),
            "columns": "a list of column names or positions",
        }[self.kind]
        return f"{text}, or None" if self.default is None else text


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


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)
