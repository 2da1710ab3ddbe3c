"""What is said names options the way its reader gives them: as keywords, or as flags."""

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis import registry
from tamis.cli import main
from tamis.errors import use_spelling
from tamis.presentation.terminal.methods import method_text
from tamis.registry.command import as_flag

_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+|(?<![\w-])-k ")
_KEYWORD = re.compile(r"\b(\w+)=(?=[\"'\[{\dTF])")


def _table(rows: int = 60, width: int = 12) -> pd.DataFrame:
    """One of everything that is spoken of: a code, an identifier, a missing value, labels."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 1)) + rng.normal(size=(rows, width))
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(width)])
    frame["id"] = np.arange(rows)
    frame["copy"] = frame["c0"]
    frame["one"] = 1.0
    frame.loc[0, "c1"] = np.nan
    frame["kind"] = [["a", "b"][j % 2] for j in range(rows)]
    return frame


def _prose(page: str) -> str:
    """Give the text of a page without its style, script and the calls that repeat it."""
    for part in ("style", "script", "pre", "svg"):
        page = re.sub(rf"<{part}\b.*?</{part}>", " ", page, flags=re.S)
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


_RESULTS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "select": lambda t: tamis.select(t, missing="mean", k=3),
    "wide": lambda _: tamis.select(_table(40, 60), missing="drop", exclude=["kind"]),
    "held out": lambda _: tamis.select(
        _table(40, 30), k=20, missing="mean", method="sfs", held_out=True, stability=True
    ),
    "information": lambda t: tamis.select(t, missing="auto", method="representatives", k=3),
    "clusters": lambda t: tamis.select(t, method="proclus", missing="mean"),
    "score": lambda t: tamis.score(t, ["c0", "c1"], missing="mean"),
    "extract": lambda t: tamis.extract(t, k=2, missing="mean"),
    "compare": lambda t: tamis.compare(
        t, k=2, methods=["sfs", "pfs"], missing="mean", criteria=["share", "held-out"]
    ),
    "summary": lambda t: tamis.summarise(t, missing="mean"),
    "methods": lambda _: tamis.methods(),
}


def _views(found: Any, folder: Path) -> Iterator[str]:
    yield str(found)
    if hasattr(found, "_repr_html_"):
        yield _prose(found._repr_html_())
    if hasattr(found, "report"):
        yield _prose(found.report(folder / "page.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", _RESULTS)
def test_a_python_user_reads_no_flag(kind: str, tmp_path: Path) -> None:
    for view in _views(_RESULTS[kind](_table()), tmp_path):
        assert _FLAG.findall(view) == []


@pytest.mark.parametrize("kind", _RESULTS)
def test_a_user_of_the_command_reads_no_keyword(kind: str, tmp_path: Path) -> None:
    with use_spelling(as_flag):
        for view in _views(_RESULTS[kind](_table()), tmp_path):
            assert _KEYWORD.findall(view) == []


@pytest.mark.parametrize("command", ["select", "score", "extract", "compare", "summarise"])
def test_the_help_of_a_command_names_no_keyword(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help-all"])
    assert _KEYWORD.findall(capsys.readouterr().out) == []


def test_what_is_known_about_a_method_is_told_without_keywords() -> None:
    for method in registry.methods():
        with use_spelling(as_flag):
            assert _KEYWORD.findall(method_text(method)) == [], method.id
