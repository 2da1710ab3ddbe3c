"""Options that only commands have: methods to compare, summaries, saved choices."""

from functools import cache
from typing import get_args

from tamis.registry.layout import LAYOUT
from tamis.registry.option import Door, Option
from tamis.registry.output_options import OUTPUTS
from tamis.registry.shared import list_shared

__all__ = ["command_options", "options_at"]

METHOD = Option(
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
            "The method; 'tamis methods' lists them. Default: forward, for numbers and categories.",
        ),
        ("score", "Method that searches for a better list; see 'tamis methods'."),
        ("extract", "The method; 'tamis methods' lists them. Default: pca."),
    ),
)
METHODS_OPTION = Option(
    "methods",
    "columns",
    (),
    "Methods to compare. Default: all that suit, wrappers only with --budget.",
    doors=("compare",),
    short="m",
    group="How",
)
SIZES_OPTION = Option(
    "k",
    "columns",
    (),
    "Numbers of columns to keep. Default: 5,10,20,30.",
    doors=("compare",),
    placeholder="5,10",
    group="How many",
)
CRITERIA_OPTION = Option(
    "criteria",
    "columns",
    (),
    "Criteria to compare by. Default: all that apply but memory.",
    doors=("compare",),
    group="How",
)
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
CARRY = Option(
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
)
UPDATE = Option(
    "update",
    "file",
    None,
    "Add the rows to this summary instead of -o.",
    doors=("summarise",),
    placeholder="SUMMARY",
    group="How",
    role="output",
)
BLOCKS = Option(
    "blocks",
    "flag",
    False,
    "Summarise 20 blocks of rows apart, for --held-out. An update keeps those there are.",
    doors=("summarise",),
)
TEXT_LEVELS = Option(
    "text",
    "flag",
    False,
    "Keep columns of text, by the rows of each level. An update keeps those there are.",
    doors=("summarise",),
)
AGAIN = Option(
    "again",
    "flag",
    False,
    "Count files again that were counted before.",
    doors=("summarise", "merge"),
)

SAVE = Option(
    "save",
    "file",
    None,
    "Save the choice to this file (.tamis). 'tamis check' and 'tamis reconstruct' use it; it holds "
    "no row of the table.",
    doors=("select",),
    placeholder="CHOICE",
    group="What comes out",
    role="output",
)
USING = Option(
    "using",
    "file",
    None,
    "The saved choice: what 'tamis select --save' wrote.",
    doors=("reconstruct",),
    placeholder="CHOICE",
    group="How",
)
ERRORS = Option(
    "errors",
    "file",
    None,
    "Write the standard errors to this file. For a category it has the probability of the level.",
    doors=("reconstruct",),
    placeholder="OUT",
    group="What comes out",
    role="output",
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
    SIZES_OPTION,
    CARRY,
    METHOD,
    METHODS_OPTION,
    CRITERIA_OPTION,
    *LAYOUT,
    UPDATE,
    BLOCKS,
    TEXT_LEVELS,
    AGAIN,
    *OUTPUTS,
    SAVE,
    USING,
    ERRORS,
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
