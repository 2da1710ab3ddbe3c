"""The files of `tamis reproduce`: CSV and JSON, and the page of the documentation."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis.sources.draft import replacing

__all__ = ["figure_columns", "write_folder"]

Facts = dict[str, Any]

FIGURES = ("protocol", "paper", "table", "method", "figure", "ours", "spread", "runs", "printed",
           "difference", "tolerance", "reproduced")  # fmt: skip
CLAIMS = ("protocol", "paper", "claim", "where", "verdict", "reason")


def write_folder(folder: Path, facts: Facts, run: Mapping[str, Any]) -> list[Path]:
    """Write all files but the page; only run.json and papers.md depend on when it was run."""
    from tamis.presentation.papers import papers_page

    texts = {
        "figures.csv": _csv(FIGURES, _figures(facts)),
        "claims.csv": _csv(CLAIMS, _claims(facts)),
        "results.json": _json(facts),
        "run.json": _json(run),
        "papers.md": papers_page(facts, run),
    }
    paths = []
    for name, text in texts.items():
        with replacing(folder / name) as draft:
            draft.write_text(text, encoding="utf-8", newline="\n")
        paths.append(folder / name)
    return paths


def figure_columns(facts: Facts) -> dict[str, list[Any]]:
    """Give all figures by column."""
    rows = list(_figures(facts))
    return {name: [row[j] for row in rows] for j, name in enumerate(FIGURES)}


def _figures(facts: Facts) -> Iterator[list[Any]]:
    for protocol in facts["protocols"]:
        for one in protocol["figures"]:
            own = [one["table"], one["method"], one["name"], one["ours"], one["spread"]]
            beside = [one["paper"], one["difference"], one["tolerance"], one["reproduced"]]
            yield [protocol["id"], protocol["paper"], *own, one["runs"], *beside]


def _claims(facts: Facts) -> Iterator[list[Any]]:
    for protocol in facts["protocols"]:
        for one in protocol["claims"]:
            said = [one["text"], one["where"], one["verdict"], one["reason"]]
            yield [protocol["id"], protocol["paper"], *said]


def _csv(head: tuple[str, ...], rows: Iterator[list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_written(value) for value in row] for row in rows)
    return text.getvalue()


def _written(value: Any) -> str:
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
