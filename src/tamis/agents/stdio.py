"""Serve the tools over standard input and output."""

import json
from typing import Any

from tamis import __version__
from tamis.agents.tool import Document, Tool
from tamis.agents.tools import make_tools
from tamis.errors import TamisError

__all__ = ["serve"]

_GUIDE = (
    "tamis says which columns of a wide table to keep. Start with look. What select gives "
    "as answer is what explain takes. Quote the share on new rows (held_out), not that on these."
)


def serve() -> None:
    """Answer calls of tools until standard input ends."""
    try:
        import anyio
        from mcp import types
        from mcp.server.lowlevel import Server
        from mcp.server.stdio import stdio_server
    except ImportError as error:
        raise TamisError(
            "tamis mcp needs the package mcp, which is not installed: pip install 'tamis[mcp]'."
        ) from error

    tools = {tool.name: tool for tool in make_tools()}
    listed = [
        types.Tool(
            name=tool.name,
            description=tool.about,
            input_schema=tool.input_schema,
            output_schema=tool.gives,
            annotations=types.ToolAnnotations(read_only_hint=not tool.writes),
        )
        for tool in tools.values()
    ]
    turn = anyio.Semaphore(1)  # one table at a time has the memory

    async def list_tools(_context: Any, _asked: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(_context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        async with turn:
            answer, failed = await anyio.to_thread.run_sync(
                _answer, tools, asked.name, asked.arguments or {}
            )
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)],
            structured_content=None if failed else answer,
            is_error=failed,
        )

    server = Server(
        "tamis",
        version=__version__,
        instructions=_GUIDE,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )

    async def run() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)


def _answer(tools: dict[str, Tool], name: str, given: Document) -> tuple[Document | str, bool]:
    """Give the answer, or the sentence that says what is wrong and True."""
    try:
        if name not in tools:
            raise TamisError(f"There is no tool {name!r}: call one of {', '.join(tools)}.")
        return tools[name].call(given), False
    except TamisError as error:
        return str(error), True
