"""The greedy loop of the page, against Python's on fifty tables: in Node and in Chromium."""

import json
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.needs import NODE, needs_node
from tests.presentation.page.live_tables import as_json, cases, check

from tamis.presentation.page.fill import bundle_modules

LOOP = Path(str(files("tamis.presentation.page").joinpath("greedy.js")))
RUNNER = Path(__file__).with_name("run_greedy.js")
ENTRY = (
    'import { selectGreedily } from "./greedy.js";\nimport { solveAll } from "./run_greedy.js";\n'
)
SOLVE = "JSON.stringify(modules.run_greedy.solveAll(modules.greedy, JSON.parse(text), decode))"
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


def read_module(name: str) -> str:
    """Read a module of the page, the runner beside this file, or what joins them."""
    if name == "entry.js":
        return ENTRY
    return (RUNNER if name == RUNNER.name else LOOP.with_name(name)).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def known() -> list[dict[str, Any]]:
    return list(cases())


def test_there_are_fifty_tables_and_every_kind_of_wish(known: list[dict[str, Any]]) -> None:
    assert len(known) == 50
    assert max(case["width"] for case in known) == 500
    for wish in ("include", "forbid", "costs"):
        assert sum(bool(case["asked"][wish]) for case in known) >= 20


@needs_node
def test_node_keeps_the_columns_that_python_keeps(
    known: list[dict[str, Any]], tmp_path: Path
) -> None:
    script, file = tmp_path / "solve.cjs", tmp_path / "cases.json"
    script.write_text(bundle_modules("entry", read_module) + IN_NODE, encoding="utf-8")
    file.write_text(as_json(known), encoding="utf-8")
    command = [str(NODE), str(script), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for case, live in zip(known, json.loads(done.stdout), strict=True):
        check(case, live)


@pytest.mark.nightly  # Node runs the same modules
def test_chromium_keeps_the_columns_that_python_keeps(
    known: list[dict[str, Any]], browser: Any
) -> None:
    page = browser.new_page()
    page.add_script_tag(content=bundle_modules("entry", read_module))
    found = page.evaluate(IN_PAGE, as_json(known))
    page.close()
    for case, live in zip(known, json.loads(found), strict=True):
        check(case, live)
