"""What can be refused is refused before the first row is read, in every command."""

import importlib
import pkgutil
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis.sources
from tamis.cli import main
from tamis.cli.commands import tamis as group

# Where the table must choose the method, or the labels say what is asked for, the first rows of it
# are looked at, once.
REFUSED = {
    "select n.csv": """
        -k 0 | -k 99 | -m sfs -k 99 | -k 2 --retain 0.5 | --retain 2 | -m nope | -m lda
        --include nope | --exclude nope | --columns nope | --forbid nope | --cost nope=2
        --categories nope | --numbers nope | --carry nope -o out.csv | --target nope -m chi2
        --cost x0=0 | --cost x0=1 --cost x0=2 | --include x0 --exclude x0 | --columns 'q*'
        -m sfs --include x0 --forbid x0 | -m sfs --forbid 'x*' --exclude y | -k 1 --include x0,x1
        -m chi2 | -m variance --policy incremental | -m sfs --policy threshold | -m pfs --bins 5
        -m variance --policy threshold -k 3 | -m sfs --missing category | -m laplacian --held-out
        -m sfs --refine exact --cost x0=2 | -m sfs --held-out --checkpoint a.tamis
        -m sfs -k auto --checkpoint a.tamis | -m sfs --checkpoint nope/a.tamis
        -m sfs --checkpoint a.json | -m sfs --memory 1
        -o nope/a.csv | -o a.doc | -o n.csv | --report nope/a.html | --report a.doc
        --table a.doc | --table nope/a.csv | --table a.csv -o a.csv | --plot a.doc
        --plot nope:a.svg | --delimiter ;; | --sheet 2 | --quiet --json
        --categories x0 --numbers x0
    """,
    "select t.csv": """
        -m representatives --missing mean | -m representatives --scale
        -m representatives -k auto | -m wrapper-forward --target cls --scoring nope
        -m wrapper-forward --target cls --learner ridge
        -m wrapper-forward --target cls --test-size 0.9
        -m wrapper-forward --target cls --checkpoint nope/a.json
        -m wrapper-forward --target cls --checkpoint n.csv | -o a.npz --carry cls
    """,
    "score n.csv": """
        --columns nope | --columns 'q*' | --columns x0 --exclude x0 | --columns x0 -m nope
        --columns x0 -m chi2 | --columns x0 -m laplacian --held-out
        --columns x0 --report nope/a.html | --columns x0 -m sfs --missing category
        --columns x0 -m representatives --scale
    """,
    "extract n.csv": """
        -k 0 | -k 99 | -k 2 --retain 0.5 | -m nope | -m sfs | -m lda | -m lda --target nope
        --exclude nope | --columns nope | --carry nope -o a.csv | -o nope/a.csv | -o a.doc
        --report nope/a.html | -m pca --sigma 1 | --missing category
    """,
    "extract t.csv": "-o a.npz --carry cls | -k 2 -o a.csv --carry PC2",
    "compare n.csv": """
        -m nope | -m chi2 | -k 0 | -k 99 | --criteria nope | --criteria prediction | --budget 0
        --target nope | --exclude nope | --columns nope | --report nope/a.html
        --missing category | --missing mean -m representatives
        -m chi2 --target y --task regression
    """,
    "summarise n.csv": """
        -o a.csv | -o nope/a.tamis | -o a.tamis --columns nope | -o a.tamis --exclude nope
        -o a.tamis --update a.tamis | --update nope.tamis | -o a.tamis --checkpoint a.csv
        -o a.tamis --checkpoint b.tamis --blocks | -o a.tamis --checkpoint a.tamis
        other.csv -o a.tamis
    """,
    "check nope.tamis": "n.csv | n.csv --min-share 2",
    "reconstruct n.csv": "--using nope.tamis -o a.csv | -o a.csv",
    "look n.csv": "--na nope=3 | --delimiter ;; | --sheet 2 | --memory 1",
    "merge n.csv": "n.csv -o a.tamis | -o a.csv",
}
# These need a look at the first rows: of the table to choose a method, or of the labels.
LOOKS = {
    "select n.csv": """
        -m wrapper-forward --target y | -m tree-importance --target y
        -m chi2 --target y | -m variance --policy incremental --target y
    """,
    "select t.csv": "-m wrapper-forward --target cls --task regression",
    "compare n.csv": "--target y",
    "compare t.csv": "--target cls --task regression --exclude y",
}
# Text may turn out to be numbers, and the method hangs on it: the columns are judged first.
JUDGED = {
    "select n.csv": "-m laplacian --checkpoint a.tamis",
    "select t.csv": "-m sfs --include cls",
    "score t.csv": "--columns cls -m sfs",
    "extract t.csv": "--columns cls",
    "compare t.csv": "--missing mean",
}


def _lines(commands: dict[str, str]) -> list[str]:
    return [
        f"{start} {flags.strip()}"
        for start, text in commands.items()
        for line in text.splitlines()
        for flags in line.split("|")
        if flags.strip()
    ]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 6)) @ np.triu(np.ones((6, 6)))
    y = X[:, 0] + rng.standard_normal(60)
    lines = [
        ",".join(f"{value:.6f}" for value in (*row, label)) for row, label in zip(X, y, strict=True)
    ]
    names = "x0,x1,x2,x3,x4,x5,y"
    (folder / "n.csv").write_text("\n".join([names, *lines]) + "\n")
    (folder / "other.csv").write_text("\n".join([names.upper(), *lines]) + "\n")
    marked = [
        f"{line},{'ab'[int(label > 0)]},{i}"
        for i, (line, label) in enumerate(zip(lines, y, strict=True))
    ]
    (folder / "t.csv").write_text("\n".join([f"{names},cls,PC2", *marked]) + "\n")
    return folder


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count the batches that are taken from a table, whatever its kind."""
    seen: list[str] = []
    for found in pkgutil.iter_modules(tamis.sources.__path__):
        module = importlib.import_module(f"tamis.sources.{found.name}")
        for kind in vars(module).values():
            if not isinstance(kind, type) or kind.__module__ != module.__name__:
                continue
            for name in {"batches", "tables"} & set(vars(kind)):
                monkeypatch.setattr(kind, name, _counted(vars(kind)[name], seen))
    return seen


def _counted(read: Any, seen: list[str]) -> Any:
    def counted(*given: Any, **more: Any) -> Any:
        for batch in read(*given, **more):
            seen.append(read.__qualname__)
            yield batch

    return counted


def _refused(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(line))
    seen = capsys.readouterr()
    assert (stop.value.code, seen.out) == (2, ""), line
    assert seen.err.startswith("tamis: ")
    assert seen.err.count("\n") == 1
    return seen.err


@pytest.mark.parametrize("start", REFUSED)
def test_nothing_is_read_of_a_table(start, tables, reads, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tables)
    before = sorted(path.name for path in tables.iterdir())
    for line in _lines({start: REFUSED[start]}):
        _refused(line, capsys)
        assert reads == [], line
    assert sorted(path.name for path in tables.iterdir()) == before


@pytest.mark.parametrize("line", _lines(LOOKS))
def test_only_the_first_rows_are_looked_at(line, tables, reads, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tables)
    _refused(line, capsys)
    assert len(reads) == 1


@pytest.mark.parametrize("line", _lines(JUDGED))
def test_what_the_values_decide_is_refused_once_they_are_judged(
    line, tables, reads, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tables)
    _refused(line, capsys)
    assert 1 <= len(reads) <= 2


def test_every_command_that_reads_a_table_is_tried() -> None:
    tried = {line.split()[0] for line in REFUSED}
    assert {"methods", "demo", "mcp", "page", "reproduce"} == set(group.commands) - tried


@pytest.mark.parametrize(
    ("line", "package"),
    [
        ("select n.csv -k 2 --table a.xlsx", "openpyxl"),
        ("select n.csv -k 2 --plot a.svg", "matplotlib"),
        ("select a.xlsx -k 2", "python_calamine"),
    ],
)
def test_a_package_that_is_not_installed_is_named_first(
    line, package, tables, reads, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tables)
    (tables / "a.xlsx").write_bytes(b"PK")
    monkeypatch.setitem(importlib.import_module("sys").modules, package, None)
    monkeypatch.setattr(
        "tamis.results.output.find_spec", lambda name: None if name == package else 1
    )
    said = _refused(line, capsys)
    assert package.replace("_", "-") in said
    assert "pip install 'tamis[" in said
    assert reads == []
