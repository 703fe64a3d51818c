"""Moves entered here that the server of the game does not have yet.

What people do: enter a move, think again for days, and send it then; enter it and play it on the server's page instead,
at once or days later; forget to send it; the opponent answers, resigns or offers a draw before that, or the game ends;
or the game ends while no move waits, and the clocks of the server stand still from then on.
"""

from __future__ import annotations

import json

from standstill.engine.clock.instants import parse_instant
from standstill.engine.clock.units import DAY_MS, HOUR_MS, MINUTE_MS
from standstill.engine.correspondence import desk as desk_module
from standstill.engine.correspondence import transfer
from standstill.engine.correspondence.desk import Desk, When, check
from standstill.engine.correspondence.listing import listing
from standstill.engine.correspondence.servers import bridge, sending, xfcc
from standstill.engine.correspondence.store import Store
from standstill.engine.correspondence.times import reason_of
from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import PASSWORD, USER, XfccServer

START = parse_instant("2026-09-01T00:00Z")
NAME = "WS"


class Player:
    """A game of the user on a server, at instants that the test chooses. Clock 50 d and bank 75 d on both sides."""

    def __init__(self, folder, server: XfccServer, monkeypatch):
        self.server, self.now = server, START
        for module in (bridge, sending, desk_module, transfer):
            monkeypatch.setattr(module, "now_ms", lambda: self.now)
        monkeypatch.setenv("SSL_CERT_DIR", ENV["SSL_CERT_DIR"])
        self.desk = Desk(Store(folder / "games.sqlite", create=True))
        self.client = xfcc.Server(server.url, USER, PASSWORD)
        server.add("17", timeControl="50/75/1", eventDate="2026.09.01")
        self.see(days=0, own=50 * DAY_MS, other=50 * DAY_MS)

    def see(self, days: float, own: int, other: int) -> bridge.Fetched:
        """Fetch at this number of days after the start, when the server shows these clocks."""
        self.now = START + int(days * DAY_MS)
        for whose, left in (("Player", own), ("Opponent", other)):
            minutes = left // MINUTE_MS
            self.server.games["17"] |= {
                f"days{whose}": str(minutes // 1440), f"hours{whose}": str(minutes // 60 % 24),
                f"minutes{whose}": str(minutes % 60),
            }  # fmt: skip
        (found,) = self.client.games()
        return bridge.fetch(self.desk, self.server.url, found, bridge.Wishes(name=NAME))

    def enter(self, days: float, move: str) -> None:
        self.now = START + int(days * DAY_MS)
        self.desk.move(NAME, move, When())

    def banks(self) -> list[tuple[float, bool]]:
        sides = self.desk.load(NAME).clocks.sides
        return [(side.bank_ms / DAY_MS, side.bank_known) for side in sides]


def test_a_move_that_is_sent_days_later_has_used_them(tmp_path, server: XfccServer, monkeypatch) -> None:
    """Entered after 2 days and sent after 5, the move has taken 5 days; the opponent's clock has begun to run then."""
    player = Player(tmp_path, server, monkeypatch)
    player.enter(2, "e4")
    player.now = START + 5 * DAY_MS
    sent = sending.prepare(player.desk, NAME, sending.Wanted(sending.MOVE))
    sending.send(player.desk, sent, player.client)
    assert player.banks() == [(71, True), (75, True)]
    assert not player.see(6, 50 * DAY_MS, 49 * DAY_MS).done
    assert player.banks()[0] == (71, True) and check(player.desk) == []


def test_until_it_is_sent_the_own_clock_runs(tmp_path, server: XfccServer, monkeypatch) -> None:
    """List and fetch show the running clock; a fetch also notices a refill on the page while the move waits."""
    player = Player(tmp_path, server, monkeypatch)
    player.enter(2, "e4")
    (entry,) = listing(player.desk.store, player.now)
    assert (entry.whose, entry.own_turn, entry.left_ms, entry.deadline_ms) == (
        "unsent", True, 48 * DAY_MS, START + 50 * DAY_MS
    )  # fmt: skip
    found = player.see(30, 40 * DAY_MS, 50 * DAY_MS)  # 20 days were refilled
    assert any("not sent yet" in note for note in found.notes) and any("by 20 d" in note for note in found.notes)
    (entry,) = listing(player.desk.store, player.now)
    assert (entry.left_ms, entry.unsent) == (40 * DAY_MS, True)
    assert 55 * DAY_MS - MINUTE_MS < entry.bank_ms <= 55 * DAY_MS  # the server shows minutes
    log = [event.kind for event in player.desk.load(NAME).log]
    assert log.count("move") == 1 and player.desk.load(NAME).moves == ["e2e4"]
    assert player.see(31, 39 * DAY_MS, 50 * DAY_MS).done == "" and check(player.desk) == []


def test_a_move_played_on_the_page_after_a_fetch_without_it(tmp_path, server: XfccServer, monkeypatch) -> None:
    """The move was made between two fetches: the limits of both banks contain every possible division of the time."""
    player = Player(tmp_path, server, monkeypatch)
    player.enter(2, "e4")
    player.see(5, 45 * DAY_MS, 50 * DAY_MS)
    server.boards["17"].push_san("e4")
    player.see(9, 50 * DAY_MS, 48 * DAY_MS)  # made after 7 days
    game = player.desk.load(NAME)
    own, other = game.clocks.sides
    assert own.bank_ms <= 69 * DAY_MS <= own.bank_ms + own.slack_ms and own.slack_ms <= 3 * DAY_MS
    assert other.bank_ms <= 75 * DAY_MS <= other.bank_ms + other.slack_ms + MINUTE_MS
    assert game.moves == ["e2e4"] and not listing(player.desk.store, player.now)[0].unsent


def test_a_move_played_on_the_page_and_entered_at_once_stays_exact(tmp_path, server: XfccServer, monkeypatch) -> None:
    player = Player(tmp_path, server, monkeypatch)
    server.boards["17"].push_san("e4")
    player.enter(2, "e4")
    assert player.see(3, 50 * DAY_MS, 49 * DAY_MS).done == ""
    assert player.banks() == [(74, True), (75, True)]
    assert listing(player.desk.store, player.now)[0].whose == "opponent"


def test_an_end_before_it_was_sent_drops_it(tmp_path, server: XfccServer, monkeypatch) -> None:
    player = Player(tmp_path, server, monkeypatch)
    player.enter(2, "e4")
    server.games["17"]["result"] = "WhiteWins"
    found = player.see(3, 47 * DAY_MS + HOUR_MS, 50 * DAY_MS)
    game = player.desk.load(NAME)
    assert (game.result, game.moves) == ("1-0", []) and "1.e4 was not sent before the end" in found.notes


def test_an_unsent_move_survives_the_export(games, tmp_path, server: XfccServer, monkeypatch) -> None:
    player = Player(tmp_path, server, monkeypatch)
    player.enter(2, "e4")
    player.see(3, 47 * DAY_MS, 50 * DAY_MS)
    log = player.desk.load(NAME).log
    games("export", "-o", tmp_path / "out.pgn")
    games("--store", tmp_path / "other.sqlite", "import", tmp_path / "out.pgn")
    with Store(tmp_path / "other.sqlite") as store:
        assert Desk(store).load(NAME).log == log
    shown = json.loads(games("show", NAME, "--json").stdout)
    assert (shown["unsent"], shown["to_move"]) == ("1.e4", "white")


def test_the_time_since_an_end_is_no_refill(tmp_path, server: XfccServer, monkeypatch) -> None:
    """The server's clocks stood still when the opponent resigned, days before the fetch."""
    player = Player(tmp_path, server, monkeypatch)
    server.games["17"]["result"] = "WhiteWins"
    player.see(9, 47 * DAY_MS, 50 * DAY_MS)
    game = player.desk.load(NAME)
    assert game.result == "1-0" and not any(event.kind == "refill" for event in game.log)
    own = game.clocks.sides[0]
    assert own.clock_ms == 47 * DAY_MS and own.bank_ms <= 75 * DAY_MS <= own.bank_ms + own.slack_ms + MINUTE_MS
    assert reason_of(game, 0) == "it is not known when the game ended" and check(player.desk) == []


def test_a_mate_that_is_not_sent_stays_in_the_list(tmp_path, server: XfccServer, monkeypatch) -> None:
    """The mate has ended the game here only: the user's clock runs on the server until the move is sent."""
    server.add("17", "f3 e5 g4", hasWhite="false", timeControl="50/75/1", eventDate="2026.09.01")
    monkeypatch.setattr(server, "add", lambda *_, **__: None)
    player = Player(tmp_path, server, monkeypatch)
    player.enter(2, "Qh4")
    assert player.desk.load(NAME).over
    (entry,) = listing(player.desk.store, player.now)
    assert (entry.whose, entry.own_turn, entry.result) == ("unsent", True, "*")
    assert any("not sent yet" in note for note in player.see(3, 47 * DAY_MS, 50 * DAY_MS).notes)
    sending.send(player.desk, sending.prepare(player.desk, NAME, sending.Wanted(sending.MOVE)), player.client)
    assert listing(player.desk.store, player.now) == [] and player.desk.load(NAME).reason == "mate"
    assert player.see(4, 47 * DAY_MS, 50 * DAY_MS).notes == () and check(player.desk) == []
