"""Describes a game as text: its start position and a diagram of each piece's moves."""

from __future__ import annotations

from typing import NamedTuple

from standstill.cext.base.constants import BLACK, WHITE

from .betza import betza
from .definition import (
    BEFORE_PLATFORM,
    BLACK_PAWN,
    DELAY_SHIFT,
    HOPS,
    LEAPS,
    MOVES,
    MULTI_PATH,
    TAKES,
    THIRD_RANK_DELAY,
    Definition,
    Ray,
    displacement,
)
from .notation import diagram, fen
from .workshop.rule_words import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.fairy.fairy_board import FairyBoard

    from .notation import Board

REACH = 4  # number of squares of a diagram on each side of the piece
_SIGNS = {0: ".", TAKES: "x", MOVES: "o", TAKES | MOVES: "*"}
_MAN, _INITIAL = "@", "i"
LEGEND = "@ the piece, * moves and captures, o moves only, x captures only, i first move only"
_OUTSIDE = "-"
ZONE_LEGEND = f", {_OUTSIDE} outside the zone"
Square = tuple[int, int]  # files to the right, ranks upwards


def game_report(game: Definition, board: Board) -> str:
    """Return the start position and its FEN, and each piece's letter, value, moves, numbers and diagram, as text.

    The rules follow: promotions, then the lines of the definition, each with its meaning.
    """
    if TYPE_CHECKING:
        assert isinstance(board, FairyBoard)
    lines = [game.description or game.name, "", diagram(board), "", f"Fen: {fen(board)}", ""]
    for number, piece in enumerate(game.pieces, 1):
        used = ", ".join(roles(game, number)) or "not in the start position"
        value = piece.value or board.rules.mobility_cp(number)  # the number 0 leaves the value to the engine
        letter = game.symbol(number) if game.base_of(number) else piece.letter
        lines += [f"{number:2d} {letter:2} {value:5d}  {betza(game, number)}  ({used})"]
        grids = [("", move_grid(game, number)), *zone_grids(game, board, number)]
        lines += [f"   {piece}"]
        for title, rows in grids:
            lines += [f"   {title}"] * bool(title) + ["   " + " ".join(row) for row in rows]
    legend = LEGEND + ZONE_LEGEND * bool(game.extra.zones or game.extra.within)
    rules: list[str] = []
    for words, line in in_words(game):
        rules += [line, f"   {words}"] if line else [words]
    return "\n".join([*lines, legend, *rules])


def explained(game: Definition) -> list[str]:
    """Return a line for each piece: its moves in Betza's notation and as the numbers of a definition file."""
    return [f"{game.name} {number} {betza(game, number)} = {piece}" for number, piece in enumerate(game.pieces, 1)]


def roles(game: Definition, number: int) -> list[str]:
    roles = ["White's pawn"] * (number == 1) + ["Black's pawn"] * (number == BLACK_PAWN)
    if game.piece(number).is_royal:
        roles.append("royal")
    white, black = ((*game.men(colour), *game.gates(colour)) for colour in (WHITE, BLACK))
    if number in white and number in black:
        roles.append("both sides, mirrored for Black" if game.is_mirrored(number) else "both sides")
    elif number in white:
        roles.append("White's")
    elif number in black:
        roles.append("Black's")
    if number in (*game.gates(WHITE), *game.gates(BLACK)):
        roles.append("in hand at the start")
    has_default = not (game.promotes_by_file or game.extra.forms)
    if has_default and number in (game.default_promotion(0), game.default_promotion(1)):
        roles.append("promotion")
    if bases := dict.fromkeys(game.piece(base).letter.upper() for base, form in game.forms if form == number):
        roles.append(f"promoted {' and '.join(bases)}")
    return roles


def move_grid(game: Definition, number: int) -> list[str]:
    """Return the diagram of a piece's moves on an empty board: rows of characters, White's last rank on top."""
    side = 2 * REACH + 1
    rows = [["."] * side for _ in range(side)]
    for (right, up), sign in _signs(game, number).items():
        if abs(right) <= REACH and abs(up) <= REACH:
            rows[REACH - up][REACH + right] = sign
    rows[REACH][REACH] = _MAN
    return ["".join(row) for row in rows]


def limits(game: Definition, number: int) -> list[str]:
    """Return the effect of zones on a piece: the squares that it may not leave, and moves that depend on its square."""
    letter, is_black = game.piece(number).letter.lower(), game.sides_of(number)[:1] == [BLACK]
    laws = game.extra
    found = [f"only on {zone.on_board(game.height, is_black)}" for zone in laws.zones if letter in zone.letters.lower()]
    for zone in laws.within:
        if letter in zone.letters.lower():
            found.append(f"on {zone.on_board(game.height, is_black)} also {' '.join(zone.moves)}")
    return found


def zone_grids(game: Definition, board: FairyBoard, number: int) -> list[tuple[str, list[str]]]:
    """Return (title, diagram of the board) for the zone of a piece and for each area with moves of its own.

    The piece stands on the first of the squares from which it has the most moves.
    """
    areas = [bits for bits, _ in game.areas_of(number)]
    zone = game.zones.get(number)
    found = []
    for title, squares in zip(limits(game, number), ([] if zone is None else [zone]) + areas, strict=True):
        targets = {
            sq: {to: rights for to, rights, *_ in board.rules.paths(number, sq) if rights & (TAKES | MOVES)}
            for sq in range(game.squares)
            if squares >> sq & 1
        }
        home = max(targets, key=lambda sq: (len(targets[sq]), -sq))
        signs = [_SIGNS[0] if squares >> sq & 1 else _OUTSIDE for sq in range(game.squares)]
        for to, rights in targets[home].items():
            signs[to] = _SIGNS[rights & (TAKES | MOVES)]
        signs[home] = _MAN
        text = "".join(signs)
        ranks = range(game.squares - game.width, -1, -game.width)
        found.append((f"{title}:", [text[at : at + game.width] for at in ranks]))
    return found


def _signs(game: Definition, number: int) -> dict[Square, str]:
    """Return, for each square relative to the piece, the character that shows the rights of the piece there."""
    rights: dict[Square, int] = {}
    first: set[Square] = set()
    for way in ways(game, number):
        for step in way.steps:
            if way.is_first:
                first.add(step.square)
            else:
                rights[step.square] = rights.get(step.square, 0) | step.modes
    signs = {square: _SIGNS[mode] for square, mode in rights.items() if mode}
    return signs | {square: _INITIAL for square in first if square not in signs}


class Step(NamedTuple):
    """A square on the path of a piece, relative to the piece."""

    square: Square
    modes: int  # TAKES, MOVES or both; 0 if the piece only passes over the square
    is_hop: bool = False  # whether the piece reaches the square by hopping over another piece


class Way(NamedTuple):
    """The squares of one ray on an empty board. Hoppers may hop over an imaginary piece anywhere."""

    steps: tuple[Step, ...]
    goes_on: bool = False  # whether the path continues to the edge of the board
    is_first: bool = False  # whether only a piece that has not moved can take this path


def ways(game: Definition, number: int) -> list[Way]:
    """Return the paths of a piece, without castling, up to twice the reach of a diagram."""
    found = []
    for ray in game.piece(number).rays:
        if not ray.is_initial:
            found.append(_way(ray))
        elif ray.toggle != TAKES | MOVES or number <= BLACK_PAWN:
            found.append(Way((Step(_far_end(ray), ray.toggle & 3),), is_first=True))
    return found


def _far_end(ray: Ray) -> Square:
    delay = ray.extra >> DELAY_SHIFT
    silent = (1 if delay == THIRD_RANK_DELAY else delay) + 1
    (right, up), (more, higher) = displacement(ray.step), displacement(ray.second)
    return silent * right + more, silent * up + higher


def _way(ray: Ray) -> Way:
    if ray.extra & MULTI_PATH:
        return Way((Step(displacement(ray.step), ray.mode & 3),))
    if ray.mode & HOPS:
        return _hopping_way(ray)
    right = up = 0
    (more, higher), mode, count = displacement(ray.step), ray.mode, ray.extra >> DELAY_SHIFT
    steps: list[Step] = []
    while len(steps) < 2 * REACH:
        right, up = right + more, up + higher
        steps.append(Step((right, up), mode & 3))
        if mode & LEAPS:
            return Way(tuple(steps))
        if count == 0 and not ray.toggle & HOPS:
            (more, higher), mode = displacement(ray.second), mode ^ ray.toggle
        count -= 1
    return Way(tuple(steps), goes_on=True)


def _hopping_way(ray: Ray) -> Way:
    """Return the first leg, and the second leg from each square of the first."""
    right, up = displacement(ray.step)
    beyond, mode = displacement(ray.second), ray.mode ^ ray.toggle
    first = 1 if ray.mode & LEAPS else 2 * REACH
    steps = [Step((n * right, n * up), ray.mode & 3) for n in range(1, first + 1)]
    for n in range(1, first + 1):
        at = n - 1 if ray.extra & BEFORE_PLATFORM else n
        reach = 1 if mode & LEAPS else 2 * REACH
        steps += [
            Step((at * right + m * beyond[0], at * up + m * beyond[1]), mode & 3, is_hop=True)
            for m in range(1, reach + 1)
        ]
    return Way(tuple(steps), goes_on=not ray.mode & LEAPS)
