"""Small experiments for the tests of what runs them; a worker process can import this."""

import os
import signal
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import TamisError
from tamis_papers.laboratory.protocol import (
    Cell,
    Claim,
    Drawing,
    Figure,
    Protocol,
    Reading,
    Results,
    Series,
    Table,
)


def mean_of(column: int, table: Table) -> Mapping[str, Any]:
    """Give a mean, and harm the copy of the table that the cell was given."""
    value = table.X[:, column].mean()
    table.X[:] = np.nan
    return {"mean": value, "rows": np.int64(len(table.X))}


def noise(seed: int, seconds: float = 0.0) -> Mapping[str, Any]:
    time.sleep(seconds)
    return {"values": np.random.default_rng(seed).normal(size=4)}


def broken() -> Mapping[str, Any]:
    raise ZeroDivisionError("division by\nzero")


def refused() -> Mapping[str, Any]:
    raise TamisError("The toy has no wheels: give it four.")


def not_plain() -> Mapping[str, Any]:
    return {"value": object()}


def killed(folder: str) -> Mapping[str, Any]:
    """Kill the run that asked for this, the first time."""
    flag = Path(folder) / "killed"
    if not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"values": [1.0, 2.0, 3.0, 4.0]}


def _figures(results: Results) -> list[Figure]:
    found = [
        Figure("iris", "mean", f"column {key[-1]}", one["mean"], 5.84, tolerance=0.1)
        for key, one in results.items()
        if key.startswith("iris")
    ]
    return [*found, Figure("iris", "median", "column 0", 5.8, None, spread=0.25, runs=3)]


def _claims(results: Results) -> list[Claim]:
    known = "iris 0" in results
    yes = Claim("Flowers are long", "page 1", "holds", "The mean is 5.84, as printed.")
    no = Claim("Flowers are wide", "page 2", "does not hold", "The mean is 3.06, not 5.84.")
    may = Claim("Stars are far", "page 3", "cannot be judged", "The table of stars is missing.")
    return [yes, no, may] if known else [may]


MEANS = Protocol(
    id="toy-means",
    paper="Ada & Bob",
    title="Table 1",
    about="Means of columns.",
    tables=("iris", "stars"),
    readings=(Reading("column", [0, 1], "a column", "The first ones are as good as any."),),
    cells=lambda quick: [
        Cell("iris 0", partial(mean_of, 0), ("iris",)),
        *([] if quick else [Cell("iris 1", partial(mean_of, 1), ("iris",))]),
        Cell("stars 0", partial(mean_of, 0), ("stars",)),
    ],
    figures=_figures,
    claims=_claims,
    limits=lambda _: ["The median of <stars> & co. is not printed."],
)


def _curves(results: Results) -> list[Drawing]:
    lines = [
        Series(f"seed {key}", range(4), one["values"], [0.1] * 4, [(0, 0.5), (2, -0.5)])
        for key, one in results.items()
    ]
    levels = [{"tried": 3, "sets": [{"column": "a", "score": 0.5, "taken": True}]}]
    search = {"start": 0.1, "start_size": 0, "all": 3, "adding": True, "scorer": "accuracy",
              "levels": levels, "n_levels": 1}  # fmt: skip
    tree = {"order": ["a", "b", "c"], "depth": {"a": 1, "b": 2, "c": 2}, "path": ["b"], "k": 1}
    return [
        Drawing("Figure 2: noise", "step", "height", lines),
        Drawing("Figure 3: search", "", "", kind="tree", tree=search),
        Drawing("Figure 4: columns", "", "", kind="tree", tree=tree),
    ]


def noise_protocol(cells: Sequence[Cell], name: str = "toy-noise") -> Protocol:
    return Protocol(
        id=name,
        paper="Cid",
        title="Figure 2",
        about="Noise over time.",
        tables=(),
        readings=(),
        cells=lambda quick: cells[:1] if quick else cells,
        figures=lambda results: [
            Figure("noise", "normal", key, one["values"][0], 0.0, tolerance=0.5)
            for key, one in results.items()
        ],
        claims=lambda results: [
            Claim("Noise is small", "Figure 2", "holds", f"{len(results)} cells say so.")
        ],
        drawings=_curves,
    )


NOISE = noise_protocol([Cell(str(seed), partial(noise, seed)) for seed in range(4)])
FAILING = noise_protocol(
    [
        Cell("good", partial(noise, 7)),
        Cell("broken", broken),
        Cell("refused", refused),
        Cell("strange", not_plain),
    ],
    "toy-failing",
)
