"""HTML, XML and accessibility snapshots: title, headings, controls with their refs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from hippocampus_cli.context.lifecycle.extract import Extract, extracted, short

# No part can run over the next tag, so that hostile input takes linear time.
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]{0,40})([^<>]{0,4000})>")
_ATTRIBUTE = re.compile(
    r"""([A-Za-z_:][\w:.-]{0,60})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))"""
)
# A line of a snapshot: `- button "Save" [ref=e12]`, `button "Save" [ref=e12]`, `[12] button "Save"`.
_NODE = re.compile(
    r'^[ \t]{0,200}(?:[-*] )?(?:\[(?P<before>\w{1,12})\] )?(?P<role>[a-z]{2,24})(?: "(?P<name>[^"\n]{0,400})")?'
    r"(?P<rest>[^\n]{0,400})$",
    re.MULTILINE,
)
_REF = re.compile(r"\[?(?:ref|uid)=([\w-]{1,24})\]?")
_URL = re.compile(r"(?:Page )?URL: *(\S{1,300})")
_TITLE = re.compile(r"(?:Page )?Title: *([^\n]{1,200})")
_CONTROLS = frozenset(
    {"button", "link", "textbox", "checkbox", "radio", "combobox", "menuitem", "tab", "switch"}
    | {"searchbox", "slider", "option", "spinbutton", "a", "input", "select", "textarea"}
)
_HEADINGS = frozenset({"heading", "h1", "h2", "h3"})
_SILENT = frozenset({"script", "style", "noscript", "template", "svg"})
_MOST = 60
_LEAST_NODES = 3


class Node(NamedTuple):
    """An element: its role (or tag), what it is called, and its ref, empty where there is none."""

    role: str
    name: str
    ref: str = ""


def extract_markup(text: str, hint: str) -> Extract | None:
    """The extract of a page or a snapshot of one, ``None`` for other text."""
    head = text[:2000].lstrip("\ufeff \t\r\n")
    if head.startswith("<") and len(_TAG.findall(text[:20_000])) >= _LEAST_NODES:
        page = head[:200].lower().startswith(("<!doctype html", "<html")) or "<body" in head.lower()
        return _described("HTML page" if page else "markup", text, list(_elements(text)))
    nodes = list(_snapshot(text))
    if sum(bool(node.ref) for node in nodes) >= _LEAST_NODES:
        return _described("page snapshot", text, nodes)
    return None


def _described(what: str, text: str, nodes: list[Node]) -> Extract:
    title = next((node.name for node in nodes if node.role == "title" and node.name), "")
    headings = _names(node for node in nodes if node.role in _HEADINGS)
    controls = [node for node in nodes if node.role in _CONTROLS]
    lines = [f"{what}: {title}" if title else what]
    if headings:
        lines.append("headings: " + ", ".join(headings[:12]))
    if controls:
        counts: dict[str, int] = {}
        for node in controls:
            counts[node.role] = counts.get(node.role, 0) + 1
        lines.append("controls: " + ", ".join(f"{count} {role}" for role, count in counts.items()))
    if not headings and not controls:
        lines.append(", ".join(_names(nodes)[:8]))
    url = _URL.search(text[:4000])
    found = url and short(url[1], 300)
    return extracted("markup", (short(line, 500) for line in lines), url=found, refs=_refs(nodes))


def _refs(nodes: list[Node]) -> dict[str, str]:
    """Refs by the names of their elements; controls first, and each name once with its first ref."""
    found: dict[str, str] = {}
    for control in (True, False):
        for node in nodes:
            if node.ref and (node.role in _CONTROLS) is control and len(found) < _MOST:
                found.setdefault(short(node.name or node.role, 40), node.ref)
    return found


def _names(nodes: Iterator[Node] | list[Node]) -> list[str]:
    return list(dict.fromkeys(short(node.name, 80) for node in nodes if node.name.strip()))


def _snapshot(text: str) -> Iterator[Node]:
    if title := _TITLE.search(text[:4000]):
        yield Node("title", title[1])
    for found in _NODE.finditer(text):
        ref = _REF.search(found["rest"])
        said = found["name"] or (found["rest"].partition(": ")[2].strip() if ref else "")
        yield Node(found["role"], said, ref[1] if ref else found["before"] or "")


def _elements(text: str) -> Iterator[Node]:
    """Every element that opens, named by its label or by the text that follows it."""
    at, silent = 0, ""
    waiting: tuple[str, dict[str, str]] | None = None
    for tag in _TAG.finditer(text):
        closing, name = tag[1], tag[2].lower()
        if waiting:
            between = text[at : min(tag.start(), at + 400)]
            yield _node(*waiting, between)
            waiting = None
        at = tag.end()
        if silent:
            silent = "" if closing and name == silent else silent
        elif not closing:
            silent = name if name in _SILENT and not tag[3].endswith("/") else ""
            waiting = None if silent else (name, _attributes(tag[3]))
    if waiting:
        yield _node(*waiting, text[at : at + 400])


def _node(tag: str, attributes: dict[str, str], text: str) -> Node:
    def first(*keys: str) -> str:
        return next(filter(None, map(attributes.get, keys)), "")

    label = first("aria-label", "title", "placeholder", "alt")
    words = " ".join(unescape(text).split())
    named = words or unescape(label) or first("name", "value")
    ref = first("ref", "data-ref", "aria-ref")
    role = attributes.get("role", tag).lower()
    if not ref and (role in _CONTROLS or tag in _CONTROLS) and attributes.get("id"):
        ref = f"#{attributes['id']}"
    return Node(tag if tag in _HEADINGS | {"title"} else role, named, short(ref, 40))


def _attributes(text: str) -> dict[str, str]:
    if "=" not in text:
        return {}
    found = _ATTRIBUTE.findall(text)
    return {name.lower(): double or single or bare for name, double, single, bare in found}
