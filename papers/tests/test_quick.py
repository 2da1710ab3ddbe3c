"""All experiments of the papers in their quick form: on generated tables, and on the real ones."""

import csv
import json
from pathlib import Path

import pytest
from papers.tests.shared import find_shared
from papers.tests.stand_ins import write_stand_ins

import tamis_papers
from tamis_papers.catalogue import list_protocols

PAPERS = ("yen", "cunningham", "vimica", "cui-dy", "peluffo")
# Figures on generated tables and Iris, as the code gave them before it was a package of its own.
# After a change that is meant, take these columns of the figures.csv that the test has written.
FROZEN = Path(__file__).parent / "frozen_figures.csv"
TIMED = ("yen-cost", "cui-dy-table-1")  # their figures are times, other ones in every run
# The note says or shows nothing of them, or what it does is judged elsewhere.
WITHOUT_CLAIMS = ("vimica-sonar", "vimica-bins", "vimica-classes", "vimica-widths")


# One test for each source: a run is long, and workers of pytest would each repeat it.
@pytest.mark.nightly
def test_every_experiment_runs_anywhere_and_known_figures_stay_as_they_are(tmp_path):
    data, folder = tmp_path / "data", tmp_path / "out"
    data.mkdir()
    write_stand_ins(data)
    check_run(data, folder)
    rows = [row for row in read_rows(folder / "figures.csv") if row["protocol"] not in TIMED]
    found = {key(row): float(row["ours"]) for row in rows}
    frozen = {key(row): float(row["ours"]) for row in read_rows(FROZEN)}
    assert found == pytest.approx(frozen, rel=1e-6, abs=1e-9)


@pytest.mark.nightly
def test_an_experiment_of_every_paper_runs_on_its_tables(tmp_path):
    ids = [one.id for one in list_protocols()]
    chosen = [next(one for one in ids if one.startswith(paper)) for paper in PAPERS]
    data = find_shared("data")
    found = tamis_papers.reproduce(chosen, data=data, output=tmp_path, quick=True, n_jobs=1)
    facts = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert not found.failed
    assert not facts["missing"]
    assert [one["id"] for one in facts["protocols"]] == [one for one in ids if one in chosen]
    for one in facts["protocols"]:
        check_experiment(one)


def check_run(data, folder):
    """Run all experiments twice: all is judged with a reason, the second run changes nothing."""
    first = tamis_papers.reproduce("all", data=data, output=folder, quick=True, n_jobs=1)
    facts = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    ids = [one["id"] for one in facts["protocols"]]
    assert ids == [one.id for one in list_protocols()]
    assert all(any(one.startswith(paper) for one in ids) for paper in PAPERS)
    assert not first.failed
    for one in facts["protocols"]:
        check_experiment(one)
    assert [row["protocol"] for row in read_rows(folder / "figures.csv")] == [
        one["id"] for one in facts["protocols"] for _ in one["figures"]
    ]
    check_second_run(folder, data)
    return facts


def key(row):
    return tuple(row[name] for name in ("protocol", "table", "method", "figure"))


def read_rows(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def check_experiment(one):
    assert one["computed"], one["id"]
    assert one["figures"] or one["drawings"], one["id"]
    assert bool(one["claims"]) != (one["id"] in WITHOUT_CLAIMS), one["id"]
    for claim in one["claims"]:
        assert claim["verdict"] in ("holds", "does not hold", "cannot be judged")
        assert claim["reason"].strip().endswith("."), claim
        assert claim["where"].strip()
    for reading in one["readings"]:
        assert reading["paper"].strip()
        assert reading["why"].strip()


def check_second_run(folder, data):
    """All cells are known, and the files stay the same to the byte."""
    names = ("figures.csv", "claims.csv", "results.json", "report.html")
    before = {name: (folder / name).read_bytes() for name in names}
    again = tamis_papers.reproduce("all", data=data, output=folder, quick=True, n_jobs=1)
    assert again.run["cells_known_before"] == again.run["cells"] > 0
    assert {name: (folder / name).read_bytes() for name in names} == before
