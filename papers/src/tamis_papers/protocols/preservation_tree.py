"""Figure 6 of the VIMICA / RSPFS note: the spectral tree of sonar and the redundancy it shows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import tamis
from tamis_papers.laboratory.numbers import Floats, Indices
from tamis_papers.laboratory.protocol import Claim, Drawing, Figure, Results, Table
from tamis_papers.protocols.preservation import choose_sets, cut_columns

KEY = "tree"
_NAMED = ("v5", "v6", "v8")
_FAR = 2  # times as far counts as large beside small
_OWN = ("naive-fs", "greedy-fs", "naive-rspfs", "rspfs")


def grow_tree(table: Table) -> Mapping[str, Any]:
    """Grow the tree of RSPFS; compare distances in it with shared information."""
    codes = cut_columns(np.asarray(table.X, dtype=np.float64))
    tree = tamis.select(codes, 1, method="rspfs").tree
    assert tree is not None
    matrix = tamis.mutual_information(codes).values
    given = [f"x{j}" for j in range(codes.shape[1])]
    names = {name: f"v{j + 1}" for j, name in enumerate(given)}
    distances = np.array([[tree.distance(a, b) for b in given] for a in given])
    pairs = np.triu_indices(len(given), 1)
    return {
        "order": [names[name] for name in tree.order],
        "depth": {names[name]: depth for name, depth in tree.depth.items()},
        "distance": {name: int(distances[4, int(name[1:]) - 1]) for name in _NAMED[1:]},
        "shared": {name: float(matrix[4, int(name[1:]) - 1]) for name in _NAMED[1:]},
        "median": float(np.median(distances[pairs])),
        "correlation": _correlate_ranks(distances[pairs], matrix[pairs]),
        "overlap": {method: _overlap(matrix, choose_sets(codes, method)) for method in _OWN},
    }


def _correlate_ranks(first: Floats, second: Floats) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(first, second).statistic)


def _overlap(matrix: Floats, sets: Sequence[Indices]) -> float:
    """Average the normalised mutual information of all pairs of a set, then over the sets."""
    found = []
    for kept in sets[1:]:
        block = matrix[np.ix_(kept, kept)]
        found.append(block[np.triu_indices(len(kept), 1)].mean())
    return float(np.mean(found))


def tree_figures(results: Results) -> list[Figure]:
    """Give the distances of the caption, which prints none."""
    ours = results.get(KEY)
    if ours is None:
        return []
    return [
        Figure("sonar", "rspfs", f"edges between v5 and {name}", edges, None)
        for name, edges in ours["distance"].items()
    ]


def tree_drawings(results: Results) -> list[Drawing]:
    """Draw the tree with the three columns of the caption marked."""
    ours = results.get(KEY)
    if ours is None:
        return []
    tree = {"order": ours["order"], "depth": ours["depth"], "path": list(_NAMED), "k": len(_NAMED)}
    title = "Sonar: the tree of recursive spectral partitioning, v5, v6 and v8 marked"
    return [Drawing(title, "", "", kind="tree", tree=tree)]


def tree_claims(results: Results) -> list[Claim]:
    """Judge the caption, and what the text says of distance and overlap."""
    texts = (
        ("v5 and v6 have very small distance, v5 and v8 have large distance.", "Figure 6"),
        ("v5 and v8 are less redundant than v5 and v6.", "Figure 6"),
        ("Leaves with a larger distance in the tree generally share less information.", "Approach"),
        ("NaiveRSPFS, GreedyFS and RSPFS select columns that overlap less.", "Approach"),
    )
    ours = results.get(KEY)
    if ours is None:
        return [Claim(*text, "cannot be judged", "The table sonar is missing.") for text in texts]
    near, far, middle = ours["distance"]["v6"], ours["distance"]["v8"], ours["median"]
    shared, overlap, rank = ours["shared"], ours["overlap"], ours["correlation"]
    judged = [
        (
            near < middle and far >= _FAR * near,
            f"{near} edges from v5 to v6 and {far} to v8, {far / near:.2g} times as far; the "
            f"median of all pairs is {middle:g}. Small is below it, and large, which is said of "
            f"one beside the other, at least {_FAR} times as far. The figure itself, an image, "
            "cannot be compared.",
        ),
        (
            shared["v8"] < shared["v6"],
            f"Normalised mutual information of v5 with v6 {shared['v6']:.2f}, with v8 "
            f"{shared['v8']:.2f}.",
        ),
        (
            rank < -0.5,
            f"Over all pairs the rank correlation of distance and normalised mutual information is "
            f"{rank:+.2f}; below -0.5 counts as generally.",
        ),
        (
            all(overlap[method] < overlap["naive-fs"] for method in _OWN[1:]),
            "Mean normalised mutual information within the best 2 to 30 columns of sonar: "
            + ", ".join(f"{method} {overlap[method]:.3f}" for method in _OWN)
            + ". NaiveFS ranks by importance alone.",
        ),
    ]
    return [
        Claim(*text, "holds" if holds else "does not hold", reason)
        for text, (holds, reason) in zip(texts, judged, strict=True)
    ]
