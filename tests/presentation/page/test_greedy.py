"""The greedy loop of the page, against Python's on fifty tables: in Node and in Chromium."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.needs import NODE, needs_node, nightly
from tests.presentation.page.live_tables import as_json, cases, check

from tamis.presentation.browser.try_page import read_module
from tamis.presentation.page.fill import bundle_modules

RUNNER = Path(__file__).with_name("run_greedy.js")
ENTRY = """import { fillSquare } from "./gram.js";
import { search } from "./greedy.js";
import { solveAll } from "./run_greedy.js";
"""
SOLVE = "JSON.stringify(modules.run_greedy.solveAll(modules, JSON.parse(text), decode))"
IN_NODE = f"""
const text = require("node:fs").readFileSync(process.argv[2], "utf8");
const decode = (letters) => Uint8Array.from(Buffer.from(letters, "base64")).buffer;
process.stdout.write({SOLVE});
"""
IN_PAGE = f"""(text) => {{
  const decode = (letters) => Uint8Array.from(atob(letters), (one) => one.charCodeAt(0)).buffer;
  return {SOLVE};
}}"""

pytestmark = pytest.mark.slow


def read(name: str) -> str:
    """Read a module of the page, the runner beside this file, or what joins them."""
    if name == "entry.js":
        return ENTRY
    return RUNNER.read_text(encoding="utf-8") if name == RUNNER.name else read_module(name)


@pytest.fixture(scope="module")
def known() -> list[dict[str, Any]]:
    return list(cases())


@pytest.mark.nightly
def test_there_are_fifty_tables_and_every_kind_of_wish(known: list[dict[str, Any]]) -> None:
    assert len(known) == 50
    assert max(case["width"] for case in known) == 500
    for wish in ("include", "forbid", "costs"):
        assert sum(bool(case["asked"][wish]) for case in known) >= 20


def solve_in_node(cases: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Let the loop of the page solve cases."""
    script, file = folder / "solve.cjs", folder / "cases.json"
    script.write_text(bundle_modules("entry", read) + IN_NODE, encoding="utf-8")
    file.write_text(as_json(cases), encoding="utf-8")
    done = subprocess.run([NODE, script, file], capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@needs_node
@pytest.mark.parametrize("every", [7, nightly(1)])
def test_node_keeps_the_columns_that_python_keeps(every: int, tmp_path: Path) -> None:
    known = list(cases(every))
    for case, live in zip(known, solve_in_node(known, tmp_path), strict=True):
        check(case, live)


@pytest.mark.nightly  # Node runs the same modules
def test_chromium_keeps_the_columns_that_python_keeps(
    known: list[dict[str, Any]], browser: Any
) -> None:
    page = browser.new_page()
    page.add_script_tag(content=bundle_modules("entry", read))
    found = page.evaluate(IN_PAGE, as_json(known))
    page.close()
    for case, live in zip(known, json.loads(found), strict=True):
        check(case, live)
