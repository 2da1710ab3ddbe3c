"""The greedy loop of the page, against Python's on fifty tables: in Node and in Chromium."""

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.presentation.page.live_tables import as_json, cases, check

NODE = shutil.which("node")
KERNEL = Path(str(files("tamis.presentation.page").joinpath("kernel.js")))
RUNNER = Path(__file__).with_name("run_kernel.js")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def known() -> list[dict[str, Any]]:
    return list(cases())


def test_there_are_fifty_tables_and_every_kind_of_wish(known: list[dict[str, Any]]) -> None:
    assert len(known) == 50
    assert max(case["width"] for case in known) == 500
    for wish in ("include", "forbid", "costs"):
        assert sum(bool(case["asked"][wish]) for case in known) >= 20


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_node_keeps_the_columns_that_python_keeps(
    known: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "cases.json"
    file.write_text(as_json(known), encoding="utf-8")
    command = [str(NODE), str(RUNNER), str(KERNEL), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for case, live in zip(known, json.loads(done.stdout), strict=True):
        check(case, live)


def test_chromium_keeps_the_columns_that_python_keeps(
    known: list[dict[str, Any]], browser: Any
) -> None:
    decode = "(text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer"
    page = browser.new_page()
    page.add_script_tag(content=KERNEL.read_text() + RUNNER.read_text())
    found = page.evaluate(
        f"(text) => JSON.stringify(solveAll(kernel, JSON.parse(text), {decode}))", as_json(known)
    )
    page.close()
    for case, live in zip(known, json.loads(found), strict=True):
        check(case, live)
