"""All experiments of the papers, in their quick form, on the real tables."""

import csv
import json

import pytest
from tests.conftest import SHARED

import tamis
from tamis.evaluation.protocols.catalogue import protocols

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.exists(), reason="the data folder ../shared/data is not here"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    tamis.reproduce("all", data=SHARED, output=folder, quick=True)
    return folder


@pytest.fixture(scope="module")
def facts(folder):
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def test_every_paper_has_its_experiments(facts):
    ids = [one["id"] for one in facts["protocols"]]
    assert ids == [one.id for one in protocols()]
    papers = ("yen", "cunningham", "vimica", "cui-dy", "peluffo")
    assert all(any(one.startswith(paper) for one in ids) for paper in papers)


def test_no_cell_fails_and_every_experiment_shows_something(facts):
    for one in facts["protocols"]:
        assert not one["failed"], one["id"]
        assert one["computed"], one["id"]
        assert one["figures"] or one["drawings"], one["id"]


def test_every_claim_has_a_verdict_and_a_reason(facts):
    claims = [claim for one in facts["protocols"] for claim in one["claims"]]
    assert len(claims) >= 10
    for claim in claims:
        assert claim["verdict"] in ("holds", "does not hold", "cannot be judged")
        assert claim["reason"].strip().endswith(".")
        assert claim["where"]


def test_every_reading_has_the_papers_words_and_a_reason(facts):
    for one in facts["protocols"]:
        for reading in one["readings"]:
            assert reading["paper"].strip()
            assert reading["why"].strip()


def test_the_files_agree_and_a_second_run_computes_nothing(folder, facts):
    with (folder / "figures.csv").open(newline="", encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == sum(
            len(one["figures"]) for one in facts["protocols"]
        )
    before = {name: (folder / name).read_bytes() for name in ("results.json", "report.html")}
    again = tamis.reproduce("all", data=SHARED, output=folder, quick=True)
    assert again.run["cells_known_before"] == again.run["cells"] > 0
    assert {name: (folder / name).read_bytes() for name in before} == before
