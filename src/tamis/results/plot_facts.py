"""What the pictures of a result show, as plain values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tamis.errors import TamisError
from tamis.evaluation.measure import Known
from tamis.evaluation.outcome import Outcome
from tamis.facts.explorer import MapFacts
from tamis.numerics.types import Floats, Indices
from tamis.registry import nearest
from tamis.rules.search import LOST_SHARE, SAFE_SHARE

if TYPE_CHECKING:
    from tamis.results.extraction import Extraction


def check_kind(kind: Any, kinds: tuple[str, ...]) -> str:
    """Refuse a kind of picture that there is not."""
    if kind not in kinds:
        raise TamisError(f"There is no plot {kind!r}{nearest(str(kind), kinds)}")
    return str(kind)


def list_means(outcome: Outcome) -> tuple[float, ...]:
    """Give the mean of every analysed column, as it was analysed; none where that is unknown."""
    summary = outcome.summary
    if not summary.has_moments:
        return ()
    means = summary.mean[summary.varying]
    known = len(means) == len(outcome.used) and bool(np.isfinite(means).all())
    return tuple(float(f"{mean:.5g}") for mean in means.tolist()) if known else ()


def group_scores(
    found: "Extraction",
) -> tuple[dict[str, list[tuple[float, float]]], list[tuple[str, float]]]:
    """Give the scores of rows on the first two components by label, and their names and shares."""
    if found.k < 2:
        raise TamisError("Scores need 2 components to be drawn: there is one; plot the loadings.")
    sample = found.sample
    labels = sample.labels or ("",) * len(sample.scores)
    groups: dict[str, list[tuple[float, float]]] = {label: [] for label in sorted(set(labels))}
    for label, (x, y) in zip(labels, sample.scores[:, :2].tolist(), strict=True):
        groups[label].append((x, y))
    return groups, list(zip(found.names[:2], found.shares[:2].tolist(), strict=True))


_MAP = 160
_PATH = 100


def map_facts(outcome: Outcome, path: Indices) -> MapFacts | None:
    """Give the similarity of up to 160 columns in hundredths, in the order of their clusters.

    The first of the path are always among them, the others are evenly spaced.
    """
    used = len(outcome.used)
    if used < 2:
        return None
    columns = np.arange(used)
    if used > _MAP:
        first = path[:_PATH]
        others = np.setdiff1d(columns, first)
        spaced = np.linspace(0, len(others) - 1, _MAP - len(first)).astype(np.intp)
        columns = np.sort(np.concatenate([first, others[spaced]]))
    values = np.nan_to_num(np.clip(outcome.measure.pairs(columns), -1, 1))
    order, merges = cluster_order(values)
    hundredths = np.rint(100 * values[np.ix_(order, order)]).astype(int)
    return MapFacts(
        columns=tuple(columns[order].tolist()),
        names=tuple(outcome.names_of(columns[order])),
        values=tuple(map(tuple, hundredths.tolist())),
        merges=tuple(merges),
        complete=len(columns) == used,
    )


def cluster_order(values: Floats) -> tuple[Indices, list[tuple[int, int, float]]]:
    """Join the most similar groups first (average linkage on the size of the similarity).

    Gives the columns from top to bottom and the joins: both parts, counted as in SciPy but with
    leaves by their place from the top, and the similarity at which they join.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    apart = 1 - np.abs((values + values.T) / 2)
    np.fill_diagonal(apart, 0.0)
    distances = squareform(np.maximum(apart, 0.0), checks=False)
    tree = optimal_leaf_ordering(linkage(distances, "average"), distances)
    order = leaves_list(tree).astype(np.intp)
    n = len(values)
    place = np.concatenate([np.argsort(order), np.arange(n, 2 * n)])
    merges = [
        (int(place[int(a)]), int(place[int(b)]), round(1 - float(height), 3))
        for a, b, height, _ in tree
    ]
    return order, merges


_MAX_SHARES_STORED = 700_000  # so that the report of 12,500 columns stays below 1.5 MB


def store_steps(m: int, width: int, k: int, *, measured: bool) -> list[int]:
    """Choose the steps at which shares are stored: fewer where new rows were measured, too."""
    room = _MAX_SHARES_STORED // (width * (3 if measured else 1))
    return spread_steps(m, max(room, 4), k)


def share_facts(
    known: Known,
    k: int,
    chance: Sequence[float | None],
    steps: Sequence[int],
    new_rows: Sequence[Floats] = (),
) -> dict[str, Any]:
    """Give the fields of `ExplorerFacts` on shares, stored at these steps.

    `chance` is what chance alone explains at every step, `new_rows` the shares on new rows and
    their lower limits at the first of those stored. The values are differences from step to step in
    thousandths, zigzag, low bytes before high ones: small once deflated.
    """
    limits = [min(max(LOST_SHARE, level or 0.0), SAFE_SHARE) for level in chance]
    parts = [np.array([known.shares_at(step) for step in steps]), *new_rows]
    at = [limits[step - 1] for step in steps]
    values = [_thousandths(part, at[: len(part)]) for part in parts]
    return {
        "safe_from": round(1000 * SAFE_SHARE),
        "lost_below": tuple(round(1000 * limit) for limit in limits),
        "shares_now": tuple(tuple(part[steps.index(k)].tolist()) for part in values),
        "share_steps": tuple(steps),
        "new_rows_to": steps[len(new_rows[0]) - 1] if new_rows else 0,
        "stored_shares": _pack_shares(np.concatenate(values)),
    }


def spread_steps(m: int, room: int, k: int) -> list[int]:
    """Choose about `room` of `m` steps, close together where they are few, and always `k`.

    >>> spread_steps(3, 5, 2), spread_steps(60, 6, 30), spread_steps(70, 8, 30)
    ([1, 2, 3], [1, 2, 5, 12, 26, 30, 60], [1, 2, 3, 6, 11, 21, 30, 38, 70])
    """
    if m <= room:
        return list(range(1, m + 1))
    spread = np.rint(np.geomspace(1, m, room)).astype(int).tolist()
    return sorted({*spread, k})


def _thousandths(shares: Floats, lost: Sequence[float]) -> Indices:
    """Round, but never across a limit, nor up to a false 1000; what is below 0 is -1.

    `lost` are the shares below which a column is lost, of every row. Of a column that is at its
    mean in all held-out rows nothing is explained.
    """
    shares = np.nan_to_num(shares)
    values = np.where(shares <= -5e-4, -1, np.rint(1000 * np.maximum(shares, 0.0))).astype(np.intp)
    for limit in (np.full((1, 1), SAFE_SHARE), np.array(lost)[:, None]):
        bound = np.rint(1000 * limit).astype(np.intp)
        under = shares < limit
        values = np.where(under, np.minimum(values, bound - 1), np.maximum(values, bound))
    return np.where(shares < 1 - 1e-9, np.minimum(values, 999), 1000)


def _pack_shares(values: Indices) -> bytes:
    steps = np.diff(values, axis=0, prepend=np.zeros((1, values.shape[1]), dtype=np.intp))
    codes = np.where(steps < 0, -2 * steps - 1, 2 * steps).astype("<u2")
    pairs = codes.view(np.uint8).reshape(-1, 2)
    return pairs[:, 0].tobytes() + pairs[:, 1].tobytes()
