"""Ctrl-C at the worst moments, made to happen there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.sources.delimited import DelimitedSource


@pytest.fixture
def stopped(run: Any, folder: Path) -> Any:
    def ran(*arguments: str) -> None:
        (folder / "kept.parquet").write_text("before")
        (folder / "page.html").write_text("before")
        seen = run("select", "table.csv", "-k", "2", *arguments)
        assert (seen.code, seen.err) == (130, "tamis: Stopped.\n")
        assert (folder / "kept.parquet").read_text() == "before"
        assert (folder / "page.html").read_text() == "before"
        assert {p.name for p in folder.iterdir()} == {"table.csv", "kept.parquet", "page.html"}

    return ran


def _stop(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


def test_while_the_table_is_read(stopped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def reads_a_little(self: DelimitedSource, *given: Any, **how: Any) -> Iterator[Any]:
        yield next(usual(self, *given, **how))[:10]
        raise KeyboardInterrupt

    usual = DelimitedSource._parse
    monkeypatch.setattr(DelimitedSource, "_parse", reads_a_little)
    stopped("-o", "kept.parquet")


def test_while_the_output_is_half_written(stopped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_a_little(self: DelimitedSource, columns: Any, **_: Any) -> Iterator[Any]:
        yield next(usual(self, columns))
        raise KeyboardInterrupt

    usual = DelimitedSource.tables
    monkeypatch.setattr(DelimitedSource, "tables", gives_a_little)
    stopped("-o", "kept.parquet", "--report", "page.html")


def test_while_the_report_is_drawn(stopped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.presentation.page.selection.render", _stop)
    stopped("-o", "kept.parquet", "--report", "page.html")


def test_before_the_command_is_even_loaded(stopped: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.cli._run", _stop)
    stopped()
