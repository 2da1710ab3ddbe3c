"""The one table of the options that functions and commands share.

A field of `Shared` and its `Option` say all there is to say about one: the keyword, the flag, its
help, its check, the line that repeats a call. What uses it reads it off a `Request`, which is a
`Shared` that has been checked. Others ask a `Scale` and never compare its word: what it does to
rows, and how a table of counts is known, is in `statistics/scaled_source.py`.
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, Self

from tamis.registry.missing_policy import MAX_MISSING, MISSING, MISSING_NUMBERS
from tamis.registry.option import Door, Option
from tamis.values import dataclass


class Scale(StrEnum):
    """A way to make columns comparable; it is also the word for it, in calls and answers.

    >>> Scale.of(True).divides, Scale.of("counts").divides
    (True, False)
    """

    AUTO = "auto"
    STANDARD = "standard"
    NONE = "none"
    PARETO = "pareto"
    COUNTS = "counts"

    __repr__ = str.__repr__  # a call that repeats an answer shows the word alone

    @classmethod
    def of(cls, word: bool | str | None) -> Self:
        """Give the scale for a word: True is the standard one, False and None are none."""
        if isinstance(word, str):
            return cls(word)
        return cls("standard" if word else "none")

    @property
    def asked(self) -> bool | str:
        """How a call asks for it, in the shortest way."""
        return {Scale.STANDARD: True, Scale.NONE: False}.get(self, self.value)

    @property
    def divides(self) -> bool:
        """Whether every column is divided by its standard deviation."""
        return self is Scale.STANDARD

    @property
    def looks(self) -> bool:
        """Whether the table decides between two others."""
        return self is Scale.AUTO

    @property
    def takes_roots(self) -> bool:
        """Whether every column is divided by the root of its standard deviation."""
        return self is Scale.PARETO

    @property
    def counts(self) -> bool:
        """Whether values are counts: divided by the size of their row, then log1p."""
        return self is Scale.COUNTS

    @property
    def rewrites(self) -> bool:
        """Whether the rows are written anew before they are summed up."""
        return self.takes_roots or self.counts

    @property
    def holds_for_new_rows(self) -> bool:
        """Whether the means and deviations of columns say all that is to be done to a new row."""
        return self in (Scale.STANDARD, Scale.NONE)


SCALE_WORDS: tuple[bool | str, ...] = (True, False, *(scale.value for scale in Scale))


COLUMN_DOORS: tuple[Door, ...] = ("select", "score", "compare")
NUMBER_DOORS: tuple[Door, ...] = ("extract", "summarise")
READING_DOORS: tuple[Door, ...] = ("select", "score", "extract")
TABLE_DOORS = (*COLUMN_DOORS, *NUMBER_DOORS)


_columns = partial(Option, kind="columns", default=(), group="Which columns")
_switch = partial(Option, kind="flag", default=False)

CATEGORIES = _columns(
    "categories",
    about="Columns of codes: take their numbers as categories.",
    doors=(*COLUMN_DOORS, "extract"),
)
NUMBERS = _columns(
    "numbers",
    about="Columns of amounts such as '€ 1,234.50': take as numbers.",
    doors=(*COLUMN_DOORS, "extract"),
)
NA = Option(
    "na",
    "values",
    (),
    "Take this value as missing: -999, or COLUMN=-999. Repeatable; 'none' takes every value as it "
    "is.",
    doors=(*COLUMN_DOORS, "extract", "look"),
    group="How",
    placeholder="VALUE",
)
NAMES = Option(
    "names",
    "texts",
    None,
    "What the columns mean: a file with two columns, names and texts (questions, descriptions, "
    "units).",
    doors=("select", "score", "look"),
    role="output",
)
MEMORY = Option(
    "memory",
    "memory",
    None,
    "Memory limit for reading, such as 1GB; the summary of the table comes on top. Default: "
    "a quarter of the machine's memory, at least 1GB.",
    doors=(*READING_DOORS, "summarise", "merge", "look"),
    role="work",
)
SKIP_CORRUPT = _switch(
    "skip_corrupt",
    about="Skip damaged files and row groups, and list them in the result.",
    doors=(*READING_DOORS, "look"),
)

_DOORS = tuple(door for door in READING_DOORS if door != "extract")

ROW_GROUPS = Option(
    "row_groups",
    "labels",
    None,
    "Column that says which rows belong together, such as a patient or a plate: they are held out "
    "together. It is not analysed.",
    doors=_DOORS,
)
ORDERED = _switch(
    "ordered",
    about="The rows follow one another, as in time: hold out stretches of them.",
    doors=_DOORS,
)
WEIGHTS = Option(
    "weights",
    "labels",
    None,
    "Column with the weight of every row; an integer counts as so many rows. It is not analysed.",
    doors=(*_DOORS, "summarise"),
    texts=(("summarise", "Column with how many rows each row stands for: integers."),),
)
ROW_OPTIONS = (ROW_GROUPS, ORDERED, WEIGHTS)

Columns = Sequence[str | int]


_SCALE = (
    "How to make columns comparable: standard (mean 0, standard deviation 1; alone, --scale means "
    "it), none (centred only), pareto (divided by the root of the standard deviation), counts "
    "(divided by the sum of the row, then log1p), auto (counts for a table of sparse counts, else "
    "standard). The default depends on the method."
)
K = Option(
    "k",
    "size",
    None,
    "How many columns to keep: a number, or a share of them below 1.",
    least=1,
    doors=("select", "extract"),
    group="How many",
    placeholder="N",
    texts=(
        (
            "select",
            "How many columns to keep; 'auto' finds a number. It comes with an interval; a number "
            "below 1 is a share of the columns.",
        ),
        ("extract", "Number of components."),
    ),
)
RETAIN = Option(
    "retain",
    "share",
    None,
    "Keep as few columns as explain this share of the variance, or of the mutual information.",
    doors=("select", "extract"),
    group="How many",
    placeholder="SHARE",
    texts=(
        (
            "select",
            "Or what to explain, such as 0.95. Keep as few columns as explain this share of the "
            "variance of held-out rows (of all rows where these are not measured), or of the "
            "mutual information. Without -k and --retain: 0.95 (mutual information: 0.5), or the "
            "default of the method's own rule.",
        ),
        (
            "extract",
            "Or the share to explain with the fewest components. Default: 0.95 (discriminant "
            "methods: all).",
        ),
    ),
)
RULE = Option(
    "rule",
    "choice",
    "ceil",
    "Keep the fewest components that reach the share, or the most that do not exceed it.",
    choices=("ceil", "floor"),
    doors=("extract",),
)
Y = Option(
    "y",
    "labels",
    None,
    "Column with labels.",
    doors=(*COLUMN_DOORS, "extract"),
    flag="target",
    group="Which columns",
    many=True,
    texts=(
        (
            "select",
            "Column with labels, for methods that learn; or 'clusters' (of the rows). Several, as "
            "A,B or repeated, are several responses.",
        ),
        (
            "score",
            "Column to predict. It is not analysed; a linear model on the listed columns predicts "
            "it on held-out rows.",
        ),
        ("compare", "Column with labels, for supervised methods."),
        (
            "extract",
            "Column with classes, for discriminants and colours. Discriminants need it, or "
            "'clusters' (of the rows); for other methods it colours the report.",
        ),
    ),
)
TASK = Option(
    "task",
    "choice",
    "auto",
    "What the labels are: classes, or numbers to predict; 'auto' decides, or stops with a message "
    "if that is not clear.",
    choices=("auto", "classification", "regression"),
    doors=("select", "compare"),
)
COLUMNS = Option(
    "columns",
    "columns",
    None,
    "Analyse only these columns.",
    doors=TABLE_DOORS,
    group="Which columns",
    texts=(("score", "The columns to evaluate."),),
)
EXCLUDE = _columns(
    "exclude", about="Columns to skip, as if they were not in the table.", doors=TABLE_DOORS
)
INCLUDE = _columns(
    "include", about="Columns that are always kept; they come first.", doors=("select",)
)
SCALE = Option(
    "scale",
    "choice",
    None,
    "Standardise the columns (True or 'standard'), only centre them (False or 'none'), divide them "
    "by the root of their standard deviation ('pareto'), take counts as logarithms by the sum of "
    "their row ('counts'), or do so where the table is one of sparse counts, and else standardise "
    "('auto').",
    choices=SCALE_WORDS,
    doors=READING_DOORS,
    texts=tuple((door, _SCALE) for door in READING_DOORS),
    words=((True, "standard"), (False, "none")),
    switch=True,
)
SCALE_SWITCH = replace(
    SCALE,
    kind="flag",
    about="Standardise the columns first (mean 0, standard deviation 1).",
    choices=(),
    switch=False,
)
REFINE = Option(
    "refine",
    "choice",
    False,
    "Swap columns until no swap explains more; 'exact' finds the best set (up to 64 columns).",
    choices=(False, True, "exact"),
    doors=("select",),
    words=((True, "swap"),),
    texts=(
        (
            "select",
            "swap: exchange columns until no exchange explains more; exact: find the best set and "
            "prove it (up to 64 columns).",
        ),
    ),
)
HELD_OUT = Option(
    "held_out",
    "flag",
    None,
    "Measure the share explained on held-out rows. There are 10 folds; in each columns are "
    "selected again. Default: wherever the default method can, without another read. Where it is "
    "measured, `retain` goes by it.",
    doors=("select", "score"),
    group="How",
)
STABILITY = _switch(
    "stability",
    about="Also measure how stable the choice is. That is how often each column is kept on half "
    "the rows, and what could replace it.",
    doors=("select", "score"),
    group="How",
)
SECOND_OPINION = _switch(
    "second_opinion",
    about="Let trees predict the least explained columns, too. What they predict on held-out rows "
    "stands beside what a linear model does.",
    doors=("select", "score"),
)
MIN_ROWS = Option(
    "min_rows",
    "integer",
    1,
    "Write nothing if there are fewer rows: from a summary of few rows they can be guessed. "
    "Blocks of rows are put together until each has as many.",
    least=1,
    doors=("summarise", "merge"),
    placeholder="N",
    role="output",
)
CHECKPOINT = Option(
    "checkpoint",
    "file",
    None,
    "Write progress to this file; the same command resumes from it. Linear methods save the "
    "pass over the rows (.tamis), wrappers their search and `compare` its figures (JSON).",
    doors=("select", "summarise", "compare"),
    role="work",
)
BUDGET = Option(
    "budget",
    "positive",
    None,
    "Stop after so many seconds, with the results so far.",
    doors=("compare",),
    placeholder="SECONDS",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Shared:
    """What is asked of a table, at whatever door; each field with its option.

    The order is that of the line that repeats a call.
    """

    k: Annotated[Any, K] = K.default
    retain: Annotated[float | None, RETAIN] = RETAIN.default
    columns: Annotated[Columns | None, COLUMNS] = COLUMNS.default
    exclude: Annotated[Columns, EXCLUDE] = EXCLUDE.default
    include: Annotated[Columns, INCLUDE] = INCLUDE.default
    y: Annotated[Any, Y] = Y.default
    task: Annotated[str, TASK] = TASK.default
    categories: Annotated[Columns, CATEGORIES] = CATEGORIES.default
    numbers: Annotated[Columns, NUMBERS] = NUMBERS.default
    na: Annotated[Sequence[Any], NA] = NA.default
    names: Annotated[Any, NAMES] = NAMES.default
    scale: Annotated[bool | str | None, SCALE] = SCALE.default
    refine: Annotated[bool | str, REFINE] = REFINE.default
    rule: Annotated[str, RULE] = RULE.default
    missing: Annotated[str, MISSING] = MISSING.default
    max_missing: Annotated[float, MAX_MISSING] = MAX_MISSING.default
    memory: Annotated[int | None, MEMORY] = MEMORY.default
    skip_corrupt: Annotated[bool, SKIP_CORRUPT] = SKIP_CORRUPT.default
    held_out: Annotated[bool | None, HELD_OUT] = HELD_OUT.default
    stability: Annotated[bool, STABILITY] = STABILITY.default
    second_opinion: Annotated[bool, SECOND_OPINION] = SECOND_OPINION.default
    row_groups: Annotated[Any, ROW_GROUPS] = ROW_GROUPS.default
    ordered: Annotated[bool, ORDERED] = ORDERED.default
    weights: Annotated[Any, WEIGHTS] = WEIGHTS.default
    checkpoint: Annotated[Any, CHECKPOINT] = CHECKPOINT.default


SHARED: dict[str, Option] = {
    name: hint.__metadata__[0] for name, hint in Shared.__annotations__.items()
}


def list_shared(door: Door) -> tuple[Option, ...]:
    """List the shared options that a door takes; where no text is analysed, it is no category."""
    taken = [option for option in (*SHARED.values(), MIN_ROWS, BUDGET) if door in option.doors]
    numbers = door in NUMBER_DOORS
    return tuple(MISSING_NUMBERS if numbers and one is MISSING else one for one in taken)
