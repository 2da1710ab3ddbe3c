from pathlib import Path

import pytest
from papers.tests.toys import FAILING, MEANS, NOISE

from tamis.errors import TamisError
from tamis_papers.catalogue import choose_protocols, list_protocols

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def toys(catalogue):
    catalogue(MEANS, NOISE, FAILING)


@pytest.mark.usefixtures("toys")
def test_all_gives_every_experiment_in_the_order_of_the_papers():
    assert choose_protocols("all") == (MEANS, NOISE, FAILING)


@pytest.mark.usefixtures("toys")
def test_named_ones_come_once_and_in_the_order_of_the_papers():
    assert choose_protocols(["toy-failing", "toy-means", "toy-failing"]) == (MEANS, FAILING)


@pytest.mark.usefixtures("toys")
def test_a_wrong_id_names_the_nearest():
    with pytest.raises(TamisError, match=r"no experiment 'toy-mean': did you mean 'toy-means'\?"):
        choose_protocols(["toy-mean"])


@pytest.mark.usefixtures("toys")
def test_no_id_says_what_to_give():
    with pytest.raises(TamisError, match="give its id, or all"):
        choose_protocols([])


def test_ids_and_cells_are_unique_and_cells_need_only_tables_that_are_named():
    every = list_protocols()
    assert len({one.id for one in every}) == len(every)
    for one in every:
        for quick in (True, False):
            cells = one.cells(quick)
            assert len({cell.key for cell in cells}) == len(cells) > 0, one.id
            assert {name for cell in cells for name in cell.tables} <= set(one.tables), one.id


def test_every_experiment_can_be_asked_without_a_single_answer():
    for one in list_protocols():
        for claim in one.claims({}):
            assert claim.reason.endswith("."), one.id
        assert all(isinstance(said, str) for said in one.limits({}))
        assert not one.drawings({}), one.id
        one.figures({})


def test_the_documentation_has_every_experiment():
    page = (DOCS / "papers.md").read_text(encoding="utf-8")
    assert all(f"`tamis reproduce {one.id}`" in page for one in list_protocols())
