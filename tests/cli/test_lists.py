"""Lists of columns: commas, patterns, files of names."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def genes(folder: Path) -> str:
    text = (folder / "table.csv").read_text()
    header = "gene_a,gene_b,gene_*,age,@when,a[1],x6"
    (folder / "genes.csv").write_text("\n".join([header, *text.splitlines()[1:]]) + "\n")
    return "genes.csv"


def _names(selects: Any, *arguments: str) -> tuple[list[str], list[str]]:
    facts = json.loads(selects(*arguments, "-k", "2", "--json").out)
    return facts["names"], [row["column"] for row in facts["skipped"]]


def test_a_pattern_stands_for_all_columns_that_match(genes: str, selects: Any) -> None:
    assert _names(selects, genes, "--exclude", "gene_[ab],a?e")[1] == ["gene_a", "gene_b", "age"]
    kept, skipped = _names(
        selects, genes, "--include", "gene_[ab]", "--exclude", "x*", "--exclude", "age"
    )
    assert kept == ["gene_a", "gene_b"]
    assert skipped == ["age", "x6"]


def test_a_column_of_that_very_name_comes_before_what_a_pattern_matches(
    genes: str, selects: Any
) -> None:
    assert _names(selects, genes, "--exclude", "gene_*")[1] == ["gene_*"]
    assert _names(selects, genes, "--exclude", "a[1]")[1] == ["a[1]"]


def test_a_file_has_one_name_in_each_line(genes: str, selects: Any, folder: Path) -> None:
    (folder / "names.txt").write_text("\ufeffage\n\n  gene_a \n", encoding="utf-8")
    assert _names(selects, genes, "--exclude", "@names.txt,x6")[1] == ["gene_a", "age", "x6"]
    assert _names(selects, genes, "--exclude", "@when")[1] == ["@when"]


@pytest.mark.parametrize("flag", ["include", "exclude", "forbid", "carry", "categories", "numbers"])
def test_a_pattern_that_matches_nothing_is_worth_one_warning(
    genes: str, selects: Any, flag: str
) -> None:
    seen = selects(genes, "-k", "2", f"--{flag}", "ages*", "--quiet")
    assert seen.err == (
        f"tamis: warning: --{flag} 'ages*': no column of genes.csv matches: did you mean 'age'?\n"
    )
    assert len(seen.out.splitlines()) == 2


def test_a_pattern_that_leaves_nothing_to_analyse_is_refused(genes: str, refused: Any) -> None:
    assert refused(genes, "--columns", "ages*") == (
        "--columns 'ages*': no column of genes.csv matches: did you mean 'age'?"
    )
    assert "no column '@names'" in refused(genes, "--include", "@names")


def test_prices_take_patterns_and_a_column_has_one_price(
    genes: str, selects: Any, run: Any
) -> None:
    costs = ["--cost", "gene_[ab]=1000", "--cost", "gene_a=0.001"]
    kept, _ = _names(selects, genes, "-m", "sfs", *costs)
    assert kept[0] == "gene_a"
    assert "gene_b" not in kept
    seen = run("select", genes, "--cost", "age=1", "--cost", "age=2")
    assert seen.code == 2
    assert "--cost age=1 --cost age=2" in seen.err


def test_a_file_of_names_that_is_no_text_is_refused(refused: Any, folder: Path) -> None:
    (folder / "names.txt").write_bytes(b"\xff\xfe\x00a")
    assert refused("table.csv", "--include", "@names.txt") == (
        "@names.txt: the file cannot be read as UTF-8 text, check it."
    )


def test_names_of_one_run_are_what_another_takes(run: Any, folder: Path) -> None:
    seen = run("select", "table.csv", "-k", "3", "--quiet")
    assert len(seen.out.splitlines()) == 3
    (folder / "kept.txt").write_text(seen.out)
    facts = json.loads(run("score", "table.csv", "--columns", "@kept.txt", "--json").out)
    assert facts["names"] == seen.out.splitlines()
    facts = json.loads(run("score", "table.csv", "--columns", "x[12]", "--json").out)
    assert facts["names"] == ["x1", "x2"]
    seen = run("summarise", "table.csv", "--exclude", "x[0-4]", "-o", "few.tamis")
    assert "2 columns" in seen.out


def test_a_file_of_names_that_is_not_there_is_called_a_file(genes: str, run: Any) -> None:
    seen = run("select", genes, "-k", "2", "--include", "@nope.txt", "--exclude", "@when")
    assert seen.code == 2
    assert "--include @nope.txt: there is no file 'nope.txt'" in seen.err
