"""The embedder that the settings name, or the reason why there is none.

A workspace's own settings file is text that somebody may have been handed (decision D19): it may choose a server on
this machine, and among the usual places, once the user has allowed that workspace to. Where texts go otherwise, which
key is used, and that one goes to this machine, only the user's environment says: anybody may listen on a local port.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import EmbedderUnavailable, ExtraMissing

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Config, Embedding
    from hippocampus_cli.embedding.consent import Allows
    from hippocampus_cli.embedding.embedder import Embedder
    from hippocampus_cli.embedding.http_client import Key, Timing
    from hippocampus_cli.embedding.servers import EmbeddingServer


class SettingsOpener:
    """Opens what settings name. Keys and folders are those of ``environ``.

    Where the settings file of the workspace at ``root`` names the server in ``config``, the user must have allowed
    it.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        root: Path | None = None,
        config: Config | None = None,
    ) -> None:
        self._environ = environ
        # a program or the user's environment that names the server needs no consent
        self._root = root if config is not None and _is_named_by_file(config) else None

    def __call__(self, settings: Embedding, /) -> Embedder | None:
        """The embedder, ``None`` for none."""
        from hippocampus_cli.embedding.consent import is_allowed, user_folder
        from hippocampus_cli.embedding.models.places import models_folder

        models = models_folder(self._environ, sys.platform, Path("~").expanduser())
        root = self._root
        allows = None if root is None else partial(is_allowed, user_folder(self._environ), root)
        return open_embedder(settings, models, self._environ, allows=allows)


def _is_named_by_file(config: Config) -> bool:
    """Whether the workspace's own file says which server is asked: by its address, else by the embedder."""
    origins = config.origins
    named = origins.get("embedding.url") or origins.get("embedding.embedder", "")
    return named == "config.toml"


def open_embedder(
    settings: Embedding,
    models: Path,
    environ: Mapping[str, str],
    timing: Timing | None = None,
    allows: Allows | None = None,
) -> Embedder | None:
    """The embedder of ``settings``; None for ``none``. ``models`` is the folder of installed models.

    ``allows`` says whether a server may be asked, this machine's own included; without it any may.

    Raises :class:`ExtraMissing` where numpy is not installed, :class:`EmbedderUnavailable` where the model is
    not, a key is missing, or a place is named that the workspace may not name. Asks nobody for anything.
    """
    if settings.embedder == "none":
        return None
    _check_installed("embeddings", "numpy")
    if settings.embedder == "use-multilingual":
        _check_installed("the embedder use-multilingual", "threadpoolctl")
        from hippocampus_cli.embedding.sentence_encoder import pinned
        from hippocampus_cli.embedding.sentence_encoder.model import SentenceEncoder

        return SentenceEncoder.open(models / pinned.FOLDER)
    return _remote(settings, environ, timing, allows)


def _remote(
    settings: Embedding, environ: Mapping[str, str], timing: Timing | None, allows: Allows | None
) -> Embedder:
    from hippocampus_cli.embedding.http_client import Timing, checked, is_loopback
    from hippocampus_cli.embedding.servers import DIALECTS, Remote

    dialect = DIALECTS[settings.embedder]
    plain_http = environ.get("HIPPO_ALLOW_HTTP") == "1"
    url = checked(settings.url or dialect.url, plain_http=plain_http)
    if url != dialect.url and not is_loopback(url):
        _check_said("url", url, environ)
    if allows is not None and not allows(settings):
        raise EmbedderUnavailable(
            reason=f"this workspace's settings name {settings.embedder},"
            " and you have not allowed them to send its texts",
            advice="if that is what you want, run `hippo config --allow-network`",
        )
    key = _key(settings, dialect, url, environ)
    if key is not None and url != dialect.url:
        _check_said("url", url, environ)
    timing = timing or Timing(settings.timeout_seconds, time.monotonic, time.sleep)
    return Remote(dialect, url, settings.model or dialect.model, key, settings.batch, timing)


def _key(
    settings: Embedding, dialect: EmbeddingServer, url: str, environ: Mapping[str, str]
) -> Key | None:
    """The key; none where the server is this machine's own and no variable was named."""
    from hippocampus_cli.embedding.http_client import is_loopback, key_in

    if settings.key_variable:
        _check_said("key_variable", settings.key_variable, environ)
        return key_in(environ, settings.key_variable)
    if is_loopback(url) or not dialect.key_variable:
        return None
    return key_in(environ, dialect.key_variable)


def _check_said(name: str, value: str, environ: Mapping[str, str]) -> None:
    """Raises unless the environment itself says ``embedding.name``."""
    variable = f"HIPPO_EMBEDDING_{name.upper()}"
    if variable not in environ:
        raise EmbedderUnavailable(
            reason=f"a workspace's settings alone may not name {value} as embedding.{name}",
            advice=f"if that is what you want, set the variable {variable}",
        )


def _check_installed(feature: str, module: str) -> None:
    try:
        import_module(module)
    except ImportError as error:
        raise ExtraMissing(feature=feature, extra="semantic") from error
