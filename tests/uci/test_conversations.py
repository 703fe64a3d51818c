"""Lines that only certain clients send, in those clients' order: each `go` gets one legal move, and the engine does not
complain.

docs/lab/faults.md lists the clients and their sources.
"""

from __future__ import annotations

import os
import re
import signal

import chess
import pytest

from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import parse_move
from tests.uci.client import Client

FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {} - 0 1"
USUAL = re.compile("info string (rmobility|relevance|unknown command '(Unknown option|readyok))")
# Lines to send, and the beginning of the answer to wait for; "" stands for none.
CONVERSATIONS = {
    "Arena, which finds out the protocol": [
        ("xboard", ""),
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("ucinewgame", ""),
        ("isready", "readyok"),
        ("position startpos moves e2e4", ""),
        ("go wtime 1000 btime 1000 winc 0 binc 0", "bestmove"),
        ("position startpos moves e2e4 e7e5 g1f3", ""),
        ("go ponder movetime 50", ""),
        ("ponderhit", "bestmove"),
    ],
    "Nibbler, which sets Chess960 before uciok and sends only what has changed": [
        ("uci\nsetoption name UCI_Chess960 value true", "uciok"),
        ("setoption name multipv value 3\nsetoption name Clear Hash\nisready", "readyok"),
        ("ucinewgame", ""),
        (f"position fen {FEN.format('HAha')} moves g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1", ""),
        ("go infinite", "info"),
        ("stop", "bestmove"),
        ("go nodes 300 searchmoves e8h8 d7d5", "bestmove"),
    ],
    "En Croissant, which always sends a FEN": [
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("setoption name MultiPV value 2\nsetoption name Threads value 1\nsetoption name UCI_Chess960 value false", ""),
        (f"position fen {FEN.format('KQkq')} moves e2e4 c7c5", ""),
        ("go infinite", "info"),
        ("stop", "bestmove"),
        ("go wtime 900 btime 900 winc 0 binc 0", "bestmove"),
    ],
    "PyChess, which stops searches that do not run and does not wait for the move": [
        ("uci", "uciok"),
        ("setoption name Ponder value false\nisready", "readyok"),
        ("ucinewgame\nstop\nposition startpos\ngo infinite", "info"),
        ("stop\nposition startpos moves e2e4\ngo infinite", "bestmove"),
        ("stop\nstop", "bestmove"),
        ("stop\nposition startpos moves e2e4\ngo depth 1", "bestmove"),
    ],
    "Banksia, which echoes lines and leaves values empty": [
        ("uci", "uciok"),
        ("setoption name BookFile value \nsetoption name SyzygyPath value", ""),
        ("Unknown option option name Clear Hash type button\nreadyok\nisready", "readyok"),
        ("ucinewgame", ""),
        ("position startpos\ngo wtime 800 btime 800 winc 0 binc 0 movestogo 40", "bestmove"),
        (
            "position startpos moves e2e4 e7e5\ngo ponder wtime 800 btime 800 winc 0 binc 0 movestogo 39\nisready",
            "readyok",
        ),
        ("stop", "bestmove"),
    ],
    "Scid, which gives buttons an empty value and asks before each option": [
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("setoption name Clear Hash value \nisready", "readyok"),
        ("setoption name MultiPV value 4", ""),
        (f"position fen {FEN.format('KQkq')}\ngo infinite", "info"),
        ("stop", "bestmove"),
        (f"setoption name MultiPV value 1\nposition fen {FEN.format('KQkq')} moves d2d4\ngo infinite", "info"),
        ("stop\nisready", "bestmove"),
    ],
}


@pytest.mark.launcher
@pytest.mark.parametrize("name", CONVERSATIONS, ids=[name.partition(",")[0].lower() for name in CONVERSATIONS])
def test_what_a_client_sends(start, name: str) -> None:
    client: Client = start()
    searches, moves, position, complaints = 0, [], "startpos", []
    for lines, answer in CONVERSATIONS[name]:
        client.send(*lines.split("\n"))
        searches += sum(line.startswith("go") for line in lines.split("\n"))
        said = client.read_until(answer) if answer else []
        complaints += [line for line in said if line.startswith(("info string", "Error")) and not USUAL.match(line)]
        moves += [line for line in said if line.startswith("bestmove")]
        position = next((line for line in lines.split("\n")[::-1] if line.startswith("position")), position)
    moves += [line for line in client.synchronise() if line.startswith("bestmove")]
    assert (len(moves), complaints) == (searches, [])
    fen, _, played = position.removeprefix("position ").partition(" moves ")
    is_random = "HAha" in fen
    board = new_board(None if fen == "startpos" else fen.removeprefix("fen "), chess960=is_random)
    for word in played.split():
        board.push(parse_move(board, word))
    assert parse_move(board, moves[-1].split()[1]) in board.legal_moves()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="the system has no such signal")
def test_pychess_halts_the_process_of_a_paused_game(engine: Client) -> None:
    engine.send("position startpos", "go infinite")
    engine.read_until("info")
    for _ in range(3):
        os.kill(engine.process.pid, signal.SIGSTOP)
        os.kill(engine.process.pid, signal.SIGCONT)
    engine.send("isready")
    engine.read_until("readyok")
    assert chess.Move.from_uci(engine.ask("stop", "bestmove")[-1].split()[1]) in chess.Board().legal_moves
