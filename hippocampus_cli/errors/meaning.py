"""What can fail where texts are compared by meaning."""

from __future__ import annotations

from hippocampus_cli.errors.root import HippoError


class EmbedderUnavailable(HippoError):
    """The model that turns texts into vectors cannot be had at all."""

    code = "no-embedder"
    exit_code = 19
    what = "texts cannot be turned into vectors: {reason}"
    next = "{advice}"


class ModelMissing(EmbedderUnavailable):
    code = "model-missing"
    what = "the model {model!r} cannot be used: {reason}"
    next = "install it: hippo models install {model}"


class ModelRefused(EmbedderUnavailable):
    """A model was not installed; what was installed before is as it was."""

    code = "model-refused"
    what = "the model was not installed: {reason}"


class EmbeddingFailed(HippoError):
    """The model is there, or should be, and did not answer as it must. Never holds a key."""

    code = "embedding-failed"
    exit_code = 20
    what = "{model} gave no vectors: {reason}"
    next = "{advice}"


def words_only(error: HippoError) -> str:
    """What a person is told where ``error`` left the words alone to decide."""
    return f"only words were compared: {error.message} ({error.advice})"


class NearestFailed(EmbeddingFailed):
    """The index of the vectors, not the vectors: without it their signs find the nearest."""

    code = "vector-index"
    what = "the vector index at {place} cannot be queried: {reason}"
    next = "{advice}"
