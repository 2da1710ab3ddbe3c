import numpy as np
import pyarrow as pa
import pytest

from tamis.sources.arrow import NO_NUMBER, as_arrow, as_texts


@pytest.mark.parametrize("values", [np.arange(6.0)[::2], np.array([3, -1]), np.zeros(0)])
def test_numbers_are_those_that_arrow_makes_itself(values):
    assert as_arrow(values).equals(pa.array(values))


@pytest.mark.parametrize("texts", [[], [""], ["n/a", "", "Größe", "x" * 999]])
def test_texts_are_those_that_arrow_makes_itself(texts):
    assert as_texts(texts).equals(pa.array(texts, pa.string()))


def test_nulls_become_nan():
    assert np.isnan(pa.array([1.0, None]).fill_null(NO_NUMBER)[1].as_py())
