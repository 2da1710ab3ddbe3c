"""The table of tools: look, select, explain, score, compare, check."""

from pathlib import Path

from tamis.agents.arguments import LIST_OF_NAMES, describe_options, describe_text
from tamis.agents.brief import COMPARISON_KEYS, SELECTION_KEYS, describe_brief
from tamis.agents.desk import Desk
from tamis.agents.tool import Tool

__all__ = ["make_tools"]

_PATH_OF_TABLE = describe_text("Path of the table: CSV, Parquet, Excel, NPZ, SPSS and others.")
_ANSWER_NAME = describe_text("What select or score gave as answer.")
_LIST_OF_COLUMNS = {**LIST_OF_NAMES, "description": "Names of columns."}
_OFFERED = (
    "k",
    "retain",
    "y",
    "columns",
    "exclude",
    "include",
    "forbid",
    "refine",
    "missing",
)
_SELECT_TAKES = {
    "table": _PATH_OF_TABLE,
    "method": describe_text("Id of a method; forward if none is given."),
    **describe_options("select", _OFFERED),
    "save": describe_text("New .tamis file for the choice, which check takes later."),
    "report": describe_text("New .html file for a report."),
}
_COMPARE_TAKES = {
    "table": _PATH_OF_TABLE,
    "methods": {
        **LIST_OF_NAMES,
        "description": "Ids of methods; by default all that suit the table.",
    },
    "k": {"type": "array", "items": {"type": "integer"}, "description": "Numbers of columns."},
    **describe_options("compare", ("y", "exclude", "budget")),
}


def make_tools(root: Path, *, values: bool = True) -> list[Tool]:
    """Make the tools of one session, for files below a folder, with values in answers or not."""
    desk = Desk(root, values=values)
    selection = describe_brief("selection", SELECTION_KEYS, answer=_ANSWER_NAME)
    return [
        Tool(
            name="look",
            about="What each column of a table is, what is odd about it and what would be done "
            "with it.",
            takes={"table": _PATH_OF_TABLE},
            required=("table",),
            run=desk.look,
        ),
        Tool(
            name="select",
            about="Which columns of a table to keep, why, and what dropping the rest costs on new "
            "rows. Refuses tables with too few rows to say so.",
            takes=_SELECT_TAKES,
            required=("table",),
            run=desk.select,
            gives=selection,
            writes=True,
        ),
        Tool(
            name="explain",
            about="Why columns were kept or dropped, what explains them, and what could replace "
            "them.",
            takes={"answer": _ANSWER_NAME, "columns": _LIST_OF_COLUMNS},
            required=("answer", "columns"),
            run=desk.explain,
        ),
        Tool(
            name="score",
            about="How good a given list of columns is, on new rows, and which swaps would help.",
            takes={
                **{"table": _PATH_OF_TABLE, "columns": _LIST_OF_COLUMNS},
                **describe_options("score", ("y", "exclude")),
            },
            required=("table", "columns"),
            run=desk.score,
            gives=selection,
        ),
        Tool(
            name="compare",
            about="Which method suits a table: all are measured on the same rows and columns.",
            takes=_COMPARE_TAKES,
            required=("table",),
            run=desk.compare,
            gives=describe_brief("comparison", COMPARISON_KEYS),
        ),
        Tool(
            name="check",
            about="Whether a saved choice of columns still holds on new rows, by its old weights.",
            takes={
                "choice": describe_text("A file that select saved."),
                **{"table": _PATH_OF_TABLE, **describe_options("check", ("min_share", "max_fall"))},
            },
            required=("choice", "table"),
            run=desk.check,
        ),
    ]
