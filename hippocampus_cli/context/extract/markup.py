"""HTML, XML and accessibility snapshots: title, headings, controls with their refs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from hippocampus_cli.context.extract import Extract, filled, short

# No part can run over the next tag, so that hostile input takes linear time.
_TAG = re.compile(r"<([A-Za-z][\w:.-]{0,40})([^<>]{0,4000})>([^<]{0,400})")
_SILENT = re.compile(
    r"<(script|style|noscript|template|svg)\b[^<>]*>.*?(?:</\1\b[^<>]*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([\w:.-]{1,60})=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_LABELS = ("aria-label", "title", "placeholder", "alt", "name", "value")
_REFS = ("ref", "data-ref", "aria-ref")
# A line of a snapshot: `- button "Save" [ref=e12]`, `button "Save" [ref=e12]`, `[12] button "Save"`.
_NODE = re.compile(
    r'^[ \t]{0,200}(?:[-*] )?(?:\[(?P<before>\w{1,12})\] )?(?P<role>[a-z]{2,24})(?: "(?P<name>[^"\n]{0,400})")?'
    r"(?P<rest>[^\n]{0,400})$",
    re.MULTILINE,
)
_REF = re.compile(r"\[?(?:ref|uid)=([\w-]{1,24})\]?")
_PAGE = re.compile(r"(?:Page )?(URL|Title): *([^\n]{1,300})")
_CONTROLS = frozenset(
    {"button", "link", "textbox", "checkbox", "radio", "combobox", "menuitem", "tab", "switch"}
    | {"searchbox", "slider", "option", "spinbutton", "a", "input", "select", "textarea"}
)
_HEADINGS = frozenset({"heading", "h1", "h2", "h3"})
_MOST = 60
_LEAST_NODES = 3


class Element(NamedTuple):
    """An element: its role (or tag), what it is called, and its ref, empty where there is none."""

    role: str
    name: str
    ref: str


def extract_markup(text: str) -> Extract | None:
    """The extract of a page or a snapshot of one, ``None`` for other text."""
    head = text[:2000].lstrip("\ufeff \t\r\n").lower()
    if head.startswith("<") and len(_TAG.findall(text[:20_000])) >= _LEAST_NODES:
        page = head.startswith(("<!doctype html", "<html")) or "<body" in head
        return _described("HTML page" if page else "markup", text, list(_tags(text)))
    elements = list(_lines(text))
    if sum(bool(element.ref) for element in elements) >= _LEAST_NODES:
        return _described("page snapshot", text, elements)
    return None


def _described(what: str, text: str, elements: list[Element]) -> Extract:
    said = dict(_PAGE.findall(text[:4000]))
    titles = (element.name for element in elements if element.role == "title")
    title = said.get("Title") or next(filter(None, titles), "")
    headings = dict.fromkeys(
        short(element.name, 80) for element in elements if element.role in _HEADINGS
    )
    controls = [element for element in elements if element.role in _CONTROLS]
    counts = Counter(control.role for control in controls)
    parts = {
        what: title,
        "headings": ", ".join(filter(None, [*headings][:12])),
        "controls": ", ".join(f"{count} {role}" for role, count in counts.items()),
    }
    summary = (short(f"{name}: {part}", 500) for name, part in parts.items() if part)
    refs: dict[str, str] = {}
    for element in (*controls, *elements):
        if element.ref and len(refs) < _MOST:
            refs.setdefault(short(element.name or element.role, 40), element.ref)
    lines = summary if title else (what, *summary)
    key_data = filled({"url": short(said.get("URL", ""), 300), "refs": refs})
    return Extract("markup", "\n".join(filter(None, lines)), key_data)


def _lines(text: str) -> Iterator[Element]:
    """The lines of a snapshot."""
    for line in _NODE.finditer(text):
        ref = _REF.search(line["rest"])
        name = line["name"] or (line["rest"].partition(": ")[2].strip() if ref else "")
        yield Element(line["role"], name, ref[1] if ref else line["before"] or "")


def _tags(text: str) -> Iterator[Element]:
    """Every element that opens, named by the text that follows it, or by its label."""
    for tag, given, content in _TAG.findall(_SILENT.sub(" ", text)):
        name = tag.lower()
        attributes = {key.lower(): "".join(value) for key, *value in _ATTRIBUTE.findall(given)}
        label = next(filter(None, map(attributes.get, _LABELS)), "")
        role = name if name in _HEADINGS else attributes.get("role", name).lower()
        ref = next(filter(None, map(attributes.get, _REFS)), "")
        if not ref and role in _CONTROLS and attributes.get("id"):
            ref = f"#{attributes['id']}"
        yield Element(role, unescape(" ".join(content.split()) or label), short(ref, 40))
