"""Writes annotated games as one self-contained HTML page: boards to step through, curves, and figures.

Python draws everything, so that figures and curves can be read without scripts. A small script moves the pieces.
Boards and pieces come from python-chess (``chess.svg``); each is drawn once in the page and referenced where needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path

import chess
import jinja2
from markupsafe import Markup

from ..common.goal import goal_text
from ..common.text import visible
from ..relevance import nags
from ..variants.definition import Definition
from ..variants.drawing import board_defs
from ..variants.notation import FILES, fen, split_move
from . import replay
from .attribution import Attribution
from .charts import NAG_DEFS, Scale, goal_chart, result_chart
from .evaluations import Evaluation, plain
from .movetext import Movetext
from .run import Annotated
from .source import SourceGame
from .summary import PlayerSummary, players_of
from .verdicts import Style, Verdict
from .written_game import Story

_FOLDER = Path(__file__).parent / "templates"
_SUBTITLE = ("Event", "Site", "Date", "Round")
_SQUARE, _MARGIN = 45, 15  # sizes in python-chess's boards
_SQUARE_NAME = re.compile(r"([a-p])(\d+)")
_ITEM = re.compile(r"\d+|[A-Za-z]")  # an item in a row of a FEN


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A move of the list. title: its evaluation and goal. after: comments and variations, in file order."""

    ply: int
    number: str
    text: Markup
    graded: bool
    title: str
    after: list[Markup]


@dataclass(slots=True)
class Section:
    """One game of the page, ready for the template."""

    number: int
    title: str
    subtitle: str
    outcome: str
    attribution: Attribution
    players: list[PlayerSummary]
    lead: list[Markup]
    moves: list[ShownMove]
    shown: int  # number of moves before the position on the board
    width: int  # width of the board; 0 for a chess board with drawn pieces
    height: int
    diagram: str
    diagram_caption: str
    result_svg: str
    goal_svg: str
    record: str
    judged: bool  # whether the game has figures to show
    first_number: int  # number of the first full move
    black_first: bool
    placements: list[str] = field(default_factory=list)
    last_moves: list[str] = field(default_factory=list)


def page(title: str, games: list[Annotated], style: Style) -> str:
    """Return the whole page."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        finalize=_shown_whole,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    sections = [_section(found, style) for found in games if found.game.plies]
    data = [
        {"p": section.placements, "m": section.last_moves, "w": section.width, "h": section.height}
        for section in sections
    ]
    return environment.get_template("report.html.j2").render(
        title=title,
        sections=sections,
        style=style,
        order=[nags.text(nag) for nag in nags.MOVE_ORDER],
        board_defs=board_defs(),
        grid=grid,
        nag_defs=NAG_DEFS,
        data=json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        css=(_FOLDER / "report.css").read_text("utf-8"),
        script=(_FOLDER / "report.js").read_text("utf-8"),
    )


def _shown_whole(value: object) -> object:
    """Escape bidirectional marks in texts from the file. The program's own markup is marked as safe and unchanged."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _section(found: Annotated, style: Style) -> Section:
    movetext = found.game.movetext
    tags = movetext.tags
    placements, last_moves = _positions(movetext)
    width, height = _size(found.game)
    records = found.game.records()
    shown = _key_ply(found.verdicts)
    story = Story(SourceGame(found.game.number, found.text.encode("latin-1")).movetext)
    scale = Scale(len(placements) - 1, movetext.first_number, movetext.black_first, shown)
    return Section(
        number=found.game.number,
        title=f"{tags.get('White', '?')} \u2013 {tags.get('Black', '?')}",
        subtitle=", ".join(tags[name] for name in _SUBTITLE if tags.get(name, "?").strip("?.-")),
        outcome=movetext.result,
        attribution=found.attribution,
        players=players_of(found),
        lead=story.lead,
        moves=_moves(found, story),
        shown=shown,
        width=width,
        height=height,
        diagram=diagram(placements[shown], last_moves[shown], width, height),
        diagram_caption=f"After {movetext.place(shown - 1)}" if shown else "Before the first move",
        result_svg=result_chart(found.verdicts, style.position_scheme, scale),
        goal_svg=goal_chart(found.game.codes, [record.code for record in records], scale),
        record=str(records[-1]),
        first_number=movetext.first_number,
        black_first=movetext.black_first,
        judged=any(verdict.loss is not None for verdict in found.verdicts),
        placements=placements,
        last_moves=last_moves,
    )


def _key_ply(found: list[Verdict]) -> int:
    """Return the ply to show without scripts: after the largest loss, or otherwise the last one."""
    losses = [verdict.loss or 0.0 for verdict in found]
    largest = max(losses)
    return losses.index(largest) + 1 if largest > 0 else len(found)


def _moves(found: Annotated, story: Story) -> list[ShownMove]:
    movetext = found.game.movetext
    moves = []
    for index, (written, verdict) in enumerate(zip(story.moves, found.verdicts, strict=True)):
        white = movetext.white_moves(index)
        broken = not index or bool(story.moves[index - 1].after)
        dots = "." if white else "\u2026"
        number = f"{movetext.number(index)}{dots}" if white or broken else ""
        goal = goal_text(found.game.codes[index + 1], 0 if white else 1)
        title = ", ".join(filter(None, [_judged(verdict), goal]))
        moves.append(ShownMove(index + 1, number, written.signed(), written.graded, title, written.after))
    return moves


def _judged(verdict: Verdict) -> str:
    """Return the evaluation of a move. For a symbol, add the evaluation of the move to which it was compared."""
    if verdict.evaluation is None:
        return ""
    text = _shown(verdict.evaluation)
    if not verdict.move_nag or verdict.reference is None:
        return text
    other = "best" if verdict.move_nag in nags.BAD_MOVE_NAGS else "next best"
    return f"{text}, {other} {_shown(verdict.reference)}"


def _shown(evaluation: Evaluation) -> str:
    return evaluation.text() if isinf(evaluation.pawns) else plain(evaluation.pawns)


# ---- boards ----


def _size(game: SourceGame) -> tuple[int, int]:
    """Return the files and ranks of the board; 0, 0 for chess, whose pieces have pictures."""
    kind = game.kind
    return (kind.width, kind.height) if isinstance(kind, Definition) else (0, 0)


def _positions(game: Movetext) -> tuple[list[str], list[str]]:
    """Return (placement of each position as in FEN, squares of the move that led to it), from the first position on."""
    first, played = replay.moves(game)
    board = first.copy()
    placements, last_moves = [_placement(board)], [""]
    for move in played:
        if isinstance(board, chess.Board):
            assert isinstance(move, chess.Move)
            last_moves.append(_squares(board, move))
        else:
            parts = split_move(str(move))
            last_moves.append("" if parts is None else parts[0] + parts[1])
        replay.push(board, move)
        placements.append(_placement(board))
    return placements, last_moves


def _placement(board: replay.Position) -> str:
    return board.board_fen() if isinstance(board, chess.Board) else fen(board.board).split()[0]


def _squares(board: chess.Board, move: chess.Move) -> str:
    """Return the from and to squares of a move; for castling, the king's squares."""
    if not move:
        return ""
    to_square = move.to_square
    if board.is_castling(move):
        king_to = chess.G1 if to_square > move.from_square else chess.C1
        to_square = chess.square(chess.square_file(king_to), chess.square_rank(move.from_square))
    return chess.square_name(move.from_square) + chess.square_name(to_square)


def diagram(placement: str, last_move: str, width: int = 0, height: int = 0) -> str:
    """Draw a board as SVG, White at the bottom. Without a size it is a chess board, drawn with ``board_defs``."""
    parts = []
    for file, rank in _SQUARE_NAME.findall(last_move):
        x, y = _corner(FILES.index(file), int(rank) - 1, height or 8)
        parts.append(f'<rect class="last" x="{x}" y="{y}" width="{_SQUARE}" height="{_SQUARE}"/>')
    if width:
        return "".join([*parts, *_letters(placement, height)])
    for square, man in chess.BaseBoard(placement).piece_map().items():
        x, y = _corner(chess.square_file(square), chess.square_rank(square), 8)
        parts.append(f'<use href="#{piece_name(man)}" transform="translate({x} {y})"/>')
    return "".join(parts)


def piece_name(man: chess.Piece) -> str:
    return f"{chess.COLOR_NAMES[man.color]}-{chess.PIECE_NAMES[man.piece_type]}"


def _corner(file: int, rank: int, height: int) -> tuple[int, int]:
    return _MARGIN + _SQUARE * file, _MARGIN + _SQUARE * (height - 1 - rank)


def _letters(placement: str, height: int) -> Iterator[str]:
    """Draw pieces without pictures, as letters in discs. The script draws them in the same way."""
    for index, row in enumerate(placement.split("/")):
        file = 0
        for item in _ITEM.findall(row):
            if item.isdigit():
                file += int(item)
                continue
            x, y = _corner(file, height - 1 - index, height)
            side = "white" if item.isupper() else "black"
            yield (
                f'<g class="man {side}" transform="translate({x} {y})"><circle cx="22.5" cy="22.5" r="18"/>'
                f'<text x="22.5" y="22.5">{item.upper()}</text></g>'
            )
            file += 1


def grid(width: int, height: int) -> str:
    """Draw the empty squares of a board of this size."""
    parts = []
    for rank in range(height):
        for file in range(width):
            x, y = _corner(file, rank, height)
            shade = "light" if (file + rank) % 2 else "dark"
            parts.append(f'<rect class="{shade}" x="{x}" y="{y}" width="{_SQUARE}" height="{_SQUARE}"/>')
    return "".join(parts)
