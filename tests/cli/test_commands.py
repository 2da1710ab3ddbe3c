import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import tamis
from tamis import registry

FILES = ["csv", "tsv", "csv.gz", "parquet", "feather", "npz", "sparse.npz"]


def _names(seen: Any) -> list[str]:
    return json.loads(seen.out)["names"]


def test_a_selection_is_printed_and_nothing_else(selects: Any) -> None:
    seen = selects("table.csv", "-k", "2")
    assert seen.out.startswith("Keep 2 of 7 columns: on new rows they explain ")
    assert seen.err == ""


@pytest.mark.parametrize("kind", FILES)
def test_every_file_of_the_zoo_gives_the_picks_of_python(
    kind: str, table_as: Any, numbers: np.ndarray, selects: Any
) -> None:
    expected = tamis.select(numbers, k=4).names
    assert _names(selects(table_as(kind), "-k", "4", "--json")) == expected


@pytest.mark.parametrize("method", [method.id for method in registry.methods("selection")])
def test_every_method_runs(method: str, numbers: np.ndarray, selects: Any) -> None:
    kind = np.array(["low", "high"])[(numbers[:, 0] > np.median(numbers[:, 0])).astype(int)]
    table = pa.table({**pa.csv.read_csv("table.csv").to_pydict(), "kind": kind})
    pa.csv.write_csv(table, "labelled.csv")
    seen = selects("labelled.csv", "-k", "3", "-m", method, "--target", "kind", "--json")
    assert _names(seen) == tamis.select(numbers, k=3, method=method, y=kind).names


def test_json_holds_what_python_gives(selects: Any) -> None:
    facts = json.loads(selects("table.csv", "--retain", "0.9", "--json").out)
    expected = tamis.select("table.csv", retain=0.9).to_dict()
    assert facts.pop("repeat") | {"command": ""} == expected.pop("repeat")
    assert facts == json.loads(json.dumps(expected))


def test_the_command_to_repeat_is_the_one_that_was_run(selects: Any) -> None:
    facts = json.loads(selects("table.csv", "-k", "2", "--columns", "x1, x2,x3", "--json").out)
    expected = "tamis select table.csv -k 2 --columns 'x1, x2,x3' --json"
    assert facts["repeat"]["command"] == expected


@pytest.mark.parametrize("verb", ["select", "extract"])
def test_the_way_to_repeat_keeps_the_folder_of_the_table(verb: str, run: Any, folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "table.csv").rename(folder / "data" / "table.csv")
    repeat = json.loads(run(verb, "data/table.csv", "-k", "2", "--json").out)["repeat"]
    assert repeat["command"] == f"tamis {verb} data/table.csv -k 2 --json"
    assert repeat["python"].startswith(f"tamis.{verb}('data/table.csv', ")


def test_the_way_to_repeat_the_demo_works_in_any_folder(run: Any, folder: Path) -> None:
    run("demo", "--report", "page.html")
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert '<code id="command">tamis demo --report page.html</code>' in page


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ("--include x6,x2", {"include": ["x6", "x2"]}),
        ("--include x6 --include x2", {"include": ["x6", "x2"]}),
        ("--exclude x5,x4", {"exclude": ["x5", "x4"]}),
        ("--exclude x5 --exclude x4,x1", {"exclude": ["x5", "x4", "x1"]}),
        ("--exclude x5 --carry x4 --carry x1", {"exclude": ["x5", "x4", "x1"]}),
        ("--columns x0,x5 --columns x3 --columns x1", {"columns": ["x0", "x5", "x3", "x1"]}),
        ("--columns x0,x5,x3,x1", {"columns": ["x0", "x5", "x3", "x1"]}),
        ("--no-scale", {"scale": False}),
        ("--refine swap", {"refine": True}),
        ("--refine exact", {"refine": "exact"}),
        ("-m pfs --norm original", {"method": "pfs", "options": {"norm": "original"}}),
        ("-m pfs --norm none", {"method": "pfs", "options": {"norm": "none"}}),
        ("-m pfa --signed true", {"method": "pfa", "options": {"signed": True}}),
    ],
)
def test_a_flag_does_what_the_keyword_does(
    flags: str, options: Any, numbers: np.ndarray, selects: Any
) -> None:
    facts = json.loads(selects("table.csv", "-k", "3", "--json", *flags.split()).out)
    expected = tamis.select(numbers, k=3, **options)
    assert facts["names"] == expected.names
    assert facts["optimal"] == expected.optimal
    assert facts["skipped"] == [
        {"column": name, "why": why} for name, why in expected.skipped.items()
    ]


@pytest.mark.parametrize("missing", ["mean", "drop"])
def test_missing_values_are_filled_or_dropped(
    missing: str, numbers: np.ndarray, selects: Any, folder: Path, as_text: Any
) -> None:
    gaps = numbers.copy()
    gaps[[3, 7, 7], [0, 2, 5]] = np.nan
    (folder / "gaps.csv").write_text(as_text(gaps))
    facts = json.loads(selects("gaps.csv", "-k", "3", "--missing", missing, "--json").out)
    full = numbers[~np.isnan(gaps).any(axis=1)]
    if missing == "mean":
        full = np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps)
    assert facts["rows"] == len(full)
    assert facts["names"] == tamis.select(full, k=3).names


def test_names_with_commas_can_be_asked_for(selects: Any, folder: Path) -> None:
    text = (folder / "table.csv").read_text()
    (folder / "quoted.csv").write_text(text.replace("x0,x1", '"x0, kg","x1; m"', 1))
    seen = selects("quoted.csv", "-k", "2", "--columns", '"x0, kg",x1; m,x2', "--json")
    assert set(_names(seen)) <= {"x0, kg", "x1; m", "x2"}
    seen = selects("quoted.csv", "-k", "1", "--include", '"x0, kg"', "--json")
    assert _names(seen) == ["x0, kg"]


def test_how_to_write_a_name_with_a_comma_is_said_by_help_and_by_the_error(
    run: Any, folder: Path
) -> None:
    text = (folder / "table.csv").read_text()
    (folder / "quoted.csv").write_text(text.replace("x0,x1", '"net, kg",x1', 1))
    err = run("select", "quoted.csv", "-k", "2", "--include", "net, kg").err
    assert err == (
        "tamis: quoted.csv has no column 'net': did you mean 'net, kg', written '\"net, kg\"'?\n"
    )
    for verb in ("select", "extract"):
        shown = " ".join(run(verb, "--help-all").out.split())
        assert "repeat the flag or separate names by commas" in shown
        assert "put a name that contains a comma in double quotes: '\"net, kg\",age'" in shown
    with pytest.raises(tamis.TamisError, match=r"did you mean 'net, kg', written \[\"net, kg\"\]"):
        tamis.select(folder / "quoted.csv", 2, include=["kg"])


def test_columns_that_take_no_part_are_named(selects: Any, folder: Path) -> None:
    rows = "".join(f"{i},{i * i},{-(i**3)},n{i},2020-01-0{i + 1},5\n" for i in range(9))
    (folder / "mixed.csv").write_text("a,b,c,who,day,five\n" + rows)
    out = selects("mixed.csv", "-k", "1").out
    assert "Skipped (constant): five." in out
    assert "Skipped (another value in each of 9 rows): who." in out
    assert "Skipped (dates or another type not supported yet): day." in out


def test_methods_lists_every_method_and_explains_one(run: Any) -> None:
    out = run("methods").out
    assert all(method.id in out for method in registry.methods())
    out = " ".join(run("methods", "pfs").out.split())
    assert "One of: residual, original, none. Default: residual." in out
    assert out.endswith("Example: tamis select table.csv -k 20 --method pfs --report report.html")
    seen = run("methods", "pfz")
    assert (seen.code, seen.err) == (2, "tamis: Unknown method 'pfz': did you mean 'pfs'?\n")


def test_demo_writes_a_report_and_names_it(run: Any, folder: Path) -> None:
    seen = run("demo", "--report", "page.html")
    assert seen.code == 0
    assert seen.out.startswith(
        "$ tamis select breast_cancer.csv --target diagnosis --report page.html\n"
    )
    assert seen.out.rstrip().endswith(str((folder / "page.html").resolve()))
    assert "<html" in (folder / "page.html").read_text(encoding="utf-8")


def test_help_is_shown_when_nothing_is_asked(run: Any) -> None:
    assert run().out == run("--help").out == run("-h").out
    assert run().code == 0
    assert "--retain SHARE" in run("select", "--help").out
    assert run("--version").out == f"tamis {tamis.__version__}\n"


@pytest.mark.parametrize("arguments", [["slect", "t.csv"], ["select"], ["demo", "x"]])
def test_a_misspelled_command_is_refused(arguments: list[str], run: Any) -> None:
    seen = run(*arguments)
    assert seen.code == 2
    assert seen.err.startswith("tamis: ")
    assert seen.err.endswith("--help`).\n")
