"""The report as a widget: state comes from the page to the model, and from there to Python."""

import json
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis

pytest.importorskip("anywidget", reason="anywidget is not installed")

# A model as a notebook has it, in a bare page that imports the module of the widget.
HOST = """<!DOCTYPE html><body><div id="here"></div><script type="module">
const source = %s, state = %s, heard = {};
const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
const model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  save_changes: () => { window.saved = { ...state, page: "" }; },
  on: (name, act) => { heard[name] = act; },
  off: (name) => { delete heard[name]; },
};
window.change = (name, value) => { state[name] = value; heard[`change:${name}`](); };
const widget = (await import(url)).default;
window.leave = widget.render({ model, el: document.getElementById("here") });
</script></body>"""


@pytest.fixture
def found(numbers: np.ndarray) -> Any:
    return tamis.select(numbers, 3)


def test_a_widget_starts_with_the_selection_it_was_made_of(found) -> None:
    widget = found.widget()
    assert (widget.k, widget.names) == (3, found.names)
    assert widget.page.startswith("<!DOCTYPE html>")
    assert widget.selection is found


def test_a_saved_notebook_shows_the_card_where_no_widget_runs(found) -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    data, _ = found.widget()._repr_mimebundle_()
    assert data["text/html"] == found._repr_html_()
    shown = nbformat.v4.new_output("display_data", data)
    cell = nbformat.v4.new_code_cell("found.widget()", outputs=[shown])
    notebook = nbformat.v4.new_notebook(cells=[cell])  # saved without the state of its widgets
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert "Keep 3 of" in page
    assert 'class="tamis' in page
    assert "<svg" in page


def test_pins_and_the_number_of_columns_come_back_as_a_selection(numbers) -> None:
    found = tamis.select(numbers, 3)
    widget = found.widget()
    pinned = found.dropped[0].name
    widget.set_trait("pins", [pinned])
    widget.set_trait("k", 2)
    expected = tamis.select(numbers, 2, include=[pinned])
    assert widget.selection.names == expected.names
    assert widget.selection.retained == pytest.approx(expected.retained)


def test_a_forbidden_column_is_never_kept(numbers) -> None:
    widget = tamis.select(numbers, 3).widget()
    widget.set_trait("barred", widget.names[:1])
    assert widget.names[0] not in widget.selection.names
    assert widget.selection.k == 3


def test_prices_are_used_or_refused_in_a_sentence(numbers) -> None:
    widget = tamis.select(numbers, 3, method="pfa").widget()
    widget.set_trait("prices", {widget.names[0]: 5.0})
    with pytest.raises(tamis.TamisError, match="takes no prices"):
        widget.selection  # noqa: B018


def test_labels_that_are_no_text_are_pinned_by_their_text(numbers) -> None:
    frame = pytest.importorskip("pandas").DataFrame(numbers, columns=[3, 1, 4, 15, 9, 2, 6])
    widget = tamis.select(frame, 2).widget()
    widget.set_trait("pins", ["15"])
    assert widget.selection.names[0] == 15


def test_a_table_that_is_gone_is_said_to_be(numbers) -> None:
    widget = tamis.select(numbers.copy(), 3).widget()
    widget.set_trait("k", 2)
    with pytest.raises(tamis.TamisError, match="keep it in a variable"):
        widget.selection  # noqa: B018


def test_without_anywidget_the_extra_is_named(found, monkeypatch) -> None:
    from tamis.presentation.notebook import widget

    widget._explorer.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(tamis.TamisError, match=r"pip install 'tamis\[notebook\]'"):
        found.widget()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Give a function that shows a widget in a bare page; the page must not complain."""
    complaints: list[str] = []
    opened = browser.new_page()
    opened.on("pageerror", lambda error: complaints.append(str(error)))

    def show(content: str) -> Any:
        script = (files("tamis.presentation.notebook") / "widget.js").read_text()
        state = {"page": content, "height": 500, "k": 3, "names": [], "pins": []}
        texts = [json.dumps(one).replace("<", "\\u003c") for one in (script, state)]
        (tmp_path / "host.html").write_text(HOST % tuple(texts), encoding="utf-8")
        opened.goto((tmp_path / "host.html").as_uri())
        return opened

    yield show
    opened.close()
    assert complaints == []


@pytest.mark.slow
def test_the_page_in_the_frame_sends_its_state_to_the_model(page) -> None:
    sent = "{tamis: {k: 2, names: ['a', 'b'], pins: ['b'], barred: [], prices: {a: 2}}}"
    opened = page(f"<p>inside</p><script>parent.postMessage({sent}, '*')</script>")
    opened.wait_for_function("window.saved")
    saved = opened.evaluate("window.saved")
    assert (saved["k"], saved["names"], saved["pins"]) == (2, ["a", "b"], ["b"])
    assert saved["prices"] == {"a": 2}
    assert opened.locator("iframe").bounding_box()["height"] == pytest.approx(502, abs=3)


@pytest.mark.slow
@pytest.mark.nightly
def test_messages_of_others_are_not_heard_and_a_new_page_is_shown(page, found) -> None:
    opened = page(found._page())
    frame = opened.frame_locator("iframe")
    assert "Keep 3 of 7 columns" in frame.locator("body").inner_text()
    # Messages arrive in order: once the second is there, the first has been heard or ignored.
    opened.evaluate(
        "new Promise((done) => {"
        " addEventListener('message', (e) => e.data === 'after' && done());"
        " postMessage({tamis: {k: 99}}, '*'); postMessage('after', '*'); })"
    )
    assert (opened.evaluate("window.saved") or {"k": 3})["k"] != 99
    opened.evaluate("change('page', '<p>another page</p>'); change('height', 300)")
    frame.get_by_text("another page").wait_for()
    opened.evaluate("leave()")
