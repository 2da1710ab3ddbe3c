"""The greedy loop of the page, against Python's on fifty tables: in Node and in Chromium."""

import json
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.presentation.page.live_tables import as_json, cases, check

from tamis.presentation.page.bundle import bundle_modules

NODE = shutil.which("node")
LOOP = Path(str(files("tamis.presentation.page").joinpath("greedy.js")))
RUNNER = Path(__file__).with_name("run_greedy.js")
IN_NODE = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [loop, runner] = await Promise.all(
  process.argv.slice(1, 3).map((file) => import(pathToFileURL(file))),
);
const decode = (text) => Uint8Array.from(Buffer.from(text, "base64")).buffer;
const cases = JSON.parse(readFileSync(process.argv[3], "utf8"));
process.stdout.write(JSON.stringify(runner.solveAll(loop, cases, decode)));
"""
IN_PAGE = (
    'import { selectGreedily } from "./greedy.js";\nimport { solveAll } from "./run_greedy.js";\n'
)

pytestmark = pytest.mark.slow


def read_module(name: str) -> str:
    """Read a module of the page, the runner beside this file, or what joins them."""
    if name == "entry.js":
        return IN_PAGE
    return (RUNNER if name == RUNNER.name else LOOP.with_name(name)).read_text(encoding="utf-8")


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
    command = [str(NODE), "--input-type=module", "--eval", IN_NODE]
    command += [str(LOOP), str(RUNNER), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for case, live in zip(known, json.loads(done.stdout), strict=True):
        check(case, live)


def test_chromium_keeps_the_columns_that_python_keeps(
    known: list[dict[str, Any]], browser: Any
) -> None:
    decode = "(text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer"
    page = browser.new_page()
    page.add_script_tag(content=bundle_modules("entry", read_module))
    solve = "modules.run_greedy.solveAll(modules.greedy, JSON.parse(text), decode)"
    found = page.evaluate(
        f"(text) => {{ const decode = {decode}; return JSON.stringify({solve}); }}", as_json(known)
    )
    page.close()
    for case, live in zip(known, json.loads(found), strict=True):
        check(case, live)
