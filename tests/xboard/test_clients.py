"""Complete games with real clients: python-chess as an XBoard client, and XBoard itself on a virtual screen."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest

from tests.uci.client import PATIENCE_S, clean_environment
from tests.uci.test_games import OPPONENTS, play
from tests.variants.files import KING, block, written
from tests.xboard.support import features, own_move, pong, python_chess, steady


def over_or_long(board: chess.Board) -> bool:
    return board.outcome(claim_draw=True) is not None or board.fullmove_number > 40


@pytest.mark.parametrize(
    "colour", [pytest.param(chess.WHITE, id="white"), pytest.param(chess.BLACK, id="black", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("opponent", ["stockfish", pytest.param("gnuchess", marks=pytest.mark.slow)])
def test_a_game_through_python_chess(executable, client_program, opponent: str, colour: bool) -> None:
    """The opponent speaks UCI, because no XBoard engine in Debian declares the features that python-chess requires."""
    (program, *arguments), limit = OPPONENTS[opponent]
    theirs = chess.engine.SimpleEngine.popen_uci([client_program(program), *arguments], timeout=PATIENCE_S)
    with theirs, python_chess([str(executable)]) as ours:
        limits = {colour: (ours, chess.engine.Limit(time=0.02)), not colour: (theirs, limit)}
        assert over_or_long(play(limits, chess.Board()))


@pytest.mark.slow
def test_a_game_on_the_clock_through_python_chess(executable) -> None:
    """Play with both kinds of clock and pondering."""
    for limit in (
        chess.engine.Limit(white_clock=3, black_clock=3, white_inc=0.02, black_inc=0.02),
        chess.engine.Limit(white_clock=3, black_clock=3, remaining_moves=40),
    ):
        board = chess.Board()
        with python_chess([str(executable)]) as engine:
            for _ in range(10):
                result = engine.play(board, limit, ponder=True)
                board.push(result.move)


@pytest.mark.slow
def test_a_chess960_game_through_python_chess(executable) -> None:
    for number in (0, 518, 959):
        with python_chess([str(executable)]) as white, python_chess([str(executable)]) as black:
            limit = chess.engine.Limit(time=0.01)
            board = chess.Board.from_chess960_pos(number)
            assert over_or_long(play({chess.WHITE: (white, limit), chess.BLACK: (black, limit)}, board))


def test_python_chess_can_analyse_one_move_and_stop(executable) -> None:
    with python_chess([str(executable)]) as engine:
        only = [chess.Move.from_uci("a2a3")]
        with engine.analysis(chess.Board(), root_moves=only) as analysis:
            for info in analysis:
                assert info["pv"][0] == only[0]
                if info.get("depth", 0) >= 6:
                    break
        assert engine.play(chess.Board(), chess.engine.Limit(depth=4)).move


def test_python_chess_reads_mates_and_options(executable) -> None:
    with python_chess([str(executable)]) as engine:
        engine.configure({"MoveOverhead": 100, "MoreColumns": False})
        info = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), chess.engine.Limit(depth=6))
        assert info["score"].white() == chess.engine.Mate(1)


def test_python_chess_sees_the_process_leave(executable) -> None:
    async def leave() -> int:
        transport, engine = await chess.engine.popen_xboard([str(executable)], env=clean_environment())
        await engine.play(chess.Board(), chess.engine.Limit(depth=2))
        await engine.quit()
        return transport.get_returncode()

    assert asyncio.run(leave()) == 0


def run_and_leave_nothing(command: list[str], folder: Path, environment: dict) -> subprocess.CompletedProcess:
    """Run a client and its child processes. At the end, or if it hangs, the whole process group is killed."""
    process = subprocess.Popen(
        command, env=environment, cwd=folder, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        output, errors = process.communicate(timeout=PATIENCE_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


ENDINGS = ("mate", "stalemate", "repetition", "fifty", "50", "insufficient", "material", "draw", "resign")
FAULTS = ("illegal", "forfeit", "time", "false", "exit", "disconnect", "abort", "abandon", "invalid")


# With a fixed depth no engine can lose on time, whatever else the machine does.
CLOCKED = [
    pytest.mark.slow,
    pytest.mark.skipif(os.environ.get("STANDSTILL_BUILD") == "sanitize", reason="sanitizers are too slow for a clock"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "limit",
    [
        pytest.param(["-tc", "10:00", "-depth", "3"], id="depth"),
        pytest.param(["-tc", "0:03"], id="clock", marks=CLOCKED),
    ],
)
@pytest.mark.parametrize(
    "how",
    [["-ponder"], ["-xponder", "-fUCI"]],
    ids=["xboard-pondering", "uci-by-polyglot"],
)
def test_a_match_in_xboard(executable, client_program, tmp_path: Path, how: list[str], limit: list[str]) -> None:
    """One game with each colour. XBoard is the arbiter, and forfeits games for claims that it cannot confirm."""
    xvfb, xboard, opponent = client_program("xvfb-run"), client_program("xboard"), client_program("fairymax")
    if "-fUCI" in how:
        client_program("polyglot")
    games, log = tmp_path / "games.pgn", tmp_path / "xboard.debug"
    environment = clean_environment() | {"HOME": str(tmp_path)}
    environment["PATH"] += ":/usr/games"
    ours = f"'{executable}'"  # quoted like a path with blanks: XBoard then adds an empty argument
    command = [
        *(xvfb, "-a", xboard, "-mode", "TwoMachines", "-fcp", ours, *how, "-scp", f"{steady(opponent, tmp_path)} 22"),
        *("-mg", "2", *limit, "-inc", "0", "-sgf", str(games), "-xexit", "-saveSettingsOnExit", "false"),
        # XBoard would wait ten seconds between games, and animate every move.
        *("-matchPause", "100", "-animateMoving", "false"),
        *("-soundProgram", "true", "-debug", "-nameOfDebugFile", str(log)),
    ]
    done = run_and_leave_nothing(command, tmp_path, environment)
    said = log.read_text("latin-1") if log.exists() else done.stderr.decode("latin-1")
    assert done.returncode == 0, said[-2000:]
    with games.open(encoding="latin-1") as file:
        played = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(played) == 2, said[-2000:]
    from_us = [line.split("<first : ", 1)[1] for line in said.splitlines() if "<first : " in line]
    for game in played:
        assert not game.errors
        assert game.headers["Result"] in {"1-0", "0-1", "1/2-1/2"}
        board = game.end().board()
        comment = game.end().comment.lower()
        if "false draw claim" in comment and not any(line.startswith("1/2-1/2") for line in from_us):
            continue  # Fairy-Max made that claim
        assert not any(fault in comment for fault in FAULTS), comment
        assert board.outcome(claim_draw=True) is not None or any(word in comment for word in ENDINGS), comment
    assert not [line for line in from_us if line.startswith(("Error", "Illegal"))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lines", "king"),
    [
        ("guest", ["# gate a"], KING),
        ("bared", ["# start 4k3/8/8/8/4n3/4R3/8/4K3", "# bare lose reply", "# stalemate lose"], "k:-1 K"),
    ],
    ids=["gate", "bare"],
)
def test_xboard_referees_the_games_of_a_file(
    executable, client_program, tmp_path: Path, name: str, lines: list[str], king: str
) -> None:
    """XBoard plays a game of the user by the rules of the parent that we name."""
    xvfb, xboard = client_program("xvfb-run"), client_program("xboard")
    file = written(tmp_path, block(f"Game: {name}", *lines, king=king, archbishop="a:825 BN"))
    games, engine = tmp_path / "games.pgn", f"'{executable}' {file}"
    command = [
        *(xvfb, "-a", xboard, "-mode", "TwoMachines", "-variant", name, "-fcp", engine, "-scp", engine, "-depth", "2"),
        *("-mg", "1", "-tc", "10:00", "-inc", "0", "-sgf", str(games), "-xexit", "-saveSettingsOnExit", "false"),
        *("-animateMoving", "false", "-soundProgram", "true"),
    ]
    done = run_and_leave_nothing(command, tmp_path, clean_environment() | {"HOME": str(tmp_path)})
    text = games.read_text(encoding="latin-1")
    assert done.returncode == 0 and f'[Variant "{name}"]' in text
    comment = text.rpartition("{")[2].lower()
    assert not any(fault in comment for fault in FAULTS), comment
    if name == "bared":
        assert "bare king} 1-0" in comment
    else:
        assert "/A" in text and any(word in comment for word in ENDINGS), comment


# Lines to send, and the number of moves that must follow.
CONVERSATIONS = {
    "Banksia, which sets a position up for the side that the engine plays, and forces before each move": [
        ("accepted ping\naccepted done\nforce", 0),
        ("memory 16\ncores 1\neasy\npost\nnew\nsetboard {black}\nlevel 40 0:20 0", 0),
        ("time 2000\notim 2000\ngo", 1),
        ("force\nusermove d2d3", 0),
        ("time 1900\notim 1900\ngo", 1),
        ("force", 0),
    ],
    "PyChess, which analyses for the other side too and takes late moves back": [
        ("nopost\nnew\nrandom\nforce\nsetboard {black}\npost\nanalyze", 0),
        ("white\nforce\nblack\nforce\nusermove d7d6\nwhite\nforce\n.\nexit", 0),
        ("force\nsetboard {black}\nlevel 0 0:20 1\nsd 3\ntime 2000\notim 2000\ngo", 1),
        ("force\nundo\n?\npause\nresume\nhint\nusermove e7e5\nst 1\ngo", 1),
        ("force\nresult * {{Aborted}}", 0),
    ],
    "Arena, which begins with random and a level, and gives another level in the game": [
        ("new\nrandom\nlevel 40 40 0\nlevel 0 1 0\nhard\neasy\npost\ntime 2000\notim 2000\nusermove e2e4", 1),
        ("level 40 1 0\ntime 1900\notim 1900\nusermove d2d3", 1),
        ("force\nforce\nnew\nforce\nundo\nsetboard {black}\ngo", 1),
    ],
}
BLACK = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize("name", CONVERSATIONS, ids=[name.partition(",")[0].lower() for name in CONVERSATIONS])
def test_what_a_client_sends(start, name: str) -> None:
    """The commands of clients in their order, some of which no other client sends in that state."""
    client = start()
    assert features(client)["done"] == "1"
    for lines, wanted in CONVERSATIONS[name]:
        client.send(*lines.format(black=BLACK).split("\n"))
        said = [own_move(client) for _ in range(wanted)]
        assert all(said)
        rest = pong(client)
        wrong = [line for line in rest if line.startswith(("move", "Error", "Illegal", "tellusererror"))]
        assert wrong == [], lines
