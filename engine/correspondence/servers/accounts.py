"""The user's accounts on servers, and the rule that names the account of an event's games."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from ...clock.parse import parse_control
from ...common.errors import GameError
from ...common.text import shown
from ..desk import Desk
from ..game import CorrespondenceGame, plain
from ..identity import same_server
from .xfcc import XfccError, check_address, forget_password

ANY_EVENT = "*"


@dataclass(frozen=True, slots=True)
class Account:
    """An account on a server.

    events: patterns for the names of events whose games the account fetches and sends, such as ``WT/*``; upper and
    lower case do not matter.
    control: the clock of new games, where the server gives none. refills_entered: whether the user enters every refill
    and claim in the store, so that a fetch can infer the banks.
    """

    url: str
    user: str
    events: tuple[str, ...] = (ANY_EVENT,)
    control: str | None = None
    refills_entered: bool = False

    def fit(self, event: str) -> int:
        """Return how well the account fits an event: the length of the longest matching pattern.

        0 if no pattern matches.
        """
        return max((len(each) for each in self.events if fnmatchcase(event.lower(), each.lower())), default=0)


def accounts(desk: Desk) -> list[Account]:
    rows = desk.store.rows("SELECT * FROM accounts ORDER BY url, user")
    return [
        Account(row["url"], row["user"], tuple(row["events"].split("\n")), row["control"], bool(row["refills_entered"]))
        for row in rows
    ]


def add_account(desk: Desk, account: Account) -> None:
    """Store an account, or change a stored one. Raises XfccError, GameError or ClockError."""
    check_address(account.url)
    if not account.user or account.user != plain(account.user):
        raise GameError(f"expected the name of a user, found {shown(account.user)}")
    events = [plain(each) for each in account.events]
    if not all(events):
        raise GameError("expected a pattern for the names of events, such as WT/*, found an empty one")
    control = None if account.control is None else parse_control(account.control).text
    with desk.store.transaction():
        desk.store.write(
            "INSERT INTO accounts (url, user, events, control, refills_entered) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (url, user) DO UPDATE SET events = excluded.events, control = excluded.control,"
            " refills_entered = excluded.refills_entered",
            account.url,
            account.user,
            "\n".join(events or [ANY_EVENT]),
            control,
            account.refills_entered,
        )


def remove_account(desk: Desk, url: str, user: str) -> tuple[str, str]:
    """Remove an account, and its password from the system's keyring; the account's games stay.

    Returns the end of the sentence "the account is removed", and a problem, or "". Raises GameError if the account is
    not stored.
    """
    with desk.store.transaction():
        known = next((each for each in accounts(desk) if each.user == user and same_server(each.url, url)), None)
        if known is None:
            raise GameError(f"no account of {shown(user)} at {shown(url)}")
        desk.store.write("DELETE FROM accounts WHERE url = ? AND user = ?", known.url, known.user)
        same_host = {(urlsplit(each.url).hostname, each.user) for each in accounts(desk)}
    if (urlsplit(known.url).hostname, known.user) in same_host:  # another account has the same password
        return "", ""
    try:
        return (" with its password in the keyring" if forget_password(known.url, known.user) else ""), ""
    except XfccError as error:
        return "", str(error)


def user_of(desk: Desk, game: CorrespondenceGame) -> str | None:
    """Return the name of the user who plays a game on its server; None if neither a fetch nor a rule has named a user.

    The user to whom the server has listed the game takes precedence over the user named by the rules. The rule with
    the longest pattern that matches the event decides. Raises GameError if two accounts fit equally well.
    """
    if game.head.server is None:
        return None
    row = desk.store.row("SELECT server_user FROM games WHERE id = ?", game.head.id)
    if row is not None and row["server_user"] is not None:
        return str(row["server_user"])
    event = game.head.tags.get("Event", "")
    fits = [(each.fit(event), each) for each in accounts(desk) if same_server(each.url, game.head.server)]
    best = max((fit for fit, _ in fits), default=0)
    found = [each.user for fit, each in fits if fit == best and best]
    if len(found) > 1:
        raise GameError(f"{' and '.join(found)} have rules for the event {shown(event)}: choose one with --user")
    return found[0] if found else None
