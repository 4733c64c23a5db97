"""How claims are written in tests: `action predicate=value`, and what else a claim may say."""

from roxabi_contracts import Claim


def described(claim: Claim) -> str:
    """The claim with its qualifiers, what it replaces, since, until and about whom."""
    text = f"{claim.action.value} {claim.predicate}={claim.value['value']}"
    if claim.qualifiers:
        text += f" [{', '.join(map(str, claim.qualifiers.values()))}]"
    if claim.replaces:
        text += f" <- {claim.replaces['value']}"
    if claim.valid and claim.valid.valid_from:
        text += f" since {claim.valid.valid_from.date()}"
    if claim.valid and claim.valid.valid_until:
        text += f" until {claim.valid.valid_until.date()}"
    if claim.about is not None:
        text += f" about {claim.about}"
    return text
