"""Castling with kings off the middle, the empty squares that Fairy-Max requires, and rights that name rooks."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest

from standstill.cext.base import constants
from standstill.engine.common.errors import NotationError
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.fairymax import parse, read_file
from standstill.engine.variants.notation import fen, move_text, set_fen
from tests.variants.files import ROOK, block, text_of, written
from tests.xboard.support import pong

# With the king on the b-file, the rules do not require the e-file, where the queen stands, to be empty.
SIDE = block("Game: side # PNBRQKpnbrqk # fairy", array="6 3 4 4 7 4 4 6")
FREE = ["c1b3", "c8b6", "d1c3", "d8c6", "f1e3", "f8e6", "g1h3", "g8h6"]
CASTLED = ["b1d1", "b8d8", "c1b1", "d8b8"]  # puts the rook on the c-file; a king does not jump
FIRST_MOVES = block("Game: mine", rook=f"{ROOK} 16,E4 -16,E4")
BLOCKED = {"c1": "c1b3 c8b6", "d1": "d1c3 d8c6", "f1": "f1e3 f8e6", "g1": "g1h3 g8h6"}


@pytest.fixture(params=["ours", "fairymax"])
def refused(request, start, client_program, tmp_path: Path):
    """A function that returns the moves of a line that an engine calls illegal."""
    file = written(tmp_path, SIDE, "Text, because Fairy-Max does not get past a game at the end of a file.")

    def ours(moves: list[str]) -> list[str]:
        engine = start(str(file))
        engine.send("xboard", "protover 2", "accepted debug", "new", "variant side", "force")
        pong(engine)
        engine.send(*(f"usermove {move}" for move in moves))
        return [line.split()[-1] for line in pong(engine) if line.startswith("Illegal")]

    def theirs(moves: list[str]) -> list[str]:
        lines = ["xboard", "protover 2", "new", "variant side", "force", *moves, "quit", ""]
        done = subprocess.run(
            [client_program("fairymax"), "22", str(file)],
            input="\n".join(lines),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return [line.split(":")[-1].strip() for line in done.stdout.splitlines() if line.startswith("Illegal")]

    return ours if request.param == "ours" else theirs


def test_the_engine_does_not_castle_past_a_man_in_xboard(start, tmp_path: Path) -> None:
    """XBoard calls this castling illegal. In UCI it is played."""
    engine = start(str(written(tmp_path, SIDE)))
    engine.send("xboard", "protover 2", "accepted debug", "new", "variant side", "force")
    engine.send("setboard 6k1/8/8/8/8/6n1/PPPPPP2/RK2Q2R w KQ - 0 1", "sd 1", "go")
    assert engine.read_until("move")[-1] != "move b1d1"
    engine.send("force", "setboard 6k1/8/8/8/8/6n1/PPPPPP2/RK2Q2R w KQ - 0 1", "usermove b1d1")
    assert not [line for line in pong(engine) if line.startswith("Illegal")]


def test_a_man_far_off_does_not_matter(refused) -> None:
    assert refused([*FREE, *CASTLED]) == ["d8b8"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("square", BLOCKED)
def test_squares_that_have_to_be_empty(refused, square: str) -> None:
    moves = [move for move in FREE if move not in BLOCKED[square].split()]
    assert refused([*moves, "b1d1"]) == ["b1d1"]


CASTLING = "r3k2r/p6p/8/8/8/8/P6P/R3K2R"
CAPABLANCA = "r4k3r/p8p/10/10/10/10/P8P/R4K3R"


@pytest.mark.parametrize(
    ("name", "placement", "rights", "plain"),
    [
        ("3check", CASTLING, "HAha", "KQkq"),
        ("kingofthehill", CASTLING, "Ah", "Qk"),
        ("capablanca", CAPABLANCA, "JAja", "KQkq"),
        ("capablanca", CAPABLANCA, "Jja", "Kkq"),
        ("embassy", "r3k4r/p8p/10/10/10/10/P8P/R3K4R", "JAja", "KQkq"),
        ("shako", "10/1r3k2r1/p8p/10/10/10/10/P8P/1R3K2R1/10", "IBib", "KQkq"),
    ],
)
def test_rights_that_name_the_rooks(name: str, placement: str, rights: str, plain: str) -> None:
    """Shredder-FEN, which clients send if they have set UCI_Chess960."""
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed")
    text = f"{placement} w {rights} - {'3+3 ' * (name == '3check')}0 1"
    board = new_board(text, game=Catalog().find(name))
    assert fen(board).split()[2] == plain
    if plain != "-":
        assert sorted(move_text(board, move) for move in board.legal_moves()) == sorted(
            pyffish.legal_moves(name, text, [])
        )


@pytest.mark.parametrize(
    ("placement", "rights", "lost"),
    [
        ("r3k4r/10/10/10/10/10/10/R3K4R", "KQkq", "s KQkq"),  # the king is not on its start square
        ("1r3k3r/10/10/10/10/10/10/1R3K3R", "KQkq", "s Qq"),  # a rook is not on its start square
        ("1r3k3r/10/10/10/10/10/10/R4K3R", "KQkq", " q"),
        ("1r3k3r/10/10/10/10/10/10/1R3K3R", "Kk", ""),
        ("1r3k3r/10/10/10/10/10/10/1R3K3R", "JBjb", "s Bb"),
        ("r4k3r/10/10/10/10/10/10/R3K4R", "ja", ""),
        ("r4k3r/10/10/10/10/10/10/R3K4R", "J", " J"),
        ("r4k4/10/10/10/10/10/4K5/R8R", "JAja", ""),
        ("r4k4/10/10/10/10/10/4K5/R8R", "KQkq", "s KQk"),  # stale rights left by a client
    ],
)
def test_castling_from_other_squares_is_not_lost_in_silence(placement: str, rights: str, lost: str) -> None:
    game = Catalog().find("capablanca")
    text = f"{placement} w {rights} - 0 1"
    if not lost:
        new_board(text, game=game)
        return
    with pytest.raises(
        NotationError, match=f"castling right{lost} in capablanca, which allows castling only from its start position"
    ):
        new_board(text, game=game)


SHUFFLED = "rjbnqkjbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJBNQKJBNR w KQkq - 0 1"  # as XBoard shuffles it


def test_xboard_plays_without_rights_that_the_game_cannot_have(xboard) -> None:
    xboard.send("variant janus", "force", f"setboard {SHUFFLED}")
    (told,) = [line for line in pong(xboard) if line.startswith("tellusererror")]
    assert told.startswith(
        "tellusererror ignored: castling rights KQkq in janus, which allows castling only from its start position"
    )
    xboard.send("sd 1", "go")
    assert xboard.read_until("move")


def test_uci_plays_without_rights_that_the_game_cannot_have(engine) -> None:
    """The record stays, and the dropped rights are reported once."""
    engine.send("setoption name UCI_Variant value janus")
    engine.send(f"position fen {SHUFFLED} -G8.5", f"position fen {SHUFFLED} -G8.5 moves d1c3", "d", "isready")
    lines = engine.read_until("readyok")
    (told,) = [line for line in lines if "castling" in line]
    assert told.startswith(
        "info string ignored: castling rights KQkq in janus, which allows castling only from its start position"
    )
    assert "Fen: rjbnqkjbnr/pppppppppp/10/10/10/2N7/PPPPPPPPPP/RJB1QKJBNR b - - 1 1" in lines
    assert "Record: -G8.5" in lines


def test_rights_of_a_rook_with_a_first_move_of_its_own(tmp_path: Path) -> None:
    """The king has moved and come back, so the letter in the FEN stands for the rook's right to its initial leap."""
    file = written(tmp_path, FIRST_MOVES)
    board = new_board(f"{CASTLING} w Ha - 0 1", game=read_file(str(file)).games[0])
    assert fen(board).split()[2] == "Ha"
    assert "e1g1" not in [move_text(board, move) for move in board.legal_moves()]


@pytest.mark.parametrize("law", [(), ("# castling R",)])
@pytest.mark.parametrize("ranks", [15, 16])
def test_both_sides_castle_both_ways_on_the_largest_boards(ranks: int, law: tuple[str, ...]) -> None:
    """The last corner of 16x16 has the highest possible square number."""
    block_of = block("Game: wide", *law, board=f"16x{ranks}", array="6 0 0 0 0 0 0 3 0 0 0 0 0 0 0 6")
    game = parse(text_of(block_of)).games[0]
    for side, rank in (("w", 1), ("b", ranks)):
        board = new_board(f"r6k7r/{'16/' * (ranks - 2)}R6K7R {side} KQkq - 0 1", game=game)
        kinds = {move_text(board, move): move >> constants.KIND_SHIFT for move in board.legal_moves()}
        castlings = {text for text, kind in kinds.items() if kind == constants.CASTLING}
        assert castlings == {f"h{rank}f{rank}", f"h{rank}j{rank}"}


def castlings(board) -> set[int]:
    """Castling moves as (from, to, partner's square), without gated pieces."""
    kinds = (constants.CASTLING, constants.CASTLE_GATING)
    return {move & 0xFFFFFF for move in board.legal_moves() if move >> 29 in kinds}


def castling_games() -> list[str]:
    """Games in which White's king can castle once nothing stands between it and its corner."""
    return [game.name for game in Catalog() if (board := emptied(game)) is not None and castlings(board)]


def game_of(name: str):
    """A game of the catalogue, or the one whose rooks have a special first move and therefore stay virgin."""
    return parse(text_of(FIRST_MOVES)).games[0] if name == "first moves" else Catalog().find(name)


def emptied(game):
    """The array with rights, with only the castling pieces and corners of White; None if that is not a position."""
    board = new_board(game=game)
    if not hasattr(board, "virgins"):
        return None
    rows = fen(board).split()
    placement, bracket, hand = rows[0].partition("[")
    ranks = placement.split("/")
    back = "".join("1" * int(c) if c.isdigit() else c for c in re.findall(r"\d+|\D", ranks[-1]))
    kept = "".join(c if c in "KMR" or at in (0, len(back) - 1) else "1" for at, c in enumerate(back))
    ranks[-1] = re.sub("1+", lambda ones: str(len(ones[0])), kept)
    try:
        set_fen(board, " ".join(["/".join(ranks) + bracket + hand, *rows[1:]]))
    except NotationError:
        return None
    return board


def random_replies(board, rng: random.Random) -> None:
    """Make a quiet move of the side to move with a piece that takes no part in castling, if one exists."""
    moves = [move for move in board.legal_moves() if not board.noisy(move) and not move >> 29]
    board.push(rng.choice(moves or board.legal_moves()))


@pytest.mark.parametrize("name", [*castling_games(), "first moves"])
def test_a_man_that_has_moved_and_come_back_does_not_castle(name: str) -> None:
    """In each castling, move the king or its partner away and back, while Black makes other moves."""
    game = game_of(name)
    tried = set()
    for castling in castlings(emptied(game)):
        for sq in (castling & 255, castling >> 16 & 255):
            board = emptied(game)
            steps = [move for move in board.legal_moves() if move & 255 == sq and not move >> 29]
            tried |= {sq for there in steps if go_and_return(board, there, castling)}
    assert tried


def go_and_return(board, there: int, castling: int) -> bool:
    """Return whether the piece can go and come back; assert that this removes the castling."""
    assert castling in castlings(board)
    rng = random.Random(there)
    back = (there >> 8 & 255) | (there & 255) << 8
    board.push(there)
    if not board.legal_moves():
        board.pop()
        return False
    random_replies(board, rng)
    if back not in board.legal_moves():
        board.pop()
        board.pop()
        return False
    board.push(back)
    random_replies(board, rng)
    assert castling not in castlings(board)
    assert board.count_legal() == len(board.legal_moves())
    for _ in range(4):
        board.pop()
    return True


@pytest.mark.parametrize("rights", ["KQkq", "KQ", "K", "-"])
def test_who_has_to_capture_does_not_castle(rights: str) -> None:
    """The number of moves agrees with the list; without the capture, castling is legal and counted."""
    game = Catalog().find("giveaway")
    board = new_board(game=game)
    for side, flank in (("w", 0), ("b", 1)):
        for men, takes in (
            ("r3k2r/p6p/8/8/8/8/P6P/R3K2R", False),
            ("r3k2r/p6p/6P1/8/8/6p1/P6P/R3K2R", True),
        ):
            set_fen(board, f"{men} {side} {rights} - 0 1")
            moves = board.legal_moves()
            possible = sum(letter in rights for letter in ("KQ", "kq")[flank])
            assert len(castlings(board)) == (0 if takes else possible)
            assert all(board.noisy(move) for move in moves) == takes
            assert board.count_legal() == len(moves)
            assert [board.count_legal(limit) >= limit for limit in range(1, len(moves) + 1)] == [True] * len(moves)
