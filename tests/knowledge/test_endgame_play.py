"""Endgame tables in play: won positions are won, and what the engine shows."""

from __future__ import annotations

import random
import re
import shlex
import subprocess
from pathlib import Path

import chess
import chess.syzygy
import pytest

from standstill.engine.common.info import TABLEBASE_WIN, is_mate, mate_moves
from standstill.engine.common.limits import Limits
from standstill.engine.play.advice import Adviser
from standstill.engine.play.endgames import Endgames
from standstill.engine.play.session import Session
from standstill.engine.settings.options import Settings
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen, move_text, parse_move
from tests.knowledge.support import LOST, TABLES, WON, kept, positions, won_starts

# ---- games ----


def player(**changes: object) -> Session:
    settings = Settings()
    settings["SyzygyPath"] = str(TABLES)
    settings["Hash"] = 1
    for name, value in changes.items():
        settings[name] = value
    return Session(settings)


def search(session: Session, depth: int):
    limits = Limits()
    limits.depth = depth
    return session.search(limits)


def stubborn(board, reader: chess.syzygy.Tablebase) -> int:
    """The reply that delays the next capture, pawn move or mate longest."""
    position = chess.Board(fen(board))

    def distance(move: int) -> int:
        position.push_uci(move_text(board, move))
        found = reader.probe_dtz(position) if not position.is_game_over() else 1000 * (not position.is_checkmate())
        drawn = reader.probe_wdl(position) == 0
        position.pop()
        return 10_000 if drawn else abs(found)

    return max(board.legal_moves(), key=distance)


def play_out(session: Session, start: str, reader: chess.syzygy.Tablebase, depth: int) -> tuple[str, str]:
    """Play a game from the position, the session to move first, against the longest defence: (result, reason)."""
    board = new_board(start)
    ours, moves = board.stm, []
    session.new_game()
    while (end := game_end(board)) is None:
        if board.stm == ours:
            session.position(start, moves)
            best, _ = search(session, depth)
            move = parse_move(board, best.move)
        else:
            move = stubborn(board, reader)
        moves.append(move_text(board, move))
        board.push(move)
    return end


@pytest.fixture
def unhurried(monkeypatch) -> None:
    """Give tables unlimited time, for crowded machines and sanitizers."""
    monkeypatch.setattr("standstill.engine.play.advice.TABLES_LONGEST_S", 60.0)


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("depth", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_won_positions_are_won(reader, depth: int) -> None:
    """Even with shallow searches and only one ply to spare on the clock, these games end on the board."""
    session = player()
    for start in won_starts(reader, 4, seed=depth):
        result, _ = play_out(session, start, reader, depth)
        assert result == ("1-0" if " w " in start else "0-1"), start


@pytest.mark.usefixtures("unhurried")
@pytest.mark.slow
def test_won_positions_are_won_from_a_fresh_clock(reader) -> None:
    session = player()
    for late in won_starts(reader, 5, seed=5):
        start = " ".join([*late.split()[:4], "0", "1"])
        result, _ = play_out(session, start, reader, depth=2)
        assert result == ("1-0" if " w " in start else "0-1"), start


def test_draws_are_held(reader) -> None:
    """The bare king against a pawn, with the attacker's moves chosen by the tables."""
    session = player()
    for position in positions(70, seed=9, men="P"):
        board = chess.Board(f"{position} 0 1")
        lone = board.occupied_co[board.turn].bit_count() == 1
        if lone and reader.probe_wdl(board) == 0 and len(list(board.legal_moves)) > 1:
            assert play_out(session, f"{position} 0 1", reader, depth=1)[0] == "1/2-1/2", position


# ---- what is shown ----


@pytest.mark.parametrize(
    ("position", "score", "chances"),
    [
        (WON, TABLEBASE_WIN, (1000, 0, 0)),
        (LOST, -TABLEBASE_WIN, (0, 0, 1000)),
        ("8/4k3/8/8/4K3/4P3/8/8 b - - 0 1", 0, (0, 1000, 0)),
        (WON.replace("0 1", "90 60"), 0, (0, 1000, 0)),
    ],
)
def test_lines_show_the_result(position: str, score: int, chances: tuple) -> None:
    session = player()
    session.position(position, [])
    _, line = search(session, 2)
    assert (line.score, line.chances, line.source) == (score, chances, "tables")
    assert line.tbhits > 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["Off", "Tiebreak", "Points", "Decisive"])
def test_the_search_chooses_among_draws_if_goals_count(mode: str) -> None:
    """The 50-move rule makes the rook useless: every move draws, even one that gives it away."""
    settings = Settings()
    settings["RMobility"] = mode
    settings["SyzygyPath"] = str(TABLES)
    adviser = Adviser(lambda text: None)
    adviser.follow(settings)
    board = new_board("8/8/8/4k3/3R4/8/8/K7 w - - 95 90")
    legal = board.legal_moves()
    advice = adviser.advise(board, legal, Limits(), settings)
    if mode == "Off":
        assert set(advice.moves) < set(legal)
        assert advice.score == 0
    else:
        assert advice.moves == legal
        assert advice.score == (0 if mode == "Tiebreak" else None)
    won = adviser.advise(new_board(WON), new_board(WON).legal_moves(), Limits(), settings)
    assert won.score == TABLEBASE_WIN


def test_a_mate_that_was_found_says_more() -> None:
    session = player()
    session.position("7k/8/6K1/8/8/8/8/R7 w - - 0 1", [])
    _, line = search(session, 3)
    assert is_mate(line.score)
    assert mate_moves(line.score) == 1


def test_several_lines_are_of_moves_that_win(tables: Endgames) -> None:
    session = player(MultiPV=4)
    session.position("8/8/8/8/8/2k5/7P/K7 w - - 0 1", [])
    best, _ = search(session, 4)
    assert best.move in kept(tables, session.board)


def test_hits_are_shown_only_with_tables(engine) -> None:
    engine.send("isready")
    engine.read_until("readyok")
    assert not any("tbhits" in line for line in engine.search("go depth 3", "startpos"))
    engine.send_bytes(f"setoption name SyzygyPath value {TABLES}\n".encode())
    assert engine.synchronise() == ["info string 10 endgame tables, up to 3 men"]
    assert all(" tbhits 0 " in line for line in engine.search("go depth 3", "startpos") if " score " in line)
    lines = [line for line in engine.search("go movetime 200", f"fen {WON}") if " score " in line]
    assert re.search(r" score cp 15000 .* tbhits [1-9]\d* time ", lines[0])
    engine.send("setoption name SyzygyPath value <empty>")
    assert engine.synchronise() == []
    assert not any("tbhits" in line for line in engine.search("go depth 3", "startpos"))


def test_a_broken_path_is_one_line_and_play_goes_on(engine, tmp_path: Path) -> None:
    whole = bytearray((TABLES / "KRvK.rtbw").read_bytes())
    whole[4:] = random.Random(1).randbytes(len(whole) - 4)
    (tmp_path / "KRvK.rtbw").write_bytes(whole)
    engine.send("setoption name SyzygyPath value /no/such/folder")
    assert len(engine.synchronise()) == 1
    engine.send(f"setoption name SyzygyPath value {tmp_path}")
    engine.synchronise()
    for _ in range(2):
        # The search has a clock, because the clock determines how long the engine waits for tables that hang.
        assert engine.search("go depth 3 wtime 2000", f"fen {WON}")[-1].startswith("bestmove ")


# ---- options ----


def searched(fen: str, **options: object) -> int:
    """The score of the position in centipawns by a session with these options."""
    session = Session()
    session.set_option("RMobility", "Off")
    session.set_option("SyzygyPath", str(TABLES))
    for name, value in options.items():
        session.set_option(name, str(value))
    session.position(fen, [])
    limits = Limits()
    limits.depth = 1
    return session.search(limits)[1].score


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("limit", "asked"), [(7, True), (3, True), (2, False), (0, False)])
def test_tables_are_asked_up_to_the_limit_of_men(limit: int, asked: bool) -> None:
    """KRK has three pieces; at depth 1 the search itself does not see the win."""
    assert (searched(WON, SyzygyProbeLimit=limit) == TABLEBASE_WIN) == asked


def test_without_the_50_move_rule_a_late_win_counts() -> None:
    """Two plies are left on the clock, and mate with king and rook takes longer."""
    late = WON.replace(" 0 1", " 98 100")
    assert searched(late, Syzygy50MoveRule="true") == 0
    assert searched(late, Syzygy50MoveRule="false") == TABLEBASE_WIN
    assert searched(WON, Syzygy50MoveRule="false") == TABLEBASE_WIN


# ---- wins beyond the 50-move rule ----

LATE = "8/8/8/3k4/8/8/8/K6R {} - - {} 60"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("side", "sign"), [("w", 1), ("b", -1)])
@pytest.mark.parametrize(
    ("mode", "fifty", "won"),
    [("Tiebreak", "fide", False), ("Tiebreak", "iccf", True), ("Decisive", "iccf", True), ("Off", "iccf", False)],
)
def test_a_win_that_the_clock_spoils_counts_by_iccf(mode: str, fifty: str, won: bool, side: str, sign: int) -> None:
    session = player(RMobility=mode, RMobilityFifty=fifty)
    session.position(LATE.format(side, 96), [])
    found = search(session, 3)[1]
    assert (found.score * sign >= TABLEBASE_WIN) == won


@pytest.mark.parametrize(
    ("fifty", "end"),
    [("fide", ("1/2-1/2", "fifty-move rule")), ("iccf", ("1-0", "endgame tables")), ("off", None)],
)
def test_fifty_moves_end_no_won_game_by_iccf(fifty: str, end: tuple[str, str] | None) -> None:
    session = player(RMobilityFifty=fifty, RMobility="Decisive")
    for side in "wb":
        session.position(LATE.format(side, 100), [])
        assert session.game_end() == end
    session.position("8/8/8/3k4/8/8/8/K6N w - - 100 60", [])  # won by neither side
    assert (session.game_end() == ("1/2-1/2", "fifty-move rule")) == (fifty != "off")


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "result"), [(["fide"], "1/2-1/2"), (["iccf"], "1/2-1/2"), (["iccf", TABLES], "1-0")])
def test_matches_by_iccf_ask_the_tables(executable, tmp_path: Path, rules: list, result: str) -> None:
    """A rook ending reaches 50 moves; only tables make it a win."""
    (tmp_path / "late.epd").write_text(LATE.format("w", 99) + "\n", encoding="ascii")
    engines = [f"--engine=cmd={shlex.quote(str(executable))} name={name} nodes=50" for name in "AB"]
    syzygy = [f"--syzygy={rules[1]}"] if rules[1:] else []
    command = [executable, "match", *engines, "--openings", "late.epd", "-o", "games.pgn", "--nodes", "50"]
    done = subprocess.run(
        [*command, "--fifty", rules[0], *syzygy], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    games = (tmp_path / "games.pgn").read_text(encoding="ascii")
    assert games.count(f'[Result "{result}"]') == 2
    assert games.count('[RMobilityResult "G0.0"]') == (2 if result == "1-0" else 0)
    assert games.count('[Termination "endgame tables"]') == (2 if result == "1-0" else 0)


def test_tables_of_a_match_need_the_rule(executable, tmp_path: Path) -> None:
    done = subprocess.run(
        [executable, "match", "--engine=a", "--engine=b", "-o", "games.pgn", "--nodes", "5", "--syzygy", TABLES],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "--fifty iccf" in done.stderr
