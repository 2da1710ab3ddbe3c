"""Options on how a file is laid out: what its text, its sheets, lines and layers are."""

from tamis.registry.option import Door, Option

__all__ = ["LAYOUT"]

_TABLE_DOORS: tuple[Door, ...] = (
    *("select", "score", "extract", "compare", "summarise", "look"),
    *("check", "reconstruct"),
)

DELIMITER = Option(
    "delimiter",
    "text",
    None,
    "What separates values in a text file, or 'tab'. By default it is found.",
    doors=_TABLE_DOORS,
    placeholder="CHAR",
)
NO_HEADER = Option(
    "no_header",
    "flag",
    False,
    "The first line has values, not names. Columns are then called x0, x1, ...",
    doors=_TABLE_DOORS,
)
SHEET = Option(
    "sheet",
    "text",
    None,
    "Sheet of a workbook. Its name or its number; the first one by default. Of an .RData file, the "
    "name of the table.",
    doors=_TABLE_DOORS,
)
ENCODING = Option(
    "encoding",
    "text",
    None,
    "Encoding of a text file, such as cp1252 or utf-16. By default it is found.",
    doors=_TABLE_DOORS,
    placeholder="NAME",
)
SKIP_LINES = Option(
    "skip_lines",
    "text",
    None,
    "Lines of a text file that are no rows, such as 2,3. By default titles, units, second headers "
    "and totals are skipped, which is said; 'none' reads all lines.",
    doors=_TABLE_DOORS,
    placeholder="2,3",
)
LAYER = Option(
    "layer",
    "text",
    None,
    "Layer of an AnnData file to read in place of X; 'raw' is raw.X.",
    doors=_TABLE_DOORS,
    placeholder="NAME",
)
TRANSPOSE = Option(
    "transpose",
    "flag",
    None,
    "The variables are in rows, the observations in columns. Where a table looks so, it is asked.",
    doors=_TABLE_DOORS,
)

LAYOUT = (DELIMITER, NO_HEADER, SHEET, ENCODING, SKIP_LINES, LAYER, TRANSPOSE)
