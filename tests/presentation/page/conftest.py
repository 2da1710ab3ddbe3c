"""Chromium, and the page of a selection in it: quiet, and loading nothing."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.presentation.page.selection import render

DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    usual = "/usr/bin/chromium"
    chromium = usual if os.access(usual, os.X_OK) else shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        yield opened
        opened.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open a summary's page; at the end, check that it was quiet and asked for nothing."""
    asked: list[str] = []
    complaints: list[str] = []
    contexts = []

    def _show(summary: dict[str, Any], at: str = "", **options: Any) -> Any:
        file = tmp_path / "report.html"
        file.write_text(render(summary), encoding="utf-8")
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
    assert own in asked
