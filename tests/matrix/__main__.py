"""Run the tests and compare all answers over processors, thread counts and package versions.

`python tests/matrix` runs every cell: the numerical tests, then `picks.py`, whose answers must be
those of the first cell. OpenBLAS takes the kernels of the processor named by `OPENBLAS_CORETYPE`,
so one machine stands in for many. With the lowest packages one file of every format, written by the
newest, is read as well. `--tests all` runs the whole suite in every cell, `none` only
the comparison; `--cells TEXT` only the cells that have TEXT in their name.
"""

import argparse
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOWEST = ROOT / ".matrix-lowest"
CORES = ("Haswell", "Nehalem", "Sandybridge", "Prescott", "Zen")
NUMERICAL = (
    *(
        "-m",
        "not slow",
        "tests/algorithms",
        "tests/numerics",
        "tests/statistics",
        "tests/evaluation",
    ),
    *("tests/test_axioms.py", "tests/test_extract.py", "tests/api", "papers/tests"),
)
CONTRACTS = (
    *("-k", "not square and not thread", "tests/test_contracts.py", "tests/test_degenerate.py"),
    *("tests/test_units.py", "tests/test_symmetry.py"),
)
STREAMS = ("tests/test_streams.py", "tests/sources/test_sql.py")
TESTS = {"none": (), "numerical": (NUMERICAL, CONTRACTS), "all": ((),)}
MAX_LOOK_SECONDS = 60  # for a file of 40 rows: beyond, it hangs
CLOSE = 1e-6  # of shares: errors of iterative solvers, not a choice between columns


def cells() -> dict[str, tuple[str, dict[str, str]]]:
    """Give every combination by name: the Python that runs it and its environment."""
    pythons = {"newest": sys.executable, "lowest": str(lowest())}
    found = {}
    for (age, python), core, threads in itertools.product(pythons.items(), CORES, ("1", "2")):
        environment = {"OPENBLAS_CORETYPE": core, "OPENBLAS_NUM_THREADS": threads}
        found[f"{age} {core} {threads}"] = (python, environment)
    for age, python in pythons.items():
        features = {"NPY_DISABLE_CPU_FEATURES": simd(python), "OPENBLAS_NUM_THREADS": "1"}
        found[f"{age} without SIMD"] = (python, features)
    return found


def lowest() -> Path:
    """Make an environment with the lowest versions that pyproject.toml allows."""
    python = LOWEST / "bin" / "python"
    if not python.exists():
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, LOWEST], check=True)
        install = [*uv, "pip", "install", "--quiet", "--python", python]
        lowest = ["--resolution", "lowest-direct", "--group", "dev"]
        both = ["--editable", ROOT, "--editable", ROOT / "papers"]
        subprocess.run([*install, *lowest, *both], cwd=ROOT, check=True)
    return python


def write_formats(folder: Path) -> list[Path]:
    """Write one file of every format with the newest packages."""
    sys.path.insert(0, str(ROOT))
    from tests.fuzz.formats import FORMATS, named
    from tests.fuzz.tables import KINDS, intact

    made = {kind: {named(kind): intact(kind, 2)} for kind in KINDS}
    made |= {kind: make() for kind, make in FORMATS.items()}
    for kind, files in made.items():
        for name, data in files.items():
            path = folder / kind / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return [folder / kind / named(kind) for kind in made]


def look(python: str, path: Path) -> object:
    """Give what one Python sees in a file, or why it sees nothing."""
    command = [python, "-m", "tamis", "look", str(path), "--json"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=MAX_LOOK_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"does not end within {MAX_LOOK_SECONDS} s"
    if done.returncode:
        return f"code {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}"
    return json.loads(done.stdout)


def compare_formats() -> int:
    """Read every format with the lowest packages; print and count what differs from the newest."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in write_formats(Path(folder)):
            expected, found = look(sys.executable, path), look(str(lowest()), path)
            if isinstance(expected, str) or found != expected:
                wrong += 1
                print(f"lowest, {path.parent.name}: {found}; newest: {expected}", flush=True)
    print(f"lowest: {wrong} formats are read otherwise than by the newest", flush=True)
    outcome = tested(str(lowest()), {}, [STREAMS])
    print(f"lowest, streams and databases: {outcome}", flush=True)
    return wrong + ("failed" in outcome or "error" in outcome)


def simd(python: str) -> str:
    """Give the vector instructions that NumPy would use on this processor."""
    code = (
        "from numpy._core import _multiarray_umath as core;"
        "print(*[name for name in core.__cpu_dispatch__ if core.__cpu_features__.get(name)])"
    )
    return subprocess.run(
        [python, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


def tested(python: str, environment: dict[str, str], runs: Sequence[Sequence[str]]) -> str:
    """Run the tests in one cell and give pytest's last lines, and the names of what failed."""
    told = []
    for which in runs:
        command = [python, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *which]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        lines = done.stdout.strip().splitlines()
        told += [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        told.append(lines[-1])
    return "\n".join(told)


def picked(python: str, environment: dict[str, str]) -> dict[str, list[str] | list[float]]:
    """Give the answers of every method in one cell."""
    done = subprocess.run(
        [python, str(Path(__file__).with_name("picks.py"))],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def same(first: list[str] | list[float], other: list[str] | list[float]) -> bool:
    """Tell whether two answers are equal: names exactly, shares closely."""
    if len(first) != len(other) or isinstance(first[0], str) or isinstance(other[0], str):
        return first == other
    return all(math.isclose(a, b, abs_tol=CLOSE) for a, b in zip(first, other, strict=True))


def main() -> int:
    """Run the cells, print a line for each, and give the number of those that differ or fail."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tests", choices=TESTS, default="numerical")
    parser.add_argument("--cells", default="")
    asked = parser.parse_args()
    expected, wrong = None, compare_formats() if asked.cells in "lowest formats" else 0
    for name, (python, environment) in cells().items():
        if asked.cells not in name:
            continue
        start = time.perf_counter()
        outcome = tested(python, environment, TESTS[asked.tests])
        found = picked(python, environment)
        expected = found if expected is None else expected
        other = [case for case in expected if not same(expected[case], found[case])]
        wrong += bool(other) or "failed" in outcome or "error" in outcome
        print(f"{name}: {outcome}; {len(found) - len(other)} of {len(found)} answers equal", end="")
        print(f" ({time.perf_counter() - start:.0f} s)", *other, sep="\n  ", flush=True)
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
