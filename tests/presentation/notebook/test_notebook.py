"""A notebook, executed and exported: every result is shown, and looks right in Jupyter."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

for package in ("nbclient", "nbconvert", "ipykernel", "anywidget", "matplotlib", "pandas"):
    pytest.importorskip(package, reason=f"{package} is not installed")

pytestmark = pytest.mark.slow
FIRST = """import pandas as pd, tamis
from importlib.resources import files
table = pd.read_csv(files("tamis") / "data" / "breast_cancer.csv").drop(columns="diagnosis")
found = tamis.select(table, 5)
found"""
CELLS = {
    "selection": FIRST,
    "dropped": "found.dropped",
    "plot": "found.plot();",
    "extraction": "tamis.extract(table, 3)",
    "methods": "tamis.methods()",
    "pairs": "tamis.mutual_information(table)",
    "text": "print(found)",
    "widget": "widget = found.widget()\nwidget",
    "pinned": 'widget.pins = ["mean radius"]\nwidget.selection.names[0]',
}
# In a process of its own: the packages of Jupyter warn, which is no fault of ours.
EXECUTE = """import sys, nbformat, nbclient, nbconvert
notebook = nbformat.v4.new_notebook()
notebook.cells = [nbformat.v4.new_code_cell(text) for text in __import__("json").load(sys.stdin)]
nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
nbformat.write(notebook, "done.ipynb")
html, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
open("done.html", "w", encoding="utf-8").write(html)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Execute the notebook once."""
    folder = tmp_path_factory.mktemp("notebook")
    given = json.dumps(list(CELLS.values()))
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE], input=given, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


@pytest.fixture
def outputs(folder: Path) -> dict[str, dict[str, Any]]:
    """Give what each cell has shown, by the kind of content."""
    cells = json.loads((folder / "done.ipynb").read_text(encoding="utf-8"))["cells"]
    shown = [[one.get("data", {"text": one.get("text")}) for one in c["outputs"]] for c in cells]
    return {name: one[-1] if one else {} for name, one in zip(CELLS, shown, strict=True)}


def test_every_result_is_shown_as_html_beside_its_short_text(outputs) -> None:
    for name in ("selection", "dropped", "extraction", "methods", "pairs"):
        assert "tamis-card" in "".join(outputs[name]["text/html"])
    assert "".join(outputs["selection"]["text/plain"]).startswith(
        "<Selection by forward: 5 columns"
    )
    assert "".join(outputs["text"]["text"]).startswith("Keep 5 of 30 columns")


def test_a_plot_is_shown_without_any_setting(outputs) -> None:
    assert "image/png" in outputs["plot"]


def test_a_widget_is_shown_and_its_pins_come_back(outputs) -> None:
    assert "application/vnd.jupyter.widget-view+json" in outputs["widget"]
    assert "mean radius" in "".join(outputs["pinned"]["text/plain"])


def test_the_exported_page_keeps_the_look_of_the_cards(folder, browser) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 900})
    page.route("http*://**", lambda route: route.abort())  # Jupyter's own scripts
    page.goto((folder / "done.html").as_uri(), wait_until="domcontentloaded")
    card = page.locator(".tamis-card").first
    assert card.locator("svg.curve").bounding_box()["width"] > 400
    style = "(cell) => [getComputedStyle(cell).textAlign, getComputedStyle(cell).color]"
    last = card.locator("tbody tr:first-child td:last-child")
    align, light = last.evaluate(style)
    assert align == "left"
    assert "255, 255, 255" not in light
    page.evaluate(
        "document.body.dataset.jpThemeLight = 'false';"
        "document.body.style.setProperty('--jp-content-font-color1', 'rgb(255, 255, 255)')"
    )
    assert last.evaluate(style)[1] == "rgb(255, 255, 255)"
    line = card.locator("polyline.kept").evaluate("(line) => getComputedStyle(line).stroke")
    assert line == "rgb(111, 198, 189)"
    page.close()
