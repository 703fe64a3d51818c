"""Fetches all games of an account and collects what has changed, what cannot be stored, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...clock.parse import parse_control
from ...clock.units import MINUTE_MS, words_text
from ...common.errors import DamagedGameError, StandstillError, StoreError
from ...common.text import plural, shown
from ..desk import Desk
from .accounts import Account
from .bridge import Fetched, Wishes, fetch, unlisted
from .xfcc import Server, Unreadable, XfccGame

UNLISTED = "the server no longer lists it; if it has ended, enter the result with `games result`"
_WRONG_MS = 5 * MINUTE_MS  # the difference between two clocks that are synchronised over the network is smaller


@dataclass(slots=True)
class Report:
    """The result of one fetch.

    news: the games that have changed. problems: games that could not be read or stored, and wrong names. quiet: the
    number of games without news. passed: the number of games of events that the account does not serve. missing: the
    names of stored games that the server no longer lists. ahead_ms: the time by which the server's clock is ahead of
    this machine's.
    """

    news: list[Fetched] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    quiet: int = 0
    passed: int = 0
    missing: list[str] = field(default_factory=list)
    total: int = 0
    ahead_ms: int = 0

    def lines(self) -> list[str]:
        """Return the report in words, without the problems."""
        found = []
        for each in self.news:
            notes = (*each.notes, *each.times)
            found += [f"{each.name}: {each.done or 'nothing new'}", *(f"  {note}" for note in notes)]
        return found + self.others() + [f"{name}: {UNLISTED}" for name in self.missing]

    def others(self) -> list[str]:
        """Return the lines that are about no single game."""
        found = []
        if lacking := sum(each.lacks_bank for each in self.news):
            found.append(
                f"{lacking} new {plural(lacking, 'game')}: the bank is unknown, because the server does not show it;"
                f" enter yours with `{'correct' if lacking == 1 else 'games banks'}`, and the opponent's follows"
            )
        if self.quiet:
            found.append(f"{self.quiet} {plural(self.quiet, 'game')}: nothing new")
        if self.passed:
            found.append(f"{self.passed} {plural(self.passed, 'game')} of other events skipped")
        if not self.total:
            found.append("no games")
        if abs(self.ahead_ms) >= _WRONG_MS:
            off = words_text((abs(self.ahead_ms) + MINUTE_MS // 2) // MINUTE_MS * MINUTE_MS)
            whose = "ahead of" if self.ahead_ms > 0 else "behind"
            found.append(f"the server's clock is {off} {whose} this machine's: deadlines and banks may be off by it")
        return found


def fetch_all(
    desk: Desk, server: Server, wishes: Wishes, names: Mapping[str, str] | None = None, account: Account | None = None
) -> Report:
    """Store the games that the server lists. Raises XfccError, and StoreError if the store itself fails.

    names: the user's names for games, by the server's ids. account: the stored account, whose events limit the games
    that are new in the store.
    """
    names = dict(names or {})
    wishes = replace(wishes, user=server.user)
    if wishes.control is None and account is not None and account.control is not None:
        wishes = replace(wishes, control=parse_control(account.control))
    if account is not None and account.refills_entered:
        wishes = replace(wishes, refills_entered=True)
    report, games = Report(), server.games()
    report.total, report.ahead_ms = len(games), server.ahead_ms
    first: dict[str, XfccGame] = {}
    for game in games:
        if not isinstance(game, Unreadable) and first.setdefault(game.id, game) is not game:
            if first[game.id] != game:
                report.problems.append(f"game {game.id}: the server lists two games with this id; the first is stored")
        elif isinstance(game, Unreadable):
            report.problems.append(f"game {game.id or '?'}: {game.problem}")
        elif account is not None and not account.fit(game.event) and game.id not in names:
            report.passed += 1
        else:
            report.problems += [f"game {game.id}: {problem}" for problem in game.problems]
            _store(desk, server.url, game, replace(wishes, name=names.pop(game.id, None)), report)
    desk.store.place()  # creates the store, so that the next command finds it even if no game could be stored
    listed = {game.id for game in games}
    if "" not in listed:  # a game without an id may be any of the stored games
        report.missing = unlisted(desk, server.url, server.user, listed)
    report.problems += [f"--game {shown(number)}: the server has no such game" for number in names]
    return report


def _store(desk: Desk, url: str, game: XfccGame, wishes: Wishes, report: Report) -> None:
    try:
        found = fetch(desk, url, game, wishes)
    except StandstillError as error:
        if isinstance(error, StoreError) and not isinstance(error, DamagedGameError):
            raise
        report.problems.append(f"game {game.id}: {error}")
        return
    if found.done or found.notes or found.times:
        report.news.append(found)
    else:
        report.quiet += 1
