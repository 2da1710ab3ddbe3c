"""The files of `tamis reproduce`: CSV and JSON, and the page of the documentation."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tamis_papers.laboratory.drafts import write_text
from tamis_papers.views.markdown import write_document

__all__ = ["list_columns", "write_folder"]

Facts = dict[str, Any]

FIGURES = ("protocol", "paper", "table", "method", "figure", "ours", "spread", "runs", "printed",
           "difference", "tolerance", "reproduced")  # fmt: skip
CLAIMS = ("protocol", "paper", "claim", "where", "verdict", "reason")


def write_folder(folder: Path, facts: Facts, run: Mapping[str, Any]) -> list[Path]:
    """Write all files but the page; only run.json and papers.md depend on when it was run."""
    texts = {
        "figures.csv": _csv(FIGURES, _figures(facts)),
        "claims.csv": _csv(CLAIMS, _claims(facts)),
        "results.json": _json(facts),
        "run.json": _json(run),
        "papers.md": write_document(facts, run),
    }
    return [write_text(folder / name, text) for name, text in texts.items()]


def list_columns(facts: Facts) -> dict[str, list[Any]]:
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
    writer.writerows([_write_field(value) for value in row] for row in rows)
    return text.getvalue()


def _write_field(value: Any) -> str:
    if value is None:
        return ""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
