"""A game as a tree of positions: the main line from the core, and variations up to their first illegal move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from ...annotate import replay
from ...annotate.prose import prose
from ...annotate.source import SourceGame
from ...common.errors import IllegalMoveError, NotationError
from ...relevance import nags
from ...variants.boards import new_board
from ...variants.notation import NULL_MOVE, move_text, parse_move, parse_san, san
from ..positions import changed_squares, placed
from .lines import Line, Step, main_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...variants.notation import Board

_SHAPES = re.compile(r"\[%(?:cal|csl)\s+([^\]]*)\]")
_SHAPE = re.compile(r"\s*([GRYB])([a-p]\d{1,2})([a-p]\d{1,2})?\s*")
_KINDS = {"G": "better", "R": "worse", "Y": "own", "B": "hint"}  # the colours of the page
_NULL = re.compile(r"--|Z0|0000|@@@@|null|pass", re.IGNORECASE)
_NO_MOVES = ("N", "TN", "D")  # marks of a novelty and of a diagram


@dataclass(slots=True)
class Node:
    """A move with the position after it; the first node has only the position.

    signs, comment, arrows: those in the file.

    line, at: the line of the text that contains the move, and the move's place in this line; -1 for the first position.
    """

    parent: int
    depth: int  # 0 in the main line; one more in each level of variations
    line: Line
    at: int
    own: Step | None = None  # the move as a step of ``line``
    move: str = ""
    san: str = ""
    squares: list[str] = field(default_factory=list)
    position: dict[str, object] = field(default_factory=dict)
    number: int = 1
    signs: list[str] = field(default_factory=list)
    before: str = ""  # a comment before a variation
    comment: str = ""
    arrows: list[dict[str, str]] = field(default_factory=list)

    @property
    def step(self) -> Step:
        assert self.own is not None
        return self.own

    def view(self) -> dict[str, object]:
        found: dict[str, object] = {name: getattr(self, name) for name in ("parent", "depth", "move", "san", "squares")}
        optional = {name: getattr(self, name) for name in ("signs", "before", "comment", "arrows")}
        return {**found, **self.position, "number": self.number, **{k: v for k, v in optional.items() if v}}


class Tree:
    """The nodes of a readable game: first position, main line, then variations. A parent comes before its children.

    line: the text of the main line. first: a board with the first position.
    """

    def __init__(self, source: SourceGame):
        self.source = source
        self.line = main_line(source.movetext)
        first, played = replay.moves(source.movetext)
        self.first = _board_of(first)
        self.nodes: list[Node] = []
        self._read_main([move.uci() if isinstance(move, chess.Move) else str(move) for move in played])
        self._read_variations()

    def text(self) -> str:
        """The text of the whole game with all edits."""
        movetext = self.source.movetext
        return movetext.text[: movetext.body] + self.line.written()

    def board(self, index: int) -> Board:
        """Return a board with the position of a node."""
        moves = []
        while index > 0:
            moves.append(self.nodes[index].move)
            index = self.nodes[index].parent
        board = _copy(self.first)
        for move in reversed(moves):
            _push(board, move)
        return board

    def node_of(self, step: Step) -> Node | None:
        """Return the node of a step; None if the move of the step is illegal."""
        return next((node for node in self.nodes if node.own is step), None)

    def find(self, path: list[str]) -> int:
        """Return the node after these moves, or after the longest part of them that the tree contains."""
        at = 0
        for move in path:
            found = [child for child in self.children(at) if self.nodes[child].move == move]
            if not found:
                break
            at = found[0]
        return at

    def children(self, index: int) -> list[int]:
        """Return the children of a node, the continuation of its own line first."""
        found = [at for at, node in enumerate(self.nodes) if at and node.parent == index]
        return sorted(found, key=lambda at: (self.nodes[at].depth, at))

    # ---- reading ----

    def _read_main(self, texts: list[str]) -> None:
        board, line = _copy(self.first), self.line
        root = Node(-1, 0, line, -1, position=placed(board), number=board.fullmove)
        self.nodes.append(_decorated(root, " ".join(line.comments())))
        for at, text in enumerate(texts):
            node = _made(board, None if text == NULL_MOVE else parse_move(board, text), at, 0, (line, at))
            self.nodes.append(_described(node))

    def _read_variations(self) -> None:
        """Read the variations of the main line and, recursively, their inner variations."""
        waiting = [
            (line, index - 1, 1) for index in range(1, len(self.nodes)) for line in self.nodes[index].step.variations()
        ]
        while waiting:
            line, parent, depth = waiting.pop(0)
            board = self.board(parent)
            for at, step in enumerate(line.steps):
                move = _legal(board, step.english)
                if move is None and step.english in _NO_MOVES:
                    continue
                if move is None and not _NULL.fullmatch(step.english):
                    self._tell_of_rest(line, at, parent)
                    break
                node = _described(_made(board, move, parent, depth, (line, at)))
                if at == 0:
                    node.before = prose(" ".join(line.comments()))
                waiting += [(other, parent, depth + 1) for other in step.variations()]
                self.nodes.append(node)
                parent = len(self.nodes) - 1

    def _tell_of_rest(self, line: Line, at: int, parent: int) -> None:
        """Keep illegal moves readable, as a comment."""
        rest = "".join(step.written() for step in line.steps[at:]) + line.end
        node = self.nodes[parent]
        node.comment = f"{node.comment} ({prose(rest)})".strip()


def _board_of(first: replay.Position) -> Board:
    if isinstance(first, chess.Board):
        return new_board(first.fen(shredder=first.chess960, en_passant="fen"), chess960=first.chess960)
    return _copy(first.board)


def _copy(board: Board) -> Board:
    other = board.copy()
    other.notation = board.notation
    return other


def _push(board: Board, text: str) -> None:
    if text == NULL_MOVE:
        board.push_null()
    else:
        board.push(parse_move(board, text))


def _legal(board: Board, word: str) -> int | None:
    try:
        return parse_san(board, word.replace("0", "O") if word[:1] == "0" else word)
    except (NotationError, IllegalMoveError):
        return None


def _made(board: Board, move: int | None, parent: int, depth: int, place: tuple[Line, int]) -> Node:
    """Make the move, or a null move for None, and return the new node."""
    number, (line, at) = board.fullmove, place
    if move is None:
        board.push_null()
        return Node(parent, depth, line, at, line.steps[at], NULL_MOVE, "--", [], placed(board), number)
    text, written, squares = move_text(board, move), san(board, move), changed_squares(board, move)
    board.push(move)
    return Node(parent, depth, line, at, line.steps[at], text, written, squares, placed(board), number)


def _described(node: Node) -> Node:
    """Add signs, comments and arrows of the move from the file."""
    node.signs = [nags.text(number) for number in node.step.nags()]
    return _decorated(node, " ".join(node.step.comments()))


def _decorated(node: Node, comment: str) -> Node:
    node.comment, node.arrows = prose(comment), _arrows(comment)
    return node


def _arrows(comment: str) -> list[dict[str, str]]:
    return [
        {"from": start, "to": target or start, "kind": _KINDS[colour]} for colour, start, target in shapes_of(comment)
    ]


def shapes_of(comment: str) -> Iterator[tuple[str, str, str]]:
    """Return (colour, square, second square or "") of each arrow and marked square in a comment."""
    for shapes in _SHAPES.findall(comment):
        for part in shapes.split(","):
            if shape := _SHAPE.fullmatch(part):
                yield shape[1], shape[2], shape[3] or ""
