import csv
import json

import pytest
from papers.tests.toys import FAILING, MEANS, NOISE

import tamis
import tamis_papers

SAME = ("figures.csv", "claims.csv", "results.json", "report.html")


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    monkeypatch.setattr("tamis_papers.catalogue.list_protocols", lambda: (MEANS, NOISE, FAILING))


def contents(folder):
    return {name: (folder / name).read_bytes() for name in SAME}


def rows(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_figures_stand_beside_the_printed_ones_and_claims_have_verdicts():
    found = tamis_papers.reproduce("toy-means", n_jobs=1)
    first, second, third = found.figures["toy-means"]
    assert (first.reproduced, second.reproduced, third.reproduced) == (True, False, None)
    verdicts = [claim.verdict for claim in found.claims["toy-means"]]
    assert verdicts == ["holds", "does not hold", "cannot be judged"]
    assert list(found.missing) == ["stars"]


def test_a_missing_table_is_named_with_what_it_would_have_shown():
    (row,) = tamis_papers.reproduce(["toy-means"], n_jobs=1).to_dict()["missing"]
    assert row["table"] == "stars"
    assert "not on OpenML" in row["why"]
    assert row["shows"] == [
        {"protocol": "toy-means", "title": "Ada & Bob, Table 1", "cells": ["stars 0"]}
    ]


def test_the_folder_has_the_figures_and_claims_as_tables(tmp_path):
    tamis_papers.reproduce(["toy-means", "toy-noise"], output=tmp_path / "new" / "out", n_jobs=1)
    folder = tmp_path / "new" / "out"
    figures = rows(folder / "figures.csv")
    assert list(figures[0]) == [
        *("protocol", "paper", "table", "method", "figure", "ours", "spread", "runs"),
        *("printed", "difference", "tolerance", "reproduced"),
    ]
    assert [row["reproduced"] for row in figures[:3]] == ["yes", "no", ""]
    assert figures[0]["ours"] == "5.843333333"
    assert figures[2] | {"spread": "0.25", "runs": "3", "printed": ""} == figures[2]
    claims = rows(folder / "claims.csv")
    assert claims[1]["verdict"] == "does not hold"
    assert claims[1]["reason"] == "The mean is 3.06, not 5.84."
    facts = json.loads((folder / "results.json").read_text())
    assert facts["counts"]["claims"] == {"holds": 2, "does not hold": 1, "cannot be judged": 1}
    run = json.loads((folder / "run.json").read_text())
    assert set(run["cpu_seconds"]) == {"toy-means", "toy-noise"}
    assert run["versions"]["tamis"] == tamis.__version__


def test_a_run_that_goes_on_writes_the_same_bytes(tmp_path):
    tamis_papers.reproduce("all", output=tmp_path / "a", n_jobs=1)
    tamis_papers.reproduce("all", output=tmp_path / "b", n_jobs=1)
    cells = tmp_path / "b" / "cells.jsonl"
    cells.write_bytes(cells.read_bytes()[:-200])
    for name in SAME:
        (tmp_path / "b" / name).unlink()
    again = tamis_papers.reproduce("all", output=tmp_path / "b", n_jobs=1)
    assert 0 < again.run["cells_known_before"] < again.run["cells"]
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_the_page_of_the_documentation_has_verdicts_run_time_and_what_fails(tmp_path):
    tamis_papers.reproduce("all", output=tmp_path, quick=True, n_jobs=1)
    page = (tmp_path / "papers.md").read_text()
    assert "These are the figures of a quick run" in page
    assert "| Flowers are wide | page 2 | \N{MULTIPLICATION SIGN} does not hold |" in page
    assert "The median of <stars> & co. is not printed." in page
    assert "numpy" in page
    assert "`stars`" in page


def test_the_result_is_a_table_of_any_library():
    found = tamis_papers.reproduce("toy-means", quick=True, n_jobs=1)
    assert found.to_frame().num_rows == 2
    pandas = pytest.importorskip("pandas")
    assert isinstance(found.to_frame("pandas"), pandas.DataFrame)


def test_what_failed_is_in_the_result_and_on_the_page(tmp_path):
    found = tamis_papers.reproduce("toy-failing", n_jobs=1)
    assert found.failed["toy-failing", "refused"] == "The toy has no wheels: give it four."
    page = found.report(tmp_path / "page.html").read_text()
    assert "ZeroDivisionError: division by zero" in page


def test_a_folder_that_cannot_be_made_is_refused_before_any_work(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(tamis.TamisError, match="the folder cannot be made"):
        tamis_papers.reproduce("all", output=tmp_path / "file" / "out")


def test_download_reaches_openml_only_when_asked_for(monkeypatch):
    asked = []

    def fetch(name, **_):
        asked.append(name)
        raise OSError("no network here")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch)
    sonar = MEANS.cells(False)[0]
    protocol = type(MEANS)(
        **{**vars(MEANS), "cells": lambda _: [type(sonar)("a", sonar.compute, ("sonar",))]}
    )
    monkeypatch.setattr("tamis_papers.catalogue.list_protocols", lambda: (protocol,))
    tamis_papers.reproduce("all", n_jobs=1)
    assert not asked
    found = tamis_papers.reproduce("all", download=True, n_jobs=1)
    assert asked == ["sonar"]
    assert "no network here" in found.missing["sonar"]
