"""Shared options that say how a table is read: missing values, kinds of columns, memory."""

from tamis.registry.option import Door, Option

__all__ = [
    "CATEGORIES",
    "COLUMN_DOORS",
    "MEMORY",
    "NA",
    "NAMES",
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


CATEGORIES = Option(
    "categories",
    "columns",
    (),
    "Columns of codes: take their numbers as categories.",
    doors=(*COLUMN_DOORS, "extract"),
    group="Which columns",
)
NUMBERS = Option(
    "numbers",
    "columns",
    (),
    "Columns of amounts such as '€ 1,234.50': take as numbers.",
    doors=(*COLUMN_DOORS, "extract"),
    group="Which columns",
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
SKIP_CORRUPT = Option(
    "skip_corrupt",
    "flag",
    False,
    "Skip damaged files and row groups, and list them in the result.",
    doors=(*READING_DOORS, "look"),
)
