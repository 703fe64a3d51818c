"""Positions for training: filters, labels and network inputs, compared with python-chess."""

from __future__ import annotations

import random

import chess
import numpy as np
import pytest

from standstill.cext.training.samples import SAMPLE_BYTES, SampleReader, evaluate, inputs, sample_boards
from standstill.engine.training.plain import game_of_line
from standstill.engine.variants.boards import new_board, new_evaluator
from standstill.engine.variants.variant import CHESS
from tests.network.nets import KING_INPUTS, king_group

ORDER = ("pawn", "knight", "bishop", "rook", "queen", "king")
SAMPLE = np.dtype(
    [("occupied", "<u8"), ("pieces", "u1", 16), ("cp", "<i2"), ("result", "u1"), ("ply", "u1"), ("game", "<u4")]
)


def read(line: str, **filters: object) -> np.ndarray:
    reader = SampleReader(**filters)
    reader.read(game_of_line(line), 1, 5)
    return np.frombuffer(reader.samples_bytes(), dtype=SAMPLE)


def naive_inputs(board: chess.Board, perspective: chess.Color, by_king: bool) -> list[int]:
    """Read a sample as docs/network-format.md describes it."""
    king = board.king(perspective)
    flip = 0 if perspective == chess.WHITE else 56
    mirror = 7 if chess.square_file(king) < 4 else 0
    group = king_group(king ^ flip ^ mirror) if by_king else 0
    return sorted(
        group * 768 + (man.color != perspective) * 384 + (man.piece_type - 1) * 64 + (square ^ flip ^ mirror)
        for square, man in board.piece_map().items()
    )


def board_bits(row: np.void) -> int:
    """Occupied squares of the board, not flipped for Black. White moves first in these games."""
    bits = int(row["occupied"])
    return bits if row["ply"] % 2 == 0 else chess.flip_vertical(bits)


def random_game(seed: int) -> tuple[str, list[chess.Board]]:
    """A game as a line of text, and the position before each of its moves."""
    chance = random.Random(seed)
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if seed % 2 else chess.Board()
    board.chess960 = True
    start = board.fen() if seed % 2 else "-"
    boards, words = [], []
    while len(words) < 120 and not board.is_game_over():
        move = chance.choice(sorted(board.legal_moves, key=str))
        boards.append(board.copy())
        words.append(f"{move.uci()}:{chance.randrange(-3000, 3000)}")
        board.push(move)
    return f"{start}||{chance.choice(['1-0', '0-1', '1/2-1/2'])}|{' '.join(words)}", boards


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("by_king", [False, True])
def test_inputs_are_those_of_the_format(seed: int, by_king: bool) -> None:
    line, boards = random_game(seed)
    samples = read(line, quiet=False, most_cp=0)
    assert len(samples) == len(boards)
    own, other = (np.zeros((len(samples), 32), dtype=np.int32) for _ in range(2))
    buckets = np.zeros(len(samples), dtype=np.int32)
    inputs(samples.view(np.uint8), np.arange(len(samples), dtype=np.uint32), own, other, buckets, by_king)
    for board, mine, theirs, bucket in zip(boards, own, other, buckets, strict=True):
        men = len(board.piece_map())
        assert sorted(mine[:men]) == naive_inputs(board, board.turn, by_king)
        assert sorted(theirs[:men]) == naive_inputs(board, not board.turn, by_king)
        none = KING_INPUTS if by_king else 768
        assert all(mine[men:] == none) and all(theirs[men:] == none)
        assert bucket == min((men - 2) // 4, 7)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(12))
def test_filter_and_labels(seed: int) -> None:
    line, boards = random_game(seed)
    result = line.split("|")[2]
    expected = []
    for ply, (board, word) in enumerate(zip(boards, line.split("|")[3].split(), strict=True)):
        move, cp = chess.Move.from_uci(word.split(":")[0]), int(word.split(":")[1])
        quiet = not board.is_check() and not board.is_capture(move) and not move.promotion
        if quiet and abs(cp) < 2500 and ply >= 4:
            white = {"1-0": 2, "0-1": 0}.get(result, 1)
            expected.append((cp, white if board.turn else 2 - white, ply, 5, board.occupied))
    samples = read(line, skip=4)
    found = [
        (int(row["cp"]), int(row["result"]), int(row["ply"]), int(row["game"]), board_bits(row)) for row in samples
    ]
    assert found == expected


def test_labels_by_hand() -> None:
    """White wins: the result is 2 with White to move and 0 with Black to move; scores remain the mover's."""
    samples = read("-|e2e4|1-0|e7e5:-20 g1f3:35 b8c6:-30", quiet=False)
    assert samples["cp"].tolist() == [-20, 35, -30]
    assert samples["result"].tolist() == [0, 2, 0]
    assert samples["ply"].tolist() == [1, 2, 3]


def test_en_passant_is_a_capture() -> None:
    """Castling is not a capture, although it is written as a move to the rook's square."""
    start = "4k2r/8/8/8/3Pp3/8/8/4K2R b Kk d3 0 1"
    assert read(f"{start}||1-0|e4d3:10").tolist() == []
    assert read(f"{start}||1-0|e8h8:10 e1e2:20")["cp"].tolist() == [10, 20]


def test_colours_do_not_matter() -> None:
    """A game and the same game with colours exchanged give the same samples."""
    one = read("8/8/4k3/8/3KP3/8/8/8 w - - 0 1||1-0|e4e5:300 e6e7:-310 d4d5:320", most_cp=0)
    other = read("8/8/8/3kp3/8/4K3/8/8 b - - 0 1||0-1|e5e4:300 e3e2:-310 d5d4:320", most_cp=0)
    assert one.tobytes() == other.tobytes() and len(one) == 3


def test_static_evaluation_is_that_of_the_engine() -> None:
    line, boards = random_game(4)
    samples = read(line, quiet=False, most_cp=0)
    found = np.zeros(len(samples), dtype=np.int16)
    evaluate(samples.view(np.uint8), new_evaluator(CHESS), found)
    evaluator = new_evaluator(CHESS)
    for board, cp in zip(boards, found, strict=True):
        turned = board if board.turn else board.mirror()
        turned.castling_rights, turned.ep_square = 0, None
        assert evaluator.evaluate_cp(new_board(turned.fen())) == cp
    boards_again = sample_boards(samples.view(np.uint8))
    assert [bytes(board.squares) for board in boards_again[:2]]


def test_statistics_count_duplicates() -> None:
    reader = SampleReader(with_keys=True)
    game = game_of_line("-|e2e4|1-0|g8f6:1 g1f3:1 f6g8:1 f3g1:1 g8f6:1")
    reader.read(game + game, 2, 0)
    assert reader.counts["plies"] == 12 and reader.different() == 4
    assert reader.result_counts == (0, 0, 2) and reader.counts["kept"] == 10


@pytest.mark.parametrize("cut", [1, 3, 5, 7])
def test_cut_games_are_refused(cut: int) -> None:
    data = game_of_line("-|e2e4|1-0|e7e5:-20 g1f3:35")
    with pytest.raises(ValueError, match=r"ends too early|expected"):
        SampleReader().read(data[:-cut], 1, 0)


def test_arrays_that_do_not_fit_are_refused() -> None:
    samples = read("-|e2e4|1-0|e7e5:-20").view(np.uint8)
    assert len(samples) == SAMPLE_BYTES
    own, small = np.zeros((1, 32), dtype=np.int32), np.zeros((1, 31), dtype=np.int32)
    buckets = np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="do not fit"):
        inputs(samples, np.zeros(1, dtype=np.uint32), own, small, buckets)
    with pytest.raises(ValueError, match="expected samples"):
        inputs(samples, np.ones(1, dtype=np.uint32), own, own, buckets)
