import numpy as np

import tamis
from tamis.sources.stored_summary import mark_empty


def test_columns_without_any_value_are_marked_and_rows_that_count_are_added_up():
    X = np.array([[1.0, np.nan], [2.0, np.nan], [4.0, np.nan]])
    stored = tamis.summarise(np.ones((3, 2)) * [[1], [2], [4]]).stored
    assert stored.used == sum(block.count for block in stored.blocks) == 3
    assert mark_empty(stored).tolist() == [False, False]
    empty = type(stored)(
        stored.names, stored.kinds, True, 3, np.isnan(X).sum(axis=0), ("mean",), stored.blocks
    )
    assert mark_empty(empty).tolist() == [False, True]
