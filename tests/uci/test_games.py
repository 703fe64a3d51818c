"""Complete games through python-chess's engine client, against engines packaged by Debian."""

from __future__ import annotations

import contextlib

import chess
import chess.engine
import psutil
import pytest

from tests.uci.client import LEAVE_S, PATIENCE_S, clean_environment

LONGEST = 60  # full moves; longer games show nothing new

OPPONENTS = {
    "stockfish": (["stockfish"], chess.engine.Limit(nodes=300)),
    "glaurung": (["glaurung"], chess.engine.Limit(depth=3)),  # with a node limit glaurung may not have a move yet
    "toga2": (["toga2"], chess.engine.Limit(depth=3)),
    "gnuchess": (["gnuchess", "--uci"], chess.engine.Limit(depth=2)),
}


@contextlib.contextmanager
def opened(command: list[str]):
    engine = chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE_S, env=clean_environment())
    try:
        yield engine
    finally:
        engine.close()


def play(engines: dict[chess.Color, tuple[object, chess.engine.Limit]], board: chess.Board) -> chess.Board:
    """Play until the rules end the game or it is too long. python-chess raises for an illegal move or a crash."""
    while board.outcome(claim_draw=True) is None and board.fullmove_number <= LONGEST:
        engine, limit = engines[board.turn]
        result = engine.play(board, limit, game=id(board))
        assert result.move is not None and not result.resigned
        board.push(result.move)
    return board


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "colour", [pytest.param(chess.WHITE, id="white"), pytest.param(chess.BLACK, id="black", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_game_against_a_debian_engine_ends_by_rule(executable, client_program, opponent: str, colour: bool) -> None:
    """The game ends by rule, or is still going on after 40 moves."""
    (program, *arguments), limit = OPPONENTS[opponent]
    path = client_program(program)
    with opened([str(executable)]) as ours, opened([path, *arguments]) as theirs:
        board = play({colour: (ours, chess.engine.Limit(nodes=2000)), not colour: (theirs, limit)}, chess.Board())
    assert board.outcome(claim_draw=True) is not None or board.fullmove_number > 40


@pytest.mark.slow
def test_a_chess960_game_against_a_debian_engine(executable, client_program) -> None:
    path = client_program("stockfish")
    for number in (0, 500, 959):
        with opened([str(executable)]) as ours, opened([path]) as theirs:
            engines = {
                chess.WHITE: (ours, chess.engine.Limit(nodes=1000)),
                chess.BLACK: (theirs, chess.engine.Limit(nodes=100)),
            }
            board = play(engines, chess.Board.from_chess960_pos(number))
        assert board.outcome(claim_draw=True) is not None or board.fullmove_number > 40


@pytest.mark.slow
def test_a_game_on_the_clock_is_not_lost_on_time(executable) -> None:
    """A short clock with an increment, with the same engine on both sides.

    The clock counts CPU time, so that other programs on a busy machine do not matter.
    """
    clocks = {chess.WHITE: 1.0, chess.BLACK: 1.0}
    board = chess.Board()
    with opened([str(executable)]) as engine:
        process = engine.transport.get_pid()
        while board.outcome(claim_draw=True) is None and board.ply() < 40:
            limit = chess.engine.Limit(
                white_clock=clocks[True], black_clock=clocks[False], white_inc=0.02, black_inc=0.02
            )
            began_s = processor_s(process)
            result = engine.play(board, limit)
            clocks[board.turn] += 0.02 - (processor_s(process) - began_s)
            assert clocks[board.turn] > 0, f"lost on time at move {board.fullmove_number}"
            board.push(result.move)


def processor_s(process: int) -> float:
    """The CPU time of the process so far, in hundredths of a second."""
    times = psutil.Process(process).cpu_times()
    return times.user + times.system


def test_python_chess_can_analyse_and_stop(executable) -> None:
    with opened([str(executable)]) as engine, engine.analysis(chess.Board(), multipv=3) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 4 and info.get("multipv") == 3:
                break
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves


def test_python_chess_can_ponder(executable) -> None:
    board = chess.Board()
    with opened([str(executable)]) as engine:
        for _ in range(6):
            result = engine.play(board, chess.engine.Limit(white_clock=5, black_clock=5), ponder=True)
            board.push(result.move)
            if result.ponder:
                board.push(result.ponder)


def test_python_chess_sees_the_process_leave(executable) -> None:
    engine = chess.engine.SimpleEngine.popen_uci([str(executable)], timeout=PATIENCE_S, env=clean_environment())
    engine.play(chess.Board(), chess.engine.Limit(depth=2))
    engine.timeout = LEAVE_S
    engine.quit()
    assert engine.protocol.returncode.result() == 0


def test_root_moves_of_python_chess_are_kept(executable) -> None:
    with opened([str(executable)]) as engine:
        only = [chess.Move.from_uci("a2a3")]
        assert engine.play(chess.Board(), chess.engine.Limit(depth=4), root_moves=only).move == only[0]


def test_a_mated_position_does_not_hang_python_chess(executable) -> None:
    board = chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")
    with opened([str(executable)]) as engine:
        assert engine.play(board, chess.engine.Limit(depth=4)).move is None
