"""Where an embedder answers: https anywhere, plain http on this machine only."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from hippocampus_cli.errors import EmbedderUnavailable


def checked(url: str, *, plain_http: bool = False) -> str:
    """``url`` as it was, without a slash at its end.

    Raises :class:`EmbedderUnavailable` unless it is https, or http on a loopback address, or ``plain_http``
    has been allowed; a user or password in it is refused, for it would be shown in errors.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise _refused("embedding.url", "it is no URL") from None
    if parts.scheme not in ("https", "http") or not host:
        raise _refused(host or "embedding.url", "only https:// and http:// are spoken")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise _refused(host, "it must hold no user, no password and nothing after the path")
    if parts.scheme == "http" and not plain_http and not is_loopback(url):
        raise _refused(host, "http is for this machine; elsewhere anybody on the way could read it")
    return url.rstrip("/")


def is_loopback(url: str) -> bool:
    """Whether ``url`` leads to this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(url: str) -> str:
    """The host, with its port where one is named."""
    return urlsplit(url).netloc


def _refused(where: str, reason: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        reason=f"{where}: {reason}", advice="correct embedding.url (`hippo config embedding`)"
    )
