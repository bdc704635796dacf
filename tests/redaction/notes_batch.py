"""Notes with secrets and without, as people and agents write them: the texts in two files beside this one.

``⟦…⟧`` marks a secret; ``{A20}`` stands for 20 random characters of an alphabet, made by seed, so that no file here
holds anything that looks like a key. Both files were written before anybody looked at the rules they are measured on.
"""

from __future__ import annotations

import base64
import random
import re
import string
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.support.secrets import Labelled

HERE = Path(__file__).parent
ALNUM = string.ascii_letters + string.digits
ALPHABETS = {
    "A": ALNUM,
    "a": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "x": "0123456789abcdef",
    "d": string.digits,
    "l": string.ascii_lowercase,
    "b": ALNUM + "+/",
    "u": ALNUM + "-_",
    "B": string.ascii_uppercase + "234567",
    "y": string.ascii_lowercase + "234567",
    "q": "023456789acdefghjklmnpqrstuvwxyz",
    "p": ALNUM + "!#%&*+-.?@_~",
}
SHORT = re.compile(r"\{([AaUhHxdlbuBqpy])(\d+)\}|\{(basic|jwt|uuid|bip|pem:[A-Z ]+)(\d*)\}")
_WORDS_TEXT = """
abandon ability about acid actor adapt bamboo banner basket blossom cabbage canyon carpet dinosaur dolphin echo
elbow fabric galaxy gossip hamster harvest icon jacket kangaroo ladder lemon magnet mango napkin ocean oxygen
panda pelican quantum rabbit ribbon saddle salmon tornado umbrella velvet vintage walnut whisper yellow zebra zone
"""
WORDS = _WORDS_TEXT.split()


def _made(rng: random.Random, match: re.Match[str]) -> str:
    if match[1]:
        return "".join(rng.choices(ALPHABETS[match[1]], k=int(match[2])))
    what = match[3]
    if what == "uuid":
        return str(uuid.UUID(int=rng.getrandbits(128), version=4))
    if what == "bip":
        return " ".join(rng.sample(WORDS, int(match[4])))
    if what == "basic":
        return base64.b64encode(b"svc:" + rng.randbytes(12).hex().encode()).decode()
    if what == "jwt":
        parts = [
            b'{"alg":"HS256","typ":"JWT"}',
            b'{"sub":"%d"}' % rng.getrandbits(40),
            rng.randbytes(32),
        ]
        return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    body = base64.b64encode(rng.randbytes(300)).decode()
    lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
    return f"-----BEGIN {what[4:]}-----\n{lines}\n-----END {what[4:]}-----"


def _read(name: str) -> Iterator[Labelled]:
    for number, sample in enumerate((HERE / name).read_text("utf-8").split("%% ")[1:]):
        kind, _, marked = sample.partition("\n")
        rng = random.Random(f"{name} {number}")
        marked = SHORT.sub(partial(_made, rng), marked.rstrip("\n"))
        secrets = tuple(re.findall("⟦(.*?)⟧", marked, re.DOTALL))
        yield Labelled(kind, marked.replace("⟦", "").replace("⟧", "") + "\n", secrets)


def notes_with_secrets() -> Iterator[Labelled]:
    return _read("notes_secret.txt")


def notes_without() -> Iterator[Labelled]:
    return _read("notes_plain.txt")
