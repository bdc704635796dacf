"""Without the packages of its extra an adapter says which command installs them."""

from __future__ import annotations

import importlib
import sys

import pytest

from hippocampus_cli.errors import ExtraMissing


@pytest.mark.parametrize(
    ("adapter", "package"),
    [
        ("langchain", "langchain_core"),
        ("autogen", "autogen_core"),
        ("langchain_agent", "langchain"),
        ("langgraph", "langgraph"),
        ("crewai", "crewai"),
        ("agent_framework", "agent_framework"),
    ],
)
def test_the_extra_that_is_missing_is_named(
    adapter: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"hippocampus_cli.adapters.{adapter}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    for known in [one for one in sys.modules if one.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, known)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExtraMissing, match=f"needs the extra '{adapter.replace('_', '-')}'"):
        importlib.import_module(name)
    monkeypatch.delitem(sys.modules, name, raising=False)
