"""HTML, XML and accessibility snapshots: title, headings, controls with their refs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import unescape
from typing import NamedTuple

from hippocampus_cli.context.extract import Extract, extracted, short

# No part can run over the next tag, so that hostile input takes linear time.
_TAG = re.compile(r"<([A-Za-z][\w:.-]{0,40})([^<>]{0,4000})>([^<]{0,400})")
_SILENT = re.compile(
    r"<(script|style|noscript|template|svg)\b[^<>]*>.*?(?:</\1\b[^<>]*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
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
_MOST = 60
_LEAST_NODES = 3


class Element(NamedTuple):
    """An element: its role (or tag), what it is called, and its ref, empty where there is none."""

    role: str
    name: str
    ref: str = ""


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
    title = next(
        (element.name for element in elements if element.role == "title" and element.name), ""
    )
    headings = _names(element for element in elements if element.role in _HEADINGS)
    controls = [element for element in elements if element.role in _CONTROLS]
    counts = Counter(control.role for control in controls)
    lines = [f"{what}: {title}" if title else what]
    if headings:
        lines.append("headings: " + ", ".join(headings[:12]))
    if controls:
        lines.append("controls: " + ", ".join(f"{count} {role}" for role, count in counts.items()))
    url = _URL.search(text[:4000])
    refs: dict[str, str] = {}
    for element in (*controls, *elements):
        if element.ref and len(refs) < _MOST:
            refs.setdefault(short(element.name or element.role, 40), element.ref)
    summary = (short(line, 500) for line in lines)
    return extracted("markup", summary, url=url and short(url[1], 300), refs=refs)


def _names(elements: Iterable[Element]) -> list[str]:
    return list(
        dict.fromkeys(short(element.name, 80) for element in elements if element.name.strip())
    )


def _lines(text: str) -> Iterator[Element]:
    """The lines of a snapshot."""
    if title := _TITLE.search(text[:4000]):
        yield Element("title", title[1])
    for line in _NODE.finditer(text):
        ref = _REF.search(line["rest"])
        name = line["name"] or (line["rest"].partition(": ")[2].strip() if ref else "")
        yield Element(line["role"], name, ref[1] if ref else line["before"] or "")


def _tags(text: str) -> Iterator[Element]:
    """Every element that opens, named by its label or by the text that follows it."""
    for tag in _TAG.finditer(_SILENT.sub(" ", text)):
        name = tag[1].lower()
        given = _ATTRIBUTE.findall(tag[2]) if "=" in tag[2] else ()
        attributes = {key.lower(): double or single or bare for key, double, single, bare in given}

        def first(*keys: str, of: dict[str, str] = attributes) -> str:
            return next(filter(None, map(of.get, keys)), "")

        label = unescape(first("aria-label", "title", "placeholder", "alt"))
        called = " ".join(unescape(tag[3]).split()) or label or first("name", "value")
        role = attributes.get("role", name).lower()
        ref = first("ref", "data-ref", "aria-ref")
        if not ref and {role, name} & _CONTROLS and first("id"):
            ref = f"#{first('id')}"
        own = name in _HEADINGS or name == "title"
        yield Element(name if own else role, called, short(ref, 40))
