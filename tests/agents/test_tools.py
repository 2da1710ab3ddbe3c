"""The tools without a server."""

import json

import numpy as np
import pandas as pd
import pytest

from tamis.agents.arguments import describe_options
from tamis.agents.brief import SELECTION_KEYS, describe_brief, shorten
from tamis.agents.desk import Desk
from tamis.agents.tool import Tool
from tamis.agents.tools import make_tools
from tamis.errors import TamisError

TOOLS = {tool.name: tool for tool in make_tools()}


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


def test_what_is_not_known_or_missing_is_one_sentence():
    tool = Tool("t", "", {"a": {"description": "A letter."}}, lambda a: {"a": a}, ("a",))
    assert tool.call({"a": 1}) == {"a": 1}
    with pytest.raises(TamisError, match=r"^t needs 'a': A letter\.$"):
        tool.call({"a": None})
    with pytest.raises(TamisError, match=r"^t has no argument 'b': give some of a\.$"):
        tool.call({"b": 1})


def test_too_few_rows_are_refused(tmp_path):
    with pytest.raises(TamisError, match="9 rows are too few"):
        Desk().select(write_noise(tmp_path / "t.csv", 9, 4), k=2)
    with pytest.raises(TamisError, match="24 rows are too few for 30 columns"):
        Desk().score(write_noise(tmp_path / "wide.csv", 24, 30), [f"c{j}" for j in range(12)])


def test_answers_are_remembered_up_to_a_limit(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((60, 2))
    table = tmp_path / "t.csv"
    pd.DataFrame(np.hstack([x, x @ [[1.0], [1.0]]]), columns=[*"abc"]).to_csv(table, index=False)
    desk = Desk()
    names = [desk.select(str(table), k=2)["answer"] for _ in range(9)]
    told = desk.explain(names[-1], ["a", "c"])["columns"]
    assert {one["status"] for one in told} <= {"kept", "dropped"}
    json.dumps(told)
    with pytest.raises(TamisError, match="There is no answer 'answer-1' here"):
        desk.explain(names[0], ["a"])
