"""How long the command takes to start, and to choose columns of a small file.

Processor time, with bytecode as in an installed package: a worktree has none where the environment
says not to write it.
"""

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.plan import Target

_ROUNDS = 10
_BASE = 'python -c "import numpy"'
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


def lines(folder: Path) -> list[list[str]]:
    """Time the commands in turn, each in a fresh process; the head comes first."""
    tamis = str(Path(sys.executable).with_name("tamis"))
    table = _write_table(folder / "small.csv")
    commands = {
        'python -c "pass"': [sys.executable, "-c", "pass"],
        _BASE: [sys.executable, "-c", "import numpy"],
        "tamis --help": [tamis, "--help"],
        "tamis methods": [tamis, "methods"],
        "tamis select, 1,000 x 50 CSV": [tamis, "select", str(table), "-k", "10"],
    }
    where = {name: value for name, value in os.environ.items() if name != _NO_BYTECODE}
    where["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    for command in commands.values():
        _run(command, where)  # writes the bytecode
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in commands}
    for _ in range(_ROUNDS):
        for name, command in commands.items():
            found[name].append(_run(command, where))
    head = ["command", "time / numpy", "target", "memory / numpy"]
    return [head, *(_line(name, found) for name in commands)]


def _line(name: str, found: dict[str, list[tuple[float, int]]]) -> list[str]:
    base, base_bytes = map(min, zip(*found[_BASE], strict=True))
    seconds, size = map(min, zip(*found[name], strict=True))
    ratio, verdict = seconds / base, ""
    if name in ("tamis --help", "tamis methods"):
        verdict = Target("<=", 1).judge(ratio)
    elif name.startswith("tamis select"):
        verdict = f"{seconds:.2f} s " + Target("<", 1.5).judge(seconds)
    return [name, f"{ratio:.2f}", verdict, f"{size / base_bytes:.2f}"]


def _run(command: Sequence[str], where: dict[str, str]) -> tuple[float, int]:
    """Give the processor time and the peak memory of a process in an environment."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=where)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def _write_table(path: Path) -> Path:
    draw = random.Random(0).gauss
    rows = [",".join(f"column{j}" for j in range(50))]
    for _ in range(1000):
        common = draw(0, 1)
        rows.append(",".join(f"{common + draw(0, 1):.6f}" for _ in range(50)))
    path.write_text("\n".join(rows) + "\n")
    return path
