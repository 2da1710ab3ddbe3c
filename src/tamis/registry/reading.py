"""Shared options that say how a table is read: missing values, kinds of columns, memory."""

from dataclasses import replace

from tamis.registry.option import Door, Option

__all__ = [
    "CATEGORIES",
    "COLUMN_DOORS",
    "MEMORY",
    "MISSING",
    "MISSING_NUMBERS",
    "NA",
    "NUMBERS",
    "NUMBER_DOORS",
    "READING_DOORS",
    "SKIP_CORRUPT",
    "TABLE_DOORS",
]

COLUMN_DOORS: tuple[Door, ...] = ("select", "score", "compare")
NUMBER_DOORS: tuple[Door, ...] = ("extract", "summarise")
READING_DOORS: tuple[Door, ...] = ("select", "score", "extract")
TABLE_DOORS = (*COLUMN_DOORS, *NUMBER_DOORS)


_MISSING_VALUES = (
    "Missing values: error, auto, mean, drop or category. In words: stop with a message (error), "
    "fill, numbers with the column mean and text with a category of its own, and take infinite "
    "values as missing (auto), fill with the column mean (mean), drop rows with missing values "
    "(drop), count as a category (category; in place of mean, for methods on mutual information "
    "or class counts). Default: error, or auto where the default method analyses text."
)
_MISSING_NUMBERS = (
    "Missing values: error, mean or drop. In words: stop with a message (error), fill with the "
    "column mean (mean), drop rows with missing values (drop). Default: error."
)

CATEGORIES = Option(
    "categories",
    "columns",
    (),
    "Columns of codes: take their numbers as categories.",
    doors=COLUMN_DOORS,
    group="Which columns",
)
NUMBERS = Option(
    "numbers",
    "columns",
    (),
    "Columns of amounts such as '€ 1,234.50': take as numbers.",
    doors=COLUMN_DOORS,
    group="Which columns",
)
NA = Option(
    "na",
    "values",
    (),
    "Take this value as missing: -999, or COLUMN=-999. Repeatable; 'none' takes every value as it "
    "is.",
    doors=(*COLUMN_DOORS, "look"),
    group="How",
    placeholder="VALUE",
)
MISSING = Option(
    "missing",
    "choice",
    "error",
    "Missing values: stop with an error, fill with the mean, drop rows with missing values, "
    "take as a category, or 'auto': the mean for numbers, a category for text; infinite values "
    "count as missing.",
    choices=("error", "mean", "drop", "category", "auto"),
    doors=TABLE_DOORS,
    group="How",
    placeholder="HOW",
    texts=tuple((door, _MISSING_VALUES) for door in COLUMN_DOORS),
)
MISSING_NUMBERS = replace(
    MISSING,
    choices=("error", "mean", "drop"),
    texts=tuple((door, _MISSING_NUMBERS) for door in NUMBER_DOORS),
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
SKIP_CORRUPT = Option(
    "skip_corrupt",
    "flag",
    False,
    "Skip damaged files and row groups, and list them in the result.",
    doors=(*READING_DOORS, "look"),
)
