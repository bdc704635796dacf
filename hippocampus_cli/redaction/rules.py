"""What secrets look like: the published formats of keys and tokens, and the words that announce a password.

A format is found by what it always holds (``sign``), which costs next to nothing where it is not there; only then
is its pattern compiled. Formats that are public by design (publishable keys, account numbers, public halves of a
pair) are left out.
"""

from __future__ import annotations

from hippocampus_cli.fast_types import NamedTuple


class Format(NamedTuple):
    """A published format. ``sign`` is part of every such secret; ``pattern`` is a regular expression.

    Where the pattern has a group, that is the secret. ``random`` says that what it matches must look random too,
    ``near`` which word (in lower case) must stand on its line or shortly before.
    """

    kind: str
    sign: str
    pattern: str
    random: bool = True
    near: str = ""


_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"


def _prefixed(kind: str, *prefixes: str, body: str) -> tuple[Format, ...]:
    return tuple(
        Format(kind, one, one.replace(".", r"\.").replace("$", r"\$") + body) for one in prefixes
    )


FORMATS: tuple[Format, ...] = (
    # clouds
    *_prefixed("aws-key", "AKIA", "ASIA", "ABIA", "ACCA", body=r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    Format("aws-key", "ABSK", r"ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    Format("aws-key", "amzn.mws.", rf"amzn\.mws\.{_UUID}", False),
    Format("google-key", "AIza", r"AIza[\w-]{35}(?![\w-])"),
    Format("google-key", "GOCSPX-", r"GOCSPX-[\w-]{24,}"),
    Format("google-token", "ya29.", r"ya29\.[\w-]{20,}"),
    Format("google-token", "1//0", r"1//0[\w-]{30,}"),
    Format("azure-key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{40,}={0,2})"),
    Format("azure-key", "SharedAccessKey=", r"SharedAccessKey=([A-Za-z0-9+/]{30,}={0,2})"),
    Format("azure-key", "Q~", r"[\w~.-]{3}\dQ~[\w~.-]{30,36}"),
    Format("azure-key", "AZDO", r"[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}"),
    *_prefixed("digitalocean-token", "dop_v1_", "doo_v1_", "dor_v1_", body=r"[0-9a-f]{40,64}"),
    Format("alibaba-key", "LTAI", r"LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
    Format("tencent-key", "AKID", r"AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    Format("yandex-key", "AQVN", r"AQVN[\w-]{34,}"),
    Format("akamai-token", "akab-", r"akab-[a-z0-9]{16}-[a-z0-9]{16}(?![a-z0-9])"),
    Format("heroku-key", "HRKU-", r"HRKU-[\w-]{30,}"),
    Format("fly-token", "fo1_", r"fo1_[\w-]{40,}"),
    Format("fly-token", "fm2_", r"fm2_[\w+/=,-]{40,}"),
    Format("netlify-token", "nfp_", r"nfp_[A-Za-z0-9_]{30,}"),
    Format("vercel-token", "vercel_", r"vercel_(?!icfg_)[A-Za-z0-9_]{20,}"),
    *_prefixed("vercel-token", "vcp_", "vca_", "vck_", "vci_", "vcr_", body=r"[A-Za-z0-9]{24,}"),
    Format("cloudflare-key", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{140,}"),
    Format("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    *_prefixed("planetscale-key", "pscale_", body=r"(?:tkn|pw|oauth)_[\w.=-]{30,}"),
    *_prefixed("supabase-key", "sb_secret_", "sbp_", body=r"[\w-]{24,}"),
    Format("neon-key", "napi_", r"napi_[a-z0-9]{40,}"),
    # code and packages
    *_prefixed("github-token", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", body=r"[A-Za-z0-9]{30,255}"),
    Format("github-token", "github_pat_", r"github_pat_\w{60,}"),
    Format(
        "gitlab-token",
        "gl",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct|rtr)-[\w.=-]{20,}",
    ),
    Format("gitlab-token", "GR1348941", r"GR1348941[\w-]{20,}"),
    Format("bitbucket-token", "ATBB", r"ATBB[A-Za-z0-9_=]{28,}"),
    Format("atlassian-token", "ATATT3", r"ATATT3[\w=+/-]{50,}"),
    Format("atlassian-token", "ATCTT3", r"ATCTT3[\w=+/-]{50,}"),
    Format("npm-token", "npm_", r"npm_[A-Za-z0-9]{36,}"),
    Format("pypi-token", "pypi-", r"pypi-[\w-]{50,}"),
    Format("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    Format("crates-token", "cio", r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    Format("nuget-key", "oy2", r"oy2[a-z0-9]{43}(?![a-z0-9])"),
    Format("clojars-token", "CLOJARS_", r"CLOJARS_[0-9a-z]{50,}"),
    *_prefixed("docker-token", "dckr_pat_", "dckr_oat_", body=r"[\w-]{20,}"),
    Format("artifactory-key", "AKCp", r"AKCp[A-Za-z0-9]{60,}"),
    *_prefixed("sonar-token", "squ_", "sqp_", "sqa_", body=r"[0-9a-f]{40}"),
    *_prefixed("buildkite-token", "bkua_", "bkpt_", body=r"[0-9a-f]{40}"),
    Format("circleci-token", "CCIPAT_", r"CCIPAT_[A-Za-z0-9_]{30,}"),
    Format("codecov-token", "CCIPRJ_", r"CCIPRJ_[A-Za-z0-9_]{30,}"),
    # models
    Format("anthropic-key", "sk-ant-", r"sk-ant-[\w-]{20,}"),
    Format("openrouter-key", "sk-or-", r"sk-or-[\w-]{24,}"),
    Format("openai-key", "sk-", r"sk-(?:proj-|svcacct-|admin-|None-)?[\w-]{20,}"),
    Format("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    Format("xai-key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    Format("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    Format("huggingface-token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    Format("huggingface-token", "api_org_", r"api_org_[A-Za-z0-9]{30,}"),
    Format("replicate-token", "r8_", r"r8_[A-Za-z0-9]{32,}"),
    Format("nvidia-key", "nvapi-", r"nvapi-[\w-]{50,}"),
    Format("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9_]{40,}"),
    Format("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    Format("jina-key", "jina_", r"jina_[A-Za-z0-9_-]{40,}"),
    Format("tavily-key", "tvly-", r"tvly-[\w-]{24,}"),
    Format("cerebras-key", "csk-", r"csk-[a-z0-9]{40,}"),
    Format("fireworks-key", "fw_", r"fw_[A-Za-z0-9]{20,}"),
    Format("firecrawl-key", "fc-", r"fc-[0-9a-f]{32}"),
    Format("brave-key", "BSA", r"BSA[A-Za-z0-9_-]{24,28}(?![\w-])"),
    Format("elevenlabs-key", "sk_", r"sk_[0-9a-f]{48}(?![0-9a-f])"),
    # messages and mail
    Format("slack-token", "xox", r"xox[abceoprs](?:\.xox[bp])?-[\w-]{10,}"),
    Format("slack-token", "xapp-", r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{30,}"),
    Format(
        "webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/]{20,})",
    ),
    Format(
        "webhook", "/webhooks/", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/(\d{10,}/[\w-]{40,})"
    ),
    Format(
        "webhook", ".webhook.office.com/", r"[\w-]+\.webhook\.office\.com/webhookb2/([\w@/-]{40,})"
    ),
    Format("telegram-token", ":AA", r"(?<!\d)\d{8,10}:AA[\w-]{32,34}(?![\w-])"),
    Format("discord-token", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    Format("sendgrid-key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{32,64}"),
    Format("twilio-key", "SK", r"SK(?:[0-9a-f]{32}|[0-9A-F]{32})(?![0-9a-fA-F])"),
    Format("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![0-9a-f])"),
    Format(
        "mailgun-key",
        "-",
        r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])",
        near="mailgun",
    ),
    Format("mailchimp-key", "-us", r"[0-9a-f]{32}-us\d{1,2}(?!\d)"),
    *_prefixed("brevo-key", "xkeysib-", "xsmtpsib-", body=r"[0-9a-f]{64}-\w{16}"),
    Format("resend-key", "re_", r"re_[A-Za-z0-9]{6,}_?[A-Za-z0-9]{16,}"),
    # money and shops
    *_prefixed(
        "stripe-key",
        "sk_live_",
        "sk_test_",
        "rk_live_",
        "rk_test_",
        "sk_prod_",
        body=r"[A-Za-z0-9_]{10,}",
    ),
    Format("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    *_prefixed("shopify-token", "shpat_", "shpca_", "shppa_", "shpss_", body=r"[0-9a-fA-F]{32}"),
    *_prefixed("square-token", "sq0atp-", "sq0csp-", body=r"[\w-]{22,43}"),
    Format("square-token", "EAAA", r"EAAA[\w-]{56,62}(?![\w-])"),
    Format(
        "braintree-token",
        "access_token$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    *_prefixed(
        "plaid-token", "access-production-", "access-sandbox-", "access-development-", body=_UUID
    ),
    *_prefixed("shippo-token", "shippo_live_", "shippo_test_", body=r"[0-9a-f]{40}"),
    *_prefixed("duffel-token", "duffel_live_", "duffel_test_", body=r"[\w=-]{40,}"),
    *_prefixed("easypost-key", "EZAK", "EZTK", body=r"[A-Za-z0-9]{54}"),
    # services
    Format("facebook-token", "EAA", r"EAA[A-Za-z0-9]{90,}"),
    Format("facebook-token", "|", r"\d{10,20}\|([\w-]{27})(?![\w-])"),
    Format("twitter-token", "AAAAAAAAAAAAAAAAAAAA", r"A{20,}[\w%]{50,}"),
    Format("dropbox-token", "sl.", r"sl\.[\w-]{100,}"),
    Format("asana-token", "/", r"(?<![\w/])[12]/\d{12,18}(?:/\d{12,18})?:[0-9a-f]{32}"),
    *_prefixed("linear-key", "lin_api_", "lin_oauth_", body=r"[A-Za-z0-9]{32,}"),
    Format("notion-token", "ntn_", r"ntn_[A-Za-z0-9]{40,}"),
    Format("notion-token", "secret_", r"secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    *_prefixed("figma-token", "figd_", "figo_", "figu_", body=r"[\w-]{36,}"),
    Format("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    Format("hubspot-token", "pat-", rf"pat-(?:na|eu)\d-{_UUID}"),
    Format("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    Format("contentful-token", "CFPAT-", r"CFPAT-[\w-]{40,}"),
    Format("typeform-token", "tfp_", r"tfp_[\w-]{40,}"),
    Format("prefect-key", "pnu_", r"pnu_[A-Za-z0-9]{36}"),
    Format("readme-key", "rdme_", r"rdme_[a-z0-9]{60,}"),
    Format("adafruit-key", "aio_", r"aio_[A-Za-z0-9]{28}"),
    *_prefixed("sentry-token", "sntrys_", "sntryu_", body=r"[\w+/=-]{40,}"),
    *_prefixed("grafana-token", "glc_", "glsa_", body=r"[\w+/=]{32,}"),
    *_prefixed("newrelic-key", "NRAK-", "NRII-", "NRIQ-", body=r"[\w-]{24,}"),
    *_prefixed("newrelic-key", "NRBR-", "NRJS-", "NRAL-", body=r"[\w-]{16,}"),
    Format("dynatrace-token", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    Format("posthog-key", "phx_", r"phx_[A-Za-z0-9]{40,}"),
    Format(
        "doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,}"
    ),
    Format("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    Format("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    *_prefixed("vault-token", "hvs.", "hvb.", "hvr.", body=r"[\w-]{20,}"),
    Format("vault-token", "s.", r"(?<![\w.])s\.[A-Za-z0-9]{24}(?![\w.])"),
    Format("onepassword-token", "ops_eyJ", r"ops_eyJ[\w+/=-]{60,}"),
    Format(
        "onepassword-key",
        "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    Format("defined-key", "dnkey-", r"dnkey-[\w=-]{26}-[\w=-]{52}(?![\w=-])"),
    Format("tailscale-key", "tskey-", r"tskey-(?:[a-z]+-)?[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]{8,})*"),
    Format("pagerduty-key", "u+", r"(?<!\w)u\+[\w+-]{18}(?![\w+-])"),
    # keys of every kind
    Format("age-key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{50,60}"),
    Format("age-key", "AGE-PLUGIN-", r"AGE-PLUGIN-[A-Z0-9]+-1[0-9A-Z]{20,}"),
    Format("wallet-key", "prv", r"[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}"),
    Format("nats-key", "S", r"S[UAOCN][A-Z2-7]{56}(?![A-Z0-9])"),
    Format("nostr-key", "nsec1", r"nsec1[02-9ac-hj-np-z]{58}"),
    Format(
        "license-key",
        "-",
        r"(?:[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4}|[A-Z0-9]{4}(?:-[A-Z0-9]{4}){5}|\d{6}(?:-\d{6}){7})(?![\w-])",
    ),
    Format("jwt", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}"),
    Format("jwt", "eyJ", r"eyJ[\w-]{16,}\.[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}"),
)
"""Every format with a sign of its own. All hold at least 20 characters without white space."""

PASSWORD, PIN, CODE, TOKEN = "password", "pin", "code", "secret"
PHRASE, LOGIN, USER = "passphrase", "login", "user"

ANNOUNCING: dict[str, dict[str, str]] = {
    "pass": dict.fromkeys(("password", "passwort", "passwd", "passcode", "passord"), PASSWORD)
    | {"passphrase": PHRASE, "mot de passe": PASSWORD, "pass": PASSWORD},
    "pw": dict.fromkeys(("pwd", "pw"), PASSWORD),
    "code": dict.fromkeys(
        (
            *(
                "zugangscode",
                "unlock code",
                "door code",
                "türcode",
                "tuercode",
                "alarm code",
                "gate code",
            ),
            *(
                "recovery code",
                "backup code",
                "access code",
                "entry code",
                "garage code",
                "safe code",
            ),
            *("disarm code", "entsperrcode", "sicherheitscode", "code du portail", "code d'entrée"),
            *(
                "opens with code",
                "disarm with code",
                "lock code",
                "pin code",
                "setup code",
                "pairing code",
                "keypad code",
            ),
        ),
        CODE,
    ),
    "phrase": dict.fromkeys(("seed phrase", "recovery phrase", "secret phrase"), PHRASE),
    " words": dict.fromkeys(
        ("recovery words", "seed words", "backup words", "24 words", "12 words"), PHRASE
    ),
    "community": {"community string": PASSWORD},
    "identified": {"identified by": PASSWORD},
    "unlocks": {"unlocks with": PIN},
    "wallet": {"wallet seed": PHRASE},
    "pin": {"pin": PIN},
    "puk": {"puk": PIN},
    "secret": {"shared secret": PASSWORD, "enable secret": PASSWORD, "secret": TOKEN},
    "token": {"token": TOKEN},
    "key": dict.fromkeys(("wifi key", "wi-fi key", "wlan key"), PASSWORD)
    | dict.fromkeys(("apikey", "key"), TOKEN),
    "auth": dict.fromkeys(("authorization", "auth"), TOKEN),
    "cred": {"credentials": LOGIN, "creds": LOGIN, "credential": TOKEN},
    "login": {"login": LOGIN},
    "admin": {"admin": USER},
    "root": {"root": USER},
    "zugang": dict.fromkeys(("zugangsdaten", "zugang"), LOGIN),
    "cookie": {"cookie": TOKEN},
    **{one: {one: PHRASE} for one in ("mnemonic", "助记词")},
    "otp": {"totp seed": TOKEN, "otp seed": TOKEN, "totp": TOKEN, "otp": PIN},
    "psk": {"psk": PASSWORD},
    **{  # whoever has no ü writes ue
        one: dict.fromkeys(
            (f"netzwerk{one}", f"wlan-{one}", f"wlan {one}", f"wifi-{one}"), PASSWORD
        )
        | {one: TOKEN}
        for one in ("schlüssel", "schluessel")
    },
    "clave": {"clave del wifi": PASSWORD, "clave wifi": PASSWORD, "clave": TOKEN},
    "clé": {"clé wi-fi": PASSWORD, "clé wifi": PASSWORD, "clé": TOKEN},
    **{one: {one: TOKEN} for one in ("bearer", "密钥", "令牌", "токен", "キー", "トークン")},
    "combination": {"combination": CODE},
    **{one: {one: LOGIN} for one in ("anmeldedaten", "账号")},
    **{
        one: {one: PASSWORD}
        for one in (
            *(
                "kennwort",
                "mdp",
                "senha",
                "wachtwoord",
                "heslo",
                "parola",
                "contrasena",
            ),
            *(
                "contraseña",
                "lösenord",
                "hasło",
                "пароль",
                "şifre",
                "密码",
                "密碼",
                "口令",
                "パスワード",
            ),
            *("暗証番号", "비밀번호", "암호", "كلمة المرور", "סיסמה", "mật khẩu"),
        )
    },
}
"""The words that announce a secret, in lower case, and what kind of value follows, by what they have in common."""

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
updated scope scopes audience issuer issued header headers env var variable arn ref reference location vault server
service based
"""
NOT_AFTER = frozenset(_NOT_AFTER_TEXT.split())
"""What makes another thing of a password, a token or a key that stands before it: a hash, a length, a policy."""

_PLAIN_WORDS_TEXT = """
required optional string str text none null nil true false yes no unknown empty blank missing invalid valid
revoked declined promise expired unchanged changed rotated reset resets forgotten forgot lost stolen leaked encrypted
hashed masked
hidden redacted removed omitted protected stored saved kept shared same different default random generated given
sent received needed necessary mandatory incorrect wrong correct weak strong long short secure insecure
temporary permanent disabled enabled active inactive pending unset undefined secret secrets password passwords
passwort passwd token tokens key keys credentials username user users name email login account admin
administrator root keychain keyring keepass keepassxc bitwarden onepassword lastpass dashlane proton vault safe
envelope drawer manager browser firefox chrome safari wallet notebook note notes todo later soon tomorrow today
never always private public internal external local remote personal company team office home work value values
field column type types number numbers digits letters characters minimum maximum length policy policies rotation
expiry authentication authorization auth oauth session cookie cookies header headers bearer basic digest
kerberos ldap interface object array integer boolean float double varchar bytes char function method class
parameter argument config configuration settings setting environment variable env file files folder path
directory database table server client service host port protocol example sample placeholder dummy changeme
change-me change_me demo testing see ask check use call contact bob alice mum dad who where what when why how
this that these those there here not now new old the and for with from via per its his her their our your any
all some each both either neither sicher unsicher siehe im in am beim steht liegt geheim unbekannt leer keine
kein nein ja geändert vergessen abgelaufen gültig ungültig benutzer konto unverändert noch nicht wird wurde
werden muss ist hat haben requerido obligatorio ninguno ninguna igual cambiada olvidada requis obligatoire aucun
aucune voir identique description comment comments remark remarks purpose owner status state url link links
website site system last updated created date expires issued valid-until rotated-on since until monday friday
january february march april june july august september october november december requirements complexity
authentifizierung cryptography generation validation recovery management storage exchange verification
confirmation mismatch prompt prompted input output hash hashes plaintext cleartext base64 bcrypt argon2 argon2id
scrypt pbkdf2 sha256 sha-256 sha512 md5 aes256 aes-256 oauth2 oauth2.0 1password 2fa mfa totp u2f fido2 wpa2
wpa3 utf8 utf-8 base32 base58 rfc6749 rfc7519 rs256 hs256 es256 ed25519 x509 x.509 p256 auth0 http2 ipv4 ipv6
k8s s3 ec2 i18n
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
    "6leixactaaaa",
)
"""What stands where a value is to be filled in."""

_INSTANCES_TEXT = """
example your placeholder changeme change_me change-me dummy redacted insert replace goes-here goes_here goeshere
enter- enter_ sample notreal not-a-real not_a_real fake mock 01234567 12345678 abcdefgh deadbeef foobar lorem todo
dein_ dein- mein_ tu_ hunter2000 mypassword my_password my-password mysecret my_secret my-secret my_api my-api mytoken
my-token my_token some-secret some_secret supersecretkey super-secret-key removed hidden masked api_key_here _here
-here
ownerpassword userpassword abc123 secret123 secure123 pass123 test-token 123456: abcd1234 base64url
token-123 xyz789 xyz123 securepassword yourpassword sk-12345
"""
INSTANCES = tuple(_INSTANCES_TEXT.split())
"""What examples hold. It excuses a value only where such words, counting and plain words are most of it."""
