"""The measured lag, with a client whose clock loses 60 ms per move in addition to the engine's thinking time.

The client's clock is simulated: no real lag passes, and a busy machine can only make the lag look longer.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import chess
import pytest

from tests.uci.client import Client

LAG_S = 0.060
MOVES = 14
# Each move's lag has weight 0.3 in the estimate, so after 14 moves it has risen from 10 ms almost to the real lag.
LEAST_MS = 55


class Table:
    """A game in which the engine has White, and Black answers at once, sometimes with the expected move."""

    def __init__(self, client: Client, pondering: bool):
        self.client = client
        self.pondering = pondering
        self.board = chess.Board()
        self.left_s = 4.0

    @property
    def moves(self) -> str:
        return " ".join(move.uci() for move in self.board.move_stack)

    def spend(self, started: float) -> None:
        self.left_s -= time.monotonic() - started + LAG_S
        self.left_s = max(self.left_s, 0.5)  # a busy machine must not end the game early

    def reply(self, expected: str | None, number: int) -> tuple[chess.Move, bool]:
        """Black's move, and whether it is the expected one."""
        others = sorted((move for move in self.board.legal_moves if move.uci() != expected), key=chess.Move.uci)
        if expected is not None and (number % 3 or not others):
            return chess.Move.from_uci(expected), True
        return others[number % len(others)], False


def play_uci(client: Client, pondering: bool) -> list[float]:
    table = Table(client, pondering)
    client.send("uci", f"setoption name Ponder value {'true' if pondering else 'false'}", "debug on", "isready")
    client.read_until("readyok")
    hit = False
    for number in range(MOVES):
        started = time.monotonic()
        if hit:
            client.send("ponderhit")
        else:
            clock = f"wtime {table.left_s * 1000:.0f} btime 4000"
            client.send(f"position startpos moves {table.moves}", f"go {clock}")
        words = client.read_until("bestmove")[-1].split()
        table.spend(started)
        table.board.push_uci(words[1])
        if table.board.is_game_over():
            break
        expected = words[3] if len(words) == 4 else None
        guess = pondering and expected is not None
        if guess:
            clock = f"wtime {table.left_s * 1000:.0f} btime 4000"
            client.send(f"position startpos moves {table.moves} {expected}", f"go ponder {clock}")
        move, as_expected = table.reply(expected, number)
        hit = guess and as_expected
        if guess and not hit:
            client.send("stop")
            client.read_until("bestmove")
        table.board.push(move)
    return lags(client.heard)


def play_xboard(client: Client, pondering: bool) -> list[float]:
    table = Table(client, pondering)
    client.send("xboard", "protover 2", "accepted debug", "new", "level 0 0:04 0", "post")
    client.send("hard" if pondering else "easy", "force")
    move = "go"
    for number in range(MOVES):
        started = time.monotonic()
        client.send(f"time {table.left_s * 100:.0f}", "otim 400", *([f"usermove {move}"] if number else [move]))
        made = client.read_until("move")[-1].split()[1]
        table.spend(started)
        table.board.push_uci(made)
        if table.board.is_game_over():
            break
        expected = None
        if pondering:
            client.send(f"ping {number}")
            hints = [line.split()[1] for line in client.read_until("pong") if line.startswith("Hint: ")]
            expected = hints[-1] if hints else None
        answer, _ = table.reply(expected, number)
        table.board.push(answer)
        move = answer.uci()
    return lags(client.heard)


def lags(lines: list[str]) -> list[float]:
    found = [re.search(r" lag (\d+) ms$", line) for line in lines if "budget soft" in line]
    return [float(match[1]) for match in found if match]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("pondering", [False, True], ids=["alone", "pondering"])
@pytest.mark.parametrize("play", [play_uci, play_xboard], ids=["uci", "xboard"])
def test_the_lag_of_the_clients_clock_is_found(
    start: Callable[..., Client], play: Callable[[Client, bool], list[float]], pondering: bool
) -> None:
    found = play(start(), pondering)
    assert found[-1] >= LEAST_MS, found
    # The engine must not take the clock for one that does not run: a lag that has been measured stays measured.
    assert min(found[len(found) // 2 :]) >= LEAST_MS / 2, found
