"""Searches of a few plies skip moves, but must not evaluate a side as lost because of skipped moves.

The positions come from games between strong engines (TCEC), the scores from Stockfish 15.1 at 5,000 nodes. When the
engine skipped late moves after a blunder, its scores in most positions were wrong by 500 to 1,000 centipawns.
"""

from __future__ import annotations

import pytest

import standstill

NEAR = 350  # centipawns
POSITIONS = (
    ("8/5k2/6p1/7p/5P1P/3q2P1/8/4Q1K1 w - - 9 83", 11),
    ("r6r/5pk1/1p1p2p1/p1p1b2p/P1PnP2q/3PB2B/1P4PP/1R1Q1R1K w - - 0 25", -122),
    ("4b2Q/2k2q2/2p1pn2/1p1p1p1p/p2P1P2/P1PB1N1P/1P6/3K4 w - - 48 68", 6),
    ("8/1k1r4/2p5/p3P3/P3pB2/8/1KP2PP1/8 w - - 0 43", 18),
    ("6k1/2r1b1p1/4p3/4P2p/pr3P2/4B1P1/1P2R1KP/3R4 w - - 0 32", 44),
    ("8/5k2/4p1p1/4P2p/5P1P/3R2P1/6r1/4K3 w - - 51 87", 11),
    ("2kr1b1r/pppb1p1p/1n3qp1/8/2PN4/2NQ4/PP2BPPP/R4RK1 w - - 0 13", -63),
    ("4b2k/1Rp3p1/p1n4p/4P3/8/b4NPB/2r1PB1P/5K2 b - - 7 31", -113),
    ("1k3r2/1p1R1B2/1pp5/6p1/P7/6P1/Pb6/6K1 b - - 0 32", 51),
    ("4r3/1p6/p6k/P3r1p1/1PP3Q1/8/6PK/8 w - - 1 53", 38),
    ("8/p1p1rpp1/kpq4p/n1p1PP1P/P1P3P1/2P2N2/5K2/3QR3 b - - 0 26", -53),
    ("2rq1rk1/pp1n1pbb/3p2p1/3P2P1/3pN1Q1/7P/PP1BBP2/R4RK1 b - - 1 21", -31),
    ("2kr1b1r/pppb1ppp/1n3q2/8/2PN4/2N5/PP2BPPP/R2Q1RK1 w - - 5 12", -104),
)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("evaluation", ["none", ""], ids=["by hand", "network"])
@pytest.mark.parametrize(("fen", "cp"), POSITIONS)
def test_a_short_search_is_near_a_long_one(fen: str, cp: int, evaluation: str) -> None:
    with standstill.Engine({"Hash": 1} | ({"EvalFile": evaluation} if evaluation else {})) as engine:
        found = engine.analyse(fen, depth=3).lines[0].cp
    assert found is not None
    assert abs(found - cp) < NEAR
