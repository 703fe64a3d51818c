"""Positions for measurements: well-known perft positions, a few positions to search, and many from random games."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from standstill.cext.chess.chess_board import ChessBoard

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SYMMETRIC = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

# Positions for measuring response times and memory: an opening, two middlegames, an endgame.
SEARCHED = (
    START,
    KIWIPETE,
    SYMMETRIC,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)

LONGEST_GAME = 160  # plies; after that, random games seldom reach new kinds of positions
KEPT = 2  # one position in this many is kept, because neighbours are alike

# The places of the two knights among the five free squares, by the number of the arrangement.
# Source: CPW, "Chess960", section on the numbering of the start positions.
_KNIGHTS = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))


def chess960_start(number: int) -> str:
    """Return the FEN of a Chess960 start position, 0 to 959; 518 is the orthodox one.

    Raises ValueError for another number.
    """
    if not 0 <= number < 960:
        raise ValueError(f"a Chess960 number is 0 to 959, not {number!r}")
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1] = rank[2 * dark] = "b"
    rank[_free(rank)[queen]] = "q"
    free = _free(rank)
    for place in _KNIGHTS[knights]:
        rank[free[place]] = "n"
    for file, man in zip(_free(rank), "rkr", strict=True):
        rank[file] = man
    black = "".join(rank)
    return f"{black}/pppppppp/8/8/8/8/PPPPPPPP/{black.upper()} w KQkq - 0 1"


def _free(rank: list[str]) -> list[int]:
    return [file for file in range(8) if not rank[file]]


def from_random_games(count: int, seed: int, chess960: bool) -> list[ChessBoard]:
    """Return this many boards with positions from random games, shuffled, without their histories.

    The same seed gives the same positions as long as moves are generated in the same order.
    """
    from standstill.engine.variants import notation
    from standstill.engine.variants.boards import new_board

    rng = random.Random(seed)
    fens: list[str] = []
    while len(fens) < count:
        board = new_board()
        if chess960:
            notation.set_fen(board, chess960_start(rng.randrange(960)))
        fens += _random_game(board, rng)
    rng.shuffle(fens)
    boards = []
    for fen in fens[:count]:
        board = new_board()
        notation.set_fen(board, fen)
        boards.append(board)
    return boards


def _random_game(board: ChessBoard, rng: random.Random) -> list[str]:
    from standstill.engine.variants import notation

    fens = []
    for ply in range(LONGEST_GAME):
        moves = board.legal_moves()
        if ply % KEPT == 0:
            fens.append(notation.fen(board))
        if not moves:
            break
        board.push(rng.choice(moves))
    return fens
