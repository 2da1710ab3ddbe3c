"""`--table` and `--plot` of `tamis select`."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pytest

import tamis


def test_the_table_has_a_row_for_every_column(run: Any, folder: Path, numbers: np.ndarray) -> None:
    seen = run("select", "table.csv", "-k", "3", "--table", "explain.csv")
    assert seen.code == 0
    assert seen.out.endswith(f"Wrote {(folder / 'explain.csv').resolve()}\n")
    table = pyarrow.csv.read_csv(folder / "explain.csv").to_pydict()
    found = tamis.select(numbers, k=3)
    kept = [
        name
        for name, status in zip(table["column"], table["status"], strict=True)
        if status == "kept"
    ]
    assert sorted(kept) == sorted(found.names)


def test_pictures_are_drawn_by_kind(run: Any, folder: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    seen = run(
        "select", "table.csv", "-k", "3", "--plot", "a.svg", "--plot", "fate:b.png", "--json"
    )
    assert seen.code == 0
    assert seen.out.startswith("{")
    assert "Wrote" not in seen.out
    assert "<svg" in (folder / "a.svg").read_text()
    assert (folder / "b.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("flag", "name", "sentence"),
    [
        ("--table", "a.doc", "give a name ending in .csv, .tsv, .xlsx"),
        ("--plot", "a.gif", "give a name ending in .svg, .png or .pdf"),
        ("--plot", "fate:no/a.svg", "there is no folder 'no'"),
        ("--table", "table.csv", "it is the table to read"),
    ],
)
def test_what_cannot_be_written_is_refused_before_any_work(
    flag: str, name: str, sentence: str, run: Any, folder: Path
) -> None:
    before = (folder / "table.csv").read_bytes()
    seen = run("select", "table.csv", "-k", "3", flag, name)
    assert (seen.code, seen.out) == (2, "")
    assert sentence in seen.err
    assert (folder / "table.csv").read_bytes() == before


def test_quiet_prints_only_the_names_whatever_is_written(run: Any, folder: Path) -> None:
    seen = run("select", "table.csv", "-k", "3", "--quiet", "--table", "all.csv", "-o", "kept.csv")
    assert seen.code == 0
    assert seen.out.splitlines() == (folder / "kept.csv").read_text().splitlines()[0].split(",")
    assert (folder / "all.csv").is_file()


def test_all_files_are_listed_together(run: Any, folder: Path) -> None:
    seen = run("select", "table.csv", "-k", "3", "--table", "all.csv", "-o", "kept.csv")
    paths = [(folder / name).resolve() for name in ("kept.csv", "all.csv")]
    assert seen.out.endswith("\n\n" + "".join(f"Wrote {path}\n" for path in paths))


@pytest.mark.parametrize("other", [["-o", "./a.csv"], ["--plot", "b.svg", "--plot", "map:b.svg"]])
def test_two_outputs_of_one_name_are_refused(other: list[str], run: Any, folder: Path) -> None:
    seen = run("select", "table.csv", "-k", "3", "--table", "a.csv", *other)
    assert (seen.code, seen.out) == (2, "")
    assert "twice: give each output another name." in seen.err
    assert not (folder / "a.csv").exists()


def test_an_unknown_kind_of_picture_is_refused(run: Any) -> None:
    seen = run("select", "table.csv", "-k", "3", "--plot", "fat:a.svg")
    assert (seen.code, seen.out) == (2, "")
    assert "--plot fat:a.svg: there is no plot 'fat': did you mean 'fate'?" in seen.err


def test_cells_that_a_spreadsheet_would_run_are_marked_on_request(run: Any, folder: Path) -> None:
    rng = np.random.default_rng(0)
    lines = [f"{a},{b},{a + b},=cmd{i % 7}" for i, (a, b) in enumerate(rng.normal(size=(40, 2)))]
    (folder / "risky.csv").write_text("\n".join(["=a,-b,c,@id", *lines]) + "\n")
    given = ("select", "risky.csv", "-k", "2", "--carry", "@id")
    outputs = ("-o", "kept.csv", "--table", "why.csv")
    assert run(*given, *outputs, "--safe-csv").code == 0
    kept, why = ((folder / name).read_text().splitlines() for name in ("kept.csv", "why.csv"))
    assert kept[0].startswith("'@id,")
    assert all(line.lstrip('"').startswith("'=cmd") for line in kept[1:])
    assert any("'=a" in line for line in why)
    assert not any(line.lstrip('"')[0] in "=+@" for line in (*kept, *why))
    assert "'" not in run(*given, "-o", "-").out
    assert run(*given, "-o", "-", "--safe-csv").out.startswith("'@id,")
    assert run(*given, *outputs).code == 0
    assert (folder / "kept.csv").read_text().startswith("@id,")
