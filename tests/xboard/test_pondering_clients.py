"""Clients attribute every line before the answer to `ping`, or before `bestmove`, to the last move."""

from __future__ import annotations

import random
import re

import chess
import chess.engine
import pytest

from tests.amounts import LONG
from tests.uci.client import PATIENCE_S, Client, clean_environment
from tests.xboard.support import THINKING, own_move, pong
from tools.measure.play.pondering import PythonChess, run

MOVES = 40
OPENERS = {"xboard": chess.engine.SimpleEngine.popen_xboard, "uci": chess.engine.SimpleEngine.popen_uci}


@pytest.mark.slow
@pytest.mark.parametrize("protocol", OPENERS)
def test_python_chess_gets_the_line_of_the_move_while_we_ponder(executable, protocol: str) -> None:
    """lichess-bot shows this variation to people, and kills the engine if it is not playable on the board."""
    chance = random.Random(7)
    limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
    with OPENERS[protocol]([str(executable)], timeout=PATIENCE_S, env=clean_environment()) as engine:
        board = game = None
        for _ in range(MOVES):
            if board is None or board.is_game_over(claim_draw=True):
                board, game = chess.Board(), object()
            played = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=True)
            assert "score" in played.info
            assert board.variation_san(played.info["pv"])
            assert played.info["pv"][0] == played.move
            board.push(played.move)
            if not board.is_game_over():
                guess = played.ponder if chance.random() < 0.5 else None
                board.push(guess or chance.choice(list(board.legal_moves)))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("first", range(0, 100 if LONG else 40, 10))
@pytest.mark.parametrize("protocol", OPENERS)
def test_conversations_of_python_chess(executable, protocol: str, first: int) -> None:
    """Short games with takebacks, analyses, cancelled moves, draw offers and new games in between."""
    moves, faults = run(PythonChess, [str(executable)], protocol, range(first, first + 10), each=10)
    assert moves > 10
    assert faults == []


def test_a_pong_during_our_move_follows_the_hint(start) -> None:
    """python-chess pings after `offer draw`, before it has the move, and warns about a hint after the pong."""
    client = started(start)
    client.send("st 0.3", "usermove a2a3", "ping 5")
    words = [line.split()[0] for line in client.read_until("pong") if not THINKING.fullmatch(line)]
    assert words[-3:] == ["move", "Hint:", "pong"]


def started(start, *accepted: str) -> Client:
    client = start()
    client.send("xboard", "protover 2", *(f"accepted {name}" for name in accepted))
    client.send("option Relevance_Position=off", "new", "hard", "post", "st 0.1")
    pong(client)
    return client


def test_pondering_is_silent_until_the_next_line(start) -> None:
    """Only the expected move is printed at once, because python-chess needs it."""
    client = started(start)
    for move in ("usermove a2a3", "usermove h2h3"):
        own_move(client, move)
        assert [line for line in pong(client) if not line.startswith("Hint: ")] == []
    assert thought(client)


def thought(client: Client) -> str:
    while not THINKING.fullmatch(line := client.read_line()):
        pass
    return line


@pytest.mark.sampled(1)
@pytest.mark.parametrize("accepted", [(), ("ping",)])
def test_pondering_is_shown_to_a_client_that_says_nothing(start, accepted: tuple[str, ...]) -> None:
    client = started(start, *accepted)
    own_move(client, "usermove a2a3")
    guess = client.read_until("Hint:")[-1].split()[1]
    assert thought(client).split("\t")[1].split()[0] == guess


def test_a_search_that_ends_while_it_is_silent_is_shown(start) -> None:
    """The whole search happens while the engine is silent: it has only as many iterations as the depth allows."""
    client = started(start)
    own_move(client, "st 60", "sd 3", "usermove a2a3")
    assert thought(client)


def test_a_right_guess_is_shown_as_our_own_thought(start) -> None:
    """After a right guess the variation begins with our move, not with the guess."""
    client = started(start)
    own_move(client, "usermove e2e4")
    guess = client.read_until("Hint:")[-1].split()[1]
    client.send(f"usermove {guess}")
    lines = client.read_until("move")
    ours = lines[-1].removeprefix("move ")
    shown = [line for line in lines if THINKING.fullmatch(line)]
    assert shown[-1].split("\t")[1].split()[0] == ours
    assert not [line for line in shown if line.split("\t")[1].split()[0] == guess]


@pytest.mark.slow
def test_a_score_follows_the_hit(engine: Client) -> None:
    """Clients drop lines received in the opponent's time, so a score must follow even if the search ends at once."""
    engine.send("setoption name Ponder value true", "position startpos moves e2e4 e7e5")
    engine.send("go ponder wtime 100 btime 100")
    # A fast machine may reach depth 9 in the first milliseconds, of which few lines are shown.
    while not ((found := re.match(r"info depth (\d+) seldepth", engine.read_line())) and int(found[1]) >= 9):
        pass
    lines = engine.search("ponderhit")
    assert engine.ask("isready", "readyok") == ["readyok"]
    shown = [line for line in lines if " pv " in line]
    assert shown[-1].split(" pv ")[1].split()[0] == lines[-1].split()[1]


# ---- several lines ----


def iterations(lines: list[str]) -> list[list[str]]:
    """Thinking lines, grouped by depth."""
    found: list[list[str]] = []
    for line in lines:
        if THINKING.fullmatch(line):
            if not found or found[-1][-1].split()[0] != line.split()[0]:
                found.append([])
            found[-1].append(line)
    return found


def test_the_best_of_several_lines_comes_last(xboard) -> None:
    """XBoard takes the last line as the best: it excludes that line's move, and shows the line below the clocks."""
    xboard.send("post", "option MultiPV=3", "easy", "sd 7", "st 60", "go")
    lines = xboard.read_until("move")
    for found in iterations(lines):
        scores = [int(line.split()[1]) for line in found]
        assert scores == sorted(scores)
        assert len(found) == len({line.split("\t")[1].split()[0] for line in found}) == 3
    assert iterations(lines)[-1][-1].split("\t")[1].split()[0] == lines[-1].removeprefix("move ")


def test_fewer_moves_than_lines(xboard) -> None:
    """A king in check with two moves."""
    xboard.send("force", "setboard 7k/8/8/8/8/8/1r6/K7 w - - 0 1", "post", "option MultiPV=5", "sd 4", "st 60", "go")
    assert all(len(found) == 1 for found in iterations(xboard.read_until("move")))


def test_excluding_the_best_excludes_the_last_move_shown(xboard) -> None:
    """XBoard's "exclude best" excludes this move."""

    def two() -> list[str]:
        """First moves of the two lines of an iteration."""
        before = thought(xboard)
        while (line := thought(xboard)).split()[0] != before.split()[0]:
            before = line
        return [shown.split("\t")[1].split()[0] for shown in (before, line)]

    xboard.send("option MultiPV=2", "analyze")
    pong(xboard)
    best = two()[-1]
    xboard.send(f"exclude {best}")
    pong(xboard)
    assert best not in two()
