"""Shows a game to people: its array and a diagram of each piece's moves, as text or SVG."""

from __future__ import annotations

from html import escape

from standstill.cext.base.constants import BLACK, WHITE

from .betza import betza
from .definition import (
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
from .fairy_notation import letter_of
from .notation import FILES, diagram, fen

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from .notation import Board

_REACH = 4  # squares that a diagram shows on each side of the piece
_SIGNS = {0: ".", TAKES: "x", MOVES: "o", TAKES | MOVES: "*"}
_MAN, _INITIAL = "@", "i"
LEGEND = "@ the piece, * moves and takes, o moves only, x takes only, i from its first square only"

_CELL = 24
_COLOURS = {"*": "#2b6cb0", "o": "#2f855a", "x": "#c53030", "i": "#b7791f"}


def game_report(game: Definition, board: Board) -> str:
    """The array, its FEN, and for each piece the letter, value, Betza name, numbers and a diagram of moves, as text."""
    lines = [game.description or game.name, "", diagram(board), "", f"Fen: {fen(board)}", ""]
    for number, piece in enumerate(game.pieces, 1):
        used = ", ".join(_roles(game, number)) or "not in the array"
        lines += [f"{number:2d} {piece.letter}  {piece.value:5d}  {betza(game, number)}  ({used})"]
        lines += [f"   {piece}", *("   " + " ".join(row) for row in move_grid(game, number))]
    return "\n".join([*lines, LEGEND, *_promotions(game), *game.laws.lines()])


def explained(game: Definition) -> list[str]:
    """For each piece a line with its moves in Betza's notation and as the numbers of a file."""
    return [f"{game.name} {number} {betza(game, number)} = {piece}" for number, piece in enumerate(game.pieces, 1)]


def _promotions(game: Definition) -> list[str]:
    """What pawns may promote to, for each side; empty if they cannot promote at all."""
    lines = []
    for colour, name in ((WHITE, "White"), (BLACK, "Black")):
        rank = game.promotion_rank + 1 if colour == WHITE else game.height - game.promotion_rank
        if game.promotes_by_file:
            by_file = (game.promotions(colour, file)[0] for file in range(game.width))
            kinds = "by file " + " ".join(game.piece(number).letter.upper() if number else "-" for number in by_file)
        else:
            first, *others = game.promotions(colour, 0) or (0,)
            if not first:
                continue
            kinds = game.piece(first).letter.upper()
            kinds += " or ".join(["", *(game.piece(number).letter.upper() for number in others)]) or " only"
        lines.append(f"{name}'s pawns promote on rank {rank}: {kinds}")
    return lines


def _roles(game: Definition, number: int) -> list[str]:
    roles = ["White's pawn"] * (number == 1) + ["Black's pawn"] * (number == BLACK_PAWN)
    if game.piece(number).is_royal:
        roles.append("royal")
    white, black = game.men(WHITE), game.men(BLACK)
    if number in white and number in black:
        roles.append("both sides")
    elif number in white:
        roles.append("White's")
    elif number in black:
        roles.append("Black's")
    if number in (game.default_promotion(0), game.default_promotion(1)) and not game.promotes_by_file:
        roles.append("promotion")
    return roles


def move_grid(game: Definition, number: int) -> list[str]:
    """Where a piece in the middle of an empty board may go: rows of signs, White's last rank on top."""
    side = 2 * _REACH + 1
    rows = [["."] * side for _ in range(side)]
    for (right, up), sign in _targets(game, number).items():
        if abs(right) <= _REACH and abs(up) <= _REACH:
            rows[_REACH - up][_REACH + right] = sign
    rows[_REACH][_REACH] = _MAN
    return ["".join(row) for row in rows]


def _targets(game: Definition, number: int) -> dict[tuple[int, int], str]:
    """Target squares relative to the piece. Hoppers are shown as if a platform stood wherever it helps."""
    rights: dict[tuple[int, int], int] = {}
    first: set[tuple[int, int]] = set()
    for ray in game.piece(number).rays:
        squares: list[tuple[tuple[int, int], int]] = []
        if ray.is_initial:
            if number > BLACK_PAWN and ray.toggle == TAKES | MOVES:
                continue  # castling
            first.add(_far_end(ray))
            continue
        _walk(ray, squares)
        for square, mode in squares:
            rights[square] = rights.get(square, 0) | mode
    signs = {square: _SIGNS[mode] for square, mode in rights.items() if mode}
    return signs | {square: _INITIAL for square in first if square not in signs}


def _far_end(ray: Ray) -> tuple[int, int]:
    delay = ray.extra >> DELAY_SHIFT
    silent = (1 if delay == THIRD_RANK_DELAY else delay) + 1
    (right, up), (more, higher) = displacement(ray.step), displacement(ray.second)
    return silent * right + more, silent * up + higher


def _walk(ray: Ray, squares: list[tuple[tuple[int, int], int]]) -> None:
    if ray.extra & MULTI_PATH:
        squares.append((displacement(ray.step), ray.mode & 3))
        return
    right = up = 0
    step, mode, count, hopped = displacement(ray.step), ray.mode, ray.extra >> DELAY_SHIFT, False
    for _ in range(2 * _REACH):
        right, up = right + step[0], up + step[1]
        squares.append(((right, up), mode & 3))
        if mode & HOPS and not hopped:
            beyond = displacement(ray.second)
            reach = 1 if (mode ^ ray.toggle) & LEAPS else _REACH
            squares += [
                ((right + n * beyond[0], up + n * beyond[1]), (mode ^ ray.toggle) & 3) for n in range(1, reach + 1)
            ]
        elif not ray.toggle & HOPS:
            if mode & LEAPS:
                return
            if count == 0:
                step, mode = displacement(ray.second), mode ^ ray.toggle
            count -= 1
            continue
        if mode & LEAPS:
            return


def game_svg(game: Definition) -> str:
    """An SVG picture: the array, then each piece's moves."""
    side = 2 * _REACH + 1
    columns = 4
    board_width, board_height = game.width * _CELL, game.height * _CELL
    tile = side * _CELL
    rows = -(-len(game.pieces) // columns)
    width = max(board_width, columns * (tile + _CELL)) + 2 * _CELL
    height = board_height + rows * (tile + 2 * _CELL) + 4 * _CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'font-family="sans-serif" font-size="{_CELL * 2 // 3}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{_CELL}" y="{_CELL}">{escape(game.name)}: {escape(game.description)}</text>',
    ]
    men = {sq: letter_of(game, man) for sq, man in enumerate(game.start) if man}
    for sq in range(game.squares):
        file, rank = sq % game.width, sq // game.width
        x, y = _CELL + file * _CELL, _CELL * 3 // 2 + (game.height - 1 - rank) * _CELL
        parts.append(_cell(x, y, (file + rank) % 2 == 0, men.get(sq, "")))
    for file in range(game.width):
        x, y = _CELL * 3 // 2 + file * _CELL, _CELL * 9 // 4 + board_height
        parts.append(f'<text x="{x}" y="{y}" text-anchor="middle">{FILES[file]}</text>')
    top = board_height + 3 * _CELL
    for index, piece in enumerate(game.pieces):
        left, upper = _CELL + index % columns * (tile + _CELL), top + index // columns * (tile + 2 * _CELL)
        parts.append(
            f'<text x="{left}" y="{upper + _CELL}">{index + 1} {piece.letter} {escape(betza(game, index + 1))}</text>'
        )
        for row, signs in enumerate(move_grid(game, index + 1)):
            for column, sign in enumerate(signs):
                x, y = left + column * _CELL, upper + _CELL * 5 // 4 + row * _CELL
                letter = piece.letter.upper() if sign == _MAN else ""
                parts.append(_cell(x, y, (row + column) % 2 == 1, letter, _COLOURS.get(sign, "")))
    return "\n".join([*parts, "</svg>", ""])


def _cell(x: int, y: int, dark: bool, letter: str, dot: str = "") -> str:
    text = f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{"#d8c3a5" if dark else "#f4ecdf"}"/>'
    middle_x, middle_y = x + _CELL // 2, y + _CELL // 2
    if dot:
        text += f'<circle cx="{middle_x}" cy="{middle_y}" r="{_CELL // 4}" fill="{dot}"/>'
    if letter:
        text += f'<text x="{middle_x}" y="{y + _CELL * 3 // 4}" text-anchor="middle">{letter}</text>'
    return text
