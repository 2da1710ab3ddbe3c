import pandas as pd

import tamis
from tamis.results.shown import by_text


def test_labels_become_text_and_a_result_with_text_stays_itself():
    frame = pd.DataFrame([[1.0, 2, 3], [2, 1, 3], [3, 5, 3], [4, 4, 3]], columns=[10, 20, 30])
    found = tamis.select(frame, k=1, method="sfs")
    plain = by_text(found)
    assert (found.constant, plain.constant) == ((30,), ("30",))
    assert plain.names == [str(name) for name in found.names]
    assert by_text(plain) is plain
