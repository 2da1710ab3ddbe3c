"""The experiments of the papers as text for a terminal."""

import textwrap
from typing import Any

from tamis_papers.views.sentences import count_figures

__all__ = ["write_answer", "write_list"]

Facts = dict[str, Any]

_WIDTH = 100
_MARKS = {"holds": "+", "does not hold": "-", "cannot be judged": "?"}


def write_answer(facts: Facts) -> str:
    """Write what came out: of each experiment its figures and the verdict on every claim."""
    lines = textwrap.wrap(facts["sentence"], _WIDTH)
    if facts["quick"]:
        note = "A quick run: few tables and repetitions; the full run decides."
        lines += textwrap.wrap(note, _WIDTH)
    for protocol in facts["protocols"]:
        lines += ["", *_wrap(f"{protocol['id']}: {_heading(protocol)}", "")]
        for claim in protocol["claims"]:
            lines += _claim(claim)
        for row in protocol["failed"]:
            lines += _wrap(f"! {row['cell']} failed: {row['why']}", "  ")
    lines += _missing(facts)
    return "\n".join(lines)


def write_list(protocols: list[Facts]) -> str:
    """Write the experiments there are: id, paper, what they show, the tables they need."""
    lines: list[str] = []
    for one in protocols:
        lines += [one["id"], *_wrap(f"{one['paper']}, {one['title']}", "  ")]
        lines += _wrap(one["about"], "  ")
        needs = ", ".join(one["tables"]) or "none"
        lines += [*_wrap(f"tables: {needs}", "  "), ""]
    return "\n".join(lines).rstrip()


def _heading(protocol: Facts) -> str:
    return f"{protocol['paper']}, {protocol['title']}; {count_figures(protocol)}"


def _claim(claim: Facts) -> list[str]:
    mark, verdict = _MARKS[claim["verdict"]], claim["verdict"]
    text = f'{mark} {verdict}: "{claim["text"]}" ({claim["where"]}). {claim["reason"]}'
    return _wrap(text, "  ")


def _missing(facts: Facts) -> list[str]:
    if not facts["missing"]:
        return []
    lines = ["", "Missing tables:"]
    for row in facts["missing"]:
        shown = "; ".join(f"{one['protocol']} ({one['title']}), cells {_cells(one)}"
                          for one in row["shows"])  # fmt: skip
        lines += _wrap(f"{row['table']}: {row['why']} It would have shown {shown}.", "  ")
    return lines


def _cells(row: Facts) -> str:
    few = ", ".join(row["cells"][:4])
    return few if len(row["cells"]) <= 4 else f"{few} and {len(row['cells']) - 4} more"


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )
