"""What secrets look like: the published formats of keys and tokens, and the words that announce a password.

A format is found by what it always holds (``sign``), which costs next to nothing where it is not there; only then
is its pattern compiled. Formats that are public by design (publishable keys, account numbers, public halves of a
pair) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hippocampus_cli.fast_types import NamedTuple


class Format(NamedTuple):
    """A published format. ``sign`` is part of every such secret; ``pattern`` is a regular expression.

    Where the pattern has a group, that is the secret. ``random`` says that what it matches must look random too,
    ``near`` which word (in lower case) must stand shortly before it.
    """

    kind: str
    sign: str
    pattern: str
    random: bool = True
    near: str = ""


_DATA = Path(__file__).parent / "data"


def _rows(name: str) -> Iterator[list[str]]:
    """The rows of a data file, which say what is in it in the lines that begin with ``#``."""
    for line in (_DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def _format(kind: str, sign: str, pattern: str, *more: str) -> Format:
    near = next((one.removeprefix("near ") for one in more if one != "any"), "")
    return Format(kind, sign, pattern, "any" not in more, near)


FORMATS = tuple(_format(*row) for row in _rows("formats.txt"))
"""Every format with a sign of its own. All hold at least 20 characters without white space."""

PASSWORD, PIN, CODE, TOKEN = "password", "pin", "code", "secret"
PHRASE, LOGIN, USER = "passphrase", "login", "user"

ANNOUNCING: dict[str, dict[str, str]] = {}
"""The words that announce a secret, in lower case, and what kind of value follows, by what they have in common."""
for _sign, _kind, _words in _rows("words.txt"):
    ANNOUNCING.setdefault(_sign, {}).update(dict.fromkeys(_words.split(", "), _kind))


_KEY_OF_TEXT = """
api access secret private auth encryption signing master license licence activation service account storage
shared client consumer app application deploy webhook admin root session product serial recovery decryption
registration write ingest subscription hmac jwt unseal setup crypt cipher aes rsa user server functions host
primary-access
openai anthropic openrouter gemini stripe maps google aws azure github mistral groq deepseek cohere datadog
algolia sendgrid mailgun twilio apikey zugangs geheimer privater lizenz
"""
KEY_OF = frozenset(_KEY_OF_TEXT.split())
"""What stands before *key* where the key is a secret; a primary key, a cache key, a public key is none."""

_OPEN_KEYS_TEXT = (
    "public primary foreign partition sort cache publishable site idempotency object host row"
)
OPEN_KEYS = frozenset(_OPEN_KEYS_TEXT.split())
"""Keys that are no secret, however random they look."""

AMBIGUOUS = frozenset(("pass", "parola"))
"""Words that mean other things as well: they announce only what looks like a password, in the place of a setting."""

_ACCOUNTS_TEXT = (
    "root admin user db database smtp imap mail email wifi wlan ftp ssh sudo vnc vpn app bind proxy"
)
ACCOUNTS = frozenset(_ACCOUNTS_TEXT.split())
"""What a *pass* is for where it is a password: ``root pass``."""

_LOCKS_TEXT = """
door gate lock alarm safe garage room house building cabin entrance shed pin pairing recovery backup unlock access
entry tür tor haus tresor raum zugang porte portail puerta porta kapı deur dörr dveře drzwi дверь
"""
LOCKS = frozenset(_LOCKS_TEXT.split())
"""What a *code* in a table opens; others are of errors, countries, products."""

_OPEN_STARTS_TEXT = """
prj_ team_ dpl_ icfg_ phc_ cus_ price_ prod_ acct_ sub_ evt_ req_ msg_ org_ user_ proj_ asst_ thread_ run_ file- resp_
call_ toolu_ chatcmpl- MCowBQYDK2Vw MFkwEwYHKoZI MIIBIjAN MIICIjAN pk_ sha Qm AAAA MII
"""
OPEN_STARTS = tuple(_OPEN_STARTS_TEXT.split())
"""How identifiers and public keys begin that are as random as a secret."""

_NOT_AFTER_TEXT = """
hash hashes hashed length len file files path field fields policy policies reset resets url uri hint hints min
max id ids name names type types count counts expiry expires expiration expired ttl limit limits manager
managers strength protected less store stores salt rotation rotated usage budget window cost costs price size
sizes bucket endpoint provider format algorithm version class column label prefix suffix index error errors
invalid required regex rule rules input prompt generator fingerprint digest status state date age created
updated scope scopes audience issuer issued header headers env var variable arn ref reference location vault
server service based title chars
"""
NOT_AFTER = frozenset(_NOT_AFTER_TEXT.split())
"""What makes another thing of a password, a token or a key that stands before it: a hash, a length, a policy."""

_PLAIN_WORDS_TEXT = """
required optional string str text none null nil true false yes no unknown empty blank missing invalid valid
revoked record declined promise varies disable enable expired unchanged changed rotated reset resets forgotten
forgot lost stolen leaked encrypted hashed masked hidden redacted removed omitted protected stored saved kept
shared same different default random generated given sent received needed necessary mandatory incorrect wrong
correct weak strong long short secure insecure temporary permanent disabled enabled active inactive pending
unset undefined secret secrets password passwords passwort passwd token tokens key keys credentials username
user users name email login account admin administrator root keychain keyring keepass keepassxc bitwarden
onepassword lastpass dashlane proton vault safe envelope drawer manager browser firefox chrome safari wallet
notebook note notes todo later soon tomorrow today never always private public internal external local remote
personal company team office home work value values field column type types number numbers digits letters
characters minimum maximum length policy policies rotation expiry authentication authorization auth oauth
session cookie cookies header headers bearer basic digest kerberos ldap interface object array integer boolean
float double varchar bytes char function method class parameter argument config configuration settings setting
environment variable env file files folder path directory database table server client service host port
protocol example sample placeholder dummy changeme change-me change_me demo testing see ask check use call
contact bob alice mum dad who where what when why how this that these those there here not now new old the and
for with from via per its his her their our your any all some each both either neither sicher unsicher siehe im
in am beim steht liegt geheim unbekannt leer keine kein nein ja geändert vergessen abgelaufen gültig ungültig
benutzer konto unverändert noch nicht wird wurde werden muss ist hat haben requerido obligatorio ninguno ninguna
igual cambiada olvidada requis obligatoire aucun aucune voir identique description comment comments remark
remarks purpose owner status state url link links website site system last updated created date expires issued
valid-until rotated-on since until monday friday january february march april june july august september october
november december requirements complexity authentifizierung cryptography generation validation recovery
management storage exchange verification confirmation mismatch prompt prompted input output hash hashes
plaintext cleartext base64 bcrypt argon2 argon2id scrypt pbkdf2 sha256 sha-256 sha512 md5 aes256 aes-256 oauth2
oauth2.0 1password 2fa mfa totp u2f fido2 wpa2 wpa3 utf8 utf-8 base32 base58 rfc6749 rfc7519 rs256 hs256 es256
ed25519 x509 x.509 p256 auth0 http2 ipv4 ipv6 k8s s3 ec2 i18n
"""
PLAIN_WORDS = frozenset(_PLAIN_WORDS_TEXT.split())
"""Values that say something of a secret and are none."""

GAPS = (
    "<",
    "{{",
    "${",
    "$(",
    "***",
    "•••",
    "...",
    "…",
    "%(",
    "[redacted",
    "xxxx",
    "0000000",
    "jbswy3dpehpk3pxp",
    "abcd efgh",
    "6leixactaaaa",
)
"""What stands where a value is to be filled in."""

_INSTANCES_TEXT = """
example your placeholder changeme change_me change-me dummy redacted insert replace goes-here goes_here goeshere
enter- enter_ sample notreal not-a-real not_a_real fake mock 01234567 12345678 abcdefgh deadbeef foobar lorem
todo dein_ dein- mein_ tu_ hunter2000 mypassword my_password my-password mysecret my_secret my-secret my_api
my-api mytoken my-token my_token some-secret some_secret supersecretkey super-secret-key removed hidden masked
api_key_here _here -here ownerpassword userpassword abc123 secret123 secure123 pass123 test-token 123456:
abcd1234 base64url token-123 xyz789 xyz123 securepassword yourpassword sk-12345 -secret secret- -token token-
new_value new_key token_123 verify_token
"""
INSTANCES = tuple(_INSTANCES_TEXT.split())
"""What examples hold. It excuses a value only where such words, counting and plain words are most of it."""
