"""Demands that exclude each other are refused in one sentence, before the table is read."""

import numpy as np
import pandas as pd
import pytest

import tamis
from tamis import registry
from tamis.errors import TamisError
from tamis.registry.method import ALL_LIMITS
from tamis.run.beforehand import LIMITING
from tamis.statistics import collect

NAMES = ["a1", "a2", "a3", "b1", "b2", "c", "d", "e"]
AB = {"A": ["a*"], "B": ["b*"]}
ALL = {"A": ["a*"], "B": ["b*"], "C": ["c", "d", "e"]}
AXIS = {name: 10.0 * i for i, name in enumerate(NAMES)}


@pytest.fixture(scope="module")
def table():
    return pd.DataFrame(np.random.default_rng(0).standard_normal((60, 8)), columns=NAMES)


CONFLICTS = [
    (3, {"at_most": 2}, ["at_most=2", "groups"]),
    (3, {"at_least": 1}, ["at_least=1", "groups"]),
    (3, {"groups": AB}, ["groups=", "at_most or at_least"]),
    (3, {"axis": AXIS}, ["axis=", "apart"]),
    (3, {"apart": 5}, ["apart=5", "no numbers", "axis"]),
    (3, {"groups": AB, "at_most": {"Z": 1}}, ["at_most=", "'Z'", "'A', 'B'"]),
    (3, {"groups": AB, "at_least": {"Z": 1}}, ["at_least=", "'Z'"]),
    (3, {"groups": {"A": ["a1", "a2"], "B": ["a2"]}, "at_most": 1}, ["'a2'", "in both"]),
    (3, {"groups": {"A": ["a*"], "B": ["*1"]}, "at_most": 1}, ["'a1'", "in both"]),
    (3, {"groups": AB, "at_most": 1, "at_least": 2}, ["at_least=2 and at_most=1", "'A'"]),
    (5, {"groups": AB, "at_most": {"B": 1}, "at_least": {"B": 2}}, ["at least 2 and at most 1"]),
    (5, {"groups": AB, "at_least": 3}, ["at_least=3", "'B' has 2 columns"]),
    (5, {"groups": AB, "at_least": {"A": 4}}, ["'A' has 3 columns"]),
    (5, {"groups": AB, "at_least": {"B": 2}, "forbid": ["b1"]}, ["'B' has 1 columns", "forbid"]),
    (5, {"groups": AB, "at_least": {"A": 1}, "forbid": ["a*"]}, ["'A' has 0 columns", "forbid"]),
    (3, {"groups": AB, "at_least": 2}, ["at_least=2 and k=3", "need 4 columns"]),
    (1, {"groups": AB, "at_least": 1}, ["at_least=1 and k=1", "need 2 columns"]),
    (2, {"groups": AB, "at_least": 1, "include": ["c"]}, ["need 3 columns with include"]),
    (2, {"groups": ALL, "at_least": 1}, ["need 3 columns"]),
    (4, {"groups": AB, "at_most": 1, "include": ["a1", "a2"]}, ["include=", "a2", "at_most=1"]),
    (4, {"groups": AB, "at_most": {"A": 0}, "include": ["a1"]}, ["'A' has 1 columns to keep"]),
    (4, {"groups": ALL, "at_most": 1}, ["at_most=1 and k=4", "only 3 columns"]),
    (6, {"groups": AB, "at_most": 1}, ["at_most=1 and k=6", "only 5 columns"]),
    (8, {"groups": ALL, "at_most": {"C": 1}}, ["k=8", "only 6 columns"]),
    (5, {"groups": ALL, "at_most": 2, "forbid": ["b1", "b2"]}, ["only 4 columns"]),
    (3, {"apart": 50, "axis": AXIS}, ["apart=50 and k=3", "at most 2 columns"]),
    (8, {"apart": 11, "axis": AXIS}, ["apart=11 and k=8", "at most 4 columns"]),
    (2, {"apart": 99, "axis": AXIS}, ["at most 1 columns"]),
    (3, {"apart": 20, "axis": AXIS, "include": ["a1", "a2"]}, ["include=", "are 10 apart"]),
    (3, {"apart": 20, "axis": AXIS, "include": ["b1", "a3"]}, ["include=", "are 10 apart"]),
    (3, {"budget": 2}, ["budget=2 and k=3", "3 columns cost 3"]),
    (3, {"budget": 8, "costs": {"*": 4}}, ["budget=8 and k=3", "cost 12"]),
    (None, {"budget": 3, "costs": {"*": 4}}, ["budget=3", "cheapest column costs 4"]),
    (2, {"budget": 3, "costs": {"a1": 9}, "include": ["a1"]}, ["include=", "alone cost 9"]),
    (
        4,
        {"groups": AB, "at_least": 1, "costs": {"b*": 5}, "budget": 5},
        ["at_least=1 and budget=5", "costs 6"],
    ),
    (
        3,
        {"groups": AB, "at_least": {"B": 2}, "costs": {"b*": 5}, "budget": 9},
        ["must be kept costs 10"],
    ),
    (
        3,
        {"groups": AB, "at_least": {"B": 1}, "costs": {"*": 2, "c": 1}, "budget": 4},
        ["budget=4 and k=3", "3 columns cost 5"],
    ),
    (3, {"y_weight": 0.5}, ["y_weight=0.5 needs labels"]),
    (3, {"costs": {"a1": 2}, "refine": "exact"}, ['refine="exact"', "costs", "budget"]),
    (3, {"costs": {"a1": 2}, "refine": True}, ["refine=True", "costs", "budget"]),
    (3, {"importance": {"a1": 2}, "refine": "exact"}, ['refine="exact"', "importance"]),
    (3, {"groups": {"A": ["zz"]}, "at_most": 1}, ["'zz'"]),
    (3, {"groups": {"A": ["a1"]}, "at_most": 1, "exclude": ["a1"]}, ["none of its columns"]),
]


@pytest.mark.parametrize(("k", "asked", "said"), CONFLICTS)
def test_demands_in_conflict_are_named_before_the_table_is_read(table, k, asked, said, monkeypatch):
    def read(*_, **__):
        raise AssertionError("the table was read")

    monkeypatch.setattr(collect, "collect_gram", read)
    monkeypatch.setattr("tamis.run.selection.summarise", read)
    shared = {name: asked[name] for name in ("include", "exclude", "refine") if name in asked}
    own = {name: value for name, value in asked.items() if name not in shared}
    with pytest.raises(TamisError) as refused:
        tamis.select(table, k, method="forward", options=own, **shared)
    sentence = str(refused.value)
    assert sentence.endswith(".")
    assert ". " not in sentence
    for part in said:
        assert part in sentence


def test_limits_are_kept_on_a_table(table):
    own = {"groups": ALL, "at_most": {"A": 1, "C": 2}, "at_least": {"B": 1}}
    found = tamis.select(table, 4, method="forward", options=own)
    first = [name[0] for name in found.names]
    assert first.count("a") <= 1
    assert first.count("b") >= 1
    assert len(found.held_out) == 4


def test_names_that_are_numbers_are_an_axis():
    X = np.random.default_rng(0).standard_normal((50, 30)).cumsum(axis=1)
    table = pd.DataFrame(X, columns=[str(400 + 2.5 * j) for j in range(30)])
    for method in ("forward", "forward-regression"):
        found = tamis.select(table, 5, method=method, y=X[:, 3] + 0, options={"apart": 10})
        places = np.sort([float(name) for name in found.names])
        assert (np.diff(places) >= 10).all()


def test_weights_of_which_none_counts_are_refused(table):
    with pytest.raises(TamisError, match="give one of them a weight above 0"):
        tamis.select(table, 2, method="forward", options={"importance": {"*": 0}})


def test_a_budget_alone_is_a_goal(table):
    found = tamis.select(table, method="forward", costs={"a*": 2}, options={"budget": 5})
    assert sum(2 if name.startswith("a") else 1 for name in found.names) in (4, 5)


def test_a_group_explained_by_others_is_said():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.standard_normal((40, 3)), columns=["x", "y", "z"])
    table["copy"] = 2 * table["x"]
    own = {"groups": {"G": ["x", "copy"]}, "at_least": 2}
    with pytest.raises(TamisError, match=r"at_least=2: no further column of group 'G'"):
        tamis.select(table, 4, method="forward", options=own)


def test_the_answer_says_what_one_more_column_than_a_limit_allows_would_add():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((80, 5)) * [3.0, 3.0, 3.0, 1.0, 1.0]
    table = pd.DataFrame(X, columns=["a1", "a2", "a3", "b", "c"])
    own = {"groups": {"A": ["a*"]}, "at_most": 1}
    found = tamis.select(table, 2, method="forward", scale=False, options=own)
    (limit,) = found.to_dict()["limits"]
    assert (limit["option"], limit["group"]) == ("at_most", "A")
    more = tamis.select(
        table, 3, method="forward", scale=False, include=[*found.names, limit["column"]]
    )
    assert limit["gain"] == pytest.approx(more.retained - found.retained)
    assert f"({limit['column']})" in str(found)


def test_swaps_keep_the_limits_of_a_table():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((90, 4)) @ rng.standard_normal((4, 12)) + rng.standard_normal((90, 12))
    table = pd.DataFrame(X, columns=[str(10 * j) for j in range(12)])
    own = {"apart": 20, "groups": {"G": ["0", "10", "20", "30"]}, "at_most": 1}
    plain = tamis.select(table, 4, method="forward", options=own)
    swapped = tamis.select(table, 4, method="forward", options=own, refine=True)
    assert swapped.retained >= plain.retained - 1e-12
    places = np.sort([float(name) for name in swapped.names])
    assert (np.diff(places) >= 20).all()
    assert (places <= 30).sum() <= 1
    weighed = tamis.select(table, 3, method="forward", y=X[:, 0] + 0, options={"y_weight": 0.7})
    better = tamis.select(
        table, 3, method="forward", y=X[:, 0] + 0, options={"y_weight": 0.7}, refine=True
    )
    assert better.retained >= weighed.retained - 1e-12


def sensors():
    rng = np.random.default_rng(0)
    S = rng.standard_normal((90, 4))
    X = np.hstack([S[:, [i]] + rng.standard_normal((90, 5)) for i in range(4)])
    return pd.DataFrame(X, columns=[f"s{i}_{j}" for i in range(4) for j in range(5)])


SENSORS = {f"s{i}": [f"s{i}_*"] for i in range(4)}


@pytest.mark.parametrize("method", ["forward", "forward-regression"])
def test_groups_are_taken_whole_and_the_number_counts_them(method):
    table = sensors()
    y = table["s2_0"] + table["s1_3"] if method == "forward-regression" else None
    own = {"groups": SENSORS, "together": True}
    found = tamis.select(table, 2, method=method, y=y, options=own)
    assert found.k == 10
    facts = found.to_dict()
    groups = [one["group"] for one in facts["whole"]["groups"]]
    assert [name.partition("_")[0] for name in found.names[::5]] == groups
    assert facts["whole"]["single"] == 0
    assert "counts groups" in str(found)
    assert len(found.held_out) == 10
    half = tamis.select(table, method=method, y=y, options={**own, "budget": 7})
    assert half.k == 5
    assert half.to_dict()["spent"] == {"cost": 5.0, "budget": 7.0}


WHOLE = [
    (2, {"together": True}, {}, "give groups"),
    (2, {"groups": SENSORS, "together": True, "at_most": 1}, {}, "at_most=1"),
    (2, {"groups": SENSORS, "together": True, "importance": {"s0_0": 2}}, {}, "importance"),
    (5, {"groups": SENSORS, "together": True}, {}, "there are 4 groups"),
    (2, {"groups": SENSORS, "together": True, "budget": 4}, {}, "costs 5"),
    (2, {"groups": SENSORS, "together": True}, {"forbid": ["s0_1"]}, "'s0' has columns that may"),
    (2, {"groups": SENSORS, "together": True}, {"refine": "exact"}, 'refine="exact"'),
    ("auto", {"groups": SENSORS, "together": True}, {}, 'k="auto"'),
    (0.5, {"groups": SENSORS, "together": True}, {}, "k=0.5"),
    (2, {"groups": SENSORS}, {}, "or take them together"),
]


@pytest.mark.parametrize(("k", "own", "more", "said"), WHOLE)
def test_what_whole_groups_cannot_do_is_refused_in_one_sentence(k, own, more, said):
    with pytest.raises(TamisError) as refused:
        tamis.select(sensors(), k, options=own, **more)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 400


LIMITED = [
    method.id for method in registry.methods("selection") if method.limited and not method.mixed
]


@pytest.mark.parametrize("method", LIMITED)
def test_every_method_that_takes_limits_keeps_them_on_a_table(table, method):
    own = {"groups": ALL, "at_most": 1, "at_least": {"B": 1}, "forbid": ["a1"]}
    own |= {"apart": 20, "axis": AXIS}
    y = (table["a1"] + table["c"] > 0).astype(int)
    asked = registry.get(method)
    labels = y if asked.supervised else None
    found = tamis.select(table, 3, method=method, y=labels, options=own, include=["e"])
    first = [name[0] for name in found.names]
    assert found.names[0] == "e"
    assert "b" in first
    assert "a1" not in found.names
    assert max(first.count("a"), first.count("b"), sum(c in "cde" for c in first)) == 1
    places = np.sort([AXIS[name] for name in found.names])
    assert (np.diff(places) >= 20).all()


def test_methods_that_take_columns_otherwise_refuse_limits_unread(table):
    for method in registry.methods("selection"):
        if not method.limited:
            with pytest.raises(TamisError, match="cannot keep to limits"):
                tamis.select(table, 3, method=method.id, options={"groups": AB, "at_most": 1})


def test_prices_decide_nothing_where_columns_are_removed_without_a_budget(table):
    with pytest.raises(TamisError, match="give budget, or a method that adds"):
        tamis.select(table, 3, method="vif", costs={"a1": 3})
    found = tamis.select(table, method="vif", costs={"a1": 3}, options={"budget": 5})
    assert sum(3 if name == "a1" else 1 for name in found.names) <= 5


def test_relevant_columns_that_are_not_redundant_keep_to_limits(table):
    own = {"groups": AB, "at_most": 1}
    found = tamis.select(table, 4, method="variance", redundancy="drop", options=own)
    first = [name[0] for name in found.names]
    assert first.count("a") <= 1
    assert first.count("b") <= 1


def test_a_number_found_by_a_rule_and_estimators_keep_to_limits():
    table = sensors()
    groups = {name: [c for c in table if c.startswith(name)] for name in SENSORS}
    found = tamis.select(table, "auto", options={"groups": groups, "at_most": 1})
    assert len({name[:2] for name in found.names}) == found.k
    for kind in (tamis.selection.ForwardSelection, tamis.selection.VarianceInflation):
        made = kind(3, groups=groups, at_most=1).fit(table)
        assert len({name[:2] for name in made.get_feature_names_out()}) == 3


def test_what_would_be_better_than_a_given_list_keeps_to_limits(table):
    own = {"groups": ALL, "at_most": 1, "forbid": ["e"]}
    found = tamis.score(table, ["a1", "a2"], options=own)
    better = [*found.best.names]
    assert "e" not in better
    assert len({name[0] if name[0] in "ab" else "c" for name in better}) == 2
    joining = [one.joins for one in (*found.swaps, *found.additions)]
    assert not {"e", "a3"} & set(joining)


def test_the_best_set_within_limits_is_proven():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((90, 4)) @ rng.standard_normal((4, 12)) + rng.standard_normal((90, 12))
    table = pd.DataFrame(X, columns=[str(10 * j) for j in range(12)])
    own = {"apart": 20, "groups": {"G": ["0", "10", "20", "30"]}, "at_most": 1}
    swapped = tamis.select(table, 4, method="forward", options=own, refine=True)
    best = tamis.select(table, 4, method="forward", options=own, refine="exact")
    assert best.optimal
    assert best.retained >= swapped.retained - 1e-12
    assert (np.diff(np.sort([float(name) for name in best.names])) >= 20).all()


def test_a_search_knows_every_limit_that_the_registry_lists():
    assert sorted(LIMITING) == sorted(option.name for option in ALL_LIMITS)
