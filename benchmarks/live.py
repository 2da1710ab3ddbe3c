"""Time the greedy loop of the report page under Node: `python -m benchmarks.live`."""

import base64
import json
import shutil
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

import numpy as np

from tamis.presentation.page.fill import bundle_modules

_CASES = (
    (300, 300, 0.160),
    (1000, 50, 0.266),
    (500, 500, None),
)  # columns, steps, seconds aimed at
_ROUNDS = 7
_SCRIPT = """
const { fillSquare, selectGreedily } = modules.greedy;
const cases = JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"));
for (const { width, k, triangle } of cases) {
  const bytes = Uint8Array.from(Buffer.from(triangle, "base64"));
  const matrix = fillSquare(new Float64Array(bytes.buffer), width);
  const times = Array.from({ length: Number(process.argv[3]) }, () => {
    const [start, used] = [performance.now(), process.cpuUsage()];
    selectGreedily(matrix, { k });
    const { user, system } = process.cpuUsage(used);
    return [performance.now() - start, (user + system) / 1000];
  });
  console.log(JSON.stringify(times));
}
"""


def correlations(d: int) -> np.ndarray:
    """Give the correlations of a random table whose columns share 30 causes."""
    rng = np.random.default_rng(d)
    X = rng.standard_normal((2 * d, 30)) @ rng.standard_normal((30, d))
    return np.corrcoef(X + 2.0 * rng.standard_normal((2 * d, d)), rowvar=False)


def main() -> None:
    """Print the first time of every case, the median, and the median of the processor's time."""
    node = shutil.which("node")
    if node is None:
        sys.exit("node is not installed.")
    folder = files("tamis.presentation.page")
    loop = bundle_modules("greedy", lambda name: folder.joinpath(name).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as work:
        script, table = Path(work) / "time.cjs", Path(work) / "cases.json"
        script.write_text(loop + _SCRIPT)
        table.write_text(json.dumps([_case(d, k) for d, k, _ in _CASES]))
        command = [node, str(script), str(table), str(_ROUNDS)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    print(f"{'columns':>8}{'steps':>7}{'first':>10}{'median':>10}{'CPU':>10}{'aim':>10}")
    for (d, k, aim), line in zip(_CASES, done.stdout.splitlines(), strict=True):
        times = np.array(json.loads(line))
        first, (median, cpu) = times[0, 0], np.median(times, axis=0)
        goal = "" if aim is None else f"{1000 * aim:.0f} ms"
        print(f"{d:>8}{k:>7}{first:>7.0f} ms{median:>7.0f} ms{cpu:>7.0f} ms{goal:>10}")


def _case(d: int, k: int) -> dict[str, object]:
    triangle = correlations(d)[np.tril_indices(d)].astype("<f8").tobytes()
    return {"width": d, "k": k, "triangle": base64.b64encode(triangle).decode("ascii")}


if __name__ == "__main__":
    main()
