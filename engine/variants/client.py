"""What an XBoard client has to be told of a game that it may not know: pictures, array, moves, and `edit`."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..notation import promotion
from .definition import BLACK, WHITE, Game
from .notation import fen, parse_square, start_fen

# The order of XBoard's pictures; the king is the last of each half (xboard 4.9, "piece to char table").
_PICTURES = "PNBRQFEACWMOHIDGSVLZ"
# Games that XBoard 4.9 sets up by itself; with a piece table of the definition's own it is told all the same.
KNOWN_TO_XBOARD = (
    *("normal", "nocastle", "fischerandom", "knightmate", "capablanca", "gothic", "janus", "shatranj", "makruk"),
    *("asean", "courier", "seirawan", "spartan", "berolina", "cylinder", "falcon", "super", "great", "grand"),
)
_EDITED = re.compile(r"[A-Za-z][a-pA-P]\d{1,2}")
_EN_PASSANT = 2  # kind of a move
_CLEARS, _TURNS = "#", "c"


def setup_lines(game: Game, name: str) -> list[str]:
    """What XBoard has to be told when it has chosen ``name``: `setup` and `piece` lines, in the order it wants.

    Some of the games that it sets up by itself it does not play without `piece`: pawns of Berolina, cylinders, ...
    """
    pieces = [f"piece {letter} {moves}" for letter, moves in game.betza]
    if name in KNOWN_TO_XBOARD and not game.table:
        return pieces
    parent = game.parent or "fairy"
    fields = start_fen(game).split()
    # The clients' own idea of castling rights is all they read; hands are no part of a set-up.
    placement = fields[0].partition("[")[0]
    position = f"{placement} w {fields[2] if set(fields[2]) <= set('KQkq-') else '-'} - 0 1"
    lines = [f"setup ({game.table or piece_table(game)}) {game.width}x{game.height}+0_{parent} {position}"]
    return lines + pieces


def piece_table(game: Game) -> str:
    """Letters of the pieces by picture: each beside the picture of its own letter where that is free."""
    halves = []
    for colour in (WHITE, BLACK):
        array = game.white if colour == WHITE else game.black
        letters = [game.piece(1 + colour).letter.upper()]
        royal = next(game.piece(n).letter.upper() for n in array if n and game.piece(n).is_royal)
        for number in [*array, *game.promotions(colour, 0)]:
            if number and game.piece(number).letter.upper() not in (*letters, royal):
                letters.append(game.piece(number).letter.upper())
        slots = ["."] * len(_PICTURES)
        homeless = []
        for letter in letters:
            at = _PICTURES.find(letter)
            if at >= 0 and slots[at] == ".":
                slots[at] = letter
            else:
                homeless.append(letter)
        for letter in homeless:
            slots[len(slots) - 1 - slots[::-1].index(".")] = letter
        halves.append("".join(slots) + royal)
    return halves[0] + halves[1].lower()


def refused_promotions(game: Game) -> frozenset[tuple[int, int]]:
    """(colour, piece number) of the promotions that the rules allow and XBoard takes for illegal.

    A pawn becomes what has a picture in its side's half of the table. In a game without one that XBoard knows by itself
    it joins its own army (Spartan chess). Never a king: in XBoard that depends on how many there are.
    """
    refused = set()
    for colour, array in ((WHITE, game.white), (BLACK, game.black)):
        own = {game.piece(number).letter.lower() for number in array if number}
        if game.table:
            half = len(game.table) // 2
            own = set((game.table[half:] if colour else game.table[:half]).lower())
        elif game.name not in KNOWN_TO_XBOARD:
            continue  # it gets a table from us, with all of them
        for file in range(game.width):
            for number in game.promotions(colour, file)[1:]:
                piece = game.piece(number)
                if piece.is_royal or piece.letter.lower() not in own:
                    refused.add((colour, number))
    return frozenset(refused)


def refused_moves(game: Game) -> Callable[[object, int], bool]:
    """Whether XBoard takes a move on a board of this game for illegal, though the rules allow it.

    Promotions (above); and en passant against a pawn that gives check, where the two do not stand side by side
    (Berolina): XBoard looks for check with the pawn still there.
    """
    promotions = refused_promotions(game)

    def is_refused(board, move: int) -> bool:
        if (board.stm, promotion(move)) in promotions:
            return True
        start, target, taken = move & 255, move >> 8 & 255, move >> 16 & 255
        beside = start - start % game.width + target % game.width
        return move >> 29 == _EN_PASSANT and taken != beside and bool(board.checkers >> taken & 1)

    return is_refused


def is_edit(line: str) -> bool:
    """Does this line put men on a board, or away?"""
    return line in {_CLEARS, _TURNS} or _EDITED.fullmatch(line) is not None or "@" in line


def edited_fen(board, lines: list[str]) -> str:
    """The FEN after the lines of an `edit`; men that stand where the array has them count as not moved.

    ``#`` clears the board, ``c`` changes the colour of the men that follow, ``Pa4`` puts one, ``xa4`` takes one away;
    a man at a number goes to the hand. Lines that fit nothing change nothing, as clients expect.
    """
    game: Game = board.game
    squares = bytearray(board.squares)
    colour = WHITE
    for line in lines:
        if line == _CLEARS:
            squares = bytearray(len(squares))
        elif line == _TURNS:
            colour ^= 1
        elif (sq := parse_square(game, line[1:].lower(), board.first_rank)) is not None:
            number = game.man_of(line[0], colour)
            squares[sq] = number + 16 * colour if number else 0
    fresh = board.copy()
    virgins = sum(1 << sq for sq, man in enumerate(squares) if man and man == game.start[sq])
    fresh.set_up(bytes(squares), board.stm, virgins, (), 0, 1, board.hand)
    return fen(fresh)

