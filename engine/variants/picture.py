"""Pictures of games: boards and the moves of their pieces as SVG, and a web page about several games.

Marks distinguish captures from quiet moves, lines distinguish sliders from leapers, and diamonds mark squares that are
reached by hopping. Colour only repeats what the shapes show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import pairwise
from pathlib import Path

import jinja2

from standstill.cext.base.constants import BLACK, WHITE

from .betza import betza
from .definition import BLACK_PAWN, HILL_NUMBER, MOVES, TAKES, Definition
from .notation import FILES
from .placement import BLACK_MAN
from .show import REACH, Square, Way, limits, roles, ways
from .workshop.rule_words import in_words
from .zoning.lines import PALACE, RIVER, board_lines, path_of

Point = tuple[float, float]  # x and y from the upper left corner, in pixels

_FOLDER = Path(__file__).parent / "templates"
_CELL = 32  # width of a board's square, in pixels
_SMALL = 18  # width of a diagram's square, in pixels
_ASIDE = 3.5  # distance from the middle for marks that share a square
_MARGIN = 22  # space for the labels of files and ranks
_COLUMNS = 4  # diagrams per row
_LINE = 17  # height of a line of text
_LEGEND_WIDTH, _LEGEND_HEIGHT = 260, 200
_TITLE = 'font-size="18" font-weight="bold"'
_TITLE_LETTER, _TITLE_LINE = 11, 24  # mean width of its letters, and height of its lines
_WIDEST = 25  # characters per line of a caption
_GRID = "diagram-squares"

_LIGHT, _DARK = "#f4ecdf", "#d8c3a5"
_BOTH, _QUIET, _TAKING, _WAY = "#2b6cb0", "#26774a", "#c02626", "#6b7280"
_LINE_STYLES = {PALACE: 'stroke="#5b3d1e" stroke-width="1.5"', RIVER: 'stroke="#2f7fae" stroke-width="5"'}
_DASHED, _DOTTED = ' stroke-dasharray="3 3"', ' stroke-dasharray="1 3" stroke-width="1.5"'
# Marks of the legend: text, modes, whether the square is reached by hopping, whether only the first move reaches it.
LEGEND = (
    ("moves and captures", TAKES | MOVES, False, False),
    ("moves only", MOVES, False, False),
    ("captures only", TAKES, False, False),
    ("after hopping over a piece", TAKES | MOVES, True, False),
    ("first move only", MOVES, False, True),
)
LINE_LEGEND = (
    "A solid line needs empty squares; a dotted line leaps over everything between its marks; a "
    "dashed line leads to a piece to hop over."
)


def defs() -> str:
    """Return the SVG definitions that the diagrams of a document share: the squares and the arrowhead."""
    side = 2 * REACH + 1
    dark = "".join(
        f"M{column * _SMALL} {row * _SMALL}h{_SMALL}v{_SMALL}h-{_SMALL}z"
        for row in range(side)
        for column in range(side)
        if (row + column) % 2
    )
    full = side * _SMALL
    return (
        f'<defs><g id="{_GRID}"><rect width="{full}" height="{full}" fill="{_LIGHT}"/>'
        f'<path d="{dark}" fill="{_DARK}"/></g>'
        '<marker id="goes-on" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{_WAY}"/></marker></defs>'
    )


def board_svg(game: Definition, attributes: str = "") -> str:
    """Return the start position with labels of files and ranks, as an SVG element."""
    width, height = game.width * _CELL + 2 * _MARGIN, game.height * _CELL + 2 * _MARGIN
    parts = [_opening(width, height, f"start position of {game.name}", attributes)]
    for sq in range(game.squares):
        file, rank = sq % game.width, sq // game.width
        x, y = _MARGIN + file * _CELL, _MARGIN + (game.height - 1 - rank) * _CELL
        fill = _LIGHT if (file + rank) % 2 else _DARK
        parts.append(f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{fill}"/>')
    for kind, lines in board_lines(game).items():
        path = path_of(lines, game.height, _CELL, _MARGIN)
        parts.append(f'<path class="{kind}" d="{path}" fill="none" {_LINE_STYLES[kind]}/>')
    for sq in range(game.squares):
        if game.start[sq]:
            x, y = _MARGIN + sq % game.width * _CELL, _MARGIN + (game.height - 1 - sq // game.width) * _CELL
            letter = game.piece(game.start[sq] & 15).letter.upper()
            parts.append(_man(x + _CELL // 2, y + _CELL // 2, _CELL * 2 // 5, letter, game.start[sq] >= BLACK_MAN))
    for file in range(game.width):
        x = _MARGIN + file * _CELL + _CELL // 2
        parts += [_label(x, y, FILES[file]) for y in (_MARGIN // 2, height - _MARGIN // 2)]
    for rank in range(game.height):
        y = _MARGIN + (game.height - 1 - rank) * _CELL + _CELL // 2
        parts += [_label(x, y, str(rank + 1)) for x in (_MARGIN // 2, width - _MARGIN // 2)]
    return "".join([*parts, "</svg>"])


def moves_svg(game: Definition, number: int, attributes: str = "") -> str:
    """Return a diagram of a piece's moves from the middle of a board, as SVG. The document must include ``defs``."""
    full = (2 * REACH + 1) * _SMALL
    letter = game.piece(number).letter.upper()
    found = ways(game, number)
    lines = dict.fromkeys(line for way in found if (line := _line(way)))
    marks: dict[tuple[Square, bool, bool], int] = {}
    for way in found:
        for step in way.steps:
            if _is_inside(step.square) and step.modes:
                place = step.square, step.is_hop, way.is_first
                marks[place] = marks.get(place, 0) | step.modes
    for square, is_hop, is_first in list(marks):
        if is_first and (square, is_hop, False) in marks:
            del marks[square, is_hop, True]
    shared = {square for square, is_hop, _ in marks if is_hop} & {square for square, is_hop, _ in marks if not is_hop}
    shapes = []
    for (square, is_hop, is_first), modes in marks.items():
        x, y = _place(square)
        aside = (_ASIDE if is_hop else -_ASIDE) if square in shared else 0  # two marks share the square
        shapes.append(_mark((x + aside, y - aside), modes, is_hop, is_first, 0.75 if aside else 1))
    white, black = ((*game.men(colour), *game.gates(colour)) for colour in (WHITE, BLACK))
    is_black = number == BLACK_PAWN or (number in black and number not in white)
    return "".join(
        [
            _opening(full, full, f"moves of {letter}", attributes),
            f'<use href="#{_GRID}"/>',
            *lines,
            *shapes,
            _man(*_place((0, 0)), _SMALL * 2 // 5, letter, is_black),
            "</svg>",
        ]
    )


def _opening(width: int, height: int, title: str, attributes: str) -> str:
    size = attributes or f'width="{width}" height="{height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} role="img" '
        f'font-family="sans-serif"><title>{escape(title)}</title>'
    )


def _label(x: int, y: int, text: str) -> str:
    middle = 'text-anchor="middle" dominant-baseline="central"'
    return f'<text x="{x}" y="{y}" font-size="13" fill="#555" {middle}>{text}</text>'


def _man(x: float, y: float, radius: int, letter: str, is_black: bool) -> str:
    fill, ink = ("#333", "#fff") if is_black else ("#fff", "#111")
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius}" fill="{fill}" stroke="#333"/>'
        f'<text x="{x:g}" y="{y:g}" font-size="{radius * 4 // 3}" font-weight="bold" fill="{ink}" text-anchor="middle" '
        f'dominant-baseline="central">{escape(letter)}</text>'
    )


def _is_inside(square: Square) -> bool:
    return max(map(abs, square)) <= REACH


def _place(square: Square) -> Point:
    """Return the centre of a square of a diagram."""
    right, up = square
    return (REACH + right + 0.5) * _SMALL, (REACH - up + 0.5) * _SMALL


def _line(way: Way) -> str:
    """Return the line that shows a slider, a path or a hop over a piece; empty for a leap."""
    squares = [step.square for step in way.steps if not step.is_hop]
    if way.is_first or (len(squares) < 2 and not way.steps[-1].is_hop):
        return ""
    inside: list[Square] = []
    for square in squares:
        if not _is_inside(square):
            break
        inside.append(square)
    if not inside:
        return ""
    points = [*map(_place, [(0, 0), *inside]), *_onward(way, squares, inside)]
    parts: list[tuple[str, list[Point]]] = []
    for at, (start, end) in enumerate(pairwise([(0, 0), *squares][: len(points)])):
        style = _DASHED if way.steps[-1].is_hop else _DOTTED if _is_leap(start, end) else ""
        if not parts or parts[-1][0] != style:
            parts.append((style, [points[at]]))
        parts[-1][1].append(points[at + 1])
    drawn = []
    for at, (style, corners) in enumerate(parts, 1):
        arrow = ' marker-end="url(#goes-on)"' if way.goes_on and at == len(parts) else ""
        text = " ".join(f"{x:g},{y:g}" for x, y in corners)
        drawn.append(f'<polyline points="{text}" fill="none" stroke="{_WAY}"{style}{arrow}/>')
    return "".join(drawn)


def _is_leap(start: Square, end: Square) -> bool:
    """Return whether there are squares between two squares of a path."""
    return max(abs(end[0] - start[0]), abs(end[1] - start[1])) > 1


def _onward(way: Way, squares: list[Square], inside: list[Square]) -> list[Point]:
    """Return the tip of the arrow for a path that leaves the diagram, or an empty list."""
    if not way.goes_on or len(inside) == len(squares):
        return []
    (x, y), (to_x, to_y) = _place(inside[-1]), _place(squares[len(inside)])
    longest = max(abs(to_x - x), abs(to_y - y))
    return [(x + (to_x - x) / longest * _SMALL / 2, y + (to_y - y) / longest * _SMALL / 2)]


def _mark(at: Point, modes: int, is_hop: bool, is_first: bool, size: float = 1) -> str:
    """Draw a mark. Solid means moves and captures; hollow: moves; cross: captures; diamond: reached by hopping."""
    x, y = at
    half = _SMALL * size * (0.36 if is_hop else 0.24)
    colour = {TAKES: _TAKING, MOVES: _QUIET}.get(modes, _BOTH)
    fill = colour if modes == TAKES | MOVES else "none"
    paint = f'fill="{fill}" stroke="{colour}" stroke-width="2"'
    parts = []
    if is_hop:
        diamond = f"M{x:g} {y - half:g}l{half:g} {half:g}l-{half:g} {half:g}l-{half:g} -{half:g}z"
        parts.append(f'<path d="{diamond}" {paint}/>')
    elif modes & MOVES:
        parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{half:g}" {paint}/>')
    if modes == TAKES:
        arm = _SMALL * size * (0.14 if is_hop else 0.24)
        cross = f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 -{2 * arm:g}l-{2 * arm:g} {2 * arm:g}"
        parts.append(f'<path d="{cross}" stroke="{colour}" stroke-width="2.5" fill="none"/>')
    if is_first:
        parts.append(f'<text x="{x + half + 1:g}" y="{y - 1:g}" font-size="9" font-weight="bold" fill="#111">1</text>')
    return "".join(parts)


def mark_svg(modes: int, is_hop: bool, is_first: bool) -> str:
    """Return a single mark for a legend. The mark of a first move is wider, for the number 1 on its right."""
    width = _SMALL + 4 * is_first
    return f"{_opening(width, _SMALL, 'mark', '')}{_mark((_SMALL / 2, _SMALL / 2), modes, is_hop, is_first)}</svg>"


def captions(game: Definition, number: int) -> tuple[str, str, str]:
    """Return the caption of a piece: (letter and value, moves in Betza's notation, properties)."""
    piece = game.piece(number)
    value: str | int = piece.value
    if game.has_hill and number == HILL_NUMBER:
        value = "royal, wins on the hill"
    elif piece.is_royal:
        value = f"royal, spare worth {piece.worth}" if piece.has_spare_value else "royal"
    letter = piece.letter.upper()
    castlings = sorted({abs(files) for _, files in piece.castles()})
    castling = f", castles by {' or '.join(map(str, castlings))}" if castlings else ""
    parts = [role for role in roles(game, number) if role != "royal"] or ["not in the start position"]
    return f"{letter}  {value}", betza(game, number), ", ".join([*parts, *limits(game, number)]) + castling


def game_svg(game: Definition) -> str:
    """Return an SVG document with the start position, the legend, and each piece's moves with its value."""
    full = (2 * REACH + 1) * _SMALL
    wide, gap = full + 24, 20
    board_width, board_height = game.width * _CELL + 2 * _MARGIN, game.height * _CELL + 2 * _MARGIN
    width = max(board_width + gap + _LEGEND_WIDTH, _COLUMNS * wide - 24) + 2 * gap
    title = [*_wrapped(game.description or game.name, (width - 2 * gap) // _TITLE_LETTER)]
    body = [_text(gap, 2 * _LINE + n * _TITLE_LINE, line, _TITLE) for n, line in enumerate(title)]
    top = 3 * _LINE + (len(title) - 1) * _TITLE_LINE
    body.append(board_svg(game, f'x="{gap}" y="{top}" width="{board_width}" height="{board_height}"'))
    body += _legend(board_width + 2 * gap, top + 2 * _LINE)
    top += max(board_height, _LEGEND_HEIGHT) + gap
    numbers = range(1, len(game.pieces) + 1)
    for first in range(0, len(numbers), _COLUMNS):
        row = [(number, _lines_below(game, number)) for number in numbers[first : first + _COLUMNS]]
        for column, (number, lines) in enumerate(row):
            left = gap + column * wide
            body.append(_text(left, top, lines[0], 'font-weight="bold"'))
            body.append(moves_svg(game, number, f'x="{left}" y="{top + 6}" width="{full}" height="{full}"'))
            body += [_text(left, top + full + 6 + n * _LINE, line) for n, line in enumerate(lines[1:], 1)]
        top += full + (1 + max(len(lines) for _, lines in row)) * _LINE + 8
    body += [_text(gap, top + n * _LINE, line) for n, line in enumerate(rules(game))]
    height = top + (len(rules(game)) + 1) * _LINE
    size = f'width="{width}" height="{height}" font-size="12"'
    background = f'<rect width="{width}" height="{height}" fill="white"/>'
    return "\n".join([_opening(width, height, game.name, size), defs(), background, *body, "</svg>", ""])


def _legend(left: int, top: int) -> Iterator[str]:
    for text, modes, is_hop, is_first in LEGEND:
        yield _mark((left + _SMALL / 2, top - 5), modes, is_hop, is_first) + _text(left + 28, top, text)
        top += _LINE + 2
    for line in _wrapped(LINE_LEGEND, 38):
        yield _text(left, top, line)
        top += _LINE


def rules(game: Definition) -> list[str]:
    """Return the rules of promotion and by values in words, and the lines of the others."""
    return [line or words for words, line in in_words(game)]


def _lines_below(game: Definition, number: int) -> list[str]:
    title, *rest = captions(game, number)
    return [title, *(line for text in rest for line in _wrapped(text, _WIDEST))]


def _wrapped(text: str, width: int) -> Iterator[str]:
    """Yield the text in lines, broken at blanks if possible."""
    while len(text) > width:
        at = text.rfind(" ", 0, width + 1)
        at = at if at > 0 else width
        yield text[:at]
        text = text[at:].lstrip()
    yield text


def _text(x: int, y: int, text: str, attributes: str = "") -> str:
    return f'<text x="{x}" y="{y}" {attributes} xml:space="preserve">{escape(text)}</text>'


def page(games: Iterable[Definition], title: str) -> str:
    """Return a web page about the games of one file: start position, rules and piece moves of each game."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    sections = [
        {
            "name": game.name,
            "description": game.description,
            "size": f"{game.width}x{game.height}",
            "board": board_svg(game, f'class="board" style="max-width:{game.width * _CELL + 2 * _MARGIN}px"'),
            "rules": in_words(game),
            "pieces": [
                {
                    "captions": captions(game, number),
                    "numbers": str(piece),
                    "moves": moves_svg(game, number, 'class="moves"'),
                }
                for number, piece in enumerate(game.pieces, 1)
            ],
        }
        for game in games
    ]
    return environment.get_template("games.html.j2").render(
        title=title,
        games=sections,
        defs=defs(),
        legend=[(mark_svg(modes, is_hop, is_first), text) for text, modes, is_hop, is_first in LEGEND],
        lines=LINE_LEGEND,
    )
