"""The largest game for which the page of a single game is designed; measurements use it as well."""

from __future__ import annotations

import random

import chess
import chess.pgn


def long_game() -> str:
    """A game of 120 moves with an evaluation of each, remarks and variations."""
    rolls = random.Random(5)
    game = chess.pgn.Game()
    game.headers.update(White="A", Black="B", Result="*", Annotator="Stockfish 16, x05 1.00")
    node: chess.pgn.GameNode = game
    for ply in range(240):
        board = node.board()
        moves = [move for move in board.legal_moves if not board.is_zeroing(move)] or list(board.legal_moves)
        other, move = rolls.sample(moves, 2) if len(moves) > 1 else (None, moves[0])
        parent, node = node, node.add_main_variation(move)
        node.comment = f"[%eval {rolls.gauss(0, 1):.2f},{rolls.randint(15, 30)}]"
        if ply % 4 == 0:
            node.comment += " A remark of an annotator about this move, with a reason and a plan that follows."
        if ply % 5 == 0 and other:
            line: chess.pgn.GameNode = parent.add_variation(other)
            for _ in range(7):
                if replies := list(line.board().legal_moves):
                    line = line.add_variation(rolls.choice(replies))
    return f"{game}\n"
