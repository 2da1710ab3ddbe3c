"""Digits with leading zeros are codes, in a text file as in a frame."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.sources.amounts import find_padded_codes
from tamis.sources.open import open_source


def write_places(path: Path) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    places = rng.choice(["01067", "80331", "00733", "10115"], 200)
    table = pd.DataFrame({"place": places, "a": rng.normal(size=200), "b": rng.normal(size=200)})
    table["month"] = [f"{m:02d}" for m in rng.integers(1, 13, 200)]
    table.to_csv(path, index=False)
    return table


def test_codes_with_leading_zeros_are_text(tmp_path: Path) -> None:
    table = write_places(tmp_path / "t.csv")
    source = open_source(tmp_path / "t.csv")
    assert source.kinds == ("categorical", "numeric", "numeric", "numeric")
    assert source.pick([0]).column(0).to_pylist() == table["place"].tolist()
    judged = {
        one["column"]: one["kind"] for one in tamis.look(tmp_path / "t.csv").to_dict()["columns"]
    }
    assert judged["place"] == "category"


def test_they_can_be_taken_as_numbers(tmp_path: Path) -> None:
    write_places(tmp_path / "t.csv")
    found = tamis.select(tmp_path / "t.csv", 2, numbers=["place"])
    plain = tamis.select(tmp_path / "t.csv", 2)
    assert "place" in {row["column"] for row in plain.to_dict()["taken"]}
    assert "place" not in {row["column"] for row in found.to_dict()["taken"]}
    assert found.to_dict()["skipped"] == []


@pytest.mark.parametrize(
    "cells",
    [
        ["0.5", "00.5"],  # decimals
        ["007", "12"],  # of different length
        ["123", "456"],  # without a zero
        ["01", "12"],  # months
        ["000", "000"],  # nothing
        ["0x1", "012"],
        ["", ""],
    ],
)
def test_other_numbers_are_numbers(cells: list[str]) -> None:
    assert find_padded_codes("\n".join(cells), ",", ["x"]) == []


def test_blanks_and_quotes_do_not_hide_codes() -> None:
    assert find_padded_codes('"007";1\n;2\nNA;2\n"123";3', ";", ["a", "b"]) == ["a"]
