"""Endgame tables: which moves are kept, and that won positions are won. Tables of three men are in tests/data.

Ranks are also compared with those of Fathom, Debian's prober in C.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import chess
import chess.syzygy
import pytest

from standstill.engine.games.board import new_board
from standstill.engine.games.notation import fen, move_text, parse_move, san
from standstill.engine.games.rules import game_end
from standstill.engine.play.advice import Adviser, in_time
from standstill.engine.play.endgames import BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN, Endgames, is_drawn, rank
from standstill.engine.play.session import Session
from standstill.engine.settings.options import Settings
from standstill.engine.words.errors import TablebaseError
from standstill.engine.words.info import TABLEBASE_WIN, is_mate, mate_moves
from standstill.engine.words.limits import Limits

TABLES = Path(__file__).resolve().parents[1] / "data" / "syzygy"

WON = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
LOST = "8/8/8/3k4/8/8/8/K6R b - - 0 1"


@pytest.fixture(scope="module")
def tables() -> Endgames:
    return Endgames([str(TABLES)])


@pytest.fixture(scope="module")
def reader() -> chess.syzygy.Tablebase:
    return chess.syzygy.open_tablebase(str(TABLES))


def positions(count: int, seed: int, men: str = "PNBRQ"):
    """Legal positions of three men with moves to make, as FEN without clocks."""
    chance = random.Random(seed)
    while count:
        board = chess.Board(None)
        squares = chance.sample(range(64), 3)
        board.set_piece_at(squares[0], chess.Piece(chess.KING, True))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, False))
        board.set_piece_at(squares[2], chess.Piece(chess.PIECE_SYMBOLS.index(chance.choice(men).lower()), True))
        board.turn = chance.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            count -= 1
            yield " ".join((board if chance.random() < 0.5 else board.mirror()).fen().split()[:4])


def verdict(tables: Endgames, board, **options):
    return tables.verdict(board, board.legal_moves(), **options)


def kept(tables: Endgames, board, **options) -> set[str]:
    return {move_text(board, move) for move in verdict(tables, board, **options).moves}


# ---- the moves that are kept ----


@pytest.mark.parametrize("clock", [0, 92, *(pytest.param(clock, marks=pytest.mark.slow) for clock in (15, 70))])
def test_ranks_agree_with_fathom(tables: Endgames, client_program, foreign_environment, clock: int) -> None:
    """With a clock of 20 or more we demand progress, so that our moves are among Fathom's best."""
    fathom = client_program("fathom")
    for position in positions(40, seed=clock):
        board = new_board(f"{position} {clock} 60")
        command = [fathom, f"--path={TABLES}", fen(board)]
        answer = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=60, env=foreign_environment
        ).stdout
        by_distance = answer.partition("returned from DTZ probe\n")[2].partition("returned from WDL probe")[0]
        ranks = dict(re.findall(r"^(\S+) rank = (-?\d+)", by_distance, re.MULTILINE))
        legal = {san(board, move).rstrip("+#"): move for move in board.legal_moves()}
        assert set(ranks) == set(legal), fen(board)
        best = max(int(value) for value in ranks.values())
        theirs = {legal[text] for text, value in ranks.items() if int(value) == best}
        ours = verdict(tables, board)
        assert set(ours.moves) <= theirs if clock >= 20 else set(ours.moves) == theirs, fen(board)
        assert ours.moves
        assert ours.result == {"Win": 1, "Loss": -1}.get(re.search(r'\[WDL "(\w+)"', answer)[1], 0), fen(board)


def test_a_win_that_the_clock_spoils_is_a_draw(tables: Endgames) -> None:
    """King and rook need more than ten plies from here."""
    assert verdict(tables, new_board(WON)).result == 1
    assert verdict(tables, new_board(WON.replace("0 1", "90 60"))).result == 0
    assert verdict(tables, new_board(LOST)).result == -1
    assert verdict(tables, new_board(LOST.replace("0 1", "90 60"))).result == 0


def test_the_clock_spoils_a_win_in_one_ply_and_not_before(tables: Endgames, reader) -> None:
    """The distance of the position itself, as python-chess reads it, says which; we ask for those after its moves."""
    sides = set()
    for position in positions(40, seed=23, men="QR"):
        plies = reader.probe_dtz(chess.Board(f"{position} 0 1"))
        if plies:
            last = 100 - abs(plies)
            side = 1 if plies > 0 else -1
            assert verdict(tables, new_board(f"{position} {last} 60")).result == side, position
            assert verdict(tables, new_board(f"{position} {last + 1} 60")).result == 0, position
            sides.add(side)
    assert sides == {1, -1}


def test_without_a_fifty_move_rule_the_clock_spoils_nothing(tables: Endgames) -> None:
    board = new_board(WON.replace("0 1", "90 60"))
    board.clock_limit = 1 << 20
    assert verdict(tables, board).result == 1


def test_only_the_opposition_draws(tables: Endgames) -> None:
    board = new_board("3k4/8/3K4/3P4/8/8/8/8 b - - 0 1")
    assert kept(tables, board) == {"d8c8", "d8e8"}
    board = new_board("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1")
    assert verdict(tables, board).result == 0
    board = new_board("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1")
    assert verdict(tables, board).result == -1
    board = new_board("8/4k3/8/8/4K3/4P3/8/8 b - - 0 1")
    assert kept(tables, board) == {"e7e6"}


def test_a_mate_counts_as_the_nearest_way(tables: Endgames) -> None:
    board = new_board("7k/8/6K1/8/8/8/8/R7 w - - 40 60")
    assert kept(tables, board) == {"a1a8"}


def test_chosen_moves_are_judged_among_themselves(tables: Endgames) -> None:
    board = new_board("7k/8/6K1/8/8/8/8/R7 w - - 99 60")
    quiet = parse_move(board, "a1a7")
    found = tables.verdict(board, [quiet])
    assert (found.moves, found.result) == ([quiet], 0)


def test_castling_rights_and_more_men_are_not_covered(tables: Endgames) -> None:
    assert tables.men == 3
    assert tables.covers(new_board(WON))
    assert not tables.covers(new_board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert not tables.covers(new_board("4k3/8/8/8/8/8/7R/4K2R w - - 0 1"))


def test_a_missing_table_is_no_verdict(tmp_path: Path) -> None:
    for name in ("KQvK.rtbw", "KQvK.rtbz"):
        shutil.copy(TABLES / name, tmp_path)
    tables = Endgames([str(tmp_path)])
    assert verdict(tables, new_board(WON)) is None
    assert verdict(tables, new_board("8/8/8/4k3/8/8/8/K6Q w - - 0 1")).result == 1


def test_results_alone_keep_what_does_not_lose_the_win(tmp_path: Path) -> None:
    for path in TABLES.glob("*.rtbw"):
        shutil.copy(path, tmp_path)
    tables = Endgames([str(tmp_path)])
    board = new_board("8/8/8/8/3k4/8/8/K6R w - - 30 40")
    found = verdict(tables, board)
    assert found.result == 1
    assert len(found.moves) == len(board.legal_moves())


def test_if_time_runs_out_only_moves_of_known_distance_count(tables: Endgames, monkeypatch) -> None:
    """The clock advances with each look."""
    board = new_board("8/8/8/8/3k4/8/8/K6R w - - 0 40")
    legal = len(board.legal_moves())
    clock = iter(range(1000))
    monkeypatch.setattr("standstill.engine.play.endgames.time.monotonic", lambda: next(clock))
    assert len(verdict(tables, board, seconds=legal + 5.5).moves) == 5
    assert len(verdict(tables, board, seconds=legal + 0.5).moves) == legal
    assert verdict(tables, board, seconds=legal - 1.5) is None


def test_a_hurried_side_takes_a_nearest_move(tables: Endgames, reader) -> None:
    for start in won_starts(reader, 10, seed=11):
        board = new_board(start)
        (move,) = verdict(tables, board).moves
        position = chess.Board(start)
        position.push_uci(move_text(board, move))
        assert position.is_checkmate() or position.halfmove_clock == 0 or (
            -reader.probe_dtz(position) + 1 <= reader.probe_dtz(chess.Board(start))
        )


def test_a_repetition_ends_the_freedom(tables: Endgames) -> None:
    board = new_board(WON)
    free = kept(tables, board)
    for move in ("h1g1", "d5d4", "g1h1", "d4d5"):
        board.push(parse_move(board, move))
    assert kept(tables, board) < free


def test_the_third_occurrence_is_no_win(tables: Endgames) -> None:
    board = new_board(WON)
    for move in ["h1g1", "d5d4", "g1h1", "d4d5", "h1g1", "d5d4", "g1h1", "d4d5"][:-2]:
        board.push(parse_move(board, move))
    # White would repeat for the third time only with Black's help, so Black is asked.
    board.push(parse_move(board, "g1h1"))
    again = parse_move(board, "d4d5")
    assert verdict(tables, board).result == 0
    assert tables.verdict(board, [again]).result == 0
    others = [move for move in board.legal_moves() if move != again]
    assert tables.verdict(board, others).result == -1


# ---- ranks ----


def test_ranks_are_ordered_as_the_results() -> None:
    """Win, spoiled win, draw, saved loss, loss, whatever the clock."""
    for clock in range(0, 100, 3):
        won = rank(100 - clock, clock, False)
        spoiled, saved = rank(101, clock, False), rank(-101, clock, False)
        lost = rank(-1, min(clock, 90), False)
        assert won > spoiled > 0 > saved > lost
        ranks = (won, spoiled, 0, saved, lost)
        assert [is_drawn(value, True) for value in ranks] == [False, True, True, True, False]
        assert [is_drawn(value, False) for value in ranks] == [False, False, True, False, False]


def test_a_won_side_is_free_until_the_clock_is_near_or_it_has_repeated() -> None:
    assert rank(20, 0, False) == rank(60, 39, False) > rank(61, 39, False)
    assert rank(20, 0, True) > rank(21, 0, True)


def test_a_lost_side_takes_the_longest_way_where_that_may_help() -> None:
    assert rank(-10, 0, False) == rank(-30, 0, False)
    assert rank(-60, 0, False) > rank(-50, 0, False)


class MadeUp:
    """Tables in which the result depends on the square of the white king."""

    def __init__(self, results: dict[str, int]):
        self.wdl = {"KRvK": None}
        self._results = results

    def probe_wdl(self, position: chess.Board) -> int:
        return -self._results.get(chess.square_name(position.king(chess.WHITE)), LOSS)

    def probe_dtz(self, position: chess.Board) -> int:
        return {WIN: 10, CURSED_WIN: 110, DRAW: 0, BLESSED_LOSS: -110, LOSS: -10}[self.probe_wdl(position)]


@pytest.mark.parametrize(
    ("results", "merge", "expected", "result"),
    [
        ({"a2": WIN, "b1": CURSED_WIN, "b2": DRAW}, False, {"a1a2"}, 1),
        ({"a2": WIN, "b1": CURSED_WIN, "b2": DRAW}, True, {"a1a2"}, 1),
        ({"a2": CURSED_WIN, "b1": DRAW, "b2": BLESSED_LOSS}, False, {"a1a2"}, 0),
        ({"a2": CURSED_WIN, "b1": DRAW, "b2": BLESSED_LOSS}, True, {"a1a2", "a1b1", "a1b2"}, 0),
        ({"a2": DRAW, "b1": DRAW}, False, {"a1a2", "a1b1"}, 0),
        ({"a2": BLESSED_LOSS}, False, {"a1a2"}, 0),
        ({"a2": BLESSED_LOSS}, True, {"a1a2"}, 0),
    ],
)
def test_draws_may_be_ordered_or_all_alike(results: dict, merge: bool, expected: set, result: int) -> None:
    """If goals count the tables may not choose among draws."""
    tables = Endgames([])
    tables.tables = MadeUp(results)
    board = new_board("7k/8/8/8/8/8/8/K5R1 w - - 0 1")
    moves = [parse_move(board, move) for move in ("a1a2", "a1b1", "a1b2")]
    found = tables.verdict(board, moves, merge_draws=merge)
    assert ({move_text(board, move) for move in found.moves}, found.result) == (expected, result)


# ---- bad files ----


DAMAGED = {
    "empty": b"",
    "noise": random.Random(3).randbytes(272),
    "cut": (TABLES / "KQvK.rtbw").read_bytes()[:200],
    "of another kind": (TABLES / "KQvK.rtbz").read_bytes(),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_table_is_left_out_with_a_line(tmp_path: Path, content: bytes) -> None:
    for path in TABLES.glob("*.rtb?"):
        shutil.copy(path, tmp_path)
    (tmp_path / "KQvK.rtbw").write_bytes(content)
    tables = Endgames([str(tmp_path)])
    assert len(tables.complaints) == 1
    assert "KQvK.rtbw" in tables.complaints[0]
    assert verdict(tables, new_board(WON)).result == 1
    assert verdict(tables, new_board("8/8/8/4k3/8/8/8/K6Q w - - 0 1")) is None


@pytest.mark.parametrize("seed", range(6))
def test_damage_further_inside_is_an_error_of_its_own(tmp_path: Path, seed: int) -> None:
    """Noise after valid first bytes: the reader fails in many ways, or loops; for us this is one error."""
    noise = random.Random(seed)
    for name in ("KRvK.rtbw", "KRvK.rtbz"):
        whole = bytearray((TABLES / name).read_bytes())
        whole[4:] = noise.randbytes(len(whole) - 4)
        (tmp_path / name).write_bytes(whole)
    tables = Endgames([str(tmp_path)])
    assert tables.complaints == []
    with contextlib.suppress(TablebaseError):  # noise may also look like an answer
        in_time(0.2, lambda: verdict(tables, new_board(WON)))


@pytest.mark.parametrize("paths", [["/no/such/folder"], ["{empty}"], ["{empty}", "/no/such/folder"]])
def test_folders_without_tables_are_named(tmp_path: Path, paths: list[str]) -> None:
    folders = [path.format(empty=tmp_path) for path in paths]
    tables = Endgames(folders)
    assert (tables.men, tables.files) == (0, 0)
    for folder, complaint in zip(folders, tables.complaints, strict=True):
        assert folder in complaint
        # Words by which XBoard takes an engine for dead.
        assert not re.search("not found|no such file|permission denied", complaint, re.IGNORECASE)


def test_several_folders_are_one_set(tmp_path: Path, monkeypatch) -> None:
    """Several folders in one option, with paths beside engine.ini."""
    for name, folder in (("KRvK", "a"), ("KQvK", "b")):
        (tmp_path / folder).mkdir()
        for path in TABLES.glob(f"{name}.*"):
            shutil.copy(path, tmp_path / folder)
    monkeypatch.setattr("standstill.engine.settings.config.locate", lambda: str(tmp_path / "engine.ini"))
    settings = Settings()
    settings["SyzygyPath"] = f"{tmp_path / 'a'}{os.pathsep} b{os.pathsep}"
    heard: list[str] = []
    Adviser(heard.append).follow(settings)
    assert heard == ["4 endgame tables, up to 3 men"]


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
    """A game of the session, to move at the start, against the longest defence; returns (result, reason)."""
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


def won_starts(reader: chess.syzygy.Tablebase, count: int, seed: int):
    """Won positions with a clock that leaves the fewest plies, less the one by which a table may be wrong."""
    for position in positions(1000, seed, "PRQ"):
        board = chess.Board(f"{position} 0 60")
        distance = reader.probe_dtz(board)
        if distance > 1:
            yield f"{position} {99 - distance} 60"
            count -= 1
        if not count:
            return


@pytest.fixture
def unhurried(monkeypatch) -> None:
    """Give tables any time, also on a crowded machine and with sanitizers."""
    monkeypatch.setattr("standstill.engine.play.advice.TABLES_LONGEST_S", 60.0)


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("depth", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_won_positions_are_won(reader, depth: int) -> None:
    """With shallow searches, and clocks that leave a ply to spare, these games still end on the board."""
    session = player()
    for start in won_starts(reader, 8, seed=depth):
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
    for position in positions(150, seed=9, men="P"):
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


@pytest.mark.parametrize("mode", ["Off", "Tiebreak", "Points", "Decisive"])
def test_the_search_chooses_among_draws_if_goals_count(mode: str) -> None:
    """The 50-move rule makes a rook useless: every move draws, even the one that gives it away."""
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
        # With a clock, because the time to wait for tables that hang depends on it.
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


@pytest.mark.parametrize(("limit", "asked"), [(7, True), (3, True), (2, False), (0, False)])
def test_tables_are_asked_up_to_the_limit_of_men(limit: int, asked: bool) -> None:
    """KRK has three men; at depth 1 the search itself does not call it won."""
    assert (searched(WON, SyzygyProbeLimit=limit) == TABLEBASE_WIN) == asked


def test_without_the_50_move_rule_a_late_win_counts() -> None:
    """Two plies are left on the clock, and the mate of king and rook takes more."""
    late = WON.replace(" 0 1", " 98 100")
    assert searched(late, Syzygy50MoveRule="true") == 0
    assert searched(late, Syzygy50MoveRule="false") == TABLEBASE_WIN
    assert searched(WON, Syzygy50MoveRule="false") == TABLEBASE_WIN
# ---- wins beyond the 50-move rule ----

LATE = "8/8/8/3k4/8/8/8/K6R {} - - {} 60"


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
    session.position("8/8/8/3k4/8/8/8/K6N w - - 100 60", [])  # not won by anybody
    assert (session.game_end() == ("1/2-1/2", "fifty-move rule")) == (fifty != "off")


@pytest.mark.parametrize(("rules", "result"), [(["fide"], "1/2-1/2"), (["iccf"], "1/2-1/2"), (["iccf", TABLES], "1-0")])
def test_matches_by_iccf_ask_the_tables(executable, tmp_path: Path, rules: list, result: str) -> None:
    """A rook's ending that reaches 50 moves: only tables make it a win."""
    (tmp_path / "late.epd").write_text(LATE.format("w", 99) + "\n", encoding="ascii")
    engines = [f"--engine=cmd={shlex.quote(str(executable))} name={name} nodes=50" for name in "AB"]
    syzygy = [f"--syzygy={rules[1]}"] if rules[1:] else []
    command = [executable, "match", *engines, "--openings", "late.epd", "--pgn", "games.pgn", "--nodes", "50"]
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
        [executable, "match", "--engine=a", "--engine=b", "--pgn", "games.pgn", "--nodes", "5", "--syzygy", TABLES],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "--fifty iccf" in done.stderr
