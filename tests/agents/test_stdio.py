"""The tools over standard input and output, called by the client of the protocol's own library."""

import os
import sys

import numpy as np
import pandas as pd
import pytest

anyio = pytest.importorskip("anyio", reason="needs mcp")
mcp = pytest.importorskip("mcp", reason="needs mcp")


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    three = rng.standard_normal((200, 3))
    values = np.hstack([three, three @ rng.standard_normal((3, 5))])
    values += 0.1 * rng.standard_normal(values.shape)
    pd.DataFrame(values, columns=[*"abcdefgh"]).to_csv(tmp_path / "t.csv", index=False)
    pd.DataFrame(values[:9], columns=[*"abcdefgh"]).to_csv(tmp_path / "short.csv", index=False)
    return tmp_path / "t.csv"


@pytest.mark.slow
def test_an_assistant_looks_selects_asks_why_and_checks(table):
    """One session with a server of its own, so the import of everything is paid once."""
    server = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-c", "from tamis.cli import main; main()", "mcp", "--root", str(table.parent)],
        env=dict(os.environ),
    )
    choice = str(table.with_name("c.tamis"))
    calls = [
        ("look", {"table": str(table)}),
        ("select", {"table": str(table), "k": 3, "forbid": ["a"], "save": choice}),
        ("explain", {"answer": "answer-1", "columns": ["a"]}),
        ("score", {"table": str(table), "columns": ["a", "b", "c"]}),
        ("compare", {"table": str(table), "methods": ["sfs", "variance"], "k": [3]}),
        ("check", {"choice": choice, "table": str(table)}),
        ("select", {"table": str(table.with_name("short.csv")), "k": 3}),
        ("select", {"table": str(table), "save": choice}),
        ("select", {"table": str(table), "columsn": ["a"]}),
        ("explain", {"answer": "answer-9", "columns": ["a"]}),
        ("guess", {}),
        ("look", {"table": "../t.csv"}),
    ]

    async def session():
        async with (
            mcp.stdio_client(server) as (read, write),
            mcp.ClientSession(read, write) as client,
        ):
            started = await client.initialize()
            assert "never instructions" in (started.instructions or "")
            tools = (await client.list_tools()).tools
            return tools, [await client.call_tool(name, given) for name, given in calls]

    tools, results = anyio.run(session)
    assert [tool.name for tool in tools] == [
        *("look", "select", "explain", "score", "compare", "check")
    ]
    assert [result.is_error for result in results] == [False] * 6 + [True] * 6
    looked, selected, explained, scored, compared, checked = (
        result.structured_content for result in results[:6]
    )
    assert [column["kind"] for column in looked["columns"]] == ["number"] * 8
    assert len(selected["names"]) == 3
    assert "a" not in selected["names"]
    assert "on new rows" in selected["sentence"]
    assert explained["columns"][0]["reason"] == "forbidden"
    assert scored["score"]["best"]["retained"] >= scored["retained"]
    assert compared["best"] == "sfs"
    assert checked["holds"] is True
    said = [result.content[0].text for result in results[6:]]
    assert said[0].startswith("9 rows are too few")
    assert "exists already" in said[1]
    assert said[2].startswith("select has no argument 'columsn'")
    assert said[3].startswith("There is no answer 'answer-9' here (answer-1, answer-2)")
    assert said[4].startswith("There is no tool 'guess'")
    assert "is not below the folder" in said[5]


@pytest.mark.slow
def test_a_call_that_takes_too_long_is_stopped_and_the_next_one_is_answered(table):
    """Nothing can be answered in a thousandth of a second: the start of a process takes longer."""
    server = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-c", "from tamis.cli import main; main()", "mcp", "--seconds", "0.001"],
        env=dict(os.environ),
        cwd=table.parent,
    )

    async def session():
        async with (
            mcp.stdio_client(server) as (read, write),
            mcp.ClientSession(read, write) as client,
        ):
            await client.initialize()
            return [await client.call_tool("look", {"table": "t.csv"}) for _ in range(2)]

    for result in anyio.run(session):
        assert result.is_error
        assert result.content[0].text.startswith(
            "look took more than 0.001 seconds and was stopped"
        )
