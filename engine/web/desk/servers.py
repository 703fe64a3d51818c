"""Accounts, banks and fetches on Desk. The page may send a password for the keyring, but never receives one."""

from __future__ import annotations

import re

from ...common.errors import GameError, StandstillError
from ...common.text import plural
from ...correspondence.desk import Desk
from ...correspondence.servers.accounts import ANY_EVENT, Account, accounts, add_account, remove_account
from ...correspondence.servers.banks import banks_of, enter_banks, lacking
from ...correspondence.servers.bridge import Wishes
from ...correspondence.servers.fetching import UNLISTED, fetch_all
from ...correspondence.servers.xfcc import Server, XfccError, credentials, keep_password
from .. import fields
from ..fields import Fields


def accounts_view(desk: Desk) -> dict[str, object]:
    """Return the stored accounts, each with whether its password is available."""
    found = []
    for account in accounts(desk):
        try:
            credentials(account.url, account.user)
            problem = ""
        except StandstillError as error:
            problem = str(error)
        found.append(
            {
                "url": account.url,
                "user": account.user,
                "events": ", ".join(account.events),
                "control": account.control or "",
                "refills": account.refills_entered,
                "problem": problem,
            }
        )
    return {"accounts": found}


def change_account(desk: Desk, data: Fields) -> dict[str, object]:
    """Store an account, with a given password in the system's keyring; or remove the account and its password.

    Raises ClockError, GameError or XfccError.
    """
    url, user, events, control = (fields.text(data, name).strip() for name in ("url", "user", "events", "control"))
    if fields.truth(data, "remove"):
        ending, problem = remove_account(desk, url, user)
        return {"done": f"the account of {user} is removed{ending}; its games stay", "problem": problem}
    patterns = tuple(each.strip() for each in events.split(",")) if events else (ANY_EVENT,)
    add_account(desk, Account(url, user, patterns, control or None, fields.truth(data, "refills")))
    try:
        if password := fields.text(data, "password"):
            keep_password(url, user, password)
        credentials(url, user)
        problem = ""
    except StandstillError as error:
        problem = str(error)
    return {"done": f"the account of {user} is stored", "problem": problem}


def banks_view(desk: Desk) -> dict[str, object]:
    """Return the games with an unknown bank, and the limits of the banks that may be entered."""
    games = [desk.load(name) for name in lacking(desk)]
    return {
        "games": [
            {
                "name": game.head.name,
                "players": game.players,
                "banks": [{"whose": whose, "limits": limits} for whose, limits in banks_of(game)],
            }
            for game in games
        ]
    }


def change_banks(desk: Desk, data: Fields) -> dict[str, object]:
    """Enter banks from lines, either all banks or none. A ``preview`` only says which banks would be entered."""
    preview = fields.truth(data, "preview")
    done, problems = enter_banks(desk, fields.text(data, "lines").splitlines(), preview=preview)
    if not (done or problems):
        raise GameError("expected a bank")
    wrong = [re.sub(r"^line \d+, ", "", each) for each in problems]  # the form does not number its lines
    return {"lines": done, "wrong": wrong, "done": f"{len(done)} {plural(len(done), 'bank')} entered"}


def fetch(desk: Desk, data: Fields) -> dict[str, object]:
    """Fetch the games of all accounts; without accounts, of every server to which stored games belong."""
    known = accounts(desk)
    if not known:
        rows = desk.store.rows("SELECT DISTINCT server, server_user FROM games WHERE server IS NOT NULL")
        known = [Account(row["server"], row["server_user"] or "") for row in rows]
    if not known:
        raise GameError("no server is known: add your account on the server")
    games: list[dict[str, object]] = []
    lines: list[str] = []
    problems: list[str] = []
    for account in known:
        try:
            server = Server(account.url, *credentials(account.url, account.user or None))
            report = fetch_all(desk, server, Wishes(), account=account if account.user else None)
        except XfccError as error:
            if len(known) == 1:
                raise
            problems.append(f"{account.user or account.url}: {error}")
            continue
        games += [
            {"name": each.name, "done": each.done or "nothing new", "notes": each.notes, "times": each.times}
            for each in report.news
        ]
        games += [{"name": name, "done": UNLISTED, "notes": [], "times": []} for name in report.missing]
        whose = f"{server.user} at {account.url}: " if len(known) > 1 else ""
        lines += [f"{whose}{line}" for line in report.others()]
        problems += report.problems
    return {"games": games, "lines": lines, "problems": problems}
