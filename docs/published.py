"""What registries, agents and other programs read of this repository, made by ``make docs``. A test compares it.

    python -m docs.published --repository OWNER/NAME --sdist dist/hippocampus_cli-0.2.0.tar.gz

is what a release runs: it names the repository, and the archive with its SHA-256.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from hippocampus_cli.integrations import hook_settings, instructions
from hippocampus_cli.version import __version__

ROOT = Path(__file__).parents[1]
REPOSITORY = "OWNER/hippo"
"""Stands for the repository until a release names it."""
DISTRIBUTION = "hippocampus-cli"
PLUGIN = "packaging/plugin"
_PROGRAM = ("hippo",)
_NAME = "hippo-memory"
_OWNER = {"name": "hippo"}
_SAID = "The long-term memory of a workspace: a brief at the start, what it knows at a prompt, tools to ask it"
_LINE = "A long-term memory for agents: an index over a folder of markdown, search, upkeep"
"""At most 100 characters, as the MCP registry has it."""
_SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
_AUTHOR = {"name": "The hippo authors"}


def files(repository: str = REPOSITORY, sdist: Path | None = None) -> Mapping[str, str]:
    """The text of each file, by its path in the repository; ``sdist`` is the source archive of a release."""
    skill = instructions.edit_instructions(instructions.SKILL, _PROGRAM, "", True)
    claude = hook_settings.edit_hooks("claude-code", _PROGRAM, "hooks.json", "", True)
    server = {"command": "hippo", "args": ["mcp"]}  # it is started in the agent's folder
    return {
        f"{PLUGIN}/.claude-plugin/plugin.json": _json(_plugin()),
        f"{PLUGIN}/.mcp.json": _json({"mcpServers": {"memory": server}}),
        f"{PLUGIN}/hooks/hooks.json": claude,
        f"{PLUGIN}/{instructions.SKILL_FILE}": skill,
        ".claude-plugin/marketplace.json": _json(_marketplace()),
        ".agents/plugins/marketplace.json": _json(_codex_marketplace()),
        f"{PLUGIN}/.codex-plugin/plugin.json": _json(_codex_plugin()),
        f"{PLUGIN}/hooks/codex.json": hook_settings.edit_hooks(
            "codex", _PROGRAM, "codex.json", "", True
        ),
        "server.json": _json(_server(repository)),
        "packaging/mcpb/manifest.json": _json(_mcpb()),
        "packaging/mcpb/pyproject.toml": _mcpb_project(),
        "packaging/homebrew/hippo.rb": _formula(repository, sdist),
        "llms.txt": _llms(),
    }


def _plugin() -> dict[str, Any]:
    """For Claude Code, which takes an update where the version is another; OpenClaw reads it too."""
    told = {"version": __version__, "description": _SAID, "author": _OWNER, "license": "MIT"}
    return {"name": _NAME, **told}


def _marketplace() -> dict[str, Any]:
    listed = {"name": _NAME, "source": f"./{PLUGIN}", "description": _SAID}
    return {"name": "hippo", "description": _SAID, "owner": _OWNER, "plugins": [listed]}


def _codex_marketplace() -> dict[str, Any]:
    entry = {
        "name": _NAME,
        "source": {"source": "local", "path": f"./{PLUGIN}"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    return {"name": "hippo", "interface": {"displayName": "hippo"}, "plugins": [entry]}


def _codex_plugin() -> dict[str, Any]:
    return _plugin() | {
        "skills": "./skills/",
        "mcpServers": "./.mcp.json",
        "hooks": "./hooks/codex.json",
        "interface": {
            "displayName": "hippo",
            "shortDescription": _LINE,
            "category": "Productivity",
        },
    }


def _server(repository: str) -> dict[str, Any]:
    """For the MCP registry: the package of the Python index, run by uvx."""
    package = {
        "registryType": "pypi",
        "identifier": DISTRIBUTION,
        "version": __version__,
        "runtimeHint": "uvx",
        "packageArguments": [
            {"type": "positional", "value": "mcp"},
            {
                "type": "named",
                "name": "--workspace",
                "description": "The folder with the notes",
                "format": "filepath",
                "isRequired": True,
            },
        ],
        "transport": {"type": "stdio"},
    }
    return {
        "$schema": _SERVER_SCHEMA,
        "name": registry_name(repository),
        "title": "hippo",
        "description": _LINE,
        "version": __version__,
        "repository": {"url": f"https://github.com/{repository}", "source": "github"},
        "packages": [package],
    }


def registry_name(repository: str) -> str:
    """The server's name in the MCP registry, which the README has to repeat."""
    return f"io.github.{repository}"


def _mcpb() -> dict[str, Any]:
    """For Claude Desktop and others that take a bundle: one file to open, the folder asked for."""
    words = ["run", "--directory", "${__dirname}", "server.py", "${user_config.workspace}"]
    return {
        "manifest_version": "0.4",
        "name": DISTRIBUTION,
        "display_name": "hippo",
        "version": __version__,
        "description": _LINE,
        "author": _AUTHOR,
        "license": "MIT",
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {"command": "uv", "args": words},
        },
        "tools": [{"name": name} for name in ("recall", "read", "remember", "sessions", "brief")],
        "user_config": {
            "workspace": {
                "type": "directory",
                "title": "Folder of notes",
                "description": "The folder with MEMORY.md, HIPPOCAMPUS.md or memory/",
                "required": True,
            }
        },
        "compatibility": {"runtimes": {"python": ">=3.11"}},
    }


def _mcpb_project() -> str:
    return (
        f'[project]\nname = "hippo-mcpb"\nversion = "{__version__}"\nrequires-python = ">=3.11"\n'
        f'dependencies = ["{DISTRIBUTION}=={__version__}"]\n'
    )


def _formula(repository: str, sdist: Path | None) -> str:
    """For Homebrew; without an archive only ``brew install --HEAD``."""
    stable = ""
    if sdist is not None:
        address = f"https://github.com/{repository}/releases/download/v{__version__}/{sdist.name}"
        stable = f'  url "{address}"\n  sha256 "{sha256(sdist.read_bytes()).hexdigest()}"\n'
    return f"""\
class Hippo < Formula
  desc "{_LINE}"
  homepage "https://github.com/{repository}"
{stable}  license "MIT"
  head "https://github.com/{repository}.git", branch: "main"

  depends_on "python@3.13"

  def install
    system Formula["python@3.13"].opt_bin/"python3.13", "-m", "venv", libexec
    system libexec/"bin/pip", "install", "--disable-pip-version-check", buildpath
    bin.install_symlink libexec/"bin/hippo"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/hippo --version") unless build.head?
  end
end
"""


def _llms() -> str:
    """The README's table of documentation as links, for agents that read about hippo."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("\n## Documentation\n")[2]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.M)
    links = "\n".join(line for title, about in rows for line in _links(title, about))
    return (
        f"# hippo\n\n> {_LINE}.\n\nRun `uvx --from {DISTRIBUTION} hippo --help`; every command has `--json`.\n\n"
        f"## Documentation\n\n{links}\n"
    )


def _links(title: str, about: str) -> Iterator[str]:
    link = re.compile(r"\[([^]]+)\]\(([^)]+)\)")
    own, others = link.findall(title), link.findall(about)
    said = link.sub(r"\1", about)
    yield from (f"- [{name}]({path}): {said}" for name, path in own)
    if not own:
        yield from (f"- [{name}]({path})" for name, path in others)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def write(made: Mapping[str, str]) -> None:
    for name, text in made.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repository", default=REPOSITORY, help="OWNER/NAME")
    parser.add_argument("--sdist", type=Path, help="the source archive of the release")
    parser.add_argument(
        "--readme", action="store_true", help="name the repository in README.md too"
    )
    asked = parser.parse_args()
    if asked.readme:
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        write({"README.md": readme.replace(REPOSITORY, asked.repository)})
    write(files(asked.repository, asked.sdist))


if __name__ == "__main__":
    main()
