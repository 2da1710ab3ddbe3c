"""`python -m tests.fuzz 20000`: the long run. `python -m tests.fuzz --case 17`: one, in detail."""

import argparse
import contextlib
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.case import make_case, run_case
from tests.fuzz.formats import FIRST
from tests.fuzz.pool import run_cases


def main() -> None:
    """Run many cases and print the counts, or run one and print what it is."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("cases", type=int, nargs="?", default=2000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first case")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--case", type=int, help="run this one here, and keep its file")
    parser.add_argument("--formats", action="store_true", help="of the formats with own packages")
    given = parser.parse_args()
    first = given.first + (FIRST if given.formats else 0)
    if given.case is not None:
        _one(given.case)
        return
    start = time.perf_counter()
    tally = run_cases(range(first, first + given.cases), given.workers)
    for seed, outcome in sorted(tally.failures.items()):
        sys.stdout.write(f"seed {seed}: {outcome}\n")
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    sys.stdout.write(f"{dict(tally.counts)} in {seconds:.0f} s, peak memory {peak} MB\n")
    sys.exit(1 if tally.failures else 0)


def _one(seed: int) -> None:
    case = make_case(seed)
    folder = Path(tempfile.mkdtemp())
    sys.stdout.write(f"cd {folder} && tamis {' '.join(case.command)}\n")
    with contextlib.chdir(folder):
        sys.stdout.write(run_case(case, folder) + "\n")


if __name__ == "__main__":
    main()
