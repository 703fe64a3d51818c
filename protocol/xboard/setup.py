"""Describes a game that an XBoard client may not know: pictures, start position, piece moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from standstill.cext.base.constants import (
    BLACK,
    CASTLE_GATING,
    CASTLING,
    EN_PASSANT,
    GATE_AT_PARTNER,
    KIND_SHIFT,
    NORMAL,
    PROMOTION,
    PROMOTION_SHIFT,
    WHITE,
)
from standstill.engine.variants.betza import named_rays
from standstill.engine.variants.boards import start_fen
from standstill.engine.variants.definition import BLACK_PAWN, WHITE_PAWN, Definition
from standstill.engine.variants.notation import promotion
from standstill.engine.variants.zoning.parents import GATING, natural_parent, promotes_early, strays

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.variants.notation import Board

# The order of XBoard's pictures; the king is the last of each half (xboard 4.9, "piece to char table"). A piece with
# the picture of the lance would promote on the last rank as a pawn does.
_PICTURES = "PNBRQFEACWMOHIDGSV.ZU"
_LANCE = 18
# Games that XBoard 4.9 sets up itself. A definition with its own piece table is announced nevertheless.
KNOWN_TO_XBOARD = (
    *("normal", "nocastle", "fischerandom", "knightmate", "capablanca", "gothic", "janus", "shatranj", "makruk"),
    *("asean", "courier", "seirawan", "spartan", "berolina", "cylinder", "falcon", "super", "great", "grand"),
    *("3check", "suicide", "giveaway", "losers", "crazyhouse", "atomic", "xiangqi", "shogi"),
)
# Parents of games in which XBoard castles by itself. XBoard castles with the pieces that have the fourth picture, a
# rook's.
_CASTLING_PARENTS = ("fairy", "berolina", "spartan", GATING)
_ROOK = 3
_CASTLING_FILES = range(8, 12)  # board widths for which XBoard's castling requires the same empty squares as ours
_SQUARES = 0xFFFF  # the bits of a move that hold its from and to squares


def setup_lines(game: Definition, name: str) -> list[str]:
    """The `setup` and `piece` lines for XBoard after it has chosen the game ``name``, in the order that XBoard needs.

    XBoard needs `piece` lines even for some games that it sets up itself: Berolina pawns, cylinders, ...
    """
    betza = game.betza
    if name in KNOWN_TO_XBOARD and not game.table:
        return _piece_lines(betza)
    parent = game.parent or natural_parent(game)
    fields = start_fen(game).split()
    table = game.table or piece_table(game)
    if parent == GATING and game.has_gating:
        placement, rights = fields[0], fields[2]
        holdings = len(table) // 2 - table[: len(table) // 2].count(".") - 1  # a place for each kind but the king
    else:  # XBoard reads only its own form of castling rights, and no pieces in hand
        placement, rights = fields[0].partition("[")[0], fields[2] if set(fields[2]) <= set("KQkq-") else "-"
        holdings = 0
    lines = [f"setup ({table}) {game.width}x{game.height}+{holdings}_{parent} {placement} w {rights} - 0 1"]
    return lines + _piece_lines(betza or named_pieces(game))


def tells_castling(game: Definition) -> bool:
    """Return whether the lines for XBoard describe how a piece castles."""
    return any("O" in line.split()[-1] for line in setup_lines(game, game.name) if line.startswith("piece "))


def _piece_lines(pieces: Sequence[tuple[str, str]]) -> list[str]:
    return [f"piece {letter} {moves}" for letter, moves in pieces]


def named_pieces(game: Definition) -> list[tuple[str, str]]:
    """(ID, moves) for every piece that can be on the board and has a name in Betza's notation, the pawns first.

    ``X&`` describes pieces that are mirror images of each other. XBoard lets a pawn described by a `piece` line promote
    on the last rank only, so for early promotion its built-in pawn is used.
    """
    parent, table = game.parent or natural_parent(game), game.table or piece_table(game)
    sides: list[dict[str, str]] = []
    for colour, array in ((WHITE, game.men(WHITE)), (BLACK, game.men(BLACK))):
        promotions = [number for file in range(game.width) for number in game.promotions(colour, file)]
        moves: dict[str, str] = {}
        for number in (1 + colour, *array, *promotions, *game.gates(colour)):
            if number and not (number <= BLACK_PAWN and promotes_early(game)):
                letter = game.piece(number).letter.upper()
                known = number if number <= BLACK_PAWN else game.man_of(letter, colour)
                moves.setdefault(letter, named_rays(game, known, mirrored=colour == BLACK)[0])
        if parent in _CASTLING_PARENTS and (castler := _natural_castler(game, colour, table)):
            moves[castler] = moves[castler].replace(_natural_castling(game), "")
        sides.append(moves)
    white, black = sides
    alike = {letter for letter, moves in white.items() if black.get(letter) == moves}
    found = [(f"{letter}&" if letter in alike else letter, moves) for letter, moves in white.items()]
    found += [(letter.lower(), moves) for letter, moves in black.items() if letter not in alike]
    return [(letter, moves) for letter, moves in found if moves]


def _natural_castling(game: Definition) -> str:
    """The distance over which XBoard's king castles by itself on a board of this width, in Betza's notation."""
    return f"isO{(game.width + 2) // 4}"


def _natural_castler(game: Definition, colour: int, table: str) -> str:
    """The letter of a side's king that XBoard castles by itself as the rules do; empty without such a king.

    Such castling is left out of the `piece` line, because XBoard allows a described castling out of check and across
    attacked squares. XBoard would then miss mates where the way to a rook is free, and forfeit the side that claims
    such a mate.
    """
    array = game.black if colour == BLACK else game.white
    royals = [file for file, number in enumerate(array) if number and game.piece(number).is_royal]
    if game.width not in _CASTLING_FILES or game.extra.start or game.extra.castling or game.extra.free_castling:
        return ""
    if len(royals) != 1 or royals[0] not in (game.width // 2, (game.width - 1) // 2) or not (array[0] and array[-1]):
        return ""
    half = table[len(table) // 2 :] if colour == BLACK else table[: len(table) // 2]
    king = game.piece(array[royals[0]])
    has_rooks = all(game.piece(number).letter.upper() == half[_ROOK].upper() for number in (array[0], array[-1]))
    reach = (game.width + 2) // 4
    is_natural = sorted(king.castles()) == [(-1, -reach), (1, reach)] and king.letter.upper() == half[-1].upper()
    return king.letter.upper() if is_natural and has_rooks else ""


def piece_table(game: Definition) -> str:
    """Letters of the pieces, ordered by picture: a piece gets the picture of its own letter if that picture is free."""
    halves = []
    for colour in (WHITE, BLACK):
        array = game.men(colour)
        letters = [game.piece(1 + colour).letter.upper()]
        royals = [game.piece(n).letter.upper() for n in array if n and game.piece(n).is_royal]
        royal = royals[0] if royals else "."
        for number in [*array, *game.promotions(colour, 0), *game.gates(colour)]:
            if number and game.piece(number).letter.upper() not in (*letters, royal):
                letters.append(game.piece(number).letter.upper())
        slots = ["."] * len(_PICTURES)
        # XBoard promotes every piece that has the picture of a pawn or a lance.
        is_lance = natural_parent(game) == "spartan" and strays(game, WHITE_PAWN + colour)
        slots[_LANCE if is_lance else 0] = letters[0]
        homeless = []
        for letter in letters[1:]:
            at = _PICTURES.find(letter)
            if at > 0 and slots[at] == ".":
                slots[at] = letter
            else:
                homeless.append(letter)
        free = [at for at in range(len(slots) - 1, 0, -1) if slots[at] == "." and at != _LANCE]
        for at, letter in zip(free, homeless, strict=False):
            slots[at] = letter
        halves.append("".join(slots) + royal)
    return halves[0] + halves[1].lower()


def refused_promotions(game: Definition) -> frozenset[tuple[int, int]]:
    """(colour, piece number) of the promotions that the rules allow but XBoard regards as illegal.

    In XBoard a pawn promotes to pieces in its side's half of the table. Without a table, in a game that XBoard knows, a
    pawn joins its own army (Spartan chess). Royal promotions are refused: XBoard allows royal promotions only for some
    numbers of royal pieces.
    """
    refused = set()
    for colour, array in ((WHITE, game.men(WHITE)), (BLACK, game.men(BLACK))):
        own = {game.piece(number).letter.lower() for number in array if number}
        if game.table:
            half = len(game.table) // 2
            own = set((game.table[half:] if colour else game.table[:half]).lower())
        elif game.name not in KNOWN_TO_XBOARD:
            continue  # our piece table for XBoard contains all of them
        for file in range(game.width):
            for number in game.promotions(colour, file)[1:]:
                piece = game.piece(number)
                if piece.is_royal or piece.letter.lower() not in own:
                    refused.add((colour, number))
    return frozenset(refused)


def refused_moves(game: Definition) -> Callable[[Board, int], bool]:
    """A function that returns whether XBoard regards a legal move on a board of this game as illegal.

    Such moves are promotions (above), moves of pawns that could promote and do not, and en passant against a checking
    pawn that is not beside the capturing pawn (Berolina): XBoard looks for check while the captured pawn is still
    there. XBoard has no en passant by or against a pawn that it shows as a lance (``natural_parent``). XBoard does
    not castle past a piece where the rules allow that. XBoard takes a piece gated in on the rook's square for a
    capture by the rook: it reads ``h1e1h`` as Rh1xd1 (4.9.1).
    """
    promotions = refused_promotions(game)
    has_lances = not (game.table or game.parent) and natural_parent(game) == "spartan"

    def is_refused(board: Board, move: int) -> bool:
        if (board.stm, promotion(move)) in promotions:
            return True
        if has_lances and move >> KIND_SHIFT == EN_PASSANT:
            return True
        if game.extra.promotion and declines(board, move):
            return True
        if move >> KIND_SHIFT == CASTLE_GATING and move >> PROMOTION_SHIFT & GATE_AT_PARTNER:
            return True
        start, target, taken = move & 255, move >> 8 & 255, move >> 16 & 255
        if move >> KIND_SHIFT == CASTLING:
            return any(board.squares[min(start, taken) + 1 : max(start, taken)])
        beside = start - start % game.width + target % game.width
        return move >> KIND_SHIFT == EN_PASSANT and taken != beside and bool(board.checkers >> taken & 1)

    return is_refused


def declines(board: Board, move: int) -> bool:
    """Return whether a pawn that could promote on this square stays a pawn."""
    return move >> KIND_SHIFT == NORMAL and any(
        other >> KIND_SHIFT == PROMOTION and other & _SQUARES == move & _SQUARES for other in board.legal_moves()
    )
