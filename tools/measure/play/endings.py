"""Makes level endgames with 2 to 10 pieces for matches under R-Mobility: `make endings` rewrites
tests/data/endings.epd.

The script sets up random positions for each material. It keeps those in which the default engine, searching without
R-Mobility, sees no advantage, and writes them with either side to move. The same seed gives the same file.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import chess

from standstill.engine.common.info import is_mate, score_cp
from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session

# White's pieces, then Black's, without the kings. Both sides have the same pieces, or one has more, but not enough to
# win.
MATERIAL = (
    "-", "B-", "N-", "NN-", "P-", "B-B", "N-N", "B-N", "NN-B", "R-R", "R-B", "R-N", "Q-Q",
    "RB-R", "RN-R", "RB-RN", "RN-RN", "BB-BN", "BN-BN", "BP-B", "NP-N", "BP-N", "NP-B", "RP-R", "QP-Q",
    "PP-PP", "PPP-PPP", "PP-P", "BPP-BPP", "NPP-NPP", "BPP-NPP", "NPP-BPP", "BPPP-BPPP", "NPPP-BPPP",
    "RP-RP", "RPP-RPP", "RPP-RP", "RPPP-RPPP", "RBP-RBP", "RNPP-RBPP", "QPP-QPP", "QPPP-QPPP",
    "BBPP-BNPP", "RBPP-RNPP", "RRPP-RRPP",
)  # fmt: skip
EACH = 7
SEED = 20261122
NODES = 60_000
LEVEL_CP = 40
OUT = Path(__file__).resolve().parents[3] / "tests/data/endings.epd"


def random_position(rng: random.Random, material: str) -> chess.Board | None:
    """Return a legal position without a check and without a possible capture."""
    white, _, black = material.partition("-")
    men = ["K", "k", *white.upper(), *black.lower()]
    board = chess.Board(None)
    for man, square in zip(men, rng.sample(range(64), len(men)), strict=True):
        if man in "Pp" and square // 8 in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece.from_symbol(man))
    board.turn = rng.random() < 0.5
    if rng.random() < 0.5:
        board = board.mirror()
    if not board.is_valid() or board.is_check() or any(board.generate_legal_captures()):
        return None
    return board


def is_level(session: Session, board: chess.Board) -> bool:
    limits = Limits()
    limits.nodes = NODES
    session.new_game()
    session.position(board.fen(), [])
    _, line = session.search(limits)
    return not is_mate(line.score) and abs(score_cp(line.score)) <= LEVEL_CP


def main() -> None:
    rng = random.Random(SEED)
    session = Session()
    session.settings["RMobility"] = "Off"
    lines = []
    for material in MATERIAL:
        found: set[str] = set()
        while len(found) < EACH:
            board = random_position(rng, material)
            if board is not None and board.epd() not in found and is_level(session, board):
                found.add(board.epd())
                lines.append(f'{board.epd()} id "{material}";')
        print(material, file=sys.stderr)
    OUT.write_text("# written by tools/measure/play/endings.py\n" + "\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
