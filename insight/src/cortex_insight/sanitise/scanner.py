"""The rules of detect-secrets, run directly; nothing is ever asked of a network.

Not among them: entropy and keywords, which take hashes, ids and names in code for secrets; the
keys of Azure, which look like the sums in a lock file. Of GitHub and Discord our own find more.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.basic_auth import BasicAuthDetector
from detect_secrets.plugins.cloudant import CloudantDetector
from detect_secrets.plugins.ibm_cloud_iam import IbmCloudIamDetector
from detect_secrets.plugins.ibm_cos_hmac import IbmCosHmacDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.softlayer import SoftlayerDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from cortex_insight.sanitise.rule import Accepts, Rule, anything, words_of

_COMMIT_LENGTH: Final = 40
_MARKS: Final = re.compile(r"\[redacted:|\]")


class _Detector(Protocol):
    """What is used of a plugin of the scanner: not what it asks of a network."""

    @property
    def denylist(self) -> Iterable[re.Pattern[str]]: ...


@dataclass(frozen=True)
class _Known:
    """A plugin with what it finds, and the words that `Rule` wants."""

    detector: Callable[[], _Detector]
    kind: str
    words: str
    accepts: Accepts


def _is_mixed(found: str) -> bool:
    """Letters and digits: what is one of them alone is a word or a number."""
    return any(map(str.isdigit, found)) and any(map(str.isalpha, found))


def _is_random(found: str) -> bool:
    """Both cases and digits: a commit or a sum has one case."""
    return _is_mixed(found) and any(map(str.isupper, found)) and any(map(str.islower, found))


def _is_aws(found: str) -> bool:
    """The id of a key by its form; what is as long as a commit only if it is none."""
    return len(found) != _COMMIT_LENGTH or _is_random(found)


def _has_word(found: str) -> bool:
    """Something is left that is no mark of ours."""
    return _MARKS.search(found) is None


_KNOWN: Final = (
    _Known(ArtifactoryDetector, "artifactory_key", "akc artif+ap jfrog+ap buildkit+ap", _is_mixed),
    _Known(
        AWSKeyDetector,
        "aws_key",
        "akia asia abia acca a3t aws+key aws+pw aws+pass aws+token",
        _is_aws,
    ),
    _Known(BasicAuthDetector, "password", "://+@", _has_word),
    _Known(
        CloudantDetector, "cloudant_key", "cl+key cl+pw cl+pass cl+token cloudant.com", anything
    ),
    _Known(IbmCloudIamDetector, "ibm_key", "key pw pass token", _is_random),
    _Known(IbmCosHmacDetector, "ibm_key", "secret+key", anything),
    _Known(JwtTokenDetector, "jwt", "eyj", JwtTokenDetector.is_formally_valid),
    _Known(MailchimpDetector, "mailchimp_key", "-us", _is_mixed),
    _Known(NpmDetector, "npm_token", "npm _authtoken", _is_mixed),
    _Known(PrivateKeyDetector, "private_key", "private putty-user-key", anything),
    _Known(SendGridDetector, "sendgrid_key", "sg.", anything),
    _Known(SlackDetector, "slack_token", "xox hooks.slack.com", anything),
    _Known(
        SoftlayerDetector, "softlayer_key", "sl+key sl+pw sl+pass sl+token softlayer", _is_mixed
    ),
    _Known(SquareOAuthDetector, "square_token", "sq0csp", anything),
    _Known(StripeDetector, "stripe_key", "k_live_", anything),
    _Known(TwilioKeyDetector, "twilio_key", "", _is_mixed),
)


def _rules() -> Iterable[Rule]:
    for known in _KNOWN:
        for pattern in known.detector().denylist:
            yield Rule(known.kind, words_of(known.words), pattern, known.accepts)


SCANNED: Final = tuple(_rules())
