"""Cases beyond a damaged table: summaries, checkpoints, cells, long lines, huge names, bombs."""

import gzip
import io
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.fuzz.archives import damaged_archive
from tests.fuzz.damage import damaged, damaged_text
from tests.fuzz.tables import intact

Rng = Any
Scene = dict[str, Any]

_TABLE = "table.csv"
_NUMBERS = ("--columns", "a,b,c,d,e,f")
_WRAPPER = ("select", _TABLE, "-m", "wrapper-forward", "-k", "2", "--target", "group", "--cv", "2")
_PAPER = ("reproduce", "cunningham-figure-9", "--quick", "--output", ".", "--jobs", "1")
_WRITTEN = ("figures.csv", "claims.csv", "results.json", "run.json", "papers.md", "report.html")
_EDGES = (
    *("9" * 400, "-" + "9" * 5000, "1e400", "NaN", "-Infinity", "null", "true", "[]", "{}", '""'),
    *('"\\ud800"', '"\\u0000"', "0", "-1", "1.5", str(2**31), str(2**63), str(2**70), "[" * 3000),
)


@cache
def _made(*command: str) -> dict[str, bytes]:
    """Run a good command on the intact table and give the files it leaves."""
    import contextlib

    from tamis.cli import main

    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        Path(_TABLE).write_bytes(intact("csv", 0))
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            main(list(command))
        return {path.name: path.read_bytes() for path in Path(name).iterdir()}


def _summary_bytes() -> bytes:
    made = _made("summarise", _TABLE, *_NUMBERS, "--blocks", "-o", "s.tamis")
    return made["s.tamis"]


def _damaged_json(data: bytes, rng: Rng) -> bytes:
    """Put an edge in the place of a value of a JSON text, or damage it as text."""
    if rng.random() < 0.4:
        return damaged_text(data, rng)
    text = data.decode()
    places = [i for i, c in enumerate(text) if c == ":"]
    if not places:
        return data
    start = places[int(rng.integers(len(places)))] + 1
    end = min((i for i in (text.find(c, start) for c in ",}\n") if i > 0), default=start)
    return (text[:start] + _EDGES[int(rng.integers(len(_EDGES)))] + text[end:]).encode()


def _damaged_summary(rng: Rng) -> bytes:
    """Damage the header of a summary, its arrays, or its bytes."""
    data = _summary_bytes()
    way = rng.random()
    if way < 0.4:
        return damaged_archive(data, rng)
    if way < 0.5:
        return damaged("npz", data, rng)
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    members["header.json"] = _damaged_json(members["header.json"], rng)
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as file:
        for name, inner in members.items():
            file.writestr(zipfile.ZipInfo(name), inner)
    return sink.getvalue()


def _summary(rng: Rng) -> Scene:
    """Give a damaged summary to a command that reads one."""
    files = [("bad.tamis", _damaged_summary(rng)), ("good.tamis", _summary_bytes())]
    files.append((_TABLE, intact("csv", 0)))
    commands: tuple[tuple[tuple[str, ...], str], ...] = (
        (("select", "bad.tamis", "-k", "2", "--table", "all.csv"), "all.csv"),
        (("select", "bad.tamis", "-k", "2", "--held-out", "--report", "page.html"), "page.html"),
        (("extract", "bad.tamis", "-k", "1", "--method", "pca", "--json"), ""),
        (("merge", "good.tamis", "bad.tamis", "-o", "both.tamis"), "both.tamis"),
        (("summarise", _TABLE, *_NUMBERS, "--update", "bad.tamis"), "bad.tamis"),
        (("summarise", _TABLE, *_NUMBERS, "-o", "s.tamis", "--checkpoint", "bad.tamis"), "s.tamis"),
    )
    command, output = commands[int(rng.integers(len(commands)))]
    return {"files": tuple(files), "command": command, "output": output}


def _search(rng: Rng) -> Scene:
    """Give a damaged checkpoint to a search."""
    known = _made(*_WRAPPER, "--exclude", "flag", "--checkpoint", "c.json")["c.json"]
    files = ((_TABLE, intact("csv", 0)), ("c.json", _damaged_json(known, rng)))
    command = (*_WRAPPER, "--exclude", "flag", "--checkpoint", "c.json")
    return {"files": files, "command": command, "output": ""}


def _resumed(rng: Rng) -> Scene:
    """Give a damaged checkpoint of a pass over a table."""
    command = ("summarise", _TABLE, *_NUMBERS, "-o", "s.tamis", "--checkpoint", "c.tamis")
    data = _made(*command)["c.tamis"]
    data = damaged_archive(data, rng) if rng.random() < 0.5 else damaged("npz", data, rng)
    files = ((_TABLE, intact("csv", 0)), ("c.tamis", data))
    return {"files": files, "command": command, "output": "s.tamis"}


def _cells(rng: Rng) -> Scene:
    """Give damaged cells to an experiment that goes on from them."""
    data = _damaged_json(_made(*_PAPER)["cells.jsonl"], rng)
    return {"files": (("cells.jsonl", data),), "command": _PAPER, "output": "", "grows": _WRITTEN}


def _long_lines(rng: Rng) -> Scene:
    """Put a line, a name or a cell of some megabytes into a table, packed or piped."""
    long = b"x" * int(rng.integers(1, 6) << 20)
    if rng.random() < 0.3:
        long = b'"' + long.replace(b"xxxx", b"x,x\n") + b'"'
    lines = intact("csv", 0).split(b"\n")
    row = int(rng.integers(3)) if rng.random() < 0.7 else int(rng.integers(len(lines)))
    cells = lines[row].split(b",")
    cells[int(rng.integers(len(cells)))] = long
    lines[row] = b",".join(cells) if rng.random() < 0.7 else long
    data = b"\n".join(lines)
    packed = rng.random() < 0.4
    name = "table.csv.gz" if packed else _TABLE
    piped = name if rng.random() < 0.4 else ""
    command = ("select", "-" if piped else name, "-k", "2", "-o", "kept.csv")
    files = ((name, gzip.compress(data, 1, mtime=0) if packed else data),)
    return {"files": files, "command": command, "output": "kept.csv", "piped": piped}


def _many_columns(rng: Rng) -> Scene:
    """Give a table far wider than long, with names of any kind."""
    width = int(rng.choice([1, 300, 3_000]))
    odd = ("=1+1", "__proto__", "\u202e", "a" * 5_000, "\u00e9", "'", '""', "-", "nan", "\x1b[31m")
    names = [
        f"{odd[int(rng.integers(len(odd)))] if rng.random() < 0.01 else 'c'}{j}"
        for j in range(width)
    ]
    rows = [",".join(str(int(v)) for v in rng.integers(-9, 9, width)) for _ in range(6)]
    data = "\n".join([",".join(names), *rows]).encode()
    more = ("--report", "page.html") if rng.random() < 0.3 else ("--table", "page.csv")
    command = ("select", _TABLE, "--retain", "0.5", *more)
    return {"files": ((_TABLE, data),), "command": command, "output": more[1]}


def _repeats(rng: Rng) -> Scene:
    """Give a small file that stands for a large one; a budget bounds what is unpacked."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet as pq

    n, long = 3_000, "x" * int(rng.integers(1_000, 200_000))
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), pa.array([long]))
    numbers = rng.normal(size=(n, 2))
    table = pa.table({"a": numbers[:, 0], "b": numbers[:, 1], "group": texts})
    sink = io.BytesIO()
    kind = ("parquet", "feather")[int(rng.integers(2))]
    if kind == "parquet":
        pq.write_table(table, sink, store_schema=bool(rng.integers(2)))
    else:
        packing = ("uncompressed", "zstd")[int(rng.integers(2))]
        pyarrow.feather.write_feather(table, sink, compression=packing)
    data = sink.getvalue()
    name = f"table.{kind}"
    more = ((), ("-m", "greedy-fs"), ("-m", "chi2", "--target", "group"))[int(rng.integers(3))]
    command = ("select", name, "-k", "1", "--memory", "100MB", *more, "-o", "kept.csv")
    return {"files": ((name, data),), "command": command, "output": "kept.csv"}


SCENES: dict[str, Callable[[Rng], Scene]] = {
    "summary": _summary,
    "search checkpoint": _search,
    "table checkpoint": _resumed,
    "cells": _cells,
    "long lines": _long_lines,
    "many columns": _many_columns,
    "repeats": _repeats,
}
