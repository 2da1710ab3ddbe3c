import dataclasses

import pytest

from tamis import registry
from tamis.errors import TamisError

METHODS = {method.id: method for method in registry.METHODS}


def test_what_a_method_needs_says_whether_it_takes_text_and_labels():
    assert METHODS["chi2"].supervised
    assert METHODS["chi2"].takes_text
    assert METHODS["rspfs"].takes_text
    assert not METHODS["rspfs"].supervised
    assert not METHODS["sfs"].takes_text
    assert METHODS["sfs"].measure == "variance"


def test_kernel_and_estimator_are_loaded_by_name():
    assert METHODS["sfs"].load_kernel().__name__ == "greedy_reconstruction"
    assert METHODS["sfs"].load_estimator().method_id == "sfs"


def test_options_that_are_read_early_do_not_go_to_the_kernel():
    method = METHODS["rspfs"]
    given = {option.name: option.default for option in method.options}
    assert set(method.reads) <= set(given)
    assert not set(method.reads) & set(method.kernel_options(given))


def test_a_method_that_cannot_be_resampled_says_so():
    method = next(method for method in registry.METHODS if not method.resamples)
    with pytest.raises(TamisError, match="held_out"):
        method.check_resamples("held_out", True)
    with pytest.raises(dataclasses.FrozenInstanceError):
        method.id = "other"
