"""The experiments of the papers as a page of the documentation, in Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any

from tamis_papers.views.sentences import (
    VERDICTS,
    count_figures,
    write_difference,
    write_ours,
    write_printed,
)

__all__ = ["write_document"]

Facts = dict[str, Any]

_ABOUT = (
    "This page is written by `make papers`, which runs `tamis reproduce all`. Each experiment "
    "of the papers is a value with the choices that the paper leaves open, our choice and the "
    "reason; "
    "no default of the library follows from it. The command also draws the curves over the "
    "paper's points (`report.html`) and writes all figures as CSV."
)
_QUICK = "**These are the figures of a quick run**: few tables and few repetitions."


def write_document(facts: Facts, run: Mapping[str, Any]) -> str:
    """Write the page: verdicts first, then each experiment with its readings and figures."""
    lines = ["# The papers' experiments, run again", "", facts["sentence"], ""]
    lines += [*([_QUICK, ""] if facts["quick"] else []), _ABOUT, "", *_run(facts, run)]
    lines += ["", "## Claims", "", *_claims(facts), *_missing(facts)]
    for protocol in facts["protocols"]:
        lines += ["", *_protocol(protocol, run)]
    return "\n".join(lines) + "\n"


def _run(facts: Facts, run: Mapping[str, Any]) -> list[str]:
    cpu = sum(run["cpu_seconds"].values())
    versions = ", ".join(f"{name} {number}" for name, number in run["versions"].items())
    before = run["cells_known_before"]
    known = f" ({before:,} of them known from a run before)" if before else ""
    return [
        f"`{facts['repeat']['command']}` took {_time(run['seconds'])} with "
        f"{run['processes']} processes for {run['cells']:,} cells{known}, "
        f"{_time(cpu)} of processor time in all. Versions: {versions}. Run on "
        f"{run['finished'][:10]}."
    ]


def _claims(facts: Facts) -> list[str]:
    rows = [
        [one["paper"], claim["text"], claim["where"], _verdict(claim), claim["reason"]]
        for one in facts["protocols"]
        for claim in one["claims"]
    ]
    return _table(["paper", "claim", "where", "verdict", "reason"], rows)


def _missing(facts: Facts) -> list[str]:
    if not facts["missing"]:
        return []
    rows = [
        [f"`{row['table']}`", row["why"], "; ".join(one["title"] for one in row["shows"])]
        for row in facts["missing"]
    ]
    return ["", "## Missing tables", "", *_table(["table", "why", "would have shown"], rows)]


def _protocol(protocol: Facts, run: Mapping[str, Any]) -> list[str]:
    seconds = run["cpu_seconds"].get(protocol["id"], 0.0)
    lines = [
        f"## {protocol['paper']}: {protocol['title']}",
        "",
        f"{protocol['about']} `tamis reproduce {protocol['id']}`: {count_figures(protocol)}, "
        f"{_time(seconds)} of processor time.",
    ]
    if protocol["limits"]:
        lines += ["", "What does not reproduce, and the most likely reason:", ""]
        lines += [f"* {one}" for one in protocol["limits"]]
    if protocol["failed"]:
        lines += ["", *(f"* {row['cell']} failed: {row['why']}" for row in protocol["failed"])]
    if protocol["readings"]:
        rows = [
            [f"`{r['option']}`", r["value"], r["paper"], r["why"]] for r in protocol["readings"]
        ]
        lines += ["", *_table(["option", "here", "the paper", "why"], rows)]
    if protocol["figures"]:
        head = ["table", "method", "figure", "ours", "paper", "difference", "reproduced"]
        lines += ["", *_table(head, [_figure(one) for one in protocol["figures"]])]
    return lines


def _figure(one: Facts) -> list[str]:
    said = {None: "", True: "yes", False: "no"}[one["reproduced"]]
    figures = [write_ours(one), write_printed(one["paper"]), write_difference(one)]
    return [one["table"], one["method"], one["name"], *figures, said]


def _verdict(claim: Facts) -> str:
    return f"{VERDICTS[claim['verdict']][0]} {claim['verdict']}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Write a table; what would end a cell or a line is replaced."""
    return [
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
        *(f"| {' | '.join(map(_cell, row))} |" for row in rows),
    ]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _time(seconds: float) -> str:
    """Write a duration.

    >>> _time(42.4), _time(754.0)
    ('42 s', '12.6 min')
    """
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.1f} min"
