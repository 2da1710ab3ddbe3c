"""The loop of the page on groups of columns and with shrinkage, against Python's, in Node."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.needs import needs_node
from tests.presentation.page.test_greedy import solve_in_node

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.limits import Limits
from tamis.evaluation.measure import Variance
from tamis.results.slider_facts import write_exactly, write_rounded
from tamis.statistics.gram import DenseGram
from tamis.statistics.grouped import Groups
from tamis.statistics.summary import Summary, as_summary

SHRINKAGES = (0.0, 0.3, 3.0)

pytestmark = needs_node


def _encode(block: bytes) -> str:
    return base64.b64encode(block).decode("ascii")


def _draw_table(seed: int, *, single: bool) -> tuple[Summary, np.random.Generator]:
    """Code numbers and categories that share hidden causes, as a mixed table is coded."""
    rng = np.random.default_rng(seed)
    n, hidden = 40, rng.standard_normal((40, 4))
    parts, sizes = [], []
    for j in range(14):
        values = hidden @ rng.standard_normal(4) + rng.uniform(0.2, 1.5) * rng.standard_normal(n)
        if single or j % 3:
            parts.append(values[:, None])
        else:
            levels = int(rng.integers(2, 7))
            codes = np.searchsorted(
                np.quantile(values, np.linspace(0, 1, levels + 1)[1:-1]), values
            )
            parts.append((codes[:, None] == np.arange(levels)).astype(float))
        sizes.append(parts[-1].shape[1])
    X = np.hstack(parts)
    X = (X - X.mean(0)) / X.std(0)
    weights = np.repeat(1 / np.sqrt(sizes), sizes)
    G = (X * weights).T @ (X * weights) / n
    return as_summary(DenseGram(G), Groups(np.array(sizes)), n), rng


def _make_case(seed: int, *, single: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give what the page knows of a table and a wish, and what Python finds."""
    statistic, rng = _draw_table(seed, single=single)
    d, order = len(statistic.groups.sizes), rng.permutation(14).tolist()
    include = order[: seed % 3]
    forbid = order[5 : 5 + seed % 4]
    costs = {j: round(float(rng.uniform(0.3, 3)), 2) for j in order[9:]} if seed % 2 else {}
    limits = Limits.of(d, forbid=forbid, costs=costs)
    k = d - len(forbid)
    shrink = SHRINKAGES[seed % len(SHRINKAGES)]
    noise = rng.uniform(1, 3, d).round(2).tolist() if seed % 2 else None
    amounts = None if noise is None else dict(enumerate(noise))
    path = take_groups(statistic, k, include=include, limits=limits, shrink=shrink, noise=amounts)
    measure = Variance(statistic)
    step = 4
    known = measure.reproduction(path.indices)
    positions, weights, _shares = measure.carriers(known, step, np.arange(d))
    G = statistic.gram.block(slice(None))
    asked = {"size": k, "include": include, "forbid": forbid, "costs": list(costs.items())}
    asked |= {"shrink": shrink, "noise": noise}
    groups = {"sizes": statistic.groups.sizes.tolist(), "rows": statistic.n_rows}
    coded = {"triangle": _encode(write_exactly(G)), "rounded": _encode(write_rounded(G))}
    named = [
        [(int(path.indices[p]), w) for p, w in zip(*pair, strict=True) if p >= 0]
        for pair in zip(positions, weights.tolist(), strict=True)
    ]
    return (
        {
            "width": len(G),
            "targets": list(range(d)),
            "asked": asked,
            "step": step,
            **groups,
            **coded,
        },
        {
            "path": path,
            "shares": known.shares[step - 1],
            "named": named,
            "dropped": path.indices[:step],
        },
    )


@pytest.mark.parametrize("single", [False, True])
def test_the_page_takes_the_groups_that_python_takes(single: bool, tmp_path: Path) -> None:
    pairs = [_make_case(seed, single=single) for seed in range(30)]
    exact = solve_in_node([{**case, "rounded": None} for case, _ in pairs], tmp_path)
    rounded = solve_in_node([case for case, _ in pairs], tmp_path)
    for (_, expected), live, near in zip(pairs, exact, rounded, strict=True):
        path = expected["path"]
        last = len(path.indices) - (
            path.retained[-1] > 1 - 1e-9
        )  # before it, all that is left ties
        assert live["path"][:last] == path.indices.tolist()[:last]
        np.testing.assert_allclose(live["retained"], path.retained, atol=1e-9)
        np.testing.assert_allclose(live["shares"], expected["shares"], atol=1e-9)
        for group, (pairs_, named) in enumerate(
            zip(live["sources"], expected["named"], strict=True)
        ):
            if group not in expected["dropped"]:
                assert [source for source, _ in pairs_] == [source for source, _ in named]
                weights = [[weight for _, weight in one] for one in (pairs_, named)]
                np.testing.assert_allclose(*weights, atol=1e-9)
        # Rounded correlations give the same first columns, and shares to the digits that are shown.
        assert near["path"][:4] == live["path"][:4]
        np.testing.assert_allclose(near["shares"], live["shares"], atol=1e-3)
