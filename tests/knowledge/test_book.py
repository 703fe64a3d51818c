"""Opening books: read as other programs write them, used at random in play, and not in analysis."""

from __future__ import annotations

import random
import struct
import subprocess
import time
from collections import Counter
from pathlib import Path

import chess
import pytest

from standstill.engine.common.errors import BookError
from standstill.engine.common.limits import Limits
from standstill.engine.play.book import Book, polyglot_key
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session
from standstill.engine.settings.options import Settings
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import move_text, parse_move

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
PROMOTION = "8/4P1k1/8/8/8/8/8/K7 w - - 0 1"


def record(fen: str | None, move: str, weight: int) -> tuple[int, int, int]:
    """A book entry as the format defines it: castling is king takes rook, promotions are numbered from the knight."""
    promotion = "nbrq".index(move[4]) + 1 if len(move) > 4 else 0
    start, target = chess.parse_square(move[:2]), chess.parse_square(move[2:4])
    return polyglot_key(new_board(fen)), promotion << 12 | start << 6 | target, weight


def write(path: Path, *records: tuple[int, int, int]) -> str:
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry, 0) for entry in sorted(records)))
    return str(path)


def chosen(path: str, fen: str | None = None, chess960: bool = False) -> str | None:
    board = new_board(fen, chess960)
    move = Book(path).choose(board, random.Random(1))
    return None if move is None else move_text(board, move)


# From the format's description (Michel Van den Bergh: Polyglot book format).
@pytest.mark.parametrize(
    ("moves", "key"),
    [
        ("", 0x463B96181691FC9C),
        ("e2e4", 0x823C9B50FD114196),
        ("e2e4 d7d5", 0x0756B94461C50FB0),
        ("e2e4 d7d5 e4e5", 0x662FAFB965DB29D4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22A48B5A8E47FF78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652A607CA3F242C1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00FDD303C946BDD9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3C8123EA7B067637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5C3F9B829B279560),
    ],
)
def test_keys_are_those_of_the_format(moves: str, key: int) -> None:
    board = new_board()
    for move in moves.split():
        board.push(parse_move(board, move))
    assert polyglot_key(board) == key


def test_en_passant_counts_although_the_pawn_is_pinned() -> None:
    """In the format's keys the en passant square counts beside any pawn; in our FEN only if the capture is legal."""
    before = "4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1"
    board = new_board(before)
    board.push(parse_move(board, "d7d5"))
    other = chess.Board(before)
    other.push_uci("d7d5")
    assert board.ep is None or other.has_legal_en_passant()
    assert polyglot_key(board) == chess.polyglot.zobrist_hash(other)


def test_a_book_written_by_polyglot_is_read(tmp_path: Path, client_program, foreign_environment) -> None:
    games = "".join(f'[Result "{result}"]\n\n{moves} {result}\n\n' for moves, result in
                    [("1. e4 e5 2. Nf3", "1-0"), ("1. e4 c5", "1-0"), ("1. d4 d5", "1-0")])  # fmt: skip
    (tmp_path / "games.pgn").write_text(games)
    command = [client_program("polyglot"), "make-book", "-pgn", "games.pgn", "-bin", "book.bin", "-min-game", "1"]
    subprocess.run(command, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL, timeout=60, env=foreign_environment)
    board = new_board()
    found = {move_text(board, move): weight for move, weight in Book(str(tmp_path / "book.bin")).moves(board)}
    assert set(found) == {"e2e4", "d2d4"}
    assert found["e2e4"] == pytest.approx(2 * found["d2d4"], rel=0.01)


def test_moves_come_as_often_as_their_weights_say(tmp_path: Path) -> None:
    path = write(tmp_path / "b.bin", record(None, "e2e4", 60), record(None, "d2d4", 30), record(None, "c2c4", 10),
                 record(None, "a2a4", 0))  # fmt: skip
    book, board, chance = Book(path), new_board(), random.Random(7)
    counts = Counter(move_text(board, book.choose(board, chance)) for _ in range(2000))
    assert set(counts) == {"e2e4", "d2d4", "c2c4"}
    # The tolerance is five standard deviations of a binomial count.
    for move, share in (("e2e4", 0.6), ("d2d4", 0.3), ("c2c4", 0.1)):
        assert abs(counts[move] - 2000 * share) < 5 * (2000 * share * (1 - share)) ** 0.5


@pytest.mark.parametrize(
    ("fen", "entry", "chess960", "move"),
    [
        (CASTLING, "e1h1", False, "e1g1"),
        (CASTLING, "e1a1", False, "e1c1"),
        (CASTLING, "e1h1", True, "e1h1"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1b1", True, "e1b1"),
        (PROMOTION, "e7e8q", False, "e7e8q"),
        (PROMOTION, "e7e8n", False, "e7e8n"),
    ],
)
def test_castling_and_promotion_are_read(tmp_path: Path, fen: str, entry: str, chess960: bool, move: str) -> None:
    assert chosen(write(tmp_path / "b.bin", record(fen, entry, 1)), fen, chess960) == move


def test_moves_without_weight_are_known_and_never_played(tmp_path: Path) -> None:
    path = write(tmp_path / "b.bin", record(None, "e2e4", 0), record(None, "d2d4", 0))
    assert chosen(path) is None and len(Book(path).moves(new_board())) == 2


def test_illegal_moves_and_foreign_positions_are_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path / "b.bin", record(None, "e2e5", 9), record(None, "g1f3", 1), record(CASTLING, "a2a3", 5))
    assert chosen(path) == "g1f3"
    assert chosen(path, PROMOTION) is None
    assert chosen(write(tmp_path / "c.bin", record(None, "e2e5", 9))) is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "does not exist"),
        (b"", "is empty"),
        (b"x" * 17, "not a multiple of 16 bytes"),
        (random.Random(1).randbytes(160), "not sorted by key"),
    ],
)
def test_a_file_that_is_no_book_is_refused_in_one_line(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "b.bin"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BookError, match=reason) as caught:
        Book(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


# ---- in a session ----


class Player:
    """A session with a book, and its notices."""

    def __init__(self, path: str, **changes: object) -> None:
        settings = Settings()
        settings["OwnBook"] = True
        settings["BookFile"] = path
        settings["Hash"] = 1
        for name, value in changes.items():
            settings[name] = value
        self.notices: list[str] = []
        self.session = Session(settings)
        self.session.on_notice(self.notices.append)

    def search(self, **limits: object):
        wanted = Limits()
        for name, value in (limits or {"depth": 4}).items():
            setattr(wanted, name, value)
        return self.session.search(wanted)


@pytest.fixture
def rook_pawn(tmp_path: Path) -> str:
    """A book with a move that no search would choose."""
    return write(tmp_path / "rook pawn.bin", record(None, "h2h4", 1))


def test_a_book_move_comes_with_a_line_about_it(rook_pawn: str) -> None:
    best, line = Player(rook_pawn).search(movetime_ms=60_000)
    assert best.move == "h2h4"
    assert line.source == "book"
    assert line.pv[0] == "h2h4"
    assert best.ponder == line.pv[1]
    assert line.depth <= 10


@pytest.mark.parametrize("changes", [{"OwnBook": False}, {"UCI_AnalyseMode": True}, {"BookFile": ""}])
def test_the_book_is_not_used_in_analysis_or_if_switched_off(rook_pawn: str, changes: dict) -> None:
    assert Player(rook_pawn, **changes).search()[0].move != "h2h4"


@pytest.mark.parametrize("limits", [{"root_moves": ["e2e4", "h2h4"], "depth": 4}, {"mate": 1, "depth": 4}])
def test_searches_of_chosen_moves_and_for_mate_do_not_use_the_book(rook_pawn: str, limits: dict) -> None:
    assert Player(rook_pawn).search(**limits)[1].source != "book"


def test_infinite_analysis_is_not_answered_from_the_book(rook_pawn: str) -> None:
    lines = []

    class Ear(Listener):
        def info(self, info) -> None:
            lines.append(info)

    wanted = Limits()
    wanted.infinite = True
    session = Player(rook_pawn).session
    session.go(wanted, Ear())
    while len(lines) < 5 and session.searching:
        time.sleep(0.001)
    session.finish()
    assert lines
    assert {line.source for line in lines} == {""}


def test_outside_the_book_the_search_is_on_its_own(rook_pawn: str) -> None:
    player = Player(rook_pawn)
    player.session.position(None, ["e2e4"])
    assert player.search()[1].source == ""


def test_a_missing_book_is_reported_once_and_play_goes_on(tmp_path: Path) -> None:
    player = Player(str(tmp_path / "nowhere.bin"))
    assert player.search()[0].move
    assert player.search()[0].move
    assert len(player.notices) == 1
    assert "nowhere.bin" in player.notices[0]


def test_a_missing_name_of_the_book_is_reported_once() -> None:
    player = Player("")
    player.search()
    player.search()
    assert player.notices == ["OwnBook is on, but BookFile names no book"]


def test_another_file_takes_the_place_of_the_first(tmp_path: Path, rook_pawn: str) -> None:
    player = Player(rook_pawn)
    player.search()
    player.session.set_option("BookFile", write(tmp_path / "a.bin", record(None, "a2a4", 1)))
    assert player.search()[0].move == "a2a4"


def test_the_moves_of_the_book_can_be_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "b.bin", record(None, "h2h4", 1), record(None, "e2e4", 3), record(None, "a2a4", 0))
    player = Player(path, OwnBook=False)
    assert player.session.book_moves() == [("e2e4", 0.75), ("h2h4", 0.25), ("a2a4", 0.0)]
    player.session.position(None, ["e2e4"])
    assert player.session.book_moves() == []


def test_a_relative_name_is_looked_for_beside_engine_ini(tmp_path: Path, rook_pawn: str, monkeypatch) -> None:
    monkeypatch.setattr("standstill.engine.settings.config.locate", lambda: str(tmp_path / "engine.ini"))
    monkeypatch.chdir("/")
    assert Player("rook pawn.bin").search()[0].move == "h2h4"


def test_without_python_chess_it_is_said_and_play_goes_on(rook_pawn: str, monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "chess", None)
    player = Player(rook_pawn, SyzygyPath="/tables")
    assert player.search()[0].move
    assert [notice.split()[0] for notice in player.notices] == ["SyzygyPath", "BookFile"]
    assert all(" install chess)" in notice for notice in player.notices)


@pytest.mark.parametrize("mode", ["Off", "Tiebreak", "Points", "Decisive"])
def test_the_book_is_used_in_every_mode(rook_pawn: str, mode: str) -> None:
    assert Player(rook_pawn, RMobility=mode).search()[1].source == "book"


# ---- as a process ----


@pytest.mark.launcher
def test_the_launcher_finds_python_chess(engine, rook_pawn: str) -> None:
    """The engine starts without site-packages."""
    engine.send(f"setoption name BookFile value {rook_pawn}", "setoption name OwnBook value true")
    assert engine.synchronise() == []
    lines = engine.search("go movetime 60000", "startpos")  # long enough for the whole book line on a busy machine
    assert lines[-1].startswith("bestmove h2h4 ponder ")
    assert any(" score " in line and " pv h2h4 " in line for line in lines)
    engine.send("setoption name BookFile value /nothing/here.bin")
    assert len(engine.synchronise()) == 1
    assert engine.search("go depth 3", "startpos")[-1].startswith("bestmove ")


def test_a_ponder_search_on_a_book_move_waits_for_its_cue(engine, tmp_path: Path) -> None:
    after = "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq - 0 1"
    path = write(tmp_path / "b.bin", record(after, "a7a5", 1))
    engine.send(f"setoption name BookFile value {path}", "setoption name OwnBook value true", "isready")
    engine.read_until("readyok")
    engine.send("position startpos moves h2h4", "go ponder wtime 60000 btime 60000")
    assert not any(line.startswith("bestmove") for line in engine.synchronise())
    assert engine.ask("ponderhit", "bestmove")[-1].startswith("bestmove a7a5")
