"""Use an installed tamis as its user would: nothing but its base dependencies is there.

Run by `nox -s installed` away from the source; it needs no test framework.
"""

import json
import subprocess
import sys
from importlib.metadata import metadata, requires
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import tamis
from tamis.selection import ForwardSelection

OPTIONAL = ("matplotlib", "pandas", "polars", "dask", "pyspark", "openpyxl", "anywidget", "mcp")


def run(*words: str) -> str:
    command = Path(sys.executable).with_name("tamis")
    return subprocess.run([command, *words], check=True, capture_output=True, text=True).stdout


def main() -> None:
    about = metadata("tamis")
    assert about["Version"] == tamis.__version__
    assert about["License-Expression"] == "BSD-3-Clause"
    assert "](docs/" not in about.get_payload()
    assert not [name for name in OPTIONAL if find_spec(name)], "only base dependencies, please"
    base = [one for one in requires("tamis") or () if "extra ==" not in one]

    rng = np.random.default_rng(0)
    table = rng.standard_normal((300, 3)) @ rng.standard_normal((3, 9))
    table += 0.1 * rng.standard_normal(table.shape)
    found = tamis.select(table, k=3)
    assert found.held_out[-1] > 0.9
    assert ForwardSelection(3).fit(table).transform(table).shape == (300, 3)

    lines = [",".join(f"c{j}" for j in range(9)), *(",".join(map(str, row)) for row in table)]
    Path("t.csv").write_text("\n".join(lines) + "\n")
    answer = json.loads(run("select", "t.csv", "-k", "3", "--report", "r.html", "--json"))
    assert answer["names"] == [f"c{j}" for j in found.indices]
    assert Path("r.html").stat().st_size > 10_000
    assert "Keep" in run("demo")
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"tamis {tamis.__version__} works on Python {python} with {len(base)} base dependencies.")


if __name__ == "__main__":
    main()
