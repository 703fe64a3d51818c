"""Measures the discount for mating potential: the engine plays won endgames with and without it.

    .venv/bin/python -P tools/measure/play/mating_potential.py [--game chess|nocastle] [--positions 100] [--nodes 3000]

The script sets up random endgames for each material, and keeps those that Stockfish sees as won for the side ahead.
Each is played four times at a fixed number of nodes per move: the leader and the defender each have the discount or
not. `nocastle` is chess without castling on the board of games by definition, whose evaluation has no other knowledge
of unwinnable endgames.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

import chess
import chess.engine

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session
from standstill.engine.variants.game_over import game_end
from standstill.engine.variants.notation import fen
from tools.measure.play.endings import random_position

# The leader's pieces and the defender's, without kings. Exchanging the last pawns, or one pawn for a piece, leaves an
# advantage that does not win.
MATERIAL = (
    *("NPP-NP", "BPP-NP", "NPP-BP", "BPP-BP", "NPP-N", "BPP-N", "NPP-B", "NNP-NP", "BNP-NP", "BNP-BP", "BBP-NP"),
    *("RP-NP", "RP-BP", "RNP-RP", "RBP-RP", "QNP-QP", "QBP-QP", "QP-RP", "RRP-RNP", "RPP-RP", "RPP-BP"),
)
WON_CP, DECIDED_CP = 250, 1500  # scores above DECIDED_CP mean an unstoppable pawn, with which any engine wins
JUDGE_NODES = 400_000
FURTHEST = 4  # rank of the leader's pawns, from its own side
MOST_PLIES = 240
SEED = 20261122


def positions(count: int, judge_path: str) -> list[tuple[str, str]]:
    """Return (material, FEN) of ``count`` positions that the side with the first army wins, by turns."""
    rng = random.Random(SEED)
    found: list[tuple[str, str]] = []
    with chess.engine.SimpleEngine.popen_uci(judge_path) as judge:
        judge.configure({"Hash": 64})
        while len(found) < count:
            material = MATERIAL[len(found) % len(MATERIAL)]
            board = random_position(rng, material)
            if board is None:
                continue
            leader = leading_side(board, material)
            if any(own_rank(square, leader) > FURTHEST for square in board.pieces(chess.PAWN, leader)):
                continue
            score = judge.analyse(board, chess.engine.Limit(nodes=JUDGE_NODES))["score"].pov(leader)
            if WON_CP <= score.score(mate_score=100_000) <= DECIDED_CP:
                found.append((material, board.fen()))
    return found


def own_rank(square: chess.Square, colour: chess.Color) -> int:
    """Return the rank as this side counts it, 1 for its back rank."""
    rank = chess.square_rank(square)
    return rank + 1 if colour else 8 - rank


def leading_side(board: chess.Board, material: str) -> chess.Color:
    """Return the side that has the first army."""
    men = Counter(material.partition("-")[0])
    white = Counter(board.piece_at(sq).symbol() for sq in chess.SquareSet(board.occupied_co[chess.WHITE]))
    del white["K"]
    return chess.WHITE if white == men else chess.BLACK


class Player:
    """Two sessions of the engine, one with and one without the discount."""

    def __init__(self, game: str, nodes: int):
        self.limits = Limits()
        self.limits.nodes = nodes
        self.sessions = {}
        for discount in (True, False):
            session = Session()
            session.settings["RMobility"] = "Off"
            session.equipment.discount = discount
            session.choose_game(game)
            self.sessions[discount] = session

    def play(self, start: str, leader: chess.Color, leads: bool, defends: bool) -> tuple[bool, bool]:
        """Play a game; return (whether the leader won, whether its last pawn was lost without a promotion)."""
        for session in self.sessions.values():
            session.new_game()
        start = start.replace("+", "")
        moves: list[str] = []
        promoted = False
        board = None
        for _ in range(MOST_PLIES):
            referee = self.sessions[True]
            referee.position(start, moves)
            board = referee.board
            if game_end(board) is not None:
                break
            ours = board.stm == (0 if leader else 1)
            session = self.sessions[leads if ours else defends]
            session.position(start, moves)
            best, _ = session.search(self.limits)
            moves.append(best.move)
            promoted |= ours and len(best.move) == 5
        self.sessions[True].position(start, moves)
        board = self.sessions[True].board
        end = game_end(board)
        won = end is not None and end[0] == ("1-0" if leader else "0-1")
        pawn = "P" if leader else "p"
        return won, not promoted and pawn not in fen(board).split()[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", choices=("chess", "nocastle"), default="chess")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--judge", default="/usr/games/stockfish")
    parser.add_argument("--keep", type=Path, help="file for the positions; it is read if it exists")
    options = parser.parse_args()
    if options.keep and options.keep.exists():
        chosen = [tuple(line.split(" ", 1)) for line in options.keep.read_text("ascii").splitlines()]
    else:
        chosen = positions(options.positions, options.judge)
        if options.keep:
            options.keep.write_text("".join(f"{material} {start}\n" for material, start in chosen), "ascii")
    player = Player(options.game, options.nodes)
    not_won, pawnless, by_material = Counter(), Counter(), defaultdict(Counter)
    for number, (material, start) in enumerate(chosen[: options.positions], 1):
        leader = leading_side(chess.Board(start), material)
        for leads in (True, False):
            for defends in (True, False):
                won, lost_pawns = player.play(start, leader, leads, defends)
                not_won[leads, defends] += not won
                pawnless[leads, defends] += lost_pawns
                by_material[material][leads, defends] += not won
        if number % 10 == 0:
            print(f"{number}: not won {dict(not_won)}, pawns gone {dict(pawnless)}", file=sys.stderr, flush=True)
    total = min(options.positions, len(chosen))
    print(f"{options.game}, {options.nodes} nodes a move, {total} won endings")
    print("| leader | defender | not won | last pawn gone |\n| --- | --- | --- | --- |")
    names = {True: "with", False: "without"}
    for pair, count in not_won.items():
        print(f"| {names[pair[0]]} | {names[pair[1]]} | {count} | {pawnless[pair]} |")
    for material, counts in by_material.items():
        print(material, {f"{names[a]}/{names[b]}": n for (a, b), n in counts.items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
