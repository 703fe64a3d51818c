"""Estimates x05 of an engine from its own games: the score at which it wins half, and the results of `relevance fit`.

    .venv/bin/python -P tools/measure/fit/fit_x05.py OUT.pgn [--engine COMMAND] [--games 300] [--nodes 5000]

The engine (ours without --engine) plays itself over UCI at fixed nodes from random balanced openings, which are the
same for every engine. OUT.pgn collects the games with each mover's evaluation. Games that it already holds count and
are not played again. The win rate is fitted as for UCI_ShowWDL (fit_wdl.py).
"""

from __future__ import annotations

import argparse
import itertools
import math
import shlex
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

import chess
import chess.engine
import chess.pgn

from standstill.engine.annotate.evaluations import in_comment
from standstill.engine.annotate.fit import Sides, fit
from standstill.engine.annotate.run import read
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import positions_of_comments
from standstill.engine.archive.pgn import read_games
from standstill.engine.archive.streams import open_input
from tools.measure.fit import fit_wdl
from tools.measure.play.levels import LONGEST_PLIES, openings

PATIENCE_S = 60


def play(engine: chess.engine.SimpleEngine, opening: list[str], nodes: int) -> chess.pgn.Game:
    """Play one game. A game that reaches the length limit is a draw."""
    game = chess.pgn.Game({"White": engine.id["name"], "Black": engine.id["name"]})
    node: chess.pgn.GameNode = game
    board = game.board()
    for text in opening:
        node = node.add_variation(board.parse_uci(text), comment="book")
        board.push(node.move)
    while (outcome := board.outcome(claim_draw=True)) is None and board.ply() < LONGEST_PLIES:
        played = engine.play(board, chess.engine.Limit(nodes=nodes), game=game, info=chess.engine.INFO_ALL)
        score, depth = played.info["score"].relative, played.info.get("depth", 0)
        mate = score.mate()
        text = f"{score.score() / 100:+.2f}" if mate is None else f"{'+' if mate > 0 else '-'}M{abs(mate)}"
        node = node.add_variation(played.move, comment=f"{text}/{depth} 0s")
        board.push(played.move)
    game.headers["Result"] = outcome.result() if outcome else "1/2-1/2"
    return game


def add_games(path: Path, command: list[str], games: int, nodes: int, seed: int) -> None:
    there = path.read_text().count('[Result "') if path.exists() else 0
    with chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE_S) as engine:
        for opening in itertools.islice(openings(seed), there, games):
            text = f"{play(engine, opening, nodes)}\n\n"
            with path.open("a") as out:
                out.write(text)


def counts_of(game: SourceGame) -> Counter:
    """Count positions by (score in bins, result), both from the mover's view, as fit_wdl does."""
    movetext = game.movetext
    result = {"1-0": 1, "0-1": -1}.get(movetext.result or "", 0)
    counts: Counter = Counter()
    for index in range(len(movetext.plies)):
        view = 1 if movetext.white_moves(index) else -1
        found = in_comment(movetext.comment(index), view)
        if found is not None and not math.isinf(found.pawns) and abs(found.pawns) * 100 <= fit_wdl.MOST_CP:
            counts[round(view * found.pawns * 100 / fit_wdl.BIN_CP), view * result] += 1
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT.pgn")
    parser.add_argument("--engine", default=str(ROOT / "standstill"), help="command of the engine")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=5000, help="nodes for each move")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    add_games(arguments.out, shlex.split(arguments.engine), arguments.games, arguments.nodes, arguments.seed)
    sides, counts = Sides(), Counter()
    with open_input(str(arguments.out)) as stream:
        for game in read(read_games(stream)):
            sides.add(game, positions_of_comments(game.movetext))
            counts += counts_of(game)
    half, spread = fit_wdl.fit(counts)
    found = fit(sides.found)
    print(f"{found.games // 2} games, {found.draws // 2} drawn, {sum(counts.values())} positions")
    print(f"win rate of one half at {half / 100:.2f} (spread {spread / 100:.2f})")
    print(f"equilibrium {found.x05}, 95 % {found.interval}; score fit {found.score_x05}")
    print(fit_wdl.table(counts, half, spread))
    return 0


if __name__ == "__main__":
    sys.exit(main())
