"""How much is printed, and the report in the browser."""

import json
import re
import webbrowser
from pathlib import Path
from typing import Any

import pytest


def test_quiet_prints_the_kept_names_and_nothing_else(selects: Any, folder: Path) -> None:
    expected = json.loads(selects("table.csv", "-k", "4", "--json").out)["names"]
    seen = selects("table.csv", "-k", "4", "-q", "-o", "kept.csv")
    assert (seen.out.splitlines(), seen.err) == (expected, "")
    assert (folder / "kept.csv").read_text().startswith(",".join(expected))


def test_quiet_and_json_are_refused(refused: Any) -> None:
    assert refused("table.csv", "--quiet", "--json") == (
        "Give --quiet or --json, not both: each decides what is printed."
    )


@pytest.mark.parametrize("more", [["--top", "3"], ["--all"]], ids=["top", "all"])
def test_quiet_decides_over_how_much_else_is_listed(more: list[str], selects: Any) -> None:
    names = selects("table.csv", "-k", "4", "--quiet")
    assert selects("table.csv", "-k", "4", "--quiet", *more) == names
    assert len(names.out.splitlines()) == 4


def test_top_and_all_say_how_many_dropped_columns_are_listed(selects: Any) -> None:
    listed = [
        len(re.findall(r"^  x.*%", selects("table.csv", "-k", "2", *flags).out, re.MULTILINE))
        for flags in (["--top", "0"], ["--top", "3"], ["--all"])
    ]
    assert listed == [0, 3, 5]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: not seen.append(url))
    return seen


def test_open_shows_the_report_in_the_browser(run: Any, folder: Path, opened: list[str]) -> None:
    run("select", "table.csv", "-k", "2", "--report", "page.html", "--open")
    run("compare", "table.csv", "-m", "sfs,pfs", "-k", "2", "--report", "other.html", "--open")
    assert opened == [(folder / name).resolve().as_uri() for name in ("page.html", "other.html")]


def test_a_report_without_a_name_is_a_temporary_file(
    selects: Any, folder: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    selects("table.csv", "-k", "2", "--open")
    (page,) = folder.glob("tamis-page-*/report.html")
    assert opened == [page.resolve().as_uri()]


@pytest.mark.parametrize("fails", [False, True])
def test_without_a_browser_the_path_is_enough(
    fails: bool, selects: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(_: str) -> bool:
        if fails:
            raise webbrowser.Error("could not locate runnable browser")
        return False

    monkeypatch.setattr(webbrowser, "open", nothing)
    seen = selects("table.csv", "-k", "2", "--report", "page.html", "--open")
    assert seen.err == "No browser was found: open the report yourself.\n"
    assert "page.html" in seen.out
