"""The first lines on a terminal."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import tamis
from tamis.presentation.terminal.selection import MAX_NOTES, selection_text
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
    assert (f"Labels in '{_LONG}_y': " in head) is whole
    assert "(2.5% of the rows)" in head


def test_a_kept_column_that_looks_like_labels_is_named_above_the_tables() -> None:
    table = load_iris(as_frame=True).frame.rename(columns={"target": "species"})
    lines = selection_text(selection_facts(tamis.select(table, include=["species"]))).splitlines()
    said = [i for i, line in enumerate(lines) if "may be labels" in line]
    head = next(i for i, line in enumerate(lines) if line.startswith("  kept "))
    assert len(said) == 1
    assert said[0] < head
    assert lines[said[0]].startswith("'species' may be labels, but is analysed as a column")


def test_a_kept_number_that_may_be_predicted_is_named_above_the_tables() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 4)), columns=["a", "b", "c", "target"])
    text = selection_text(selection_facts(tamis.select(table, include=["target"])))
    above, below = text.split("\n  kept ")
    assert "'target' may be what is to be predicted, but is analysed as a column: y=" in above
    assert "may be what is to be predicted" not in below
    beside = table.rename(columns={"target": "y", "a": "x"})
    assert "to be predicted" not in str(tamis.select(beside, include=["y"]))


def test_no_more_than_six_notes_stand_above_the_tables() -> None:
    facts = selection_facts(tamis.select(load_iris(as_frame=True).data, 2))
    noted = replace(facts, doubts=tuple(f"Note {i} of some." for i in range(9)))
    text = selection_text(noted)
    above, below = text.split("\n  kept ")
    assert [f"Note {i} of" in above for i in range(9)].count(True) <= MAX_NOTES
    assert all(f"Note {i} of" in below for i in range(MAX_NOTES, 9))
    assert all(text.count(f"Note {i} of") == 1 for i in range(9))
