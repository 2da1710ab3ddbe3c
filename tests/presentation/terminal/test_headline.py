"""The first lines on a terminal."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.presentation.terminal.selection import selection_text
from tamis.results.selection_facts import selection_facts

_LONG = "a_name_" * 12  # 84 characters


@pytest.mark.parametrize(("width", "whole"), [(160, True), (60, False)])
def test_a_name_is_cut_only_where_the_terminal_is_narrow(width: int, whole: bool) -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[0, 0] = np.nan
    frame = pd.DataFrame(X, columns=[_LONG, "b", "c"]).assign(**{f"{_LONG}_y": list("ab") * 20})
    found = tamis.select(frame, k=1, missing="mean", y=f"{_LONG}_y")
    head = (
        selection_text(selection_facts(found), width=width)
        .partition("  kept")[0]
        .replace("\n", " ")
    )
    assert (f"mean: {_LONG} (2.5% of the rows)" in head) is whole
    assert (f"Labels: '{_LONG}_y', 2 classes" in head) is whole
    assert "(2.5% of the rows)" in head
