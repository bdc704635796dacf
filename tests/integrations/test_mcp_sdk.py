"""``hippo mcp`` and the protocol's own Python client, where it is installed (`make test-extras`)."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from hippocampus_cli import open_workspace

sdk = pytest.importorskip("mcp", reason="the package `mcp` is not installed")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(tmp_path: Path) -> Any:
    (tmp_path / "MEMORY.md").write_text(
        "# Memory\n\n## Deploy\n\nWe deploy with `kelpctl release prod`.\n"
    )
    with open_workspace(tmp_path) as workspace:
        workspace.bootstrap()
    words = ["-m", "hippocampus_cli", "mcp", "--workspace", str(tmp_path)]
    return sdk.StdioServerParameters(command=sys.executable, args=words, cwd=str(ROOT))


def test_a_client_that_shakes_hands(server: Any) -> None:
    from mcp.client.stdio import stdio_client

    async def talk() -> str:
        async with stdio_client(server) as streams, sdk.ClientSession(*streams) as client:
            await client.initialize()
            assert len((await client.list_tools()).tools) == 6
            found = await client.call_tool("recall", {"query": "how do we deploy"})
            return str(found.content[0].text)

    assert "kelpctl release prod" in asyncio.run(talk())


@pytest.mark.skipif(not hasattr(sdk, "Client"), reason="this `mcp` knows the handshake alone")
def test_a_client_without_a_handshake(server: Any) -> None:
    from mcp.client.stdio import stdio_client

    async def talk() -> tuple[str, str]:
        async with sdk.Client(stdio_client(server)) as client:
            found = await client.call_tool("recall", {"query": "how do we deploy"})
            return client.protocol_version, str(found.content[0].text)

    version, text = asyncio.run(talk())
    assert version == "2026-07-28"
    assert "kelpctl release prod" in text
