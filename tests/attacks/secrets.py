"""Secrets of every kind in every place of a note: nothing of hippo's own holds one of them afterwards."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.attacks import Outcome, Registered, Subject
from tests.support.secrets import NAMED, TOKENS, armoured, password

_NAMES = (
    "aws, google api, github, gitlab, slack bot, stripe, openai project, anthropic, openrouter, "
    "npm, telegram, sendgrid, vault, age, jwt"
)
_FORMATS = _NAMES.split(", ")
_FILLING = "The harbor office opens at nine and the falcon sails on Tuesdays. "


def nothing_derived_holds_a_secret(subject: Subject, folder: Path, tries: int) -> Outcome:
    """Each try is a workspace with other secrets, on which every command that writes is run."""
    wrong: list[str] = []
    for turn in range(tries):
        root = folder / str(turn)
        root.mkdir()
        secrets = _write(root, random.Random(turn))
        _use(subject, root, secrets)
        held = dict(_held(root, subject.home))
        for name, secret in secrets.items():
            needles = {secret.encode(), secret.lower().encode(), secret[:24].encode()}
            wrong += [
                f"{name} in {path}"
                for path, data in held.items()
                if any(needle in data for needle in needles)
            ]
    return Outcome(tries, len(wrong), ", ".join(wrong[:4]))


def _write(root: Path, rng: random.Random) -> Mapping[str, str]:
    """Notes that hold secrets, by their kinds; the values are what must be found nowhere else."""
    found = {name: TOKENS[name](rng) for name in _FORMATS}
    keys = list(found)
    passwords = [password(rng).replace("'", "x").replace('"', "x") for _ in range(7)]
    key = armoured("OPENSSH PRIVATE KEY")(rng)
    found |= {f"password {at}": one for at, one in enumerate(passwords)}
    found["private key"] = key.split("\n")[1]
    aws, token = NAMED[0][0](rng), NAMED[4][0](rng)
    found |= {"aws secret": aws, "bearer": token, "pin": str(rng.randint(10**6, 10**7))}
    lines = [f"## Access to {name}\n\n{_FILLING}The key is `{found[name]}`.\n" for name in keys[:6]]
    (root / "TOOLS.md").write_text("# Tools\n\n" + "\n".join(lines))
    headings = [f"## Deploy {found[name]} now\n\n{_FILLING}\n" for name in keys[6:10]]
    bold = [f"- **{name}**: {found[name]} and {_FILLING}\n" for name in keys[10:]]
    (root / "MEMORY.md").write_text("# Memory\n\n" + "\n".join((*headings, "## Keys\n", *bold)))
    notes = root / "notes"
    notes.mkdir()
    (notes / "servers.md").write_text(
        f"---\ntitle: Servers\npassword: {passwords[0]}\n---\n# Servers\n\n{_FILLING}\n\n"
        "| Service | User | Password |\n|---|---|---|\n"
        f"| harbor | bob | {passwords[1]} |\n\n## Falcon\n\n"
        f"The password for the falcon is {passwords[2]} since May.\n\n"
        f"## Passwort {passwords[3][:0]}der Werft\n\nPasswort: {passwords[3]}\n\n"
        f"PIN: {found['pin']}\n"
    )
    (notes / "2026-05-12.md").write_text(
        f"# 2026-05-12\n\n{_FILLING}\n\n```\n{key}\n```\n\n## Cloud\n\n"
        f"```ini\naws_secret_access_key = {aws}\nDB_PASSWORD={passwords[4]}\n```\n\n"
        f"curl -H 'Authorization: Bearer {token}' https://harbor.test\n\n{_FILLING * 3}\n"
    )
    (notes / "state.json").write_text(json.dumps({"name": "harbor", "password": passwords[5]}))
    return found


def _use(subject: Subject, root: Path, secrets: Mapping[str, str]) -> None:
    """Every command that keeps something."""
    (root / "result.log").write_text(f"{_FILLING}\npassword: {secrets['password 6']}\n" * 9)
    message = {"role": "user", "content": f"{_FILLING} token {secrets['github']}"}
    asked = [
        {"type": "user", "uuid": str(at), "sessionId": "s", "message": message} for at in range(4)
    ]
    (root.parent / "session.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    for words in (
        ("bootstrap",),
        ("query", "falcon password harbor office"),
        ("query", f"what is {secrets['stripe']}"),
        ("query", f"harbor password: {secrets['password 1']}"),
        ("remember", f"The falcon moved. Its password is {secrets['password 2']} from today."),
        ("add", f"Key {secrets['npm']}", "--to", "TOOLS.md", "--summary", secrets["aws"]),
        ("anchors", "build"),
        ("context", "add", "result.log"),
        ("compact", str(root.parent / "session.jsonl"), "--format", "claude-code"),
        ("monthly",),
        ("report",),
    ):
        done = subject.run(*words, cwd=root)
        refused = "looks like a secret" in done.stderr
        assert refused if words[0] == "add" else done.returncode in (0, 1), (words, done.stderr)


def _held(*folders: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of hippo's own with its bytes, those inside of zips too."""
    for folder in folders:
        own = (folder / ".hippocampus").rglob("*") if folder.name != "home" else folder.rglob("*")
        for path in (*own, folder / "HIPPOCAMPUS.md"):
            if path.is_file():
                data = path.read_bytes()
                yield path.relative_to(folder).as_posix(), data
                if zipfile.is_zipfile(path):
                    with zipfile.ZipFile(io.BytesIO(data)) as packed:
                        yield from (
                            (f"{path.name}!{one}", packed.read(one)) for one in packed.namelist()
                        )


ATTACKS = {"secrets in notes": Registered(nothing_derived_holds_a_secret, 1, 12)}
