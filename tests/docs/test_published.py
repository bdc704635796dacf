"""What registries and agents read of the repository: as the code makes it, and in the shape that they ask for."""

from __future__ import annotations

import json
import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from docs import published, recording
from hippocampus_cli.version import __version__
from tests.support.pages import README, ROOT, read

MADE = published.files()


@pytest.mark.parametrize("name", MADE)
def test_a_file_is_as_make_docs_makes_it(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == MADE[name], "run `make docs`"


def test_the_version_is_the_same_everywhere() -> None:
    server = json.loads(MADE["server.json"])
    bundle = tomllib.loads(MADE["packaging/mcpb/pyproject.toml"])["project"]
    plugins = (
        json.loads(MADE[f"{published.PLUGIN}/.{one}-plugin/plugin.json"])
        for one in ("claude", "codex")
    )
    versions = [server["version"], server["packages"][0]["version"], bundle["version"]]
    versions += [json.loads(MADE["packaging/mcpb/manifest.json"])["version"]]
    assert {*versions, *(plugin["version"] for plugin in plugins)} == {__version__}
    assert bundle["dependencies"] == [f"hippocampus-cli=={__version__}"]


@pytest.mark.parametrize("name", [".claude-plugin", ".agents/plugins"])
def test_a_marketplace_leads_to_a_plugin(name: str) -> None:
    (plugin,) = json.loads(MADE[f"{name}/marketplace.json"])["plugins"]
    source = plugin["source"]
    folder = ROOT / (source if isinstance(source, str) else source["path"])
    kind = "claude" if isinstance(source, str) else "codex"
    manifest = json.loads((folder / f".{kind}-plugin/plugin.json").read_text(encoding="utf-8"))
    assert manifest["name"] == plugin["name"]
    paths = (manifest.get(key) for key in ("skills", "mcpServers", "hooks"))
    assert all((folder / path).exists() for path in paths if path)


def test_the_registry_finds_the_server() -> None:
    server = json.loads(MADE["server.json"])
    assert f"mcp-name: {server['name']} " in read(README)
    assert len(server["description"]) <= 100
    scripts = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["scripts"]
    assert {package["identifier"] for package in server["packages"]} < set(scripts)


def test_a_release_names_its_archive(tmp_path: Path) -> None:
    archive = tmp_path / "hippocampus_cli-1.tar.gz"
    archive.write_bytes(b"x")
    formula = published.files("me/hippo", archive)["packaging/homebrew/hippo.rb"]
    assert re.search(
        r'url "https://github.com/me/hippo/.*-1.tar.gz"\n  sha256 "[0-9a-f]{64}"', formula
    )
    assert "OWNER" not in formula


def test_every_page_is_linked_for_agents() -> None:
    links = re.findall(r"\]\(([^)]+)\)", MADE["llms.txt"])
    assert len(links) > 20 and all((ROOT / link).is_file() for link in links)


def test_nix_asks_for_what_the_project_needs() -> None:
    needs = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]["dependencies"]
    flake = read(ROOT / "flake.nix")
    missing = [
        one for one in needs if not re.search(rf"\b{re.split('[<>=]', one)[0].lower()}\b", flake)
    ]
    assert not missing


def test_the_recording_shows_a_real_run(tmp_path: Path) -> None:
    picture = recording.PICTURE.read_text(encoding="utf-8")
    assert picture == recording.drawn(list(recording.scenes(tmp_path / "workspace"))), (
        "make recording"
    )
    ET.fromstring(picture)
