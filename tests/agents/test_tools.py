"""The tools without a server."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis import registry
from tamis.agents.tools import (
    JSON_OF_KIND,
    SELECTION_KEYS,
    Tool,
    ToolServer,
    describe_brief,
    describe_options,
    make_tools,
    shorten,
)
from tamis.errors import TamisError
from tamis.registry.option import KINDS

TOOLS = {tool.name: tool for tool in make_tools(Path())}


def write_noise(path, rows, columns):
    values = np.random.default_rng(1).standard_normal((rows, columns))
    pd.DataFrame(values, columns=[f"c{j}" for j in range(columns)]).to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_every_argument_says_what_it_is_and_the_schemas_are_json(tool):
    assert all(one["description"] for one in tool.takes.values())
    assert set(tool.required) <= set(tool.takes)
    json.dumps([tool.input_schema, tool.gives])


def test_a_brief_schema_defines_all_that_it_refers_to_and_nothing_else():
    schema = describe_brief("selection", SELECTION_KEYS)
    text = json.dumps(schema)
    assert all(f'"#/$defs/{name}"' in text for name in schema["$defs"])
    assert text.count('"$ref"') > 0
    assert all(f'"{name.split("/")[-1]}": {{' in text for name in _references(schema))
    assert "tree" not in schema["properties"]


def _references(node):
    if isinstance(node, dict):
        return (
            [node["$ref"]] if "$ref" in node else [r for v in node.values() for r in _references(v)]
        )
    return [r for v in node for r in _references(v)] if isinstance(node, list) else []


def test_long_lists_are_cut_and_counted_but_no_kept_name():
    short = shorten({"names": [*"abc"], "dropped": [*"defg"]}, ["names", "dropped"], most=2)
    assert short == {"names": [*"abc"], "dropped": [*"de"], "left_out": {"dropped": 2}}


def test_options_have_the_text_of_the_table_of_options():
    assert describe_options("select", ["k"])["k"]["description"].startswith("How many columns")


@pytest.mark.parametrize("door", ["select", "score", "compare", "check"])
def test_every_shared_option_could_be_offered_as_it_is(door):
    named = [option.name for option in registry.list_shared(door)]
    described = describe_options(door, named)
    assert [*described] == named
    tool = Tool("t", "", described, lambda **given: given)
    for option in registry.list_shared(door):
        if option.default is not None:
            given = json.loads(json.dumps({option.name: option.default}))
            assert tool.call(given) == given


def test_a_tool_takes_an_object_where_an_option_is_a_mapping():
    tool = Tool("t", "", {"costs": JSON_OF_KIND["prices"]}, lambda **given: given)
    assert tool.call({"costs": {"a": 2}}) == {"costs": {"a": 2}}
    with pytest.raises(TamisError, match="t takes object as 'costs', not 3: give that"):
        tool.call({"costs": 3})
    assert {*JSON_OF_KIND} == {*KINDS}


def test_what_is_not_known_or_missing_is_one_sentence():
    tool = Tool("t", "", {"a": {"description": "A letter."}}, lambda a: {"a": a}, ("a",))
    assert tool.call({"a": 1}) == {"a": 1}
    with pytest.raises(TamisError, match=r"^t needs 'a': A letter\.$"):
        tool.call({"a": None})
    with pytest.raises(TamisError, match=r"^t has no argument 'b': give some of a\.$"):
        tool.call({"b": 1})


def test_too_few_rows_are_refused(tmp_path):
    with pytest.raises(TamisError, match="9 rows are too few"):
        ToolServer(tmp_path).select(write_noise(tmp_path / "t.csv", 9, 4), k=2)
    with pytest.raises(TamisError, match="24 rows are too few for 30 columns"):
        ToolServer(tmp_path).score(
            write_noise(tmp_path / "wide.csv", 24, 30), [f"c{j}" for j in range(12)]
        )


def test_answers_are_remembered_up_to_a_limit(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((60, 2))
    table = tmp_path / "t.csv"
    pd.DataFrame(np.hstack([x, x @ [[1.0], [1.0]]]), columns=[*"abc"]).to_csv(table, index=False)
    server = ToolServer(tmp_path)
    names = [server.select(str(table), k=2)["answer"] for _ in range(9)]
    told = server.explain(names[-1], ["a", "c"])["columns"]
    assert {one["status"] for one in told} <= {"kept", "dropped"}
    json.dumps(told)
    with pytest.raises(TamisError, match="There is no answer 'answer-1' here"):
        server.explain(names[0], ["a"])


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("select", {"table": 3}),
        ("select", {"table": ["t.csv"]}),
        ("select", {"table": "t.csv", "k": [2]}),
        ("select", {"table": "t.csv", "k": True}),
        ("select", {"table": "t.csv", "retain": float("nan")}),
        ("select", {"table": "t.csv", "columns": "a"}),
        ("select", {"table": "t.csv", "columns": [["a"]]}),
        ("select", {"table": "t.csv", "y": {"a": 1}}),
        ("select", {"table": "t.csv", "save": 1}),
        ("score", {"table": "t.csv", "columns": [1, 2]}),
        ("compare", {"table": "t.csv", "k": 3}),
        ("compare", {"table": "t.csv", "budget": "long"}),
        ("check", {"choice": {}, "table": "t.csv"}),
        ("explain", {"answer": ["answer-1"], "columns": ["a"]}),
    ],
)
def test_an_argument_of_another_type_than_the_schema_says_is_one_sentence(tool, given):
    with pytest.raises(TamisError, match=rf"^{tool} takes [a-z ]+ as '[a-z]+', not .*\.$"):
        TOOLS[tool].call(given)


@pytest.fixture
def outside(tmp_path):
    """Make a folder to serve, and beside it a table that a link in the folder leads to."""
    root = tmp_path / "root"
    root.mkdir()
    write_noise(tmp_path / "secret.csv", 30, 3)
    write_noise(root / "own.csv", 30, 3)
    (root / "link.csv").symlink_to(tmp_path / "secret.csv")
    (root / "away").symlink_to(tmp_path)
    (root / "many").mkdir()
    (root / "many" / "one.csv").symlink_to(tmp_path / "secret.csv")
    for suffix in (".bed", ".fam"):
        (root / f"g{suffix}").write_bytes(b"")
    (root / "g.bim").symlink_to(tmp_path / "secret.csv")
    (root / "dangling.tamis").symlink_to(tmp_path / "elsewhere.tamis")
    return root


@pytest.mark.parametrize(
    "table",
    [
        *("../secret.csv", "link.csv", "away/secret.csv", "many", "many/*.csv", "*.csv", "g.bed"),
        *("{}/secret.csv", "own.csv/../../secret.csv", "-", "/", "/etc/*"),
    ],
)
def test_no_table_outside_of_the_root_is_read(outside, table):
    with pytest.raises(TamisError, match="is not below the folder that is served"):
        ToolServer(outside).look(table.format(outside.parent))


def test_a_table_below_the_root_is_read_by_either_name(outside):
    assert ToolServer(outside).look("own.csv")["rows"] == 30
    assert ToolServer(outside).look(str(outside / "own.csv"))["rows"] == 30
    with pytest.raises(TamisError, match="There is no file"):
        ToolServer(outside).look("none.csv")
    with pytest.raises(TamisError):
        ToolServer(outside).look("a\0b.csv")


def test_nothing_is_written_outside_of_the_root_nor_over_a_link(outside):
    for save in ("../new.tamis", "away/new.tamis", "{}/new.tamis"):
        with pytest.raises(TamisError, match="is not below the folder that is served"):
            ToolServer(outside).select("own.csv", k=1, save=save.format(outside.parent))
    for save in ("dangling.tamis", "own.csv"):
        with pytest.raises(TamisError, match="exists already"):
            ToolServer(outside).select("own.csv", k=1, save=save)
    assert not list(outside.parent.glob("*.tamis"))


def test_look_gives_no_value_where_none_is_wanted(tmp_path):
    (tmp_path / "t.csv").write_text("who,x\n" + "".join(f"name{i},{i}7\n" for i in range(40)))
    told = json.dumps(ToolServer(tmp_path, values=False).look("t.csv"))
    assert "name" not in told.replace("names", "")
    assert "397" not in told
    assert "name0" in json.dumps(ToolServer(tmp_path).look("t.csv"))
