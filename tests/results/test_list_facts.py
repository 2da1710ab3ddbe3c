"""What the report lists of every column: from the judgement of a file, or from an array."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.evaluation.held_out import hold_out_columns
from tamis.results.slider_facts import slider_facts
from tamis.statistics.row_blocks import stretch_choices


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    path = tmp_path / "messy.csv"
    hidden = rng.normal(size=120)
    lines = ["id,size,weight,rare,town"]
    for i, value in enumerate(hidden):
        rare = f"{rng.normal():.3f}" if i % 5 == 0 else ""
        lines.append(
            f"{1000 + i},{value:.4f},{2 * value + 0.1 * rng.normal():.4f},{rare},{'ab'[i % 2]}"
        )
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_is_listed_as_it_was_judged(messy: Path) -> None:
    found = tamis.select(str(messy), k=2)
    listed = slider_facts(found).listed
    kinds = [None if one is None else listed["kinds"][one] for one in listed["kind_of"]]
    assert kinds[0] == "identifier"
    assert kinds[4] == "category"
    assert listed["rows"] == 120
    assert listed["missing"] == [0, 0, 0, 96, 0]
    assert listed["distinct"][0] == 120
    assert "80% empty" in listed["odd"][3]
    assert listed["odd"][0] == ["id"]
    assert listed["low"][0] == "1000"
    assert listed["high"][0] == "1119"


def test_values_of_rows_are_listed_only_where_rows_may_be_in_the_page(messy: Path) -> None:
    found = tamis.select(str(messy), k=2)
    whole, bare = slider_facts(found).listed, slider_facts(found, rows=False).listed
    lines = [line.split(",") for line in messy.read_text().splitlines()]
    at = [lines[0].index(name) for name in found.names]
    assert [len(cells) for cells in whole["rows_shown"]] == [5, 5]
    assert [cells[0] for cells in whole["rows_shown"]] == [lines[1][j] for j in at]
    assert (bare["rows_shown"], bare["low"], bare["high"]) == ((), [], [])
    assert bare["distinct"] == whole["distinct"]


def test_an_array_is_measured_without_being_judged() -> None:
    X = np.random.default_rng(0).integers(-3, 4, size=(50, 6)).astype(float)
    X[:30, 2] = np.nan
    listed = slider_facts(tamis.select(X, k=2, missing="mean", max_missing=1)).listed
    assert listed["missing"] == [0, 0, 30, 0, 0, 0]
    assert listed["distinct"] == [len(set(x[~np.isnan(x)])) for x in X.T]
    assert listed["low"][0] == f"{X[:, 0].min():.0f}"
    assert listed["odd"] == {2: ["60% empty"]}


def test_each_column_has_its_share_on_new_rows_where_rows_are_held_out() -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 4))
    X = np.column_stack([X, X[:, 0] + 0.1 * rng.normal(size=300)])
    found = tamis.select(X, k=3)
    facts = slider_facts(found)
    _, new_rows, low = facts.shares_now
    kept = set(found.indices.tolist())
    (copy,) = {0, 4} - kept or {4}
    assert new_rows[copy] > low[copy] > 950
    assert [new_rows[j] for j in sorted(kept)] == [low[j] for j in sorted(kept)] == [1000] * 3
    drawers = facts.drawers_at(3)
    words = {"safe": "safe", "partly lost": "partly", "lost": "lost"}
    assert [drawers[row.position] for row in found.dropped] == [
        words[row.status] for row in found.dropped
    ]
    assert not slider_facts(tamis.select(X, k=3, held_out=False)).has_new_rows


def test_the_curve_on_new_rows_goes_as_far_as_the_slider() -> None:
    rng = np.random.default_rng(4)
    found = tamis.select(rng.normal(size=(300, 4)) @ rng.normal(size=(4, 9)), k=2)
    facts = slider_facts(found)
    held = found.to_dict()["held_out"]["share"]
    assert facts.held_out.share[: len(held)] == tuple(held)
    assert len(facts.held_out.share) == len(facts.held_out.std) == len(facts.path) > len(held)


def test_rows_in_order_are_held_out_as_stretches_for_each_column_too() -> None:
    walk = np.cumsum(np.random.default_rng(4).normal(size=(300, 6)), axis=0)
    found = tamis.select(walk, k=3, ordered=True)
    blocks, kept = found.by_block.summary.blocks, found.path.kept
    held = hold_out_columns(
        blocks, kept, 6, stretch_choices(blocks.count), ridge=found.search.ridge
    )
    expected = held.share[-1]
    new_rows = slider_facts(found).shares_now[1]
    assert new_rows == tuple(-1 if one <= -5e-4 else round(1000 * one) for one in expected)


@pytest.mark.parametrize(
    "limits",
    [
        {"budget": 7},
        {"apart": 1, "axis": {"x0": 1, "x1": 2}},
        {"groups": {"A": ["x0", "x1"]}, "at_most": 1},
        {"groups": {"A": ["x0", "x1"]}, "at_least": 1},
        {"groups": {"A": ["x0", "x1"]}, "together": True},
    ],
)
def test_a_page_offers_no_other_choice_where_it_would_ignore_a_limit(limits: Any) -> None:
    X = np.random.default_rng(1).normal(size=(60, 6))
    found = tamis.select(X, k=3, options=limits)
    assert slider_facts(found).live is None
    assert slider_facts(found).map is not None


def test_prices_and_columns_never_kept_are_no_reason_to_offer_no_other_choice() -> None:
    X = np.random.default_rng(1).normal(size=(60, 6))
    live = slider_facts(tamis.select(X, k=3, costs={"x5": 4}, forbid=["x0"])).live
    assert live is not None
    assert (live["fixed"]["costs"], live["fixed"]["forbid"]) == ({"x5": 4}, ["x0"])


def test_groups_and_the_budget_are_counted() -> None:
    X = np.random.default_rng(1).normal(size=(60, 6))
    options = {"groups": {"A": ["x0", "x1", "x2"], "B": ["x3", "x4"]}, "at_most": 1, "budget": 7}
    found = tamis.select(X, k=3, options=options, costs={"x5": 4})
    rules = slider_facts(found).rules
    assert rules is not None
    assert [(name, most) for name, _, most, _ in rules.groups] == [("A", 1), ("B", 1)]
    assert rules.group_of == (0, 0, 0, 1, 1, None)
    assert (rules.spent, rules.budget) == (6.0, 7.0)
    assert slider_facts(tamis.select(X, k=3)).rules is None
