"""Plays positions covered by R-Mobility tables: every game must reach its value within the plies that the table gives.

    python -P tools/measure/play/covered.py [--games 2000] [--tables DIR]

A game starts from a random position of three pieces (with --tables, also of four). The record at the start is random or
the goal of the position. The engine (`Decisive`) plays the side for which the value is better than the record, or
either side if they are equal. The opponent plays at random, or perfectly by the tables. The referee keeps the record by
the rules, on a board of python-chess. A side that is satisfied with the record must keep it until the 50-move rule, a
repetition or 60 plies end the game.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import chess

from standstill.engine.common.goal import goal_text
from standstill.engine.common.limits import Limits
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session
from standstill.engine.tablebases import probing
from standstill.engine.tablebases.adjudication import Adjudicator
from standstill.engine.variants.boards import new_board
from tests.rmobility.naive import code_of

PIECES = "QRBNPqrbnp"
LONGEST = 60  # plies of a game in which the engine only has to keep the record


class Last(Listener):
    move = ""

    def best_move(self, best) -> None:
        self.move = best.move


def random_start(rng: random.Random, men: int) -> tuple[chess.Board, tuple[int, int]]:
    """Return a position in which the game goes on, and the standing record."""
    while True:
        board = chess.Board(None)
        symbols = ["K", "k", *rng.choices(PIECES, k=men - 2)]
        for square, symbol in zip(rng.sample(range(64), men), symbols, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = rng.random() < 0.5
        if board.is_valid() and code_of(board) > 1:
            own = code_of(board), int(board.turn)
            return board, own if rng.random() < 0.3 else (rng.randrange(2, own[0] + 1), rng.randrange(2))


class Game:
    """A game from a start, with the standing record."""

    def __init__(self, board: chess.Board, record: tuple[int, int], judge: Adjudicator):
        self.board, self.record, self.judge = board, record, judge

    def after(self, move: chess.Move) -> tuple[chess.Board, tuple[int, int]]:
        board = self.board.copy()
        reset = board.is_zeroing(move)
        board.push(move)
        code = code_of(board)
        return board, (code, int(board.turn)) if reset or code < self.record[0] else self.record

    def push(self, move: chess.Move) -> None:
        self.board, self.record = self.after(move)

    def best(self) -> chess.Move:
        """Return the best move by the tables, from a search of one ply."""

        def rank(move: chess.Move) -> tuple[int, int]:
            board, record = self.after(move)
            value = self.judge.value(new_board(board.fen()), record)
            plies = value.plies + 1 if value.outcome != probing.outcome(self.record) else 0
            return probing.rank(int(not self.board.turn), self.record, probing.Value(value.outcome, plies))

        return min(self.board.legal_moves, key=rank)


def play(session: Session, judge: Adjudicator, rng: random.Random, men: int) -> str | None:
    """Play one game; return a text about its failure, or None."""
    board, record = random_start(rng, men)
    game, start, moves = Game(board, record, judge), f"{board.fen()} {goal_text(*record)}", []
    value = judge.value(new_board(board.fen()), record)
    gain = value.outcome - probing.outcome(record)
    ours = gain > 0 if gain else rng.random() < 0.5  # whether we are White
    perfect, limits, latest = rng.random() < 0.5, Limits(), value.plies if gain else LONGEST
    limits.nodes = 1
    session.new_game()
    hurries = gain != 0
    while len(moves) < latest and not (gain and probing.outcome(game.record) == value.outcome):
        if not any(game.board.legal_moves) or game.board.is_repetition(3) or game.board.halfmove_clock >= 100:
            break
        if game.board.turn == ours:
            last = Last()
            session.position(start, moves)
            session.go(limits, last)
            session.wait()
            move = chess.Move.from_uci(last.move)
        else:
            move = game.best() if perfect else rng.choice(list(game.board.legal_moves))
        game.push(move)
        moves.append(move.uci())
        # After a mistake of the other side we must reach the better value.
        now = judge.value(new_board(game.board.fen()), game.record)
        better = (now.outcome - value.outcome) * (1 if ours else -1)
        if better < 0:
            return f"{start}: {value.text} became {now.text} by {' '.join(moves)}"
        # After a capture or a pawn move the other side may improve on the record, after any number of plies.
        gains = (now.outcome - probing.outcome(game.record)) * (1 if ours else -1) > 0
        if better > 0 or gains != hurries:
            value, gain, hurries = now, now.outcome - probing.outcome(game.record), gains
            latest = len(moves) + (now.plies if gains else LONGEST)
    reached = probing.outcome(game.record) == value.outcome or not (hurries or gain == 0)
    return None if reached else f"{start}: {value.text} not reached by {' '.join(moves)}"


def played(games: int, folder: str | None, seed: int = 1) -> list[str]:
    """Play this many games; return the failures."""
    session, rng = Session(), random.Random(seed)
    session.settings["RMobility"] = "Decisive"
    session.settings["Hash"] = 1
    session.settings["RMobilityTablePath"] = folder or ""
    judge = Adjudicator([folder] if folder else [])
    results = [play(session, judge, rng, rng.choice((3, 4)) if folder else 3) for _ in range(games)]
    return [result for result in results if result is not None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--tables", metavar="DIR")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong = played(arguments.games, arguments.tables, arguments.seed)
    print(f"{arguments.games - len(wrong)} of {arguments.games} games reached their value", *wrong, sep="\n")


if __name__ == "__main__":
    main()
