"""Where a piece goes from a square of an empty board, compared with the slow second implementation of the rules."""

from __future__ import annotations

import random

import pytest

from standstill.engine.variants.catalog import Catalog
from standstill.engine.variants.definition import MOVES, TAKES
from standstill.engine.variants.fairymax import parse
from standstill.engine.variants.workshop.reach import reach
from tests.variants import nameless
from tests.variants.files import text_of
from tests.variants.reference import State, walk

# Games with cylinders, bent and lame pieces, triple steps, pawns that move from several ranks, zones, and large boards.
GAMES = (
    *("normal", "cylinder", "falcon", "cambodian", "horde", "grande-acedrex", "spartan", "team-mate", "courier"),
    "xiangqi",
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GAMES)
def test_squares_are_those_of_the_rules(name: str) -> None:
    game, chance = Catalog().find(name), random.Random(name)
    for number in range(1, len(game.pieces) + 1):
        # A piece with a zone belongs to one side.
        for colour in game.sides_of(number) if game.extra.zones else (0, 1):
            starts = [sq for sq, man in enumerate(game.start) if man == number + 16 * colour][:2]
            for square in {*starts, *chance.sample(range(game.squares), 3)}:
                at = square % game.width, square // game.width
                unmoved = {at} if game.is_unmoved(number + 16 * colour, square) else set()
                state = State(game, {at: (colour, number)}, unmoved)
                marks = [mark for mark in reach(game, number, square, colour).marks if not mark.is_hop]
                found = {
                    modes: {
                        (mark.square % game.width, mark.square // game.width)
                        for mark in marks
                        if mark.modes & modes and not mark.is_castling
                    }
                    for modes in (MOVES, TAKES)
                }
                every = [(file, rank) for file in range(game.width) for rank in range(game.height)]
                taken = {to for to in every if to != at and any(to == square for _, square, _ in walk(state, at, to))}
                assert found == {MOVES: {to for to, _, _ in walk(state, at)}, TAKES: taken}, (number, colour, at)


@pytest.mark.parametrize("name", ["hoppers", pytest.param("shako", marks=pytest.mark.slow)])
def test_hops_are_those_over_a_piece_somewhere(name: str) -> None:
    """A friendly piece is put on each square in turn; the squares that this adds are those reached by hopping."""
    game = parse(text_of(nameless.GAMES[name])).games[0] if name in nameless.GAMES else Catalog().find(name)
    square = 3 * game.width + 3
    at, every = (3, 3), [(file, rank) for file in range(game.width) for rank in range(game.height)]
    hoppers = 0
    for number in range(3, len(game.pieces) + 1):
        moved, taken = set(), set()
        for platform in (each for each in every if each != at):
            state = State(game, {at: (0, number), platform: (0, 1)}, set())
            moved |= {to for to, _, _ in walk(state, at)}
            aims = (each for each in every if each not in (at, platform))
            taken |= {to for to in aims if any(found == to for _, found, _ in walk(state, at, to))}
        marks = reach(game, number, square, 0).marks
        for modes, found in ((MOVES, moved), (TAKES, taken)):
            shown = {(mark.square % game.width, mark.square // game.width) for mark in marks if mark.modes & modes}
            assert shown == found, (number, modes)
        hoppers += any(mark.is_hop for mark in marks)
    assert hoppers == (2 if name == "hoppers" else 1)


def test_castling_and_first_moves_have_their_own_marks() -> None:
    game = Catalog().find("normal")
    king = {mark.square for mark in reach(game, 3, 4, 0).marks if mark.is_castling}
    assert king == {2, 6} and not [mark for mark in reach(game, 3, 12, 0).marks if mark.is_castling]
    pawn = reach(game, 1, 12, 0).marks
    assert [(mark.square, mark.modes, mark.is_first) for mark in pawn] == [
        (19, TAKES, False),
        (20, MOVES, False),
        (21, TAKES, False),
        (28, MOVES, True),
    ]
