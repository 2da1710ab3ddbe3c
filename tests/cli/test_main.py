"""The real command, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.slow

TAMIS = [sys.executable, "-c", "from tamis.cli import main; main()"]
# A shell may start tests with Ctrl-C switched off; a user's command has it on. The key is pressed
# when the search for the best set begins: at a step of the work, not after a time.
STOPPED = """
import signal
from tamis.algorithms.refine import exact
signal.signal(signal.SIGINT, signal.default_int_handler)
exact.best_subset = lambda *_, **__: signal.raise_signal(signal.SIGINT)
from tamis.cli import main
main()
"""


def _run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TAMIS, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.fixture
def random_table(tmp_path: Path) -> Path:
    X = np.random.default_rng(0).normal(size=(200, 44))
    header = ",".join(f"c{j}" for j in range(44))
    path = tmp_path / "random.csv"
    np.savetxt(path, X, delimiter=",", fmt="%.4f", header=header, comments="")
    return path


def test_a_selection_of_a_file_to_standard_output(random_table: Path) -> None:
    done = _run("select", "random.csv", "-k", "3", "-o", "-", folder=random_table.parent)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 201
    assert done.stderr.startswith("Keep 3 of 44 columns: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["select", "nope.csv"], "tamis: There is no file 'nope.csv': check the name and the "),
        (
            ["select", "random.csv", "-k", "0"],
            "tamis: -k 0: give an integer of at least 1, or a share of the columns below 1.",
        ),
    ],
)
def test_a_refusal_is_one_line_and_exit_code_2(
    arguments: list[str], sentence: str, random_table: Path
) -> None:
    done = _run(*arguments, folder=random_table.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(sentence)
    assert done.stderr.count("\n") == 1


def test_a_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    rows = "".join(f"{i % 89},{i * i % 97}\n" for i in range(60_000))
    (tmp_path / "long.csv").write_text("a,b\n" + rows)
    arguments = ["select", "long.csv", "-k", "2", "-o", "-"]
    process = subprocess.Popen(
        [*TAMIS, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(4)
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert said.decode() == _run(*arguments, folder=tmp_path).stderr
    assert said.startswith(b"Keep both columns")


@pytest.mark.skipif(os.name != "posix", reason="sends a Unix signal")
def test_ctrl_c_in_the_middle_stops_in_one_line_and_touches_nothing(random_table: Path) -> None:
    folder = random_table.parent
    for name in ("kept.csv", "page.html"):
        (folder / name).write_text("before")
    arguments = ["select", "random.csv", "-k", "18", "--refine", "exact", "-o", "kept.csv"]
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, *arguments, "--report", "page.html"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "tamis: Stopped.\n")
    assert (folder / "kept.csv").read_text() == "before"
    assert (folder / "page.html").read_text() == "before"
    assert {path.name for path in folder.iterdir()} == {"random.csv", "kept.csv", "page.html"}
