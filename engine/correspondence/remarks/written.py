"""The user's remarks in PGN: comments, labels, variations, and planned replies as commands in comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

import chess
import chess.pgn

from ...archive.variations import Variation
from ..game import plain

COMMENT, TAG, LINE, PLAN = "comment", "tag", "line", "plan"


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark at the position after ``ply`` half-moves; 0 means the whole game.

    kind: COMMENT, TAG, LINE or PLAN. text: the comment, the tag, or the moves of a line or plan, UCI. comment: on the
    line. id: the id in the store; 0 before it is stored.
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
# The command of a plan, or of a line from the last position, which has no next move to which a variation could belong.
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
                # Each line is written as a separate variation, so that an import reads it back unchanged.
                node = node.add_variation(move) if at == 0 else node.add_main_variation(move)
            node.comment = each.comment


def read_remarks(tags: dict[str, str], comments: list[str], variations: Iterable[Variation]) -> list[Remark]:
    """Return the remarks of a game in a file. comments: the comments before the first move and after each move."""
    found = [Remark(TAG, 0, word) for word in tags.get("GameLabels", "").split()]
    for ply, comment in enumerate(comments):
        for kind, moves, written in _MOVES.findall(comment):
            found.append(Remark(kind, ply, " ".join(moves.replace(",", " ").split()), comment_text(unquote(written))))
        words = _words(comment)
        if words:
            found.append(Remark(COMMENT, ply, words))
    for each in variations:
        said = " ".join(filter(None, map(_words, each.comments)))
        found.append(Remark(LINE, each.ply, " ".join(each.moves), said))
    return found


def _words(comment: str) -> str:
    return comment_text(_COMMAND.sub(" ", comment))
