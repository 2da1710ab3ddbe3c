"""The answer of the page that takes a table, against Python's on the same files."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.fuzz.damage import damaged_text
from tests.fuzz.tables import intact
from tests.needs import NODE, SHARED, needs_node, needs_shared
from tests.presentation.browser.trap_tables import make_numbers, write_table, write_traps

import tamis
from tamis.columns.judge import judge_columns
from tamis.presentation.browser.try_page import read_module
from tamis.presentation.page.fill import bundle_modules
from tamis.results.try_page import draw_halves
from tamis.run.front import read_table

RUNNER = Path(__file__).with_name("run_answer.js")
REAL = SHARED / "real"
DECLINED = {"spapros_panels_of_20": "keys"}  # nothing but keys
ENTRY = 'import { look } from "./answer.js";\nimport { answerAll } from "./run_answer.js";\n'
IN_NODE = """
const { readFileSync } = require("node:fs");
const { paths, auto, draws } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const files = paths.map((name) => ({ name, auto, bytes: new Uint8Array(readFileSync(name)) }));
process.stdout.write(JSON.stringify(modules.run_answer.answerAll(modules.answer, files, draws)));
"""
DRAWS = {count: draw_halves(count) for count in range(4, 21)}
JUDGED = ("kind", "missing", "distinct", "exact", "smallest", "largest", "zeros", "action", "why")

pytestmark = needs_node


def read(name: str) -> str:
    """Read a module of the page, the runner beside this file, or what joins them."""
    if name == "entry.js":
        return ENTRY
    return RUNNER.read_text(encoding="utf-8") if name == RUNNER.name else read_module(name)


def answer(folder: Path, paths: Sequence[Path], *, auto: bool = False) -> list[dict[str, Any]]:
    """Let the modules of the page answer in Node."""
    script, asked = folder / "answer.cjs", folder / "asked.json"
    script.write_text(bundle_modules("entry", read) + IN_NODE, encoding="utf-8")
    asked.write_text(
        json.dumps({"paths": [str(path) for path in paths], "auto": auto, "draws": DRAWS}),
        encoding="utf-8",
    )
    done = subprocess.run([NODE, script, asked], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def check_same(path: Path, found: dict[str, Any], **asked: Any) -> None:
    """Compare an answer with Python's: names, shares, shrinkage, and what each column is."""
    selection = tamis.select(str(path), **asked)
    facts = selection.to_dict()
    assert found["names"] == facts["names"], path.name
    assert found["shrink"] == facts["shrink"], path.name
    assert found["byTails"] == facts["shrink_by_tails"], path.name
    as_is = (facts["clipped"] or {}).get("held_out_as_is")
    assert found["asIs"] == (None if as_is is None else pytest.approx(as_is, abs=1e-7)), path.name
    for mine, theirs in (
        (found["retained"], facts["curve"]["retained"]),
        (found["bound"], facts["curve"]["bound"]),
        (found["held"], facts["held_out"]["share"]),
        (found["std"], facts["held_out"]["std"]),
    ):
        np.testing.assert_allclose(mine, theirs[: len(mine)], rtol=0, atol=1e-9, err_msg=path.name)
    shares = {row["column"]: row["share"] for row in facts["dropped"]}
    for name, share in shares.items():
        assert found["shares"][name] == pytest.approx(share, abs=1e-9), (path.name, name)
    rare = [row for row in facts["taken"] if row["rare"] > 1]
    pooled = [f"{row['column']} ({row['rare']:,} of {row['levels']:,})" for row in rare]
    assert found["pooled"] == pooled, path.name
    marked = {f"{name} = '{level}'" for name, level in facts["marked"].items()}
    assert set(found["marked"]) == marked, path.name
    check_new_rows(selection, found)
    assert {row["name"] for row in found["skipped"]} == set(selection.skipped) | set(
        facts["constant"]
    ), path.name
    check_swaps(selection, found)


def check_new_rows(selection: Any, found: dict[str, Any]) -> None:
    """Compare the share of each column on new rows, and its lower limit."""
    names = [str(selection.request.names[j]) for j in selection.used]
    measured = selection.new_rows
    limits = selection.limit_new_rows(measured)[0]
    for name, share, low in zip(names, measured.share[0], limits, strict=True):
        assert found["fresh"][name] == pytest.approx(share, abs=1e-8), name
        assert found["low"][name] == pytest.approx(low, abs=1e-8), name


def check_swaps(selection: Any, found: dict[str, Any]) -> None:
    """Compare what could stand in the place of the first kept column."""
    theirs = dict(selection.substitutes(found["names"][0]))
    for name, change in found["swaps"]:
        if name in theirs:
            assert change == pytest.approx(theirs[name], abs=1e-9)


def check_judged(path: Path, judged: list[dict[str, Any]]) -> None:
    """Compare what each column is taken for."""
    known = read_table(str(path), judge_columns).columns
    for mine, theirs in zip(judged, known, strict=True):
        for name in JUDGED:
            wanted = getattr(theirs, name)
            assert mine[name] == (
                pytest.approx(wanted, rel=1e-12) if isinstance(wanted, float) else wanted
            ), (
                path.name,
                theirs.name,
                name,
            )
        assert mine["badges"] == list(theirs.badges), (path.name, theirs.name)
        assert sorted(mine["absent"]) == sorted(theirs.absent)


def test_a_table_of_numbers_and_one_with_categories(tmp_path: Path) -> None:
    found = make_numbers()
    signs = ["up" if float(v) > 0 else "" for v in found["m0"]]
    paths = [
        write_table(tmp_path / "numbers.csv", found),
        write_table(tmp_path / "mixed.csv", {**found, "sign": signs}),
    ]
    for path, one in zip(paths, answer(tmp_path, paths), strict=True):
        check_same(path, one)
        check_judged(path, one["judged"])


@pytest.mark.slow(reason="fifty tables, each answered twice")
@pytest.mark.nightly
def test_extreme_values_are_limited_or_left_as_in_python(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    paths, limited = [], []
    for rows, width, wrong in ((300, 9, 0), (300, 9, 5), (3000, 70, 0), (3000, 70, 20)):
        size = rng.normal(size=(rows, 3))
        size = size if wrong else np.sign(size) * np.exp(2 * np.abs(size))
        table = size @ rng.normal(size=(3, width)) + rng.normal(size=(rows, width))
        table[rng.integers(rows, size=wrong), rng.integers(width, size=wrong)] = 1e4
        columns = {f"m{j}": list(map(repr, column.tolist())) for j, column in enumerate(table.T)}
        paths.append(write_table(tmp_path / f"{rows}_{wrong}.csv", columns))
    for path, one in zip(paths, answer(tmp_path, paths), strict=True):
        check_same(path, one)
        limited.append(tamis.select(str(path)).to_dict()["clipped"] is not None)
    assert limited == [False, True, False, True]


def test_every_trap_of_the_readers_gives_the_answer_of_python(tmp_path: Path) -> None:
    paths = write_traps(tmp_path)
    assert len(paths) >= 40
    declined = {}
    for path, one in zip(paths, answer(tmp_path, paths), strict=True):
        if "declined" in one:
            declined[path.stem] = one["declined"]
            continue
        check_same(path, one)
        check_judged(path, one["judged"])
    assert declined == {}


def make_survey(rows: int = 90) -> dict[str, list[str]]:
    """Make a survey as people have them: waves with the same rows missing, codes, a date, text."""
    rng = np.random.default_rng(8)
    person = rng.normal(size=(rows, 4))
    table = {"id": [str(100 + i) for i in range(rows)]}
    for wave in range(4):
        there = rng.random(rows) > 0.15 * wave
        answers = person @ rng.normal(size=(4, 9)) + rng.normal(size=(rows, 9))
        for j, column in enumerate(answers.T):
            shown = [f"{value:.2f}" if j < 5 else str(round(2 * value)) for value in column]
            table[f"w{wave}q{j}"] = [v if t else "" for v, t in zip(shown, there, strict=True)]
        table[f"w{wave}done"] = ["yes" if t else "no" for t in there]
        table[f"w{wave}date"] = [f"2003-0{1 + wave}-{1 + i % 28:02}" for i in range(rows)]
    first, second = ([float(v or 0) for v in table[name]] for name in ("w0q0", "w0q1"))
    table["total"] = [f"{a + b:.2f}" for a, b in zip(first, second, strict=True)]
    return table


def test_a_survey_in_waves_gives_the_answer_of_python(tmp_path: Path) -> None:
    path = write_table(tmp_path / "survey.csv", make_survey())
    (found,) = answer(tmp_path, [path])
    check_same(path, found)
    check_judged(path, found["judged"])


@pytest.mark.slow
@pytest.mark.parametrize("files", [16, pytest.param(160, marks=pytest.mark.nightly)])
def test_damaged_tables_are_answered_as_python_does_or_declined(tmp_path: Path, files: int) -> None:
    paths = []
    for seed in range(files):
        path = tmp_path / f"damaged {seed}.csv"
        path.write_bytes(damaged_text(intact("csv", seed), np.random.default_rng(seed)))
        paths.append(path)
    found = [
        (path, one)
        for path, one in zip(paths, answer(tmp_path, paths), strict=True)
        if "declined" not in one
    ]
    assert len(found) > files // 8
    for path, one in found:
        check_same(path, one)


@pytest.mark.nightly
@needs_shared
@pytest.mark.parametrize("path", sorted(REAL.glob("*.csv")), ids=lambda path: path.stem)
def test_a_real_table_gives_the_answer_of_python(path: Path, tmp_path: Path) -> None:
    (found,) = answer(tmp_path, [path])
    assert found.get("declined") == DECLINED.get(path.stem)
    if path.stem not in DECLINED:
        check_same(path, found)


def test_the_number_that_the_table_gives_is_that_of_python(tmp_path: Path) -> None:
    path = write_table(tmp_path / "numbers.csv", make_numbers(80, 7, 11))
    (found,) = answer(tmp_path, [path], auto=True)
    known = tamis.select(str(path), k="auto").to_dict()
    assert found["names"] == known["names"]
    assert {name: found["auto"][name] for name in ("k", "low", "high")} == {
        "k": known["k"],
        "low": known["auto"]["low"],
        "high": known["auto"]["high"],
    }
    assert f"{found['auto']['next']:.2f}" in known["auto"]["reason"]
