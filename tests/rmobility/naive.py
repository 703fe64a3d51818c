"""R-Mobility over whole games, from the wording of the rules and with python-chess alone, to check the fast reader."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass

import chess
import chess.pgn


@dataclass
class Result:
    """Texts as in the tags, or None for a game without moves."""

    phase: str | None
    whole: str | None
    otb: str | None
    ply: int
    plies: int


def code_of(board: chess.Board) -> int:
    return 2 * board.legal_moves.count() + (not board.is_check())


def text_of(code: int, white: bool) -> str:
    return f"{'' if white else '-'}G{code / 2:.1f}"


def score(
    game: chess.pgn.Game,
    *,
    fifty: str = "fide",
    keep_trigger: bool = False,
    wg_trigger: bool = False,
    otb_limit: int = 7,
    board_only: bool = False,
) -> Result:
    """Count every position of the game, from the first to the last."""
    board = game.board()
    moves = list(game.mainline_moves())
    positions = [(code_of(board), not board.turn, True)]
    for move in moves:
        resets = board.is_zeroing(move)
        board.push(move)
        positions.append((code_of(board), not board.turn, resets))
    triggered = fifty in ("fide", "iccf") and board.halfmove_clock >= 100 and positions[-1][0] > 1
    last = len(positions) - 1
    phase_start = max(ply for ply, position in enumerate(positions) if position[2])

    def best(plies, void: bool) -> int:
        """The first ply of the lowest goal."""
        return min((ply for ply in plies if not (void and ply == last)), key=lambda ply: (positions[ply][0], ply))

    def text(ply: int) -> str:
        return text_of(*positions[ply][:2])

    phase = best(range(phase_start, last + 1), triggered and not keep_trigger)
    whole = best(range(last + 1), triggered and wg_trigger)
    winner = {"1-0": "G0.0", "0-1": "-G0.0"}.get(game.headers["Result"])
    if not moves:
        return Result(None, None, None, 0, 0)
    if winner is not None and not board_only and positions[-1][0] > 1:
        return Result(winner, winner, winner, last, last)
    otb = text(phase) if positions[phase][0] <= otb_limit else "1/2-1/2"
    return Result(text(phase), text(whole), otb, phase, last)


def read(text: str) -> chess.pgn.Game:
    return chess.pgn.read_game(io.StringIO(text))


def random_game(rng: random.Random, plies: int, chess960: bool = False, fen: str | None = None) -> chess.pgn.Game:
    """A game of random moves with tags, comments and variations, which may end by resignation or on the board."""
    game = chess.pgn.Game()
    if fen is not None:
        game.setup(chess.Board(fen))
    elif chess960:
        game.setup(chess.Board.from_chess960_pos(rng.randrange(960)))
    board = game.board()
    node = game
    for _ in range(plies):
        legal = list(board.legal_moves)
        if not legal or board.halfmove_clock >= 100:
            break
        # Few captures and pawn moves, so that phases are long.
        quiet = [move for move in legal if not board.is_zeroing(move)]
        move = rng.choice(quiet if quiet and rng.random() < 0.85 else legal)
        node = node.add_variation(move)
        if rng.random() < 0.05:
            node.comment = rng.choice(["a {brace", "[%clk 0:01:00]", "1-0 (not yet)", "two\nlines"])
        if rng.random() < 0.05:
            node.nags.add(rng.choice([1, 2, 4, 14]))
        if rng.random() < 0.05 and len(legal) > 1:
            node.parent.add_variation(next(other for other in legal if other != move))
        board.push(move)
    game.headers["Event"] = f"random {rng.randrange(1000)}"
    game.headers["Result"] = board.result() if board.result() != "*" else rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    game.headers["Annotator"] = 'someone [with] "brackets'.replace('"', "'")
    return game
