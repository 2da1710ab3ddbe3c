"""`tamis extract`: the same as in Python, with files whole or not at all."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tamis
from tamis import registry
from tamis.sources.open import open_source

METHODS = [method.id for method in registry.methods("extraction")]
UNTOUCHED = "what was here before\n"


def read(path):
    source = open_source(path)
    return pa.concat_tables(source.tables(range(len(source.names))))


def values(table, names):
    columns = [table[name].cast(pa.float64()).fill_null(np.nan) for name in names]
    return np.column_stack([column.to_numpy() for column in columns])


@pytest.fixture
def extracts(run):
    def ran(*arguments):
        seen = run("extract", *arguments)
        assert seen.code == 0, seen.err
        return seen

    return ran


@pytest.fixture
def refused(run, folder, kinds):  # noqa: ARG001 (the table is written)
    """Run `tamis extract`, which must refuse in one sentence and touch nothing."""

    def ran(*arguments, late=False):
        given = list(arguments)
        for flag, name in (("-o", "scores.csv"), ("--report", "page.html")):
            (folder / name).write_text(UNTOUCHED)
            given += [] if flag in given else [flag, name]
        before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
        seen = run("extract", *given)
        assert (seen.code, bool(seen.out)) == (2, late)
        assert seen.err.startswith("tamis: ")
        assert seen.err.endswith((".\n", "?\n"))
        assert seen.err.count("\n") == 1
        assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
        return seen.err.removeprefix("tamis: ").strip()

    return ran


@pytest.fixture
def kinds(folder, numbers):
    """A table without negative numbers, with an id such as 007 and labels: `kinds.csv`."""
    frame = pd.DataFrame(numbers - numbers.min(axis=0), columns=[f"x{j}" for j in range(7)])
    frame["x0"] += np.repeat([0, 9, 18], 20)
    frame.insert(0, "id", [f"{i:03d}" for i in range(60)])
    frame["kind"] = np.repeat(["a", "b", "c"], 20)
    frame.to_csv(folder / "kinds.csv", index=False)
    return frame


@pytest.mark.parametrize("method", METHODS)
def test_every_method_writes_what_python_computes(method, extracts, kinds, folder):
    flags = ("-k", "2", "-m", method, "--target", "kind", "--exclude", "id", "--json")
    facts = json.loads(extracts("kinds.csv", *flags, "-o", "s.parquet", "--report", "p.html").out)
    found = tamis.extract(kinds, 2, method=method, y="kind", exclude=["id"])
    assert facts["names"] == found.names == read(folder / "s.parquet").column_names
    np.testing.assert_allclose(
        values(read(folder / "s.parquet"), found.names), found.transform(kinds), atol=1e-9
    )
    assert facts["repeat"]["command"].startswith("tamis extract kinds.csv -k 2 -m ")
    assert "<html" in (folder / "p.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "feather", "npz"])
def test_scores_are_written_in_every_format(suffix, extracts, folder, numbers):
    seen = extracts("table.csv", "-k", "3", "-o", f"s.{suffix}")
    assert seen.out.endswith(f"\n\nWrote {(folder / f's.{suffix}').resolve()}\n")
    found = tamis.extract(numbers, 3)
    table = read(folder / f"s.{suffix}")
    np.testing.assert_allclose(values(table, found.names), found.transform(numbers), atol=1e-9)


@pytest.mark.parametrize("kind", ["tsv", "csv.gz", "parquet", "feather", "npz", "sparse.npz"])
def test_every_kind_of_file_gives_the_same_scores(kind, extracts, table_as, folder):
    extracts("table.csv", "-k", "2", "-o", "expected.parquet")
    extracts(table_as(kind), "-k", "2", "-o", "s.parquet", "--carry", "x6", "--columns", "x0,x1,x2")
    extracts("table.csv", "-k", "2", "-o", "e.parquet", "--columns", "x0,x1,x2")
    table, expected = read(folder / "s.parquet"), read(folder / "e.parquet")
    assert table.column_names == ["x6", "PC1", "PC2"]
    names = expected.column_names
    np.testing.assert_allclose(values(table, names), values(expected, names), atol=1e-9)
    np.testing.assert_array_equal(values(table, ["x6"]), values(read(folder / "table.csv"), ["x6"]))


@pytest.mark.usefixtures("kinds")
def test_carried_columns_come_first_and_as_they_are(extracts, folder):
    extracts("kinds.csv", "-k", "1", "--carry", "kind,id", "--target", "kind", "-o", "s.csv")
    lines = (folder / "s.csv").read_text().splitlines()
    assert lines[0] == "kind,id,PC1"
    assert lines[8].startswith('"a","007",')
    assert len(lines) == 61


def test_carried_columns_stay_beside_their_rows_in_a_long_file(extracts, folder):
    rows = np.random.default_rng(0).normal(size=(50_000, 3)).round(4)
    frame = pd.DataFrame(rows, columns=["a", "b", "c"]).assign(row=np.arange(50_000))
    frame.to_parquet(folder / "long.parquet", row_group_size=7001)
    extracts("long.parquet", "-k", "2", "--carry", "row", "-o", "s.feather")
    table = read(folder / "s.feather")
    assert table["row"].to_pylist() == list(range(50_000))
    found = tamis.extract(rows, 2)
    np.testing.assert_allclose(values(table, ["PC1", "PC2"]), found.transform(rows), atol=1e-9)


def test_a_dropped_row_is_there_but_empty(extracts, kinds, folder):
    kinds.loc[[1, 33], "x2"] = np.nan
    kinds.to_csv(folder / "gaps.csv", index=False)
    seen = extracts(
        "gaps.csv", "-k", "2", "--exclude", "id", "--missing", "drop", "--carry", "kind", "-o", "-"
    )
    lines = seen.out.splitlines()
    assert lines[0] == "kind,PC1,PC2"
    assert [i for i, line in enumerate(lines) if line.endswith('",,')] == [2, 34]
    assert seen.err.startswith("2 components explain ")


def test_text_is_printed_and_nothing_else(extracts):
    seen = extracts("table.csv", "--retain", "0.9")
    assert seen.out.startswith(tamis.extract("table.csv", retain=0.9).to_dict()["sentence"])
    assert seen.err == ""


def test_json_holds_what_python_gives(extracts):
    facts = json.loads(extracts("table.csv", "-k", "2", "--json").out)
    expected = tamis.extract("table.csv", 2).to_dict()
    assert facts.pop("repeat") | {"command": ""} == expected.pop("repeat")
    assert facts == json.loads(json.dumps(expected))


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ("-m gdfe --sigma 0.5", {"method": "gdfe", "options": {"sigma": 0.5}}),
        ("-m gdfe --sigma nn_quantile", {"method": "gdfe", "options": {"sigma": "nn_quantile"}}),
        ("-m gdfe --omega linear", {"method": "gdfe", "options": {"omega": "linear"}}),
        ("-m wpca --weights q-alpha", {"method": "wpca", "options": {"weights": "q-alpha"}}),
        ("-m kernel-pca --gamma 2", {"method": "kernel-pca", "options": {"gamma": 2.0}}),
        ("--scale", {"scale": True}),
        ("--columns x1,x2,x3", {"columns": ["x1", "x2", "x3"]}),
        ("--columns x1 --columns x2,x3", {"columns": ["x1", "x2", "x3"]}),
        ("--exclude x1,x2", {"exclude": ["x1", "x2"]}),
        ("--exclude x1 --exclude x2", {"exclude": ["x1", "x2"]}),
        ("--exclude x1 --carry x2 --carry x3", {"exclude": ["x1", "x2", "x3"]}),
        ("--rule floor", {"rule": "floor"}),
    ],
)
def test_a_flag_does_what_the_keyword_does(flags, options, extracts, numbers):
    facts = json.loads(extracts("table.csv", "--json", *flags.split()).out)
    found = tamis.extract(numbers, **options)
    np.testing.assert_allclose(facts["shares"], found.shares, rtol=1e-9)


OPTIONS = {
    "-m pcaa": "Unknown method 'pcaa': did you mean 'pca'?",
    "-m sfs": "Method 'sfs' is a method of selection: use it with select.",
    "-m lda": "Method 'lda' needs labels: name their column, for example --target species.",
    "-m lda --target kin": "kinds.csv has no column 'kin': did you mean 'kind'?",
    "-m lda --target id": "Column 'id' has another label in each of the 60 rows",
    "-k 9": "-k 9: kinds.csv has 7 numeric columns, give at most 7.",
    "-k 0": "-k 0: give an integer of at least 1.",
    "-k 2 --retain 0.5": "Give -k or --retain, not both: each decides how many components",
    "--retain 2": "--retain 2: give a share above 0 and up to 1, such as 0.95.",
    "--missing category": "'category' is not one of 'error', 'auto', 'mean', 'drop'",
    "-m pca --sigma 1": "Method 'pca' does not take --sigma: it has no options of its own.",
    "-m gdfe --sigma wide": "'wide' is not one of 'pooled_quantile', 'nn_quantile'",
    "-m gdfe --sigma -1": "--sigma -1.0: give a number of at least 0.",
    "-m gdfe --omega 0.5": "'0.5' is not one of 'kernel', 'identity', 'linear'",
    "-m lsa --scale": "--scale standard: method 'lsa' takes the table as it is; omit it.",
    "-o scores.xlsx": "Cannot write 'scores.xlsx': give a name ending in .csv,",
    "-o kinds.csv": "Cannot write 'kinds.csv': it is the table to read",
    "--carry nothing": "kinds.csv has no column 'nothing'",
}


@pytest.mark.parametrize("given", OPTIONS)
def test_a_mistake_is_answered_in_one_sentence(given, refused):
    assert OPTIONS[given] in refused("kinds.csv", *given.split())


def test_tables_that_do_not_fit_are_answered_in_one_sentence(refused, folder, kinds):
    (folder / "text.csv").write_text("a,b\nx,y\nz,w\n")
    assert refused("text.csv") == ("text.csv has no numeric columns: turn text into numbers first.")
    kinds.loc[[5, 7], "kind"] = None
    kinds.to_csv(folder / "lost.csv", index=False)
    assert refused("lost.csv", "-m", "lda", "--target", "kind") == (
        "Column 'kind' has 2 missing labels of 60: pass --missing drop to drop their rows."
    )
    kinds.rename(columns={"id": "PC1"}).to_csv(folder / "clash.csv", index=False)
    assert refused("clash.csv", "--carry", "PC1") == (
        "--carry PC1: the scores have a column of this name, rename yours."
    )


def test_text_beside_scores_in_a_file_of_numbers_is_refused(refused):
    sentence = refused("kinds.csv", "-o", "s.npz", "--carry", "kind")
    assert "Column 'kind' is not all numbers, which .npz cannot hold" in sentence


def test_a_page_that_fails_leaves_the_scores_untouched_too(refused, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tamis.presentation.page.answers.render_extraction", full)
    assert "no space left on device" in refused("kinds.csv", late=True)


def test_the_text_of_a_method_loads_nothing_heavy():
    script = (
        "import sys\nfrom tamis.cli import main\ntry:\n    main(['methods', 'gdfe'])\n"
        "except SystemExit: pass\nprint({'numpy', 'pyarrow', 'jinja2'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("set()\n")
    assert "One of: pooled_quantile, nn_quantile, a number." in " ".join(done.stdout.split())
    assert "function" not in done.stdout


def test_a_report_without_rows_can_be_made_of_a_summary(folder, run):
    run("summarise", "table.csv", "-o", "s.tamis")
    assert run("extract", "s.tamis", "-k", "2", "--report", "p.html").code == 2
    assert run("extract", "s.tamis", "-k", "2", "--report", "p.html", "--no-rows").code == 0
    assert "were omitted on request" in (folder / "p.html").read_text()
