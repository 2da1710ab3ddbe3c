import pytest
from tests.evaluation.protocols.toys import FAILING, MEANS, NOISE

from tamis.errors import TamisError
from tamis.evaluation.protocols.catalogue import chosen


@pytest.fixture(autouse=True)
def toys(catalogue):
    catalogue(MEANS, NOISE, FAILING)


def test_all_gives_every_experiment_in_the_order_of_the_papers():
    assert chosen("all") == (MEANS, NOISE, FAILING)


def test_named_ones_come_once_and_in_the_order_of_the_papers():
    assert chosen(["toy-failing", "toy-means", "toy-failing"]) == (MEANS, FAILING)


def test_a_wrong_id_names_the_nearest():
    with pytest.raises(TamisError, match=r"no experiment 'toy-mean': did you mean 'toy-means'\?"):
        chosen(["toy-mean"])


def test_no_id_says_what_to_give():
    with pytest.raises(TamisError, match="give its id, or all"):
        chosen([])
