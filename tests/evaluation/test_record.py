import pandas as pd
import pytest

import tamis
from tamis.errors import TamisError


@pytest.fixture
def record():
    frame = pd.DataFrame(
        [[1.0, 2, 0], [2, 1, 1], [3, 5, 0], [4, 4, 1]], columns=[10, ("a", 1), "x"]
    )
    return tamis.select(frame, k=2, method="sfs").request


def test_names_are_text_inside_and_labels_outside(record):
    assert record.given == (10, ("a", 1), "x")
    assert record.relabel(record.names[:2]) == [10, ("a", 1)]
    assert record.relabel_keys({record.names[0]: 0.5}) == {10: 0.5}


def test_a_column_is_found_by_its_label_and_by_its_name(record):
    assert [record.position(label) for label in record.given] == [0, 1, 2]
    assert [record.position(name) for name in record.names] == [0, 1, 2]


@pytest.mark.parametrize("unknown", ["y", 11, ["x"]])
def test_an_unknown_column_is_refused(record, unknown):
    with pytest.raises(TamisError, match="has no column"):
        record.position(unknown)
