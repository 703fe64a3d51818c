"""Warns about definitions that are playable, but probably not as their author intended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from standstill.cext.base.constants import BLACK, WHITE

from ...common.text import shown
from ..betza import named_rays
from ..definition import BLACK_PAWN, MOVES, TAKES, WHITE_PAWN, Definition, displacement
from ..show import ways

# A sequence of atoms, each with directions and modes in front of it and a range behind it.
_MOVES = re.compile(r"([a-z]*[ABCDFGHJKLNOQRWZ]\d{0,2})+")
SHORTEST_TABLE = 12  # minimum length of XBoard's table of pictures
# Limits of Fairy-Max 5.0b. Fairy-Max exits if a board is wider, and ignores further pieces and rays of a game.
FAIRYMAX_FILES = 12
FAIRYMAX_ENTRIES = 256


def warnings(game: Definition) -> Iterator[str]:
    """Yield the warnings, without the name of the game."""
    yield from _about_pawns(game)
    if not game.extra.start:
        yield from _about_arrays(game)
    yield from _about_castling(game)
    yield from _about_idle_pieces(game)
    yield from _about_letters(game)
    yield from _about_descriptions(game)
    if game.table:
        yield from _about_the_table(game)
    if not game.betza:
        yield from _about_nameless_rays(game)
    yield from _about_fairymax(game)


def _about_pawns(game: Definition) -> Iterator[str]:
    white, black = game.piece(WHITE_PAWN), game.piece(BLACK_PAWN)
    if white.letter.lower() != black.letter.lower():
        return  # pawns of two kinds, as in Spartan chess
    shapes = []
    for pawn, up in ((white, 1), (black, -1)):
        legs = [(displacement(ray.step), displacement(ray.second), ray.rights) for ray in pawn.rays]
        shapes.append({((a, up * b), (c, up * d), rights) for (a, b), (c, d), rights in legs})
    if shapes[0] != shapes[1]:
        yield "Black's pawn (piece 2) is not the mirror image of White's: a step of Black's has the opposite sign"


def _about_arrays(game: Definition) -> Iterator[str]:
    kings = [[n and game.piece(n).is_royal for n in array] for array in (game.white, game.black)]
    is_turned = game.black == game.white[::-1] and kings[0] == kings[1]  # as in Modern chess
    if game.white != game.black and not is_turned and sorted(game.white) == sorted(game.black):
        yield "the start positions of the sides have the same pieces in a different order"


def _about_castling(game: Definition) -> Iterator[str]:
    for number, piece in enumerate(game.pieces, 1):
        for ray in piece.rays:
            right, up = displacement(ray.step)
            if number > BLACK_PAWN and ray.is_initial and ray.toggle == TAKES | MOVES and up == 0 and abs(right) > 1:
                yield f"piece {number} ({piece.letter}): {ray} is not a castling, whose first step has to be 1 or -1"


def _about_idle_pieces(game: Definition) -> Iterator[str]:
    for number, piece in enumerate(game.pieces, 1):
        has_moves = piece.castles() or game.areas_of(number)
        if not has_moves and not any(step.modes for way in ways(game, number) for step in way.steps):
            yield f"piece {number} ({piece.letter}) cannot move"


def _men(game: Definition, colour: int) -> list[int]:
    """Return the numbers of the pieces that a side can have."""
    promotions = [number for file in range(game.width) for number in game.promotions(colour, file)]
    pawns = [WHITE_PAWN + colour, *promotions] if game.has_pawns(colour) else []
    men = (*pawns[:1], *game.men(colour), *game.gates(colour), *pawns[1:])
    return [number for number in dict.fromkeys(men) if number]


def _about_letters(game: Definition) -> Iterator[str]:
    for colour, side in ((WHITE, "White"), (BLACK, "Black")):
        seen: dict[str, int] = {}
        for number in _men(game, colour):
            letter = game.piece(number).letter.upper()
            other = seen.setdefault(letter, number)
            if game.piece(other).rays != game.piece(number).rays:
                yield f"{side} has two kinds of {letter}, pieces {other} and {number}, which a FEN cannot distinguish"


def _about_the_table(game: Definition) -> Iterator[str]:
    if len(game.table) % 2 or len(game.table) < SHORTEST_TABLE:
        yield f"the table {game.table} has {len(game.table)} letters: XBoard needs an even number of at least 12"
        return
    half = len(game.table) // 2
    for colour, side in ((WHITE, "White"), (BLACK, "Black")):
        letters = (game.table[:half] if colour == WHITE else game.table[half:]).upper()
        array = game.men(colour)
        numbers = [number for number in (WHITE_PAWN + colour, *array) if number]
        missing = dict.fromkeys(game.piece(number).letter.upper() for number in numbers)
        lacks = "".join(letter for letter in missing if letter not in letters)
        if lacks:
            yield f"{side}'s half of the table has no {lacks}: XBoard cannot show the start position"


def _about_nameless_rays(game: Definition) -> Iterator[str]:
    for number in dict.fromkeys((*_men(game, WHITE), *_men(game, BLACK))):
        nameless = named_rays(game, number)[1]
        if nameless:
            rays = "a ray" if nameless == 1 else f"{nameless} rays"
            piece = f"piece {number} ({game.piece(number).letter})"
            yield f"{piece} has {rays} that Betza's notation cannot express: XBoard regards such moves as illegal"


def _about_descriptions(game: Definition) -> Iterator[str]:
    letters = {piece.letter.upper() for piece in game.pieces}
    for identity, moves in game.betza:
        if identity.removeprefix("+")[:1].upper() not in letters:
            yield f"no piece has the letter of {shown(identity)} in the lines about pieces"
        if not _MOVES.fullmatch(moves):
            yield f"{shown(moves, 40)} does not describe moves in Betza's notation"


def _about_fairymax(game: Definition) -> Iterator[str]:
    if game.width > FAIRYMAX_FILES:
        yield f"Fairy-Max supports up to {FAIRYMAX_FILES} files, and exits when it reads {game.width}"
    entries = sum(1 + len(piece.rays) + (piece.suffix is not None) for piece in game.pieces)
    if entries > FAIRYMAX_ENTRIES:
        yield f"Fairy-Max reads {FAIRYMAX_ENTRIES} pieces and rays of a game, and ignores the rest of {entries}"
