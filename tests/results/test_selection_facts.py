"""What is known of a selection with the default method: clipped values, shrinkage, weights."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.presentation.prose.about_table import clipped_sentence
from tamis.results.selection_facts import selection_facts


@pytest.fixture
def mixed() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    region = rng.choice(list("nswe"), 300)
    level = pd.Series(region).map({"n": 0.0, "s": 2.0, "w": 4.0, "e": 6.0}).to_numpy()
    return pd.DataFrame(
        {
            "id": ["x"] * 300,  # constant: positions of columns read and of those used differ
            "region": region,
            "tax": level + rng.normal(size=300),
            "noise": rng.normal(size=300),
            "north": np.where(region == "n", "yes", "no"),
        }
    )


def test_clipped_values_are_counted_by_name_most_first(mixed: pd.DataFrame) -> None:
    table = mixed.assign(one=1.0, heavy=mixed["noise"] * 3 + mixed["tax"])
    # A value that came again and again so far out would be a code for missing.
    table.loc[:4, "noise"] = 1e4 + np.arange(5)
    table.loc[3:4, "tax"] = -1e4
    facts = selection_facts(tamis.select(table, k=2))
    assert facts.clipped is not None
    assert list(facts.clipped.columns.items())[:2] == [("noise", 5), ("tax", 2)]
    assert facts.clipped.rows == 5
    assert "7 in 2 columns (noise 5, tax 2), 5 rows" in clipped_sentence(facts.clipped)
    assert tamis.select(table, k=2).to_dict()["clipped"]["columns"] == {"noise": 5, "tax": 2}
    kept = tamis.select(table, k=2, options={"outliers": "keep"})
    assert kept.to_dict()["clipped"] is None
    assert tamis.select(table[["tax", "noise"]], k=1, method="sfs").to_dict()["clipped"] is None


def test_the_shrinkage_is_a_fact_and_says_who_chose_it() -> None:
    rng = np.random.default_rng(2)
    few = rng.normal(size=(24, 3)) @ rng.normal(size=(3, 20)) + 2 * rng.normal(size=(24, 20))
    chosen = selection_facts(tamis.select(few, k=8))
    assert chosen.shrink is not None
    assert chosen.shrink > 0
    assert chosen.shrink_chosen
    given = selection_facts(tamis.select(few, k=8, options={"shrink": 0.25}))
    assert (given.shrink, given.shrink_chosen) == (0.25, False)
    assert selection_facts(tamis.select(few, k=8, method="sfs")).shrink is None


def test_weights_among_categories_are_shares_that_each_column_explains_alone(
    mixed: pd.DataFrame, tmp_path: Path
) -> None:
    found = tamis.select(mixed, k=2, include=["region"])
    facts = selection_facts(found)
    assert facts.weights_are == "shares"
    tax = next(row for row in facts.dropped if row.column == "tax")
    assert list(tax.weights) == ["region"]
    said = f"{tax.weights['region']:.0%} by region"
    assert said in str(found)
    assert said in found._repr_html_()
    assert found["tax"].by == said
    page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"{tax.weights['region']:.0%} by <b><bdi>region</bdi></b>" in page
    assert "(SD)" not in str(found)
    numbers = selection_facts(tamis.select(mixed[["tax", "noise"]], k=1))
    assert numbers.weights_are == "coefficients"


def test_a_column_that_a_category_determines_is_no_copy_but_follows_from_it(
    mixed: pd.DataFrame, tmp_path: Path
) -> None:
    found = tamis.select(mixed, k=1, include=["region"])
    page = found.report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1 dropped column follows exactly from one kept column" in page


def test_an_infinite_value_is_missing_and_not_an_extreme_one() -> None:
    table = np.random.default_rng(0).normal(size=(90, 4))
    table[3, 1], table[5, 1] = np.inf, 1e5
    facts = selection_facts(tamis.select(table, 2))
    assert facts.missing.infinite == 1
    assert facts.missing.shares == {"x1": 1 / 90}
    assert facts.clipped is not None
    assert facts.clipped.columns == {"x1": 1}
