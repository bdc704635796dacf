"""Passwords among the arguments of programs: ``sshpass -p …``, ``curl -u me:…``, ``redis-cli -a …``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hippocampus_cli.fast_types import pattern
from hippocampus_cli.redaction.judge import is_instance
from hippocampus_cli.redaction.redactor import Span
from hippocampus_cli.redaction.rules import PASSWORD

_QUOTED = r"\"(?P<double>[^\"\n]{4,100})\"|'(?P<single>[^'\n]{4,100})'"
_ARGUMENT = f"(?:{_QUOTED}|" r"(?P<bare>[^\s\"'|;<>=-][^\s\"'|;<>]{3,100}))"
_USER = r"[\"']?[\w.@+\\-]{1,60}"
_PROGRAMS = {
    "docker login": r"docker\s+login\s(?:[^\n]*?\s)?(?:-p[= ]*|--password[= ]+)",
    "htpasswd ": r"htpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+",
    "sshpass": r"sshpass\s+-p[= ]*",
    "mysql": r"mysql\w*\s[^\n]*?-p(?=\S)",
    "curl ": rf"curl\s[^\n]*?(?:-u|--user|-U|--proxy-user)[ =]?{_USER}:",
    "wget ": r"wget\s[^\n]*?--password=",
    "redis-cli": r"redis-cli\s[^\n]*?(?:-a|--pass)[= ]",
    "mosquitto_": r"mosquitto_\w+\s[^\n]*?(?:-P|--pw) ",
    "mongo": r"mongo\w*\s[^\n]*?(?:-p|--password)[ =]",
    "zip ": r"zip\s[^\n]*?-P ?",
    "7z ": r"7za?\s[^\n]*?-p(?=\S)",
    "ldap": r"ldap\w+\s[^\n]*?-w ",
    "smbclient": rf"smbclient\s[^\n]*?-U ?{_USER}%",
    "net use": r"net use\s+(?:\w:\s+)?\\\\\S+\s+(?=[^/\s])",
    "pass:": r"-pass(?:in|out|wd)? +pass:",
    "ConvertTo-SecureString": r"ConvertTo-SecureString\s+(?:-String\s+)?(?=[\"'])",
    "lftp": rf"lftp\s[^\n]*?-u ?{_USER},",
    "chpasswd": rf"echo\s+{_USER}:(?=[^\n]*chpasswd)",
    "sudo -S": r"echo\s+(?=[^\n|]*\|\s*sudo -S)",
    "nmcli": r"nmcli\s[^\n]*?password ",
    "security ": r"security\s+(?:add|unlock)-\S+\s[^\n]*?-[pw] ",
}
"""How programs take a password, by what names them in the text."""
_FLAG = pattern(r" -(?:[apPbuUwSA][ =\"':\w]|-(?:pass|user|cookie|proxy-user|pw))")
_OTHER = pattern(
    r" -(?:[apPbuUwSA][ =\"':\w]|-(?:pass|user|cookie|proxy-user|pw))|net use |chpasswd"
)
_COOKIE = r"curl\s[^\n]*?(?:-b|--cookie)[ =]?[\"'][\w.-]{1,60}=(?P<bare>[^\s;\"']{8,})"


def of_programs(text: str) -> Iterator[Span]:
    """The passwords that stand as an argument behind a program that is known to take one there."""
    done = -1
    flags = _FLAG if "net use " not in text and "chpasswd" not in text else _OTHER
    for flag in flags.finditer(text):
        if flag.start() > done:
            start = text.rfind("\n", 0, flag.start()) + 1
            done = text.find("\n", flag.end())
            done = len(text) if done < 0 else done
            yield from _in_line(text, start, done)


def _in_line(text: str, start: int, end: int) -> Iterator[Span]:
    line = text[start:end]
    for name in _PROGRAMS:
        if name in line:
            for one in _compiled(name).finditer(line):
                group = one.lastgroup or "bare"
                value = one[group].rstrip("`.,)") if group == "bare" else one[group]
                if not is_instance(value) and value[0] not in "$/@":
                    at = start + one.start(group)
                    yield Span(at, at + len(value), PASSWORD)
    if "curl " in line:
        for one in _compiled("").finditer(line):
            if not is_instance(one["bare"]) and one["bare"][0] != "$":
                yield Span(start + one.start("bare"), start + one.end("bare"), "cookie")


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PROGRAMS[name] + _ARGUMENT if name else _COOKIE)
