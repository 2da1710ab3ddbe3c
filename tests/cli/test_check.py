"""`tamis select --save`, `tamis check`, `tamis reconstruct`: codes, files, facts."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.evaluation.test_plan import factor_table

import tamis


@pytest.fixture
def months(folder: Any) -> Any:
    """Write the table of the choice, an undisturbed month, and one with a shuffled column."""
    rows = pd.DataFrame(factor_table(900), columns=list("abcdef"))
    rows.insert(0, "key", [f"k{i:04}" for i in range(900)])
    rows[:600].to_csv("then.csv", index=False)
    rows[600:].assign(new=1).to_csv("month.csv", index=False)
    shuffled = rows[600:].copy()
    shuffled["d"] = np.random.default_rng(0).permutation(shuffled["d"])
    shuffled.to_csv("shuffled.csv", index=False)
    return folder


@pytest.fixture
def choice(months: Any, selects: Any) -> Any:  # noqa: ARG001 (the files are written)
    seen = selects("then.csv", "-k", "2", "--include", "d", "--save", "c.tamis", "-o", "kept.csv")
    assert "c.tamis" in seen.out
    return "c.tamis"


@pytest.fixture
def refuses(run: Any) -> Any:
    """Run a command that must refuse in one sentence, and give it."""

    def ran(*arguments: str) -> str:
        seen = run(*arguments)
        assert (seen.code, seen.out, seen.err.count("\n")) == (2, "", 1)
        return seen.err

    return ran


def test_an_undisturbed_month_holds_with_code_0(choice: str, run: Any) -> None:
    seen = run("check", choice, "month.csv", "--json")
    facts = json.loads(seen.out)
    assert (seen.code, facts["holds"], facts["failures"]) == (0, True, [])
    assert facts["fresh"] == ["new"]
    assert facts == json.loads(json.dumps(tamis.check(choice, "month.csv").to_dict()))


def test_a_shuffled_column_fails_with_code_1_and_is_named(choice: str, run: Any) -> None:
    seen = run("check", choice, "shuffled.csv", "--json")
    facts = json.loads(seen.out)
    assert (seen.code, seen.err) == (1, "")
    assert [(one["column"], one["relation"]) for one in facts["drifted"]] == [("d", True)]
    text = run("check", choice, "shuffled.csv").out
    assert "does not hold" in text
    assert "d (kept): correlation with" in text


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (["--min-share", "0.01"], 0),
        (["--min-share", "0.99"], 1),
        (["--max-fall", "0.9"], 0),
        (["--max-fall", "0.01"], 1),
        (["--min-share", "7"], 2),
        (["--max-fall", "much"], 2),
        (["--no-such-flag"], 2),
    ],
)
def test_limits_decide_where_they_are_given(choice: str, run: Any, flags: list, code: int) -> None:
    assert run("check", choice, "shuffled.csv", *flags).code == code


def test_a_column_that_is_gone_fails_and_is_named(choice: str, run: Any) -> None:
    for name in ("d", "a"):
        pd.read_csv("month.csv").drop(columns=name).to_csv("less.csv", index=False)
        seen = run("check", choice, "less.csv", "--json")
        assert (seen.code, json.loads(seen.out)["missing"]) == (1, [name])


def test_what_cannot_be_checked_is_code_2_and_one_sentence(choice: str, refuses: Any) -> None:
    assert "There is no file" in refuses("check", "nothing.tamis", "month.csv")
    assert "There is no file" in refuses("check", choice, "nothing.csv")
    assert "has none of the columns" in refuses("check", choice, "table.csv")


def test_the_whole_table_is_written_again_with_its_keys(choice: str, run: Any) -> None:
    seen = run("reconstruct", "kept.csv", "--using", choice, "-o", "full.csv", "--errors", "se.csv")
    assert seen.code == 0, seen.err
    then, full, errors = (pd.read_csv(name) for name in ("then.csv", "full.csv", "se.csv"))
    assert list(full) == list(then)
    assert (full["key"] == then["key"]).all()
    np.testing.assert_allclose(full["d"], then["d"])
    off = np.abs(full["b"] - then["b"]) / errors["b"]
    assert (off < 1.96).mean() == pytest.approx(0.95, abs=0.03)


def test_rows_can_go_to_standard_output_and_wrong_outputs_are_refused(
    choice: str, run: Any, refuses: Any
) -> None:
    seen = run("reconstruct", "kept.csv", "--using", choice, "-o", "-")
    assert seen.out.startswith("key,a,b,c,d,e,f\n")
    same = refuses("reconstruct", "kept.csv", "--using", choice, "-o", "kept.csv")
    assert "it is the table to read" in same
    twice = ["-o", "full.csv", "--errors", "full.csv"]
    assert "twice" in refuses("reconstruct", "kept.csv", "--using", choice, *twice)


def test_a_choice_that_cannot_be_written_is_refused_before_any_work(refuses: Any) -> None:
    assert "ending in .tamis" in refuses("select", "table.csv", "-k", "2", "--save", "c.csv")


def test_the_page_names_what_changed_and_loads_nothing(choice: str, run: Any) -> None:
    seen = run("check", choice, "shuffled.csv", "--report", "page.html")
    assert seen.code == 1
    page = Path("page.html").read_text(encoding="utf-8")
    assert "Does not hold" in page
    assert "correlation with" in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert run("check", choice, "month.csv", "--report", "page.html").code == 0
    assert ">Holds<" in Path("page.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_is_refused_before_rows_are_read(
    choice: str, refuses: Any
) -> None:
    assert ".html" in refuses("check", choice, "month.csv", "--report", "page.txt")


def test_names_of_columns_are_text_in_the_page(tmp_path: Path) -> None:
    rows = pd.DataFrame(factor_table(400), columns=["<b>x</b>", *"bcdef"])
    made = tamis.check(tamis.select(rows[:300], k=2), rows[300:].assign(**{"<i>": 1}))
    page = made.report(tmp_path / "p.html").read_text(encoding="utf-8")
    assert "<i>" not in page.split("<main>")[1].replace("<i style", "")
    assert "<b>x" not in page
