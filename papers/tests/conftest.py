"""Toy experiments in the place of the papers', and the command in this process."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tamis.cli import main
from tamis_papers.laboratory.protocol import Protocol


@dataclass(frozen=True)
class Seen:
    code: int
    out: str
    err: str


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Let these be all the experiments there are."""

    def put(*protocols: Protocol) -> None:
        monkeypatch.setattr("tamis_papers.catalogue.list_protocols", lambda: tuple(protocols))

    return put


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., Seen]:
    """Run the command `tamis` in an empty folder, and give what a user would see."""
    monkeypatch.chdir(tmp_path)

    def ran(*arguments: str) -> Seen:
        try:
            main(list(arguments))
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        return Seen(code, *capfd.readouterr())

    return ran
