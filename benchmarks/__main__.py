"""Measure tamis and print one table for each section."""

import argparse
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks import (
    auto,
    extraction,
    filters,
    growth,
    information,
    neighbours,
    packages,
    relevance,
    startup,
    wrappers,
)
from benchmarks.plan import SECTIONS, Section
from benchmarks.run import Bench, ChildError

FAMILIES = {
    "information": information,
    "neighbours": neighbours,
    "relevance": relevance,
    "filters": filters,
    "wrappers": wrappers,
    "extraction": extraction,
    "auto": auto,
    "packages": packages,
}
_LABEL = 28
_WIDTHS = {"target": 19}


def main() -> None:
    """Run the sections asked for, or all of them."""
    names = (*SECTIONS, *FAMILIES, "growth", "startup")
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(names))
    parser.add_argument("--quick", action="store_true", help="4,000 x 600, not 20,000 x 2,000")
    given = parser.parse_args()
    unknown = [name for name in given.sections if name not in names]
    if unknown:
        parser.error(f"no section {unknown[0]!r}: there is {', '.join(names)}")
    print("Times are ratios within one run: subject and reference in turn, the best of each.")
    print("Noise is the slowest run of the reference over its best: far above 1, measure again.")
    print("Memory is the peak on top of the loaded table; share is the variance reproduced.")
    print(
        f"Load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. Other work slows "
        "many small steps more than one large product."
    )
    if given.quick:
        print("Quick: fixed costs weigh more on small tables; the targets are for the full size.")
    with tempfile.TemporaryDirectory(prefix="tamis-bench-") as folder:
        bench = Bench(Path(folder))
        for name in given.sections or names:
            if name == "startup":
                print("\nstartup: fresh processes, warm disk")
                _print_columns(startup.lines(bench.folder))
            elif name in FAMILIES:
                print(f"\n{name}: {str(FAMILIES[name].__doc__).splitlines()[0]}")
                _print_columns(FAMILIES[name].lines(given.quick))
            elif name == "growth":
                print("\ngrowth: full backward path, time relative to the smallest table")
                _print_columns(growth.lines(given.quick))
            else:
                try:
                    _print_section(SECTIONS[name](given.quick), bench)
                except ChildError as error:
                    print(f"  not run: {error}")


def _print_section(section: Section, bench: Bench) -> None:
    print(f"\n{section.name}: {section.about}")
    for table in {row.table.id: row.table for row in section.rows}.values():
        n, d = bench.table(table)["shape"]
        print(f"  {table.id}: {n:,} x {d:,}, k = {table.k}; {table.about}", flush=True)
    _print_columns(bench.lines(section))


def _print_columns(lines: Iterable[list[str]]) -> None:
    """Print each line as it comes, so the widths are set beforehand."""
    widths: list[int] = []
    for line in lines:
        widths = widths or [_LABEL, *(_WIDTHS.get(name, len(name)) for name in line[1:])]
        cells = [text.ljust(width) for text, width in zip(line, widths, strict=False)]
        print("  " + "  ".join(cells).rstrip(), flush=True)


if __name__ == "__main__":
    main()
