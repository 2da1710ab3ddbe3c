"""Figure 2 of Cunningham: cosines between random objects of 5 and of 20 features."""

from functools import partial
from math import hypot
from typing import Any

import numpy as np

from tamis_papers.laboratory.protocol import (
    Cell,
    Claim,
    Drawing,
    Figure,
    Protocol,
    Reading,
    Results,
    Series,
)

__all__ = ["FIGURE_2", "measure_cosines"]

_FEATURES = (5, 20)
_LAWS = ("uniform", "normal")
_OBJECTS = 500
_SEEDS = range(10)
_EDGES = np.linspace(-1.0, 1.0, 81)
_WHERE = "Section 1, Figure 2"

_READINGS = (
    Reading(
        "law",
        "uniform between 0 and 1",
        "the cosine similarity between randomly generated data objects",
        "Their law is not said. Values between 0 and 1 give the similarities above 0 that are "
        "spoken of; normal ones, whose cosines lie around 0, are shown as well.",
    ),
    Reading(
        "objects",
        "500, ten times",
        "data objects described by 5 and by 20 features",
        "All pairs of 500 objects, for ten seeds; deviations are over the seeds.",
    ),
)


def measure_cosines(*, law: str, features: int) -> dict[str, Any]:
    """Give mean and variance of the cosines of all pairs, for every seed, and how they spread."""
    means, variances, counts = [], [], np.zeros(len(_EDGES) - 1)
    pairs = np.triu_indices(_OBJECTS, 1)
    for seed in _SEEDS:
        rng = np.random.default_rng(seed)
        X = rng.random if law == "uniform" else rng.standard_normal
        rows = X((_OBJECTS, features))
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        cosines = (rows @ rows.T)[pairs]
        means.append(cosines.mean())
        variances.append(cosines.var())
        counts += np.histogram(cosines, _EDGES)[0]
    return {"mean": means, "variance": variances, "counts": counts / counts.sum()}


def _key(law: str, features: int) -> str:
    return f"{law}/{features}"


def _cells(_: bool) -> list[Cell]:
    return [
        Cell(_key(law, features), partial(measure_cosines, law=law, features=features))
        for law in _LAWS
        for features in _FEATURES
    ]


def _figures(results: Results) -> list[Figure]:
    found = []
    for law in _LAWS:
        for features in _FEATURES:
            known = results.get(_key(law, features), {})
            for name in ("mean", "variance"):
                if name in known:
                    ours, spread = float(np.mean(known[name])), float(np.std(known[name], ddof=1))
                    label = f"{name} of the cosine"
                    row = f"{features} features"
                    found.append(Figure(law, row, label, ours, None, spread, len(known[name])))
    return found


def _claims(results: Results) -> list[Claim]:
    texts = (
        "in 20 dimensions similarity has a lower variance than in 5",
        "The more dimensions used to describe objects the more similar on average things appear.",
    )
    few, many = (results.get(_key("uniform", features)) for features in _FEATURES)
    if few is None or many is None:
        why = "The cosines were not computed."
        return [Claim(text, _WHERE, "cannot be judged", why) for text in texts]
    lower = float(np.max(many["variance"])) < float(np.min(few["variance"]))
    variances = [float(np.mean(one["variance"])) for one in (few, many)]
    means = [float(np.mean(one["mean"])) for one in (few, many)]
    spreads = [float(np.std(one["mean"], ddof=1)) for one in (few, many)]
    more = means[1] - means[0] > hypot(*spreads)
    return [
        Claim(
            texts[0],
            _WHERE,
            "holds" if lower else "does not hold",
            f"Variance {variances[0]:.4f} with 5 features, {variances[1]:.4f} with 20; judged by "
            "the largest of all draws with 20 and the smallest with 5.",
        ),
        Claim(
            texts[1],
            _WHERE,
            "holds" if more else "does not hold",
            f"The mean goes from {means[0]:.3f} with 5 features to {means[1]:.3f} with 20, towards "
            "its limit of 3/4; of normal values it is 0 with any number. What changes is the "
            "spread, not the mean.",
        ),
    ]


def _drawings(results: Results) -> list[Drawing]:
    centres = (_EDGES[:-1] + _EDGES[1:]) / 2
    found = []
    for law in _LAWS:
        series = [
            Series(f"{features} features", centres.tolist(), list(known["counts"]))
            for features in _FEATURES
            if (known := results.get(_key(law, features)))
        ]
        title = f"Figure 2: cosines of {law} random objects (the paper prints no numbers of it)"
        if series:
            found.append(Drawing(title, "cosine", "share of the pairs", series))
    return found


FIGURE_2 = Protocol(
    id="cunningham-figure-2",
    paper="Cunningham",
    title="Figure 2: similarity of random objects in 5 and 20 dimensions",
    about="Mean and variance of the cosine of all pairs of objects drawn at random.",
    tables=(),
    readings=_READINGS,
    cells=_cells,
    figures=_figures,
    claims=_claims,
    drawings=_drawings,
)
