"""Tools that are not there: small scripts that speak as the real ones do, and know one file each."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

# Each searches the notes for the question's longest word, and says in its tool's shape where that stands.
_SEARCH = """\
import json, os, sys
from pathlib import Path
assert os.environ["HOME"] == os.environ["XDG_CACHE_HOME"] and "SECRET_KEY" not in os.environ
assert os.environ["HF_HUB_OFFLINE"] == "1" and os.environ["HTTPS_PROXY"].endswith(":9")
def search(text, root="."):
    word = max(text.replace("?", "").split(), key=len).lower()
    for file in sorted(Path(root).rglob("*.md")):
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\\n"), 1):
            if word in line.lower():
                yield file.relative_to(root).as_posix(), number, line
arguments = sys.argv[1:]
"""

RG = """\
if arguments == ["--version"]:
    sys.exit(print("ripgrep 13.0.0"))
found = False
for one in arguments:
    if one.startswith("--regexp="):
        word = one.removeprefix("--regexp=")
        for path, number, line in search(word):
            found = True
            data = {"path": {"text": f"./{path}"}, "lines": {"text": line + "\\n"}, "line_number": number}
            data["submatches"] = [{"match": {"text": word}, "start": 0, "end": 1}]
            print(json.dumps({"type": "match", "data": data}))
print(json.dumps({"type": "summary", "data": {}}))
sys.exit(0 if found else 1)
"""

_MCP = """
def serve(answer):
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        print("a line that is no JSON")
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress"}))
        call = asked["params"].get("arguments")
        result = {"serverInfo": {}} if call is None else answer(call)
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""

QMD = (
    _MCP
    + """
store = Path(os.environ["HOME"]) / "collection"
def results(text, start):
    for path, number, line in search(text, store.read_text()):
        hunk = f"@@ -{number},1 @@ (0 before, 0 after)"
        yield {"file": f"{start}{path}", "snippet": f"{hunk}\\n{line}", "score": 1}
if arguments == ["--version"]:
    print("qmd 2.8.3 (facd35e)")
elif arguments[:2] == ["collection", "add"]:
    store.write_text(arguments[2])
elif arguments == ["mcp"]:
    serve(lambda call: {"structuredContent": {
        "results": [one for part in call["searches"] for one in results(part["query"], "notes/")]}})
else:
    assert "--full-path" in arguments and arguments[-2] == "--"
    print(json.dumps(list(results(arguments[-1], "./"))))
"""
)

BASIC_MEMORY = (
    _MCP
    + """
store = Path(os.environ["HOME"]) / "project"
def results(text):
    root = Path(store.read_text())
    paths = dict.fromkeys(path for path, _, _ in search(text, root))
    return {"results": [
        {"file_path": one, "content": (root / one).read_text().partition("---\\n\\n")[2].strip()[:60]}
        for one in paths]}
if arguments == ["--version"]:
    print("Basic Memory version: 0.24.1")
elif arguments[:2] == ["project", "add"]:
    assert os.environ["BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED"] == "false"
    store.write_text(arguments[3])
    for file in Path(arguments[3]).rglob("*.md"):
        file.write_text("---\\ntitle: x\\n---\\n\\n" + file.read_text())
elif arguments == ["mcp"]:
    serve(lambda call: {"content": [{"type": "text", "text": json.dumps(results(call["query"]))}]})
else:
    print(json.dumps(results(arguments[-1])))
"""
)

MEMSEARCH = """\
if arguments == ["--version"]:
    sys.exit(print("memsearch, version 0.4.23"))
given = dict(zip(arguments[1::2], arguments[2::2]))
assert arguments[0] in ("index", "search") and given["--milvus-uri"].startswith(os.environ["HOME"])
if given["--provider"] == "onnx":
    sys.exit("OSError: the model is not in the cache")
assert given["--base-url"] == "http://127.0.0.1:1/v1"
if arguments[0] == "search":
    print(json.dumps([
        {"source": str(Path(path).resolve()), "start_line": n, "end_line": n, "content": line}
        for path, n, line in search(arguments[-1])]))
"""

MEMSEARCH_LIBRARY = """\
from pathlib import Path
class MemSearch:
    def __init__(self, **options):
        assert options["embedding_base_url"] == "http://127.0.0.1:1/v1"
    async def search(self, text, top_k):
        assert top_k == 20
        file = sorted(Path("memory").glob("*.md"))[0].resolve()
        return [{"source": str(file), "start_line": 1, "end_line": 9, "content": "# all", "score": 1}]
"""

ALL = {"rg": RG, "qmd": QMD, "basic-memory": BASIC_MEMORY, "memsearch": MEMSEARCH}


def install(folder: Path, name: str, code: str, python: str = sys.executable) -> Path:
    """An executable of that name; a shell stands before Python, for a path to it may be too long for ``#!``."""
    script = folder / f"{name}.py"
    script.write_text(f"{_SEARCH}{code}", encoding="utf-8")
    return shell(folder / name, f'exec "{python}" "{script}" "$@"')


def shell(file: Path, line: str) -> Path:
    """An executable that is one line of shell."""
    file.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file
