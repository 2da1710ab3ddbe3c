"""Run the command in this process and look at what a user would see."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamis.cli import main

UNTOUCHED = "what was here before\n"


@dataclass(frozen=True)
class Seen:
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: np.ndarray, as_text: Any):
    """Work in an empty folder with one good table, `table.csv`."""
    monkeypatch.chdir(tmp_path)
    scratch = tmp_path.with_name(f"{tmp_path.name}-scratch")
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    (tmp_path / "table.csv").write_text(as_text(numbers))
    return tmp_path


@pytest.fixture
def run(folder: Path, capfd: pytest.CaptureFixture[str]) -> Any:  # noqa: ARG001 (the folder is entered)
    def ran(*arguments: str) -> Seen:
        try:
            main(list(arguments))
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        return Seen(code, *capfd.readouterr())

    return ran


@pytest.fixture
def selects(run: Any) -> Any:
    """Run `tamis select`, which must succeed, and give what was seen."""

    def ran(*arguments: str) -> Seen:
        seen = run("select", *arguments)
        assert seen.code == 0, seen.err
        return seen

    return ran


@pytest.fixture
def refused(run: Any, folder: Path) -> Any:
    """Run a command, which must refuse in one sentence and touch nothing; give the sentence.

    Both outputs are asked for and exist before, unless the arguments name others. What only fails
    while files are written (`late`) comes after the answer.
    """

    def ran(*arguments: str, late: bool = False) -> str:
        given = list(arguments)
        for flag, name in (("-o", "kept.csv"), ("--report", "report.html")):
            (folder / name).write_text(UNTOUCHED)
            if flag not in given:
                given += [flag, name]
        before = _contents(folder)
        seen = run("select", *given)
        assert seen.code == 2, seen
        assert bool(seen.out) == late
        assert seen.err.startswith("tamis: ")
        assert seen.err.endswith((".\n", "?\n"))
        assert seen.err.count("\n") == 1
        assert _contents(folder) == before
        return seen.err.removeprefix("tamis: ").strip()

    return ran


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
