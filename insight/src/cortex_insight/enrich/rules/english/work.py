"""English rules for work and study."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import AM, HAVE, NO_MORE, NOW
from cortex_insight.enrich.rules.names import NAME
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_ENDED: Final = (
    rule(
        "no_longer_works",
        rf"{NO_MORE} work (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "used_to_work",
        r"i used to work (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
        Says("former_employer", values.organisation),
    ),
    rule(
        "worked_for_a_period",
        r"i worked (?:at|for) (?P<value>.+? (?:from|between) (?:\w+ )?\d{4} .+)",
        Says("works_at", values.organisation),
        Says("former_employer", values.organisation, lasts=False),
    ),
    rule(
        "worked",
        r"i(?: once| previously)? worked (?:at|for) (?P<value>.+)",
        Says("former_employer", values.organisation, lasts=False),
    ),
    rule(
        "quit_job",
        rf"{HAVE} (?:(?:quit|resigned from|left) my job at|resigned from) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "laid_off",
        r"i(?: was|'ve been| got| have been) (?:laid off|fired|let go) (?:from|by|at) "
        r"(?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "used_to_be",
        r"i (?:used to be|was once) (?P<value>an? .+)",
        Says("former_job_title", values.profession),
    ),
    rule(
        "has_left",
        r"i(?:'ve| have)(?: just| recently| finally)? left (?P<value>.+)$",
        Says("works_at", values.employer_alone, RETRACT),
    ),
    rule(
        "previous_job",
        r"(?:in|at) my (?:previous|last|former|old) (?:job|role|position) (?:at|with|for) "
        r"(?P<value>.+)",
        Says("former_employer", values.organisation),
    ),
    rule(
        "lost_job",
        r"(?:since )?i lost my job (?:at|with) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "lost_job_as",
        r"i lost my job as (?P<value>an? .+)",
        Says("former_job_title", values.profession),
    ),
)

_BEGUN: Final = (
    rule(
        "works_by_now",
        r"i work (?:at|for) (?P<value>.+?) now\b",
        Says("works_at", values.organisation, SUPERSEDE),
    ),
    rule(
        "left_for",
        rf"{HAVE} left (?P<former>.+?) (?:for|to join|and joined) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE, former="former"),
    ),
    rule(
        "joined",
        rf"{HAVE} (?:joined(?!.* for (?:lunch|dinner|coffee|drinks|breakfast|a |the ))|"
        r"started(?: working)? (?:at|for)|got an? (?:new )?job (?:at|with)|"
        r"(?:taken up|taken|accepted|landed|got) an? (?:\w+ )?(?:position|job|post|role|"
        r"offer) (?:at|with|from)) (?P<value>.+)",
        Says("works_at", values.employer, SUPERSEDE),
    ),
    rule(
        "works_now",
        r"(?:now i|i now|i currently|currently i) work (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE),
    ),
    rule(
        "promoted",
        r"i(?: was|'ve been| got| have been| just got) promoted to (?P<value>.+)",
        Says("job_title", values.possession, SUPERSEDE),
    ),
    rule(
        "became",
        rf"(?:{HAVE} become|i became) (?P<value>an? .+)",
        Says("job_title", values.profession, SUPERSEDE),
    ),
    rule(
        "founded",
        rf"{HAVE} (?:co-?)?founded (?P<value>.+)",
        Says("founded", values.organisation),
        event=True,
    ),
    rule(
        "founder",
        rf"{AM} (?:the|an?) (?:co-?)?founder of (?P<value>.+)",
        Says("founded", values.organisation),
    ),
)

_DOES: Final = (
    rule(
        "has_been_the_one",
        r"i(?:'ve| have) been (?:the |an? )?(?P<title>\w+(?: \w+){0,3}?) (?:at|of) (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.profession, value="title"),
        all_or_none=True,
    ),
    rule(
        "introduces_trade",
        rf"(?:{AM}|this is|my name is) (?P<name>(?:Dr\.? |Prof\.? )?{NAME}), (?P<title>an? "
        r".+?) (?:at|with|from) "
        r"(?P<value>.+)",
        Says("name", values.lone_name, value="name"),
        Says("works_at", values.organisation),
        Says("job_title", values.profession, value="title"),
        all_or_none=True,
    ),
    rule(
        "has_been_one",
        r"i(?:'ve| have) been (?P<value>an? .+)",
        Says("job_title", values.profession),
    ),
    rule(
        "has_been_with",
        r"i(?:'ve| have) been (?:with|at) (?P<value>.+? (?:since|for) .+)",
        Says("works_at", values.organisation),
        confidence=0.8,
    ),
    rule(
        "is_with",
        rf"{AM}{NOW} (?P<title>an? .+?) (?:with|for) (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.profession, value="title"),
        all_or_none=True,
    ),
    rule("teaches_at", r"i teach(?: \w+)? at (?P<value>.+)", Says("works_at", values.organisation)),
    rule(
        "industry",
        rf"(?:i{NOW} work|{AM}{NOW} working) in (?P<value>\w+)(?=$|,| for| at)",
        Says("industry", values.industry),
    ),
    rule(
        "leads_team",
        r"i (?:lead|manage|head|run) the (?P<value>[\w&-]+) team\b",
        Says("team", values.capitalised),
    ),
    rule("my_role", r"my (?:current )?role is (?P<value>.+)", Says("job_title", values.profession)),
    rule(
        "works_as_at",
        rf"(?:i{NOW} work|{AM}{NOW} working) as (?P<title>an? .+?) (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "works_at_as",
        rf"(?:i{NOW} work|{AM}{NOW} working) (?:at|for) (?P<value>.+?) as (?P<title>an? .+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "is_at",
        rf"{AM}{NOW} (?P<title>an? .+?) at (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.office, value="title"),
        all_or_none=True,
    ),
    rule(
        "is_the_one_of",
        rf"{AM}{NOW} (?:the )?(?P<title>\w+(?: \w+){{0,3}}?) (?:at|of|for) (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.leading_office, value="title"),
        all_or_none=True,
    ),
    rule(
        "works_at",
        rf"(?:i{NOW} work|{AM}{NOW} (?:working|employed)(?: full-time| part-time)?|i(?:'ve| "
        r"have) (?:worked|been working)) "
        r"(?:at|for|by) (?P<value>.+)",
        Says("works_at", values.organisation),
    ),
    rule(
        "employer",
        r"my(?: new| current)? employer is (?P<value>.+)",
        Says("works_at", values.organisation),
    ),
    rule(
        "works_as",
        rf"(?:i{NOW} work|{AM}{NOW} working|i(?:'ve| have) (?:worked|been working)) as "
        r"(?P<value>an? .+)",
        Says("job_title", values.possession),
    ),
    rule(
        "job_title",
        r"my (?:job title|job|profession|occupation) is (?P<value>.+)",
        Says("job_title", values.possession),
    ),
    rule(
        "is_by_profession",
        rf"(?:by (?:profession|trade),? )?{AM}{NOW} (?P<value>an? .+?)(?: by (?:trade|"
        r"profession))?$",
        Says("job_title", values.profession),
    ),
    rule("is_one", rf"{AM}{NOW} (?P<value>an? .+)", Says("job_title", values.profession)),
    rule(
        "employment_status",
        rf"{AM}{NOW} (?P<value>retired|unemployed|self-employed|on parental leave)\b",
        Says("employment_status", values.token),
    ),
    rule(
        "work_mode",
        rf"i{NOW} work (?P<value>remotely|from home|on site|onsite|in the office)\b",
        Says("work_mode", values.token),
    ),
    rule(
        "works_on",
        rf"(?:{AM}{NOW} working|i{NOW} work) on (?P<value>.+)",
        Says("works_on", values.project),
        confidence=0.8,
    ),
    rule("reports_to", r"i report(?: directly)? to (?P<value>.+)", Says("manager", values.person)),
    rule(
        "works_with",
        rf"(?:i{NOW} work|{AM}{NOW} working) with (?P<value>{NAME}) (?:on|in|at) ",
        Says("colleague", values.introduced),
    ),
    rule(
        "team",
        rf"{AM} (?:on|in|part of) the (?P<value>[\w&-]+) team\b",
        Says("team", values.capitalised),
    ),
)

_STUDY: Final = (
    rule(
        "studies_at",
        rf"(?:{AM}{NOW} studying|i{NOW} study|i{NOW} major in) (?P<value>.+?) at (?P<school>.+)",
        Says("studies", values.field),
        Says("attends_school", values.organisation, value="school"),
    ),
    rule(
        "studies",
        rf"(?:{AM}{NOW} studying|i{NOW} study|i{NOW} major in) (?P<value>.+)",
        Says("studies", values.field),
    ),
    rule(
        "studied_at",
        r"i (?:studied .{0,40}? at|graduated from|did my [\w' ]{2,20} at|went to(?= "
        r".*(?:university|college)))"
        r" (?P<value>.+)",
        Says("studied_at", values.organisation),
    ),
    rule(
        "degree",
        r"i (?:have|hold|got) an? (?P<value>(?:phd|doctorate|master'?s(?: degree)?|bachelor'?s"
        r"(?: degree)?|mba|msc|bsc|degree) (?:in|of) .+)",
        Says("degree", values.degree),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_ENDED, *_BEGUN, *_DOES, *_STUDY)
