"""Columns that others determine are found and named; unrelated ones never are."""

import itertools

import numpy as np
import pyarrow as pa
import pytest

from tamis.columns.equations import find_step, find_sums, fit_linear, group_by_rows
from tamis.columns.relations import find_near_ranks, find_relations, find_same_codes, rank_evenly
from tamis.presentation.prose.about_relations import relation_text
from tamis.run.look import judge_related
from tamis.sources.open import open_source


def _named(values, names=None):
    names = names or [f"x{j}" for j in range(values.shape[1])]
    return {one.column: one for one in find_relations(np.asarray(values, float), names)}


def _draw(rng, kind, rows, width):
    draws = {
        "normal": lambda: rng.normal(size=(rows, width)),
        "rounded": lambda: rng.normal(size=(rows, width)).round(1),
        "binary": lambda: rng.integers(0, 2, (rows, width)),
        "items": lambda: rng.integers(1, 6, (rows, width)),
        "counts": lambda: rng.poisson(0.3, (rows, width)),
        "ranks": lambda: rng.normal(size=(rows, width)).argsort(axis=0) + 1,
    }
    return np.asarray(draws[kind](), dtype=float)


@pytest.mark.parametrize("kind", ["normal", "rounded", "binary", "items", "counts", "ranks"])
def test_unrelated_columns_are_never_related(kind):
    rng = np.random.default_rng(7)
    for trial in range(40):
        values = _draw(rng, kind, int(rng.integers(8, 150)), int(rng.integers(2, 40)))
        if trial % 2:
            values[rng.random(values.shape) < 0.1] = np.nan
        assert _named(values) == {}


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_sums_means_and_differences_have_their_weights(share):
    rng = np.random.default_rng(1)
    items = rng.integers(1, 6, (300, 12)).astype(float)
    items[rng.random(items.shape) < share / 10] = np.nan
    total, mean = items[:, :8].sum(axis=1), items[:, 8:11].mean(axis=1)
    values = np.column_stack([items, total, mean, items[:, 11] - items[:, 0]])
    found = _named(values)
    assert found["x12"].parts == {f"x{j}": 1.0 for j in range(8)}
    assert found["x13"].parts == pytest.approx({f"x{j}": 1 / 3 for j in (8, 9, 10)}, rel=1e-15)
    assert found["x14"].parts == {"x0": -1.0, "x11": 1.0}
    assert set(found) == {"x12", "x13", "x14"}


def test_the_search_for_sums_equals_trying_every_pair():
    rng = np.random.default_rng(2)
    for _ in range(10):
        values = rng.normal(size=(40, 7)).round(2)
        a, b, c = rng.permutation(7)[:3]
        values[:, c] = (values[:, a] + rng.choice([-1, 1]) * values[:, b]).round(2)
        slow = {
            frozenset([i, j, k])
            for i, j, k in itertools.permutations(range(7), 3)
            for sign in (-1, 1)
            if np.allclose(values[:, k], values[:, i] + sign * values[:, j], rtol=0, atol=1e-9)
        }
        fast = find_sums(group_by_rows(values), [str(j) for j in range(7)])
        assert {frozenset(map(int, [one.column, *one.parts])) for one in fast} == slow


def test_a_total_with_a_few_wrong_rows_is_named_with_their_number():
    rng = np.random.default_rng(11)
    items = rng.integers(1, 6, (300, 10)).astype(float)
    total = items[:, :8].sum(axis=1)
    total[[3, 50, 117]] += [1, -2, 4]
    found = _named(np.column_stack([items, total]))
    assert set(found) == {"x10"}
    assert found["x10"].parts == {f"x{j}": 1.0 for j in range(8)}
    assert found["x10"].exceptions == 3


def test_reversed_items_stand_in_a_total_in_their_place():
    items = np.random.default_rng(3).integers(1, 6, (200, 4)).astype(float)
    back = 6 - items[:, 1]
    values = np.column_stack([items, back, items[:, 0] + back + items[:, 2]])
    found = _named(values, ["a", "b", "c", "d", "Rb", "total"])
    assert (found["Rb"].parts, found["Rb"].constant) == ({"b": -1.0}, 6.0)
    assert (found["total"].parts, found["total"].constant) == (
        dict.fromkeys(["a", "Rb", "c"], 1),
        0,
    )


@pytest.mark.parametrize(
    ("form", "change"),
    [
        ("linear", lambda x: 1.8 * x + 32),
        ("linear", lambda x: (x / 2.54).round(2)),
        ("log", np.log10),
        ("log1p", np.log1p),
        ("root", np.sqrt),
        ("reciprocal", lambda x: 1 / x),
        ("order", lambda x: x**3 + x),
        ("rank", rank_evenly),
    ],
)
def test_functions_of_one_column_are_named(form, change):
    x = np.random.default_rng(4).gamma(3, 10, 120).round(1) + 1
    found = _named(np.column_stack([x, change(x)]))
    assert [one.form for one in found.values()] == [form]


def test_shares_that_add_up_are_found_and_rounded_ones_said_to_be():
    rng = np.random.default_rng(5)
    shares = rng.dirichlet([2, 3, 4], 150)
    exact = _named(shares)["x2"]
    assert (exact.parts, exact.constant) == ({"x0": -1.0, "x1": -1.0}, 1.0)
    values = rng.normal(50, 20, (150, 2))
    rounded = _named(np.column_stack([values, values.mean(axis=1).round(2)]))["x2"]
    assert rounded.rounded
    assert rounded.parts == {"x0": 0.5, "x1": 0.5}


def _evaluate(relation, values):
    """Compute an equation from its text alone, as a reader would."""
    text = relation_text(relation).removesuffix(", rounded").replace(" x ", " * ")
    columns = {f"x{j}": values[:, j] for j in range(values.shape[1])}
    return eval(text, {"__builtins__": {}}, columns)


@pytest.mark.parametrize(
    "made",
    [
        "a + 1859",
        "a * 2 + 1_234_567",
        "a + b + 98_765.25",
        "(a / 2.54).round(1)",
        "(0.45359237 * a).round(2)",
        "np.round((a + 2 * b) / 3)",
        "np.floor(a / 7 + b / 3)",
        "(a / 3).round() + (b / 3).round()",
        "a / 7 + b",
        "np.log(a).astype(np.float32).astype(float).round(6)",
        "(a > 100) * 1.0",
        "1 - (a > 100)",
    ],
)
def test_an_equation_gives_every_row_as_it_is_written_with_the_numbers_that_are_shown(made):
    rng = np.random.default_rng(12)
    a, b = rng.permutation(np.arange(1.0, 301)), rng.integers(0, 500, 300).astype(float)
    values = np.column_stack([a, b, eval(made, {"a": a, "b": b, "np": np})])
    for one in _named(values).values():
        if one.form == "linear":
            whole = values[:, int(one.column[1:])]
            left = np.abs(whole - _evaluate(one, values)).max()
            assert left <= (find_step(whole) / 2 if one.rounded else 0.0) + 1e-9, one


def test_yes_and_no_columns_that_exclude_each_other_end_nothing():
    yes = np.arange(200) % 3 == 0
    (found,) = _named(np.column_stack([yes, ~yes])).values()
    assert (found.parts, found.constant) == ({"x0": -1.0}, 1.0)


def test_a_logarithm_in_seven_digits_is_one_though_single_precision_moved_the_last():
    x = np.random.default_rng(3).permutation(np.arange(100.0, 900))
    written = np.log(x).astype(np.float32).astype(float).round(6)
    assert np.abs(np.log(x) - written).max() > 5e-7
    (found,) = _named(np.column_stack([x, written])).values()
    assert (found.form, found.parts, found.rounded) == ("log", {"x0": 1.0}, True)


def test_a_year_beside_a_number_of_the_row_is_told_to_the_year():
    (found,) = _named(np.column_stack([np.arange(1.0, 90), np.arange(1860.0, 1949)])).values()
    assert (found.parts, found.constant, found.rounded) == ({"x0": 1.0}, 1859.0, False)


def test_float32_sums_hold_to_their_own_rounding():
    a, b = np.random.default_rng(6).normal(size=(2, 100)).astype(np.float32)
    assert fit_linear(np.column_stack([a, b]).astype(float), (a + b).astype(float)) is not None
    assert fit_linear(np.column_stack([a, b]).astype(float), (a + b + 1e-4 * a**2)) is None


def test_ranks_within_a_year_are_said_to_be_so():
    rng = np.random.default_rng(8)
    year, score = np.repeat([2019.0, 2020.0, 2021.0], [40, 50, 60]), rng.normal(size=150)
    place = np.concatenate([rank_evenly(-score[year == one]) for one in (2019, 2020, 2021)])
    (found,) = find_near_ranks(np.column_stack([score, year, place]), ["score", "year", "place"])
    assert (found.parts, found.within, found.nearly) == ({"score": -1.0}, "year", False)


def test_a_name_beside_a_code_is_the_same_category():
    rng = np.random.default_rng(9)
    codes = rng.choice(["DE", "FR", "IT", None], 90).tolist()
    names = {"DE": "Germany", "FR": "France", "IT": "Italy", None: None}
    other = rng.permutation(codes).tolist()
    table = {"code": codes, "name": [names[code] for code in codes], "other": other}
    (found,) = find_same_codes(table)
    assert (found.column, found.form, found.parts) == ("name", "codes", {"code": 1.0})


def test_relations_do_not_hang_on_the_order_of_rows_nor_on_marks():
    rng = np.random.default_rng(10)
    rows = 7_000  # more than are sampled
    a, b = rng.integers(0, 50, (2, rows)).astype(float)
    texts = ["." if j % 50 == 7 else f"{value:.0f}" for j, value in enumerate(a)]
    table = pa.table(
        {"a": texts, "b": b, "both": np.where(np.arange(rows) % 50 == 7, np.nan, a + b)}
    )
    mixed = table.take(pa.array(rng.permutation(rows)))
    first, second = (judge_related(open_source(one)).relations for one in (table, mixed))
    assert first == second
    (found,) = first
    assert (found.column, found.parts, found.sampled) == ("both", {"a": 1.0, "b": 1.0}, True)


def test_a_line_through_few_points_is_no_relation_but_integers_are():
    rng = np.random.default_rng(0)
    year = rng.choice([1985.0, 1995.0], size=200)
    price = np.where(year == 1985, 1.076, 1.524)
    (found,) = find_relations(np.column_stack([year, price]), ["year", "price"])
    assert (found.column, found.form) == ("price", "order")
    (found,) = find_relations(np.column_stack([year, year - 1900]), ["year", "short"])
    assert found.parts == {"year": 1.0}
    doses = rng.integers(0, 9, 200).astype(float)
    (found,) = find_relations(np.column_stack([doses, 0.25 * doses + 0.1]), ["a", "b"])
    assert (found.form, found.parts) == ("linear", {"a": 0.25})


def test_columns_that_sort_the_table_are_no_relation_to_the_number_of_the_row():
    size = np.sort(np.random.default_rng(0).normal(size=60)).round(3)
    table = {"nr": np.arange(1, 61), "size": size, "double": 2 * size}
    found = judge_related(open_source(pa.table(table))).relations
    assert [(one.column, one.parts) for one in found] == [("double", {"size": 2.0})]
