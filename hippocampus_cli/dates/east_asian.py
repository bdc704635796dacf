"""Dates in Chinese, Japanese and Korean, put into the English that the grammar of dates reads.

These are written without spaces between words, so phrases are looked for in the text itself: ``上周三`` becomes
``wednesday last week``, ``３日前`` becomes ``3 days ago``, ``令和6年5月`` becomes ``2024-05``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache

from hippocampus_cli.fast_types import NamedTuple

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "兩": 2,
    "元": 1,
}
_ERAS = {
    "令和": 2018,
    "平成": 1988,
    "昭和": 1925,
    "大正": 1911,
    "明治": 1867,
    "民国": 1911,
    "民國": 1911,
}
_UNTIL = re.compile(r"\s*(?:まで|为止|為止|까지)")
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_N = r"(?:[0-9０-９]{1,4}|[〇零一二三四五六七八九十两兩百元]{1,5})"
_Y = r"(?:[0-9０-９]{4}|[〇零一二三四五六七八九]{4})"
_WEEKDAY = {
    char: number
    for number, chars in enumerate(
        ("一月월", "二火화", "三水수", "四木목", "五金금", "六土토", "日天七일")
    )
    for char in chars
}
_UNITS = (
    (r"天|日間|日|일", "days"),
    (r"[个個]?(?:星期|礼拜|禮拜)|周|週間|週|주일?", "weeks"),
    (r"[个個]月|[かヶカケ箇]月|月|개월|달", "months"),
    (r"年間|年|년", "years"),
)
_WEEK = r"(?:[个個]?(?:星期|礼拜|禮拜)|周|週)"
_LAST, _THIS, _NEXT = r"上|先|지난 ?", r"[这這]|本|今|이번 ?", r"下|[来來]|다음 ?"
_FIXED = {
    "大前天|大前日": "3 days ago",
    "前天|一昨日|おととい|그저께|그제": "day before yesterday",
    "昨天|昨日|昨晚|昨夜|きのう|어제": "yesterday",
    "今天|今日|本日|今早|今晚|今朝|今夜|きょう|오늘": "today",
    "翌日": "tomorrow",
    "翌々日": "day after tomorrow",
    "再来月|下下[个個]?月": "2 months from now",
    f"下下{_WEEK}|再来週": "2 weeks from now",
    "元旦|元日": "1 january",
    "大晦日": "31 december",
    "明天|明日|明早|明晚|聽日|听日|あした|내일": "tomorrow",
    "大后天|大後天|明々後日|しあさって": "3 days from now",
    "后天|後天|後日|明後日|あさって|모레": "day after tomorrow",
    "上上[个個]?月|先々月": "2 months ago",
    f"上上{_WEEK}|先々週": "2 weeks ago",
    f"(?:上{_WEEK}|先週の?)末?(?:周末|週末)|上[个個](?:周末|週末)|先週末|上(?:周|週)末|지난 ?주말": "last weekend",
    "(?:这[个個]?|這個?|本|今)?(?:周末|週末)|이번 ?주말|주말": "this weekend",
    "上[个個]?月|先月|지난 ?달": "last month",
    "[这這][个個]?月|本月|今月|이번 ?달": "this month",
    "下[个個]?月|来月|來月|다음 ?달": "next month",
    f"上{_WEEK}|先週|지난 ?주": "last week",
    f"(?:[这這]|本|今){_WEEK}|今週|이번 ?주": "this week",
    f"下{_WEEK}|来週|來週|다음 ?주": "next week",
    "去年|昨年|作年|작년|지난해": "last year",
    "今年|올해": "this year",
    "明年|来年|來年|내년": "next year",
    "前年|一昨年|재작년": "2 years ago",
    "[后後]年|再来年|大后年": "2 years from now",
    "上[个個]?季度|前四半期": "last quarter",
    "[这這][个個]?季度|本季度|今四半期": "this quarter",
    "[几幾数數]天前|数日前|며칠 전": "a few days ago",
    "[几幾数數](?:周|週|个星期|個星期)前|数週間前": "a few weeks ago",
    "[几幾数數][个個]月前|数[かヶカ]月前": "a few months ago",
    "半年前": "6 months ago",
    "月初": "beginning of this month",
    "月底|月末": "end of this month",
    "年初": "beginning of this year",
    "年底|年末": "end of this year",
}
_OLD_MONTHS = [
    "睦月",
    "如月",
    "弥生",
    "卯月",
    "皐月",
    "水無月",
    "文月",
    "葉月",
    "長月",
    "神無月",
    "霜月",
    "師走",
]
_THIRDS = {
    "初": "early",
    "上旬": "early",
    "头": "early",
    "中旬": "mid",
    "中": "mid",
    "半ば": "mid",
    "底": "late",
    "末": "late",
    "下旬": "late",
}
_RELATIVE_YEARS = {
    "去": -1,
    "昨": -1,
    "今": 0,
    "明": 1,
    "来": 1,
    "來": 1,
    "前": -2,
    "一昨": -2,
    "再来": 2,
    "后": 2,
    "後": 2,
}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_AFTERWARDS = (
    (r"以[来來]|[开開]始|起|以降|から|부터", "since"),
    (r"(?:之|以)?[后後]", "after"),
    (r"(?:之|以)?前|이전", "before"),
    (r"まで|[为為]止|까지", "until"),
)


class DatePhrase(NamedTuple):
    """Where a phrase stands in a text, and what it is in English."""

    start: int
    end: int
    english: str


def phrases(text: str, today: date) -> list[DatePhrase]:
    """The phrases of days in a text, in its order."""
    found: list[DatePhrase] = []
    at = 0
    while at < len(text):
        one = next(filter(None, (rule(text, at, today) for rule in _rules())), None)
        if one is None:
            at += 1
            continue
        found.append(one)
        at = one.end
    return list(_joined(text, found))


def _joined(text: str, found: list[DatePhrase]) -> Iterator[DatePhrase]:
    """With what stands after a phrase and English puts before: ``3月以来``, ``3月から5月まで``."""
    at = 0
    while at < len(found):
        one = found[at]
        other = found[at + 1] if at + 1 < len(found) else None
        if other and re.fullmatch(
            r"\s*(?:到|至|から|[~〜～—–-]|부터)\s*", text[one.end : other.start]
        ):
            until = _UNTIL.match(text, other.end)
            end = until.end() if until else other.end
            yield DatePhrase(one.start, end, f"from {_bare(one)} to {_bare(other)}")
            at += 2
            continue
        yield _opened(text, one)
        at += 1


def _bare(one: DatePhrase) -> str:
    return one.english.removeprefix("in ").removeprefix("on ")


def _opened(text: str, one: DatePhrase) -> DatePhrase:
    if one.english.endswith(("ago", "from now")):
        return one
    for pattern, english in _AFTERWARDS:
        if after := re.compile(pattern).match(text, one.end):
            return DatePhrase(one.start, after.end(), f"{english} {_bare(one)}")
    return one


def number(text: str) -> int:
    """The value of digits of any width, or of Chinese ones (``十二``, ``二〇二四``); 0 for what is none."""
    if text.isdecimal():
        return int(text)
    if "百" in text:
        head, _, rest = text.partition("百")
        return 100 * (_DIGITS.get(head, 0) or 1) + (number(rest.removeprefix("零")) if rest else 0)
    if "十" in text:
        head, _, rest = text.partition("十")
        return 10 * (_DIGITS.get(head, 0) if head else 1) + (_DIGITS.get(rest, 0) if rest else 0)
    return int("".join(str(_DIGITS.get(char, 0)) for char in text) or 0)


def _year_of(found: re.Match[str], today: date) -> int:
    if found["era"]:
        return _ERAS[found["era"]] + number(found["in_era"])
    if found["relative"]:
        return today.year + _RELATIVE_YEARS[found["relative"]]
    return number(found["year"]) if found["year"] else 0


def _dated(found: re.Match[str], today: date) -> str:
    """``2024年1月15日``, ``去年5月``, ``三月初``, ``5月``."""
    year, month = _year_of(found, today), number(found["month"] or "")
    day, third = number(found["day"] or ""), _THIRDS.get(found["third"] or "")
    if not 1 <= month <= 12 or day > 31:
        return ""
    if day:
        return f"{year:04}-{month:02}-{day:02}" if year else f"{day} {_MONTHS[month - 1]}"
    whole = f"{_MONTHS[month - 1]} {year:04}" if year else _MONTHS[month - 1]
    return f"{third} {whole}" if third else whole if year else f"in {whole}"


def _whole_year(found: re.Match[str], today: date) -> str:
    """``2024年``, ``2024年底``; of *last year* there is a phrase."""
    year, third = _year_of(found, today), _THIRDS.get(found["third"] or "")
    if not year or found["relative"]:
        return ""
    return f"{third} {year:04}" if third else f"in {year:04}"


def _of_month(found: re.Match[str], today: date) -> str:
    """``来月の15日``, ``上个月15号``."""
    steps = -1 if found["last"] else 1 if found["next"] else 0
    years, month = divmod(today.month - 1 + steps, 12)
    return f"{today.year + years:04}-{month + 1:02}-{number(found['day']):02}"


def _old_month(found: re.Match[str], today: date) -> str:
    """``昨年弥生３日``."""
    month, day, year = _OLD_MONTHS.index(found["name"]) + 1, found["day"], _year_of(found, today)
    if day:
        number_of_day = number(day)
        if year:
            return f"{year:04}-{month:02}-{number_of_day:02}"
        return f"{number_of_day} {_MONTHS[month - 1]}"
    return f"{_MONTHS[month - 1]} {year:04}" if year else ""


def _numeric(found: re.Match[str], today: date) -> str:
    return f"{number(found[1]):04}-{number(found[2]):02}-{number(found[3]):02}"


def _weekday(found: re.Match[str], today: date) -> str:
    """``上周三``, ``今週の水曜日``, ``星期五``."""
    name = _DAYS[_WEEKDAY[found["day"]]]
    if found["last"] or found["next"]:
        return f"{name} {'last' if found['last'] else 'next'} week"
    return f"{'this' if found['this'] else 'on'} {name}"


def _away(found: re.Match[str], today: date) -> str:
    """``三天前``, ``2週間後``, ``最近两周``."""
    unit = next(unit for at, (_, unit) in enumerate(_UNITS) if found[f"unit{at}"])
    count = number(found["count"])
    if not count:
        return ""
    if found["past"]:
        return f"last {count} {unit}"
    return f"{count} {unit} {'ago' if found['ago'] else 'from now'}"


def _quarter(found: re.Match[str], today: date) -> str:
    return f"q{number(found['quarter'])} {_year_of(found, today):04}"


def _season(found: re.Match[str], today: date) -> str:
    return f"{_SEASONS[found['season']]} {_year_of(found, today):04}"


_English = Callable[[re.Match[str], date], str]
_Rule = Callable[[str, int, date], DatePhrase | None]
_NONE = r"(?P<{}>\b\B)?"  # a group that is in the pattern and never in a text
_YEAR = (
    rf"(?:(?P<era>{'|'.join(_ERAS)})(?P<in_era>{_N})年[的の]?"
    rf"|(?P<relative>[去今明来來前后後]|一?昨|再来)年[的の]?|(?P<year>{_Y})\s*[年년][的の]?)\s*"
)
_NOT_AWAY = "(?!前|間|后|後|[之以][前后後])"  # 3月前 is three months ago
_MONTH = rf"(?<![0-9０-９])(?P<month>{_N})\s*[月월]{_NOT_AWAY}"
_WEEKS = r"(?:[个個])?(?:星期|礼拜|禮拜|周|週|주)の? ?"
_UNIT = "|".join(f"(?P<unit{at}>{unit})" for at, (unit, _) in enumerate(_UNITS))
_THIRD = f"(?P<third>{'|'.join(sorted(_THIRDS, key=len, reverse=True))})"
_D = "[0-9０-９]"
_S = r"\s*[-/.．／]\s*"


@cache
def _rules() -> tuple[_Rule, ...]:
    """In the order in which they are tried at a place: a longer phrase before what it begins with."""
    no_week = "".join(_NONE.format(name) for name in ("last", "this", "next"))
    which_week = f"(?:(?P<last>(?:{_LAST}){_WEEKS})|(?P<this>(?:{_THIS}){_WEEKS})|(?P<next>(?:{_NEXT}){_WEEKS}))"
    last_month, next_month = (
        "(?P<last>上[个個]?月|先月|지난 ?달)",
        "(?P<next>下[个個]?月|[来來]月|다음 ?달)",
    )
    which_month = f"(?:{last_month}|{next_month}|[这這本今][个個]?月|이번 ?달)"
    patterns: tuple[tuple[str, _English], ...] = (
        (rf"(?<!{_D})({_D}{{4}}){_S}({_D}{{1,2}}){_S}({_D}{{1,2}})(?!{_D})", _numeric),
        (rf"{which_month}[的の]? ?(?P<day>{_N})\s*[日号號일]", _of_month),
        (rf"(?:{_YEAR})?(?P<name>{'|'.join(_OLD_MONTHS)})(?:(?P<day>{_N})日)?", _old_month),
        (rf"{_YEAR}第?(?P<quarter>[1-4一二三四])(?:季度|四半期)", _quarter),
        (rf"{_YEAR}(?P<season>[春夏秋冬])[天季]?", _season),
        (rf"(?:{_YEAR})?{_MONTH}\s*(?:の?{_THIRD}|(?P<day>{_N})\s*[日号號일])?", _dated),
        (rf"{_YEAR}(?P<third>初|头|底|末)?{_NOT_AWAY}", _whole_year),
        (
            rf"(?P<past>最近|[过過]去|近|지난 ?|ここ)[的の]?(?P<count>{_N})\s*(?:{_UNIT}){_NONE.format('ago')}",
            _away,
        ),
        (
            rf"{_NONE.format('past')}(?:大[约約]|約|约)?(?P<count>{_N})\s*(?:{_UNIT})"
            r"\s*(?:(?P<ago>(?:之|以)?前|전)|(?:之|以)?[后後内內]|후|뒤)",
            _away,
        ),
        (
            rf"{which_week}(?P<day>[一二三四五六日天月火水木金土월화수목금토일])(?:曜日?|요일)?(?![0-9月期])",
            _weekday,
        ),
        (rf"{no_week}(?:星期|礼拜|禮拜|周|週)(?P<day>[一二三四五六日天])", _weekday),
        (
            rf"{no_week}(?P<day>[月火水木金土日](?=曜)|[월화수목금토일](?=요일))(?:曜日?|요일)",
            _weekday,
        ),
        *((pattern, _constant(english)) for pattern, english in _FIXED.items()),
    )
    return tuple(_rule(pattern, english) for pattern, english in patterns)


def _constant(english: str) -> _English:
    return lambda found, today: english


def _rule(pattern: str, english: _English) -> _Rule:
    compiled = re.compile(pattern)

    def rule(text: str, at: int, today: date) -> DatePhrase | None:
        found = compiled.match(text, at)
        said = english(found, today) if found else ""
        return DatePhrase(at, found.end(), said) if found and said else None

    return rule
