"""`tamis summarise`, `tamis merge`, and the commands on what they write."""

import subprocess
import sys

import pytest

from tamis import load_summary

MAIN = "from tamis.cli import main; main()"


@pytest.fixture
def sites(folder):
    """Cut the table into two files."""
    head, *rows = (folder / "table.csv").read_text().splitlines()
    for name, part in (("a.csv", rows[:25]), ("b.csv", rows[25:])):
        (folder / name).write_text("\n".join([head, *part]) + "\n")
    return folder


def without_advice(text):
    """Give an answer without advising held-out rows, which a summary does not have."""
    return text.replace("; --held-out measures the share explained on held-out rows", "")


@pytest.mark.usefixtures("sites")
def test_two_sites_merge_into_the_answer_of_the_table(run, selects):
    assert run("summarise", "a.csv", "-o", "a.tamis").out.startswith("25 rows x 7 columns.\n")
    assert run("summarise", "b.csv", "-o", "b.tamis").code == 0
    seen = run("merge", "a.tamis", "b.tamis", "-o", "all.tamis")
    assert seen.out.startswith("60 rows x 7 columns.\n")
    assert seen.out.rstrip().endswith("all.tamis")
    asked = ("-k", "3", "-m", "sfs")
    assert selects("all.tamis", *asked).out == without_advice(selects("table.csv", *asked).out)


@pytest.mark.usefixtures("sites")
def test_several_files_and_updates_are_added(run, selects):
    assert run("summarise", "a.csv", "b.csv", "-o", "both.tamis").out.startswith("60 rows")
    assert run("summarise", "a.csv", "-o", "daily.tamis").code == 0
    assert run("summarise", "--update", "daily.tamis", "b.csv").out.startswith("60 rows")
    files = ("daily.tamis", "both.tamis", "table.csv")
    assert len({without_advice(selects(file, "-m", "sfs").out) for file in files}) == 1


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
    seen = run("merge", "drop.tamis", "mean.tamis", "-o", "all.tamis", "--again")
    assert "filled with the column mean in some parts, rows dropped in others: x1" in seen.out


@pytest.mark.usefixtures("sites")
def test_an_update_keeps_the_blocks_of_rows(run, selects):
    assert run("summarise", "a.csv", "--blocks", "-o", "day.tamis").code == 0
    assert run("summarise", "--update", "day.tamis", "b.csv").out.startswith("60 rows")
    assert load_summary("day.tamis").n_blocks == 20
    held_out = selects("day.tamis", "-k", "2", "--held-out").out
    # The blocks are those of each part: folds, and so the share, are near those of the table.
    assert held_out.startswith("Keep 2 of 7 columns: on new rows they explain ")


@pytest.mark.usefixtures("sites")
def test_blocks_that_a_merge_loses_are_mentioned(run):
    run("summarise", "a.csv", "--blocks", "-o", "a.tamis")
    run("summarise", "b.csv", "-o", "b.tamis")
    seen = run("merge", "a.tamis", "b.tamis", "-o", "all.tamis")
    assert "The 20 blocks of rows of a.tamis become one" in seen.err
    assert load_summary("all.tamis").n_blocks == 1
    seen = run("summarise", "--update", "b.tamis", "a.csv", "--blocks")
    assert seen.code == 2
    assert "b.tamis has no blocks of rows" in seen.err
    assert run("summarise", "--update", "b.tamis", "a.csv").code == 0


def test_rows_that_are_counted_already_are_refused_unless_insisted_upon(sites, run):
    run("summarise", "a.csv", "-o", "day.tamis")
    assert run("summarise", "--update", "day.tamis", "b.csv").out.startswith("60 rows")
    before = (sites / "day.tamis").read_bytes()
    (sites / "b.csv").rename(sites / "renamed.csv")
    seen = run("summarise", "--update", "day.tamis", "renamed.csv")
    assert seen.code == 2
    assert "renamed.csv: day.tamis has rows of it already" in seen.err
    assert "--again" in seen.err
    assert (sites / "day.tamis").read_bytes() == before
    seen = run("summarise", "--update", "day.tamis", "renamed.csv", "--again")
    assert seen.out.startswith("95 rows")


@pytest.mark.usefixtures("sites")
def test_summaries_with_rows_of_one_file_merge_only_when_insisted_upon(run):
    run("summarise", "a.csv", "-o", "a.tamis")
    run("summarise", "a.csv", "b.csv", "-o", "both.tamis")
    seen = run("merge", "a.tamis", "both.tamis", "-o", "x.tamis")
    assert seen.code == 2
    assert "one file are both in a.tamis and in both.tamis" in seen.err
    assert run("merge", "a.tamis", "both.tamis", "-o", "x.tamis", "--again").out.startswith("85 r")
    assert run("summarise", "a.csv", "b.csv", "a.csv", "-o", "x.tamis").code == 2
    run("summarise", "a.csv", "-o", "a.tamis", "--no-fingerprints")
    assert run("merge", "a.tamis", "both.tamis", "-o", "x.tamis").out.startswith("85 rows")


@pytest.mark.slow
def test_no_row_of_four_updates_at_once_is_lost(sites, run):
    head, *rows = (sites / "table.csv").read_text().splitlines()
    for i in range(4):
        (sites / f"{i}.csv").write_text("\n".join([head, *rows[10 * i : 10 * i + 10]]) + "\n")
    run("summarise", "a.csv", "-o", "day.tamis")
    command = [sys.executable, "-c", MAIN, "summarise", "--update", "day.tamis"]
    updates = [
        subprocess.Popen([*command, f"{i}.csv"], stdout=subprocess.DEVNULL) for i in range(4)
    ]
    assert [update.wait() for update in updates] == [0] * 4
    assert load_summary("day.tamis").n_rows == 25 + 40
    assert not [path for path in sites.iterdir() if path.name.startswith(".")]


def test_a_dead_sensor_does_not_stop_a_daily_update(sites, run):
    head, *rows = (sites / "b.csv").read_text().splitlines()
    cells = [row.split(",") for row in rows]
    dead = [",".join([*row[:2], "", *row[3:]]) for row in cells]
    (sites / "b.csv").write_text("\n".join([head, *dead]) + "\n")
    run("summarise", "a.csv", "-o", "day.tamis")
    for missing in (["--missing", "error"], ["--missing", "drop"]):
        seen = run("summarise", "--update", "day.tamis", "b.csv", *missing)
        assert seen.code == 2
        assert "--missing mean" in seen.err
    seen = run("summarise", "--update", "day.tamis", "b.csv")
    assert seen.out.startswith("60 rows x 7 columns")
    assert load_summary("day.tamis").stored.absent.tolist() == [0, 0, 35, 0, 0, 0, 0]


def test_no_block_and_no_checkpoint_shows_fewer_rows_than_the_limit(sites, run):
    seen = run("summarise", "table.csv", "--blocks", "--min-rows", "20", "-o", "a.tamis")
    assert seen.code == 0
    assert "so that none shows fewer than 20 rows" in seen.out
    assert min(block.count for block in load_summary("a.tamis").stored.blocks) >= 20
    command = ["summarise", "table.csv", "--checkpoint", "c.tamis", "-o", "b.tamis", "--min-rows"]
    assert run(*command, "61").code == 2
    assert not (sites / "c.tamis").exists()
    assert run(*command, "60").code == 0
    assert load_summary("c.tamis").n_rows == 60
    (sites / "c.tamis").unlink()
    update = ["summarise", "--update", "b.tamis", "a.csv", "--again"]
    assert run(*update, "--checkpoint", "c.tamis").code == 2  # b.tamis has a limit of 60 rows
    assert not (sites / "c.tamis").exists()
    assert run(*update).out.startswith("85 rows")
