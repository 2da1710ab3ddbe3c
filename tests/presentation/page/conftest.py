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
def open_page(browser: Any, shared_page: Any) -> Iterator[Callable[..., Any]]:
    """Open a file, with options in a context of its own; at the end, check that it was quiet."""
    complaints: list[str] = []
    asked: list[str] = []
    contexts = []
    heard = {
        "request": lambda request: asked.append(request.url.partition("#")[0]),
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "dialog": lambda dialog: complaints.append(dialog.message),
    }
    pages = []

    def _open(file: Path, at: str = "", **options: Any) -> Any:
        if options or pages:
            contexts.append(browser.new_context(**{"viewport": DESKTOP, **options}))
            pages.append(contexts[-1].new_page())
        else:
            pages.append(shared_page)
        page = pages[-1]
        for event, act in heard.items():
            page.on(event, act)
        page.goto(file.as_uri() + at)
        return page

    yield _open
    for page in pages:
        for event, act in heard.items():
            page.remove_listener(event, act)
    for context in contexts:
        context.close()
    assert not complaints
    own = {url.rpartition("/")[0] for url in asked[:1]}  # the folder of the page
    assert [url for url in asked if not url.startswith((*own, "data:", "blob:"))] == []


@pytest.fixture
def show(open_page: Callable[..., Any], tmp_path: Path) -> Callable[..., Any]:
    """Open a summary's page, and wait until its script is ready."""

    def _show(summary: Report, at: str = "", **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(summary.render(), encoding="utf-8")
        page = open_page(file, at, **options)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready]")
        return page

    return _show


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
    found = tamis.select(str(table), k=3, method="sfs", held_out=True)
    return report_of(found)
