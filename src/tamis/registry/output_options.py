"""Options of commands on what is printed and written: files, reports, the terminal."""

from tamis.registry.option import Door, Option

__all__ = ["OUTPUTS"]

_ANSWERS: tuple[Door, ...] = ("select", "score", "extract", "compare")

NO_FINGERPRINTS = Option(
    "no_fingerprints",
    "flag",
    False,
    "Omit the hashes of the files, by which one that comes again is known.",
    doors=("summarise", "merge"),
    role="output",
)
OUTPUT = Option(
    "output",
    "file",
    None,
    "Write the result to this file.",
    doors=("select", "extract", "summarise", "merge", "reconstruct"),
    short="o",
    placeholder="OUT",
    group="What comes out",
    texts=(
        ("select", "Write the kept columns to this file; - prints CSV."),
        ("extract", "Write the scores to this file; - prints CSV."),
        ("summarise", "Write the summary to this file (.tamis)."),
        ("merge", "Write the merged summary to this file (.tamis)."),
        ("reconstruct", "Write all columns to this file; - prints CSV."),
    ),
    role="output",
)
SAFE_CSV = Option(
    "safe_csv",
    "flag",
    False,
    "In CSV files, put ' before text that begins with = + - or @. A spreadsheet would run it as a "
    "formula; numbers stay as they are.",
    doors=("select", "extract", "reconstruct"),
    role="output",
)
REPORT = Option(
    "report",
    "file",
    None,
    "Write an HTML report to this file.",
    doors=(*_ANSWERS, "check"),
    placeholder="HTML",
    group="What comes out",
    role="output",
)
OPEN = Option(
    "open_page",
    "flag",
    False,
    "Open the report in the browser. Without --report it is a temporary file.",
    doors=_ANSWERS,
    flag="open",
    role="output",
)
TABLE = Option(
    "table",
    "file",
    None,
    "Write every column with its share and reason to this file. One row each: .csv, .tsv, .xlsx, "
    ".parquet or .feather.",
    doors=("select",),
    group="What comes out",
    role="output",
)
PLOTS_OPTION = Option(
    "plots",
    "file",
    (),
    "Draw the curve to this file (.svg, .png, .pdf). With fate: or map: before its name, the share "
    "of every column or the similarities. Repeatable.",
    doors=("select",),
    flag="plot",
    placeholder="[KIND:]FILE",
    many=True,
    group="What comes out",
    role="output",
)
JSON = Option(
    "as_json",
    "flag",
    False,
    "Print everything as JSON.",
    doors=(*_ANSWERS, "look", "check"),
    flag="json",
    group="What comes out",
    role="output",
)
QUIET = Option(
    "quiet",
    "flag",
    False,
    "Print only the kept names, one per line.",
    doors=("select",),
    short="q",
    group="What comes out",
    role="output",
)
ESTIMATE = Option(
    "estimate",
    "flag",
    False,
    "Only say what time and memory it would take on this machine, after a glance at the table.",
    doors=("select",),
    role="output",
)
TOP_OPTION = Option(
    "top",
    "integer",
    None,
    "How many dropped columns to list. Default: 10, least explained first.",
    doors=("select",),
    placeholder="N",
    role="output",
)
EVERYTHING = Option(
    "everything",
    "flag",
    False,
    "List every kept, dropped and skipped column.",
    doors=("select", "look"),
    texts=(("look", "List every column."),),
    flag="all",
    group="What comes out",
    role="output",
)
NO_ROWS = Option(
    "no_rows",
    "flag",
    False,
    "Omit values of single rows from the report.",
    doors=("select", "score", "extract"),
    role="output",
)
NO_GRAM = Option(
    "no_gram",
    "flag",
    False,
    "Omit the correlations of the columns from the report. It then has no map of them and cannot "
    "choose again.",
    doors=("select", "score"),
    role="output",
)

OUTPUTS = (
    NO_FINGERPRINTS,
    OUTPUT,
    SAFE_CSV,
    REPORT,
    OPEN,
    TABLE,
    PLOTS_OPTION,
    JSON,
    QUIET,
    ESTIMATE,
    TOP_OPTION,
    EVERYTHING,
    NO_ROWS,
    NO_GRAM,
)
