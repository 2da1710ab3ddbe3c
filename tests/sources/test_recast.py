import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError
from tamis.sources.marked import recast
from tamis.sources.open import open_source


def values(frame, name):
    source = recast(open_source(frame), [], [name])
    place = list(frame.columns).index(name)
    return [float(v) for batch in source.batches([place]) for v in batch[:, 0]]


def test_the_decimal_mark_is_that_of_the_whole_column_in_any_order():
    texts = ["3,117"] * 1500 + ["2,5"]  # the first thousand alone would be read as thousands
    frame = pd.DataFrame({"a": range(1501), "b": texts})
    assert values(frame, "b") == [3.117] * 1500 + [2.5]
    assert values(frame[::-1].reset_index(drop=True), "b") == [2.5] + [3.117] * 1500


def test_numbers_stay_what_they_are():
    frame = pd.DataFrame({"a": [1, 2], "b": [3.117, 4.221]})
    assert values(frame, "b") == [3.117, 4.221]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["900 g", "1.2 kg", "2 kg"], "different units ('g', 'kg')"),
        (["$ 5", "€ 5", "€ 7"], "different units ('$', '€')"),
        (["5 %", "0.05", "7 %"], "different units ('%', no unit)"),
        (["1,5", "1.5", "2"], "decimal mark"),
        (["5", "6", "six"], "'six', which is no amount"),
    ],
)
def test_amounts_that_cannot_be_compared_are_refused(texts, said):
    table = pd.DataFrame({"a": range(3), "b": texts, "c": [1, 0, 1]})
    with pytest.raises(TamisError) as caught:
        tamis.select(table, 1, numbers=["b"])
    assert said in str(caught.value)
    assert "b" in str(caught.value)
