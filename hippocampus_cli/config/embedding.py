"""The settings of embeddings (ANCHOR §2): which model, where it answers, and how it is asked."""

import re
from typing import Annotated, NamedTuple

from hippocampus_cli.config.rules import Refused, Rule

_VARIABLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)?")
_COLLECTION = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,199})?")
_MODEL = re.compile(r"[A-Za-z0-9._:/@-]{0,200}")


def _variable(text: str) -> str:
    if not _VARIABLE.fullmatch(text):
        raise Refused("be the name of an environment variable, not a key")
    return text


def _model(text: str) -> str:
    if not _MODEL.fullmatch(text) or ".." in text:
        raise Refused("be the name of a model")
    return text


def _collection(text: str) -> str:
    if not _COLLECTION.fullmatch(text):
        raise Refused("be a name of letters, digits and _, 200 at most")
    return text


def _url(text: str) -> str:
    if text and (
        not re.match("https?://[^/]", text) or not text.isascii() or not text.isprintable()
    ):
        raise Refused("begin with https:// or http://")
    if re.search(r"[\s?#@]", text):
        raise Refused("hold no blank, no ?, no # and no user")
    return text.rstrip("/")


class Embedding(NamedTuple):
    """What turns texts into vectors. Nothing does by default, and nothing is ever fetched or asked unasked."""

    embedder: Annotated[
        str,
        Rule(
            "what turns texts into vectors",
            choices=("none", "minilm", "gemini", "openai", "ollama"),
        ),
    ] = "none"
    model: Annotated[str, Rule('the model; "" is the embedder\'s usual one', check=_model)] = ""
    url: Annotated[
        str, Rule('where it answers; "" is its usual place; others only by variable', check=_url)
    ] = ""
    key_variable: Annotated[
        str,
        Rule('the variable that holds the key; "" is its usual one', check=_variable),
    ] = ""
    timeout_seconds: Annotated[float, Rule("how long one request may take (seconds)", 0.1, 600)] = (
        30.0
    )
    question_seconds: Annotated[
        float,
        Rule("how long a question waits for its vector (seconds); then words answer", 0.1, 600),
    ] = 4.0
    batch: Annotated[int, Rule("texts in one request at most", 1, 2_048)] = 100
    requests_per_minute: Annotated[int, Rule("no more requests than this; 0: no limit", 0)] = 0
    nearest: Annotated[
        str,
        Rule(
            "what finds the nearest units; auto is brute, a scan of the vectors' signs",
            choices=("auto", "brute", "usearch", "milvus"),
        ),
    ] = "auto"
    milvus_url: Annotated[
        str, Rule('a Milvus cluster, only by variable; "" is a file here', check=_url)
    ] = ""
    milvus_collection: Annotated[
        str,
        Rule(
            'its collection, only by variable; "" is one of this folder\'s own', check=_collection
        ),
    ] = ""
