"""People with keys of every scheme, as sources speak of them, and who is really meant each time.

The same seed makes the same people. Beside plain cases they have what makes identity hard: names
that several bear, families that share a phone, mailboxes that an office shares, lists that replace
the sender, handles that are given up and taken by another, strangers who state a key of somebody
else's, and names that are misspelled, abbreviated, or written in another form of Unicode.
"""

import random
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from retain.observing import OWNER, actor, observe
from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole
from roxabi_contracts.observation import Observation, Origin

GIVEN = """
Ada Alice Amira Andre Anna Antoine Astrid Bea Bruno Camille Carla Cecile Chloe Clara Daniel David
Elena Elif Emil Emma Erik Farid Fatima Felix François Greta Gustav Hana Helene Hugo Ida Inès
Ingrid Isabelle Ivan Jakub Jana Jean-Luc Jonas José Julia Karim Katja Lars Laura Lena Linus Louis
Lucie Magnus Marta Mathilde Milan Mona Nadia Nils Noah Nora Olga Omar Paul Petra Pierre Rania
Renée Robin Rosa Samir Sara Selin Simon Sofia Søren Tarek Teresa Thomas Tomas Ulla Vera Victor
Yara Yusuf Zoé İlker
"""
FAMILY = """
Abelard Aksoy Andersen Arnaud Bach Baum Bergman Bernard Blanc Bonnet Brandt Bruun Cakir Castel
Chevalier Dahl Delcourt Diaz Dubois Dupont Eklund Ferrand Fischer Fontaine Garnier Girard Groß
Haas Hansen Henry Holm Iversen Jansen Joubert Kaya Keller Klein Kovacs Lambert Laurent Lefevre
Lindgren Lopez Lund Marchand Mercier Meyer Moreau Nilsen Novak Olsen Ortega Ozturk Pasquier Petit
Picard Popov Renard Ricci Robert Rossi Roussel Roux Santos Schmitt Schneider Silva Simonsen Smith
Soto Steiner Strand Svensson Thibault Tran Vasseur Vidal Vogel Weber Wolf
"""
COMPANIES = [f"{name}.example" for name in ("garden", "forest", "harbour", "mill", "quarry")]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, and the keys that are theirs."""

    number: int
    given: str
    family: str
    work: str
    home: str
    phone: str
    chat: str
    forge: str

    @property
    def name(self) -> str:
        """The name in the order of speech."""
        return f"{self.given} {self.family}"

    @property
    def forge_address(self) -> str:
        """The address that GitHub gives out for the account."""
        return f"{self.forge}+p{self.number}@users.noreply.github.com"


@dataclass(frozen=True, slots=True)
class Said:
    """An observation, and who each of its actors really is, but for its owner."""

    observation: Observation
    meant: tuple[str, ...]


class Population:
    """Makes people, and what sources say of them."""

    def __init__(self, size: int, seed: int) -> None:
        self._size = size
        self._chance = random.Random(seed)
        self._said: list[Said] = []

    def said(self) -> list[Said]:
        """All that is said, in the order in which it is made up."""
        people = self._people()
        for person in people:
            self._in_records(person)
            self._in_mail(person)
            self._elsewhere(person)
        self._families(people)
        self._offices(people)
        self._handles(people)
        self._shared_mailboxes(people)
        return self._said

    def _people(self) -> list[Person]:
        people: list[Person] = []
        for number in range(self._size):
            is_homonym = bool(people) and self._chance.random() < 0.04
            twin = self._chance.choice(people) if is_homonym else None
            given = twin.given if twin else self._chance.choice(GIVEN.split())
            family = twin.family if twin else self._chance.choice(FAMILY.split())
            plain = _plain(f"{given}.{family}")
            companies = [name for name in COMPANIES if twin is None or not twin.work.endswith(name)]
            people.append(
                Person(
                    number=number,
                    given=given,
                    family=family,
                    work=f"{plain}{number}@{self._chance.choice(companies)}",
                    home=f"{plain}{number}@gmail.com",
                    phone=f"+47 {22_000_000 + number * 7919}",
                    chat=f"T1/U{number:06}",
                    forge=str(100_000 + number * 31),
                )
            )
        return people

    def _in_records(self, person: Person) -> None:
        """Directories that are trusted state two keys of nearly everybody."""
        if self._chance.random() < 0.93:
            self._say(person, person.work, f"account:chat:{person.chat}")
        if self._chance.random() < 0.85:
            self._say(person, person.work, f"phone:{person.phone}")
        if self._chance.random() < 0.85:
            self._say(person, person.forge_address, person.work)
        if self._chance.random() < 0.7:
            self._say(person, person.work, person.home)

    def _in_mail(self, person: Person) -> None:
        for _ in range(self._chance.randint(3, 6)):
            self._say(person, self._spelled(person.work), origin=Origin.THIRD_PARTY)
        for _ in range(self._chance.randint(0, 2)):
            self._say(person, self._alias(person.home), origin=Origin.THIRD_PARTY)

    def _elsewhere(self, person: Person) -> None:
        third = Origin.THIRD_PARTY
        for _ in range(self._chance.randint(2, 4)):
            self._say(person, f"account:chat:{person.chat}", origin=third)
        for _ in range(self._chance.randint(1, 3)):
            self._say(person, f"account:github:{person.forge}", origin=third)
        for _ in range(self._chance.randint(0, 2)):
            spelled = self._chance.choice([person.phone, person.phone.replace("+", "00")])
            self._say(person, f"phone:{spelled}", origin=third)
        if self._chance.random() < 0.1:
            self._say(person, f"phone:{person.phone.removeprefix('+47 ')}", origin=third)
        if self._chance.random() < 0.1:
            rewritten = actor("garden@lists.example", name=f"'{person.name}' via garden-list")
            self._add(rewritten, str(person.number), third, trace=f"list {person.number}")
        if self._chance.random() < 0.1:
            bare = actor(name=person.given, role=ActorRole.MENTIONED)
            self._add(bare, str(person.number), third, trace=f"chat {person.number}")

    def _families(self, people: list[Person]) -> None:
        """Two people whose address book entries have one phone."""
        for first, second in _couples(people, every=25):
            for person in (first, second):
                self._say(person, person.home, "phone:+47 90 00 " + f"{first.number:04}")

    def _offices(self, people: list[Person]) -> None:
        """Mailboxes that several people share, also under the name of one of them."""
        for first, second in _couples(people, every=15):
            mailbox = f"info@{first.work.partition('@')[2]}"
            for person in (first, second):
                shared = actor(mailbox, name=person.name)
                self._add(shared, mailbox, Origin.THIRD_PARTY)
                both = actor(person.work, mailbox, name=person.name)
                self._add(both, str(person.number), Origin.TRUSTED)
            bot = actor(f"account:chat:B{first.number}", kind=ActorKind.BOT, name=first.name)
            self._add(bot, f"bot {first.number}", Origin.THIRD_PARTY)

    def _handles(self, people: list[Person]) -> None:
        """A pseudonym is given up and taken by another; a stranger states somebody's address."""
        for first, second in _couples(people, every=20):
            for person in (first, second):
                taken = actor(f"account:video:{person.forge}", name=f"sun{first.number}")
                self._add(taken, f"pseudonym {person.number}", Origin.THIRD_PARTY)
            claimed = actor(f"account:video:9{second.forge}", first.work, name="Nobody Known")
            self._add(claimed, f"stranger {second.number}", Origin.THIRD_PARTY)

    def _shared_mailboxes(self, people: list[Person]) -> None:
        """Two people whose accounts on two platforms are registered with one mailbox."""
        for first, second in _couples(people, every=30):
            given, family = _plain(first.given), _plain(second.family)
            names = [f"{given}.and.{_plain(second.given)}", f"familie.{family}", f"the.{family}s"]
            mailbox = f"{self._chance.choice(names)}@couple{first.number}.example"
            shared = actor(mailbox, name=first.name)
            self._add(shared, mailbox, Origin.THIRD_PARTY)
            self._say(first, f"account:chat:{first.chat}", mailbox)
            self._say(second, f"account:github:{second.forge}", mailbox)

    def _say(self, person: Person, *keys: str, origin: Origin = Origin.TRUSTED) -> None:
        self._add(actor(*keys, name=self._called(person)), str(person.number), origin)

    def _add(self, who: ActorRef, meant: str, origin: Origin, trace: str = "chat") -> None:
        number = len(self._said)
        seen = observe(at=number, ref=str(number), actors=[OWNER, who], origin=origin, trace=trace)
        self._said.append(Said(seen, (meant,)))

    def _called(self, person: Person) -> str | None:
        """The name beside a key, in one of the ways in which people and programs write it."""
        spellings: list[Callable[[Person], str | None]] = [
            *[lambda who: who.name] * 8,
            lambda who: f"{who.family}, {who.given}",
            lambda who: who.name.upper(),
            lambda who: unicodedata.normalize("NFD", who.name),
            lambda who: f"{who.name} (External)",
            lambda who: f"{who.given[0]}. {who.family}",
            lambda who: who.given,
            lambda who: _misspelled(who.given) + f" {who.family}",
            lambda who: None,
        ]
        return self._chance.choice(spellings)(person)

    def _spelled(self, address: str) -> str:
        return self._chance.choice([address, address, address.upper(), f"<{address}>"])

    def _alias(self, address: str) -> str:
        mailbox, _, _ = address.partition("@")
        return self._chance.choice(
            [
                *[address] * 5,
                f"{mailbox.replace('.', '')}@gmail.com",
                f"{mailbox}+news@gmail.com",
                f"{mailbox}@googlemail.com",
            ]
        )


def _couples(people: list[Person], every: int) -> Iterator[tuple[Person, Person]]:
    for number in range(0, len(people) - 1, every):
        yield people[number], people[number + 1]


def _plain(text: str) -> str:
    """The name as people put it into an address."""
    spelled = text.replace("\u00df", "ss").replace("\u00f8", "o").replace("-", "")
    bare = unicodedata.normalize("NFKD", spelled)
    return "".join(c for c in bare if not unicodedata.combining(c)).lower()


def _misspelled(name: str) -> str:
    """One letter too many."""
    middle = len(name) // 2
    return name[:middle] + name[middle] + name[middle:]
