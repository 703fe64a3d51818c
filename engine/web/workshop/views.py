"""A game of a text as the page receives it: the array, its pieces, and the squares that one of the pieces can reach."""

from __future__ import annotations

from standstill.cext.base.constants import BLACK, WHITE

from ...common.errors import ArgumentError, DefinitionError
from ...variants.betza import betza
from ...variants.boards import rules_of, start_fen
from ...variants.definition import BLACK_PAWN, MOVES, TAKES, Definition
from ...variants.picture import defs, game_svg, moves_svg, page
from ...variants.show import roles
from ...variants.workshop.reach import reach
from ...variants.workshop.rule_words import in_words
from ..positions import SIDES, game_of
from .findings import Examined, examined

_PARTS = {TAKES: "takes", MOVES: "moves", TAKES | MOVES: "both"}


def checked(text: str, name: str) -> dict[str, object]:
    """What the page shows of a text: findings, the list of games, and the chosen game or the first one."""
    found = examined(text)
    game = found.find(name)
    return {
        "findings": [each.view() for each in found.findings],
        "games": [{"name": each.name, "line": found.lines[each.name]} for each in found.games],
        "game": None if game is None else _view(game),
    }


def chosen(text: str, name: str) -> Definition:
    """Return a game of a text. Raises DefinitionError with the first mistake if the text has no such game."""
    found: Examined = examined(text)
    if any(game.name == name for game in found.games):
        game = found.find(name)
        assert game is not None
        return game
    first = next((each for each in found.findings if each.is_mistake), None)
    where = f": line {first.line}: {first.text}" if first is not None else ""
    raise DefinitionError(f"expected a game {name!a:.40} without mistakes{where}")


def _view(game: Definition) -> dict[str, object]:
    return {
        **game_of(game, game.description or game.name),
        "fen": start_fen(game),
        "array": list(game.start),
        "pieces": [_piece(game, number) for number in range(1, len(game.own_pieces) + 1)],
        "rules": [{"words": words, "line": line} for words, line in in_words(game)],
    }


def _piece(game: Definition, number: int) -> dict[str, object]:
    piece = game.piece(number)
    sides = [SIDES[colour] for colour in (WHITE, BLACK) if _has(game, number, colour)]
    is_black = sides == [SIDES[BLACK]]
    return {
        "number": number,
        "letter": piece.letter.lower() if is_black else piece.letter.upper(),
        "side": SIDES[BLACK if is_black else WHITE],
        "sides": sides,
        "value": piece.value if piece.value else rules_of(game).mobility_cp(number),
        "computed": not piece.value,
        "royal": piece.is_royal,
        "moves": betza(game, number),
        "roles": ", ".join(roles(game, number)) or "not in the start position",
        "line": str(piece),
    }


def _has(game: Definition, number: int, colour: int) -> bool:
    """Whether a side can have the piece, from the beginning or by promotion."""
    if number <= BLACK_PAWN:
        return number == BLACK_PAWN if colour == BLACK else number != BLACK_PAWN
    promotions = {game.untwinned(to) for file in range(game.width) for to in game.promotions(colour, file)}
    forms = {game.untwinned(form) for _, form in game.forms}
    return number in (*game.men(colour), *game.gates(colour)) or number in promotions | forms


def reach_view(game: Definition, number: int, square: int, colour: int) -> dict[str, object]:
    """Where a piece goes. Raises ArgumentError for a piece or square that the game does not have."""
    if not 1 <= number <= len(game.own_pieces) or not 0 <= square < game.squares:
        raise ArgumentError(f"expected a piece and a square of {game.name!a:.40}, found {number} and {square}")
    found = reach(game, number, square, colour)
    return {
        "marks": [
            {
                "square": mark.square,
                "how": _PARTS[mark.modes],
                "hop": mark.is_hop,
                "first": mark.is_first,
                "castling": mark.is_castling,
            }
            for mark in found.marks
        ],
        "lines": found.lines,
    }


def picture(game: Definition, number: int) -> str:
    """A picture as SVG: the moves of a piece, or the whole game for number 0."""
    if not number:
        return game_svg(game)
    if number > len(game.own_pieces):
        raise ArgumentError(f"expected a piece of {game.name!a:.40}, found {number}")
    drawn = moves_svg(game, number)
    head, _, rest = drawn.partition("</title>")
    return f"{head}</title>{defs()}{rest}\n"


def single_page(text: str, title: str) -> str:
    """The page of `variants show --html` for all games of the text. Raises DefinitionError if the text has mistakes."""
    found = examined(text)
    if not found.is_faultless or not found.games:
        first = next((each for each in found.findings if each.is_mistake), None)
        where = "" if first is None else f", found line {first.line}: {first.text}"
        raise DefinitionError(f"expected a text with games and without mistakes{where}")
    return page(found.games, title)
