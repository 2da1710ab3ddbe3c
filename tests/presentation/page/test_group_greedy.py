"""The loop of the page on groups of columns, against Python's, in Node."""

import base64
import json
import subprocess
from importlib.resources import files
from typing import Any

import numpy as np
from tests.needs import NODE, needs_node

from tamis.algorithms.forward.forward import take_groups
from tamis.algorithms.limits import Limits
from tamis.evaluation.measure import Variance
from tamis.presentation.page.fill import bundle_modules
from tamis.results.live_facts import write_exactly, write_rounded
from tamis.statistics.gram import DenseGram
from tamis.statistics.grouped import GroupedGram, Groups

ENTRY = """import { fillRounded, fillSquare } from "./greedy.js";
import { selectGroups } from "./group_greedy.js";
"""
SOLVE = """
const decode = (letters) => Uint8Array.from(Buffer.from(letters, "base64")).buffer;
const { fillSquare, fillRounded } = modules.greedy;
const solve = ({ width, exact, rounded, groups, asked, step }) => [
  fillSquare(new Float64Array(decode(exact)), width),
  fillRounded(decode(rounded), width),
].map((matrix) => {
  const found = modules.group_greedy.selectGroups(matrix, groups, asked);
  const at = Math.min(step, found.path.length);
  const sources = groups.sizes.map((_, group) => found.getSources(group, at));
  return { path: found.path, retained: found.retained, shares: [...found.getShares(at)], sources };
});
const cases = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(solve)));
"""

pytestmark = needs_node


def _encode(block: bytes) -> str:
    return base64.b64encode(block).decode("ascii")


def _draw_table(seed: int) -> tuple[GroupedGram, np.random.Generator]:
    """Code numbers and categories that share hidden causes, as a mixed table is coded."""
    rng = np.random.default_rng(seed)
    n, hidden = 160, rng.standard_normal((160, 4))
    parts, sizes = [], []
    for j in range(14):
        values = hidden @ rng.standard_normal(4) + rng.uniform(0.2, 1.5) * rng.standard_normal(n)
        if j % 3:
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
    return GroupedGram(DenseGram(G), Groups(np.array(sizes)), n), rng


def _make_case(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give what the page knows of a table and a wish, and what Python finds."""
    statistic, rng = _draw_table(seed)
    d, order = len(statistic.groups.sizes), rng.permutation(14).tolist()
    include = order[: seed % 3]
    forbid = order[5 : 5 + seed % 4]
    costs = {j: round(float(rng.uniform(0.3, 3)), 2) for j in order[9:]} if seed % 2 else {}
    limits = Limits.of(d, forbid=forbid, costs=costs)
    k = d - len(forbid)
    path = take_groups(statistic, k, include=include, limits=limits)
    measure, step = Variance(statistic), 4
    known = measure.reproduction(path.indices)
    carriers = measure.carriers(known, step, np.arange(d))
    G = statistic.gram.block(slice(None))
    asked = {"k": k, "include": include, "forbid": forbid, "costs": list(costs.items())}
    groups = {"sizes": statistic.groups.sizes.tolist(), "rows": statistic.n_rows}
    coded = {"exact": _encode(write_exactly(G)), "rounded": _encode(write_rounded(G))}
    named = [
        [(int(path.indices[p]), w) for p, w in zip(*pair, strict=True) if p >= 0]
        for pair in zip(carriers.positions, carriers.weights.tolist(), strict=True)
    ]
    return (
        {"width": len(G), "groups": groups, "asked": asked, "step": step, **coded},
        {
            "path": path,
            "shares": known.shares[step - 1],
            "named": named,
            "dropped": path.indices[:step],
        },
    )


def test_the_page_takes_the_groups_that_python_takes() -> None:
    folder = files("tamis.presentation.page")
    pairs = [_make_case(seed) for seed in range(30)]
    script = bundle_modules(
        "entry",
        lambda name: ENTRY if name == "entry.js" else folder.joinpath(name).read_text("utf-8"),
    )
    given = json.dumps([case for case, _ in pairs])
    command = [str(NODE), "-e", script + SOLVE]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    for (_, expected), (exact, rounded) in zip(pairs, json.loads(done.stdout), strict=True):
        path = expected["path"]
        last = len(path.indices) - (
            path.retained[-1] > 1 - 1e-9
        )  # before it, all that is left ties
        assert exact["path"][:last] == path.indices.tolist()[:last]
        np.testing.assert_allclose(exact["retained"], path.retained, atol=1e-9)
        np.testing.assert_allclose(exact["shares"], expected["shares"], atol=1e-9)
        for group, (found, named) in enumerate(
            zip(exact["sources"], expected["named"], strict=True)
        ):
            if group not in expected["dropped"]:
                assert [source for source, _ in found["pairs"]] == [source for source, _ in named]
                weights = [[weight for _, weight in one] for one in (found["pairs"], named)]
                np.testing.assert_allclose(*weights, atol=1e-9)
        # Rounded correlations give the same first columns, and shares to the digits that are shown.
        assert rounded["path"][:4] == exact["path"][:4]
        np.testing.assert_allclose(rounded["shares"], exact["shares"], atol=1e-3)
