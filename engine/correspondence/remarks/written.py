"""The user's remarks in PGN: comments, labels, variations, and planned replies as commands in comments."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

import chess
import chess.pgn

from ..game import plain

COMMENT, TAG, LINE, PLAN = "comment", "tag", "line", "plan"


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark at the position after ``ply`` half-moves; 0 is the whole game.

    kind: COMMENT, TAG, LINE or PLAN. text: the comment, the tag, or the moves of a line or plan, UCI. comment: on the
    line. id: in the store; 0 before it is stored.
    """

    kind: str
    ply: int
    text: str
    comment: str = ""
    id: int = 0

    @property
    def moves(self) -> list[str]:
        return self.text.split()


def comment_text(text: str) -> str:
    """Return the text in the form of a PGN comment: in one line, without braces and commands."""
    return plain(text).replace("{", "(").replace("}", ")").replace("[%", "[ %")


_COMMAND = re.compile(r"\[%[^\]]*\]")
# This is a plan, or a line from the last position, where no move follows that could have a variation.
_MOVES = re.compile(r"\[%(plan|line) ([a-h1-8qrbn, ]+)(?: text=([^\]\s]*))?\s*\]", re.ASCII)


def labels_of(remarks: Sequence[Remark]) -> str:
    """Return the tags as the value of a PGN tag."""
    return " ".join(each.text for each in remarks if each.kind == TAG)


def comments_at(remarks: Sequence[Remark], ply: int, last: int) -> Iterator[str]:
    """Yield the remarks in the comment at a position. last: the ply of the last position."""
    for each in remarks:
        if each.ply != ply:
            continue
        if each.kind == PLAN or (each.kind == LINE and ply == last):
            text = f" text={quote(each.comment, safe='')}" if each.comment else ""
            yield f"[%{each.kind} {','.join(each.moves)}{text}]"
    for each in remarks:
        if each.ply == ply and each.kind == COMMENT:
            yield each.text


def add_lines(parent: chess.pgn.GameNode, remarks: Sequence[Remark], ply: int) -> None:
    """Add the lines of a position as variations of the move that follows it."""
    for each in remarks:
        if each.kind == LINE and each.ply == ply:
            node: chess.pgn.GameNode = parent
            for at, uci in enumerate(each.moves):
                move = chess.Move.from_uci(uci)
                # Each line is a separate variation, so that it is read back unchanged.
                node = node.add_variation(move) if at == 0 else node.add_main_variation(move)
            node.comment = each.comment


def read_remarks(tags: dict[str, str], comments: list[str], text: Callable[[], str]) -> list[Remark]:
    """Return the remarks of a game in a file.

    comments: before the first move and after each move. text: called for the game's text if it may have variations.
    """
    found = [Remark(TAG, 0, word) for word in tags.get("GameLabels", "").split()]
    for ply, comment in enumerate(comments):
        for kind, moves, written in _MOVES.findall(comment):
            found.append(Remark(kind, ply, " ".join(moves.replace(",", " ").split()), comment_text(unquote(written))))
        words = comment_text(_COMMAND.sub(" ", comment))
        if words:
            found.append(Remark(COMMENT, ply, words))
    found += _lines(text())
    return found


def _lines(text: str) -> list[Remark]:
    """Return every variation as a line from a position of the game, with the moves that lead to it from there."""
    if "(" not in text:
        return []
    game = chess.pgn.read_game(io.StringIO(text))
    found: list[Remark] = []
    node: chess.pgn.GameNode | None = game
    ply = 0
    while node is not None and node.variations:
        for branch in node.variations[1:]:
            found += [Remark(LINE, ply, moves, words) for moves, words in _branches(branch, "", "")]
        node = node.variations[0]
        ply += 1
    return found


def _branches(node: chess.pgn.ChildNode, moves: str, words: str) -> Iterator[tuple[str, str]]:
    """Yield (moves, comments) of a variation and, after it, of the variations inside it."""
    pending = [(node, moves, words)]
    while pending:
        here, before, said = pending.pop(0)
        inner = []
        while True:
            own = " ".join(filter(None, (comment_text(_COMMAND.sub(" ", each)) for each in _texts(here))))
            line, said = f"{before} {here.move.uci()}".strip(), " ".join(filter(None, (said, own)))
            inner += [(other, line, "") for other in here.variations[1:]]
            if not here.variations:
                break
            here, before = here.variations[0], line
        yield line, said
        pending = inner + pending


def _texts(node: chess.pgn.ChildNode) -> tuple[str, str]:
    return str(node.starting_comment), str(node.comment)
