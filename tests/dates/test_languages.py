"""Dates in other languages are read as the same words in English are, and words that only look like one are not."""

from __future__ import annotations

from datetime import date

import pytest

from hippocampus_cli.dates.expressions import days_in

TODAY = date(2026, 7, 21)  # a Tuesday
SAME = {
    "yesterday": "gestern|hier|ayer|ieri|ontem|gisteren|i går|wczoraj|včera|вчера|вчора|dün|hôm qua|昨天|昨日|어제",
    "the day before yesterday": "vorgestern|avant-hier|anteayer|позавчера|前天|一昨日|おととい|그저께",
    "last week": "letzte Woche|la semaine dernière|la semana pasada|la settimana scorsa|vorige week|förra veckan"
    "|w zeszłym tygodniu|на прошлой неделе|上周|上个星期|先週|지난주|geçen hafta|viime viikolla",
    "last month": "letzten Monat|le mois dernier|el mes pasado|в прошлом месяце|上个月|先月|지난달",
    "last year": "letztes Jahr|l’année dernière|el año pasado|в прошлом году|去年|昨年|작년",
    "this month": "diesen Monat|ce mois-ci|este mes|в этом месяце|这个月|本月|今月",
    "3 days ago": "vor 3 Tagen|vor drei Tagen|il y a trois jours|hace tres días|tre giorni fa|há três dias"
    "|drie dagen geleden|för tre dagar sedan|3 dni temu|před třemi dny|3 дня назад|三天前|3日前|3일 전",
    "2 weeks ago": "vor zwei Wochen|il y a deux semaines|hace 2 semanas|две недели назад|两周前|2週間前",
    "in 3 days": "in 3 Tagen|dans trois jours|через 3 дня|三天后|3日後",
    "last Friday": "letzten Freitag|vendredi dernier|el viernes pasado|в прошлую пятницу|w zeszły piątek",
    "Wednesday last week": "上周三|上个星期三|先週の水曜日|지난주 수요일",
    "15 January 2024": "15. Januar 2024|15 janvier 2024|15 de enero de 2024|15 gennaio 2024|15 januari 2024"
    "|15 stycznia 2024|15. ledna 2024|15 января 2024|15 Ocak 2024|2024年1月15日|二〇二四年一月十五日"
    "|令和6年1月15日|2024년 1월 15일|2024/01/15|2024/1/15|15.01.2024|15/01/2024|01/15/2024|15-Jan-2024",
    "in March 2024": "März 2024|en mars 2024|marzo de 2024|w marcu 2024|в марте 2024|2024年3月|2024년 3월",
    "since January": "seit Januar|depuis janvier|desde enero|1月以来|1月から",
    "from 3 to 9 May": "vom 3. bis 9. Mai|du 3 au 9 mai|с 3 по 9 мая|5月3日から5月9日まで|5月3日至5月9日",
    "early March": "Anfang März|début mars|principios de marzo|三月初|3月上旬",
    "last summer": "letzten Sommer|l’été dernier|el verano pasado",
    "the last two weeks": "die letzten zwei Wochen|прошлые 2 недели|最近两周",
}


@pytest.mark.parametrize(
    ("english", "phrase"),
    [(english, phrase) for english, phrases in SAME.items() for phrase in phrases.split("|")],
)
def test_a_phrase_names_the_days_that_its_english_names(english: str, phrase: str) -> None:
    wanted, _ = days_in(english, TODAY)
    found, _ = days_in(phrase, TODAY)
    assert [one.days for one in found] == [one.days for one in wanted]
    assert wanted


@pytest.mark.parametrize(
    ("question", "words", "rest"),
    [
        (
            "¿qué decidimos ayer sobre el despliegue?",
            "ayer",
            "¿qué decidimos   sobre el despliegue?",
        ),
        ("что решили в прошлом месяце про деплой", "в прошлом месяце", "что решили   про деплой"),
        ("上周三的会议决定了什么", "上周三", "的会议决定了什么"),
        ("was haben wir vor drei Wochen gekauft", "vor drei Wochen", "was haben wir   gekauft"),
    ],
)
def test_only_the_words_of_the_date_are_taken_out(question: str, words: str, rest: str) -> None:
    (found,), left = days_in(question, TODAY)
    assert (found.words, left.strip()) == (words, rest.strip())


@pytest.mark.parametrize(
    "text",
    [
        "we set up the mart and the die so mar and lis may dim",
        "can we set 5 of them ago",
        "die Antwort von Mai-Lin zu set und mart",
        "la mar y la luna",
        "how is the pan set on the second of the ten",
        "who is Jan, and does Mars matter",
        "日本の会議の月次報告",
        "13月5日",
        "несегодня зявтра вчеера",
        "version 3/4 of 1.2.3 at 10:30",
        "03/04/2026",  # of March or of April, as the country has it
        "lundi",
        "一番大切な水",
        "三明治",
    ],
)
def test_nothing_is_invented(text: str) -> None:
    assert days_in(text, TODAY)[0] == ()
