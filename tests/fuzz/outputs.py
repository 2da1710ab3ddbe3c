"""Every kind of output of the command, and how to see that one is whole."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

ROWS, COLUMNS = 3000, 24
TABLE = "table.csv"

Check = Callable[[bytes], Any]  # raises, or gives something false, where bytes are torn


@dataclass(frozen=True)
class Job:
    """A command that reads `table.csv`, and the files it may write, each with its check.

    `keeps` are files that it may leave when it is stopped, since a later run goes on from them.
    """

    name: str
    command: tuple[str, ...]
    outputs: dict[str, Check]
    keeps: tuple[str, ...] = ()
    piped: bool = False
    printed: Check | None = None
    before: tuple[str, ...] = ()  # a command that must have been run
    fresh: bool = False  # whether it needs an interpreter of its own: workers and forks do not mix


def make_table(folder: Path) -> None:
    """Write the table that all jobs read; the same in every run."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS)) @ rng.normal(size=(COLUMNS, COLUMNS))
    lines = [",".join([*(f"c{j}" for j in range(COLUMNS)), "y"])]
    lines += [",".join([*(f"{v:.5f}" for v in row), "ab"[int(row[0] > 0)]]) for row in X]
    (folder / TABLE).write_text("\n".join(lines) + "\n")


def _csv(data: bytes) -> bool:
    return data.count(b"\n") == ROWS + 1 and data.endswith(b"\n")


def _listing(data: bytes) -> bool:
    return data.count(b"\n") >= COLUMNS and data.endswith(b"\n")


def _parquet(data: bytes) -> bool:
    import pyarrow.parquet as pq

    return bool(pq.read_table(io.BytesIO(data)).num_rows == ROWS)


def _feather(data: bytes) -> bool:
    import pyarrow as pa

    return bool(pa.ipc.open_file(io.BytesIO(data)).read_all().num_rows == ROWS)


def _archive(data: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return file.testzip() is None and bool(file.namelist())


def _page(data: bytes) -> bool:
    return data.rstrip().endswith(b"</html>")


def _svg(data: bytes) -> bool:
    return data.rstrip().endswith(b"</svg>")


def _png(data: bytes) -> bool:
    return data.startswith(b"\x89PNG") and data.rstrip().endswith(b"IEND\xaeB`\x82")


def _json(data: bytes) -> bool:
    return bool(json.loads(data))


def _lines(data: bytes) -> bool:
    """Check lines of which only the last may be cut: a later run ends it."""
    whole = data[: data.rfind(b"\n") + 1]
    return all(json.loads(line) for line in whole.splitlines())


def _anything(data: bytes) -> bool:
    return bool(data)


_SELECT = ("select", TABLE, "-k", "3", "--exclude", "y")
_WRAPPER = ("select", TABLE, "-m", "wrapper-genetic", "--target", "y", "--learner", "tree")
_PAPERS = ("figures.csv", "claims.csv", "results.json", "run.json", "papers.md", "report.html")

JOBS = (
    Job("-o csv", (*_SELECT, "-o", "kept.csv"), {"kept.csv": _csv}),
    Job("-o parquet", (*_SELECT, "-o", "kept.parquet"), {"kept.parquet": _parquet}),
    Job("-o feather", (*_SELECT, "-o", "kept.feather"), {"kept.feather": _feather}),
    Job("-o npz", (*_SELECT, "-o", "kept.npz"), {"kept.npz": _archive}),
    Job("--report", (*_SELECT, "--report", "page.html"), {"page.html": _page}),
    Job(
        "-o and --report",
        (*_SELECT, "-o", "kept.csv", "--report", "page.html"),
        {"kept.csv": _csv, "page.html": _page},
    ),
    Job("--table csv", (*_SELECT, "--table", "all.csv"), {"all.csv": _listing}),
    Job("--table xlsx", (*_SELECT, "--table", "all.xlsx"), {"all.xlsx": _archive}),
    Job(
        "--plot",
        (*_SELECT, "--plot", "curve.svg", "--plot", "fate:fate.png"),
        {"curve.svg": _svg, "fate.png": _png},
    ),
    Job("--json", (*_SELECT, "--json"), {}, printed=_json),
    Job(
        "summarise",
        ("summarise", TABLE, "--exclude", "y", "-o", "s.tamis"),
        {"s.tamis": _archive},
    ),
    Job(
        "summarise --update",
        ("summarise", TABLE, "--exclude", "y", "--update", "s.tamis", "--again"),
        {"s.tamis": _archive},
        before=("summarise", TABLE, "--exclude", "y", "-o", "s.tamis"),
    ),
    Job(
        "summarise --checkpoint",
        ("summarise", TABLE, "--exclude", "y", "-o", "s.tamis", "--checkpoint", "c.tamis"),
        {"s.tamis": _archive, "c.tamis": _archive},
        keeps=("c.tamis",),
    ),
    Job(
        "wrapper --checkpoint",
        (*_WRAPPER, "--cv", "2", "--max-evaluations", "30", "--checkpoint", "c.json"),
        {"c.json": _json},
        keeps=("c.json",),
    ),
    Job(
        "wrapper --n-jobs",
        (*_WRAPPER, "--n-jobs", "2", "--max-evaluations", "30", "--checkpoint", "c.json"),
        {"c.json": _json},
        keeps=("c.json",),
        fresh=True,
    ),
    Job(
        "reproduce --quick",
        ("reproduce", "cunningham-figure-9", "--quick", "--output", ".", "--jobs", "1"),
        {"cells.jsonl": _lines, **dict.fromkeys(_PAPERS, _anything)},
        keeps=("cells.jsonl", *_PAPERS),
    ),
    Job("standard input", ("select", "-", "-k", "3", "--exclude", "y"), {}, piped=True),
    Job(
        "standard input -o",
        ("select", "-", "-k", "3", "--exclude", "y", "-o", "kept.csv"),
        {"kept.csv": _csv},
        piped=True,
    ),
)
