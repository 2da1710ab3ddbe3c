"""Everything that will be shown about the papers' experiments, as one plain dict."""

import math
import platform
import shlex
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, NamedTuple, get_args

from tamis_papers.laboratory.cells import make_plain
from tamis_papers.laboratory.outcome import Outcome
from tamis_papers.laboratory.protocol import Claim, Drawing, Figure, Series, Verdict
from tamis_papers.laboratory.tables import Shelf
from tamis_papers.views.sentences import summarise_claims

__all__ = ["ReproductionRequest", "gather_facts", "list_versions"]

Facts = dict[str, Any]

_DIGITS = 10  # of a figure that are written: sums in another order change those after


class ReproductionRequest(NamedTuple):
    """What was asked for: ids of experiments, the folder of the tables, and whether quickly."""

    ids: tuple[str, ...] = ("all",)
    data: str | None = None
    quick: bool = False


def gather_facts(outcomes: Sequence[Outcome], shelf: Shelf, asked: ReproductionRequest) -> Facts:
    """Gather what the terminal, the files and the page show."""
    protocols = [_protocol(outcome) for outcome in outcomes]
    verdicts = Counter(claim["verdict"] for one in protocols for claim in one["claims"])
    facts: Facts = {
        "title": "The papers' experiments",
        "quick": asked.quick,
        "counts": {
            "claims": {verdict: verdicts[verdict] for verdict in get_args(Verdict)},
            "judged": sum(one["judged"] for one in protocols),
            "reproduced": sum(one["reproduced"] for one in protocols),
        },
        "protocols": protocols,
        "missing": _missing(outcomes, shelf),
        "tables": [
            {"table": name, "source": shelf.sources[name], "rows": len(table.X),
             "columns": table.X.shape[1]}
            for name, table in shelf.tables.items()
        ],
        "repeat": _repeat(asked),
    }  # fmt: skip
    return {"sentence": summarise_claims(facts), **facts}


def _protocol(outcome: Outcome) -> Facts:
    protocol = outcome.protocol
    judged = [figure for figure in outcome.figures if figure.reproduced is not None]
    return {
        "id": protocol.id,
        "paper": protocol.paper,
        "title": protocol.title,
        "about": protocol.about,
        "readings": [
            {
                "option": one.option,
                "value": _write_value(one.value),
                "paper": one.paper,
                "why": one.why,
            }
            for one in protocol.readings
        ],
        "figures": [_figure(figure) for figure in outcome.figures],
        "judged": len(judged),
        "reproduced": sum(bool(figure.reproduced) for figure in judged),
        "claims": [_claim(claim) for claim in outcome.claims],
        "drawings": [_drawing(drawing) for drawing in outcome.drawings],
        "limits": list(outcome.limits),
        "computed": outcome.computed,
        "failed": [{"cell": cell, "why": why} for cell, why in outcome.failed.items()],
    }


def _write_value(value: Any) -> str:
    """Write what a reading settles on, in words.

    >>> _write_value([0, 1]), _write_value(True), _write_value("minmax")
    ('0, 1', 'true', 'minmax')
    """
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _figure(figure: Figure) -> Facts:
    return {
        "table": figure.table,
        "method": figure.method,
        "name": figure.name,
        "ours": _round(figure.ours),
        "spread": _round(figure.spread),
        "runs": figure.runs,
        "paper": _round(figure.paper),
        "difference": _round(figure.difference),
        "tolerance": _round(figure.tolerance),
        "reproduced": figure.reproduced,
    }


def _claim(claim: Claim) -> Facts:
    return {
        "text": claim.text,
        "where": claim.where,
        "verdict": claim.verdict,
        "reason": claim.reason,
    }


def _drawing(drawing: Drawing) -> Facts:
    return {
        "title": drawing.title,
        "x_label": drawing.x_label,
        "y_label": drawing.y_label,
        "kind": drawing.kind,
        "series": [_series(one) for one in drawing.series],
        "tree": _drop_infinite(make_plain(drawing.tree)),
    }


def _series(series: Series) -> Facts:
    return {
        "name": series.name,
        "x": _round_all(series.x),
        "y": _round_all(series.y),
        "spread": _round_all(series.spread),
        "paper": [_round_all(point) for point in series.paper],
    }


def _missing(outcomes: Sequence[Outcome], shelf: Shelf) -> list[Facts]:
    """Name each missing table, why it is missing and what it would have shown."""
    return [
        {
            "table": name,
            "why": why,
            "shows": [
                {
                    "protocol": outcome.protocol.id,
                    "title": f"{outcome.protocol.paper}, {outcome.protocol.title}",
                    "cells": list(outcome.missing[name]),
                }
                for outcome in outcomes
                if name in outcome.missing
            ],
        }
        for name, why in shelf.lacking.items()
    ]


def _repeat(asked: ReproductionRequest) -> Facts:
    """Give the command and the call; where it was written and by how many does not matter."""
    ids = list(asked.ids)
    flags = [*(["--data", asked.data] if asked.data else []), *(["--quick"] if asked.quick else [])]
    given = ids[0] if len(ids) == 1 else ids
    keywords = {
        **({"data": asked.data} if asked.data else {}),
        **({"quick": True} if asked.quick else {}),
        "output": "tamis-papers",
    }
    written = "".join(f", {name}={value!r}" for name, value in keywords.items())
    return {
        "command": shlex.join(["tamis", "reproduce", *ids, *flags]),
        "python": f"tamis_papers.reproduce({given!r}{written})",
        "versions": list_versions(),
    }


def list_versions() -> dict[str, str]:
    """Give the versions of all that computes."""
    packages = ("tamis", "tamis-papers", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}


def _round_all(values: Sequence[float]) -> list[float | None]:
    return [_round(value) for value in values]


def _drop_infinite(value: Any) -> Any:
    """Put None in the place of what is no number, at any depth: JSON has no word for it.

    >>> _drop_infinite({"a": [1.0, float("nan")], "b": None})
    {'a': [1.0, None], 'b': None}
    """
    if isinstance(value, dict):
        return {key: _drop_infinite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_drop_infinite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _round(value: float | None) -> float | None:
    """Keep the digits that are the same everywhere; what is no number has no value.

    >>> _round(0.1 + 0.2), _round(float("nan"))
    (0.3, None)
    """
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{_DIGITS}g}") + 0.0
