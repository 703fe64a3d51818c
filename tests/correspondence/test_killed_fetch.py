"""A fetch that is killed leaves every game as before, or as on the server; a killed `enter` stores all or none."""

from __future__ import annotations

import random
import time
from pathlib import Path
from string import ascii_uppercase

import pytest

from standstill.engine.clock.instants import now_ms
from standstill.engine.clock.units import DAY_MS
from standstill.engine.correspondence.desk import Desk, check
from standstill.engine.correspondence.game import CorrespondenceGame, Head
from standstill.engine.correspondence.store import Store
from tests import forked
from tests.amounts import LONG
from tests.correspondence.support import ENV
from tests.correspondence.xfcc_server import XfccServer
from tests.uci.client import PATIENCE_S, clean_environment

RUNNING = 6  # games at any time
PLIES = 40  # length of a game
SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")
LONGEST = 120  # half-moves of a game to which lists are added


class Table:
    """Games that continue on the server, and what the store last had of them."""

    def __init__(self, server: XfccServer, executable: Path, store: Path) -> None:
        self.server, self.store = server, store
        self.command = [executable, "games", "--store", store, "fetch", server.url, "--control", "50/75/1"]
        self.source = random.Random(6)
        self.plies: dict[str, int] = {}  # half-moves of each game in the store, by the server's id
        self.messages: dict[str, list[str]] = {}
        self.fill()

    def fill(self) -> None:
        """Begin new games in place of those that have ended in the store."""
        for number in [number for number in self.server.games if self.ended(number)]:
            if self.plies.get(number) == len(self.server.boards[number].move_stack):
                del self.server.games[number]
        while len(self.server.games) < RUNNING:
            number = str(len(self.server.boards) + 1)
            self.server.add(number, black=f"Opponent {number}")

    def ended(self, number: str) -> bool:
        return self.server.games[number]["result"] != "Ongoing"

    def go_on(self) -> None:
        """Half of the games get a move with a message, sometimes an offer of a draw or another opponent."""
        self.fill()
        for number in self.source.sample([*self.server.games], RUNNING // 2):
            board, game = self.server.boards[number], self.server.games[number]
            if self.ended(number):
                continue
            board.push(self.source.choice(list(board.legal_moves)))
            game["message"] = f"message {len(board.move_stack)}"
            game["drawOffered"] = self.source.choice(("true", "false"))
            if self.source.random() < 0.1:
                game["black"] = "".join(self.source.choices(ascii_uppercase, k=8))
            if board.is_game_over() or len(board.move_stack) >= PLIES:
                game["result"] = "Draw" if board.result() in ("*", "1/2-1/2") else "WhiteWins"
                game["result"] = "BlackWins" if board.result() == "0-1" else game["result"]

    def start(self) -> forked.Process:
        """Start a fetch, and return it as soon as the server has its request."""
        before, deadline = len(self.server.calls), time.monotonic() + PATIENCE_S
        process = forked.Process(self.command, env=clean_environment() | ENV | {"TZ": "UTC"})
        while len(self.server.calls) == before:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.0005)
        return process

    def compare(self) -> int:
        """Check the store; return how many of its games have all moves that the server has."""
        if not self.store.exists():
            assert not self.plies
            return 0
        with Store(self.store, reading=True) as store:
            desk = Desk(store)
            assert check(desk) == []
            found = {str(game.head.server_id): game for game in map(desk.load, desk.names())}
        assert set(found) >= set(self.plies)
        return sum(self.compare_game(number, found[number]) for number in self.server.games if number in found)

    def compare_game(self, number: str, game: CorrespondenceGame) -> bool:
        server, moves = self.server.games[number], [move.uci() for move in self.server.boards[number].move_stack]
        messages = [event.data["text"] for event in game.log if event.kind == "message"]
        before = self.messages.get(number, [])
        assert messages[: len(before)] == before and len(set(messages)) == len(messages)
        assert game.moves == moves[: len(game.moves)]
        complete = game.moves == moves
        if complete:
            assert (game.players[1], game.over) == (server["black"], self.ended(number))
            assert not moves or messages[-1] == server["message"]
        else:  # a game that is new in the store has all of its moves
            assert (len(game.moves), messages) == (self.plies[number], before)
        self.plies[number], self.messages[number] = len(game.moves), messages
        return complete


@pytest.mark.slow
def test_a_killed_fetch_leaves_each_game_before_or_after(server: XfccServer, executable: Path, tmp_path: Path) -> None:
    rehearsal = Table(server, executable, tmp_path / "rehearsal.sqlite")
    process, began = rehearsal.start(), time.monotonic()
    assert process.wait(PATIENCE_S) == 0
    lasts_s = time.monotonic() - began
    table = Table(server, executable, tmp_path / "games.sqlite")
    found = []
    for _ in range(500 if LONG else 12):
        table.go_on()
        process = table.start()
        time.sleep(table.source.random() * 1.5 * lasts_s)
        process.kill()
        process.wait(PATIENCE_S)
        found.append(table.compare())
    assert any(number < RUNNING for number in found)  # some fetches were killed before they ended
    assert table.start().wait(PATIENCE_S) == 0
    assert table.compare() == RUNNING


@pytest.mark.slow
def test_a_killed_list_of_moves_is_stored_whole_or_not_at_all(executable: Path, tmp_path: Path) -> None:
    source, store, text = random.Random(7), tmp_path / "games.sqlite", tmp_path / "moves.txt"
    text.write_text("\n".join(f"{name} {move}" for move in SHUFFLE for name in "abc"), encoding="ascii")
    command, lasts_s, complete = [executable, "games", "--store", store, "enter", text], 0.0, 0
    plies = LONGEST
    for _ in range(501 if LONG else 13):
        with Store(store, create=True) as created:
            for name in "abc" if plies == LONGEST else "":  # replaying a long game takes longer than writing to it
                desk, plies = Desk(created), 0
                if desk.has(name):
                    desk.remove(name)
                desk.add(Head(name, "50/75/1"), now_ms() - DAY_MS)
        process, began = forked.Process(command, env=clean_environment() | {"TZ": "UTC"}), time.monotonic()
        if lasts_s:
            time.sleep(source.random() * 1.5 * lasts_s)
            process.kill()
        process.wait(PATIENCE_S)
        lasts_s = lasts_s or time.monotonic() - began
        with Store(store, reading=True) as read:
            assert check(Desk(read)) == []
            found = {len(Desk(read).load(name).moves) for name in "abc"}
        assert found in ({plies}, {plies + len(SHUFFLE)})
        complete += found != {plies}
        (plies,) = found
        assert {path.stem for path in tmp_path.iterdir()} == {"games", "moves"}
    print(f"{complete} of the lists were stored")
    assert complete
