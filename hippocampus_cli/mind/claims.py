"""What a sentence claims: subject, attribute, value, and whether it denies it. English, German, Chinese. Pure.

Two claims of the same subject and attribute can be compared (:mod:`hippocampus_cli.mind.contradiction`). A
sentence that no pattern reads claims nothing: better no claim than a wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from hippocampus_cli.fast_types import NamedTuple, pattern
from hippocampus_cli.mind.verbs import CJK_VERBS, GERUNDS, RELATIONS, SPELLED, STATES
from hippocampus_cli.text.tokenizer import is_stop, stem_text

SPEAKER = frozenset(("i",))
IS, BECOMES = frozenset(("is", "is at", "is called")), "becomes"
"""What a thing is, where or when it is, and its name are three attributes; a change may be of any of them."""
_COPULAS = {"called": "is called", "at": "is at", "on": "is at", "in": "is at"}
_LONGEST = 240  # characters of a sentence
_IGNORE = 2  # re.IGNORECASE


class Claim(NamedTuple):
    """``text`` claims that the ``attribute`` of ``subject`` is ``value``, or denies it (``negative``).

    ``single``: a subject has one such value at a time. ``against`` is what the value is put above, ``old`` what it
    came instead of; ``change``: the sentence says that something is new. Subject and values are stems.
    """

    text: str
    subject: frozenset[str]
    attribute: str
    value: frozenset[str]
    negative: bool = False
    single: bool = False
    against: frozenset[str] = frozenset()
    old: frozenset[str] = frozenset()
    change: bool = False


_ENDS = pattern(
    # not after an initial or a title: "P. G. Wodehouse", "Dr. Keller"
    r"(?<=[.!?])\s+(?<!\b(?:Dr|Mr|Ms|St|Jr|Co|vs)\.\s)(?<!\b(?:Mrs|Inc|Ltd)\.\s)"
    r"(?!(?-i:(?<=\b[A-Z]\.\s)(?!(?:I|We|It|He|She|My|Our|The|This|Never|Always)\b)))"
    r"|(?<=[。！？；])|(?:(?<!\s)\s+)?;\s+|\n|,? but (?=i |we |the |my )",
    _IGNORE,
)
_LEAD = pattern(
    r"(?:(?:actually|before i forget|by the way|btw|please note|note|fyi|correction"
    r"|update|so|and|also"
    r"|well|ok(?:ay)?|remember(?: that)?"
    r"|decision|übrigens|korrektur|merke?|其实|注意|记住)\b[,:：，]?\s*)+",
    _IGNORE,
)
_WHEN = pattern(
    r"^(?:(?:as of|since|from|starting) [^,]{1,30},\s*|(?:from now on|these days|now"
    r"|today|nowadays|ab sofort|seit [^,]{1,20}"
    r"|jetzt)\b,?\s*)|^(?:现在|从现在起|以后|目前)[，,]?",
    _IGNORE,
)
_CHANGE = pattern(
    (
        r"\b(?:now|no longer|any ?more|instead|nowadays|these days|from now on|as of|since"
        r"|switched|changed|moved|new|became"
        r"|jetzt|nicht mehr|kein\w* \w+ mehr|statt|neuerdings|ab sofort|inzwischen|umgestellt"
        r"|gewechselt|umgezogen)\b|不再|现在|改|换|搬"
    ),
    _IGNORE,
)
_TAIL = pattern(
    r"\s*\b(?:now|any ?more|nowadays|these days|currently|at the moment|again|today"
    r"|instead|since (?:\w+ )?\w+|jetzt|inzwischen|mehr"
    r"|as of \w+(?: \w+)?)$|了$",
    _IGNORE,
)
_CAPITAL = r"[^\W\d_a-zß-ÿ]"
_NAME = (
    rf"{_CAPITAL}[\w.'-]+(?: (?:(?:of|the|de|du|la|le|da|di|von|van|der|den|zu|bin|al|and) ){{0,2}}"
    rf"{_CAPITAL}[\w.'-]*){{0,4}}"
)
_WHO = (
    rf"(?:(?i:i|we|ich|wir)|(?i:my|our|mein|meine|unser|unsere) (?:[\wäöüß]+ ?){{1,2}}?"
    rf"|(?i:he|she|the (?:user|team|client))|{_NAME})"
)
_NOT = (
    r"(?i:do(?:es)?(?: not|n'?t)|did(?: not|n'?t)|no longer|never|not|can'?t|cannot"
    r"|will not|won'?t|am not|isn'?t|is not|are not|aren'?t)"
)
_ADVERB = (
    r"(?i:now|still|really|always|usually|also|currently|just|actually|only|mostly"
    r"|will|do|would|even|must|should|can|have|has)"
)
_VERB = "|".join(sorted(map(str, SPELLED), key=len, reverse=True))
_ACTION = pattern(
    rf"^(?P<who>(?:{_WHO}|(?i:the|der|die|das) (?:[\w-]+ ){{0,3}}?[\w-]+)) (?P<mid>(?:(?:{_NOT}"
    rf"|{_ADVERB}) )*)"
    rf"(?P<verb>(?i:{_VERB})) (?P<what>.+)$"
)
_ALLERGIC = pattern(
    rf"^(?P<who>{_WHO})(?: (?:am|is|are)|'m|'s) (?P<no>(?:not |no longer )?)(?:\w+ )?allergi"
    rf"c to (?P<what>.+)$"
    rf"|^(?P<wer>{_WHO}) (?:bin|ist) (?P<kein>(?:nicht )?)gegen (?P<was>.+?) (?P<nicht>nicht"
    rf" )?allergisch$"
)
_GIVEN_UP = pattern(
    rf"^(?P<who>{_WHO}) (?:have |has |just )*(?:gave up|given up|quit|stopped|stop)(?: (?P<v"
    rf"erb>eating|drinking|using|smoking|taking|playing|driving))? (?P<what>.+)$"
)
_SWITCHED = pattern(
    r"^(?P<who>.{1,60}?) (?:has |have |was |were |is |are |will be |had )*(?:now |just )?(?"
    r":moved|moves|switched|changed|migrated|went|renamed|raised|lowered|updated|set)"
    r"(?: over)?(?: from (?P<old>.+?))? (?:to|into) (?P<new>.+?)(?: from (?P<late>.+))?$"
    r"|^(?P<wer>.{1,60}?) (?:wurde|ist|bin|hat|habe)(?: jetzt)? von (?P<alt>.+?) (?:auf"
    r"|nach|zu) (?P<neu>.+?) (?:umgestellt|gewechselt|geändert|umgezogen|erhöht|verlegt)$",
    _IGNORE,
)
_COPULA = pattern(
    (
        r"^(?P<of>.{2,90}?)(?:(?: (?:is|are|ist|sind|lautet|heißt)\b|'s(?! .{2,40}? (?:is|are)\b))"
        r"(?: (?P<mid>(?:(?:now|still|currently|not|no longer|jetzt|nicht mehr|nicht|called|at|on|in|set to"
        r"|always)\b ?)+))?|: | = ) ?(?P<what>.+)$"
    ),
    _IGNORE,
)
_PASSIVE = pattern(
    r"^(?P<of>.{2,80}?) (?:is|are|was|were|has been|have been) (?P<not>not )?"
    r"(?P<how>\w+ed|born|known|written|spoken|held|led|made|built|sold|owned|run) (?P<by>by"
    r"|in|at|to|from|on|with) (?P<what>.+)$",
    _IGNORE,
)
_KIND = pattern(
    rf"^(?P<of>.{{2,80}}?) (?P<how>{STATES})(?: (?P<by>in|at|as|for|to|with|on))? the"
    r" (?P<kind>[\w-]+) of (?P<what>.+)$",
    _IGNORE,
)
_RELATED = pattern(
    rf"^(?P<of>.{{2,80}}?) (?:is|are|was|were) (?P<not>not )?(?:now )?(?:a |an |the )?(?P<kind>{RELATIONS})"
    r" (?:of|at|in|to) (?P<what>.+)$",
    _IGNORE,
)
_SPEAKER = pattern(r"[A-ZÄÖÜ][\w.'-]*(?: [A-ZÄÖÜ][\w.'-]*)?: (?P<said>.+)$")
_CLAUSE = pattern(  # the part before the verb is not a noun but a whole sentence
    r"(?:(?:i|we|you|they)\b(?:'\w+)? |i'm|let'?s|however|sure|but|and|if|when|while|because|once|although|make sure"
    r"|in case|where|how|why|whether|as|by|for|since|after|before|to|wenn|weil|dass|ob)\b|.*, ",
    _IGNORE,
)
_VALUE = pattern(
    r"(?!(?:i|we|you|my|our|your|it|that|this|ich|wir|hey|hi|thanks|wow|yeah|yes|no|oh)\b)\S+(?: \S+){0,7}$",
    _IGNORE,
)
_NEGATED_COPULA = pattern(r"\b(is|are|was|were)n'?t\b", _IGNORE)
_RULE = pattern(
    r"^(?P<no>never|do not|don'?t|always|nie(?:mals)?|immer|永远不要|不要|总是|务必)\s*(?P<what>.+)$",
    _IGNORE,
)
_DEFINITE = pattern(
    r"^(?:the|my|our|your|its|their|his|her|mein|meine|unser|unsere|der|die|das)\b|'s? |\b\w+s' |的",
    _IGNORE,
)
_OVER = pattern(
    (
        r"^(?P<value>.+?),? (?:over|to|rather than|instead of|than|lieber als|statt|gegenüber"
        r"|more than) (?P<against>.+)$"
    ),
    _IGNORE,
)
_CJK = pattern(r"[\u3400-\u9fff]")
_CJK_ACTION = pattern(
    r"^(?P<who>我们?|他|她|用户|[\u4e00-\u9fff]{2,3}?)(?P<mid>(?:现在|还是|一直|都|更|很|最|已经|不再|不|没有?|从不)*)"
    r"(?P<verb>喜欢|喜爱|爱|讨厌|偏好|使用|用|住在|搬到了?|喝|吃|说|需要|想要)(?P<what>.+?)(?:而不是(?P<against>.+))?$"
)
_CJK_IS = pattern(
    r"^(?P<of>.{2,20}?)(?P<no>现在不是|不再是|不是)?(?P<is>现在是|已?改为|已?改成|换成|调整为|更新为|是|为|在)?(?<=[是为成在"
    r"])(?P<what>.+)$"
)
_SELF = frozenset(("i", "we", "ich", "wir", "我", "我们", "the user", "用户"))
_VAGUE = frozenset(
    (
        "it",
        "this",
        "that",
        "there",
        "here",
        "which",
        "what",
        "who",
        "they",
        "he",
        "she",
        "es",
        "这",
        "那",
        "他",
        "她",
    )
)


def sentences_in(text: str) -> list[str]:
    """The sentences of a text."""
    return [one for one in _ENDS.split(text) if one and not one.isspace()]


def claims_in(text: str) -> Iterator[Claim]:
    """The claims of a text, sentence by sentence."""
    for sentence in sentences_in(text):
        if found := claim_of(sentence):
            yield found


@lru_cache(maxsize=4096)  # the same beliefs are compared again and again
def claim_of(sentence: str) -> Claim | None:
    """What one sentence claims; ``None`` for a question, a long sentence, or one that no pattern reads."""
    shown = sentence.strip().strip("-*>•` ").strip()
    text = shown.replace("’", "'").replace("**", "").rstrip(".!。！ ")
    if (
        not 3 < len(text) <= _LONGEST
        or text.endswith(("?", "？", ":"))
        or text.startswith(("#", "|", "<"))
    ):
        return None
    change = bool(_CHANGE.search(text))
    text = _WHEN.sub("", _LEAD.sub("", text, count=1) if _LEAD.match(text) else text).strip()
    text = _TAIL.sub("", text).strip()
    if (said := _SPEAKER.match(text)) and _western(said["said"]):
        return None  # "Mel: I moved to Oslo" speaks of an unknown speaker
    claim = (_chinese(text) if _CJK.search(text) else None) or _western(text)
    if claim is None:
        return None
    if not claim.value or not claim.subject:
        return None
    return claim._replace(text=shown, change=change or bool(claim.old))


_CJK_ALLERGIC = pattern(r"^(?P<who>.{1,4}?)(?P<no>不)?对(?P<what>.+?)(?P<not>不)?过敏$")
_CJK_MOVED = pattern(
    r"^(?P<of>.{2,20}?)已?从(?P<old>.+?)(?:改为|改成|换成|调整为|搬到|移到)(?P<what>.+)$"
)


def _western(text: str) -> Claim | None:
    for read in (
        _allergic,
        _given_up,
        _rule,
        _switched,
        _kind,
        _action,
        _related,
        _passive,
        _copula,
    ):
        if claim := read(text):
            return claim
    return None


def _allergic(text: str) -> Claim | None:
    found = _ALLERGIC.match(text)
    if not found:
        return None
    who, what = found["who"] or found["wer"], found["what"] or found["was"]
    denied = bool(found["no"] or found["kein"] or found["nicht"])
    return Claim(text, _subject(who), "allergy", _stems(what), denied)


def _given_up(text: str) -> Claim | None:
    found = _GIVEN_UP.match(text)
    if not found:
        return None
    attribute = GERUNDS.get(found["verb"] or "", "any")
    return Claim(text, _subject(found["who"]), attribute, _stems(found["what"]), True)


def _rule(text: str) -> Claim | None:
    found = _RULE.match(text)
    if not found:
        return None
    denies = found["no"].lower() not in ("always", "immer", "总是", "务必")
    return Claim(text, frozenset(("rule",)), "do", _stems(found["what"]), denies)


def _switched(text: str) -> Claim | None:
    found = _SWITCHED.match(text)
    if not found or (found["who"] is None and found["wer"] is None):
        return None
    who = found["who"] or found["wer"]
    old, new = found["old"] or found["late"] or found["alt"] or "", found["new"] or found["neu"]
    subject = _subject(who)
    if subject == SPEAKER:
        attribute = (
            "live" if ("moved" in text.lower() and not old) or "umgezogen" in text else "any"
        )
        lives = attribute == "live"
        return Claim(text, subject, attribute, _stems(new), single=lives, old=_stems(old))
    return Claim(text, subject, BECOMES, _stems(new), single=True, old=_stems(old))


def _kind(text: str) -> Claim | None:
    """*plays the position of*, *works in the field of*: a definite kind of which a subject has one."""
    found = _KIND.match(text)
    if not found or found["of"].lower().split()[0] in _VAGUE:
        return None
    if SPELLED.get(f"{found['how']} {found['by']}".lower(), ("", False, False))[2]:
        return None
    attribute = " ".join(sorted(_stems(f"{found['how']} {found['kind']}")))
    return Claim(text, _subject(found["of"]), attribute, _stems(found["what"]), single=True)


def _related(text: str) -> Claim | None:
    found = _RELATED.match(text)
    if not found or found["of"].lower().split()[0] in _VAGUE:
        return None
    value, denied = _stems(found["what"]), bool(found["not"])
    return Claim(text, _subject(found["of"]), found["kind"].lower(), value, denied, single=True)


def _action(text: str) -> Claim | None:
    found = _ACTION.match(text)
    if not found or found["who"].lower() in _VAGUE:
        return None
    attribute, negative, single = SPELLED[found["verb"].lower()]
    what, against = found["what"], ""
    denied = pattern(_NOT).search(found["mid"]) is not None
    if german := pattern(r"^(?:nicht|kein\w*)\s+|\s+nicht$|^nie\s+", _IGNORE).search(what):
        denied, what = True, what[: german.start()] + what[german.end() :]
    if over := _OVER.match(what):
        what, against = over["value"], over["against"]
    if attribute == "like" and against:
        attribute = "prefer"
    subject, over_what = _subject(found["who"]), _stems(against)
    replaced = "instead of" in text.lower() or " statt " in text
    claim = Claim(text, subject, attribute, _stems(what), denied != negative, single, over_what)
    return claim._replace(old=over_what) if replaced else claim


def _passive(text: str) -> Claim | None:
    found = _PASSIVE.match(text)
    if not found or found["of"].lower().split()[0] in _VAGUE:
        return None
    attribute = f"{found['how']} {found['by']}".lower()
    value, denied = _stems(found["what"]), bool(found["not"])
    return Claim(text, _subject(found["of"]), attribute, value, denied, single=True)


def _copula(text: str) -> Claim | None:
    text = _NEGATED_COPULA.sub(r"\1 not", text)
    found = _COPULA.match(text)
    if not found or found["of"].lower().split()[0] in _VAGUE or found["of"].count(" ") > 13:
        return None
    mid, what, subject = (found["mid"] or "").lower(), found["what"], found["of"]
    if _CLAUSE.match(subject):
        return None
    if text[found.end("of") :].startswith(": ") and not _VALUE.match(what):
        return None  # somebody's name, and what they said
    denied = "not" in mid or "no longer" in mid or "nicht" in mid
    if german := pattern(r"^(?:nicht(?: mehr)?|kein\w*|not|no longer)\s+", _IGNORE).match(what):
        denied, what = True, what[german.end() :]
    against = ""
    if over := pattern(
        r"^(.+?),? (?:instead of|not|no longer|rather than|statt|nicht mehr) (.+)$", _IGNORE
    ).match(what):
        what, against = over[1], over[2]
    single = bool(_DEFINITE.search(subject)) or ": " in text or " = " in text
    attribute = next((kind for word, kind in _COPULAS.items() if word in mid.split()), "is")
    value, old = _stems(what), _stems(against)
    return Claim(text, _subject(subject), attribute, value, denied, single, old=old)


def _chinese(text: str) -> Claim | None:
    if rule := _RULE.match(text):
        denies = rule["no"] not in ("总是", "务必")
        return Claim(text, frozenset(("rule",)), "do", _stems(rule["what"]), denies)
    if found := _CJK_ALLERGIC.match(text):
        denied = bool(found["no"] or found["not"])
        return Claim(text, _subject(found["who"]), "allergy", _stems(found["what"]), denied)
    if found := _CJK_ACTION.match(text):
        subject, value = _subject(found["who"]), _stems(found["what"])
        attribute, negative, single = CJK_VERBS[found["verb"]]
        denied = "不" in found["mid"] or "没" in found["mid"]
        against = _stems(found["against"] or "")
        return Claim(text, subject, attribute, value, denied != negative, single, against)
    if found := _CJK_MOVED.match(text):
        value, old = _stems(found["what"]), _stems(found["old"])
        return Claim(text, _subject(found["of"]), "is", value, single=True, old=old)
    found = _CJK_IS.match(text)
    if not found or found["of"] in _VAGUE:
        return None
    value, denied = _stems(found["what"]), bool(found["no"])
    return Claim(text, _subject(found["of"]), "is", value, denied, single=True)


def _subject(text: str) -> frozenset[str]:
    plain = text.strip().lower()
    if plain in _SELF:
        return SPEAKER
    for own in ("my ", "our ", "mein ", "meine ", "unser ", "unsere ", "我的"):
        if plain.startswith(own):
            return (
                _stems(plain.removeprefix(own)) | SPEAKER
                if own in ("my ", "mein ", "meine ", "我的")
                else _stems(plain.removeprefix(own))
            )
    return _stems(plain)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    found = stem_text(text.replace("`", " ").replace('"', " ")).split()
    return frozenset(stem for stem in found if not is_stop(stem)) or frozenset(found)
