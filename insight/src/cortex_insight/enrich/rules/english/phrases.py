"""Beginnings that many English rules share."""

from typing import Final

AM: Final = r"(?:i'm|i am|im)"
WE_ARE: Final = r"(?:i'm|i am|im|we're|we are)"
NOW: Final = (
    r"(?: (?:now|currently|actually|still|also|just|both|mostly|mainly|usually|generally|"
    r"only|always|already))*"
)
HAVE: Final = r"(?:i|we)(?:'ve| have)?(?: just| recently| finally| now| both| also)*"
NO_MORE: Final = r"(?:i|we) (?:no longer|do not|don't|dont|never)"
ANY_MORE: Final = r"(?: any ?more| any longer| at all)?$"

PET: Final = "guinea pig|dog|puppy|cat|kitten|rabbit|horse|parrot|hamster|tortoise|goldfish"

RELATIVES: Final = {
    "spouse": "wife|husband|spouse",
    "partner": "partner|girlfriend|boyfriend|fiancée|fiancé",
    "child": "(?:eldest |oldest |youngest |little )?(?:son|daughter)|kid|child",
    "grandparent": "grandmother|grandfather|grandma|grandpa|granny|nan|grandad",
    "sibling": "(?:big |little |older |younger |twin )?(?:brother|sister)",
    "parent": "mother|father|mom|mum|dad",
    "friend": "(?:best |good |old |close )*friend",
    "colleague": "colleague|co-?worker|teammate",
    "manager": "(?:line |direct |new )?(?:manager|boss|supervisor)",
    "neighbour": "neighbour|neighbor",
    "flatmate": "flatmate|roommate|housemate",
    "pet_name": PET,
}
