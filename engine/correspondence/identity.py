"""Finds the stored game that corresponds to a game of a file or server. Two different games must never be merged."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from sqlite3 import Row
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary, proxy

from ..clock.game_clocks import Event
from ..clock.instants import to_datetime
from ..common.errors import DamagedGameError, GameError
from ..common.text import shown
from .desk import Desk
from .game import CorrespondenceGame, plain
from .pgn import SERVER_TAGS, PgnGame
from .store import Store

UNKNOWN = ("", "?", "-", "????.??.??")


@dataclass(frozen=True, slots=True)
class Description:
    """The properties that distinguish games; None if unknown. players: every name that each side has had."""

    players: tuple[frozenset[str], frozenset[str]]
    event: str | None
    date: str | None
    round: str | None
    site: str | None
    fen: str | None

    def same(self, other: Description) -> bool:
        return self.same_ignoring_date(other) and self.date == other.date

    def same_ignoring_date(self, other: Description) -> bool:
        """Return whether both descriptions agree, ignoring the date.

        In files of this program, the start replaces the date.
        """
        return (
            all(ours & theirs for ours, theirs in zip(self.players, other.players, strict=True))
            and (self.event, self.fen) == (other.event, other.fen)
            and self._agrees(other)
        )

    def doubtful(self, other: Description) -> bool:
        """Return whether both descriptions may mean one game.

        A name may be shortened or missing in one of them, but nothing else may differ.
        """
        return (
            not self.same(other)
            and all(_alike(ours, theirs) for ours, theirs in zip(self.players, other.players, strict=True))
            and self.fen == other.fen
            and all(_fits(ours, theirs) for ours, theirs in ((self.event, other.event), (self.date, other.date)))
            and self._agrees(other)
        )

    @property
    def enough(self) -> bool:
        """Whether both players have names, and the game has an event or a date."""
        return all(self.players) and self.players[0] != {"?"} != self.players[1] and bool(self.event or self.date)

    def _agrees(self, other: Description) -> bool:
        """Return whether round and site agree.

        Round and site are often missing, so they count only if both sides have them.
        """
        return _fits(self.round, other.round) and _fits(self.site, other.site)


@dataclass(frozen=True, slots=True)
class Sought:
    """A game of a file, to be sought among the stored games whose names begin with the prefix.

    beginning: clock and start of a game that `export` wrote; None in a file of another program.
    """

    game: PgnGame
    prefix: str
    beginning: tuple[str, Event] | None

    @property
    def name(self) -> str | None:
        """The name of the game in the file, in the form in which it would be stored."""
        given = self.game.tags.get("GameName")
        return given and self.prefix + given

    @property
    def moves(self) -> list[str]:
        return [move.uci for move in self.game.moves]

    @property
    def server(self) -> tuple[str, str]:
        server, number = (self.game.tags.get(tag, "") for tag in SERVER_TAGS)
        return server, number


# Maps the stored name of each game that is also in the file to its name in the file.
Claims = dict[str, str]


def claims_of(desk: Desk, games: Iterable[Sought]) -> Claims:
    """Match the file's games with stored games by name, so that no other game of the file can match these."""
    claims: Claims = {}
    for sought in games:
        try:
            namesake = _namesake(desk, sought)
        except DamagedGameError:  # the error is reported later, when this game is imported
            continue
        if namesake is not None:
            claim(claims, namesake.head.name, sought)
    return claims


def claim(claims: Claims, stored: str, sought: Sought) -> None:
    """Record that the file's game is this stored game."""
    if sought.name is not None:
        claims[stored] = sought.name


def find_stored(desk: Desk, sought: Sought, claims: Claims) -> str | None:
    """Return the name of the stored game that is the file's game; None for a new game.

    Server and id decide first. In a file that `export` wrote, name, clock and start decide next; in other files, full
    names, event, date and the moves so far. A stored game that already matches another game of the file is left out.
    Raises GameError if the game cannot be identified for certain.
    """
    free = [
        name
        for name in _candidates(desk, described(sought.game), sought.prefix, sought.server)
        if sought.name is None or claims.get(name, sought.name) == sought.name
    ]
    namesake = _namesake(desk, sought)
    listed = [stored for stored in map(desk.load, free) if _same_id(stored, sought)] if all(sought.server) else []
    if listed:
        by_name = [stored for stored in listed if namesake and stored.head.name == namesake.head.name]
        found = (by_name or listed)[0]
    elif namesake is not None:
        found = namesake
    else:
        return None if sought.beginning else _by_tags(desk, sought, free)
    _check_moves(found, sought.moves)
    return found.head.name


def _namesake(desk: Desk, sought: Sought) -> CorrespondenceGame | None:
    """Return the stored game with the name in the file if it is the same game. The name alone proves nothing."""
    name = sought.name and desk.stored_name(sought.name)
    wanted = described(sought.game)
    if not name or name not in _candidates(desk, wanted, sought.prefix, sought.server):
        return None
    stored = desk.load(name)
    known = description(stored)
    if _other_id(stored, sought):
        return None
    if sought.beginning is not None:
        same = wanted.same_ignoring_date(known) and (stored.head.control, stored.log[0]) == sought.beginning
    else:
        same = wanted.enough and wanted.same(known) and _compatible(stored, sought.moves)
    return stored if same else None


def _by_tags(desk: Desk, sought: Sought, names: list[str]) -> str | None:
    """Return the name of the stored game with equal names, event, date and moves.

    Raises GameError if the game cannot be identified for certain.
    """
    wanted, moves = described(sought.game), sought.moves
    found: list[CorrespondenceGame] = []
    for name in names:
        stored = desk.load(name)
        if _other_id(stored, sought):
            continue
        known = description(stored)
        if wanted.same(known):
            if not wanted.enough:
                if not _compatible(stored, moves):
                    continue
                raise GameError(f"may be the game {name}: the file lacks players, event or date to decide this")
            found.append(stored)
        elif wanted.doubtful(known) and _compatible(stored, moves):
            raise GameError(
                f"may be the game {name}, which has other names, event or date: correct the tags, or use --prefix"
            )
    fitting = [stored for stored in found if _compatible(stored, moves)]
    if len(fitting) > 1:
        raise GameError(f"could be any of {', '.join(stored.head.name for stored in fitting)}: their tags are the same")
    if found and not fitting:
        _check_moves(found[0], moves)
    return fitting[0].head.name if fitting else None


def _same_id(stored: CorrespondenceGame, sought: Sought) -> bool:
    """Return whether both games have the same id of the same server."""
    theirs = server_of(stored)
    return theirs is not None and same_server(theirs[0], sought.server[0]) and theirs[1] == sought.server[1]


def _other_id(stored: CorrespondenceGame, sought: Sought) -> bool:
    """Return whether the games have different server ids."""
    return all(sought.server) and server_of(stored) is not None and not _same_id(stored, sought)


def find_entered(desk: Desk, wanted: Description, own_side: int, moves: list[str]) -> str | None:
    """Return the name of the game entered by hand that is the server's game; None if no game is.

    Full names, event, date and start position decide. Raises GameError for a game that may be the same, because people
    write `Smith` and no event, and enter a game days after it began.
    """
    sure, perhaps = [], []
    for name in _candidates(desk, wanted, "", ("", "")):
        stored = desk.load(name)
        if server_of(stored) is not None or stored.head.own_side != own_side or not _compatible(stored, moves):
            continue
        known = description(stored)
        if wanted.enough and wanted.same(known):
            sure.append(name)
        elif (
            all(map(_alike, known.players, wanted.players))
            and known.fen == wanted.fen
            and _fits(known.event, wanted.event)
        ):
            perhaps.append(name)
    if len(sure) == 1:
        return str(sure[0])
    if sure or perhaps:
        raise GameError(f"may be {' or '.join(sure or perhaps)}, entered by hand")
    return None


def _candidates(desk: Desk, wanted: Description, prefix: str, server: tuple[str, ...]) -> list[str]:
    """Return the names of games worth loading, from the table of games alone.

    Logs are long, and a store may have thousands of games.
    """
    index = _indexes.get(desk.store)
    if index is None:
        index = _indexes[desk.store] = NameIndex(proxy(desk.store))
    number = server[1] if all(server) else ""
    found = []
    for row in index.rows(wanted.players, number):
        if not str(row["name"]).lower().startswith(prefix.lower()):
            continue
        by_id = number and number in _numbers(row)
        if by_id or all(_alike(_side(row, side), names) for side, names in zip(_SIDES, wanted.players, strict=True)):
            found.append(row["name"])
    return found


_SIDES = ("white", "black")
_indexes: WeakKeyDictionary[Store, NameIndex] = WeakKeyDictionary()  # one index for each open store


def _side(row: Row, side: str) -> frozenset[str]:
    """Return the normalised names that a side has had."""
    return frozenset(_name(str(row[column])) for column in (f"first_{side}", side))


def _numbers(row: Row) -> set[str]:
    """Return the ids that the game has on servers. A game imported from a file keeps its id among its tags."""
    try:
        tags = json.loads(row["tags"])
    except (TypeError, ValueError):
        tags = {}
    numbers = (row["server_id"], tags.get(SERVER_TAGS[1]) if isinstance(tags, dict) else None)
    return {number for number in numbers if isinstance(number, str) and number}


class NameIndex:
    """Finds rows of games by players or id without reading the table, so that an import of thousands stays linear.

    The index only grows: an outdated name, or a name from a transaction that was rolled back, still leads to a row,
    so callers must test the rows. After a change by another program a new index is built; triggers note changes by
    this program.
    """

    _COLUMNS = "id, name, first_white, first_black, white, black, server_id, tags"
    _TRIGGERS = (
        "CREATE TEMP TABLE touched (game_id INTEGER)",
        "CREATE TEMP TRIGGER touched_new AFTER INSERT ON games BEGIN INSERT INTO touched VALUES (new.id); END",
        "CREATE TEMP TRIGGER touched_old AFTER UPDATE ON games BEGIN INSERT INTO touched VALUES (new.id); END",
    )

    def __init__(self, store: Store):
        self._store = store
        self._version: int | None = None  # SQLite's counter of changes by other programs
        self._begin()

    def _begin(self) -> None:
        # Maps each name that White or Black has had to the ids of the games.
        self._games: list[dict[str, set[int]]] = [{}, {}]
        self._sorted: list[list[str]] = [[], []]
        self._by_number: dict[str, set[int]] = {}

    def rows(self, players: tuple[frozenset[str], frozenset[str]], number: str) -> list[Row]:
        """Return the rows of all games that may have these players or this id, and of some others, by name.

        players: the normalised names of White and Black; "?" fits every name. number: "" for a game without an id.
        """
        self._refresh()
        sides = [self._fitting(side, names) for side, names in enumerate(players)]
        known = [side for side in sides if side is not None]
        if not known:
            return self._store.rows(f"SELECT {self._COLUMNS} FROM games ORDER BY name")
        few = min(known, key=lambda side: sum(map(len, side)))
        ids = set().union(*few, self._by_number.get(number, ()))
        found: list[Row] = []
        for at in range(0, len(ids), _AT_ONCE):
            some = sorted(ids)[at : at + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            found += self._store.rows(f"SELECT {self._COLUMNS} FROM games WHERE id IN ({marks})", *some)
        return sorted(found, key=lambda row: str(row["name"]).lower())

    def _fitting(self, side: int, names: frozenset[str]) -> list[set[int]] | None:
        """Return the games with a name that begins with one of these names, or with which one of these names begins.

        If ``names`` is None, return all games.
        """
        if "?" in names:
            return None
        games, ordered = self._games[side], self._sorted[side]
        found = [games.get("?", set())]
        for name in names:
            found += [games[name[:size]] for size in range(1, len(name)) if name[:size] in games]
            for at in range(bisect_left(ordered, name), len(ordered)):
                if not ordered[at].startswith(name):
                    break
                found.append(games[ordered[at]])
        return found

    def _refresh(self) -> None:
        row = self._store.row("PRAGMA data_version")
        version = None if row is None else row[0]
        is_noted = self._store.row("SELECT 1 FROM temp.sqlite_master WHERE name = 'touched'") is not None
        if is_noted and version == self._version:
            rows = self._store.rows(f"SELECT {self._COLUMNS} FROM games WHERE id IN (SELECT game_id FROM temp.touched)")
            if rows:
                self._store.write("DELETE FROM temp.touched")
        else:
            if not is_noted:  # a reopened connection has lost its temporary triggers
                for statement in self._TRIGGERS:
                    self._store.write(statement)
            self._begin()
            self._version = version
            self._store.write("DELETE FROM temp.touched")
            rows = self._store.rows(f"SELECT {self._COLUMNS} FROM games")
        for row in rows:
            self._add(row)

    def _add(self, row: Row) -> None:
        for side, name in enumerate(_SIDES):
            for each in _side(row, name):
                games = self._games[side]
                if each not in games:
                    games[each] = set()
                    insort(self._sorted[side], each)
                games[each].add(row["id"])
        for number in _numbers(row):
            self._by_number.setdefault(number, set()).add(row["id"])


_AT_ONCE = 500  # values of one query


def free_name(desk: Desk, game: PgnGame, prefix: str) -> str:
    """Return a name for a new game: the name in the file, or a name made of event, round and players.

    Raises GameError if another stored game has the name in the file.
    """
    if "GameName" in game.tags:
        name = prefix + game.tags["GameName"]
        if desk.has(name):
            raise GameError(
                f"another game named {shown(name)} exists, with other players, event, date or clock: use --prefix"
            )
        return name
    parts = [game.tags.get(tag, "") for tag in ("Event", "Round", "White", "Black")]
    made = (made_of(words) or f"game-{game.number}" for words in ([part.split(",")[0] for part in parts], parts))
    return unused(desk, *((prefix + name)[:80] for name in made))


def made_of(parts: Iterable[str]) -> str:
    """Join the parts into one word that is a valid name."""
    words = (re.sub(r"[^\w.]+", "-", plain(part)).strip("-.") for part in parts if part not in UNKNOWN)
    return "_".join(word for word in words if word)


def unused(desk: Desk, *names: str) -> str:
    """Return the first of the names that no stored game has. If all names are taken, add a number to the last one."""
    for name in names:
        if name and not desk.has(name):
            return name
    number = 2
    while desk.has(f"{names[-1][:75]}-{number}"):
        number += 1
    return f"{names[-1][:75]}-{number}"


def described(game: PgnGame) -> Description:
    return described_by(game.tags, game.fen)


def described_by(tags: dict[str, str], fen: str | None) -> Description:
    """Return the description of a game from its PGN tags."""
    names = [
        frozenset(_name(tags.get(tag, "?")) for tag in (side, f"First{side}") if tags.get(tag)) or frozenset({"?"})
        for side in ("White", "Black")
    ]
    return Description((names[0], names[1]), *_about(tags, None), fen and _plain_fen(fen))


def description(game: CorrespondenceGame) -> Description:
    head = game.head
    start = game.log[0]
    known = None if start.data.get("unsure") else to_datetime(start.at_ms).strftime("%Y.%m.%d")
    names = [
        frozenset({_name(first), _name(now)}) for first, now in zip((head.white, head.black), game.players, strict=True)
    ]
    return Description((names[0], names[1]), *_about(head.tags, known), head.fen and _plain_fen(head.fen))


def server_of(game: CorrespondenceGame) -> tuple[str, str] | None:
    """Return (server, id), also for a game imported from a file; None without a server."""
    head = game.head
    if head.server is not None:
        return head.server, head.server_id or ""
    server, number = (head.tags.get(tag, "") for tag in SERVER_TAGS)
    return (server, number) if server and number else None


def same_server(one: str, other: str) -> bool:
    """Return whether both addresses belong to one service.

    The addresses may differ in case and in a leading ``www``.
    """
    return _service(one) == _service(other)


def _service(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url, ""
    return parts.netloc.lower().removeprefix("www."), parts.path.lower().rstrip("/")


def _about(tags: dict[str, str], date: str | None) -> tuple[str | None, str | None, str | None, str | None]:
    event, round_, site = (_known_value(tags.get(name)) for name in ("Event", "Round", "Site"))
    return event, _known_value(tags.get("Date")) or _known_value(tags.get("EventDate")) or date, round_, site


def _known_value(text: str | None) -> str | None:
    text = plain(text or "").casefold()
    return None if text in UNKNOWN else text


@lru_cache(1 << 16)  # an import compares the names of each game with all stored names
def _name(text: str) -> str:
    return " ".join(re.sub(r"[,.]+", " ", plain(text)).casefold().split()) or "?"


def _plain_fen(fen: str) -> str:
    return " ".join(fen.split()[:4])


def _fits(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other


def _alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Return whether the names may mean one person, like ``Smith, J.`` and ``Smith, John``. "?" matches every name."""
    return any(
        "?" in (one, other) or one.startswith(other) or other.startswith(one) for one in ours for other in theirs
    )


def different_people(stored: str, reported: str) -> bool:
    """Return whether the names mean two people. Titles, initials and the order of names make no difference."""
    ours, theirs = _name(stored), _name(reported)
    words, others = set(ours.split()), set(theirs.split())
    return not (words <= others or others <= words or _alike(frozenset({ours}), frozenset({theirs})))


def _compatible(stored: CorrespondenceGame, moves: list[str]) -> bool:
    same = min(len(stored.moves), len(moves))
    return stored.moves[:same] == moves[:same]


def _check_moves(stored: CorrespondenceGame, moves: list[str]) -> None:
    if not _compatible(stored, moves):
        raise GameError(f"the file and the store have different moves in {stored.head.name}")
