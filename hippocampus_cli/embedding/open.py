"""The embedder that the settings name, or the reason why there is none.

A workspace's own settings file is text that somebody may have been handed (decision D19): it may choose a server on
this machine, and among the usual places, once the user has allowed that workspace to. Where texts go otherwise, which
key is used, and that one goes to this machine, only the user's environment says: anybody may listen on a local port.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hippocampus_cli.errors import EmbedderUnavailable, ExtraMissing

if TYPE_CHECKING:
    from hippocampus_cli.config.settings import Config, Embedding
    from hippocampus_cli.embedding.consent import Allows
    from hippocampus_cli.embedding.embedder import Embedder, Opener
    from hippocampus_cli.embedding.http_client import Timing


def settings_opener(
    environ: Mapping[str, str], root: Path | None = None, config: Config | None = None
) -> Opener:
    """Opens what settings name. Keys and folders are those of ``environ``.

    Where the settings file of the workspace at ``root`` names the server in ``config``, by its address, else by the
    embedder, the user must have allowed it: a program or the user's environment that names it needs no consent.
    """
    origins = config.origins if config is not None else {}
    named = origins.get("embedding.url") or origins.get("embedding.embedder")

    return partial(_opened, environ, root if named == "config.toml" else None)


def _opened(
    environ: Mapping[str, str], root: Path | None, settings: Embedding, /
) -> Embedder | None:
    from hippocampus_cli.embedding.consent import is_allowed, user_folder
    from hippocampus_cli.embedding.models.places import models_folder

    models = models_folder(environ, Path("~").expanduser())
    allows = None if root is None else partial(is_allowed, user_folder(environ), root)
    return open_embedder(settings, models, environ, allows=allows)


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
    from hippocampus_cli.embedding.http_client import Timing, checked, is_loopback, key_in
    from hippocampus_cli.embedding.servers import DIALECTS, Remote

    dialect = DIALECTS[settings.embedder]
    plain_http = environ.get("HIPPO_ALLOW_HTTP") == "1"
    url = checked(settings.url or dialect.url, plain_http=plain_http)
    if allows is not None and not allows(settings):
        raise EmbedderUnavailable(
            reason=f"this workspace's settings name {settings.embedder},"
            " and you have not allowed them to send its texts",
            advice="if that is what you want, run `hippo config --allow-network`",
        )
    variable = settings.key_variable
    if variable:
        _check_said("key_variable", variable, environ)
    elif not is_loopback(url):  # a server of this machine gets a key only where one is named
        variable = dialect.key_variable
    key = key_in(environ, variable) if variable else None
    if url != dialect.url and (key is not None or not is_loopback(url)):
        _check_said("url", url, environ)
    timing = timing or Timing(settings.timeout_seconds)
    return Remote(dialect, url, settings.model or dialect.model, key, settings.batch, timing)


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
