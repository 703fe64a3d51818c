"""A game as a tree of positions: the main line as this program reads it, variations as python-chess reads them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import chess
import chess.pgn

from ...annotate import replay
from ...annotate.source import SourceGame
from ...annotate.written_game import prose
from ...archive.pgn import decoded
from ...relevance import nags
from ...variants.notation import fen, parse_move, san, split_move
from ..positions import placed

_SHAPES = re.compile(r"\[%(?:cal|csl)\s+([^\]]*)\]")
_SHAPE = re.compile(r"\s*([GRYB])([a-p]\d{1,2})([a-p]\d{1,2})?\s*")
_KINDS = {"G": "better", "R": "worse", "Y": "own", "B": "hint"}  # the colours of the page


@dataclass(slots=True)
class Node:
    """A move with the position after it; the first node has only the position. signs, comment, arrows: the file's."""

    parent: int
    depth: int  # 0 in the main line, one more in each variation
    move: str = ""
    san: str = ""
    squares: list[str] = field(default_factory=list)
    position: dict[str, object] = field(default_factory=dict)
    number: int = 1
    signs: list[str] = field(default_factory=list)
    before: str = ""  # a comment before a variation
    comment: str = ""
    arrows: list[dict[str, str]] = field(default_factory=list)

    def view(self) -> dict[str, object]:
        found: dict[str, object] = {name: getattr(self, name) for name in ("parent", "depth", "move", "san", "squares")}
        optional = {name: getattr(self, name) for name in ("signs", "before", "comment", "arrows")}
        return {**found, **self.position, "number": self.number, **{k: v for k, v in optional.items() if v}}


def read_tree(source: SourceGame) -> list[Node]:
    """The nodes of a readable game: first position, main line, then variations. A parent comes before its children."""
    first, played = replay.moves(source.movetext)
    if not isinstance(first, chess.Board):
        return list(_defined(source, first, [str(move) for move in played]))
    nodes = list(_chess_line(source, first, [move for move in played if isinstance(move, chess.Move)]))
    game = chess.pgn.read_game(io.StringIO(decoded(source.text.encode("latin-1"))))
    if game is not None and list(game.mainline_moves()) == played:  # python-chess may not read all that we do
        _add_variations(nodes, game)
    return nodes


def _chess_line(source: SourceGame, first: chess.Board, played: list[chess.Move]) -> Iterator[Node]:
    board = first.copy(stack=False)
    yield _decorated(Node(-1, 0, position=_placed(board), number=board.fullmove_number), source, -1)
    for index, move in enumerate(played):
        node = _made(board, move, index, 0)
        yield _decorated(node, source, index)


def _made(board: chess.Board, move: chess.Move, parent: int, depth: int) -> Node:
    """Make the move; the node after it."""
    number = board.fullmove_number
    if not move:
        board.push(move)
        return Node(parent, depth, "0000", "--", [], _placed(board), number)
    written, squares = board.san(move), [chess.square_name(move.from_square), chess.square_name(move.to_square)]
    text = board.uci(move)
    board.push(move)
    return Node(parent, depth, text, written, squares, _placed(board), number)


def _placed(board: chess.Board) -> dict[str, object]:
    king = board.king(board.turn) if board.is_check() else None
    return {
        "fen": board.fen(),
        "turn": chess.COLOR_NAMES[board.turn],
        "check": [] if king is None else [chess.square_name(king)],
    }


def _decorated(node: Node, source: SourceGame, index: int) -> Node:
    """Add what the file says of the move at ``index`` of the main line."""
    movetext = source.movetext
    comment = movetext.comment(index)
    node.comment, node.arrows = prose(comment), _arrows(comment)
    if index >= 0:
        node.signs = _signs(number for _, _, number in movetext.plies[index].nags)
    return node


def _signs(numbers: Iterator[int] | list[int]) -> list[str]:
    return [nags.text(number) for number in dict.fromkeys(numbers)]


def _arrows(comment: str) -> list[dict[str, str]]:
    found = []
    for shapes in _SHAPES.findall(comment):
        for part in shapes.split(","):
            if shape := _SHAPE.fullmatch(part):
                colour, start, target = shape.groups()
                found.append({"from": start, "to": target or start, "kind": _KINDS[colour]})
    return found


def _add_variations(nodes: list[Node], game: chess.pgn.Game) -> None:
    """Add the variations of the main line and, in turn, those inside them."""
    waiting: list[tuple[chess.pgn.ChildNode, int, int]] = []
    at: chess.pgn.GameNode = game
    for parent in range(len(nodes)):
        waiting += [(child, parent, 1) for child in at.variations[1:]]
        if at.variations:
            at = at.variations[0]
    while waiting:
        child, parent, depth = waiting.pop(0)
        board = child.parent.board() if child.parent is not None else game.board()
        line: chess.pgn.ChildNode | None = child
        while line is not None:
            node = _made(board, line.move, parent, depth)
            raw = line.comment.encode().decode("latin-1")
            node.comment, node.arrows = prose(raw), _arrows(raw)
            node.signs = _signs(sorted(line.nags))
            if line.starting_comment:
                node.before = prose(line.starting_comment.encode().decode("latin-1"))
            nodes.append(node)
            parent = len(nodes) - 1
            others = line.variations[1:]
            waiting += [(other, parent, depth + 1) for other in others]
            line = line.variations[0] if line.variations else None


def _defined(source: SourceGame, first: replay.DefinedPosition, moves: list[str]) -> Iterator[Node]:
    """The main line of a game by definition."""
    board = first.copy().board
    yield _decorated(Node(-1, 0, position=placed(board), number=board.fullmove), source, -1)
    for index, text in enumerate(moves):
        number, move = board.fullmove, parse_move(board, text)
        written, parts = san(board, move), split_move(text)
        board.push(move)
        squares = list(parts[:2]) if parts else []
        yield _decorated(Node(index, 0, text, written, squares, placed(board), number), source, index)


def first_fen(source: SourceGame) -> str:
    """The FEN of the first position."""
    first, _ = replay.moves(source.movetext)
    return first.fen() if isinstance(first, chess.Board) else fen(first.board)
