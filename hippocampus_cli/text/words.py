"""Words as a person reads them, for tags, topics and relations; search has :mod:`tokenizer`.

Words that never tell one section from another.

Agents write in several languages at once; a German article is rare in an English workspace and would
look telling, so the commonest words of some languages are listed beside the English ones.

Words of a text as a person reads them: for tags, topics and relations, not for search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hippocampus_cli.redaction.redactor import filled

_ENGLISH = """
a about above according across actually after again against ago ain all almost alone along already also
although always am among an and another any anyone anything are aren around as ask asked at away back be
became because become been before behind being below between both bring but by came can cannot come could
couldn day days did didn do does doesn doing don done down during each either else enough etc even ever every
everything far few first for from full further gave get gets getting give given go goes going gone good got
had hadn happened has hasn have haven having he help hence her here hers herself him himself his hour hours
how however i if in including inside instead into is isn it its itself just keep kept know known last later
least left less let lets like likely little long look looks lot made make makes making many may maybe me
means might mine minute minutes month months more most much must my myself near need needed needs never new
next no nobody non none nor not nothing now of off often ok okay old on once one only onto or other others
our ours out over own part per perhaps please put quite rather re read ready really right same said saw say
says see seems seen several shall she should shouldn since so some someone something sometimes soon still
such sure take taken takes tell than thanks that the their theirs them themselves then there these they
thing things think this those though three through thus till time times to together told too took toward try
two under until up upon us use used uses using usually very via want wanted wants was wasn way we week weeks
well went were weren what whatever when where whether which while who whole whom whose why will with within
without won work works would wouldn year years yes yet you your yours yourself
today tomorrow yesterday tonight morning afternoon evening night daily weekly
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
january february march april june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
assistant session utc
note notes todo tbd true false null none http https www com org html md txt json
"""
_OTHERS = """
aber alle als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem den denn der des dich
die dies diese dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch für
gegen hab habe haben hat hatte hier ich ihm ihn ihr ihre im immer in ist ja jede jeder jetzt kann kein keine
mal man mehr mein mich mir mit muss nach nicht nichts noch nur ob oder ohne schon sein seine sich sie sind so
soll über um und uns unser unter vom von vor war waren was weil wenn wer wie wir wird wo zu zum zur zwei
algo aquí así bien cada casi como con cual cuando cómo de del desde donde dos el ella ellos en entre era es
esa ese eso esta este esto está están fue ha hace hasta hay la las le les lo los mi mucho muy más nada ni
nos nosotros otra otro para pero poco por porque que quien qué se ser si sin sobre son su sus sí también
tan te tiene todo todos tu un una uno unos va ya yo
alors au aussi autre aux avec avoir car ce cela ces cette chez comme dans depuis deux dont du elle elles et
faire fait ici il ils je leur lui là mais mes moi moins mon même ne notre nous on ont ou où par pas peut plus
pour qu quand qui sa sans ses soi sont sous suis sur ta tous tout très trop une vers vous été être
alla anche che chi ci con cosa da dal dalla dei del della delle di dopo gli ha hanno ho il io la le lei loro
ma mi nel nella noi non o per perché più quando quello questa questo qui sono sul sulla suo ti tra tutto un
ao aos até com das dos ela ele em essa esse eu foi isso mas meu muito na nas no não nos num o os ou pela pelo
quem são se sem seu sua só tem uma umas você à às é
aan al alle als bij dan dat de deze die dit door een en er geen heb hebben heeft het hij hoe ik in is je kan
maar me meer met mij mijn na naar niet nog nu of om onder ons ook op over te toch toen tot uit van veel voor
waar was wat we wel wie wij wordt zal ze zich zij zijn zo
а без более бы был была было быть в вам вас весь во вот все всё вы где да для до его ее если есть ещё же за
здесь и из или им их к как ко когда кто ли мне может мой мы на надо наш не него нет но ну о об он она они от
по под после при с сам себя сейчас со так там тебя то тогда того тоже только ты у уже что чтобы это этот я
"""

STOP_WORDS = frozenset((_ENGLISH + _OTHERS).split())


_KANA_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々]{2,6}|[\u30a1-\u30fa\u30fc]{2,16}"
    rf"|[^\W_{_KANA_HAN}]+(?:[-.'’][^\W_{_KANA_HAN}]+)*"
)
_ASCII_WORD = re.compile(
    r"[A-Za-z0-9]+(?:[-.'][A-Za-z0-9]+)*"
)  # the same where there is nothing else
_NOISE = (  # what to look for before the search that costs
    ("://", re.compile(r"\b[a-z]{2,8}://\S+")),
    ("@", re.compile(r"[\w.+-]{1,64}@[\w.-]{1,64}")),
    ("=", re.compile(r"\[\w+=[^\]]*\]")),
    ("<", re.compile(r"<[^<>]*>")),
)
_POSSESSIVE = re.compile(r"['’]s?$")
_FILE_NAME = re.compile(r"\.(?:md|txt|json|ya?ml|toml|py|sh|js|ts|log|csv|pdf|png|jpe?g)$", re.I)
_LONGEST = 24


def words(text: str) -> list[str]:
    """The words of ``text`` in order and as written, without addresses and bracketed machine notes.

    Runs of Chinese characters and of katakana are words; hiragana, the glue between them, is dropped.
    """
    text = filled(text)
    for sign, pattern in _NOISE:
        if sign in text:
            text = pattern.sub(" ", text)
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text)


def key(word: str) -> str:
    """What the forms of one word have in common (case, possessive, plural); empty for a word to ignore."""
    return _KEYS[word]


def bare(word: str) -> str:
    """A word in lower case without a possessive or a file name's ending."""
    return _FILE_NAME.sub("", _POSSESSIVE.sub("", word.lower()))


def keys(text: str) -> Iterator[str]:
    """The key of each word of ``text`` that can tell it from another text."""
    return filter(None, map(_KEYS.__getitem__, words(text)))


def tellers(text: str) -> Iterator[tuple[str, str]]:
    """As :func:`keys`, each with the word as written: ``(word, key)``."""
    for word in words(text):
        if found := _KEYS[word]:
            yield word, found


class _Keys(dict[str, str]):
    """A word to its key, worked out once. It depends on the word alone; emptied when it grows large."""

    def __missing__(self, word: str) -> str:
        if len(self) > 200_000:
            self.clear()
        self[word] = value = _key(word)
        return value


_KEYS = _Keys()


def _key(word: str) -> str:
    text = bare(word)
    if text in STOP_WORDS or len(text) > _LONGEST or "'" in text or "’" in text:
        return ""
    if text.isascii() and len(text) < 3:
        return ""
    letters = sum(map(str.isalpha, text))
    digits = sum(map(str.isnumeric, text))
    if (
        letters < 2 or letters <= digits or (digits and letters < 3)
    ):  # numbers, 8th, versions, hashes
        return ""
    if text.isascii() and len(text) > 3 and text[-1] == "s" and text[-2] not in "siu":
        text = text[:-3] + "y" if text.endswith("ies") and len(text) > 5 else text[:-1]
        return "" if text in STOP_WORDS else text
    return text
