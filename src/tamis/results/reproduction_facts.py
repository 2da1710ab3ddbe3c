"""Everything that will be shown about the papers' experiments, as one plain dict."""

import math
import platform
import shlex
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

from tamis.evaluation.protocols.cells import plain
from tamis.evaluation.protocols.outcome import Outcome
from tamis.evaluation.protocols.protocol import Claim, Drawing, Figure, Series, Verdict
from tamis.presentation.reproduction import summary_sentence
from tamis.results.asked import shown_options
from tamis.versions import version_of

if TYPE_CHECKING:
    from tamis.results.reproduction import Reproduction

Facts = dict[str, Any]

_DIGITS = 10  # of a figure that are written: sums in another order change those after


def reproduction_facts(found: "Reproduction") -> Facts:
    """Gather what the terminal, the files and the page show."""
    protocols = [_protocol(outcome) for outcome in found.outcomes]
    verdicts = Counter(claim["verdict"] for one in protocols for claim in one["claims"])
    facts: Facts = {
        "title": "The papers' experiments",
        "quick": found.quick,
        "counts": {
            "claims": {verdict: verdicts[verdict] for verdict in get_args(Verdict)},
            "judged": sum(one["judged"] for one in protocols),
            "reproduced": sum(one["reproduced"] for one in protocols),
        },
        "protocols": protocols,
        "missing": _missing(found),
        "tables": [
            {"table": name, "source": found.shelf.sources[name], "rows": len(table.X),
             "columns": table.X.shape[1]}
            for name, table in found.shelf.tables.items()
        ],
        "repeat": _repeat(found),
    }  # fmt: skip
    return {"sentence": summary_sentence(facts), **facts}


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
                "value": shown_options({one.option: one.value})[0][1],
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


def _figure(figure: Figure) -> Facts:
    return {
        "table": figure.table,
        "method": figure.method,
        "name": figure.name,
        "ours": _rounded(figure.ours),
        "spread": _rounded(figure.spread),
        "runs": figure.runs,
        "paper": _rounded(figure.paper),
        "difference": _rounded(figure.difference),
        "tolerance": _rounded(figure.tolerance),
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
        "tree": _finite(plain(drawing.tree)),
    }


def _series(series: Series) -> Facts:
    return {
        "name": series.name,
        "x": _all_rounded(series.x),
        "y": _all_rounded(series.y),
        "spread": _all_rounded(series.spread),
        "paper": [_all_rounded(point) for point in series.paper],
    }


def _missing(found: "Reproduction") -> list[Facts]:
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
                for outcome in found.outcomes
                if name in outcome.missing
            ],
        }
        for name, why in found.missing.items()
    ]


def _repeat(found: "Reproduction") -> Facts:
    """Give the command and the call; where it was written and by how many does not matter."""
    ids = list(found.ids)
    flags = [*(["--data", found.data] if found.data else []), *(["--quick"] if found.quick else [])]
    given = ids[0] if len(ids) == 1 else ids
    keywords = {
        **({"data": found.data} if found.data else {}),
        **({"quick": True} if found.quick else {}),
        "output": "tamis-papers",
    }
    written = "".join(f", {name}={value!r}" for name, value in keywords.items())
    return {
        "command": shlex.join(["tamis", "reproduce", *ids, *flags]),
        "python": f"tamis.reproduce({given!r}{written})",
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Give the versions of all that computes."""
    packages = ("tamis", "numpy", "scipy", "scikit-learn")
    return {"python": platform.python_version(), **{name: version_of(name) for name in packages}}


def _all_rounded(values: Sequence[float]) -> list[float | None]:
    return [_rounded(value) for value in values]


def _finite(value: Any) -> Any:
    """Put None in the place of what is no number, at any depth: JSON has no word for it.

    >>> _finite({"a": [1.0, float("nan")], "b": None})
    {'a': [1.0, None], 'b': None}
    """
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _rounded(value: float | None) -> float | None:
    """Keep the digits that are the same everywhere; what is no number has no value.

    >>> _rounded(0.1 + 0.2), _rounded(float("nan"))
    (0.3, None)
    """
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{_DIGITS}g}") + 0.0
