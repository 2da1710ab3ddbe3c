"""What a command loads before it answers: heavy packages only where they are needed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis

pytestmark = pytest.mark.slow

HEAVY = {"numpy", "scipy", "sklearn", "pyarrow", "pandas", "polars", "narwhals", "jinja2"}


def list_loaded(calls: list[str]) -> dict[str, set[str]]:
    """Give the heavy packages that are loaded after each call, all in one fresh process."""
    script = """
import contextlib, io, json, sys
loaded = {}
for call in json.loads(sys.argv[1]):
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        exec(call)
    loaded[call] = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps(loaded))
"""
    command = [sys.executable, "-c", script, json.dumps(calls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {call: HEAVY & set(names) for call, names in json.loads(done.stdout).items()}


def test_help_and_the_registry_load_nothing_heavy() -> None:
    asked = [["--help"], ["select", "--help"], ["reproduce", "--help"], ["methods"]]
    asked += [["select", "x.csv", "-k", "0"], ["select", "x.csv", "-m", "nope"]]
    calls = [
        "import tamis.registry",
        "import tamis; tamis.TamisError",
        *(f"from tamis.cli import main; main({arguments})" for arguments in asked),
    ]
    assert list_loaded(calls) == {call: set() for call in calls}


def test_a_look_and_a_selection_of_a_text_table_load_only_what_they_need(
    tmp_path: Path, numbers: np.ndarray, as_text: Any
) -> None:
    path, marked = tmp_path / "t.csv", tmp_path / "marked.csv"
    path.write_text(as_text(numbers))
    rows = [f"{i % 7},{i / 8},{'n.d.' if i % 9 == 0 else i},{'ab'[i % 2]}" for i in range(99)]
    marked.write_text("\n".join(["code,share,marked,group", *rows, ",,,"]) + "\n")
    selected = ["select", str(path), "-k", "3", "-o", str(tmp_path / "kept.csv"), "-m"]
    asked = [["look", str(marked)], [*selected, "sfs"], [*selected, "pfs"]]
    calls = [f"from tamis.cli import main; main({arguments})" for arguments in asked]
    needed = {"numpy", "scipy", "pyarrow"}
    assert list_loaded(calls) == dict.fromkeys(calls, needed)


def test_the_package_runs_as_the_command():
    asked = [sys.executable, "-m", "tamis", "--version"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tamis", tamis.__version__]
