"""All experiments of the papers, in their quick form, on the real tables."""

import csv
import json

import pytest
from tests.conftest import SHARED

import tamis
from tamis.evaluation.protocols.catalogue import protocols

PAPERS = ("yen", "cunningham", "vimica", "cui-dy", "peluffo")


# One test: the run is shared, and workers of pytest would each repeat it.
@pytest.mark.slow
@pytest.mark.skipif(not SHARED.exists(), reason="the data folder ../shared/data is not here")
def test_every_experiment_runs_and_every_claim_has_a_verdict_with_its_reason(tmp_path):
    first = tamis.reproduce("all", data=SHARED, output=tmp_path, quick=True, n_jobs=1)
    facts = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    ids = [one["id"] for one in facts["protocols"]]
    assert ids == [one.id for one in protocols()]
    assert all(any(one.startswith(paper) for one in ids) for paper in PAPERS)
    assert not first.failed
    for one in facts["protocols"]:
        check_experiment(one)
    assert facts["counts"]["judged"] >= 50
    with (tmp_path / "figures.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["protocol"] for row in rows] == [
        one["id"] for one in facts["protocols"] for _ in one["figures"]
    ]
    check_second_run(tmp_path)


def check_experiment(one):
    assert one["computed"], one["id"]
    assert one["figures"] or one["drawings"], one["id"]
    assert one["claims"], one["id"]
    for claim in one["claims"]:
        assert claim["verdict"] in ("holds", "does not hold", "cannot be judged")
        assert claim["reason"].strip().endswith("."), claim
        assert claim["where"].strip()
    for reading in one["readings"]:
        assert reading["paper"].strip()
        assert reading["why"].strip()


def check_second_run(folder):
    """All cells are known, and the files stay the same to the byte."""
    names = ("figures.csv", "claims.csv", "results.json", "report.html")
    before = {name: (folder / name).read_bytes() for name in names}
    again = tamis.reproduce("all", data=SHARED, output=folder, quick=True, n_jobs=1)
    assert again.run["cells_known_before"] == again.run["cells"] > 0
    assert {name: (folder / name).read_bytes() for name in names} == before
