"""One case: a damaged file, a command, and whether the answer is one that is allowed."""

import contextlib
import io
import re
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tests.fuzz.damage import damaged
from tests.fuzz.tables import KINDS, intact

BEFORE = b"what was here before\n"

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


@dataclass(frozen=True)
class Case:
    """A file name, its bytes and the command that reads it, all made from one seed."""

    seed: int
    kind: str
    data: bytes
    command: tuple[str, ...]

    @property
    def name(self) -> str:
        """The file's name."""
        return f"table.{self.kind}"


def make_case(seed: int) -> Case:
    """Draw a case; the kinds of files take turns."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    data = damaged(kind, intact(kind, int(rng.integers(60))), rng)
    output = "kept" + str(rng.choice(_SUFFIXES))
    chosen = _COMMANDS[int(rng.integers(len(_COMMANDS)))]
    carry = ["--carry", "group"] if rng.random() < 0.2 else []
    return Case(seed, kind, data, (chosen[0], f"table.{kind}", *chosen[1:], *carry, "-o", output))


def run_case(case: Case, folder: Path) -> str:
    """Run the command in this folder; give "result" or "refused", or what was wrong instead."""
    for left in folder.iterdir():
        left.unlink()
    (folder / case.name).write_bytes(case.data)
    output = folder / case.command[-1]
    output.write_bytes(BEFORE)
    out, err = _Stream(), _Stream()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _code(list(case.command))
    if isinstance(code, str):
        return code
    others = sorted(path.name for path in folder.iterdir())
    if others != sorted([case.name, output.name]):
        return f"left behind: {others}"
    same = output.read_bytes() == BEFORE
    return _judged(code, out.text(), err.text(), same)


def _code(command: list[str]) -> int | str:
    from tamis.cli import main

    try:
        main(command)
    except SystemExit as stop:
        return int(stop.code or 0)
    except BaseException:  # whatever it is, it is a failure to be shown
        return traceback.format_exc()
    return 0


def _judged(code: int, out: str, err: str, same: bool) -> str:
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
    return "refused" if same else "the output was changed by a refused command"


class _Stream(io.TextIOWrapper):
    """Standard output with a buffer below it, as a terminal has."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace")

    def text(self) -> str:
        self.flush()
        raw: Any = self.buffer
        return raw.getvalue().decode()
