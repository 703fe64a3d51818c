"""FEN, coordinate moves and SAN, compared with python-chess."""

from __future__ import annotations

import random
import re

import chess
import pytest

from standstill.cext.chess.chess_board import ChessBoard
from standstill.engine.common.errors import NotationError, StandstillError
from standstill.engine.common.goal import goal_text, parse_goal
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.chess_notation import CHESS960
from standstill.engine.variants.notation import fen, flip, move_text, parse_move, parse_san, san, set_epd, set_fen
from tests.board.support import KIWIPETE, core, encoded, face, placed, playout, possible, random_start, set_up

START = chess.STARTING_FEN


def read(text: str) -> ChessBoard:
    board = new_board()
    set_fen(board, text)
    return board


def played(seed: int, games: int = 3) -> list[chess.Board]:
    rng = random.Random(seed)
    return [position.copy(stack=False) for _ in range(games) for position in playout(rng, random_start(rng), 90)]


# ---- FEN ----


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_a_fen_is_written_as_python_chess_writes_it(seed: int) -> None:
    for position in played(seed):
        assert fen(core(position)) == position.fen(en_passant="legal")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_a_shredder_fen_is_written_as_python_chess_writes_it(seed: int) -> None:
    for position in played(seed):
        assert fen(core(position), shredder=True) == position.shredder_fen(en_passant="legal")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("shredder", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_reading_what_was_written_gives_the_same_position(seed: int, shredder: bool) -> None:
    for position in played(seed):
        board = core(position)
        assert face(read(fen(board, shredder))) == face(board)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_castling_rights_of_placed_men_survive_a_fen(seed: int) -> None:
    """With several rooks on one side of the king, X-FEN needs a file letter."""
    rng = random.Random(seed)
    wanted = 100
    while wanted:
        position = placed(rng, rng.randint(6, 20))
        if possible(position) and position.castling_rights:
            wanted -= 1
            board = core(position)
            assert read(fen(board)).castling == board.castling, position.shredder_fen()


@pytest.mark.parametrize(
    ("castling", "rooks"),
    [
        ("KQkq", {"h1", "a1", "h8", "a8"}),
        ("qkQK", {"h1", "a1", "h8", "a8"}),
        ("HAha", {"h1", "a1", "h8", "a8"}),
        ("HQhq", {"h1", "a1", "h8", "a8"}),
        ("Kq", {"h1", "a8"}),
        ("-", set()),
    ],
)
def test_castling_rights_are_read_in_any_notation(castling: str, rooks: set[str]) -> None:
    board = read(f"r3k2r/8/8/8/8/8/8/R3K2R w {castling} - 0 1")
    assert {chess.square_name(square) for square in chess.SquareSet(board.castling)} == rooks


@pytest.mark.parametrize(
    ("text", "rook"),
    [
        ("4k3/8/8/8/8/8/8/1R1RK3 w Q - 0 1", "b1"),  # in X-FEN, Q means the outermost rook
        ("4k3/8/8/8/8/8/8/1R1RK3 w B - 0 1", "b1"),
        ("4k3/8/8/8/8/8/8/1R1RK3 w D - 0 1", "d1"),
        ("4k3/8/8/8/8/8/8/4KRR1 w K - 0 1", "g1"),
        ("4k3/8/8/8/8/8/8/4KRR1 w F - 0 1", "f1"),
    ],
)
def test_a_right_names_the_rook(text: str, rook: str) -> None:
    assert read(text).castling == chess.BB_SQUARES[chess.parse_square(rook)]


@pytest.mark.parametrize(
    ("text", "clock", "fullmove"),
    [
        ("8/8/8/8/8/8/8/K1k5 w - -", 0, 1),
        ("8/8/8/8/8/8/8/K1k5 w - - 7", 7, 1),
        ("8/8/8/8/8/8/8/K1k5 w - - 7 31", 7, 31),
        ("8/8/8/8/8/8/8/K1k5 w - - - -", 0, 1),
        ("8/8/8/8/8/8/8/K1k5 w - - -3 0", 0, 1),
        ("8/8/8/8/8/8/8/K1k5 w - - 100 200", 100, 200),
        ("  8/8/8/8/8/8/8/K1k5   w\t-  -  7 \t31 \r", 7, 31),
    ],
)
def test_four_to_six_fields_in_any_spacing(text: str, clock: int, fullmove: int) -> None:
    board = read(text)
    assert (board.clock, board.fullmove) == (clock, fullmove)


@pytest.mark.parametrize(
    ("ep", "kept"),
    [
        pytest.param("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1", True, id="a taker"),
        pytest.param("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", False, id="no taker"),
        pytest.param("8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 1", False, id="the only taker may not"),
    ],
)
def test_an_en_passant_square_is_kept_if_a_pawn_can_take(ep: str, kept: bool) -> None:
    assert (read(ep).ep is not None) == kept


@pytest.mark.parametrize("number", ["99999999999999999999", "9" * 5000])
def test_a_huge_counter_is_cut(number: str) -> None:
    assert 0 < read(f"8/8/8/8/8/8/8/K1k5 w - - 0 {number}").fullmove < 40000


BROKEN = {
    "empty": "",
    "one field": "8/8/8/8/8/8/8/K1k5",
    "three fields": "8/8/8/8/8/8/8/K1k5 w -",
    "eight fields": "8/8/8/8/8/8/8/K1k5 w - - 0 1 2 3",
    "seven ranks": "8/8/8/8/8/8/K1k5 w - - 0 1",
    "nine ranks": "8/8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "nine squares": "9/8/8/8/8/8/8/K1k5 w - - 0 1",
    "seven squares": "7/8/8/8/8/8/8/K1k5 w - - 0 1",
    "eight and a piece": "8p/8/8/8/8/8/8/K1k5 w - - 0 1",
    "a zero": "80/8/8/8/8/8/8/K1k5 w - - 0 1",
    "an unknown piece": "x7/8/8/8/8/8/8/K1k5 w - - 0 1",
    "a dot": "......../8/8/8/8/8/8/K1k5 w - - 0 1",
    "a digit outside ASCII": "\u0668/8/8/8/8/8/8/K1k5 w - - 0 1",
    "no side": "8/8/8/8/8/8/8/K1k5 - - - 0 1",
    "a side in capitals": "8/8/8/8/8/8/8/K1k5 W - - 0 1",
    "unknown castling": "8/8/8/8/8/8/8/K1k5 w XYZ - 0 1",
    "castling without a rook": "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
    "castling of the other side": "4k2r/8/8/8/8/8/8/4K3 w K - 0 1",
    "castling with the king away": "4k3/8/8/8/8/8/4K3/7R w K - 0 1",
    "castling by a file without a rook": "4k3/8/8/8/8/8/8/4K2R w G - 0 1",
    "en passant nowhere": "8/8/8/8/8/8/8/K1k5 w - e9 0 1",
    "en passant on the wrong rank": "4k3/8/8/3p4/8/8/8/4K3 w - d5 0 1",
    "a clock of letters": "8/8/8/8/8/8/8/K1k5 w - - x 1",
    "a move number of letters": "8/8/8/8/8/8/8/K1k5 w - - 0 x",
    "a fraction": "8/8/8/8/8/8/8/K1k5 w - - 0.5 1",
    "no king": "8/8/8/8/8/8/8/K7 w - - 0 1",
    "two kings": "8/8/8/8/8/8/8/KKk5 w - - 0 1",
    "side not to move in check": "8/8/8/8/8/8/8/K1k4R w - - 0 1",
    "a pawn on the last rank": "P7/8/8/8/8/8/8/K1k5 w - - 0 1",
    "thirty queens": "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/8/8/K1k5 b - - 0 1",
    "a line of rubbish": "x" * 10000,
    "bytes that are not text": "\udcff\udcfe" * 4 + " w - - 0 1",
    "a nul": "8/8/8/8/8/8/8/K1k5\0 w - - 0 1",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_fen_is_refused(name: str) -> None:
    with pytest.raises(NotationError):
        read(BROKEN[name])


@pytest.mark.parametrize("name", BROKEN)
def test_the_message_about_a_fen_is_one_short_line(name: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(BROKEN[name])
    message = str(caught.value)
    assert message.isprintable() and 0 < len(message) < 300


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_fen_leaves_the_board_alone(name: str) -> None:
    board = core(KIWIPETE)
    before = face(board)
    with pytest.raises(NotationError):
        set_fen(board, BROKEN[name])
    assert face(board) == before


@pytest.mark.parametrize("seed", range(3))
def test_a_mutilated_fen_never_breaks_the_board(seed: int) -> None:
    """Each text either raises our own error or gives a position that satisfies all invariants."""
    rng = random.Random(seed)
    alphabet = "PNBRQKpnbrqk12345678/ wb-KQkqHAha0e3d6\t\0\xff"
    board = new_board()
    for _ in range(3000):
        text = list(rng.choice((START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")))
        for _ in range(rng.randint(1, 4)):
            text[rng.randrange(len(text))] = rng.choice(alphabet)
        try:
            set_fen(board, "".join(text))
        except NotationError:
            continue
        board.verify()


@pytest.mark.parametrize(
    "line",
    [
        'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O; id "x";',
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 26 ;D2 568",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
    ],
)
def test_what_follows_the_position_in_an_epd_line_is_skipped(line: str) -> None:
    board = new_board()
    set_epd(board, line)
    assert fen(board) == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize("seed", range(2))
def test_turning_a_position_round_is_its_mirror(seed: int) -> None:
    for position in played(seed):
        board = core(position)
        flip(board)
        assert fen(board).split()[:4] == position.mirror().fen(en_passant="legal").split()[:4]


@pytest.mark.parametrize("seed", range(2))
def test_turning_round_twice_gives_the_position_back(seed: int) -> None:
    for position in played(seed, 1):
        board = core(position)
        flip(board)
        flip(board)
        assert fen(board) == position.fen(en_passant="legal")


# ---- goals ----


@pytest.mark.parametrize(
    ("code", "owner", "text"), [(0, 0, "G0.0"), (1, 0, "G0.5"), (3, 1, "-G1.5"), (17, 0, "G8.5"), (436, 1, "-G218.0")]
)
def test_a_goal_is_written_with_the_sign_of_its_owner(code: int, owner: int, text: str) -> None:
    assert goal_text(code, owner) == text


@pytest.mark.sampled(25)
@pytest.mark.parametrize("code", [*range(60), 437])
@pytest.mark.parametrize("owner", [0, 1])
def test_reading_a_goal_is_the_inverse_of_writing_it(code: int, owner: int) -> None:
    assert parse_goal(goal_text(code, owner)) == (owner, code)


@pytest.mark.parametrize("text", ["", "G", "8.5", "G8.3", "Gx", "--G1.5", "G1.5x", "G99999", "G-1"])
def test_a_text_that_is_no_goal_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_goal(text)


# ---- coordinate moves ----


@pytest.mark.parametrize("seed", range(3))
def test_moves_are_written_as_uci_writes_them_in_orthodox_chess(seed: int) -> None:
    rng = random.Random(seed)
    board = new_board()
    for position in playout(rng, chess.Board(), 120):
        twin = position.copy(stack=False)
        twin.notation = CHESS960
        set_up(board, twin)
        for move in twin.legal_moves:
            assert move_text(board, encoded(twin, move)) == position.uci(move, chess960=False), position.fen()


@pytest.mark.parametrize("seed", range(3))
def test_moves_are_written_as_uci_writes_them_in_chess960(seed: int) -> None:
    rng = random.Random(seed)
    board = new_board()
    board.notation = CHESS960
    for position in playout(rng, random_start(rng), 120):
        set_up(board, position)
        for move in position.legal_moves:
            assert move_text(board, encoded(position, move)) == move.uci(), position.fen()


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_reading_a_move_is_the_inverse_of_writing_it(seed: int, chess960: bool) -> None:
    rng = random.Random(seed)
    board = new_board()
    board.notation = board.notation.for_castling(chess960)
    for position in playout(rng, random_start(rng) if chess960 else chess.Board(), 120):
        set_up(board, position)
        for move in board.legal_moves():
            assert parse_move(board, move_text(board, move)) == move, position.fen()


@pytest.mark.parametrize("chess960", [False, True])
@pytest.mark.parametrize(("king", "rook"), [("e1g1", "e1h1"), ("e1c1", "e1a1")])
def test_both_forms_of_castling_are_read(king: str, rook: str, chess960: bool) -> None:
    board = core("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    board.notation = board.notation.for_castling(chess960)
    assert parse_move(board, king) == parse_move(board, rook)


@pytest.mark.parametrize(("chess960", "written"), [(False, "e1g1"), (True, "e1h1")])
def test_castling_is_written_in_the_form_of_the_game(chess960: bool, written: str) -> None:
    board = core("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    board.notation = board.notation.for_castling(chess960)
    assert move_text(board, parse_move(board, "e1h1")) == written


def test_a_king_step_takes_precedence_over_castling_to_its_square() -> None:
    board = core("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    board.notation = CHESS960
    rook_taking = parse_move(board, "f1g1")
    board = core("4k3/8/8/8/8/8/8/5K1R w H - 0 1")
    board.notation = CHESS960
    assert (rook_taking >> 29, parse_move(board, "f1g1") >> 29, parse_move(board, "f1h1") >> 29) == (3, 0, 3)


@pytest.mark.parametrize("text", ["e7e8Q", "e7e8q"])
def test_a_promotion_letter_is_read_in_either_case(text: str) -> None:
    assert parse_move(core("8/4P2k/8/8/8/8/8/4K3 w - - 0 1"), text) >> 24 & 31 == 4


@pytest.mark.parametrize("text", ["e2e5", "e7e5", "e1g1", "a1a1", "0000", "e2e4q", "e4e5", "b1d2"])
def test_an_illegal_move_is_refused(text: str) -> None:
    with pytest.raises(StandstillError):
        parse_move(new_board(), text)


@pytest.mark.parametrize("text", ["", "e", "e2", "e2e", "e2e9", "i2i4", "e2e4k", "e2e4qq", "Nf3", "\xe92e4", "e2 e4"])
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(new_board(), text)


def test_a_promotion_without_its_letter_is_refused() -> None:
    with pytest.raises(StandstillError):
        parse_move(core("8/4P2k/8/8/8/8/8/4K3 w - - 0 1"), "e7e8")


# ---- SAN ----


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(4))
def test_san_is_written_as_python_chess_writes_it(seed: int) -> None:
    for position in played(seed, 1):
        board = core(position)
        for move in position.legal_moves:
            assert san(board, encoded(position, move)) == position.san(move), position.fen()


@pytest.mark.parametrize("seed", range(4))
def test_reading_san_is_the_inverse_of_writing_it(seed: int) -> None:
    for position in played(seed, 1):
        board = core(position)
        for move in board.legal_moves():
            assert parse_san(board, san(board, move)) == move, position.fen()


@pytest.mark.parametrize("text", ["0-0", "O-O", "0-0+", "O-O!"])
def test_castling_is_read_with_letters_or_noughts(text: str) -> None:
    board = core("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert re.fullmatch("O-O", san(board, parse_san(board, text)))


@pytest.mark.parametrize("text", ["", "Nf9", "Rd1", "xx", "e9", "O-O-O-O", "N"])
def test_san_that_names_no_legal_move_is_refused(text: str) -> None:
    with pytest.raises(StandstillError):
        parse_san(new_board(), text)


def test_san_that_could_mean_two_moves_is_refused() -> None:
    with pytest.raises(NotationError, match="could be"):
        parse_san(core("4k3/8/8/8/8/8/8/RN2KN2 w - - 0 1"), "Nd2")
