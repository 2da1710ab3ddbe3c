"""Several responses: columns of the table, or arrays beside it."""

import numpy as np

from tamis.statistics.classes import Responses


def test_only_responses_in_the_table_have_a_position():
    assert Responses((4, np.zeros(3)), ("a", "b")).columns == (4,)
