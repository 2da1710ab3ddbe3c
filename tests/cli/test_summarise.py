"""`tamis summarise`, `tamis merge`, and the commands on what they write."""

import pytest


@pytest.fixture
def sites(folder):
    """Cut the table into two files."""
    head, *rows = (folder / "table.csv").read_text().splitlines()
    for name, part in (("a.csv", rows[:25]), ("b.csv", rows[25:])):
        (folder / name).write_text("\n".join([head, *part]) + "\n")
    return folder


@pytest.mark.usefixtures("sites")
def test_two_sites_merge_into_the_answer_of_the_table(run, selects):
    assert run("summarise", "a.csv", "-o", "a.tamis").out.startswith("25 rows x 7 columns.\n")
    assert run("summarise", "b.csv", "-o", "b.tamis").code == 0
    seen = run("merge", "a.tamis", "b.tamis", "-o", "all.tamis")
    assert seen.out.startswith("60 rows x 7 columns.\n")
    assert seen.out.rstrip().endswith("all.tamis")
    assert selects("all.tamis", "-k", "3").out == selects("table.csv", "-k", "3").out


@pytest.mark.usefixtures("sites")
def test_several_files_and_updates_are_added(run, selects):
    assert run("summarise", "a.csv", "b.csv", "-o", "both.tamis").out.startswith("60 rows")
    assert run("summarise", "a.csv", "-o", "daily.tamis").code == 0
    assert run("summarise", "--update", "daily.tamis", "b.csv").out.startswith("60 rows")
    assert selects("daily.tamis").out == selects("both.tamis").out == selects("table.csv").out


@pytest.mark.usefixtures("sites")
def test_an_update_takes_the_columns_that_the_summary_has(run):
    assert run("summarise", "a.csv", "--columns", "x0,x3", "-o", "daily.tamis").code == 0
    assert run("summarise", "--update", "daily.tamis", "b.csv").out.startswith("60 rows x 2 col")


REFUSED = {
    "neither": (("summarise", "a.csv"), "Give -o for a new summary or --update"),
    "both": (("summarise", "a.csv", "-o", "x.tamis", "--update", "y.tamis"), "and not both"),
    "suffix": (("summarise", "a.csv", "-o", "x.csv"), "give a name ending in .tamis"),
    "no summary": (("summarise", "--update", "none.tamis", "a.csv"), "There is no file"),
    "few rows": (("summarise", "a.csv", "-o", "x.tamis", "--min-rows", "26"), "--min-rows 26"),
    "few merged": (("merge", "s.tamis", "-o", "x.tamis", "--min-rows", "26"), "--min-rows 26"),
    "a table": (("merge", "s.tamis", "a.csv", "-o", "x.tamis"), "a.csv is a table, not a summary"),
    "columns": (
        ("merge", "s.tamis", "t.tamis", "-o", "x.tamis"),
        "different columns (only s.tamis has 'x1', 'x2', 'x3', 'x4', 'x5' and 1 more)",
    ),
    "rows": (("select", "s.tamis", "-k", "2", "-o", "x.csv"), "-o x.csv: s.tamis is a summary"),
    "scores": (("extract", "s.tamis", "--report", "x.html"), "--report x.html: s.tamis is a summ"),
    "method": (("select", "s.tamis", "-m", "laplacian"), "which method 'laplacian' needs"),
    "damaged": (("select", "d.tamis"), "d.tamis is not a summary, or is damaged"),
    "itself": (("merge", "s.tamis", "-o", "s.tamis"), "it is the table to read"),
}


@pytest.mark.parametrize(("command", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_one_sentence(sites, run, command, why):
    run("summarise", "a.csv", "-o", "s.tamis")
    run("summarise", "a.csv", "--columns", "x0", "-o", "t.tamis")
    (sites / "d.tamis").write_bytes((sites / "s.tamis").read_bytes()[:500])
    before = sorted(path.name for path in sites.iterdir())
    seen = run(*command)
    assert seen.code == 2
    assert why in seen.err
    assert seen.err.count("\n") == 1
    assert sorted(path.name for path in sites.iterdir()) == before


def test_different_treatments_of_missing_values_are_said(sites, run):
    with (sites / "b.csv").open("a") as file:
        file.write("1,,2,3,4,5,6\n")
    run("summarise", "b.csv", "--missing", "drop", "-o", "drop.tamis")
    run("summarise", "b.csv", "--missing", "mean", "-o", "mean.tamis")
    seen = run("merge", "drop.tamis", "mean.tamis", "-o", "all.tamis")
    assert "filled with the column mean in some parts, rows dropped in others: x1" in seen.out
