"""Plays positions of three pieces without tables, against perfect play.

    python -P tools/measure/play/defence.py [--men KBvK] [--mode Decisive]

Each game starts from a random legal position. The engine searches a fixed number of nodes for each move. Its opponent
knows the value of every state from the solver of the tests. Among moves that keep the value it plays the slowest, or
the fastest. A game is a success if its record at the end is the value of its start. `--roots` instead searches random
states of bare kings with a random record. It checks whether the move keeps the value, and whether the printed line
shows the value.
"""

from __future__ import annotations

import argparse
import random
import sys
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import chess

from standstill.engine.common.limits import Limits
from standstill.engine.play.listener import Listener
from standstill.engine.play.session import Session
from standstill.engine.rmobility.modes import Outlook
from tests.rmobility import solver
from tests.rmobility.naive import code_of

MEN = {"KvK": "", "KBvK": "B", "KNvK": "N", "KPvK": "P", "KRvK": "R", "KQvK": "Q"}


class Referee:
    """A game under R-Mobility on python-chess's board, which keeps the record by the rules."""

    def __init__(self, fen: str, record: tuple[int, bool] | None = None) -> None:
        self.board = chess.Board(fen)
        self.record = (code_of(self.board), not self.board.turn)
        if record is not None and record[0] <= self.record[0]:
            self.record = record

    def after(self, move: chess.Move) -> tuple[int, bool]:
        """Return the record after a move."""
        resets = self.board.is_zeroing(move)
        self.board.push(move)
        code = code_of(self.board)
        triggers = self.board.halfmove_clock >= 100 and code > 1
        self.board.pop()
        if resets or (code < self.record[0] and not triggers):
            return code, self.board.turn
        return self.record

    def push(self, move: chess.Move) -> None:
        self.record = self.after(move)
        self.board.push(move)

    def is_over(self) -> bool:
        board = self.board
        return not any(board.legal_moves) or board.halfmove_clock >= 100 or board.is_repetition(3)

    def behind(self, move: chess.Move) -> int:
        """Return the solver's score of the state after a move, from White's view; a third occurrence ends the game."""
        record = self.after(move)
        self.board.push(move)
        ended = self.board.is_repetition(3) or self.board.halfmove_clock >= 100
        score = solver.PLY * solver.outcome(*record) if ended else solver.score(self.board, record)
        self.board.pop()
        return score

    def best(self) -> chess.Move:
        """Return the move that keeps the value and, if the other side must make progress, delays it longest."""
        sign = 1 if self.board.turn else -1
        return max(self.board.legal_moves, key=lambda move: sign * self.behind(move))


class Last(Listener):
    """Keeps the best move, and the record in the last line."""

    move = text = ""

    def outlook(self, outlook: Outlook, is_news: bool) -> None:
        self.text = str(outlook)

    def best_move(self, best) -> None:
        self.move = best.move


def goal(outcome: int) -> str:
    return f"{'' if outcome > 0 else '-'}G{(solver.TOP - abs(outcome)) / 2}"


def random_fen(rng: random.Random, man: str) -> str:
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), 3)
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        if man:
            board.set_piece_at(squares[2], chess.Piece.from_symbol(man))
        board.turn = rng.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            return board.fen()


def new_session(mode: str) -> Session:
    session = Session()
    session.settings["RMobility"] = mode
    session.settings["InsufficientMaterialDraw"] = False
    session.settings["Hash"] = 16
    session.settings["RMobilityTablePath"] = "none"
    return session


def search(session: Session, fen: str, moves: list[str], nodes: int) -> Last:
    limits = Limits()
    limits.nodes = nodes
    session.position(fen, moves)
    last = Last()
    session.go(limits, last)
    session.wait()
    return last


def play(task: tuple[str, str, int, bool]) -> tuple[str, bool, int, int, list[str]]:
    """Play a game; return (start, whether we are White, value, outcome of the game, moves)."""
    fen, mode, nodes, white = task
    session = new_session(mode)
    game = Referee(fen)
    value = int(solver.score_of(solver.score(game.board, game.record)))
    moves: list[str] = []
    while not game.is_over():
        ours = game.board.turn == (chess.WHITE if white else chess.BLACK)
        move = chess.Move.from_uci(search(session, fen, moves, nodes).move) if ours else game.best()
        game.push(move)
        moves.append(move.uci())
    return fen, white, value, solver.outcome(*game.record), moves


def root(task: tuple[str, str, int, tuple[int, bool]]) -> tuple[str, str, bool, bool]:
    """Search a state; return (state, our move, whether it keeps the value, whether the line shows the value)."""
    fen, mode, nodes, record = task
    game = Referee(fen, record)
    text = goal(solver.outcome(*game.record))
    session = new_session(mode)
    state = f"{fen} {text}"
    last = search(session, state, [], nodes)
    move = chess.Move.from_uci(last.move)
    value = int(solver.score_of(solver.score(game.board, game.record)))
    forecast = last.text.rpartition("forecast ")[2]
    keeps = int(solver.score_of(game.behind(move))) == value
    return f"{state} worth {goal(value)}, found {forecast}", move.uci(), keeps, forecast == goal(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--men", nargs="*", choices=MEN, default=["KBvK", "KNvK", "KPvK"])
    parser.add_argument("--mode", choices=("Tiebreak", "Points", "Decisive"), default="Decisive")
    parser.add_argument("--nodes", type=int, default=200_000, help="nodes for each move")
    parser.add_argument("--games", type=int, default=50, help="games of each material as either side")
    parser.add_argument("--roots", type=int, metavar="N", help="ask for N states with records instead of games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="print what went wrong")
    arguments = parser.parse_args()
    for name in arguments.men:
        rng = random.Random(f"{arguments.seed} {name}")
        man = MEN[name]
        solver.solved(man)  # before the fork, so that the processes share it
        with Pool(arguments.jobs) as pool:
            if arguments.roots:
                tasks = []
                for _ in range(arguments.roots):
                    fen = random_fen(rng, man)
                    record = (rng.randint(2, code_of(chess.Board(fen))), rng.random() < 0.5)
                    tasks.append((fen, arguments.mode, arguments.nodes, record))
                found = list(pool.imap_unordered(root, tasks))
                right = sum(keeps for *_, keeps, _ in found)
                said = sum(says for *_, says in found)
                print(f"{name} {arguments.mode} {arguments.nodes}: value kept {right}, said {said} of {len(found)}")
                if arguments.verbose:
                    print(*(line for line in found if not (line[2] and line[3])), sep="\n")
                continue
            for white in (True, False):
                starts = [random_fen(rng, man) for _ in range(arguments.games)]
                tasks = [(fen, arguments.mode, arguments.nodes, white) for fen in starts]
                found = list(pool.imap_unordered(play, tasks))
                sign = 1 if white else -1
                reached = sum(sign * outcome >= sign * value for _, _, value, outcome, _ in found)
                side = "the man's side" if white else "the bare king"
                print(f"{name} {arguments.mode} {arguments.nodes}: as {side} {reached} of {len(found)}", flush=True)
                if arguments.verbose:
                    for fen, _, value, outcome, moves in found:
                        if sign * outcome < sign * value:
                            print(f"  {fen} {goal(value)} became {goal(outcome)}: {' '.join(moves)}")


if __name__ == "__main__":
    main()
