"""The board as a stack: making and unmaking moves, keys, clocks, repetition, null moves, copies."""

from __future__ import annotations

import itertools
import random

import chess
import pytest

from standstill.cext.chess.chess_board import ChessBoard
from standstill.engine.variants.boards import new_board
from tests.board.support import KIWIPETE, core, core_squares, encoded, face, playout, random_start, reference

START = chess.STARTING_FEN


def play(board: ChessBoard, position: chess.Board, *moves: str) -> ChessBoard:
    """Make moves in coordinate notation on both boards."""
    for move in moves:
        parsed = position.parse_uci(move)
        board.push(encoded(position, parsed))
        position.push(parsed)
    return board


def after(fen: str, *moves: str) -> ChessBoard:
    return play(core(fen), reference(fen), *moves)


@pytest.mark.parametrize("seed", range(6))
def test_taking_back_restores_everything(seed: int) -> None:
    rng = random.Random(seed)
    board, position = new_board(), chess.Board(chess960=True)
    faces = []
    for _ in range(150):
        moves = list(position.legal_moves)
        if not moves:
            break
        faces.append(face(board))
        move = rng.choice(moves)
        board.push(encoded(position, move))
        position.push(move)
    for before in reversed(faces):
        board.pop()
        assert face(board) == before


@pytest.mark.parametrize("seed", range(6))
def test_playing_is_the_same_as_setting_up(seed: int) -> None:
    """Squares, rights, en passant, clocks, checkers and all keys, at every position of a game."""
    rng = random.Random(seed)
    position = random_start(rng)
    board = core(position)
    for _ in range(150):
        fresh = core(position)
        assert face(board)[:9] == face(fresh)[:9], position.fen()
        moves = list(position.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        board.push(encoded(position, move))
        position.push(move)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_is_the_same_position_as_in_python_chess(seed: int) -> None:
    rng = random.Random(seed)
    position = random_start(rng)
    board = core(position)
    for _ in range(150):
        ep = position.ep_square if position.has_legal_en_passant() else None
        assert (board.squares, board.stm, board.castling, board.ep, board.clock, board.fullmove) == (
            core_squares(position),
            int(not position.turn),
            position.clean_castling_rights(),
            ep,
            position.halfmove_clock,
            position.fullmove_number,
        ), position.fen()
        moves = list(position.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        board.push(encoded(position, move))
        position.push(move)


@pytest.mark.parametrize("seed", range(4))
def test_every_invariant_holds_in_a_random_game(seed: int) -> None:
    rng = random.Random(seed)
    for position in playout(rng, random_start(rng), 150):
        core(position).verify()


# ---- keys ----


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("g1f3", "g8f6", "b1c3"), ("b1c3", "g8f6", "g1f3")),
        (("e2e3", "e7e6", "d2d4"), ("d2d4", "e7e6", "e2e3")),
        (("e2e4", "e7e6", "d2d4"), ("d2d4", "e7e6", "e2e4")),  # no pawn can capture en passant
        (("g1f3", "g8f6", "f3g1", "f6g8"), ()),
        (("b1c3", "b8c6", "a1b1", "c6b8", "b1a1", "b8c6"), ("b1c3", "b8a6", "a1b1", "a6b8", "b1a1", "b8c6")),
    ],
)
def test_the_same_position_has_the_same_key_by_any_way(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert after(START, *one).key == after(START, *other).key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", id="side"),
        pytest.param("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", id="K"),
        pytest.param("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", id="Q"),
        pytest.param("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1", id="k"),
        pytest.param("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1", id="q"),
        pytest.param("4k3/8/8/8/8/8/8/1R1RK3 w D - 0 1", "4k3/8/8/8/8/8/8/1R1RK3 w B - 0 1", id="which rook"),
        pytest.param("4k3/8/8/2Pp4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/2Pp4/8/8/8/4K3 w - - 0 1", id="en passant"),
        pytest.param("4k3/8/8/2n5/8/8/8/4K3 w - - 0 1", "4k3/8/8/2N5/8/8/8/4K3 w - - 0 1", id="colour of a piece"),
    ],
)
def test_positions_that_differ_have_different_keys(one: str, other: str) -> None:
    assert core(one).key != core(other).key


@pytest.mark.parametrize(
    "fen",
    [
        pytest.param("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", id="no taker"),
        pytest.param("8/8/8/K1Pp3r/8/8/8/4k3 w - d6 0 1", id="the taker may not"),
    ],
)
def test_an_en_passant_square_of_no_use_is_not_in_the_key(fen: str) -> None:
    assert core(fen).key == core(fen.replace(" d6 ", " - ")).key


def test_clocks_are_not_in_the_key() -> None:
    assert core("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").key == core("4k3/8/8/8/8/8/8/R3K3 w Q - 77 90").key


@pytest.mark.slow
def test_no_two_of_many_positions_share_a_key() -> None:
    rng = random.Random(3)
    seen: dict[int, str] = {}
    for _ in range(40):
        for position in playout(rng, random_start(rng), 100):
            name = position.epd(en_passant="legal")
            assert seen.setdefault(core(position).key, name) == name


@pytest.mark.parametrize("seed", range(3))
def test_only_pawns_and_kings_are_in_the_pawn_key(seed: int) -> None:
    rng = random.Random(seed)
    keys: dict[tuple[int, int, int], int] = {}
    for _ in range(8):
        for position in playout(rng, chess.Board(chess960=True), 80):
            white, black = position.occupied_co
            skeleton = position.pawns | position.kings
            of = (skeleton & white, skeleton & black, position.kings)
            key = core(position).pawn_key
            assert keys.setdefault(of, key) == key, position.fen()
    assert len(set(keys.values())) == len(keys)


# ---- repetition, clocks ----

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


@pytest.mark.parametrize("rounds", range(4))
def test_earlier_occurrences_are_counted(rounds: int) -> None:
    assert after(START, *SHUFFLE * rounds).repetitions() == rounds


def test_a_lost_castling_right_makes_another_position() -> None:
    board = after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2", "e8e7", "e2e1", "e7e8")
    assert board.repetitions() == 0


def test_an_en_passant_right_makes_another_position() -> None:
    fen = "1n2k3/8/8/8/5p2/8/4P3/1N2K3 w - - 0 1"
    board = after(fen, "e2e4", "b8c6", "b1c3", "c6b8", "c3b1")
    assert board.repetitions() == 0


def test_a_double_step_that_no_pawn_can_take_repeats() -> None:
    fen = "1n2k3/8/8/8/8/8/4P3/1N2K3 w - - 0 1"
    board = after(fen, "e2e4", "b8c6", "b1c3", "c6b8", "c3b1")
    assert board.repetitions() == 1


@pytest.mark.parametrize("seed", range(4))
def test_repetitions_are_those_of_python_chess(seed: int) -> None:
    """Few pieces, so that random games return to earlier positions."""
    rng = random.Random(seed)
    fen = "4k3/8/8/8/8/8/8/R3K2r w Q - 0 1"
    board, position = core(fen), reference(fen)
    seen: dict[object, int] = {}
    for _ in range(200):
        key = position._transposition_key()
        assert board.repetitions() == seen.get(key, 0)
        seen[key] = seen.get(key, 0) + 1
        moves = [move for move in position.legal_moves if not position.is_capture(move)]
        if not moves:
            break
        move = min(rng.sample(moves, min(2, len(moves))), key=chess.Move.uci)
        board.push(encoded(position, move))
        position.push(move)


def test_a_position_stack_grows_beyond_a_long_game() -> None:
    board = after(START, *SHUFFLE * 1500)
    assert (board.plies, board.clock, board.repetitions()) == (6000, 6000, 1500)


@pytest.mark.parametrize("clock", [0, 50, 99, 100, 149, 150, 5000])
def test_the_fifty_move_counter_goes_on(clock: int) -> None:
    board = after(f"4k3/8/8/8/8/8/8/R3K3 w Q - {clock} 80", "a1a2")
    assert board.clock == clock + 1


@pytest.mark.parametrize(("move", "clock"), [("e2e3", 0), ("c3d5", 0), ("c3b1", 31)])
def test_captures_and_pawn_moves_restart_the_counter(move: str, clock: int) -> None:
    assert after("4k3/8/8/3p4/8/2N5/4P3/4K3 w - - 30 40", move).clock == clock


# ---- null moves ----


@pytest.mark.parametrize("seed", range(4))
def test_a_null_move_is_the_same_as_setting_up_what_follows(seed: int) -> None:
    """Squares, rights, en passant, clocks and all keys, at every position of a game without check."""
    rng = random.Random(seed)
    for position in playout(rng, random_start(rng), 150):
        if position.is_check():
            continue
        board = core(position)
        board.push_null()
        board.verify()
        position.push(chess.Move.null())
        assert face(board)[:9] == face(core(position))[:9], position.fen()
        position.pop()


def test_two_null_moves_restore_the_key() -> None:
    board = core(KIWIPETE)
    key = board.key
    board.push_null()
    board.push_null()
    assert board.key == key


def test_a_null_move_is_unmade() -> None:
    board = core(KIWIPETE)
    before = face(board)
    board.push_null()
    board.pop()
    assert face(board) == before


def test_positions_before_and_after_a_null_move_do_not_repeat() -> None:
    board = core(KIWIPETE)
    board.push_null()
    board.push_null()
    assert board.repetitions() == 0


def test_no_null_move_in_check() -> None:
    board = core("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(ValueError, match="check"):
        board.push_null()


# ---- limits, moves and positions of the stack ----


def test_nothing_is_taken_back_before_the_start() -> None:
    with pytest.raises(IndexError):
        new_board().pop()


def test_the_moves_of_the_game_can_be_read() -> None:
    position = chess.Board(chess960=True)
    board = new_board()
    moves = []
    for move in ("e2e4", "e7e5", "g1f3"):
        moves.append(encoded(position, position.parse_uci(move)))
        play(board, position, move)
    assert [board.move_at(ply) for ply in (1, 2, 3)] == moves


@pytest.mark.parametrize("ply", [-1, 0, 4])
def test_there_is_no_move_outside_the_game(ply: int) -> None:
    board = after(START, "e2e4", "e7e5", "g1f3")
    with pytest.raises(IndexError):
        board.move_at(ply)


def test_a_copy_is_the_same_game() -> None:
    board = after(START, *SHUFFLE, "e2e4", "e7e5")
    assert face(board.copy()) == face(board)


def test_a_copy_goes_its_own_way() -> None:
    board = after(START, "e2e4")
    before = face(board)
    copy = board.copy()
    copy.push(copy.legal_moves()[0])
    assert face(board) == before


def test_a_copy_can_be_taken_back_to_the_start() -> None:
    copy = after(START, *SHUFFLE * 30).copy()
    for _ in range(120):
        copy.pop()
    assert face(copy) == face(new_board())


@pytest.mark.parametrize(("men", "dead"), [
    ("", True), ("N", True), ("B", True), ("NN", True), ("BN", False), ("PP", False), ("R", False), ("Q", False),
    ("n", True), ("bn", False), ("Nn", True), ("NNN", False), ("Bb", True),
])  # fmt: skip
def test_material_that_could_mate_a_bare_king(men: str, dead: bool) -> None:
    squares = itertools.count(chess.F3)
    position = reference("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    for man in men:
        position.set_piece_at(next(squares), chess.Piece.from_symbol(man))
    assert core(position).dead == dead
