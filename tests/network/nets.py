"""Networks for tests, generated from a seed."""

from __future__ import annotations

import array
import random

import chess

from standstill.engine.network.file import BUCKETS, FEATURES, Network

ABOUT = {"name": "noise", "licence": "CC0-1.0", "origin": "the tests"}
RECORDS = {**ABOUT, "foresees": "records"}


def random_network(
    width: int = 32, seed: int = 1, scale: int = 400, largest: int = 120, inputs: int = FEATURES
) -> Network:
    """Random weights with which hidden values fall below 0, between 0 and 255, and above 255."""
    chance = random.Random(seed)

    def numbers(code: str, count: int, bound: int) -> array.array[int]:
        return array.array(code, (chance.randint(-bound, bound) for _ in range(count)))

    return Network(
        width,
        scale,
        ABOUT,
        numbers("h", inputs * width, largest),
        numbers("h", width, 200),
        numbers("h", BUCKETS * 2 * width, 127),
        numbers("i", BUCKETS, 8000),
    )


def naive_cp(network: Network, board: chess.Board) -> int:
    """The value of a position for the side to move, as docs/network-format.md defines it."""
    value = naive_value(network, board, min((len(board.piece_map()) - 2) // 4, BUCKETS - 1))
    return max(-12000, min(value, 12000))


def naive_logit(network: Network, board: chess.Board, owner: bool, goal: float) -> int:
    """The logit of a record network for a position in which this side holds this record."""
    weaker = sum(goal >= bound for bound in (2.5, 5, 8.5))
    return naive_value(network, board, weaker if owner == board.turn else 4 + weaker)


def naive_value(network: Network, board: chess.Board, output: int) -> int:
    men = board.piece_map()
    hidden = [clipped for side in (board.turn, not board.turn) for clipped in _clipped(network, board, men, side)]
    row = network.output_weights[output * 2 * network.width : (output + 1) * 2 * network.width]
    total = sum(x * x * weight for x, weight in zip(hidden, row, strict=True))
    value = (_towards_zero(total, 255) + network.output_biases[output]) * network.scale
    return _towards_zero(value, 255 * 64)


KING_INPUTS = 12288
KING_GROUPS = """
    e1 | f1 | g1 | h1 | e2 | f2 | g2 | h2 | e3 f3 | g3 h3 | e4 f4 | g4 h4 | e5 f5 | g5 h5 |
    e6 f6 e7 f7 e8 f8 | g6 h6 g7 h7 g8 h8
"""


def king_group(square: int) -> int:
    """The king group of a square on files e to h."""
    groups = [group.split() for group in KING_GROUPS.split("|")]
    (found,) = (group for group, names in enumerate(groups) if chess.square_name(square) in names)
    return found


def _clipped(network: Network, board: chess.Board, men: dict[int, chess.Piece], side: bool) -> list[int]:
    king = board.king(side)
    assert king is not None
    flip = (0 if side else 56) ^ (7 if chess.square_file(king) < 4 else 0)
    group = king_group(king ^ flip) if network.inputs == KING_INPUTS else 0
    rows = [network.feature_biases]
    for square, piece in men.items():
        feature = group * 768 + (piece.color != side) * 384 + (piece.piece_type - 1) * 64 + (square ^ flip)
        rows.append(network.feature_weights[feature * network.width : (feature + 1) * network.width])
    sums = [sum(numbers) for numbers in zip(*rows, strict=True)]
    return [max(0, min((number + 32768) % 65536 - 32768, 255)) for number in sums]


def _towards_zero(number: int, by: int) -> int:
    return number // by if number >= 0 else -(-number // by)
