"""Everything that will be shown about an extraction, as one plain dict; no view computes."""

from collections import Counter
from dataclasses import asdict
from typing import Any

import numpy as np

from tamis.evaluation.extracted import Extracted
from tamis.presentation.numbers import decimals, percent
from tamis.results.cluster_facts import cluster_facts
from tamis.results.measures import measure_of
from tamis.results.shared_facts import shared_facts

__all__ = ["extraction_facts", "sentence"]

Facts = dict[str, Any]

_LOADED = 20  # components whose weights are listed
_MOST = 10  # columns listed for each


def extraction_facts(found: Extracted) -> Facts:
    """Gather what the terminal and `--json` show; the report shows it too."""
    measure = measure_of(found.request.method.id)
    beside = {} if found.marks is None else {"y": np.asarray(found.marks)}
    return {
        **shared_facts(found, sentence(found), "extract", **beside),
        "labels": _clusters(found),
        "warnings": [],
        "measure": measure.share,
        "thing": measure.thing,
        "note": found.note,
        "separation": _separation(found),
        "rows": found.n_rows,
        "used": len(found.used) - len(found.constant),
        "held": float(found.shares.sum()),
        "shares": found.shares.tolist(),
        "cumulative": np.cumsum(found.shares).tolist(),
        "values": None if found.values is None else np.asarray(found.values).tolist(),
        "loadings": _loadings(found),
        "units": _units(found),
        "label": _label(found),
    }


def sentence(found: Extracted) -> str:
    """Say in one sentence what was found."""
    measure, k = measure_of(found.request.method.id), found.k
    counted, held = measure.counted(k), float(found.shares.sum())
    if measure.divides:
        which = "it makes" if k == 1 else "the largest makes"
        text = f"{counted}: {which} up {percent(float(found.shares[0]))} {measure.share}"
    else:
        text = f"{counted} explain{'s' if k == 1 else ''} {percent(held)} {measure.share}"
    if measure.thing == "discriminant" and percent(held) == "100%":
        text += ", as all discriminants together always do"
    asked = found.request.k
    if asked is not None and k < asked:
        return f"{text}; you asked for {asked:,}, but no more exist."
    return f"{text}."


def _loadings(found: Extracted) -> list[Facts]:
    """List the largest weights of the first components; none for a kernel method."""
    if found.components is None:
        return []
    listed = []
    for direction, name in enumerate(found.names[:_LOADED]):
        weights = found.loadings(direction, _MOST)
        # What would be written as 0.00 does not matter.
        least = 0.5 * 10.0 ** -decimals(max(map(abs, weights.values()), default=0.0))
        shown = {column: weight for column, weight in weights.items() if abs(weight) > least}
        others = len(found.used) - len(found.constant) - len(shown)
        listed.append({"direction": name, "weights": shown, "others": max(others, 0)})
    return listed


def _separation(found: Extracted) -> Facts | None:
    """Say how well the classes are separated on rows held out."""
    one = found.separation
    if one is None:
        return None
    some = "" if one.rows == found.n_rows else f", {one.rows:,} of the rows"
    sentence = (
        f"Cross-validated accuracy: {percent(one.accuracy)} ({one.folds} folds, nearest class "
        f"mean{some}); on the rows used for fitting: {percent(one.fitted)}; always the largest "
        f"class: {percent(one.largest_class)}."
    )
    if one.overfitted:
        sentence += " The separation is overfitted: on new rows the classes overlap."
    return {**asdict(one), "overfitted": one.overfitted, "sentence": sentence}


def _clusters(found: Extracted) -> Facts | None:
    """Say what the clusters are that stand for labels, if they do."""
    if found.clusters is None:
        return None
    return cluster_facts(Counter(found.marks), found.clusters, found.request.method.id)


def _units(found: Extracted) -> str:
    scaled = found.request.settings.get("scale", False)
    return "standard deviations" if scaled else "the units of the columns"


def _label(found: Extracted) -> str | None:
    """Name the column of labels, or say that labels were given beside the table."""
    if found.marks is None:
        return None
    return found.request.settings.get("y", "the labels given")
