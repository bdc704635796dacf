"""Labelled texts, with secrets and without. The random parts are made by seed: nothing here is anybody's key.

A text's number decides which half it belongs to: rules were written while looking at the even ones alone.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

Make = Callable[[random.Random], str]
ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE32 = string.ascii_uppercase + "234567"


class Labelled(NamedTuple):
    """A text and what in it is secret; ``kind`` is for a person."""

    kind: str
    text: str
    secrets: tuple[str, ...] = ()


def chars(rng: random.Random, alphabet: str, count: int) -> str:
    return "".join(rng.choices(alphabet, k=count))


def of(prefix: str, alphabet: str, count: int, end: str = "") -> Make:
    # the prefix is joined to its random part at run time only: no scanner takes this file for a leak
    return lambda rng: prefix + chars(rng, alphabet, count) + end


def encoded(count: int) -> Make:
    return lambda rng: base64.b64encode(rng.randbytes(count)).decode()


def web_token(rng: random.Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head, body = {"alg": "HS256", "typ": "JWT"}, {"sub": rng.randint(1, 10**9), "iat": 1700000000}
    return f"{part(head)}.{part(body)}.{chars(rng, URLSAFE, 43)}"


def armoured(what: str) -> Make:
    def make(rng: random.Random) -> str:
        body = base64.b64encode(rng.randbytes(rng.choice((200, 420, 1190)))).decode()
        lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
        return f"-----BEGIN {what}-----\n{lines}\n-----END {what}-----"

    return make


TOKENS: dict[str, Make] = {
    "aws": of("AK" + "IA", BASE32, 16),
    "aws temporary": of("AS" + "IA", BASE32, 16),
    "google api": of("AI" + "za", URLSAFE, 35),
    "google client": of("GOC" + "SPX-", URLSAFE, 28),
    "google oauth": of("ya" + "29.", URLSAFE, 120),
    "github": of("gh" + "p_", ALNUM, 36),
    "github app": of("gh" + "s_", ALNUM, 36),
    "github fine": lambda rng: "github_" + f"pat_{chars(rng, ALNUM, 22)}_{chars(rng, ALNUM, 59)}",
    "gitlab": of("glp" + "at-", URLSAFE, 20),
    "gitlab runner": of("gl" + "rt-", URLSAFE, 20),
    "slack bot": lambda rng: (
        "xo"
        + f"xb-{rng.randint(10**11, 10**12)}-{rng.randint(10**12, 10**13)}-{chars(rng, ALNUM, 24)}"
    ),
    "slack user": lambda rng: (
        "xo"
        + f"xp-{rng.randint(10**11, 10**12)}-{rng.randint(10**11, 10**12)}-{chars(rng, HEX, 32)}"
    ),
    "slack app": lambda rng: (
        "xa" + f"pp-1-A{chars(rng, UPPER, 10)}-{rng.randint(10**12, 10**13)}-{chars(rng, HEX, 64)}"
    ),
    "slack hook": lambda rng: (
        "https://hooks.sl"
        + f"ack.com/services/T{chars(rng, UPPER, 8)}/B{chars(rng, UPPER, 10)}/{chars(rng, ALNUM, 24)}"
    ),
    "stripe": of("sk_" + "live_", ALNUM, 24),
    "stripe long": of("sk_" + "live_", ALNUM, 99),
    "stripe restricted": of("rk_" + "live_", ALNUM, 24),
    "stripe test": of("sk_" + "test_", ALNUM, 24),
    "stripe hook": of("whs" + "ec_", ALNUM, 32),
    "openai": lambda rng: "s" + f"k-{chars(rng, ALNUM, 20)}T3Bl" + f"bkFJ{chars(rng, ALNUM, 20)}",
    "openai project": of("s" + "k-proj-", URLSAFE, 120),
    "anthropic": of("s" + "k-ant-api03-", URLSAFE, 93, "AA"),
    "openrouter": of("s" + "k-or-v1-", HEX, 64),
    "groq": of("gs" + "k_", ALNUM, 52),
    "xai": of("xa" + "i-", ALNUM, 80),
    "perplexity": of("ppl" + "x-", ALNUM, 48),
    "huggingface": of("h" + "f_", string.ascii_letters, 34),
    "replicate": of("r" + "8_", ALNUM, 37),
    "npm": of("np" + "m_", ALNUM, 36),
    "pypi": of("pyp" + "i-AgEIcHlwaS5vcmc", URLSAFE, 150),
    "rubygems": of("rubyg" + "ems_", HEX, 48),
    "docker": of("dck" + "r_pat_", URLSAFE, 27),
    "telegram": lambda rng: f"{rng.randint(10**9, 9 * 10**9)}:A" + f"A{chars(rng, URLSAFE, 33)}",
    "discord bot": lambda rng: (
        f"M{chars(rng, ALNUM, 25)}.{chars(rng, URLSAFE, 6)}.{chars(rng, URLSAFE, 38)}"
    ),
    "discord hook": lambda rng: (
        f"https://discord.com/api/webhooks/{rng.randint(10**17, 10**18)}/{chars(rng, URLSAFE, 68)}"
    ),
    "sendgrid": lambda rng: "S" + f"G.{chars(rng, URLSAFE, 22)}.{chars(rng, URLSAFE, 43)}",
    "twilio": of("S" + "K", HEX, 32),
    "mailgun": of("ke" + "y-", HEX, 32),
    "mailchimp": lambda rng: f"{chars(rng, HEX, 32)}-u" + f"s{rng.randint(1, 21)}",
    "brevo": lambda rng: "xkey" + f"sib-{chars(rng, HEX, 64)}-{chars(rng, ALNUM, 16)}",
    "shopify": of("shp" + "at_", HEX, 32),
    "square": of("sq0" + "atp-", URLSAFE, 22),
    "digitalocean": of("do" + "p_v1_", HEX, 64),
    "linear": of("lin_" + "api_", ALNUM, 40),
    "notion": of("nt" + "n_", ALNUM, 46),
    "figma": of("fig" + "d_", URLSAFE, 40),
    "airtable": lambda rng: f"pat{chars(rng, ALNUM, 14)}." + chars(rng, HEX, 64),
    "hubspot": lambda rng: "pat-n" + f"a1-{uuid.UUID(int=rng.getrandbits(128))}",
    "postman": lambda rng: "PM" + f"AK-{chars(rng, HEX, 24)}-{chars(rng, HEX, 34)}",
    "grafana": lambda rng: "gl" + f"sa_{chars(rng, ALNUM, 32)}_{chars(rng, HEX, 8)}",
    "newrelic": of("NR" + "AK-", UPPER, 27),
    "databricks": of("da" + "pi", HEX, 32),
    "doppler": of("dp.p" + "t.", ALNUM, 43),
    "pulumi": of("pu" + "l-", HEX, 40),
    "vault": of("hv" + "s.", URLSAFE, 95),
    "vault old": of("s.", ALNUM, 24),
    "tailscale": lambda rng: "tskey-" + f"auth-k{chars(rng, ALNUM, 11)}-{chars(rng, ALNUM, 32)}",
    "terraform": lambda rng: f"{chars(rng, ALNUM, 14)}.atlas" + f"v1.{chars(rng, ALNUM, 67)}",
    "atlassian": of("ATA" + "TT3xFfGF0", URLSAFE, 180),
    "azure client": lambda rng: f"{chars(rng, ALNUM, 3)}8Q~{chars(rng, ALNUM + '_.-', 34)}",
    "age": of("AGE-SECRET-" + "KEY-1", UPPER, 58),
    "onepassword": lambda rng: (
        f"A3-{chars(rng, UPPER, 6)}-{chars(rng, UPPER, 6)}-"
        + "-".join(chars(rng, UPPER, 5) for _ in range(4))
    ),
    "jwt": web_token,
    "alibaba": of("LT" + "AI", ALNUM, 20),
    "facebook": of("EA" + "A", ALNUM, 150),
    "dropbox": of("s" + "l.", URLSAFE, 136),
    "supabase": of("sb_" + "secret_", URLSAFE, 31),
    "planetscale": of("pscale_" + "tkn_", URLSAFE, 43),
    "sentry": of("sntr" + "yu_", HEX, 64),
    "nvidia": of("nv" + "api-", URLSAFE, 64),
    "langsmith": lambda rng: "lsv2" + f"_pt_{chars(rng, HEX, 32)}_{chars(rng, HEX, 10)}",
    "resend": lambda rng: "re" + f"_{chars(rng, ALNUM, 8)}_{chars(rng, ALNUM, 24)}",
}

PLACES: tuple[str, ...] = (
    "{}\n",
    "- key: `{}`\n",
    "Use {} for the deploy job.\n",
    "## Keys\n\n* production: {}\n* see the wiki for the rest\n",
    "```bash\nexport SERVICE_KEY={}\nmake deploy\n```\n",
    '```json\n{{"name": "ci", "value": "{}"}}\n```\n',
    "| what | value | since |\n|---|---|---|\n| ci | {} | 2026-03-01 |\n",
    "He pasted it into the chat: “{}”. We must rotate it.\n",
    "curl -s https://api.service.test/v1/me -H 'X-Key: {}' | jq .\n",
    "## Deploy key {}\n\nOnly for the runner.\n",
    "---\ntitle: Setup\ntoken: {}\n---\n\nHow the setup works.\n",
    "Der Schlüssel ({}) gehört in den Tresor.\n",
)

ARMOURED = (
    "RSA PRIVATE KEY",
    "PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "EC PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
)
_WORDS_TEXT = """
tulip harbor copper falcon meadow silver pepper rocket winter garden castle violet orange thunder marble
"""
WORDS = _WORDS_TEXT.split()
SIGNS = "!@#$%^&*?+="


def password(rng: random.Random) -> str:
    word, other = rng.choice(WORDS), rng.choice(WORDS)
    return rng.choice(
        (
            f"{word.capitalize()}{rng.randint(10, 99)}{rng.choice(SIGNS)}",
            f"{word}{rng.randint(100, 9999)}",
            f"{word}-{other}-{rng.randint(10, 99)}",
            chars(rng, ALNUM, 12),
            chars(rng, ALNUM + SIGNS, 16),
            f"{chars(rng, ALNUM, 5)}_{chars(rng, ALNUM, 5)}",
            f"{word.capitalize()}{rng.choice(SIGNS)}{other.capitalize()}{rng.randint(1, 9)}",
            f"{word[:3]}{rng.choice(SIGNS)}{other[:4]}{rng.randint(1970, 2025)}",
            f"{chars(rng, string.ascii_lowercase, 6)}-{chars(rng, ALNUM, 6)}-{chars(rng, ALNUM, 6)}",
            f"P@ssw0rd{rng.randint(10, 999)}",
        )
    )


PASSWORD_PLACES: tuple[str, ...] = (
    "password: {}\n",
    "- **Password:** {}\n",
    "The password for the staging box is {} for now.\n",
    "the wifi password is `{}`\n",
    "Passwort: {}\n",
    "Das Passwort für den Router lautet {}.\n",
    "contraseña: {}\n",
    "Le mot de passe du NAS est {}\n",
    "密码：{}\n",
    "登录密码是{}\n",
    "DB_PASSWORD={}\nDB_HOST=localhost\n",
    "```env\nPGPASSWORD='{}'\n```\n",
    '```yaml\ndb:\n  user: app\n  password: "{}"\n```\n',
    '{{"user": "bob", "password": "{}"}}\n',
    "| Service | User | Password |\n|---|---|---|\n| NAS | bob | {} |\n",
    "| Password | {} |\n",
    "postgres://app:{}@db.intern:5432/shop\n",
    "login: bob / {}\n",
    "credentials are admin / {}\n",
    "mysql --user=root --password={} shop\n",
    "SMTP pwd = {}\n",
    "pw: {}\n",
    "changed the admin password to {} yesterday\n",
    "log in as bob with password {} and reboot\n",
    "<password>{}</password>\n",
    'const dbPassword = "{}";\n',
    "machine ftp.test login bob password {}\n",
    "Zugangsdaten: admin / {}\n",
    "### Password\n\n{}\n",
    "WLAN-Passwort = {}\n",
    "root pass -> {}\n",
    "name;login;password\nshop;bob;{}\n",
    "- password (staging): {}\n",
    "password for vpn: {}\n",
    "`password` = `{}`\n",
    "ssh passphrase: {}\n",
    "sshpass -p '{}' ssh bob@host  # password\n",
    "Password:\n    {}\n",
    "redis://:{}@cache.intern:6379/0\n",
    'Passwort vom NAS ist jetzt "{}"\n',
)

HEXKEY, MIXED = of("", HEX, 32), of("", ALNUM, 40)
NAMED: tuple[tuple[Make, str], ...] = (
    (encoded(30), "aws_secret_access_key = {}\n"),
    (encoded(30), "AWS_SECRET_ACCESS_KEY={}\nAWS_REGION=eu-central-1\n"),
    (
        encoded(64),
        "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core.windows.net\n",
    ),
    (
        encoded(32),
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}\n",
    ),
    (MIXED, "Authorization: Bearer {}\n"),
    (encoded(24), "curl -H 'Authorization: Basic {}' https://intern.test/\n"),
    (MIXED, "Cookie: theme=dark; sessionid={}\n"),
    (HEXKEY, "Set-Cookie: sid={}; HttpOnly; Path=/\n"),
    (HEXKEY, "X-Api-Key: {}\n"),
    (HEXKEY, "Datadog API key: {}\n"),
    (HEXKEY, "OPENWEATHER_API_KEY={}\n"),
    (MIXED, 'api_key = "{}"\n'),
    (MIXED, "client_secret: {}\n"),
    (MIXED, "The token for the CI is {} until May.\n"),
    (MIXED, "- access token: `{}`\n"),
    (MIXED, "CLOUDFLARE_API_TOKEN={}\n"),
    (HEXKEY, "secret: {}\n"),
    (MIXED, '"refresh_token": "{}",\n'),
    (MIXED, "https://api.test/v1/items?api_key={}&page=2\n"),
    (MIXED, "wss://stream.test/?token={}\n"),
    (encoded(32), "PrivateKey = {}\n"),
    (encoded(32), "SECRET_KEY_BASE={}\n"),
    (of("", HEX, 64), "encryption key: {}\n"),
    (of("0x", HEX, 64), "ETH private key: {}\n"),
    (lambda rng: str(uuid.UUID(int=rng.getrandbits(128))), "Heroku API key: {}\n"),
    (lambda rng: str(rng.randint(1000, 9999)), "PIN: {}\n"),
    (lambda rng: str(rng.randint(1000, 9999)), "The PIN of the alarm is {}.\n"),
    (lambda rng: str(rng.randint(1000, 9999)), "SIM-PIN: {} (Ersatzkarte)\n"),
    (lambda rng: str(rng.randint(10**7, 10**8 - 1)), "PUK = {}\n"),
    (lambda rng: str(rng.randint(1000, 9999)), "door code: {}\n"),
    (lambda rng: " ".join(rng.sample(WORDS, 12)), "seed phrase: {}\n"),
    (lambda rng: " ".join(rng.sample(WORDS, 12)), "Mnemonic:\n{}\n"),
    (lambda rng: " ".join(rng.sample(WORDS, 5)), "passphrase: {}\n"),
    (MIXED, "{}\n"),
    (MIXED, 'const k = "{}";\n'),
    (lambda rng: chars(rng, ALNUM, 20), "auth token = {}\n"),
    (lambda rng: chars(rng, ALNUM, 16), "SMTP_SECRET={}\n"),
    (
        lambda rng: f"{chars(rng, HEX, 4)}-{chars(rng, HEX, 4)}-{chars(rng, HEX, 4)}",
        "recovery code: {}\n",
    ),
    (lambda rng: "-".join(chars(rng, UPPER, 5) for _ in range(5)), "License key: {}\n"),
    (MIXED, "| service | api key |\n|---|---|\n| maps | {} |\n"),
    (MIXED, "--token {} --verbose\n"),
    (MIXED, "gh auth login --with-token={}\n"),
    (HEXKEY, "webhook secret → {}\n"),
    (MIXED, "env:\n  - name: STRIPE_TOKEN\n    value: {}\n"),
)


def positives(rounds: int = 3) -> Iterator[Labelled]:
    """Texts with secrets, in an order that never changes."""
    for turn in range(rounds):
        for kind, make in TOKENS.items():
            rng = random.Random(f"token {kind} {turn}")
            for place in rng.sample(PLACES, 4):
                value = make(rng)
                yield Labelled(
                    kind,
                    place.format(value),
                    (value.removeprefix("https://hooks.slack.com/services/"),)
                    if "hook" in kind and "://" in value and "slack" in value
                    else (value.rpartition("/")[2],)
                    if "://" in value
                    else (value,),
                )
        for number, place in enumerate(PASSWORD_PLACES):
            rng = random.Random(f"password {number} {turn}")
            for _ in range(6):
                value = password(rng)
                while "://" in place and set(value) & set("@#?"):
                    value = password(rng)
                yield Labelled(f"password {number}", place.format(value), (value,))
        for number, (make, place) in enumerate(NAMED):
            rng = random.Random(f"named {number} {turn}")
            for _ in range(3):
                value = make(rng)
                yield Labelled(f"named {number}", place.format(value), (value,))
        for what in ARMOURED:
            rng = random.Random(f"armour {what} {turn}")
            value = armoured(what)(rng)
            body = value.split("\n")[1]
            yield Labelled(what, f"The key of the runner:\n\n```\n{value}\n```\n", (body,))
            yield Labelled(what, json.dumps({"private_key": value}) + "\n", (body,))


def _digest(rng: random.Random, name: str) -> str:
    return hashlib.new(name, rng.randbytes(16)).hexdigest()


def _uuid(rng: random.Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


HARMLESS_MADE: tuple[tuple[Make, str], ...] = (
    (lambda rng: _digest(rng, "sha1"), "Fixed in commit {}.\n"),
    (lambda rng: _digest(rng, "sha1")[:10], "- {} fix the token parser\n"),
    (lambda rng: _digest(rng, "sha256"), "{}  hippo-2.1.tar.gz\n"),
    (lambda rng: _digest(rng, "md5"), "md5: {}\n"),
    (lambda rng: _digest(rng, "md5"), "{}\n"),
    (lambda rng: _digest(rng, "sha256"), "sha256:{}\n"),
    (lambda rng: _digest(rng, "sha512"), "SHA512 ({})\n"),
    (lambda rng: _digest(rng, "sha256"), "image: postgres@sha256:{}\n"),
    (lambda rng: _digest(rng, "md5"), "cache key: {}\n"),
    (lambda rng: _digest(rng, "sha1"), "HEAD is now at {}, keys rotated\n"),
    (_uuid, "id: {}\n"),
    (_uuid, "The job {} failed twice.\n"),
    (_uuid, "Request-Id: {}\n"),
    (_uuid, "https://app.test/items/{}/edit\n"),
    (encoded(48), '"integrity": "sha384-{}",\n'),
    (encoded(64), "integrity sha512-{}\n"),
    (encoded(200), "![dot](data:image/png;base64,{})\n"),
    (encoded(3000), '<img src="data:image/jpeg;base64,{}">\n'),
    (
        lambda rng: "AAAAC3NzaC1lZDI1NTE5AAAAI" + chars(rng, ALNUM, 43),
        "ssh-ed25519 {} bob@laptop\n",
    ),
    (lambda rng: "AAAAB3NzaC1yc2EAAAADAQAB" + chars(rng, ALNUM, 340), "ssh-rsa {} ci\n"),
    (lambda rng: chars(rng, ALNUM, 43), "SHA256:{} bob@laptop (ED25519)\n"),
    (lambda rng: armoured("PUBLIC KEY")(rng), "{}\n"),
    (lambda rng: armoured("CERTIFICATE")(rng), "```\n{}\n```\n"),
    (lambda rng: armoured("PGP PUBLIC KEY BLOCK")(rng), "{}\n"),
    (of("age1", "023456789acdefghjklmnpqrstuvwxyz", 58), "recipient: {}\n"),
    (of("pk_" + "live_", ALNUM, 24), "publishable key {}\n"),
    (of("cus_", ALNUM, 14), "Stripe customer {} asked again\n"),
    (of("A" + "C", HEX, 32), "Twilio account {}\n"),
    (of("https://www.youtube.com/watch?v=", URLSAFE, 11), "Talk: {}\n"),
    (of("https://docs.google.com/document/d/", URLSAFE, 44), "Minutes: {}\n"),
    (of("https://www.figma.com/file/", ALNUM, 22), "Design: {}/Start\n"),
    (of("https://zoom.us/j/", string.digits, 11), "Call: {}\n"),
    (
        lambda rng: (
            f"v{rng.randint(0, 9)}.{rng.randint(0, 20)}.{rng.randint(0, 99)}-rc.{rng.randint(1, 9)}"
        ),
        "token parser {} is out\n",
    ),
    (lambda rng: str(rng.randint(1000, 200000)), "tokens: {}\n"),
    (lambda rng: str(rng.randint(1000, 200000)), "max_tokens={}\n"),
    (lambda rng: f"{rng.randint(1, 12)} characters", "The password must have {}.\n"),
    (lambda rng: f"2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}", "password: rotated {}\n"),
    (lambda rng: f"2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}", "The token expires {}.\n"),
    (of("Qm", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 44), "CID {}\n"),
    (of("0x", HEX, 64), "tx {} went through\n"),
    (of("0x", HEX, 40), "wallet address {}\n"),
    (
        of("arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/db-", ALNUM, 6),
        "secret: {}\n",
    ),
    (lambda rng: f"$2b$12${chars(rng, ALNUM, 53)}", "password: {}\n"),
    (lambda rng: str(rng.randint(10**9, 10**10)), "Order {} arrived, call back\n"),
    (lambda rng: f"DE{rng.randint(10**19, 10**20)}", "IBAN {}\n"),
    (lambda rng: f"+49 170 {rng.randint(10**6, 10**7)}", "Phone: {}\n"),
    (
        lambda rng: f"192.168.{rng.randint(0, 255)}.{rng.randint(1, 254)}:5432",
        "The login host is {}\n",
    ),
    (of("toolu_01", ALNUM, 22), "tool call {} returned\n"),
    (lambda rng: _digest(rng, "sha256"), "fingerprint: {}\n"),
    (lambda rng: ":".join(chars(rng, HEX, 2) for _ in range(16)), "ssh key fingerprint MD5:{}\n"),
    (
        lambda rng: "".join(
            f"function {chars(rng, 'abcdef', 1)}(t,e){{return t[{rng.randint(0, 99)}]&&e.key==={rng.randint(0, 9)}}}"
            for _ in range(12)
        ),
        "```js\n!{};\n```\n",
    ),
)

HARMLESS = Path(__file__).with_name("harmless.txt")
"""Texts with an empty line between them."""


def negatives(rounds: int = 4) -> Iterator[Labelled]:
    """Texts without a secret, in an order that never changes."""
    for number, (make, place) in enumerate(HARMLESS_MADE):
        for turn in range(rounds):
            rng = random.Random(f"harmless {number} {turn}")
            yield Labelled(f"harmless made {number}", place.format(make(rng)))
    for number, text in enumerate(HARMLESS.read_text("utf-8").rstrip("\n").split("\n\n")):
        yield Labelled(f"harmless {number}", f"{text}\n")


def half(samples: Sequence[Labelled], unseen: bool) -> list[Labelled]:
    """The half that rules were written with, or the other one: by template, so that none is in both."""
    names = {one.kind: hashlib.sha256(one.kind.encode()).digest()[0] % 2 for one in samples}
    return [one for one in samples if names[one.kind] == unseen]
