"""Chromium, and the page of a selection in it: quiet, and loading nothing."""

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reports import Report, report_of

import tamis

DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a summary's page; at the end, check that it was quiet and asked for nothing."""
    asked: list[str] = []
    complaints: list[str] = []
    contexts = []

    def _show(summary: Report, at: str = "", **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(summary.render(), encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": DESKTOP, **options}))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.as_uri() + at)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready]")
        return page

    yield _show
    for context in contexts:
        context.close()
    assert not complaints
    own = (tmp_path / "report.html").as_uri()
    expected = (tmp_path.as_uri(), "data:", "blob:")
    assert [url for url in asked if not url.startswith(expected)] == []
    assert own in asked or not contexts  # a test may be skipped before it shows a page


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a file with correlated columns, a constant one, text and a name with a comma."""
    rng = np.random.default_rng(5)
    hidden = rng.normal(size=(240, 3))
    X = hidden[:, [0, 0, 0, 1, 1, 2]] + 0.3 * rng.normal(size=(240, 6))
    path = tmp_path_factory.mktemp("table") / "my table.csv"
    names = ["age", "weight", "net, kg", "height", "noise", "income"]
    with path.open("w", newline="", encoding="utf-8") as file:
        write = csv.writer(file)
        write.writerow([*names, "unit", "town"])
        write.writerows([*row.round(6), 7, "ab"[i % 2]] for i, row in enumerate(X))
    return path


@pytest.fixture(scope="module")
def report(table: Path) -> Report:
    found = tamis.select(str(table), k=3, method="sfs")
    return report_of(found)
