"""Options that only commands have: methods to compare, summaries, saved choices."""

import csv
import io
import shlex
from functools import cache, partial
from typing import Any, get_args

from tamis.registry import METHODS
from tamis.registry.option import Door, Option
from tamis.registry.shared import list_shared

_TABLE_DOORS: tuple[Door, ...] = (
    *("select", "score", "extract", "compare", "summarise", "look"),
    *("check", "reconstruct"),
)

_layout = partial(Option, kind="text", default=None, doors=_TABLE_DOORS)
_switch = partial(Option, kind="flag", default=False)
_shown = partial(_switch, role="output")  # what is shown or written, whatever the answer
_file = partial(Option, kind="file", default=None, role="output")

LAYOUT = (
    _layout(
        "delimiter",
        about="What separates values in a text file, or 'tab'. By default it is found.",
        placeholder="CHAR",
    ),
    _switch(
        "no_header",
        about="The first line has values, not names. Columns are then called x0, x1, ...",
        doors=_TABLE_DOORS,
    ),
    _layout(
        "sheet",
        about="Sheet of a workbook. Its name or its number; the first one by default. Of an "
        ".RData file, the name of the table.",
    ),
    _layout(
        "encoding",
        about="Encoding of a text file, such as cp1252 or utf-16. By default it is found.",
        placeholder="NAME",
    ),
    _layout(
        "skip_lines",
        about="Lines of a text file that are no rows, such as 2,3. By default titles, units, "
        "second headers and totals are skipped, which is said; 'none' reads all lines.",
        placeholder="2,3",
    ),
    _layout(
        "layer",
        about="Layer of an AnnData file to read in place of X; 'raw' is raw.X.",
        placeholder="NAME",
    ),
    Option(
        "transpose",
        "flag",
        None,
        "The variables are in rows, the observations in columns. Where a table looks so, it is "
        "asked.",
        doors=_TABLE_DOORS,
    ),
)

_ANSWERS: tuple[Door, ...] = ("select", "score", "extract", "compare")

LISTS_OPTION = Option(
    "lists",
    "groups",
    None,
    "A list of your own, compared beside the methods: NAME=A,B or NAME=@FILE. Repeatable.",
    doors=("compare",),
    flag="list",
    placeholder="NAME=A,B",
    many=True,
    group="Which columns",
)
MIN_SHARE = Option(
    "min_share",
    "share",
    None,
    "Fail where the kept columns explain less than this share of the new rows.",
    doors=("check",),
    placeholder="SHARE",
    group="How",
)
MAX_FALL = Option(
    "max_fall",
    "share",
    None,
    "Fail where that share is lower than before by more than this.",
    doors=("check",),
    placeholder="SHARE",
    group="How",
)

_COMMAND = (
    LISTS_OPTION,
    Option(
        "k",
        "columns",
        (),
        "Numbers of columns to keep. Default: 5,10,20,30.",
        doors=("compare",),
        placeholder="5,10",
        group="How many",
    ),
    Option(
        "carry",
        "columns",
        (),
        "Columns only copied to the output: ids, labels.",
        doors=("select", "extract"),
        group="Which columns",
        texts=(
            (
                "extract",
                "Columns only copied to the output: ids, labels. They come before the scores.",
            ),
        ),
    ),
    Option(
        "method",
        "text",
        None,
        "The method; 'tamis methods' lists them.",
        doors=("select", "score", "extract"),
        short="m",
        placeholder="ID",
        group="How",
        texts=(
            (
                "select",
                "The method; 'tamis methods' lists them. Default: forward, for numbers and "
                "categories.",
            ),
            ("score", "Method that searches for a better list; see 'tamis methods'."),
            ("extract", "The method; 'tamis methods' lists them. Default: pca."),
        ),
    ),
    Option(
        "methods",
        "columns",
        (),
        "Methods to compare. Default: all that suit, wrappers only with --budget.",
        doors=("compare",),
        short="m",
        group="How",
    ),
    Option(
        "criteria",
        "columns",
        (),
        "Criteria to compare by. Default: all that apply but memory.",
        doors=("compare",),
        group="How",
    ),
    *LAYOUT,
    _file(
        "update",
        about="Add the rows to this summary instead of -o.",
        doors=("summarise",),
        placeholder="SUMMARY",
        group="How",
    ),
    _switch(
        "blocks",
        about="Summarise 20 blocks of rows apart, for --held-out. An update keeps those there are.",
        doors=("summarise",),
    ),
    _switch(
        "text",
        about="Keep columns of text, by the rows of each level. An update keeps those there are.",
        doors=("summarise",),
    ),
    _switch(
        "again", about="Count files again that were counted before.", doors=("summarise", "merge")
    ),
    _shown(
        "no_fingerprints",
        about="Omit the hashes of the files, by which one that comes again is known.",
        doors=("summarise", "merge"),
    ),
    _file(
        "output",
        about="Write the result to this file.",
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
    ),
    _shown(
        "safe_csv",
        about="In CSV files, put ' before text that begins with = + - or @. A spreadsheet would "
        "run it as a formula; numbers stay as they are.",
        doors=("select", "extract", "reconstruct"),
    ),
    _file(
        "report",
        about="Write an HTML report to this file.",
        doors=(*_ANSWERS, "check"),
        placeholder="HTML",
        group="What comes out",
    ),
    _shown(
        "open_page",
        about="Open the report in the browser. Without --report it is a temporary file.",
        doors=_ANSWERS,
        flag="open",
    ),
    _file(
        "table",
        about="Write every column with its share and reason to this file. One row each: .csv, "
        ".tsv, .xlsx, .parquet or .feather.",
        doors=("select",),
        group="What comes out",
    ),
    Option(
        "plots",
        "file",
        (),
        "Draw the curve to this file (.svg, .png, .pdf). With fate: or map: before its name, the "
        "share of every column or the similarities. Repeatable.",
        doors=("select",),
        flag="plot",
        placeholder="[KIND:]FILE",
        many=True,
        group="What comes out",
        role="output",
    ),
    _shown(
        "as_json",
        about="Print everything as JSON.",
        doors=(*_ANSWERS, "look", "check"),
        flag="json",
        group="What comes out",
    ),
    _shown(
        "quiet",
        about="Print only the kept names, one per line.",
        doors=("select",),
        short="q",
        group="What comes out",
    ),
    _shown(
        "estimate",
        about="Only say what time and memory it would take on this machine, after a glance at the "
        "table.",
        doors=("select",),
    ),
    Option(
        "top",
        "integer",
        None,
        "How many dropped columns to list. Default: 10, least explained first.",
        doors=("select",),
        placeholder="N",
        role="output",
    ),
    _shown(
        "everything",
        about="List every kept, dropped and skipped column.",
        doors=("select", "look"),
        texts=(("look", "List every column."),),
        flag="all",
        group="What comes out",
    ),
    _shown(
        "no_rows",
        about="Omit values of single rows from the report.",
        doors=("select", "score", "extract"),
    ),
    _shown(
        "no_gram",
        about="Omit the correlations of the columns from the report. It then has no map of them "
        "and cannot choose again.",
        doors=("select", "score"),
    ),
    _file(
        "save",
        about="Save the choice to this file (.tamis). 'tamis check' and 'tamis reconstruct' use "
        "it; it holds no row of the table.",
        doors=("select",),
        placeholder="CHOICE",
        group="What comes out",
    ),
    Option(
        "using",
        "file",
        None,
        "The saved choice: what 'tamis select --save' wrote.",
        doors=("reconstruct",),
        placeholder="CHOICE",
        group="How",
    ),
    _file(
        "errors",
        about="Write the standard errors to this file. For a category it has the probability of "
        "the level.",
        doors=("reconstruct",),
        placeholder="OUT",
        group="What comes out",
    ),
    MIN_SHARE,
    MAX_FALL,
)


def options_at(door: Door) -> tuple[Option, ...]:
    """List all options of a command but those of single methods."""
    return (*list_shared(door), *(option for option in _COMMAND if door in option.doors))


@cache
def command_options() -> dict[str, Option]:
    """Give the options of all commands by name, but those of single methods."""
    return {option.name: option for door in get_args(Door) for option in options_at(door)}


def as_flag(name: str, value: Any) -> str:
    """Spell an option as a flag.

    >>> as_flag("missing", "mean"), as_flag("scale", False), as_flag("refine", True)
    ('--missing mean', '--no-scale', '--refine swap')
    >>> as_flag("together", True), as_flag("signed", True)
    ('--together', '--signed True')
    >>> print(as_flag("exclude", ["net, kg", "age"]))
    --exclude '"net, kg",age'
    """
    option = command_options().get(name)
    if name == "header" and value is False:
        return "--no-header"  # files are described by what they have
    # Most flags of methods take a value; those of commands, of other packages too, are switches.
    own = _of_methods().get(name)
    switches = option is None or option.kind == "flag" or option.switch
    switches = switches if own is None else own.kind == "flag" and own.switch
    if isinstance(value, bool) and switches:
        return flag(name) if value else f"--no-{flag(name).removeprefix('--')}"
    if isinstance(value, dict):
        pairs = [
            f"{column}={join_names(given) if isinstance(given, list) else given}"
            for column, given in value.items()
        ]
        return " ".join(f"{flag(name)} {shlex.quote(pair)}" for pair in pairs)
    word = value if option is None else option.word_for(value)
    text = join_names(word) if isinstance(word, list) else str(word)
    return f"{flag(name)} {shlex.quote(text)}"


def flag(name: str) -> str:
    """Write the flag of an option.

    >>> flag("k"), flag("random_state"), flag("y"), flag("costs")
    ('-k', '--random-state', '--target', '--cost')
    """
    option = command_options().get(name) or _of_methods().get(name)
    return Option(name, "text", None, "").flags[-1] if option is None else option.flags[-1]


@cache
def _of_methods() -> dict[str, Option]:
    return {option.name: option for method in METHODS for option in method.taken}


def join_names(names: list[str]) -> str:
    """Write names as one argument, as the command reads them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    return line.getvalue().removesuffix("\n")
