"""Finds puzzles in games: moves that were hard and decided something, and R-Mobility puzzles.

Moves come from the evaluations and signs of the file, as `annotate` and other programs write them, or from this
program's analysis. The engine decides later (``checking``) whether a position makes a puzzle.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...annotate import replay
from ...annotate.attribution import of_comments
from ...annotate.source import SourceGame
from ...annotate.verdicts import JudgedPosition, Style, positions_of_comments, verdicts
from ...common.text import visible
from ...relevance.model import BAD_MOVES, GOOD_MOVES
from ...relevance.presets import OWN
from ...relevance.trainer import FITTED
from ...variants.boards import new_board
from ...variants.notation import NULL_MOVE, fen, move_text, parse_move, san
from ..positions import changed_squares
from . import mobility
from .puzzle import FEWEST, MOVE, SIDE, Origin, Puzzle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...rmobility.goals import Goal
    from ...variants.notation import Board

LEAST_LOSS = FITTED.losses[0]  # minimum loss of a mistake, as a share of the whole area: the minimum loss of ?!
_BAD_SIGNS = BAD_MOVES[1:]  # a move that a human annotator marks by ?! may be a matter of taste

_NULLS = (NULL_MOVE, "0000")  # as the core and as python-chess write a null move

Marks = dict[int, bool]  # indices of moves: True for a mistake, False for a move worth finding


@dataclass(frozen=True, slots=True)
class Game:
    """A game with its puzzles. is_judged: whether the file has evaluations or signs of any of its moves. moves:
    number of half-moves.
    """

    origin: Origin
    is_judged: bool
    moves: int
    puzzles: list[Puzzle]


def puzzles_of(number: int, raw: bytes, known: Marks | None = None) -> Game | None:
    """The puzzles of a game.

    None for a game that cannot be read. known: the judgements from this program's analysis.
    """
    source = SourceGame(number, raw)
    if source.fault is not None:
        return None
    marks, is_judged = marks_of_file(source)
    if known is not None:
        marks, is_judged = {**known, **marks}, True
    origin, found = _origin(source), list[Puzzle]()
    fewest, sides = list[tuple[mobility.Rating, Puzzle]](), list[tuple[mobility.Rating, Puzzle]]()
    for place in _places(source):
        if place.ply in marks:
            found.append(replace(_puzzle(source, origin, place, MOVE), is_mistake=marks[place.ply]))
        if place.ply >= mobility.FIRST_PLY:
            few, side = mobility.rated(place.board, place.move, place.record)
            if few is not None:
                fewest.append((few, replace(_puzzle(source, origin, place, FEWEST), level=few.level)))
            if side is not None and few is None:
                sides.append((side, replace(_puzzle(source, origin, place, SIDE), level=side.level)))
    found += [*_best(fewest, mobility.MOST_FEWEST), *_best(sides, mobility.MOST_SIDE)]
    return Game(origin, is_judged, source.plies, sorted(found, key=lambda puzzle: puzzle.ply))


def _best(rated: list[tuple[mobility.Rating, Puzzle]], most: int) -> list[Puzzle]:
    return [puzzle for _, puzzle in sorted(rated, key=lambda each: (each[0], each[1].ply))[:most]]


def digest_of(source: SourceGame) -> str:
    """Return a digest of a game's moves, which does not depend on its tags and comments."""
    first, played = replay.moves(source.movetext)
    start = first.first_fen if isinstance(first, replay.DefinedPosition) else first.fen()
    text = " ".join([source.kind.name, start, *map(str, played)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def marks_of_file(source: SourceGame) -> tuple[Marks, bool]:
    """The moves that the file's evaluations and signs call mistakes or good; whether the file has either."""
    movetext = source.movetext
    positions = positions_of_comments(movetext)
    judge = of_comments(movetext, None)
    marks = marks_of(source, positions, Style(x05=judge.white.x05, x05_black=judge.black.x05))
    # In matches each engine has evaluated its own moves alone, and these evaluations cannot be compared.
    is_judged = any(position.played is not None for position in positions)
    for index, ply in enumerate(movetext.plies):
        signs = [sign for _, _, sign in ply.nags]
        if any(sign in GOOD_MOVES for sign in signs):
            marks.setdefault(index, False)
        elif any(sign in _BAD_SIGNS for sign in signs):
            marks.setdefault(index, True)
    return marks, is_judged or bool(marks)


def marks_of(source: SourceGame, positions: list[JudgedPosition], style: Style | None = None) -> Marks:
    """Return moves that lost at least ``LEAST_LOSS`` or earn a good sign.

    style: the style of the signs; by default the style of this program's analyses.
    """
    style = Style(x05=OWN.x05) if style is None else style
    marks: Marks = {}
    for index, verdict in enumerate(verdicts(source.movetext, positions, style)):
        if verdict.move_nag in GOOD_MOVES:
            marks[index] = False
        elif verdict.loss is not None and verdict.loss >= LEAST_LOSS:
            marks[index] = True
    return marks


def _origin(source: SourceGame) -> Origin:
    tags = source.movetext.tags

    def tag(name: str) -> str:
        text = visible(tags.get(name, "")).strip()
        return text if text.strip("?.-* ") else ""

    return Origin(source.number, tag("White"), tag("Black"), tag("Event"), tag("Date"))


@dataclass(frozen=True, slots=True)
class _Place:
    """A position of a game while it is replayed. board: one board, which changes with the next place."""

    ply: int
    board: Board
    chess960: bool
    move: int
    record: Goal
    last: tuple[str, ...]  # the squares of the previous move


def _places(source: SourceGame) -> Iterator[_Place]:
    """The positions that have a next move."""
    first, played = replay.moves(source.movetext)
    chess960 = first.chess960
    if isinstance(first, replay.DefinedPosition):
        start = first.first_fen
    else:
        start = first.fen(shredder=chess960, en_passant="fen")
    board = new_board(start, chess960, source.kind)
    last: tuple[str, ...] = ()
    for ply, (given, record) in enumerate(zip(played, source.records(), strict=False)):
        text = str(given)
        if text in _NULLS:
            board.push_null()
            last = ()
            continue
        move = parse_move(board, text)
        yield _Place(ply, board, chess960, move, record, last)
        last = tuple(changed_squares(board, move))
        board.push(move)


def _puzzle(source: SourceGame, origin: Origin, place: _Place, kind: str) -> Puzzle:
    board, move = place.board, place.move
    own = move_text(board, move), san(board, move)
    return Puzzle(
        kind, origin, place.ply, source.kind, place.chess960, fen(board), place.last, *own, record=place.record
    )
