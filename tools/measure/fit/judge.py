"""Measures the error of static evaluations against a strong engine's search. It served to choose the training recipes.

    .venv/bin/python -P tools/measure/fit/judge.py score GAMES POSITIONS.csv [--count 12000] [--nodes 5000]
    .venv/bin/python -P tools/measure/fit/judge.py compare POSITIONS.csv NET...

GAMES are PGN, or a file of `standstill data`. `score` samples quiet positions from them: not in check, and the engine's
move is neither capture nor promotion. `compare` prints the mean squared error of the expected result, for the
hand-crafted evaluation and for each network, each at the scale that suits it best. The script needs numpy.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import chess
import chess.engine
import chess.pgn
import numpy as np

from standstill.engine.network.loading import load
from standstill.engine.training.reading import games as training_games
from standstill.engine.training.reading import plies
from standstill.engine.variants.boards import new_board, new_evaluator
from standstill.engine.variants.variant import CHESS
from tools.train.data import fit_scale, sigmoid

MOST_CP = 1500
FIRST_PLY = 16  # PGN games are sampled from this ply on, because their openings come from books
LEAST_MEN = 9  # rules and tables decide endgames with fewer pieces
ENGINE_SCALE = 220.0  # the strong engine's scale in centipawns


def positions(path: str) -> Iterator[chess.Board]:
    if not path.endswith(".pgn"):
        for _, game in training_games(path):
            for ply in plies(game):
                if ply.white_cp is not None:
                    yield chess.Board(ply.fen, chess960=True)
        return
    with open(path, encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            board = game.board()
            for move in game.mainline_moves():
                if board.ply() > FIRST_PLY:
                    yield board.copy(stack=False)
                board.push(move)


def is_fit(board: chess.Board) -> bool:
    return (
        board.is_valid()
        and not board.is_check()
        and len(board.piece_map()) >= LEAST_MEN
        and not board.has_chess960_castling_rights()
    )


def score(args: argparse.Namespace) -> None:
    chosen = [board for board in positions(args.games) if is_fit(board)]
    random.Random(1).shuffle(chosen)
    with chess.engine.SimpleEngine.popen_uci(args.engine) as engine, open(args.out, "w", newline="") as file:
        out = csv.writer(file)
        for board in chosen[: args.count]:
            done = engine.play(board, chess.engine.Limit(nodes=args.nodes), info=chess.engine.INFO_SCORE)
            cp = done.info["score"].relative.score(mate_score=30_000)
            if abs(cp) <= MOST_CP and not board.is_capture(done.move) and not done.move.promotion:
                out.writerow([board.fen(), cp])


def compare(args: argparse.Namespace) -> None:
    with open(args.positions, newline="") as file:
        rows = list(csv.reader(file))
    boards = [new_board(fen) for fen, _ in rows]
    target = sigmoid(np.array([int(cp) for _, cp in rows]) / ENGINE_SCALE)
    print(f"{len(rows):,} positions")
    for name in ["none", *args.nets]:
        evaluator = new_evaluator(CHESS, network=None if name == "none" else load(name))
        found = np.array([evaluator.evaluate_cp(board) for board in boards], dtype=float)
        scale = fit_scale(found, 2 * target)
        print(f"{np.mean((sigmoid(found / scale) - target) ** 2):.5f}  {name}, scale {scale:.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    words = commands.add_parser("score")
    words.add_argument("games")
    words.add_argument("out")
    words.add_argument("--engine", default="stockfish")
    words.add_argument("--nodes", type=int, default=5000)
    words.add_argument("--count", type=int, default=12_000)
    words.set_defaults(act=score)
    words = commands.add_parser("compare")
    words.add_argument("positions")
    words.add_argument("nets", nargs="*")
    words.set_defaults(act=compare)
    args = parser.parse_args()
    args.act(args)


if __name__ == "__main__":
    main()
