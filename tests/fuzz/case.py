"""One case: a damaged file, a command, and whether the answer is one that is allowed."""

import contextlib
import io
import re
import shutil
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz.damage import damaged
from tests.fuzz.formats import FIRST, FORMATS, damaged_format, named
from tests.fuzz.scenes import SCENES
from tests.fuzz.tables import KINDS, intact

BEFORE = b"what was here before\n"
_TURNS = 5  # every so many cases it is more than a damaged table

_SUFFIXES = (".csv", ".tsv", ".parquet", ".feather", ".npz")
_COMMANDS = (
    ["select", "-k", "2"],
    ["select", "--missing", "mean"],
    ["select", "--missing", "drop", "--json"],
    ["select", "--method", "greedy-fs", "--missing", "category"],
    ["select", "--method", "greedy-fs", "--missing", "drop", "--columns", "a,b,c,group,text"],
    ["extract", "-k", "1", "--method", "pca", "--missing", "mean"],
    ["extract", "-k", "1", "--method", "lda", "--missing", "drop", "--target", "group"],
)


_SHORT = ("-k", "2", "-m", "sfs")  # what a reader gives is read, little is computed
_READS = (
    ["select", "-k", "2"],
    ["select", *_SHORT],
    ["select", *_SHORT, "--missing", "mean"],
    ["select", *_SHORT, "--missing", "drop", "--json"],
    ["select", "-k", "2", "--method", "greedy-fs", "--missing", "category"],
    ["extract", "-k", "1", "--method", "pca", "--missing", "mean"],
)


@dataclass(frozen=True)
class Case:
    """Files by name with their bytes, and the command that reads them, all made from one seed.

    `output` is the file it must write, and must not touch where it refuses; `piped` the file that
    comes on standard input.
    """

    seed: int
    kind: str
    files: tuple[tuple[str, bytes], ...]
    command: tuple[str, ...]
    output: str = ""
    piped: str = ""
    grows: tuple[str, ...] = ()  # what a command may write beside its output


def kind_of(seed: int) -> str:
    """Say which kind of file a case has; the kinds take turns."""
    if seed >= FIRST:
        return list(FORMATS)[seed % len(FORMATS)]
    if seed % _TURNS == _TURNS - 1:
        return list(SCENES)[seed // _TURNS % len(SCENES)]
    return KINDS[seed % len(KINDS)]


def make_case(seed: int) -> Case:
    """Draw a case."""
    rng, kind = np.random.default_rng(seed), kind_of(seed)
    if kind in FORMATS:
        return _of_format(seed, kind, *damaged_format(kind, rng), rng)
    if kind in SCENES:
        return Case(seed, kind, **SCENES[kind](rng))
    return _of_table(seed, kind, damaged(kind, intact(kind, int(rng.integers(60))), rng), rng)


def make_good_case(seed: int) -> Case:
    """Draw a case of the same kind whose file is not damaged."""
    rng, kind = np.random.default_rng(seed), kind_of(seed)
    if kind in FORMATS:
        return _of_format(seed, kind, named(kind), tuple(FORMATS[kind]().items()), rng)
    return make_case(seed) if kind in SCENES else _of_table(seed, kind, intact(kind, 0), rng)


def _of_table(seed: int, kind: str, data: bytes, rng: Any) -> Case:
    output = "kept" + str(rng.choice(_SUFFIXES))
    chosen = _COMMANDS[int(rng.integers(len(_COMMANDS)))]
    carry = ["--carry", "group"] if rng.random() < 0.2 else []
    name = f"table.{kind}"
    piped = name if rng.random() < 0.15 else ""
    command = (chosen[0], "-" if piped else name, *chosen[1:], *carry, "-o", output)
    return Case(seed, kind, ((name, data),), command, output, piped)


def _of_format(
    seed: int, kind: str, name: str, files: tuple[tuple[str, bytes], ...], rng: Any
) -> Case:
    output = "kept" + str(rng.choice(_SUFFIXES))
    chosen = _READS[int(rng.integers(len(_READS)))]
    command = (chosen[0], name, *chosen[1:], "-o", output)
    return Case(seed, kind, files, command, output)


def run_case(case: Case, folder: Path) -> tuple[str, str]:
    """Run the command in this folder; give "result", "refused" or what was wrong, and what it said.

    What it said is the sentence on standard error.
    """
    for left in folder.iterdir():
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    for name, data in case.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    output = folder / (case.output or "unused")
    before = output.read_bytes() if output.exists() else BEFORE
    output.write_bytes(before)
    out, err = _Stream(), _Stream()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        _standard_input(folder / case.piped if case.piped else None),
    ):
        code = _code(list(case.command))
    if isinstance(code, str):
        return code, ""
    known = {output.name, *(name.partition("/")[0] for name, _ in case.files)}
    others = {path.name for path in folder.iterdir()} - known - set(case.grows)
    if others:
        return f"left behind: {sorted(others)}", ""
    same = output.read_bytes() == before
    missed = same and bool(case.output)
    return _judged(code, out.text(), err.text(), missed, changed=not same), err.text().strip()


@contextlib.contextmanager
def _standard_input(path: Path | None) -> Iterator[None]:
    """Let a file be what comes on standard input."""
    if path is None:
        yield
        return
    before = sys.stdin
    with path.open("rb") as raw:
        sys.stdin = io.TextIOWrapper(raw)
        try:
            yield
        finally:
            sys.stdin = before


def _code(command: list[str]) -> int | str:
    from tamis.cli import main

    try:
        main(command)
    except SystemExit as stop:
        return int(stop.code or 0)
    except BaseException:  # whatever it is, it is a failure to be shown
        return traceback.format_exc()
    return 0


def _judged(code: int, out: str, err: str, same: bool, *, changed: bool) -> str:
    if "Not enough memory" in err:
        return f"memory: {err}"
    if odd := re.search(r"[^\n -~\u00a0-\U0010ffff]", out + err):
        return f"control character {odd[0]!r} shown: {out[-300:]}{err}"
    if code == 0:
        wrong = "stderr" if err else "output not written" if same else ""
        return f"{wrong} after a result: {err}" if wrong else "result"
    if code != 2:  # the answer may stand before it: a carried column is read when it is written
        return f"code {code}: {out}{err}"
    if not re.fullmatch(r"tamis: [^\n]+[.?]\n", err):
        return f"not one sentence: {err!r}"
    return "the output was changed by a refused command" if changed else "refused"


class _Stream(io.TextIOWrapper):
    """Standard output with a buffer below it, as a terminal has."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace")

    def text(self) -> str:
        self.flush()
        raw: Any = self.buffer
        return raw.getvalue().decode()
