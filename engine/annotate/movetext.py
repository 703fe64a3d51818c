"""Edits the movetext of one game: adds symbols, comments and variations in the right places.

Text that is not edited remains the same, character for character. Text is bytes read as Latin-1, so that any file can
be copied. Only ASCII and a game's own figurines are written. The core reads the game, as for every command of the
program.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from standstill.cext.bindings.pgn_games import tokens

from ..archive.pgn import decoded, tags_of
from ..archive.respelling import Letters
from ..archive.scorer import ScoredGame
from ..common.text import newline_of
from ..relevance.nags import MOVE_NAGS, POSITION_NAGS, nag_of

# The longest line that the PGN standard allows. Longer lines of the input remain unchanged.
_WIDTH = 79

_SIGNS = re.compile(r"[!?]{1,2}|[^!?\s]+")  # directly after a move, without a space
_MAX_NAG_DIGITS = 4
# The elements of a variation that this program may have written.
_WRITTEN = re.compile(
    r"(?P<open>\()|(?P<close>\))|\{[^}]*\}|(?P<san>(?:[KQRBNPa-h][a-h1-8x]+(?:=[QRBN])?|O-O(?:-O)?)(?![\w.]))|[^(){}\s]+|\s"
)


class Ply:
    """One move of the main line with its annotations. Spans are (start, end) offsets in the text of the game."""

    __slots__ = ("behind", "comments", "end", "nags", "rests", "san", "since", "start", "tail", "variation")

    def __init__(self, san: str, since: int, start: int, end: int, behind: int):
        self.san = san  # SAN with English piece letters
        self.since = since  # the text from here to ``start`` contains only the move number
        self.start = start
        self.end = end  # end of the move alone
        self.behind = behind  # end of the move together with the signs attached to it
        self.nags: list[tuple[int, int, int]] = []  # (start, end, number)
        self.comments: list[tuple[int, int]] = []  # spans including the braces
        self.rests: list[tuple[int, int]] = []  # the text of comments after a semicolon, without the line ending
        self.variation: list[tuple[int, int]] = []  # spans including the parentheses
        self.tail = behind  # where a variation can be added


class Movetext:
    """A game that the core has read.

    game: the game as the core read it. text: the whole text, with tags. lead: spans of the comments before the first
    move. black_first, first_number: the side and number of the first move.
    """

    def __init__(self, game: ScoredGame):
        """game: the whole game, which must have no error and be scored with details."""
        assert game.problem is None, game.problem
        self.game = game
        self.text = game.text.decode("latin-1")
        self.tags = tags_of(game.text)
        self.body = game.head.moves
        self.result = game.result
        self.plies: list[Ply] = []
        self.lead: list[tuple[int, int]] = []
        self.black_first = bool(game.details.first_mover)
        self.first_number = game.first_move
        self.tail: int | None = None  # the position in the text of the result, or of other words after the moves
        self._over = False  # whether the result has been read
        self._scan(game)
        moves = "".join(self.text[ply.start : ply.end] for ply in self.plies) if game.respelt else ""
        self.letters = Letters(game.respelt.language if game.respelt else "English", moves)

    def white_moves(self, index: int) -> bool:
        """Return whether the move at ``index`` is White's."""
        return (index % 2 == 0) != self.black_first

    def number(self, index: int) -> int:
        """Return the number of the full move to which the ply at ``index`` belongs."""
        return self.first_number + (index + self.black_first) // 2

    def comment(self, index: int) -> str:
        """Return all comments after the move at ``index``, without braces.

        The index -1 means the comments before the first move.
        """
        if index < 0:
            return " ".join(self.text[start + 1 : end - 1] for start, end in self.lead)
        ply = self.plies[index]
        spans = [(start + 1, end - 1) for start, end in ply.comments] + [(start + 1, end) for start, end in ply.rests]
        return " ".join(self.text[start:end] for start, end in sorted(spans))

    def comments(self) -> list[tuple[int, int]]:
        """Return the spans of all comments, including those after a semicolon."""
        return [*self.lead, *(span for ply in self.plies for span in (*ply.comments, *ply.rests))]

    def place(self, index: int) -> str:
        """Return the move at ``index`` with its number: ``12...Nf6``."""
        dots = "." if self.white_moves(index) else "..."
        return f"{self.number(index)}{dots}{self.plies[index].san}"

    def _scan(self, game: ScoredGame) -> None:
        if game.respelt is None:
            found = tokens(game.text, self.body, game.moves_end)
        else:
            body = game.respelt.body
            found = [(kind, start + self.body, end + self.body) for kind, start, end in tokens(body, 0, len(body))]
        since = self.body
        for kind, start, end in found:
            if kind == "word":
                self._over = False
                self._add(game, since, start, end)
            elif kind == "result":
                self._over = True
                self.tail = start
            elif not self._over:
                self._keep(kind, start, end)
            since = end
        if game.moves_end < game.end:
            self.tail = game.moves_end

    def _add(self, game: ScoredGame, since: int, start: int, end: int) -> None:
        """Store a move. since: the end of the preceding element."""
        san = game.word(len(self.plies) + 1)
        if game.respelt is None:
            last = start + len(self.text[start:end].rstrip("!?"))
        else:
            place = game.respelt.places.get(start - self.body, (start - self.body, end - self.body, end - self.body))
            start, last, end = (at + self.body for at in place)
        ply = Ply(san, since, start, last, end)
        for sign in _SIGNS.finditer(self.text, last, end):
            nag = sign_nag(sign.group())
            if nag:
                ply.nags.append((*sign.span(), nag))
        self.plies.append(ply)

    def _keep(self, kind: str, start: int, end: int) -> None:
        """Store an element that is not a move."""
        text = self.text
        first = text[start]
        if not self.plies:
            if kind == "comment":
                self.lead.append((start, end))
            return
        ply = self.plies[-1]
        if first == "(":
            ply.variation.append((start, end))
            return
        if kind == "other":
            if first == ";":
                ply.rests.append((start, start + len(text[start:end].rstrip("\r\n"))))
            return
        if kind == "comment":
            ply.comments.append((start, end))
        # whether the signs attached to the move have been stored with the move
        elif kind == "nag" and start >= ply.behind:
            nag = sign_nag(text[start:end])
            if nag:
                ply.nags.append((start, end, nag))
        if not ply.variation:
            ply.tail = max(ply.tail, end)


def sign_nag(sign: str) -> int:
    """Return the NAG number of a symbol such as ``!`` or ``$1``; 0 for an unknown symbol."""
    if sign[0] == "$":
        return int(sign[1:]) if 1 < len(sign) <= _MAX_NAG_DIGITS + 1 else 0
    try:
        return nag_of(decoded(sign.encode("latin-1")))
    except ValueError:
        return 0


class Notes:
    """Annotations for one move. Commands are complete, such as ``[%eval 0.17]``. Moves use English letters."""

    __slots__ = ("commands", "move_nag", "position_nag", "variation")

    def __init__(self) -> None:
        self.move_nag = 0
        self.position_nag = 0
        self.commands: dict[str, str] = {}  # by name: {"%eval": "[%eval 0.17]"}; an empty text removes the command
        self.variation = ""  # SAN moves with their numbers, without parentheses

    def __bool__(self) -> bool:
        return bool(self.move_nag or self.position_nag or self.commands or self.variation)


class Editor:
    """Writes notes into a game."""

    def __init__(self, game: Movetext, *, strip: bool = False):
        """strip: first remove all comments, symbols and variations from the game."""
        self._game = game
        self._strip = strip
        self._edits: list[tuple[int, int, str]] = []  # (start, end, replacement)

    def note(self, index: int, notes: Notes) -> None:
        """Write ``notes`` after the move at ``index``.

        Call this method once for each move, in the order of the moves.
        """
        ply = self._game.plies[index]
        if self._strip:
            self._remove(ply)
        elif not notes:
            return
        self._write_nags(ply, notes)
        self._write_commands(ply, notes)
        if notes.variation and (self._strip or not self._has_line(ply, notes.variation)):
            self._edits.append((ply.tail, ply.tail, f" ({self._game.letters.spelled(notes.variation)})"))
        if (any(notes.commands.values()) or notes.variation) and self._game.white_moves(index):
            self._number_next(index + 1)

    def lead(self, commands: dict[str, str]) -> None:
        """Write commands about the position before the first move. This must be called before ``note``."""
        spans = self._game.lead
        if self._strip:
            for start, end in spans:
                self._edits.append((_before(self._game.text, start), end, ""))
            spans = []
        if not commands:
            return
        if self._game.plies:
            self._put(spans, commands, self._number_before(self._game.plies[0]), before=True)
        elif self._game.tail is not None:
            self._put(spans, commands, self._game.tail, before=True)
        else:
            end = len(self._game.text.rstrip())
            only_tags = end <= self._game.body
            if only_tags:
                self._edits.append((end, end, 2 * newline_of(self._game.text)))
            self._put(spans, commands, end, before=only_tags)

    def _number_before(self, ply: Ply) -> int:
        """Return the start of the move's number, or of the move if it has no number."""
        number = _NUMBER_BEFORE.search(self._game.text, ply.since, ply.start)
        return number.start() if number else ply.start

    def text(self) -> str:
        """Return the game with all notes."""
        text, at = self._game.text, 0
        lines = _Lines(newline_of(text))
        comments = sorted(self._game.comments())
        for start, end, fresh in sorted(self._edits, key=lambda edit: edit[:2]):
            lines.keep(text[at:start], inside=_is_inside(comments, at))
            lines.add(fresh)
            at = end
        lines.keep(text[at:], inside=_is_inside(comments, at))
        return "".join(lines.pieces)

    def _remove(self, ply: Ply) -> None:
        text = self._game.text
        for start, end in [*ply.comments, *ply.rests, *ply.variation]:
            self._edits.append((max(ply.behind, _before(text, start)), end, ""))

    def _has_line(self, ply: Ply, line: str) -> bool:
        """Return whether an existing variation begins with the line.

        A second run must not write the same variation again.
        """
        wanted = _main_line(line)
        texts = (self._game.text[start + 1 : end - 1] for start, end in ply.variation)
        there = (_main_line(self._game.letters.english(text)) for text in texts)
        return any(moves[: len(wanted)] == wanted for moves in there)

    def _write_nags(self, ply: Ply, notes: Notes) -> None:
        """Rewrite all symbols of the move, in order, if one of them changes."""
        there = [] if self._strip else [number for _, _, number in ply.nags]
        wanted = list(there)
        for fresh, kind in ((notes.move_nag, MOVE_NAGS), (notes.position_nag, POSITION_NAGS)):
            if fresh:
                wanted = [*(number for number in wanted if number not in kind), fresh]
        if wanted == there and not self._strip:
            return
        for start, end, _ in ply.nags:
            self._edits.append((max(ply.end, _before(self._game.text, start)), end, ""))
        self._edits.append((ply.behind, ply.behind, "".join(f" ${number}" for number in sorted(set(wanted)))))

    def _write_commands(self, ply: Ply, notes: Notes) -> None:
        if notes.commands:
            # Commands follow all symbols of the move, wherever the symbols are.
            end = max([ply.behind, *(end for _, end, _ in ply.nags)])
            self._put([] if self._strip else ply.comments, notes.commands, end)

    def _put(self, spans: list[tuple[int, int]], commands: dict[str, str], at: int, *, before: bool = False) -> None:
        """Put commands into the comment that already has them, else into the first comment, else into a new one.

        They go before other commands but after words, because programs that read match comments parse the first words.
        """
        text = self._game.text
        left = {name: fresh for name, fresh in commands.items() if fresh}
        for start, end in spans:
            for name, fresh in commands.items():
                found = re.compile(rf"\[{name}\s[^\[\]]*\]").search(text, start, end)
                if found and not fresh:
                    self._drop((start, end), found.span(), whole=not left)
                elif found and left.pop(name, None):
                    self._edits.append((*found.span(), fresh))
        if not left:
            return
        words = " ".join(left.values())
        if spans:
            start, end = spans[0]
            inner = text[start + 1 : end - 1]
            if inner.lstrip().startswith("[%"):
                self._edits.append((start + 1, start + 1, f" {words}{'' if inner[0].isspace() else ' '}"))
            else:
                self._edits.append((start + 1 + len(inner.rstrip()), end - 1, f" {words} "))
        else:
            self._edits.append((at, at, f"{{ {words} }} " if before else f" {{ {words} }}"))

    def _drop(self, comment: tuple[int, int], command: tuple[int, int], *, whole: bool) -> None:
        """Remove a command and the spaces on one side of it. whole: also remove the comment if it is then empty."""
        text, (start, end), (first, last) = self._game.text, comment, command
        before, behind = text[start + 1 : first], text[last : end - 1]
        if whole and not (before + behind).strip():
            self._edits.append((_before(text, start), end, ""))
        elif behind.strip():
            self._edits.append((first, last + len(behind) - len(behind.lstrip()), ""))
        else:
            self._edits.append((start + 1 + len(before.rstrip()), last, ""))

    def _number_next(self, index: int) -> None:
        """Repeat the move number before Black's move after a comment, as the standard requires."""
        if index >= len(self._game.plies):
            return
        ply = self._game.plies[index]
        if self._number_before(ply) == ply.start:
            self._edits.append((ply.start, ply.start, f"{self._game.number(index)}... "))


class _Lines:
    """Joins old and new text, and breaks lines that become too long."""

    def __init__(self, newline: str):
        self.pieces: list[str] = []
        self._newline = newline
        self._column = 0
        self._longer = False  # whether text has been added to this line

    def keep(self, text: str, *, inside: bool) -> None:
        """Append old text. If the line has grown, moves may wrap to the next line.

        inside: whether the text begins within a comment.
        """
        head, newline, tail = text.partition(self._newline[-1])
        if self._longer and not inside and _PLAIN.fullmatch(head):
            self.add(head)
            text = newline + tail
        self.pieces.append(text)
        line = text.rfind(self._newline[-1])
        if line >= 0:
            self._longer = False
        self._column = self._column + len(text) if line < 0 else len(text) - line - 1

    def add(self, text: str) -> None:
        """Append new text. Break the line before words that would make it too long."""
        for word in _WORD.findall(text):
            if word.startswith(" ") and self._column + len(word) > _WIDTH:
                self.pieces += [self._newline, word[1:]]
                self._column = len(word) - 1
            else:
                self.pieces.append(word)
                self._column += len(word)
        self._longer = True


# Text that may be broken into lines again: it has no carriage return and no comment, whose text must not change.
_PLAIN = re.compile(r"[\w .+#=\-!?$*/()]*")
# A blank belongs to the word after it. Commands, and comments that consist of commands, are not broken.
_WORD = re.compile(r" ?(?:\{[^}]*\}|\[[^\]]*\]|[^ \[{]+|[\[{])| ")
_NUMBER_BEFORE = re.compile(r"\d+\s*\.*\s*$")


def _is_inside(comments: list[tuple[int, int]], at: int) -> bool:
    """Return whether the offset is within one of the comments, which must be sorted."""
    before = bisect_left(comments, (at, 0)) - 1
    return before >= 0 and at < comments[before][1]


def _main_line(variation: str) -> list[str]:
    """Return the moves of a variation, without inner variations and signs of check."""
    moves, depth = [], 0
    for found in _WRITTEN.finditer(variation):
        depth += (found.lastgroup == "open") - (found.lastgroup == "close")
        if found["san"] and not depth:
            moves.append(found["san"])
    return moves


def _before(text: str, at: int) -> int:
    """Return the start of the spaces before ``at``. A line break is not a space here."""
    start = at
    while start and text[start - 1] == " ":
        start -= 1
    return start
