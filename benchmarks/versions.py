"""What became slower since another version: `python -m benchmarks.versions FOLDER [JOB...]`.

FOLDER is a checkout of the other version. Every registered method on a small table, the commands on
files of every usual kind: each job runs in turn with the `src` of both, in processes of their own
with one thread, and the smallest processor time of each side counts. Jobs whose ratio is above
the limit are measured again, twice as often, before they are said to be slower.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

MOST_SLOWER = 1.05  # times the other version
_MIN_SECONDS = 0.05  # of a measurement: shorter jobs are repeated within it
_ROUNDS = 5
_SMALL_NEEDS = ("rows", "labelled rows")  # of methods that look at all rows again for every set
_COMMANDS: dict[str, Sequence[str]] = {
    "select default, CSV": ("select", "wide.csv", "-k", "5"),
    "select default, text": ("select", "mixed.csv", "-k", "5"),
    "select plain, CSV": ("select", "tall.csv", "-k", "5", "--method", "sfs"),
    "select plain, Parquet": ("select", "tall.parquet", "-k", "5", "--method", "sfs"),
    "select held out": ("select", "tall.csv", "-k", "5", "--held-out"),
    "select auto": ("select", "tall.parquet", "-k", "auto"),
    "select report": ("select", "tall.parquet", "-k", "5", "--report", "out.html"),
    "select missing": ("select", "gaps.csv", "-k", "5", "--missing", "mean"),
    "look, CSV": ("look", "mixed.csv"),
    "look, Parquet": ("look", "tall.parquet"),
    "score": ("score", "tall.parquet", "--columns", "x0,x1,x2"),
    "summarise": ("summarise", "tall.csv", "--output", "out.tamis"),
    "extract": ("extract", "tall.parquet", "-k", "5"),
    "compare": ("compare", "small.csv", "-k", "3", "--methods", "sfs,pfs"),
}


def main() -> None:
    """Measure all jobs, or those whose names contain one of the words given."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versions", description=__doc__)
    parser.add_argument("folder", type=Path, help="a checkout of the other version")
    parser.add_argument("words", nargs="*", metavar="JOB", help="words in the names of jobs")
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tamis-bench-") as tables:
        write_tables(Path(tables))
        present = Path(__file__).resolve().parents[1]
        sides = [Side(folder.resolve(), Path(tables)) for folder in (given.folder, present)]
        slower = [line for line in _lines(sides, given.words, given.rounds) if line]
        for side in sides:
            side.end()
    print(f"\nslower by more than {MOST_SLOWER - 1:.0%}: {', '.join(slower) or 'none'}")


def _lines(sides: Sequence["Side"], words: Sequence[str], rounds: int) -> Iterator[str]:
    """Print a line for each job that both sides know; give the names of those that are slower."""
    names = [set(side.ask(job="")) for side in sides]
    for name in sorted(names[0] & names[1]):
        if words and not any(word in name for word in words):
            continue
        times = _measure(sides, name, rounds)
        if times is None:
            continue
        if times[1] > MOST_SLOWER * times[0]:
            again = _measure(sides, name, 2 * rounds)
            times = [min(pair) for pair in zip(times, again or times, strict=True)]
        ratio = times[1] / times[0]
        mark = "SLOWER" if ratio > MOST_SLOWER else ""
        print(f"  {name:34}{1000 * times[0]:10.1f} ms{ratio:8.2f}  {mark}".rstrip(), flush=True)
        yield name if mark else ""


def _measure(sides: Sequence["Side"], name: str, rounds: int) -> list[float] | None:
    """Give the smallest processor time of each side, measured in turn; None where one fails."""
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for place, side in enumerate(sides):
            found = side.ask(job=name)
            if "error" in found:
                print(f"  {name}: not run by {side.folder.name}: {found['error']}")
                return None
            best[place] = min(best[place], found["seconds"])
    return best


class Side:
    """A process that imports one version and runs jobs when asked."""

    def __init__(self, folder: Path, tables: Path) -> None:
        self.folder = folder
        paths = os.pathsep.join(str(folder / part) for part in ("src", "papers/src"))
        alone = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": paths}
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).resolve()), "--jobs", str(tables)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **alone},
        )

    def ask(self, **request: Any) -> Any:
        """Let it do a job, or list all with none, and give its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        """End the process."""
        self._process.communicate()


def write_tables(folder: Path) -> None:
    """Write the tables: of numbers, tall and wide, with text, with missing values, and a small one.

    All columns of numbers follow a few factors, so that no method ends early.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

    rng = np.random.default_rng(0)
    for name, rows, columns in (("tall", 2000, 60), ("small", 150, 12), ("wide", 100, 800)):
        factors = rng.standard_normal((rows, 6)) @ rng.standard_normal((6, columns))
        values = factors + rng.standard_normal((rows, columns))
        table = pa.table({f"x{j}": values[:, j] for j in range(columns)})
        pa.csv.write_csv(table, folder / f"{name}.csv")
        pa.parquet.write_table(table, folder / f"{name}.parquet")
        np.save(folder / f"{name}.npy", values)
        np.save(folder / f"{name}_labels.npy", np.digitize(factors[:, 0], [-1.0, 1.0]))
        if name == "tall":
            gaps = values.copy()
            gaps[rng.random(gaps.shape) < 0.02] = np.nan
            marked = pa.table({f"x{j}": pa.array(gaps[:, j], from_pandas=True) for j in range(30)})
            pa.csv.write_csv(marked, folder / "gaps.csv")
            words = np.array(["north", "south", "east", "west"])
            texts = {f"t{j}": words[np.digitize(values[:, j], [-1, 0, 1])] for j in range(6)}
            pa.csv.write_csv(pa.table({**texts, **marked.to_pydict()}), folder / "mixed.csv")


def list_jobs(folder: Path) -> dict[str, Callable[[], Any]]:
    """Give all jobs of the version that is imported: its methods, and the commands."""
    import numpy as np

    import tamis
    from tamis import registry
    from tamis.cli import main as run_command

    tables = {
        name: (np.load(folder / f"{name}.npy"), np.load(folder / f"{name}_labels.npy"))
        for name in ("tall", "small")
    }

    def apply(kind: str, method: Any) -> None:
        X, y = tables["small" if method.needs in _SMALL_NEEDS else "tall"]
        run = {"selection": tamis.select, "extraction": tamis.extract}[kind]
        run(X, k=3, method=method.id, y=y if method.supervised else None)

    def command(words: Sequence[str]) -> None:
        try:
            run_command(list(words))
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"tamis {' '.join(words)} ended with {ended.code}") from None

    jobs: dict[str, Callable[[], Any]] = {}
    for kind in ("selection", "extraction"):
        for method in registry.methods(kind):
            jobs[f"{kind} {method.id}"] = lambda k=kind, m=method: apply(k, m)
    for name, words in _COMMANDS.items():
        jobs[f"command {name}"] = lambda w=words: command(w)
    return jobs


def serve(folder: Path, asked: IO[str], answers: IO[str]) -> None:
    """Answer requests, one a line; what the jobs themselves print goes nowhere."""
    os.chdir(folder)
    jobs, known = list_jobs(folder), set[str]()
    for line in asked:
        name = json.loads(line)["job"]
        if not name:
            found: Any = sorted(jobs)
        else:
            try:
                if name not in known:
                    jobs[name]()  # imports what it needs
                    known.add(name)
                found = {"seconds": time_job(jobs[name])}
            except Exception as error:  # whatever it is, the other jobs go on
                found = {"error": str(error)}
        answers.write(json.dumps(found) + "\n")
        answers.flush()


def time_job(run: Callable[[], Any]) -> float:
    """Give the processor time of one run, of as many as make a measurement long enough."""
    count, start = 0, time.process_time()
    while not count or time.process_time() - start < _MIN_SECONDS:
        run()
        count += 1
    return (time.process_time() - start) / count


if __name__ == "__main__":
    if sys.argv[1:2] == ["--jobs"]:
        warnings.simplefilter("ignore")
        answers = os.fdopen(os.dup(1), "w")
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        serve(Path(sys.argv[2]), sys.stdin, answers)
    else:
        main()
