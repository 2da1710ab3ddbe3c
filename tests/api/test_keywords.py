import inspect
import re

import pytest

import tamis
from tamis import registry
from tamis.api.keywords import takes_shared


@takes_shared("select")
def answer(data, memory="own", **asked):
    """Answer.

    Parameters
    ----------
    data
        A table.
    k
        Described here.

    Returns
    -------
    dict
    """
    return data, memory, asked


def test_all_shared_options_of_a_door_are_in_the_signature_and_an_own_one_stays():
    parameters = inspect.signature(answer).parameters
    assert {option.name for option in registry.list_shared("select")} <= set(parameters)
    assert parameters["memory"].default == "own"
    assert parameters["retain"].kind is inspect.Parameter.KEYWORD_ONLY


def test_only_what_was_given_arrives():
    assert answer(1, retain=0.5) == (1, "own", {"retain": 0.5})


def test_another_keyword_is_refused_with_the_nearest():
    with pytest.raises(TypeError, match="did you mean 'retain'"):
        answer(1, retian=0.5)


@pytest.mark.parametrize(
    ("keyword", "meant"),
    [
        ("n_features_to_select", "did you mean 'k'"),
        ("target", "did you mean 'y'"),
        ("drop", "did you mean 'exclude'"),
        ("shrink", 'give options={"shrink": ...}'),
        ("seed", 'give options={"random_state": ...}'),
    ],
)
def test_what_other_packages_call_an_option_is_known(keyword, meant):
    with pytest.raises(TypeError, match=re.escape(meant)):
        tamis.select([[1, 2], [3, 4]], **{keyword: 1})


def test_options_that_the_docstring_lacks_are_described_once():
    assert answer.__doc__.count("\nretain\n") == 1
    assert answer.__doc__.count("\nk\n") == 1
    assert answer.__doc__.index("\nretain\n") < answer.__doc__.index("Returns")
