"""The floor of the gate: what is never kept, whatever an operator's file says. Pure data.

A rule is a pattern over one sentence, in lower case. Bare words are not enough (*kill the process*, *bomb the
deploy*): a sentence is harmful by what is done to whom, so most rules need both. ``unless`` is what makes
it harmless.
"""

from __future__ import annotations

import re

from hippocampus_cli.fast_types import NamedTuple, pattern


class Rule(NamedTuple):
    """One rule; a sentence in which ``finds`` is found and ``unless`` is not is of this category."""

    category: str
    finds: re.Pattern[str]
    unless: re.Pattern[str] | None = None


CATEGORIES = {
    "harm": "instructions or intentions to hurt somebody",
    "illegal": "instructions or plans for a crime",
    "health": "health advice: a dosage, a diagnosis, to stop a treatment (your own facts, an allergy"
    " say, are kept)",
    "crisis": "signs that somebody may hurt themselves: nothing of it is stored, please talk to some"
    "body you trust",
    "credentials": "a key, a password or a token",
    "private": "another person's private data: health, money, identity numbers, home address",
}

_RELATIVE = (
    "wife|husband|partner|girlfriend|boyfriend|son|daughter|child|children|kids?|brother"
    "|sister|mother|father|parents"
    "|neighbou?rs?|boss|teacher|colleagues?|coworkers?|ex|family|friend|roommate|landlord"
    "|guy|man|woman|girl|boy|crowd"
    "|people|students?|classmates?|employees|everyone|everybody|passengers|officers?|judge|cops?"
    "|prisoners?|guards?|cyclists?|drivers?|manager|tenants?|nurse|baby|dogs?|cats?|pets?"
)
_BODY = (
    r"(?! (?:own )?(?:knee|leg|arm|back|hand|foot|ankle|finger|head|shoulder|feelings|chances)s?\b)"
)
_STORY = (
    r"\b(?:novel|film|movie|game|character|story|series|book|chapter|level|scene|documentary)\b"
)
_MEAN = (
    r"(?:i|we)(?:'ll| will|'m going to| am going to|'m gonna| are going to| want to| could just"
    r"| plan to| would love to| might just)?"
)
_PLACE = (
    r"(?:schools?|class(?:room)?|office|church|mosque|synagogue|temple|station|airport|stadium"
    r"|shelter|house|home|flat|car|shop)"
)
_SOMEBODY = (
    rf"(?:him|her{_BODY}|them|someone|somebody|anyone|you|(?:my|our|your|his|her|their|the"
    rf"|a) (?:\w+ )?(?:{_RELATIVE}))\b"
)
_WEAPON = (
    r"(?:pipe ?bomb|nail bomb|bombs?|explosives?|grenade|molotov(?: cocktail)?|nerve gas"
    r"|nerve agent|sarin|ricin"
    r"|napalm|anthrax|mustard gas|ghost gun|silencer|gun|firearm|poison(?:ous gas)?|chlorine gas)"
)
_DRUG = (
    r"(?:weed(?! ?(?:killer|whacker))|cannabis|adderall|addys|oxy(?:codone|contin)?|shrooms|meth"
    r"|crystal(?: meth)?"
    r"|cocaine|heroin|fentanyl|crack|mdma|lsd|ketamine|ecstasy"
    r"|amphetamine|speed pills|kokain|drogen)"
)
_MAKE = (
    r"(?:mak(?:e|ing)|build(?:ing)?|cook(?:ing)?|assembl(?:e|ing)|synthesi[sz](?:e"
    r"|ing)|3d[- ]?print|produc(?:e|ing))"
)
_MEDICINE = (
    r"(?:ibuprofen|paracetamol|acetaminophen|aspirin|amoxicillin|antibiotics?|insulin"
    r"|lithium|cortisone|morphine|penicillin|methylphenidate|ritalin|codeine|diazepam|fluoxetine"
    r"|medication|medicine|meds|antidepressants?|antidepressiva|pills?|tablets?|tabletten"
    r"|syrup|syrups?|prednisone|xanax"
    r"|sertraline|metformin|warfarin|beta[- ]?blockers?|statins?|chemo(?:therapy)?"
    r"|blutdrucktabletten|vitamin \w|drops)"
)
_ILLNESS = (
    r"(?:diabetes|pneumonia|cancer|tumou?r|brain tumou?r|shingles|adhd|depression|hiv(?: po"
    r"sitive)?|aids|covid|asthma"
    r"|bipolar|schizophreni[ac]|epilepsy|lupus|anxiety disorder|autis(?:m|tic)|infection"
    r"|stroke|heart attack|hepatitis|strep(?: throat)?|melanoma|a?n? ulcer|a cyst|gout|angina|measles"
    r"|lungenentz[üu]ndung|krebs|diabetes|depressionen|appendicitis|migraine|dementia"
    r"|alzheimer'?s?)"
)
_OTHER = (
    r"(?:(?<![\w-])(?!(?:my|your|our|the|its?|this|that)\b)[\w-]+(?:'s|s')|\b(?:his|her|their)\b"
    rf"|\b(?:my|our|the) (?:{_RELATIVE})(?:'s|s')?)"
)
_THIRD = rf"(?:\b(?:he|she)\b|\b(?:my|our|the|his|her) (?:{_RELATIVE})\b(?: [A-Z]?\w+)?)"


def _rule(category: str, finds: str, unless: str = "") -> Rule:
    return Rule(category, pattern(finds), pattern(unless) if unless else None)


FLOOR = (
    _rule(
        "harm",
        rf"\b(?:kill|murder|poison|stab|strangle|behead|torture|shoot|drown|hurt|injure"
        rf"|maim|suffocate|rape|kidnap)(?:ing)? {_SOMEBODY}",
        r"\b(?:novel|film|movie|game|character|story|series|book|chapter|killing me|don't"
        r"|do not|never|must not"
        r"|email|e-mail|message|mail)\b",
    ),
    _rule(
        "harm",
        r"\b(?:shoot up the (?!video)|run over (?:the crowd|people|him|her|them)|beat (?:him"
        r"|her|them) to death"
        r"|hide the (?:body|corpse)|dispose of the (?:body|corpse)|mix(?:ing)? bleach (?:and"
        r"|with) ammonia"
        r"|burn down (?:her|his|their|the neighbou?r'?s?) (?:house|home|flat|car)|blow up the ("
        r"?:school|office|station|church|mosque|synagogue|airport|plane|train))",
    ),
    _rule(
        "harm",
        rf"\b{_MEAN} (?:\w+ ){{0,2}}?(?:burn|set fire to|beat|punch|hit|choke|gas|lynch|slaughter|execute"
        rf"|attack|slash|crush|break|hang|run over)\b(?: (?:up|down|over))? (?:the (?:next|living)\b"
        rf"|{_SOMEBODY})"
        rf"|\b(?:burn|burning) (?:down )?(?:\w+ ){{0,2}}?{_PLACE} down\b|\b(?:burn down|set fire to"
        rf"|torch|blow up"
        rf"|bomb) (?:the|that|this|his|her|their) (?:\w+ )?{_PLACE}\b"
        rf"|\b(?:bring|take|carry)\w* (?:\w+'?s? ){{1,3}}?(?:rifle|gun|pistol|knife"
        rf"|machete) (?:in)?to {_PLACE}\b"
        rf"|\bpetrol\b.*\b(?:throw|bottles)\b|\bthrow\b.*\bpetrol\b|\btatp\b"
        rf"|\b(?:rat )?poison (?:in|into|to|for) (?:the|his|her|their|my) (?!soil|garden|trap)"
        rf"|\b(?:mix|mixing) bleach (?:and|with) (?:the |some )?(?:ammonia|acid|vinegar|toilet"
        rf"|cleaner)|\bnever (?:walks?|talks?|breathes?"
        rf"|sees daylight) again\b.*\b(?:make sure|"
        rf"see to)|\b(?:make sure|see to it) (?:that )?(?:he|she|they) never (?:walk|talk|breathe)s?\b",
        rf"{_STORY}|\b(?:in chess|record|deadline|habit|market|traffic|nail|gym)\b"
        rf"|\b(?:in|at) (?:checkers|chess|cards|tennis|boxing|judo|golf|poker|mario kart)\b",
    ),
    _rule(
        "harm",
        rf"\b{_MAKE}\b(?: \S+){{0,4}}? {_WEAPON}\b|\b{_WEAPON} (?:from|out of|at home)\b",
        r"\b(?:game|novel|film|movie|level|sprite|logic bomb|model|scene|prop|glue gun)\b",
    ),
    _rule(
        "harm",
        r"\b(?:umbringen|ermorden|vergiften|erstechen|erwürgen|erschießen)\b"
        r"|\bich (?:steche|erschieße|erwürge|vergifte|bringe|schlage) (?:ihn|sie|dich|den|die|meinen?) "
        r"(?:\S+ ){0,6}?(?:ab|um|tot|nieder|zusammen)?\b(?=.*\b(?:ab|um|tot|zusammen)\b|$)",
        r"\b(?:mich|roman|film|krimi|spiel)\b",
    ),
    _rule(
        "harm",
        r"\b(?:rohrbombe|sprengsatz|sprengstoff|bombe|brandsatz|giftgas)\b.*\b(?:bau\w*"
        r"|f[üu]ll\w*|herstell\w*|misch\w*)"
        r"|\b(?:baust|bauen|baut|herstellen|mischt?)\b.*\b(?:rohrbombe|sprengsatz|bombe"
        r"|brandsatz|giftgas)",
        r"\b(?:spiel|film|roman)\b",
    ),
    _rule(
        "harm",
        r"杀了?(?:他|她|你|他们|邻居|老板)|(?:制作|制造|自制)(?:炸弹|炸药|毒气|枪|燃烧瓶)|(?:炸弹|炸药|毒气)的?(?:制作|制造)?(?:方法"
        r"|步骤)|捅死|毒死|勒死|(?:他|她|别人|同事)的.{0,6}下毒|砍死|烧死他",
        r"小说|电影|游戏",
    ),
    _rule(
        "illegal",
        r"\b(?:stolen|cloned|skimmed) (?:credit )?(?:card|identit|passport|account)|\bcash (?:t"
        r"hem|it) out\b.*\bdark ?web|\bdark ?web\b.*\b(?:buy|order|sell)",
    ),
    _rule(
        "illegal",
        r"\bskim(?:s|ming|med)? (?:the )?cards\b|\b(?:pa(?:y|id)|slip(?:ped)?|grand|cash|euros?"
        r"|dollars|\d+)\b.{0,40}\bunder the table\b|\boff the books\b|\b(?:checkout|walk\w* out|leave"
        r"|left)\b.{0,20}\bwithout paying\b"
        r"|\b(?:pay|paid|slip|bribe)\b.{0,20}\b(?:officer|inspector|official"
        r"|customs)\b.{0,40}\b(?:pass\w*|sign\w*"
        r"|look\w* away|let)\b|\bwithout the (?:cops|police|tax ?man|owner)\b"
        r"|\bbackdat\w+ (?:the |our )?(?:invoices?|contracts?|receipts?)"
        r"|\b(?:tax ?man|tax office|irs)\b.{0,30}\bnever (?:sees|finds|knows)\b"
        r"|\b(?:fake|cloned) (?:login page|website|shop)\b.{0,60}\b(?:password|account|card)|\bpassword of"
        r" (?:your|his|her|someone)\b|\b(?:password|account)\b.{0,60}\bfake login page\b"
        r"|\bumsatzsteuer\b.{0,30}\b(?:zurück|sparen)\b.{0,20}$|\bschwarz (?:bezahl|kassier)\w*",
        rf"{_STORY}|\b(?:training|awareness|test|mock|training course|coffee|tables? (?:in|of) sql|dog"
        r"|slept|sleeps|hid|hides|sits?)\b",
    ),
    _rule(
        "illegal",
        rf"\b(?:grow(?:ing)?|cook|sell|smuggle|deal|buy|make|manufacture|import|ship)(?:ing|s)?\b(?: \S+){{0,"
        rf"2}}? {_DRUG}\b|\b(?:meth|crystal meth) kocht?\b",
        r"\b(?:police|novel|series|film|arrested|convicted|speed test|garden\w*|lawn|patio)\b",
    ),
    _rule(
        "illegal",
        r"\blaunder(?:ing)? (?:the |our |his |her |their |some )?(?:cash|money|funds|profits"
        r"|proceeds)\b|\bw[aä]sch\w* (?:wir )?(?:das |unser )?(?:schwarz)?geld\b|洗钱",
        r"\banti[- ]?(?:money )?laundering\b",
    ),
    _rule(
        "illegal",
        r"\b(?:forged|fake|counterfeit) (?:\w+ )?(?:passports?|visas?|ids?|driving licen[cs]es?"
        r"|driver'?s licen[cs]es?|licen[cs]es?|documents|prescriptions?|banknotes?|bills|money)\b|gef[äa]lsc"
        r"hten? (?:pass|ausweis)|假(?:护照|证件|身份证|钞)",
        r"\b(?:detect|test data|fixture|mock|faker)\b",
    ),
    _rule(
        "illegal",
        r"\b(?:hack(?:ing)?|break(?:ing)?|get(?:ting)?) into (?:her|his|their|someone'?s"
        r"|somebody'?s|the \w+'?s|my \w+'?s) (?:\w+ )?(?:account|bank|phone|e-?mail|computer"
        r"|laptop|flat|house|home|apartment|car|office|webcam)",
    ),
    _rule(
        "illegal",
        r"\b(?:evad(?:e|ing) (?:the )?tax(?:es)?|hide the income|tax evasion)\b|\bsteuern hinte"
        r"rziehen\b|逃税",
        r"\b(?:lecture|article|law against|report on)\b",
    ),
    _rule(
        "illegal",
        r"\b(?:deploy|install|spread|send|plant|run|release)(?:ing)? (?:the |a |our |this )?(?:"
        r"ransomware|spyware|keylogger|malware|botnet|stalkerware)\b|\bphishing (?:kit"
        r"|mails?|e-?mails?|page)\b.*\b(?:steal\w*|send|collect\w*)",
        r"\b(?:sandbox|simulation|training|awareness|analysis|scanner)\b",
    ),
    _rule(
        "illegal",
        r"\b(?:shoplift|brib(?:e|ing)|blackmail|extort|embezzle)\w* (?:the |a |an |him"
        r"|her|them|some|our|my|his|their)|\bsteal (?:the |her |his |their )(?:jewel\w+"
        r"|car|bike|laptops?|wallet|purse|money|phone|cash)|\btake the jewel\w+"
        r"|\b(?:bestechen|erpressen|einbrechen in)\b",
    ),
    _rule(
        "illegal",
        r"制造?(?:冰毒|毒品|海洛因)|贩(?:毒|卖毒品)|(?:卖|买)(?:毒品|可卡因|冰毒|海洛因)|盗刷|行贿|办假证|做假账|敲诈|勒索",
    ),
    _rule(
        "health",
        r"\b(?:take|give|increase|double|reduce|lower|raise|inject|stop taking|skip|start"
        r"|put)\b(?:(?! i | my |my doctor).){0,40}?\b(?:\d+(?:[.,]\d+)? ?(?:mg|ml|g|µg"
        r"|mcg|units|iu|ie|drops|tablets|pills)\b|(?:one|two|three|half a|\d+) (?:tablets?"
        r"|pills?|drops|spoons?)\b)",
        r"(?:^|\b)(?:i|we)\b (?:take|took|inject|started|stopped|increased|give|gave|have to)"
        r"|\bmy (?:doctor|dose|dosage|prescription)\b|\b(?:flour|sugar|butter|water|salt"
        r"|yeast|rice|oil|milk|dough|batch|cache|size|limit|timeout|stock|order|vet)\b",
    ),
    _rule(
        "health",
        rf"\b(?:that|this|it|your \w+|that \w+|this \w+)(?:'s| is| are| looks like"
        rf"| sounds like)? (?:\w+ )?(?:certainly"
        rf"|clearly|definitely|surely|probably|only|just)? ?(?:an? )?{_ILLNESS}\b[,.! ]"
        rf"|\bsounds like (?:an? )?{_ILLNESS} to me\b|\bno need (?:for|to see) (?:a|the) doctor\b"
        rf"|\binstead of (?:the |your )?(?:chemo\w*|insulin|surgery|{_MEDICINE})\b|\byou (?:clearly|definitely"
        rf"|probably|obviously) have {_ILLNESS}\b",
        rf"{_STORY}|\bi (?:was|have been|am|took|take|prefer)\b|\b(?:research|study|charity|foundation"
        rf"|awareness)\b",
    ),
    _rule(
        "health",
        rf"\b(?:right|correct|recommended|safe|maximum|usual) (?:dose|dosage) (?:of|for)\b.*\d"
        rf"|\b(?:double|increase|reduce|halve|skip) your (?:dose|dosage|insulin|medication"
        rf"|{_MEDICINE})|\b(?:stop|quit) (?:taking )?(?:your |the )(?:\w+ )?{_MEDICINE}\b"
        rf"|\bdon'?t (?:get|take|do) (?:the |your )?{_MEDICINE}\b",
    ),
    _rule(
        "health",
        rf"\b(?:you (?:probably |certainly |definitely |clearly |likely |may |might |must )?have"
        rf"|(?:mean|means|shows?|indicates?) (?:that )?you have|your \w+ (?:is|are) (?:definitel"
        rf"y |probably |clearly |certainly )?(?:a sign of |a symptom of )?(?:an? )?|i diagnose y"
        rf"ou with) ?(?:an? )?(?:\w+ )?{_ILLNESS}\b",
    ),
    _rule(
        "health",
        r"\b(?:nimm|nehmen sie|nimmst du)\b.*\b(?:\d+|zwei|drei|eine|täglich) ?(?:mg|ml|tabletten?"
        r"|tropfen)|\bdu hast (?:wahrscheinlich|sicher"
        r"|bestimmt|vermutlich)?\s?(?:eine?n? )?(?:\w+ )?(?:lungenentz|krebs|diabetes|depressio"
        r"n|grippe|entz)\w*|\bsetz\w* (?:deine?|die|ihre?) \w*(?:tabletten|medikament\w*"
        r"|antidepressiva|pille)\w* .*\bab\b",
    ),
    _rule(
        "health",
        r"(?:你|您)(?:应该|可以|需要|每天|要).{0,12}(?:吃|服用?|注射).{0,14}(?:毫克|片|次|粒|毫升)|(?:你|您)(?:可能"
        r"|一定|肯定)?(?:得了|患了|患有|是)(?:糖尿病|肺炎|癌症|抑郁症|高血压)|停药|你这是.{1,6}[症病]|每天(?:吃|服)[一二两三四\d]+[片粒颗]",
        r"我(?:每天|在)",
    ),
    _rule(
        "crisis",
        r"\b(?:kill|killing|hang|hanging|hurt|hurting|harm|harming|cut|cutting|shoot|drown) mys"
        r"elf\b|\b(?:end|ending|take|taking) my (?:own )?life\b|\bsuicidal\b|\bcommit(?:ting)? "
        r"suicide\b",
        r"\bcut myself (?:a|an|some|off|loose|while|on|shaving|slack)\b|\bhelp page\b|\bhotline\b"
        r"|\bnovel\b|\bfilm\b",
    ),
    _rule(
        "crisis",
        r"\b(?:i|we) (?:just |really |only )?(?:don'?t|do not|no longer) want to (?:live"
        r"|be alive|exist|wake up)(?: any ?more| any longer)?\s*(?:[.!?,;]|$)|\b(?:want"
        r"|wish|going|ready) to die\b|\bwish i (?:was|were) dead\b|\b(?:i was|i were|if i'?m"
        r"|if i were) dead\b|\bbetter off without me\b|\b(?:not|isn'?t) worth living\b"
        r"|\bgoodbye letter\b|\boverdosed on purpose\b|\bno reason to live\b|\bgoodbye letters\b",
        r"\bwant to die laughing\b",
    ),
    _rule(
        "crisis",
        r"\b(?:i )?(?:just )?(?:can'?t|cannot) (?:go on|do this|take (?:it|this)) (?:any ?more"
        r"|any longer)\b(?=.*\b(?:without me|alive|my life|die|goodbye|end it)\b)"
        r"|\bi can'?t go on(?=\s*(?:[.,!;]|$))"
        r"|\b(?:don'?t|do not) want to be here any ?more\b|\bend (?:it all|everything tonight)\b"
        r"|\bjump(?:ing)? (?:off|from) (?:the|a) (?:bridge|roof|building|balcony)\b|\b(?:been|started"
        r"|am) cutting again\b"
        r"|\bno (?:point|sense) in (?:living|going on)\b|\b(?:don'?t|do not) see (?:a|any"
        r"|the) (?:reason|point) (?:to|in)"
        r" (?:wak\w+|liv\w+|go\w* on)\b|\bpills (?:\w+ ){0,2}?(?:counted|lined up)\b",
        rf"{_STORY}|\b(?:bungee|swim\w*|lake|meeting|codebase|parachute|cat|dog)\b",
    ),
    _rule(
        "crisis",
        r"\bich (?:will|möchte) (?:einfach |nur noch )?(?:sterben|nicht mehr (?:leben"
        r"|da sein))\s*(?:[.!?,]|$)|\bselbstmord\b|\bsuizid\b"
        r"|\bich ritze mich\b|\bbringe? mich um\b|\bmir das leben nehmen\b|\bmich umbringen\b",
        r"\bprävention\b|\bhotline\b",
    ),
    _rule(
        "crisis",
        r"不想活(?:了|下去)|想自杀|自残|想死|结束自己的生命|轻生|活着没(?:有)?意思|不如死了",
    ),
    _rule(
        "private",
        rf"{_OTHER} (?:\w+ ){{0,2}}?(?:social security|ssn|passport|tax id|id card|identity card"
        rf"|insurance|bank account|account|credit card|card|iban|driving licence|driver'?s licen"
        rf"se)(?: number)?(?: is|:)\s*\S*\d",
    ),
    _rule(
        "private",
        rf"{_OTHER} (?:home |private |personal )(?:address|phone|mobile|number|cell)(?: number)?\b"
        rf".*\d|\b(?!i\b|we\b)\w+ lives at (?:no\. ?)?\d|\b(?!i\b|we\b)\w+ lives at \w+ \d+",
    ),
    _rule(
        "private",
        rf"{_THIRD} (?:is|was|has|had|suffers from|got|takes)\b.{{0,14}}\b(?:{_ILLNESS}"
        rf"|an abortion|a miscarriage|an affair|alcoholic|pregnant|bankrupt|in debt)\b|\b(?:his"
        rf"|her|their) (?:salary|income|debts?|diagnosis|criminal record) (?:is|are|was"
        rf"|were|:)",
    ),
    _rule(
        "private",
        rf"\b(?!(?:i|we|you|it|have|having|this|that|there|the|who|what|which|patient|one|dog|cat"
        rf"|nobody|everybody|everyone)\b)[a-zäöü]+"
        rf" (?:has|had|was diagnosed with|is being treated for|tested positive for"
        rf"|suffers from) (?:an? )?(?:\w+ )?"
        rf"(?:{_ILLNESS}|an abortion|a miscarriage)\b(?! (?:research|screen\w*|cent(?:er|re)|projects?|stud\w+"
        rf"|awareness|charity|ward|month|data|detect\w*))"
        rf"|(?:{_THIRD}|{_OTHER}) (?:\w+ ){{0,3}}?(?:in (?:prison|jail|rehab)|behind (?:on"
        rf"|with) (?:his|her|the|their)"
        rf" (?:rent|mortgage)|on welfare)\b|\b(?:her|his|their) hiv\b|\bis hiv positive\b",
        rf"{_STORY}|\b(?:i am|i'm) hiv\b",
    ),
    _rule(
        "private",
        r"\b(?:kollegin|kollege|chefin|chef|nachbarin|nachbar|freundin|freund|sie|er)\b(?: [\wä"
        r"öü]+)? (?:hat|leidet an|ist)\b.{0,14}\b(?:depressionen|krebs|hiv|diabetes|schwanger"
        r"|alkoholiker\w*|verschuldet)|\b\w+s privat(?:adresse|nummer)\b.*\d",
    ),
    _rule(
        "private",
        r"(?:身份证号|银行卡号|护照号|社保号)是?[:：]?\s*[0-9a-z]{6,}|(?:同事|邻居|老板|朋友|他|她|小\w)\w{0,3}(?:得了"
        r"|患了|患有)(?:抑郁症|癌症|艾滋病|糖尿病)|(?:他|她|小\w)的?(?:家庭)?住址是",
        r"我的(?:身份证|银行卡|护照|社保)",
    ),
)
