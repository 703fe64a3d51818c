"""The scheme `trainer`: good symbols only for moves that are hard to find, and symbols for missed mates."""

from __future__ import annotations

from math import inf

import chess
import pytest

from standstill.engine.annotate import replay
from standstill.engine.annotate.analysis import Analyst, joined, parts
from standstill.engine.annotate.engines import Setup
from standstill.engine.annotate.evaluations import Evaluation
from standstill.engine.annotate.journal import position_of, values_of
from standstill.engine.annotate.obvious import exchange, is_obvious
from standstill.engine.annotate.source import SourceGame
from standstill.engine.annotate.verdicts import JudgedPosition, Style
from standstill.engine.relevance import trainer
from tests.annotate.support import MATES, nags

# With an x05 of 1, the gain from 0 to x is (1 - 2^-x) / 2.
LEADS = {0.05: 0.1521, 0.15: 0.5146, 0.2: 0.7370, 0.25: 1.0}
DEEP_GAME = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 *"


@pytest.mark.parametrize(
    ("share", "depth", "sacrifices", "expected"),
    [
        (0.15, 7, False, 5),
        (0.2, 7, False, 1),
        (0.25, 11, False, 1),  # a move that gives nothing is never brilliant
        (0.25, 6, False, 0),
        (0.25, 0, True, 0),
        (0.25, None, True, 0),
        (0.05, 5, True, 1),
        (0.05, 4, True, 0),
        (0.25, 7, True, 3),
        (0.25, 6, True, 1),
        (0.2, 11, True, 1),
    ],
)
def test_good_moves_need_lead_and_depth(share: float, depth: int | None, sacrifices: bool, expected: int) -> None:
    lead = LEADS[share] + 1e-3
    for mover, sign in (("w", 1), ("b", -1)):
        found = trainer.judge(sign * lead, 0.0, None, True, mover, 1.0, depth=depth, sacrifices=sacrifices)
        assert found == expected
    less = trainer.judge(LEADS[0.05] - 1e-3, 0.0, None, True, "w", 1.0, depth=depth, sacrifices=sacrifices)
    assert less == 0


@pytest.mark.parametrize(
    ("best", "played", "mate", "expected"),
    [
        (0.0, -0.5, None, 0),  # loses 0.146 of the area
        (0.0, -0.52, None, 6),
        (0.0, -1.0, None, 2),
        (0.0, -2.1, None, 4),
        (inf, 9.0, 5, 6),  # a missed mate in five
        (inf, 9.0, 6, 0),
        (inf, 9.0, None, 0),
        (inf, inf, 1, 0),  # a slower mate
        (inf, 0.0, 2, 4),
        (None, 1.0, None, 0),
        (1.0, None, 3, 0),
    ],
)
def test_bad_moves_and_missed_mates(best: float | None, played: float | None, mate: int | None, expected: int) -> None:
    assert trainer.judge(best, None, played, False, "w", 1.0, mate=mate) == expected


def test_a_missed_mate_is_marked_from_comments(result) -> None:
    """Either side can miss its own mate, never the opponent's."""
    text = (
        "1. e4 {[%eval 0.3]} e5 {[%eval #2]} 2. Nf3 {[%eval 9.0]} d6 {[%eval #1]} 3. Be2 {[%eval #-3]}"
        " Nc6 {[%eval -9.0]} 4. O-O {[%eval -9.1]} *\n\n"
    )
    found = nags(result(text, "--from-comments", "--only-moves"))[0]
    assert found == [set(), {2}, {6}, set(), {4}, {6}, set()]
    plain = nags(result(text, "--from-comments", "--only-moves", "--move-scheme", "sparing-8"))[0]
    assert plain == [set(), {2}, set(), set(), {4}, set(), set()]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("1. e4 d5 2. exd5 Qxd5 *", True),  # a recapture
        ("1. f3 e5 2. g4 Qh4# *", True),
        ("1. e4 e5 2. Nf3 Nf6 3. Nxe5 *", True),  # nothing protects the pawn
        ("1. e4 e5 2. Ke2 Nf6 3. Nc3 Nxe4 4. Nxe4 *", True),
        ("1. e4 e5 2. Bc4 Nf6 3. Bxf7+ *", False),
        ("1. e4 e5 2. Bc4 Nf6 3. Bxf7+ Ke7 *", True),  # one of two legal moves
        ("1. d4 e5 2. dxe5 Nc6 3. Nf3 *", False),
        ("1. e4 c5 2. e5 d5 3. exd6 *", True),  # a pawn for a pawn
    ],
)
def test_obvious_moves(moves: str, expected: bool) -> None:
    game = SourceGame(1, moves.encode()).movetext
    position, played = replay.moves(game)
    for move in played[:-1]:
        replay.push(position, move)
    before = position.copy()
    assert is_obvious(game, len(played) - 1, position, played[-1]) == expected
    assert str(position) == str(before)


@pytest.mark.parametrize(
    ("fen", "move", "expected"),
    [
        ("4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 1", "d2d5", -8),
        ("4k3/8/4p3/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1),  # Rxd5 Rxd5 Rxd5
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -4),
        ("4k3/2p5/8/8/8/8/4N3/4K3 w - - 0 1", "e2d4", 0),
        ("4k3/2p5/8/8/8/5N2/8/4K3 w - - 0 1", "f3e5", 0),
        ("4k3/3p4/8/8/8/5N2/8/4K3 w - - 0 1", "f3e5", 0),
        ("4k3/3p4/8/8/5N2/8/8/4K3 w - - 0 1", "f4e6", -3),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0),
        ("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1d8", 0),  # the king takes back
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 1),
    ],
)
def test_exchanges(fen: str, move: str, expected: int) -> None:
    """The values are counted by hand."""
    assert exchange(chess.Board(fen), chess.Move.from_uci(move)) == expected


@pytest.mark.slow
def test_the_depth_is_that_of_searches_with_an_empty_memory() -> None:
    """Fresh engines that search to depth 1, 2, ... choose the move from the stated depth on, and another move one depth
    earlier."""
    game = SourceGame(1, DEEP_GAME.encode())
    setup = Setup(nodes=3000)
    analyst = Analyst(setup, Style())
    positions = joined(analyst.positions(game.movetext, part) for part in parts(game))
    first, played = replay.moves(game.movetext)
    checked = 0
    for position, move in zip(positions, played, strict=False):
        if position.depth:
            fresh = Analyst(Setup(nodes=3000), Style())._engine
            chosen = fresh.choices(first.copy(), trainer.LAST_DEPTH)
            last = max(chosen)
            assert [chosen[depth] == move for depth in range(position.depth, last + 1)] == [True] * (
                last + 1 - position.depth
            )
            assert position.depth == 1 or chosen[position.depth - 1] != move
            checked += 1
            fresh.close()
        replay.push(first, move)
    analyst.close()
    assert checked


def test_the_journal_keeps_what_the_scheme_needs() -> None:
    position = JudgedPosition(Evaluation(0.5), Evaluation(0.1), Evaluation(0.5), True, ["e4"], 7, True)
    assert position_of(values_of(position)) == position


def test_plain_schemes_stay_available(result) -> None:
    """5... Qxg2 takes a pawn that nothing protects: brilliant by evaluations alone, no symbol for a trainer."""
    plain = nags(result(MATES, "--nodes", "3000", "--only-moves", "--move-scheme", "sparing-8"))[1]
    found = nags(result(MATES, "--nodes", "3000", "--only-moves"))[1]
    assert plain[9] & {1, 3, 5} and not found[9]
