"""French rules for work and study."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import HAVE, JUST, NOW, OF
from cortex_insight.enrich.rules.names import NAME
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_WORK: Final = r"(?:je travaille|je bosse)"
_AS: Final = r"(?:comme|en tant que?)"

_ENDED: Final = (
    rule(
        "fr_no_longer_works",
        r"je ne (?:travaille|bosse) plus (?:chez|pour|à) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "fr_used_to_work",
        r"je (?:travaillais|bossais)(?: avant)? (?:chez|pour) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
        Says("former_employer", values.organisation),
    ),
    rule(
        "fr_worked_for_a_period",
        rf"{HAVE} (?:travaillé|bossé) (?:chez|pour) "
        r"(?P<value>.+? (?:de|entre) (?:\w+ )?\d{4} .+)",
        Says("works_at", values.organisation),
        Says("former_employer", values.organisation, lasts=False),
    ),
    rule(
        "fr_worked",
        rf"{HAVE} (?:travaillé|bossé) (?:chez|pour) (?P<value>.+)",
        Says("former_employer", values.organisation, lasts=False),
    ),
    rule(
        "fr_resigned",
        rf"(?:{HAVE} démissionné de|j'ai été (?:licenciée?|virée?) de|j'ai quitté mon "
        r"(?:travail|poste|boulot) (?:à|de)?) ?(?:chez )?(?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "fr_used_to_be",
        r"(?:j'étais|j'ai été) (?P<value>.+)",
        Says("former_job_title", values.trade),
    ),
)

_BEGUN: Final = (
    rule(
        "fr_works_by_now",
        rf"(?:{_WORK} (?:chez|pour) (?P<value>.+?) (?:maintenant|désormais)\b|"
        r"je suis (?:maintenant|désormais) chez (?P<also>.+))",
        Says("works_at", values.organisation, SUPERSEDE),
        Says("works_at", values.organisation, SUPERSEDE, value="also"),
    ),
    rule(
        "fr_just_began",
        r"je viens de (?:commencer|démarrer) chez (?P<value>.+)|je viens de rejoindre (?P<also>.+)",
        Says("works_at", values.organisation, SUPERSEDE),
        Says("works_at", values.organisation, SUPERSEDE, value="also"),
    ),
    rule(
        "fr_left_for_place",
        rf"{HAVE} quitté (?P<former>.+?) pour (?P<value>.+)",
        Says("lives_in", values.known_city, SUPERSEDE, former="former"),
    ),
    rule(
        "fr_left_for",
        rf"{HAVE} quitté (?P<former>.+?) pour (?:rejoindre )?(?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE, former="former"),
    ),
    rule(
        "fr_joined",
        rf"(?:{_WORK} (?:maintenant|désormais|actuellement) (?:chez|pour)|j'ai{JUST} "
        r"(?:commencé|été (?:embauchée?|recrutée?)) chez|j'ai rejoint|"
        r"j'ai(?: récemment)? (?:pris|trouvé|décroché) un (?:nouveau )?(?:poste|travail|"
        r"boulot|taf|job) chez|"
        r"j'ai un nouveau (?:poste|travail|boulot|taf|job) chez) (?P<value>.+)",
        Says("works_at", values.employer, SUPERSEDE),
    ),
    rule(
        "fr_promoted",
        r"(?:j'ai été promue?|je suis (?:passée?|devenue?)) (?P<value>.+)",
        Says("job_title", values.trade, SUPERSEDE),
    ),
    rule(
        "fr_founded",
        rf"{HAVE} (?:co)?fondé (?P<value>.+)",
        Says("founded", values.organisation),
        event=True,
    ),
)

_DOES: Final = (
    rule(
        "fr_is_with_since",
        r"je suis chez (?P<value>.+? depuis .+)",
        Says("works_at", values.organisation),
    ),
    rule(
        "fr_industry",
        rf"{_WORK}{NOW} dans (?:la |le |l'|les )(?P<value>\w+)$",
        Says("industry", values.industry),
    ),
    rule(
        "fr_works_at_as",
        rf"{_WORK}{NOW} (?:chez|pour) (?P<value>.+?) {_AS} (?P<title>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "fr_works_at",
        rf"{_WORK}{NOW} (?:chez|pour) (?P<value>.+)",
        Says("works_at", values.organisation),
    ),
    rule(
        "fr_works_at_institution",
        rf"{_WORK}{NOW} (?:à la|à l'|au|aux) ?(?P<value>.+)",
        Says("works_at", values.institution),
    ),
    rule(
        "fr_is_at",
        r"je suis (?P<title>\w+(?: \w+){0,3}?) chez (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "fr_is_the_one_of",
        rf"je suis (?:le |la )?(?P<title>\w+(?: \w+){{0,3}}?) {OF}(?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.trade, value="title"),
        all_or_none=True,
    ),
    rule(
        "fr_employer",
        r"mon employeur(?: est|,? c'est) (?P<value>.+)",
        Says("works_at", values.organisation),
    ),
    rule("fr_works_as", rf"{_WORK} {_AS} (?P<value>.+)", Says("job_title", values.possession)),
    rule(
        "fr_trade",
        r"(?:mon métier|ma profession|mon travail)(?: est|,? c'est) (?P<value>.+)",
        Says("job_title", values.trade),
    ),
    rule("fr_is_one", rf"je suis{NOW} (?P<value>.+)", Says("job_title", values.trade)),
    rule(
        "fr_employment_status",
        rf"je suis{NOW} (?P<value>à la retraite|retraitée?|au chômage|indépendante?|à mon compte|"
        r"freelance)\b",
        Says("employment_status", values.token),
    ),
    rule(
        "fr_work_mode",
        rf"{_WORK}{NOW} (?P<value>en télétravail|à distance|sur site)\b",
        Says("work_mode", values.token),
    ),
    rule(
        "fr_works_on",
        rf"{_WORK}{NOW} sur (?P<value>.+)",
        Says("works_on", values.project),
        confidence=0.8,
    ),
    rule(
        "fr_works_with",
        rf"{_WORK}{NOW} avec (?P<value>{NAME}) (?:sur|dans|à|au) ",
        Says("colleague", values.introduced),
    ),
    rule(
        "fr_team",
        r"je (?:suis dans|travaille dans|dirige|gère) l'équipe (?P<value>.+)",
        Says("team", values.capitalised),
    ),
)

_STUDY: Final = (
    rule(
        "fr_studies_at",
        r"je fais des études de (?P<value>.+?) (?:à la|à l'|à|au) ?(?P<school>.+)",
        Says("studies", values.field),
        Says("attends_school", values.organisation, value="school"),
    ),
    rule(
        "fr_studies",
        rf"(?:j'étudie{NOW}|je fais des études de) (?:la |le |l'|les )?(?P<value>.+)",
        Says("studies", values.field),
    ),
    rule(
        "fr_studied_at",
        rf"(?:{HAVE} étudié (?:.{{0,40}}? )?(?:à la|à l'|à|au)|je suis diplômée? (?:de la|de "
        r"l'|de|du)) ?"
        r"(?P<value>.+)",
        Says("studied_at", values.organisation),
    ),
    rule(
        "fr_degree",
        r"j'ai une? (?P<value>(?:master|licence|doctorat|diplôme|mastère|bts|thèse) (?:en|de) .+)",
        Says("degree", values.degree),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_ENDED, *_BEGUN, *_DOES, *_STUDY)
