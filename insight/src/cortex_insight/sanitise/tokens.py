"""Tokens that are known by their own form, beside those that the scanner knows."""

from typing import Final

from cortex_insight.sanitise.rule import Rule, rule

_ALONE: Final = r"(?<![A-Za-z0-9])"
_ENDS: Final = r"(?![A-Za-z0-9])"


def _token(kind: str, words: str, form: str) -> Rule:
    """A token that starts a word of its own."""
    return rule(kind, words, f"{_ALONE}(?:{form})")


_CODE_HOSTS: Final = (
    _token(
        "github_token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_\w{20,}|github_pat_\w{20,}",
    ),
    _token(
        "gitlab_token",
        "glpat- gldt- glft- glsoat- glrt- glptt- glcbt- glimt- glagent- gloas- gr1348941",
        r"(?:gl(?:pat|dt|ft|soat|rt|ptt|cbt|imt|agent|oas)-|GR1348941)[\w-]{20,}",
    ),
    _token("bitbucket_token", "atbb atatt3 atctt3", r"AT(?:BB|ATT3|CTT3)[\w=-]{28,}"),
    _token("npm_token", "npm_", rf"npm_[A-Za-z0-9]{{36}}{_ENDS}"),
    _token("pypi_token", "pypi-", r"pypi-[\w-]{32,}"),
    _token("rubygems_token", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    _token("docker_token", "dckr_", r"dckr_(?:pat|oat)_[\w-]{24,}"),
    _token("buildkite_token", "bkua_", r"bkua_[0-9a-f]{40}"),
    _token("sonar_token", "sqa_ sqp_ squ_", r"sq[apu]_[0-9a-f]{40}"),
    _token("circleci_token", "ccipat_ ccipra_", r"CCIP(?:AT|RA)_[\w-]{22,}"),
    _token("artifactory_key", "akc", r"AKC[A-Za-z0-9]{60,}"),
)

_CLOUDS: Final = (
    _token("aws_key", "akia asia agpa aida aroa", rf"A(?:KI|SI|GP|ID|RO)A[A-Z0-9]{{16}}{_ENDS}"),
    _token("alibaba_key", "ltai", r"LTAI(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{16,24}"),
    _token("google_key", "aiza", r"AIza[\w-]{35,}"),
    _token(
        "google_token", "ya29. 1//0 gocspx-", r"ya29\.[\w-]{20,}|1//0[\w-]{32,}|GOCSPX-[\w-]{24,}"
    ),
    rule("azure_key", "accountkey", r"(?P<kept>AccountKey=)[A-Za-z0-9+/]{40,}={0,2}"),
    rule("azure_signature", "sig=", r"(?P<kept>[?&]sig=)(?=[^&\s]{0,64}\d)[\w%+/-]{30,}"),
    _token("digitalocean_token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _token("databricks_token", "dapi", rf"dapi[0-9a-f]{{32}}(?:-\d)?{_ENDS}"),
    _token("heroku_token", "hrku-", r"HRKU-[\w-]{36,}"),
    _token("netlify_token", "nfp_", r"nfp_[A-Za-z0-9]{36}"),
    _token("fly_token", "fo1_ fm1 fm2", r"fo1_[\w-]{40,}|fm[12][ar]?_[A-Za-z0-9+/=]{60,}"),
    _token("supabase_key", "sbp_ sb_secret_", r"sbp_[0-9a-f]{40}|sb_secret_[\w-]{20,}"),
    _token("planetscale_token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,}"),
    _token("terraform_token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"),
    _token("vault_token", "hvs. hvb. hvr.", r"hv[sbr]\.[\w-]{24,}"),
    _token(
        "doppler_token",
        "dp.",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,}",
    ),
    _token("pulumi_token", "pul-", r"pul-[0-9a-f]{40}"),
)

_MODELS: Final = (
    _token("api_key", "sk- sk_ rk- rk_ pk- pk_", r"(?:sk|rk|pk)[-_](?=[\w-]{0,64}\d)[\w-]{20,}"),
    _token("hub_token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    _token("groq_key", "gsk_", r"gsk_[A-Za-z0-9]{40,}"),
    _token("xai_key", "xai-", r"xai-[A-Za-z0-9]{60,}"),
    _token("perplexity_key", "pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    _token("replicate_token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _token("langsmith_key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    _token("tavily_key", "tvly-", r"tvly-(?=[\w-]{0,64}\d)[\w-]{28,}"),
)

_OFFICES: Final = (
    _token("slack_token", "xox xapp-", r"xox[abceoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}"),
    _token("telegram_token", ":aa", r"\d{8,10}:AA[\w-]{33}(?![\w-])"),
    rule("discord_token", "", r"[MNO](?<![A-Za-z0-9].)[\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}"),
    rule(
        "webhook",
        "discord.com/api/webhooks discordapp.com/api/webhooks webhook.office.com/webhookb2",
        r"(?P<kept>(?:discord(?:app)?\.com/api/webhooks/\d{16,20}|webhook\.office\.com/webhookb2)/)"
        r"[\w@/-]{40,}",
    ),
    _token("notion_token", "ntn_ secret_", r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}"),
    _token("linear_key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _token("figma_token", "figd_", r"figd_[\w-]{36,}"),
    _token("airtable_token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    _token("hubspot_token", "pat-", r"pat-[a-z]{2}\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    _token("asana_token", "0/ 1/ 2/", rf"[0-2]/\d{{14,20}}:[0-9a-f]{{32}}{_ENDS}"),
    _token("dropbox_token", "sl.", r"sl\.(?:u\.)?[\w-]{120,}"),
    _token("contentful_token", "cfpat-", r"CFPAT-[\w-]{40,}"),
    _token("typeform_token", "tfp_", r"tfp_[\w-]{40,}"),
    _token("postman_key", "pmak-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    _token("onepassword_token", "ops_eyj", r"ops_eyJ[A-Za-z0-9+/=_-]{100,}"),
)

_SERVICES: Final = (
    _token("sendgrid_key", "sg.", r"SG\.[\w-]{16,64}\.[\w-]{32,}"),
    _token("mailchimp_key", "-us", r"[0-9a-f]{32}-us\d{1,2}(?!\d)"),
    _token("mailgun_key", "key-", rf"key-[0-9a-f]{{32}}{_ENDS}"),
    _token("brevo_key", "xkeysib- xsmtpsib-", r"x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    _token("resend_key", "re_", r"re_(?=\w{0,16}\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    _token("square_token", "sq0", r"sq0(?:atp|csp|idp)-[\w-]{22,}"),
    _token("stripe_secret", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,}"),
    _token("shopify_token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _token("shippo_token", "shippo_", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    _token("easypost_key", "ezak eztk", r"EZ(?:AK|TK)[A-Za-z0-9]{50,}"),
    _token(
        "grafana_token",
        "glsa_ glc_",
        r"glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,}",
    ),
    _token("sentry_token", "sntrys_ sntryu_", r"sntrys_[\w+/=-]{40,}|sntryu_[0-9a-f]{64}"),
    _token("newrelic_key", "nrak- nrra-", r"NR(?:AK|RA)-[A-Za-z0-9]{24,}"),
    _token("mapbox_token", "k.eyj", r"[st]k\.eyJ[\w-]{20,1024}\.[\w-]{16,}"),
)

_KEYS: Final = (
    rule(
        "private_key",
        "private",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?"
        r"(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    rule(
        "wireguard_key", "privatekey", r"(?P<kept>PrivateKey\s{0,8}=\s{0,8})[A-Za-z0-9+/]{42,44}=?"
    ),
    _token("age_key", "age-secret-key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    rule("nkey_seed", "", rf"S[AUONCX][A-Z2-7]{{56}}{_ENDS}"),
    _token("jwt", "eyj", r"eyJ[\w-]{8,1024}\.eyJ[\w-]{8,8192}\.[\w-]*"),
)

TOKENS: Final = (*_KEYS, *_CODE_HOSTS, *_CLOUDS, *_MODELS, *_OFFICES, *_SERVICES)
