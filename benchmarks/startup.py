"""How long the command takes to start, and to choose columns of a small file."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.plan import Target

_ROUNDS = 10


def lines(folder: Path) -> list[list[str]]:
    """Time the commands in turn, each in a fresh process; the head comes first."""
    tamis = str(Path(sys.executable).with_name("tamis"))
    table = _write_table(folder / "small.csv")
    commands = {
        'python -c "import numpy"': [sys.executable, "-c", "import numpy"],
        "tamis --help": [tamis, "--help"],
        "tamis methods": [tamis, "methods"],
        "tamis select, 1,000 x 50 CSV": [tamis, "select", str(table), "-k", "10"],
    }
    found = {name: [_run(command)] for name, command in commands.items()}
    for _ in range(_ROUNDS - 1):
        for name, command in commands.items():
            found[name].append(_run(command))
    head = ["command", "time / numpy", "target", "memory / numpy"]
    return [head, *(_line(name, found) for name in commands)]


def _line(name: str, found: dict[str, list[tuple[float, int]]]) -> list[str]:
    base, base_bytes = map(min, zip(*next(iter(found.values())), strict=True))
    seconds, size = map(min, zip(*found[name], strict=True))
    ratio, verdict = seconds / base, ""
    if name == "tamis --help":
        verdict = Target("<=", 3).judge(ratio)
    elif name.startswith("tamis select"):
        verdict = f"{seconds:.2f} s " + Target("<", 1.5).judge(seconds)
    return [name, f"{ratio:.2f}", verdict, f"{size / base_bytes:.2f}"]


def _run(command: Sequence[str]) -> tuple[float, int]:
    """Give the seconds and the peak memory of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss


def _write_table(path: Path) -> Path:
    draw = random.Random(0).gauss
    rows = [",".join(f"column{j}" for j in range(50))]
    for _ in range(1000):
        common = draw(0, 1)
        rows.append(",".join(f"{common + draw(0, 1):.6f}" for _ in range(50)))
    path.write_text("\n".join(rows) + "\n")
    return path
