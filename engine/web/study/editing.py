"""Edits of a game: moves, variations, comments and signs. Each edit changes as little of the text as possible."""

from __future__ import annotations

import re

from standstill.cext.base.constants import WHITE

from ...annotate.movetext import sign_nag
from ...annotate.prose import prose
from ...annotate.source import SourceGame
from ...archive.pgn import worded
from ...common.errors import ArgumentError, PgnError
from ...common.text import newline_of, shown
from ...relevance.nags import MOVE_NAGS, POSITION_NAGS
from ...variants.notation import move_text, parse_move, san
from .. import fields
from .lines import COMMENT, LINE, NAG, REST, Line, Piece, Step
from .tree import Node, Tree

LONGEST_COMMENT = 20_000  # characters
LONGEST_LINE = 60  # maximum number of half-moves that one edit can add
_WIDTH = 79  # maximum length of a line of PGN
_COMMANDS = re.compile(r"\[%[^\]]*\]")
_NUMBERED = re.compile(r"\d")


def edited(number: int, raw: bytes, asked: fields.Fields) -> tuple[bytes, list[str]]:
    """Return (the game after an edit, the moves to the node that the page then shows).

    asked: ``kind``, ``at`` (the node that the edit concerns), and the values that this kind needs. Raises
    PgnError, ArgumentError, NotationError or IllegalMoveError.
    """
    source = SourceGame(number, raw)
    if source.fault is not None:
        raise PgnError(f"game {number} cannot be read: {source.fault}")
    editor = Editor(Tree(source))
    at = fields.whole(asked, "at", 0, len(editor.tree.nodes) - 1)
    if at is None:
        raise ArgumentError("at: expected the number of a move, found none")
    _KINDS[fields.choice(asked, "kind", tuple(_KINDS), "")](editor, at, asked)
    return editor.text(), editor.path


def path_to(source: SourceGame, at: int) -> list[str]:
    """The moves to a node of a readable game."""
    tree = Tree(source)
    return Editor(tree).path_to(min(at, len(tree.nodes) - 1))


class Editor:
    """Edits a tree. path: the moves from the first position to the node that a page shows after the edit.

    head: the text before the moves.
    """

    def __init__(self, tree: Tree):
        self.tree = tree
        self.path: list[str] = []
        self.head = tree.source.text[: tree.source.movetext.body]
        text = tree.source.text.encode("latin-1")
        try:
            text.decode("utf-8")
            self._encoding = "utf-8"
        except UnicodeDecodeError:
            self._encoding = "cp1252"

    def text(self) -> bytes:
        """Return the whole game with all edits."""
        return (self.head + self.tree.line.written()).encode("latin-1")

    # ---- moves ----

    def add_moves(self, at: int, texts: list[str], words: str = "", sign: int = 0) -> None:
        """Follow the moves from a node. Moves that are not in the tree continue the line or become a variation.

        words, sign: a comment and a sign for the last move, if this move is new.
        """
        board = self.tree.board(at)
        self.path = self.path_to(at)
        line: Line | None = None
        for given in texts:
            move = parse_move(board, given)
            text = move_text(board, move)
            known = [] if line is not None else [c for c in self.tree.children(at) if self.tree.nodes[c].move == text]
            self.path.append(text)
            if known:
                at = known[0]
                board.push(move)
                continue
            step = Step("", self._spelled(san(board, move)))
            if line is None:
                line = self._branch(at, step, board.fullmove, board.stm == WHITE)
            else:
                step.before = f" {board.fullmove}. " if board.stm == WHITE else " "
                line.steps.append(step)
            board.push(move)
        if line is not None:
            step = line.steps[-1]
            if sign:
                step.pieces.append(Piece(NAG, " ", f"${sign}"))
            if words:
                step.pieces.append(Piece(COMMENT, " ", self._braced(words)))

    def _branch(self, at: int, step: Step, number: int, is_white: bool) -> Line:
        """Add a new move after a node: at the end of its line, or as a variation."""
        node = self.tree.nodes[at]
        line, place = node.line, node.at + 1
        count = f"{number}. " if is_white else f"{number}... "
        if place < len(line.steps):
            step.before = count
            variation = Line(steps=[step])
            line.steps[place].pieces.append(Piece(LINE, " ", "", variation))
            self._number_after(line, place)
            return variation
        is_broken = not line.steps or bool(line.steps[-1].pieces)
        step.before = count if is_white or is_broken else ""
        if line.steps or line.lead:
            step.before = " " + step.before
            line.steps.append(step)
            if line is self.tree.line and line.end and not line.end[0].isspace():
                line.end = " " + line.end
            return line
        # In a game without moves, the blanks before the result now precede the move.
        blanks, result = _gap(line.end), line.end.strip()
        newline = newline_of(self.tree.source.text)
        if not blanks and self.tree.source.movetext.body:
            blanks = 2 * newline
        step.before, line.end = blanks + step.before, (f" {result}" if result else "") + newline
        line.steps.append(step)
        return line

    def _number_after(self, line: Line, place: int) -> None:
        """Write a move number before Black's move only if it follows a comment or a variation."""
        step = line.steps[place + 1] if place + 1 < len(line.steps) else None
        node = self.tree.node_of(step) if step is not None else None
        if step is None or node is None or node.position["turn"] == "black":  # White has made the move
            return
        is_broken = any(piece.kind != NAG for piece in line.steps[place].pieces)
        if is_broken and not _NUMBERED.search(step.before):
            step.before = f"{_gap(step.before) or ' '}{node.number}... "
        elif not is_broken and step.before.strip():
            step.before = _gap(step.before) or " "

    def _spelled(self, written: str) -> str:
        return self.tree.source.movetext.letters.spelled(written)

    def path_to(self, at: int) -> list[str]:
        path: list[str] = []
        while at > 0:
            path.insert(0, self.tree.nodes[at].move)
            at = self.tree.nodes[at].parent
        return path

    def _owner(self, node: Node) -> tuple[Line, int, Piece]:
        """Return (the variation's parent line, the index of the move that it replaces, the variation as a piece)."""
        for line in {id(each.line): each.line for each in self.tree.nodes}.values():
            for place, step in enumerate(line.steps):
                for piece in step.pieces:
                    if piece.line is node.line:
                        return line, place, piece
        raise ArgumentError("expected a move of a variation, found one of the main line")

    def promote(self, at: int) -> None:
        """Exchange a variation with the rest of its parent line."""
        node = self.tree.nodes[at]
        self.path = self.path_to(at)
        line, place, piece = self._owner(node)
        variation, old = node.line, line.steps[place]
        rest, first = line.steps[place + 1 :], variation.steps[0]
        number = first.before.strip() or self._count(first)
        own = [each for each in old.pieces if each.line is None]
        others = [each for each in old.pieces if each.line is not None]
        first.before, old.before = old.before, f"{number} "  # both moves have the same number
        old.pieces = own
        demoted = Line(lead=[], steps=[old, *rest], end="")
        others[others.index(piece)] = Piece(LINE, piece.gap or " ", "", demoted)
        first.pieces = [*_spaced(variation.lead), *first.pieces, *others]
        line.steps[place:] = variation.steps
        self._number_after(line, place)
        self._number_after(demoted, 0)

    def _count(self, step: Step) -> str:
        node = self.tree.node_of(step)
        assert node is not None
        return f"{node.number}{'.' if node.position['turn'] == 'black' else '...'}"

    def delete(self, at: int) -> None:
        """Remove a move and the rest of its line; a variation from the same position replaces it."""
        node = self.tree.nodes[at]
        if node.at < 0:
            raise ArgumentError("expected a move to delete, found the first position")
        self.path = self.path_to(node.parent)
        step = node.step
        lines = [id(line) for line in step.variations()]
        rivals = [each for each in self.tree.children(node.parent) if id(self.tree.nodes[each].line) in lines]
        if rivals:
            self.promote(rivals[0])
            self.path = self.path_to(node.parent)
            heir = self.tree.nodes[rivals[0]].step
            heir.pieces = [piece for piece in heir.pieces if piece.line is None or piece.line.steps[:1] != [step]]
            self._number_after(node.line, node.at)
        elif node.at == 0 and node.line is not self.tree.line:
            line, place, piece = self._owner(node)
            line.steps[place].pieces = [each for each in line.steps[place].pieces if each is not piece]
        else:
            del node.line.steps[node.at :]
            if not node.line.steps:
                node.line.end = _gap(step.before) + node.line.end.lstrip(" ")

    # ---- comments and signs ----

    def comment(self, at: int, words: str) -> None:
        """Replace the text of a comment, but keep commands such as ``[%eval 0.3]``."""
        node = self.tree.nodes[at]
        self.path = self.path_to(at)
        words = " ".join(words.split())
        if "}" in words:
            raise ArgumentError("a comment of PGN cannot contain }")
        if len(words) > LONGEST_COMMENT:
            raise ArgumentError(f"expected a comment of at most {LONGEST_COMMENT} characters, found {len(words)}")
        pieces = node.line.lead if node.at < 0 else node.step.pieces
        there = [piece for piece in pieces if piece.kind in (COMMENT, REST)]
        chosen = next((piece for piece in there if _prose_of(piece)), there[0] if there else None)
        for piece in there:
            fresh = words if piece is chosen else ""
            if _prose_of(piece) or fresh:
                self._reword(pieces, piece, fresh)
        if chosen is None and words:
            self._add_comment(node, pieces, words)

    def _reword(self, pieces: list[Piece], piece: Piece, words: str) -> None:
        """Replace the text of a comment; remove the comment if it becomes empty."""
        whole = worded((piece.text[1:-1] if piece.kind == COMMENT else piece.text[1:]).encode("latin-1"))
        inner = " ".join(whole.split())
        old = _prose_of(piece)
        if old and old in inner:
            inner = inner.replace(old, words, 1)
        else:
            commands = " ".join(_COMMANDS.findall(inner)) if old else inner.strip()
            inner = f"{commands} {words}".strip()
        if not inner.strip():
            pieces[:] = [each for each in pieces if each is not piece]
        elif piece.kind == COMMENT:
            piece.text = self._braced(inner)
        else:
            piece.text = ";" + self.encoded(inner)

    def _add_comment(self, node: Node, pieces: list[Piece], words: str) -> None:
        fresh = Piece(COMMENT, " ", self._braced(words))
        if node.at >= 0:
            place = max((at + 1 for at, piece in enumerate(pieces) if piece.kind == NAG), default=0)
            pieces.insert(place, fresh)
            self._number_after(node.line, node.at)
            return
        first = node.line.steps[0] if node.line.steps else None
        if first is None:
            raise ArgumentError("expected a move before the first comment, found none")
        blanks = len(first.before) - len(first.before.lstrip())
        fresh.gap, first.before = first.before[:blanks], " " + first.before[blanks:]
        pieces.append(fresh)

    def mark(self, at: int, family: range, number: int) -> None:
        """Set the sign of a move (!, ?) or of its position (+=).

        The sign replaces signs of the same kind; 0 removes them.
        """
        node = self.tree.nodes[at]
        if node.at < 0:
            raise ArgumentError("expected a move to mark, found the first position")
        self.path = self.path_to(at)
        step = node.step
        others = [found for found in re.findall(r"[!?]{1,2}|[^!?\s]+", step.signs) if sign_nag(found) not in family]
        step.signs = "".join(others)
        step.pieces = [each for each in step.pieces if each.kind != NAG or sign_nag(each.text) not in family]
        if number:
            place = 0 if family == MOVE_NAGS else sum(1 for each in step.pieces if each.kind == NAG)
            step.pieces.insert(place, Piece(NAG, " ", f"${number}"))

    def _braced(self, words: str) -> str:
        """Return a comment broken into lines; commands stay in one line."""
        lines: list[str] = []
        for word in re.findall(r"\[%[^\]]*\]|\S+", words):
            if lines and len(lines[-1]) + len(word) < _WIDTH - 2:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
        newline = newline_of(self.tree.source.text)
        return "{" + self.encoded(newline.join(lines)) + "}"

    def encoded(self, words: str) -> str:
        """Return the text in the game's encoding, with its bytes read as Latin-1."""
        try:
            return words.encode(self._encoding).decode("latin-1")
        except UnicodeEncodeError:
            raise ArgumentError(f"the game is in Latin-1, which cannot express {shown(words)}") from None


def _gap(before: str) -> str:
    return before[: len(before) - len(before.lstrip())]


def _spaced(lead: list[Piece]) -> list[Piece]:
    for piece in lead:
        piece.gap = piece.gap or " "
    return lead


def _prose_of(piece: Piece) -> str:
    return prose(piece.text[1:-1] if piece.kind == COMMENT else piece.text[1:])


# ---- requests of a page ----


def _moves(editor: Editor, at: int, asked: fields.Fields) -> None:
    texts = fields.texts(asked, "moves", LONGEST_LINE)
    sign = fields.whole(asked, "sign", 0, POSITION_NAGS[-1]) or 0
    editor.add_moves(at, texts, fields.text(asked, "words"), sign)
    if fields.truth(asked, "stay"):
        del editor.path[len(editor.path) - len(texts) :]


def _mark(editor: Editor, at: int, asked: fields.Fields) -> None:
    number = fields.whole(asked, "mark", 0, POSITION_NAGS[-1]) or 0
    family = MOVE_NAGS if fields.truth(asked, "of_move", True) else POSITION_NAGS
    if number and number not in family:
        raise ArgumentError(f"mark: expected 0 or a number from {family[0]} to {family[-1]}, found {number}")
    editor.mark(at, family, number)


_KINDS = {
    "moves": _moves,
    "promote": lambda editor, at, asked: editor.promote(at),
    "delete": lambda editor, at, asked: editor.delete(at),
    "comment": lambda editor, at, asked: editor.comment(at, fields.text(asked, "words")),
    "mark": _mark,
}
