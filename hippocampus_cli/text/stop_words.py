"""Words that do not tell one text from another.

``STOP_WORDS`` are not scored by a search; they are indexed, for phrases. ``COMMON_WORDS`` are never tags or topics:
more words, and of several languages, for a German article is rare in an English workspace and would look telling.
"""

from __future__ import annotations

from hippocampus_cli.fast_types import pattern

_WORDS = """
    a about above after again against all also am an and any anybody anyone anything are
    arent as at be because been before being below between both but by came can cannot cant
    come comes could couldnt did didnt do does doesnt doing dont down during each else etc
    ever everybody everyone everything few for from further get go goes going gone got had
    hadnt happen happened happens has hasnt have havent having he her here hers herself him
    himself his how however i if in into is isnt it its itself just know let lets like made
    make makes many may me might more most much must my myself no nobody nor not nothing now
    of off on once only or other ought our ours ourselves out over own please same shall she
    should shouldnt so some somebody someone something still such tell than that the their
    theirs them themselves then there these they thing things this those through to too
    under until up upon us very was wasnt we went were werent what whatever when where which
    while who whom whose why will with within without wont would wouldnt yes yet you your
    yours yourself yourselves
"""
STOP_WORDS = frozenset(_WORDS.split())

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
LANGUAGES = {
    "german": """
aber alle als also am an auch auf aus bei beim bin bis bist da damit dann das dass dem den denn der des dich
die dies diese dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch für
gegen hab habe haben hat hatte hier ich ihm ihn ihr ihre im immer in ist ja jede jeder jetzt kann kein keine
mal man mehr mein mich mir mit muss nach nicht nichts noch nur ob oder ohne schon sein seine sich sie sind so
soll über um und uns unser unter vom von vor war waren was weil wenn wer wie wir wird wo zu zum zur zwei
wann warum wieso weshalb welche welchem welchen welcher welches wem wen wessen wohin woher wofür womit wurde wurden
worden heißt geht gibt können kann müssen darf dürfen sollte unsere unserem unseren unserer beim
vom hatten viel viele wieviel
    """,
    "spanish": """
algo aquí así bien cada casi como con cual cuando cómo de del desde donde dos el ella ellos en entre era es
esa ese eso esta este esto está están fue ha hace hasta hay la las le les lo los mi mucho muy más nada ni
nos nosotros otra otro para pero poco por porque que quien qué se ser si sin sobre son su sus sí también
tan te tiene todo todos tu un una uno unos va ya yo
cuál cuáles cuánta cuántas cuánto cuántos dónde quiénes nuestra nuestro hacemos tenemos puedo podemos debo
    """,
    "french": """
alors au aussi autre aux avec avoir car ce cela ces cette chez comme dans depuis deux dont du elle elles et
faire fait ici il ils je leur lui là mais mes moi moins mon même ne notre nous on ont ou où par pas peut plus
pour qu quand qui sa sans ses soi sont sous suis sur ta tous tout très trop une vers vous été être
de des en est l la le les un quel quelle quelles quels combien pourquoi comment quoi nos votre vos sommes fut
    """,
    "italian": """
alla anche che chi ci con cosa da dal dalla dei del della delle di dopo gli ha hanno ho il io la le lei loro
ma mi nel nella noi non o per perché più quando quello questa questo qui sono sul sulla suo ti tra tutto un
quale quali quanto quanta quanti dove nostro nostra abbiamo posso
    """,
    "portuguese": """
ao aos até com das dos ela ele em essa esse eu foi isso mas meu muito na nas no não nos num o os ou pela pelo
quem são se sem seu sua só tem uma umas você à às é
qual quais quanto quantos onde nosso nossa temos posso
    """,
    "dutch": """
aan al alle als bij dan dat de deze die dit door een en er geen heb hebben heeft het hij hoe ik in is je kan
maar me meer met mij mijn na naar niet nog nu of om onder ons ook op over te toch toen tot uit van veel voor
waar was wat we wel wie wij wordt zal ze zich zij zijn zo
welke welk wanneer waarom hoeveel onze waarin waarmee moet
    """,
    "russian": """
а без более бы был была было быть в вам вас весь во вот все всё вы где да для до его ее если есть ещё же за
здесь и из или им их к как ко когда кто ли мне может мой мы на надо наш не него нет но ну о об он она они от
по под после при с сам себя сейчас со так там тебя то тогда того тоже только ты у уже что чтобы это этот я
какая какие какой какую сколько почему зачем наш наша наши наше
    """,
}
COMMON_WORDS = frozenset(" ".join((_ENGLISH, *LANGUAGES.values())).split())
# What asks, and joins words, where nothing stands between words: the pairs across it say nothing.
ASKING = pattern(
    "什么|怎么|哪个|哪里|哪些|哪|多少|几个|几点|为什么|是不是|有没有|如何|吗|呢|的|了|是|在|和|与"
    "|何ですか|ですか|ますか|でしたか|ましたか|どこ|どの|どう|なぜ|いつ|誰|だれ|何|から|まで|という|について"
    "|[はがをのにへとでも]+"
)
