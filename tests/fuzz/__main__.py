"""`python -m tests.fuzz 2000`: so many damaged files of each kind, and a table of how they ended.

`--kind sav` runs one kind only, `--case 17` one case, in detail.
"""

import argparse
import contextlib
import itertools
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.case import kind_of, make_case, run_case
from tests.fuzz.formats import FIRST, FORMATS
from tests.fuzz.pool import Tally, run_cases
from tests.fuzz.scenes import SCENES
from tests.fuzz.tables import KINDS

_ALL = (*KINDS, *SCENES, *FORMATS)


def main() -> None:
    """Run many cases and print the counts, or run one and print what it is."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("cases", type=int, nargs="?", default=100, help="of each kind")
    parser.add_argument("--kind", choices=_ALL, action="append", help="only files of this kind")
    parser.add_argument("--first", type=int, default=0, help="the seed to begin at")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--said", action="store_true", help="print every sentence of a refusal")
    parser.add_argument("--case", type=int, help="run this one here, and keep its file")
    given = parser.parse_args()
    if given.case is not None:
        _one(given.case)
        return
    start = time.perf_counter()
    seeds = [s for kind in given.kind or _ALL for s in _seeds(kind, given.cases, given.first)]
    tally = run_cases(seeds, given.workers)
    for seed, outcome in sorted(tally.failures.items()):
        sys.stdout.write(f"seed {seed}, {kind_of(seed)}: {outcome}\n")
    _print_table(tally, given.said)
    seconds = time.perf_counter() - start
    sys.stdout.write(f"{dict(tally.counts)} in {seconds:.0f} s\n")
    sys.exit(1 if tally.failures else 0)


def _seeds(kind: str, cases: int, first: int) -> list[int]:
    """Give the first seeds whose cases are of a kind."""
    numbers = itertools.count(first + (FIRST if kind in FORMATS else 0))
    return list(itertools.islice((seed for seed in numbers if kind_of(seed) == kind), cases))


def _print_table(tally: Tally, said: bool) -> None:
    line = "{:<20}{:>8}{:>8}{:>8}{:>8}{:>9}\n".format
    sys.stdout.write(line("kind", "cases", "result", "refused", "failed", "peak MB"))
    for kind, counts in tally.kinds.items():
        ends = (counts["result"], counts["refused"], counts["failed"])
        sys.stdout.write(line(kind, counts.total(), *ends, tally.peaks[kind] >> 20))
        if said:
            alike = Counter(
                re.sub(r"\(.*\)", "(...)", re.sub(r"\d+", "0", sentence))
                for seed, sentence in tally.said.items()
                if kind_of(seed) == kind
            )
            sys.stdout.writelines(f"{n:>6} {text}\n" for text, n in alike.most_common())


def _one(seed: int) -> None:
    case = make_case(seed)
    folder = Path(tempfile.mkdtemp())
    sys.stdout.write(f"cd {folder} && tamis {' '.join(case.command)}\n")
    with contextlib.chdir(folder):
        sys.stdout.write("\n".join(run_case(case, folder)) + "\n")


if __name__ == "__main__":
    main()
