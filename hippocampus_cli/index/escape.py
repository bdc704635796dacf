"""Percent-escapes for the few characters that would break the format.

``|`` ends a metadata field, ``,`` a list item, ``>`` could end the comment (``-->``), a line break ends a line,
``§`` starts a section name, and a space at the end of a path would be lost. Where a value holds one of them
it is written as ``%7C``, ``%2C``, ``%3E``, ``%0A``, ``%0D``, ``%C2%A7``, ``%60`` (a backtick), ``%20``. A ``%``
is escaped (``%25``) only where it would otherwise read as such a code, so ``100%`` stays as it is. Anything
else after a ``%`` is literal text.
"""

from __future__ import annotations

import re

from hippocampus_cli.light import pattern

_CODES = {
    "%": "25",
    "|": "7C",
    ",": "2C",
    ">": "3E",
    "\n": "0A",
    "\r": "0D",
    "§": "C2%A7",
    "`": "60",
    " ": "20",
}
_CHARS = {code: char for char, code in _CODES.items()}
_ESCAPE = pattern(r"%(25|7C|2C|3E|0A|0D|60|20|C2%A7)", re.IGNORECASE)

FIELD = "|>\n\r"
LIST_ITEM = FIELD + ","
POINTER = "|\n\r§`"


def escape(text: str, special: str) -> str:
    """``text`` with every character of ``special`` written as its code; :func:`unescape` is the inverse."""
    guarded = _ESCAPE.sub(lambda found: "%25" + found.group(1), text)
    return re.sub(f"[{re.escape(special)}]", lambda found: "%" + _CODES[found.group()], guarded)


def unescape(text: str) -> str:
    """``text`` with the codes of this module read back; every other ``%`` is left alone."""
    if "%" not in text:
        return text
    return _ESCAPE.sub(lambda found: _CHARS[found.group(1).upper()], text)
