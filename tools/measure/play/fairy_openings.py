"""Makes openings of a game by definition, for matches: random half-moves to positions that a short search finds
balanced.

    .venv/bin/python tools/measure/play/fairy_openings.py GAME [--count 50] [--plies 6] [--seed 1] > GAME.fen

The same arguments and the same engine give the same lines.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.engine.common.info import is_mate, score_cp
from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session
from standstill.engine.variants.boards import named_game, new_board
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen

NODES = 4_000
BALANCED_CP = 70


def opening(game, plies: int, rng: random.Random) -> str | None:
    """Return a FEN after random moves, or None if the game ended during them."""
    board = new_board(game=game)
    for _ in range(plies):
        board.push(rng.choice(board.legal_moves()))
        if game_end(board) is not None:
            return None
    return fen(board)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--plies", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game, rng, session, limits = named_game(arguments.game), random.Random(arguments.seed), Session(), Limits()
    limits.nodes = NODES
    session.choose_game(arguments.game)
    seen: set[str] = set()
    while len(seen) < arguments.count:
        found = opening(game, arguments.plies, rng)
        if found is None or found in seen:
            continue
        session.new_game()
        session.position(found, [])
        score = session.search(limits)[1].score
        if not is_mate(score) and abs(score_cp(score)) <= BALANCED_CP:
            seen.add(found)
            print(found, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
