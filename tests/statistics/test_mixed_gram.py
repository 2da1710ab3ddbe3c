"""The Gram matrix of numbers and categories, against indicators written out."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis.registry.missing_policy import MissingPolicy
from tamis.sources.open import open_source
from tamis.statistics.mixed_gram import collect_mixed
from tamis.statistics.row_blocks import fold_choices


def mixed_table(seed=0, rows=300):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, rows))
    return pd.DataFrame(
        {
            "x": x,
            "sum": x + y + 0.1 * rng.normal(size=rows),
            "cut": np.array(["low", "mid", "high"])[np.digitize(x, [-0.5, 0.5])],
            "flag": np.where(y > 0, "yes", "no"),
            "noise": rng.choice(list("abcd"), rows),
            "z": rng.normal(size=rows),
        }
    )


def written_out(table):
    """Standardise numbers; centre indicators, divide by the root of p, scale to a trace of 1."""
    parts = []
    for name in table:
        if not pd.api.types.is_numeric_dtype(table[name]):
            part = pd.get_dummies(table[name]).sort_index(axis=1).to_numpy(float)
            part = (part - part.mean(axis=0)) / np.sqrt(part.mean(axis=0))
        else:
            part = table[[name]].to_numpy()
            part = part - part.mean(axis=0)
        parts.append(part / np.sqrt((part**2).sum()))
    return parts


def test_every_column_has_weight_one_and_products_are_those_of_indicators():
    table = mixed_table()
    source = open_source(table)
    found = collect_mixed(source, range(6), scale=True, missing=MissingPolicy.ERROR)
    np.testing.assert_allclose(found.statistic.diagonal(), np.ones(6))
    parts = written_out(table)
    groups = found.statistic.groups
    for a in range(6):
        for b in range(6):
            block = found.gram.block(groups.members([a]), groups.members([b]))
            expected = np.linalg.norm(parts[a].T @ parts[b])
            if 3 not in (a, b):  # of two levels one column stands for both
                assert np.linalg.norm(block) == pytest.approx(expected, abs=1e-12)


def test_a_category_that_a_kept_column_determines_is_explained_wholly():
    table = mixed_table()
    table["finer"] = table["cut"] + table["flag"]
    found = tamis.select(table, k=1, include=["finer"], method="forward")
    assert found.explain("cut").share == pytest.approx(1.0)
    assert found.explain("flag").share == pytest.approx(1.0)
    assert found.explain("z").share < 0.05


def test_one_text_column_changes_nothing_for_the_numbers():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 3)) @ rng.normal(size=(3, 12)) + rng.normal(size=(400, 12))
    table = pd.DataFrame(X, columns=[f"v{i}" for i in range(12)])
    plain = tamis.select(table, k=3)
    table["colour"] = rng.choice(["red", "green", "blue"], 400)
    mixed = tamis.select(table, k=3)
    assert mixed.names == plain.names
    assert mixed.measure.name == "variance"


def test_batches_and_the_order_of_rows_change_no_pick(tmp_path):
    table = mixed_table(2, rows=1000)
    whole = tamis.select(table, k=3)
    shuffled = tamis.select(table.sample(frac=1, random_state=0), k=3)
    table.to_csv(tmp_path / "t.csv", index=False)
    streamed = tamis.select(tmp_path / "t.csv", k=3, memory="64MB")
    for other in (shuffled, streamed):
        assert other.names == whole.names
        np.testing.assert_allclose(other.curve.retained, whole.curve.retained, atol=1e-9)
        np.testing.assert_allclose(other.held_out, whole.held_out, atol=1e-6)


def test_held_out_rows_of_mixed_tables_are_those_of_regressions_on_them():
    table = mixed_table(3)
    source = open_source(table)
    found = collect_mixed(source, range(6), scale=True, missing=MissingPolicy.ERROR)
    choices = fold_choices(found.blocks.count)[:2]
    for known, held in found.blocks.splits(choices):
        assert known.groups.sizes.sum() == len(known.gram.diagonal()) == len(held.diagonal())
        assert known.n_rows + held.count == 300
        np.testing.assert_allclose(known.statistic.diagonal(), np.ones(6), atol=0.2)
    result = tamis.select(table, k=3)
    assert 0.3 < result.held_out[-1] <= result.retained + 0.02 <= result.bound + 0.02


def test_substitutes_and_swaps_of_mixed_tables_are_those_of_refits():
    table = mixed_table(4)
    found = tamis.select(table, k=2)
    name, change = found.substitutes(found.names[0])[0]
    swapped = tamis.score(table, [name, found.names[1]])
    assert swapped.retained - found.retained == pytest.approx(change, abs=1e-9)


def test_a_mixed_table_of_few_rows_gets_an_answer():
    table = mixed_table(5, rows=12)
    assert len(tamis.select(table, k=2).names) == 2


def gappy_table(gaps=True):
    """Make two unrelated texts that are empty in the same 100 of 1,000 rows, and two numbers."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({name: rng.choice(list("pqrs"), 1000) for name in "ab"}, dtype=object)
    table["c"], table["d"] = rng.normal(size=(2, 1000))
    table.loc[rng.permutation(1000)[: 100 * gaps], ["a", "b"]] = None
    return table


def test_gaps_that_two_texts_share_explain_nothing_and_are_said():
    table = gappy_table()
    found = tamis.select(table, 1, include=["a"], columns=["a", "b", "c"])
    whole = tamis.select(gappy_table(gaps=False), 1, include=["a"], columns=["a", "b", "c"])
    assert found.explain("b").share == pytest.approx(whole.explain("b").share, abs=0.005)
    assert found.explain("b").share < 0.01
    assert "'b' is empty together with 'a' (in the same 100 rows)." in str(found)
    assert "empty together" not in str(tamis.select(table.assign(a=table["a"].fillna("p")), 2))


@pytest.mark.parametrize("scale", ["standard", "pareto", "counts"])
def test_gaps_that_two_texts_share_are_said_whatever_the_scale(scale):
    table = gappy_table()
    table[["c", "d"]] = (4 * table[["c", "d"]].abs()).round()
    said = "'b' is empty together with 'a' (in the same 100 rows)."
    assert tamis.select(table, 2, scale=scale).to_dict()["doubts"].count(said) == 1


def test_a_missing_text_is_its_own_category_where_that_is_asked():
    asked = {"include": ["a"], "columns": ["a", "b", "c"], "method": "forward"}
    found = tamis.select(gappy_table(), 1, missing="category", **asked)
    assert found.explain("b").share > 0.2
    assert found.summary.encoding.levels[0].missing
    assert "text: a category of its own" in str(found)


def test_missing_texts_are_filled_with_the_share_of_each_level():
    table = gappy_table()
    found = collect_mixed(open_source(table), range(4), scale=True, missing=MissingPolicy.AUTO)
    parts = []
    for name in "ab":
        marks = pd.get_dummies(table[name]).to_numpy(float, copy=True)
        gone = table[name].isna().to_numpy()
        share = marks[~gone].mean(axis=0)
        marks[gone] = share
        part = (marks - share) * np.sqrt((1 - share) / 3) / marks.std(axis=0)
        parts.append(part / np.sqrt(1000))
    block = found.gram.block(np.arange(4), np.arange(4, 8))
    np.testing.assert_allclose(block, parts[0].T @ parts[1], atol=1e-12)
    np.testing.assert_allclose(found.statistic.diagonal(), np.ones(4))
