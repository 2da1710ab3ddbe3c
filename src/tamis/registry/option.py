"""One thing a user can set, and the options that all methods share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tamis.errors import TamisError, or_none, spelled
from tamis.registry.kinds import KINDS, OptionKind, as_plain, is_one_of


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
        kind = KINDS[self.kind]
        value = kind.convert(as_plain(value))
        if not kind.takes(value, self.least, self.choices):
            raise TamisError(f"{spelled(name or self.name, value)}: give {self.accepts}.")
        if self.kind == "choice":
            return next(choice for choice in self.choices if is_one_of(value, choice))
        return value

    @property
    def accepts(self) -> str:
        """What may be given, in words."""
        choices = " or ".join(map(repr, self.choices))
        text = KINDS[self.kind].accepts.format(least=self.least, choices=choices)
        return or_none(text) if self.default is None else text

    @property
    def annotation(self) -> Any:
        """The type of its values, for a signature."""
        hint = Literal[self.choices] if self.kind == "choice" else KINDS[self.kind].hint
        return hint | None if self.default is None and hint is not Any else hint

    @property
    def type(self) -> str:
        """The type of its values, for a docstring.

        >>> Option("norm", "choice", "l2", "Norm.", choices=("l1", "l2")).type
        '"l1" or "l2"'
        """
        text = _listed(self.choices) if self.kind == "choice" else KINDS[self.kind].type
        return f"{text} or None" if self.default is None else text

    @property
    def metavar(self) -> str:
        """What stands for its value on the command line."""
        return KINDS[self.kind].metavar


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
SKIP_CORRUPT = Option(
    "skip_corrupt",
    "flag",
    False,
    "Skip damaged files and row groups, and list them in the result.",
)


def written(value: Any) -> str:
    """Write a value as in code."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _listed(choices: Sequence[Any]) -> str:
    *most, last = map(written, choices)
    return f"{', '.join(most)} or {last}"
