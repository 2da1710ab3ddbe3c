"""The page that takes a table, in Chromium: a table in, an answer and files out."""

import csv
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.needs import AXE, needs_axe, nightly
from tests.presentation.browser.trap_tables import make_numbers, write_table

import tamis
from tamis.cli.commands import tamis as command
from tamis.results.try_page import write_try_page

MAX_PAGE_BYTES = 400_000
SIZES = ({"width": 390, "height": 844}, {"width": 1280, "height": 900})
# Cancel as soon as the work is shown: a click from here may come after the answer.
STOP_AT_ONCE = """() => {
  const work = document.getElementById("work");
  new MutationObserver((_, watch) => {
    if (work.hidden) return;
    watch.disconnect();
    document.getElementById("cancel").click();
    window.stopped = true;
  }).observe(work, { attributes: true });
}"""
NASTY = "<img src=x onerror=alert(1)>"


def test_the_command_writes_one_small_file(tmp_path: Path) -> None:
    path = tmp_path / "my.html"
    done = CliRunner().invoke(command, ["page", "-o", str(path)], catch_exceptions=False)
    assert done.output.startswith("Wrote ")
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < MAX_PAGE_BYTES
    assert "default-src 'none'" in text
    assert "unsafe-eval" not in text
    with pytest.raises(tamis.TamisError, match=r"ending in \.html"):
        CliRunner().invoke(command, ["page", "-o", "my.txt"], catch_exceptions=False)


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open the page; at the end, it was quiet and asked for nothing."""
    (tmp_path / "page").mkdir()
    path = write_try_page(tmp_path / "page" / "tamis.html")
    asked: list[str] = []
    complaints: list[str] = []
    contexts = []

    def _open(**options: Any) -> Any:
        contexts.append(browser.new_context(**{"viewport": SIZES[1], **options}))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        return page

    yield _open
    for context in contexts:
        context.close()
    assert complaints == []
    assert {url for url in asked if not url.startswith("blob:")} <= {path.as_uri()}


def give(page: Any, path: Path) -> None:
    """Pick a file and wait for what the page says of it."""
    page.set_input_files("#file", str(path))
    page.wait_for_selector("#answer:not([hidden]), #declined:not([hidden])")


def save(page: Any, button: str, folder: Path) -> Path:
    """Click on a button that saves a file."""
    with page.expect_download() as waiting:
        page.click(button)
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def _new_rows(row: Any) -> float:
    return row.new_rows


@pytest.mark.slow
def test_a_file_is_answered_as_the_command_does(
    open_page: Callable[..., Any], tmp_path: Path
) -> None:
    path = write_table(tmp_path / "numbers.csv", {**make_numbers(), NASTY: ["7"] * 120})
    found = tamis.select(str(path))
    page = open_page()
    give(page, path)
    assert page.inner_text("#verdict") == found.to_dict()["sentence"]
    assert page.inner_text("#look").count("constant") >= 1
    names = save(page, "#save-names", tmp_path).read_text(encoding="utf-8").split("\n")
    assert names[:-1] == found.names
    with save(page, "#save-reasons", tmp_path).open(encoding="utf-8") as file:
        reasons = {row["column"]: row for row in csv.DictReader(file)}
    assert len(reasons) == 9
    for row in found.explain():
        saved = reasons[row.column]
        assert saved["status"] == row.status
        shares = [float(saved[name]) for name in ("new_rows", "new_rows_low", "share")]
        assert shares == pytest.approx([row.new_rows, row.new_rows_low, row.share], abs=1e-8)
    statuses = [(row.column, row.status) for row in sorted(found.explain(), key=_new_rows)]
    rows = page.locator("#dropped tr").all()
    shown = [row.locator("th, td").all_inner_texts()[:2] for row in rows]
    assert [(name, status.replace(" to drop", "")) for name, status in shown] == statuses
    assert "<svg" in save(page, "#save-curve", tmp_path).read_text(encoding="utf-8")
    summary = tamis.load_summary(save(page, "#save-summary", tmp_path))
    again = tamis.select(summary)
    assert again.names == found.names
    assert again.retained == pytest.approx(found.retained, abs=1e-9)
    assert again.held_out == pytest.approx(found.held_out, abs=1e-9)


@pytest.mark.slow
def test_wishes_a_number_and_substitutes(open_page: Callable[..., Any], tmp_path: Path) -> None:
    path = write_table(tmp_path / "numbers.csv", make_numbers())
    page = open_page()
    give(page, path)
    first = page.inner_text("#kept tr:first-child th")
    page.click("#kept tr:first-child .toggle:nth-of-type(3)")
    page.wait_for_selector("#swaps li")
    page.click("#kept tr:first-child .toggle:nth-of-type(2)")
    page.wait_for_selector("#wishes:not(:empty)")
    number, share = page.inner_text("#shown").split(": ")
    assert share.endswith("on these rows")
    assert "on new rows" not in share
    statuses = page.locator("#dropped tr td:nth-child(2)").all_inner_texts()
    assert set(statuses) == {""}
    k = int(number)
    # The page keeps the shrinkage of its answer, which the command chooses again.
    shrink = tamis.select(str(path)).to_dict()["shrink"]
    wanted = tamis.select(str(path), k=k, forbid=[first], options={"shrink": shrink})
    assert page.locator("#kept th").all_inner_texts() == wanted.names
    page.click("#auto")
    page.wait_for_selector("#work", state="hidden")
    assert page.inner_text("#verdict") == tamis.select(str(path), k="auto").to_dict()["sentence"]
    page.press("#slider", "ArrowLeft")
    assert page.inner_text("#shown").split(":")[0] == page.input_value("#slider")


@pytest.mark.slow
def test_examples_refusals_and_a_stop(open_page: Callable[..., Any], tmp_path: Path) -> None:
    for viewport in SIZES:
        page = open_page(viewport=viewport)
        page.click("[data-example='wine.csv']")
        page.wait_for_selector("#answer:not([hidden])")
        assert page.inner_text("#verdict").startswith("Keep 11 of 14 columns: on new rows")
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        odd = tmp_path / "it's.csv"
        odd.write_text("# a comment\na,b\n1,2\n2,1\n", encoding="utf-8")
        give(page, odd)
        assert page.inner_text("#command") == "tamis select " + shlex.quote("it's.csv")
        page.evaluate(STOP_AT_ONCE)
        long = write_table(tmp_path / "long.csv", make_numbers(2000, 40))
        page.set_input_files("#file", str(long))
        page.wait_for_function("window.stopped")
        assert not page.is_visible("#answer")


@pytest.mark.slow
@needs_axe
@pytest.mark.parametrize("scheme", ["dark", nightly("light")])
def test_axe_finds_nothing(open_page: Callable[..., Any], scheme: str) -> None:
    for viewport in SIZES:
        page = open_page(viewport=viewport, color_scheme=scheme, bypass_csp=True)
        page.click("[data-example='wine.csv']")
        page.wait_for_selector("#answer:not([hidden])")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document)")
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
