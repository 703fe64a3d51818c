"""Histories: their indices, and how corrections are learnt. The hash table: available memory."""

import random
import tempfile
from pathlib import Path

import chess

from standstill.cext.base.types cimport *
from standstill.cext.chess.chess_board cimport ChessBoard
from standstill.cext.memory.history cimport (ATTACKED, CORRECTION_GRAIN, CORRECTION_LIMIT, FROM_TO, History,
                                             butterfly_entry, correct_towards, non_pawn_correction_entry)

from standstill.cext.memory.tt import available_bytes
from standstill.engine.variants.boards import new_board
from standstill.engine.variants.notation import parse_move, parse_san


def positions(int games, int plies):
    """Boards of random games, each with python-chess's board."""
    chance = random.Random(11)
    for _ in range(games):
        board = chess.Board()
        ours = new_board()
        for _ in range(plies):
            if board.is_game_over():
                break
            move = chance.choice(sorted(board.legal_moves, key=str))
            ours.push(parse_move(ours, move.uci()))
            board.push(move)
            yield ours, board


def test_danger_is_what_the_opponent_attacks_out_of_check():
    cdef ChessBoard ours
    for ours, board in positions(20, 80):
        attacked = sum(1 << square for square in chess.SQUARES if board.is_attacked_by(not board.turn, square))
        assert ours.danger() == (0 if board.is_check() else attacked), board.fen()


def test_a_side_has_one_key_for_the_same_men_without_pawns():
    cdef ChessBoard ours
    keys = {}
    for ours, board in positions(20, 80):
        for colour in (WHITE, BLACK):
            others = board.occupied_co[colour == WHITE] & ~board.pawns
            placed = colour, tuple((square, board.piece_type_at(square)) for square in chess.SquareSet(others))
            assert keys.setdefault(placed, ours.non_pawn_key(colour)) == ours.non_pawn_key(colour)
    assert len(set(keys.values())) == len(keys)


def test_a_move_has_entries_by_what_is_attacked():
    cdef History history = History(768)
    cdef ChessBoard ours = new_board()
    cdef Move move = parse_san(ours, "Nf3")
    cdef uint64_t start = 1ULL << 6, target = 1ULL << 21
    cdef set places = set()
    cdef int stm
    for stm in (WHITE, BLACK):
        for danger in (0, start, target, start | target):
            places.add(<size_t> butterfly_entry(history, stm, danger | 1ULL << 40, move))
    assert len(places) == 2 * ATTACKED
    assert max(places) - min(places) < 2 * ATTACKED * FROM_TO * sizeof(int16_t)


def test_corrections_of_sides_do_not_share_entries():
    cdef History history = History(768)
    cdef set places = set()
    cdef int stm, colour
    for stm in (WHITE, BLACK):
        for colour in (WHITE, BLACK):
            places.add(<size_t> non_pawn_correction_entry(history, stm, colour, 12345))
    assert len(places) == 4


def test_a_correction_comes_near_to_a_steady_error_and_has_a_limit():
    cdef int16_t value = 0
    cdef int _
    for _ in range(200):
        correct_towards(&value, 10 * CORRECTION_GRAIN, 16)
    assert 9 * CORRECTION_GRAIN < value <= 10 * CORRECTION_GRAIN
    for _ in range(200):
        correct_towards(&value, 30000, 16)
    assert value == CORRECTION_LIMIT


def room(str kilobytes, dict cgroup):
    """What `available_bytes` reads from files with these texts."""
    with tempfile.TemporaryDirectory() as folder:
        meminfo = Path(folder, "meminfo")
        meminfo.write_text(f"MemTotal: 900000 kB\nMemAvailable: {kilobytes} kB\n")
        for name, text in cgroup.items():
            Path(folder, name).write_text(text)
        return available_bytes(meminfo, folder)


def test_a_container_has_what_it_does_not_use():
    assert room("8000", {}) == 8000 << 10
    assert room("8000", {"memory.max": "max\n", "memory.current": "5000\n"}) == 8000 << 10
    assert room("8000", {"memory.max": "900000\n", "memory.current": "200000\n"}) == 700000
    assert room("8", {"memory.max": "900000\n", "memory.current": "200000\n"}) == 8 << 10
    assert room("8000", {"memory.max": "900000\n", "memory.current": "950000\n"}) == 0


def test_files_that_a_container_only_caches_leave_room():
    files = {"memory.max": "900000\n", "memory.current": "890000\n",
             "memory.stat": "anon 90000\nfile 800000\ninactive_anon 5\ninactive_file 600000\nactive_file 200000\n"}
    assert room("8000", files) == 810000
