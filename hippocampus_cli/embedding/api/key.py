"""A secret that does not show itself: not in a repr, a log, an error or a traceback."""

from __future__ import annotations

from collections.abc import Mapping

from hippocampus_cli.errors import EmbedderUnavailable


class Key:
    """A key from the environment variable ``variable``."""

    __slots__ = ("_text", "variable")

    def __init__(self, text: str, variable: str) -> None:
        self._text = text
        self.variable = variable

    def __repr__(self) -> str:
        return f"Key(from {self.variable})"

    def reveal(self) -> str:
        """The secret itself, for the header it goes into."""
        return self._text

    def hidden_in(self, text: str) -> str:
        """``text`` without the secret, should a server have repeated it."""
        return text.replace(self._text, "[key]")


def key_in(environ: Mapping[str, str], variable: str) -> Key:
    """The key that ``variable`` holds; raises :class:`EmbedderUnavailable` where it holds none."""
    text = environ.get(variable, "").strip()
    if not text:
        raise EmbedderUnavailable(
            reason=f"there is no key in the variable {variable}",
            advice="set it, or name another one: HIPPO_EMBEDDING_KEY_VARIABLE",
        )
    if not text.isascii() or not text.isprintable() or " " in text:
        # http.client would name the whole header in its complaint
        raise EmbedderUnavailable(
            reason=f"what the variable {variable} holds is no key",
            advice="it must be one word of plain letters and signs",
        )
    return Key(text, variable)
