from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.presentation.prose.cautions import list_cautions
from tamis.results.selection_facts import selection_facts


def _texts(found: tamis.Selection) -> list[str]:
    rows = list_cautions(selection_facts(found))
    return [" ".join([r.text, *r.columns, r.after, r.advice, r.effect]) for r in rows]


@pytest.fixture
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(200, 6)), columns=list("abcdef"))


def test_an_orderly_table_needs_no_word(frame: pd.DataFrame) -> None:
    found = tamis.select(frame, k=2)  # noise: any two columns do, which the headline says
    assert _texts(found) == []
    assert "better than either." in found.to_dict()["baselines"]
    assert _texts(tamis.select(frame.assign(g=2 * frame["a"] + frame["b"]), k=2)) == []


@pytest.mark.parametrize(
    ("option", "text", "advice"),
    [("drop", "20 of 200 rows were dropped", 'missing="mean"'), ("mean", "1.7% of all", "drop")],
)
def test_missing_values_come_with_the_other_way(
    frame: pd.DataFrame, option: Any, text: str, advice: str
) -> None:
    frame.loc[:19, "b"] = np.nan
    (told,) = _texts(tamis.select(frame, k=2, missing=option, method="sfs"))
    assert text in told
    assert advice in told


def test_constant_columns_and_copies_are_named(frame: pd.DataFrame) -> None:
    frame["twin"] = 3 - 2 * frame["a"]
    frame["one"] = 1.0
    constant, copies = _texts(tamis.select(frame, k=3))
    assert constant.startswith("1 column is constant and never kept: one")
    assert copies.startswith("1 dropped column is an exact copy of kept ones")


def test_copies_are_told_from_linear_combinations_and_from_columns_that_come_near(
    frame: pd.DataFrame,
) -> None:
    table = frame[["a", "b", "c"]].assign(twin=lambda t: 2 * t["a"], sum=lambda t: t["a"] + t["b"])
    table["near"] = table["c"] - 0.1 * table["a"]
    found = tamis.select(table, k=3, include=["a", "b", "c"])
    assert [row.share for row in found.explain()] == pytest.approx([1.0] * 3)
    copies, mixed = _texts(found)
    assert (
        copies.strip()
        == "1 dropped column is an exact copy of kept ones, up to unit and sign: twin"
    )
    assert mixed.startswith(
        "2 dropped columns are exact linear combinations of kept ones: sum near"
    )


def test_no_column_is_a_combination_only_because_rows_are_few() -> None:
    table = np.random.default_rng(1).normal(size=(6, 12))
    assert not any("combination" in text for text in _texts(tamis.select(table, k=5)))


def test_columns_that_share_all_information_are_counted_whatever_else_explains_them() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 4, 200)
    table = pd.DataFrame({"a": a, "b": a // 2, "a2": a + 10, "a3": 3 - a, "c": a % 2})
    table = table.apply(lambda column: column.map("v{}".format))
    found = tamis.select(table, k=2, method="representatives", include=["a", "b"])
    (copies,) = _texts(found)
    # `a` determines `c` as well, though not the reverse.
    assert copies.startswith("3 dropped columns share all of their information with a kept one: a2")


def test_few_rows_lead_to_held_out_rows_and_these_to_a_smaller_number() -> None:
    table = np.random.default_rng(1).normal(size=(40, 30))
    (few,) = _texts(tamis.select(table, k=10, method="sfs"))
    assert few.startswith(
        "40 rows are few for 10 columns: by chance alone they would explain 25.6%"
    )
    assert "held_out=True" in few
    (over,) = _texts(tamis.select(table, k=10, method="sfs", held_out=True))
    assert over.startswith("Overfitted: ")
    assert 'k="auto"' in over


def test_a_number_for_each_row_is_named_with_its_option(frame: pd.DataFrame) -> None:
    frame["id"] = np.arange(200)
    found = tamis.select(frame, k=2)
    assert found.skipped["id"] == "every integer from 0 to 199 once"
    assert any('numbers=["id"]' in text for text in found.to_dict()["doubts"])


def test_an_unstable_choice_is_called_so_and_a_stable_one_is_not() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(size=(300, 12))
    (told,) = _texts(tamis.select(noise, k=3, method="sfs", stability=True, held_out=True))
    assert told.startswith("Unstable: random halves of the rows keep other columns (stability ind")
    strong = rng.normal(size=(300, 2))
    table = np.column_stack([strong, strong @ rng.normal(size=(2, 6)) + rng.normal(size=(300, 6))])
    assert _texts(tamis.select(table, k=2, method="sfs", stability=True)) == []


def test_a_number_that_was_found_is_not_advised_again_and_unrelated_columns_are_called_so() -> None:
    table = np.random.default_rng(7).normal(size=(30, 40))
    (told,) = _texts(tamis.select(table, k="auto", method="sfs"))
    assert told.startswith("The columns look unrelated: on held-out rows the kept ones explain")
    assert "auto" not in told


def test_all_columns_need_no_ceiling_of_100_percent(frame: pd.DataFrame) -> None:
    found = tamis.select(frame, k=6, method="sfs")
    said = "Keep all 6 columns. The first to drop would be 'c': the others explain 2.5% of it."
    assert found.to_dict()["sentence"] == said


def test_ranks_are_told_from_the_option_and_not_from_how_it_is_shown(frame: pd.DataFrame) -> None:
    frame["cube"] = frame["a"] ** 3
    found = tamis.select(
        frame, k=3, method="correlation", options={"kind": "spearman"}, exclude=["b"]
    )
    facts = selection_facts(found)
    assert facts.ranked is True
    shown = tuple((name, value.upper()) for name, value in facts.options)
    told = list_cautions(replace(facts, options=shown))
    assert any("those of the ranks (Spearman)" in row.text for row in told)
    assert tamis.select(frame, k=3, method="correlation").to_dict()["ranked"] is False


@pytest.mark.parametrize(
    ("missing", "done"), [("mean", "filled in"), ("covariance", "are missing")]
)
def test_values_are_called_filled_only_if_they_were(missing, done):
    X = np.random.default_rng(0).normal(size=(60, 4))
    X[:9, 1] = np.nan
    facts = selection_facts(tamis.select(X, 2, method="sfs", missing=missing))
    assert any(done in caution.text for caution in list_cautions(facts))
    assert facts.advises == (missing == "mean")
