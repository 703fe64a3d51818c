"""The movetext of one game, with the places where symbols, comments and variations can be put.

Nothing is lost: text that is not edited stays the same, character for character. Text is bytes read as Latin-1, so that
any file can be copied, and only ASCII is written. The legality of moves is not checked here.
"""

from __future__ import annotations

import re
from typing import NoReturn

from ..relevance.symbols import MOVE_NAGS, POSITION_NAGS, nag_of
from ..words.errors import MovetextError
from ..words.text import shown

# The longest line that the PGN standard allows. Longer lines of the input stay.
_WIDTH = 79

_TOKEN = re.compile(
    r"(?P<space>(?:\s|\xef\xbb\xbf)+)"
    r"|\{(?P<comment>[^}]*)\}"
    r"|(?P<rest>;[^\n]*|(?:(?<=[\n\r])|\A)%[^\n]*)"
    r"|\$(?P<nag>\d{1,4})"
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)(?:(?![\w-])|(?=\xef\xbb\xbf))"
    r"|(?P<san>(?:[KQRBNPa-h][a-hx1-8@:\-][a-hx1-8@:=\-]*(?:=?\(?[QRBNqrbn]\)?)?|[Oo0]-[Oo0](?:-[Oo0])?|--|Z0|@@@@)[+#]*)"
    r"(?P<suffix>[!?]{0,2})"
    r"|(?P<number>\d+\s*\.*|\.+)"
    r"|(?P<open>\()|(?P<close>\))"
    r"|(?P<sign>[!?]{1,2}|e\.p\.|[+=\-/]{1,4}|N\b|D\b"
    # Other signs, read as Latin-1 byte by byte: not figurines, and not letters, which are part of moves.
    r"|(?!\xe2\x99[\x94-\x9f])(?:\xc2|\xe2|\xf0)[\x80-\xbf]+|[\x80-\xbf])"
)
_TAG = re.compile(r'(?:\s|\xef\xbb\xbf|[%;][^\n]*\n)*\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]')


class Ply:
    """One move of the main line with its annotations. Spans are places in the text of the game."""

    __slots__ = ("comments", "end", "glyph", "nags", "san", "start", "tail", "variation")

    def __init__(self, san: str, start: int, end: int, glyph: tuple[int, int]):
        self.san = san
        self.start = start
        self.end = end  # of the move alone
        self.glyph = glyph  # span of a suffix such as !?, may be empty
        self.nags: list[tuple[int, int, int]] = []  # start, end, number
        self.comments: list[tuple[int, int]] = []  # spans with their braces
        self.variation: list[tuple[int, int]] = []  # spans with their parentheses
        self.tail = end  # where a variation can be added


class Movetext:
    """A parsed game.

    text: the whole text, with tags. lead: spans of the comments before the first move.
    black_first, first_number: of the first move, from the FEN tag.
    """

    def __init__(self, text: str):
        """Raises MovetextError for an open comment or variation, or an unknown word."""
        self.text = text
        self.tags, self.body = read_tags(text)
        self.plies: list[Ply] = []
        self.lead: list[tuple[int, int]] = []
        self.result: str | None = None
        fields = self.tags.get("FEN", "").split()
        self.black_first = len(fields) > 1 and fields[1] == "b"
        self.first_number = int(fields[5]) if len(fields) > 5 and fields[5].isdigit() else 1
        self._scan()

    def white_moves(self, index: int) -> bool:
        """Is the move at ``index`` White's?"""
        return (index % 2 == 0) != self.black_first

    def number(self, index: int) -> int:
        """The number of the full move to which the ply at ``index`` belongs."""
        return self.first_number + (index + self.black_first) // 2

    def comment(self, index: int) -> str:
        """All comments after the move at ``index``, without braces; -1 means those before the first move."""
        spans = self.lead if index < 0 else self.plies[index].comments
        return " ".join(self.text[start + 1 : end - 1] for start, end in spans)

    def _scan(self) -> None:
        text, at, depth, opened = self.text, self.body, 0, 0
        match = _TOKEN.match
        while at < len(text) and self.result is None:
            found = match(text, at)
            if found is None:
                self._complain(at)
            kind, start, at = found.lastgroup, at, found.end()
            if kind == "open":
                if not depth:
                    opened = start
                depth += 1
            elif kind == "close":
                depth -= 1
                if depth < 0:
                    self._complain(start)
                if not depth and self.plies:
                    self.plies[-1].variation.append((opened, at))
            elif not depth and kind in _KEPT:
                self._keep(kind, found, start)
        if depth:
            raise MovetextError(f"{self._where()}: a variation does not end")

    def _keep(self, kind: str, found: re.Match[str], start: int) -> None:
        """Store a token of the main line other than a move number."""
        end = found.end()
        if kind == "suffix":  # the last group of a move
            self.plies.append(Ply(found["san"], start, end := found.end("san"), (end, found.end())))
            self.plies[-1].tail = found.end()
            return
        if kind == "result":
            self.result = found["result"]
            return
        if not self.plies:
            if kind == "comment":
                self.lead.append((start, end))
            return
        ply = self.plies[-1]
        if kind == "comment":
            ply.comments.append((start, end))
        elif kind == "nag":
            ply.nags.append((start, end, int(found["nag"])))
        elif kind == "sign":
            nag = _sign_nag(found["sign"])
            if nag:
                ply.nags.append((start, end, nag))
        if not ply.variation and kind != "rest":
            ply.tail = end

    def _complain(self, at: int) -> NoReturn:
        line = self.text[at : at + 40].split("\n")[0]
        what = "a comment that does not end" if line.startswith("{") else shown(line, 20)
        raise MovetextError(f"{self._where()}: expected a move, found {what}")

    def _where(self) -> str:
        return f"after {self.place(len(self.plies) - 1)}" if self.plies else "at the first move"

    def place(self, index: int) -> str:
        """The move at ``index`` with its number: ``12...Nf6``."""
        dots = "." if self.white_moves(index) else "..."
        return f"{self.number(index)}{dots}{self.plies[index].san}"


_KEPT = {"suffix", "result", "comment", "nag", "sign", "rest"}


def _sign_nag(sign: str) -> int:
    """The number of a symbol that stands alone; 0 for an unknown symbol."""
    try:
        return nag_of(sign)
    except ValueError:
        return 0


def read_tags(text: str) -> tuple[dict[str, str], int]:
    """The tags of a game, and where its movetext begins."""
    tags: dict[str, str] = {}
    at = 0
    while found := _TAG.match(text, at):
        tags.setdefault(found[1], found[2].replace('\\"', '"').replace("\\\\", "\\"))
        at = found.end()
    return tags, at


class Notes:
    """Annotations for one move. Evaluations and the like are complete comment commands."""

    __slots__ = ("commands", "move_nag", "position_nag", "variation")

    def __init__(self) -> None:
        self.move_nag = 0
        self.position_nag = 0
        self.commands: dict[str, str] = {}  # by name: {"%eval": "[%eval 0.17]"}
        self.variation = ""  # SAN moves with their numbers, without parentheses

    def __bool__(self) -> bool:
        return bool(self.move_nag or self.position_nag or self.commands or self.variation)


class Editor:
    """Writes notes into a game."""

    def __init__(self, game: Movetext, *, strip: bool = False):
        """strip: first remove all comments, symbols and variations."""
        self._game = game
        self._strip = strip
        self._edits: list[tuple[int, int, str]] = []  # start, end, replacement

    def note(self, index: int, notes: Notes) -> None:
        """Write ``notes`` after the move at ``index``. Moves have to come in order, each once."""
        ply = self._game.plies[index]
        if self._strip:
            self._remove(ply)
        elif not notes:
            return
        self._write_nags(ply, notes)
        self._write_commands(ply, notes)
        if notes.variation and (self._strip or not self._tells(ply, notes.variation)):
            self._edits.append((ply.tail, ply.tail, f" ({notes.variation})"))
        if (notes.commands or notes.variation) and self._game.white_moves(index):
            self._number_next(index + 1)

    def lead(self, commands: dict[str, str]) -> None:
        """Write commands about the position before the first move. Has to be called before ``note``."""
        spans = self._game.lead
        if self._strip:
            for start, end in spans:
                self._edits.append((_before(self._game.text, start), end, ""))
            spans = []
        if commands:
            start = self._game.plies[0].start if self._game.plies else len(self._game.text)
            number = _NUMBER_BEFORE.search(self._game.text, self._game.body, start)
            self._put(spans, commands, number.start() if number else start, before=True)

    def text(self) -> str:
        """The game with all notes."""
        text, at = self._game.text, 0
        lines = _Lines("\r\n" if "\r\n" in text else "\n")
        for start, end, fresh in sorted(self._edits, key=lambda edit: edit[:2]):
            lines.keep(text[at:start])
            lines.add(fresh)
            at = end
        lines.keep(text[at:])
        return "".join(lines.pieces)

    def _remove(self, ply: Ply) -> None:
        text = self._game.text
        for start, end in [*ply.comments, *ply.variation]:
            self._edits.append((_before(text, start), end, ""))

    def _tells(self, ply: Ply, line: str) -> bool:
        """Does an existing variation begin with the line? Otherwise a second run would write it again."""
        wanted = _main_line(line)
        there = (_main_line(self._game.text[start + 1 : end - 1]) for start, end in ply.variation)
        return any(moves[: len(wanted)] == wanted for moves in there)

    def _write_nags(self, ply: Ply, notes: Notes) -> None:
        """Write all symbols of the move again, in order, if one of them changes."""
        there = [] if self._strip else [number for _, _, number in ply.nags]
        glyph = self._game.text[slice(*ply.glyph)]
        if glyph and not self._strip:
            there.append(nag_of(glyph))
        wanted = list(there)
        for fresh, kind in ((notes.move_nag, MOVE_NAGS), (notes.position_nag, POSITION_NAGS)):
            if fresh:
                wanted = [*(number for number in wanted if number not in kind), fresh]
        if wanted == there and not self._strip:
            return
        self._edits.append((ply.end, ply.glyph[1], "".join(f" ${number}" for number in sorted(set(wanted)))))
        for start, end, _ in ply.nags:
            self._edits.append((_before(self._game.text, start), end, ""))

    def _write_commands(self, ply: Ply, notes: Notes) -> None:
        if notes.commands:
            # After all symbols, wherever they were.
            end = max([ply.glyph[1], *(end for _, end, _ in ply.nags)])
            self._put([] if self._strip else ply.comments, notes.commands, end)

    def _put(self, spans: list[tuple[int, int]], commands: dict[str, str], at: int, *, before: bool = False) -> None:
        """Put commands into the comment that has them already, else into the first comment, else into a new one.

        They go before other commands but after words, because readers of match comments look at their first words.
        """
        text = self._game.text
        left = dict(commands)
        for start, end in spans:
            for name in list(left):
                found = re.compile(rf"\[{name}\s[^\[\]]*\]").search(text, start, end)
                if found:
                    self._edits.append((found.start(), found.end(), left.pop(name)))
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

    def _number_next(self, index: int) -> None:
        """Give Black's move its number again after a comment, as the standard requires."""
        if index >= len(self._game.plies):
            return
        ply = self._game.plies[index]
        between = self._game.text[self._game.plies[index - 1].tail : ply.start]
        if not _NUMBER_BEFORE.search(between):
            self._edits.append((ply.start, ply.start, f"{self._game.number(index)}... "))


class _Lines:
    """Joins old and new text, and breaks lines that become too long."""

    def __init__(self, newline: str):
        self.pieces: list[str] = []
        self._newline = newline
        self._column = 0
        self._longer = False  # has anything been added to this line?

    def keep(self, text: str) -> None:
        """Keep old text. On a line that has grown, its moves may go to the next line."""
        head, newline, tail = text.partition("\n")
        if self._longer and _PLAIN.fullmatch(head):
            self.add(head)
            text = newline + tail
        self.pieces.append(text)
        line = text.rfind("\n")
        if line >= 0:
            self._longer = False
        self._column = self._column + len(text) if line < 0 else len(text) - line - 1

    def add(self, text: str) -> None:
        """Add new text, broken before words that would pass the margin."""
        for word in _WORD.findall(text):
            if word.startswith(" ") and self._column + len(word) > _WIDTH:
                self.pieces += [self._newline, word[1:]]
                self._column = len(word) - 1
            else:
                self.pieces.append(word)
                self._column += len(word)
        self._longer = True


# Text without comments, which must not change, and without a return at the end of a line.
_PLAIN = re.compile(r"[\w .+#=\-!?$*/()]*")
# A blank belongs to the following word. Commands, and comments of commands, stay whole.
_WORD = re.compile(r" ?(?:\{[^}]*\}|\[[^\]]*\]|[^ \[{]+|[\[{])| ")
_NUMBER_BEFORE = re.compile(r"\d+\s*\.*\s*$")


def _main_line(variation: str) -> list[str]:
    """The moves of a variation, without inner variations and signs of check."""
    moves, depth = [], 0
    for found in _TOKEN.finditer(variation):
        depth += (found.lastgroup == "open") - (found.lastgroup == "close")
        if found.lastgroup == "suffix" and not depth:
            moves.append(found["san"].rstrip("+#"))
    return moves


def _before(text: str, at: int) -> int:
    """The start of the blanks before ``at``; a line break stays."""
    start = at
    while start and text[start - 1] == " ":
        start -= 1
    return start
