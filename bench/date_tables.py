"""Writes the tables of date words in other languages, from the Unicode CLDR and a few lines of our own.

The CLDR has the names of months and weekdays and phrases such as *last week* and *3 days ago*; it has neither
number words nor cases that only occur after a preposition: these stand in date_words.txt. The JSON of the CLDR
comes with the package ``cldr-dates-full``::

    python -m bench.date_tables PACKAGE/main
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LANGUAGES = "de fr es it pt nl sv da nb fi pl cs sk hr sl ro hu tr vi id ru uk bg el".split()  # noqa: SIM905
MONTHS = "january february march april may june july august september october november december"
SHORT = "jan feb mar apr may jun jul aug sep oct nov dec"
DAYS = {
    "mon": "monday",
    "tue": "tuesday",
    "wed": "wednesday",
    "thu": "thursday",
    "fri": "friday",
    "sat": "saturday",
    "sun": "sunday",
}
RELATIVE_DAYS = {
    "-2": "day before yesterday",
    "-1": "yesterday",
    "0": "today",
    "1": "tomorrow",
    "2": "day after tomorrow",
}
WHICH = {"-1": "last", "0": "this", "1": "next"}
# Words of the CLDR that are common words of another meaning in their own language or another: no sign of a date.
DOUBTFUL = frozenset(
    "mart mars mai maj mei mar marts set ocak ekim lis ago out dez avg juni juli abril august".split()  # noqa: SIM905
)
DATA = Path(__file__).parents[1] / "hippocampus_cli" / "dates" / "data"


def main(folder: Path) -> None:
    """Writes the phrases of all languages, and the words by which a query sees that it needs them."""
    tables = {language: lines(folder, language) for language in LANGUAGES}
    parts = [
        "Words of dates in other languages, made by python -m bench.date_tables from the Unicode CLDR 48.",
        "Numbers are marked with #, common words that are no sign of a language by themselves with ~.",
    ]
    for language, rows in tables.items():
        parts += [f"@ {language}", *rows]
    (DATA / "languages.txt").write_text("\n".join([*parts, ""]), encoding="utf-8")
    signs = (" ".join([word, *dict.fromkeys(of)]) for word, of in sorted(_signs(tables).items()))
    (DATA / "signs.txt").write_text("\n".join(["", *signs, ""]), encoding="utf-8")


def _signs(tables: dict[str, list[str]]) -> dict[str, list[str]]:
    """Of each word that a phrase begins with, the languages it may be of."""
    signs: dict[str, list[str]] = {}
    for language, rows in tables.items():
        for row in rows:
            words = row.lstrip("~").partition("=")[0].split()
            sign = next((word for word in words if len(word) > 2 and word != "{n}"), "")
            if sign and not row.startswith("#"):
                signs.setdefault(sign, []).append(language)
    return signs


def lines(folder: Path, language: str) -> list[str]:
    """The lines of one language, longest phrases first."""
    numbers, own = _own(language)
    found: dict[str, str] = {}
    for phrase, english in (*_calendar(folder, language), *_fields(folder, language)):
        found.setdefault(_normal(phrase), english)
        first, _, rest = _normal(phrase).partition(" ")
        if " " in rest and len(first) < 4 and "{0}" not in phrase:  # an article or a preposition
            found.setdefault(rest, english)
    weak = dict(own)
    latin = language not in ("ru", "uk", "bg", "el")
    rows = [
        ("~" if latin and (phrase in DOUBTFUL or (len(phrase) < 4 and phrase.isascii())) else "")
        + f"{phrase}={english}"
        for phrase, english in found.items()
    ]
    certain = ("yesterday", "day", "3") if latin else ("yesterday", "day", "3", *MONTHS.split())
    rows += [
        ("~" if " " not in phrase and english.split()[0] not in certain else "")
        + f"{phrase}={english}"
        for phrase, english in weak.items()
        if phrase not in found
    ]
    rows += [
        f"#{form}={number}"
        for number, forms in enumerate(numbers.split(), 1)
        for form in forms.split("/")
    ]
    return sorted(dict.fromkeys(rows))


def _normal(phrase: str) -> str:
    return " ".join(re.findall(r"\{n\}|\w+", phrase.lower().replace("{0}", "{n}")))


def _calendar(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    dates = json.loads((folder / language / "ca-gregorian.json").read_text())["main"][language][
        "dates"
    ]
    for style in ("format", "stand-alone"):
        names = dates["calendars"]["gregorian"]["months"][style]
        for number, (name, short) in enumerate(zip(MONTHS.split(), SHORT.split(), strict=True), 1):
            yield names["wide"][str(number)], name
            if (
                not names["abbreviated"][str(number)].strip(".").isdigit()
                and len(names["abbreviated"][str(number)].strip(".")) > 2
            ):
                yield names["abbreviated"][str(number)], short
        days = dates["calendars"]["gregorian"]["days"][style]
        for short, day in DAYS.items():
            yield days["wide"][short], day


def _fields(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    fields = json.loads((folder / language / "dateFields.json").read_text())["main"][language][
        "dates"
    ]["fields"]
    for key, english in RELATIVE_DAYS.items():
        if phrase := fields["day"].get(f"relative-type-{key}"):
            yield phrase, english
    for unit in ("week", "month", "quarter", "year", *DAYS):
        for key, which in WHICH.items():
            if phrase := fields[unit].get(f"relative-type-{key}"):
                yield phrase, f"{which} {DAYS.get(unit, unit)}"
    for unit in ("day", "week", "month", "quarter", "year"):
        for tense, end in (("past", "ago"), ("future", "from now")):
            for name, pattern in fields[unit].get(f"relativeTime-type-{tense}", {}).items():
                if "{0}" not in pattern:
                    continue
                yield pattern, f"{{n}} {unit}s {end}"
                if name.endswith("one") and pattern.startswith("{0} ") and " " in pattern[4:]:
                    yield pattern.replace("{0}", ""), f"1 {unit}s {end}"


def _own(language: str) -> tuple[str, list[tuple[str, str]]]:
    """The number words of a language, and its other words with their English."""
    text = Path(__file__).with_name("date_words.txt").read_text(encoding="utf-8")
    first, *lines = text.partition(f"@ {language}\n")[2].partition("\n@")[0].splitlines()
    words: list[tuple[str, str]] = []
    for line in lines:
        english, _, phrases = line.partition(": ")
        words += [(_normal(phrase.replace("_", " ")), english) for phrase in phrases.split()]
    return first.removeprefix("numbers: "), words


if __name__ == "__main__":
    main(Path(sys.argv[1]))
