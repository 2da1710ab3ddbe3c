"""Time and memory of `tamis select` against rows, columns, picks and non-zeros.

`python -m benchmarks.cost_curves` makes the tables, runs each in a process of its own (one BLAS
thread), fits an exponent to every curve and writes `docs/growth.md` with its pictures. Beside each
figure stands what `tamis select --estimate` says.
"""

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.atlas import write_atlas
from tamis.memory import machine_bytes
from tamis.run.estimate import Cost, estimate_cost, measure_machine, measure_shape
from tamis.sources.open import open_source

ROOT = Path(__file__).resolve().parents[1]
_DAY = 86_400.0
_RUN = "import sys; from tamis.cli import main; sys.argv = ['tamis', *sys.argv[1:]]; main()"


@dataclass(frozen=True)
class Case:
    """A table to make, and how many of its columns to keep."""

    curve: str
    size: float  # along the curve
    rows: int
    columns: int
    k: int = 20
    density: float | None = None  # of sparse counts; None for dense factors

    def write(self, folder: Path) -> Path:
        """Write the table unless an equal one is there."""
        kind = "parquet" if self.density is None else "h5ad"
        path = folder / f"{self.rows}x{self.columns}x{self.density}.{kind}"
        if path.exists():
            return path
        if self.density is not None:
            write_atlas(path, self.rows, self.columns, self.density)
            return path
        import pyarrow as pa
        import pyarrow.parquet as pq

        rng = np.random.default_rng(0)
        X = rng.normal(size=(self.rows, 12)) @ rng.normal(size=(12, self.columns))
        X += 2 * rng.normal(size=X.shape)
        pq.write_table(pa.table({f"c{j}": X[:, j] for j in range(self.columns)}), path)
        return path


@dataclass(frozen=True)
class Measured:
    """What a case took, and what was expected."""

    case: Case
    seconds: float
    peak: float
    expected: Cost


def list_cases() -> Iterator[Case]:
    """List the cases of all curves."""
    for n in (5_000, 20_000, 80_000, 320_000):
        yield Case("rows", n, n, 60)
    for d in (100, 200, 400, 800, 1_600):
        yield Case("columns", d, 4_000, d)
    for d in (500, 1_000, 2_000):
        yield Case("columns, 200 rows", d, 200, d)
    for k in (5, 20, 80, 320):
        yield Case("picks", k, 4_000, 800, k)
    for share in (0.02, 0.05, 0.1, 0.2):
        yield Case("values not 0", share * 2_000 * 1_500, 2_000, 1_500, density=share)


def measure(case: Case, folder: Path) -> Measured:
    """Run one case in a process of its own.

    So are the making of the table and the estimate: a process starts with the memory mark of its
    parent, which has to stay small.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as other:
        path, expected = other.submit(prepare, case, folder).result()
    command = [sys.executable, "-c", _RUN, "select", str(path), "-k", str(case.k)]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    child = subprocess.Popen(command, env=alone, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        raise SystemExit(f"{case} failed")
    return Measured(case, used.ru_utime + used.ru_stime, 1024.0 * used.ru_maxrss, expected)


def prepare(case: Case, folder: Path) -> tuple[Path, Cost]:
    """Write the table and say what selecting from it will take."""
    path = case.write(folder)
    return path, estimate_cost(measure_shape(open_source(path)), case.k, measure_machine())


def fit_exponent(sizes: list[float], values: list[float]) -> float:
    """Fit a straight line through the logarithms.

    >>> round(fit_exponent([1.0, 2.0, 4.0], [3.0, 12.0, 48.0]), 9)
    2.0
    """
    x, y = np.log(sizes), np.log(values)
    return float(((x - x.mean()) * (y - y.mean())).sum() / np.square(x - x.mean()).sum())


def write_page(found: list[Measured], folder: Path) -> None:
    """Write the page: a table and two pictures for each curve."""
    room = machine_bytes()
    lines = [
        "# Growth",
        "",
        "Written by `python -m benchmarks.cost_curves`: processor time and peak memory of",
        "`tamis select table.parquet -k 20` (the default, with shares on new rows), one BLAS",
        "thread. Exponents are those of the last half of a curve, where fixed costs weigh least.",
        "In brackets: what `--estimate` says before it starts. Dashed: the last slope drawn on,",
        "and the limit.",
        "",
    ]
    for curve in dict.fromkeys(one.case.curve for one in found):
        own = [one for one in found if one.case.curve == curve]
        sizes, last = [one.case.size for one in own], len(own) // 2
        times, peaks = [one.seconds for one in own], [one.peak for one in own]
        first = own[0].case
        shape = f"{first.rows:,} x {first.columns:,}"
        lines += [f"## Against {curve}", "", f"First table: {shape}, k = {first.k}.", ""]
        lines += ["| | processor time | peak |", "|---|---|---|"]
        for one in own:
            seconds = f"{one.seconds:.1f} s ({one.expected.seconds:.1f})"
            peak = f"{one.peak / 1e6:.0f} MB ({one.expected.peak / 1e6:.0f})"
            lines.append(f"| {one.case.size:,.0f} | {seconds} | {peak} |")
        powers = [fit_exponent(sizes[last - 1 :], part[last - 1 :]) for part in (times, peaks)]
        lines += ["", f"Exponents: time {powers[0]:.2f}, memory {powers[1]:.2f}.", ""]
        name = curve.replace(",", "").replace(" ", "-")
        drawn = {"time": (times, _DAY, "s", "a day"), "memory": (peaks, room, "B", "this machine")}
        for kind, (values, limit, unit, label) in drawn.items():
            text = draw_curve(sizes, values, limit, f"{kind} ({unit}) by {curve}", label)
            (folder / "_static" / f"growth-{name}-{kind}.svg").write_text(text)
            lines.append(f"![{kind} by {curve}](_static/growth-{name}-{kind}.svg)")
        lines.append("")
    ratios = [one.expected.seconds / one.seconds for one in found]
    off = max(max(ratio, 1 / ratio) for ratio in ratios)
    lines += [f"Largest factor between estimate and measured time: {off:.2f}.", ""]
    (folder / "growth.md").write_text("\n".join(lines))


def draw_curve(
    sizes: list[float], values: list[float], limit: float, title: str, label: str
) -> str:
    """Draw a curve between logarithmic axes, its last slope drawn on to where the limit is."""
    slope = fit_exponent(sizes[-2:], values[-2:])
    reach = sizes[-1] * 10
    drawn_on = [(sizes[-1], values[-1]), (reach, values[-1] * 10 ** max(slope, 0.0))]
    low, high = math.log10(min(values)) - 0.3, math.log10(limit) + 0.3
    left, right = math.log10(sizes[0]) - 0.1, math.log10(reach)

    def place(size: float, value: float) -> str:
        x = 50 + 310 * (math.log10(size) - left) / (right - left)
        y = 190 - 160 * (math.log10(value) - low) / (high - low)
        return f"{x:.1f},{y:.1f}"

    edge = [place(10**left, limit), place(10**right, limit)]
    texts = [_write_text(50, 18, title), _write_text(56, 52, label)]
    for size in (sizes[0], sizes[-1], reach):
        x = place(size, values[0]).split(",")[0]
        texts.append(_write_text(float(x) - (34 if size == reach else 10), 208, f"{size:,.0f}"))
    for value in (values[0], values[-1]):
        y = place(sizes[0], value).split(",")[1]
        texts.append(_write_text(4, float(y), f"{value:.2g}"))
    return "".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" width="380" height="216" font-size="10" ',
            'font-family="sans-serif">',
            *texts,
            _draw_line(edge, "#b00020", "4 3"),
            _draw_line([place(*point) for point in drawn_on], "#1f77b4", "2 4"),
            _draw_line([place(*p) for p in zip(sizes, values, strict=True)], "#1f77b4", "none"),
            "</svg>\n",
        ]
    )


def _write_text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="#555">{text}</text>'


def _draw_line(points: list[Any], colour: str, dashes: str) -> str:
    drawn = " ".join(points)
    return f'<polyline fill="none" stroke="{colour}" stroke-dasharray="{dashes}" points="{drawn}"/>'


def main() -> None:
    """Measure all cases and write the page."""
    found = []
    with tempfile.TemporaryDirectory(prefix="tamis-growth-") as folder:
        for case in list_cases():
            found.append(measure(case, Path(folder)))
            one = found[-1]
            print(
                f"{case.curve:20}{case.size:12,.0f}{one.seconds:8.1f} s{one.peak / 1e6:8.0f} MB"
                f"   expected {one.expected.seconds:.1f} s {one.expected.peak / 1e6:.0f} MB",
                flush=True,
            )
    write_page(found, ROOT / "docs")


if __name__ == "__main__":
    main()
