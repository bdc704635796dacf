"""A made-up BERT, small enough to be written down and to be worked out slowly, a number at a time."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

HEADS, HIDDEN, WIDE, LAYERS, WORDS, POSITIONS = 4, 16, 32, 2, 40, 24


def weights(seed: int = 1) -> dict[str, Any]:
    """Random weights, larger than trained ones are, so that a mistake anywhere shows."""
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> Any:
        return random.standard_normal(shape).astype(np.float32) * np.float32(0.4)

    made = {
        "embeddings.word_embeddings.weight": draw(WORDS, HIDDEN),
        "embeddings.position_embeddings.weight": draw(POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": draw(2, HIDDEN),
        "embeddings.LayerNorm.weight": draw(HIDDEN),
        "embeddings.LayerNorm.bias": draw(HIDDEN),
    }
    for at in range(LAYERS):
        name = f"encoder.layer.{at}"
        for part in ("attention.self.query", "attention.self.key", "attention.self.value"):
            made[f"{name}.{part}.weight"] = draw(HIDDEN, HIDDEN)
            made[f"{name}.{part}.bias"] = draw(HIDDEN)
        for part, out, into in (
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", WIDE, HIDDEN),
            ("output.dense", HIDDEN, WIDE),
        ):
            made[f"{name}.{part}.weight"] = draw(out, into)
            made[f"{name}.{part}.bias"] = draw(out)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            made[f"{name}.{part}.weight"] = draw(HIDDEN)
            made[f"{name}.{part}.bias"] = draw(HIDDEN)
    return made


def write_safetensors(path: Path, tensors: dict[str, Any]) -> None:
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, tensor in tensors.items():
        data = np.ascontiguousarray(tensor).tobytes()
        dtype = {"float32": "F32", "int64": "I64"}[str(tensor.dtype)]
        offsets = [len(body), len(body) + len(data)]
        header[name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": offsets}
        body += data
    told = json.dumps(header).encode()
    told += b" " * (-len(told) % 8)
    path.write_bytes(len(told).to_bytes(8, "little") + told + body)


def slowly(made: dict[str, Any], tokens: Sequence[int]) -> list[float]:
    """The vector of one text, by the definition and in double precision."""

    def dense(name: str, row: list[float]) -> list[float]:
        return [
            sum(float(w) * x for w, x in zip(line, row, strict=True)) + float(bias)
            for line, bias in zip(made[f"{name}.weight"], made[f"{name}.bias"], strict=True)
        ]

    def norm(name: str, row: list[float]) -> list[float]:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
        pairs = zip(made[f"{name}.weight"], made[f"{name}.bias"], row, strict=True)
        return [(x - mean) / spread * float(w) + float(b) for w, b, x in pairs]

    def gelu(x: float) -> float:
        return x * 0.5 * (1 + math.erf(x / math.sqrt(2)))

    tables = [
        made[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position", "token_type")
    ]
    rows = [
        norm("embeddings.LayerNorm", [float(a + b + c) for a, b, c in zip(*picked, strict=True)])
        for picked in (
            (tables[0][token], tables[1][at], tables[2][0]) for at, token in enumerate(tokens)
        )
    ]
    width = HIDDEN // HEADS
    for at in range(LAYERS):
        name = f"encoder.layer.{at}"
        query, key, value = (
            [dense(f"{name}.attention.self.{part}", row) for row in rows]
            for part in ("query", "key", "value")
        )
        after = []
        for here, row in enumerate(rows):
            mixed: list[float] = []
            for head in range(HEADS):
                part = slice(head * width, (head + 1) * width)
                scores = [
                    math.exp(
                        sum(q * k for q, k in zip(query[here][part], one[part], strict=True))
                        / math.sqrt(width)
                    )
                    for one in key
                ]
                for column in range(part.start, part.stop):
                    weighed = (s * one[column] for s, one in zip(scores, value, strict=True))
                    mixed.append(sum(weighed) / sum(scores))
            out = dense(f"{name}.attention.output.dense", mixed)
            row = norm(
                f"{name}.attention.output.LayerNorm",
                [a + b for a, b in zip(out, row, strict=True)],
            )
            wide = [gelu(x) for x in dense(f"{name}.intermediate.dense", row)]
            out = dense(f"{name}.output.dense", wide)
            after.append(
                norm(f"{name}.output.LayerNorm", [a + b for a, b in zip(out, row, strict=True)])
            )
        rows = after
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    length = math.sqrt(sum(x * x for x in mean))
    return [x / length for x in mean]
