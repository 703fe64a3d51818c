"""Reads and writes evaluations: those that users type, and those in the comments of engines and servers."""

from __future__ import annotations

import re
from math import inf, isinf

from ..common.errors import RelevanceError

WHITE, BLACK = 1, -1  # points of view, as signs

# No engine has scores as large as this. A larger number in a comment is a mistake, not an evaluation.
_LARGEST = 1e6

_TYPED = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<pawns>\d+(?:[.,]\d*)?|[.,]\d+)|(?:#|[Mm])(?P<inner>[+-]?)(?P<moves>\d*)|inf)",
    re.ASCII,
)
_EVAL = re.compile(r"\[%eval\s+(#?)([+-]?\d{1,6}(?:\.\d+)?)(?:,(\d{1,4}))?\s*\]", re.ASCII)
_KEY = re.compile(r"(?:^|,)\s*(wv|ev)\s*=\s*([^,]*)")
_KEYED_DEPTH = re.compile(r"(?:^|,)\s*d\s*=\s*(\d{1,4})", re.ASCII)
# Arena writes the line before the evaluation: {(Nf3 Nc6) +0.25/12 15}.
_MATCH = re.compile(r"\s*(?:\([^()]*\)\s*)?([+-]?)(?:M(\d{1,4})|(\d{1,6}\.\d+))/(\d{1,4})(?=[\s,]|$)", re.ASCII)
_BOOK = re.compile(r"\s*book\s*(?:,|$)", re.IGNORECASE)


class Evaluation:
    """One evaluation from White's point of view. pawns: infinite for a mate. mate: full moves, signed, or None."""

    __slots__ = ("depth", "mate", "pawns")

    def __init__(self, pawns: float, mate: int | None = None, depth: int | None = None):
        self.pawns = pawns
        self.mate = mate
        self.depth = depth  # the search depth; None if unknown

    @classmethod
    def of_mate(cls, moves: int, view: int = WHITE, depth: int | None = None) -> Evaluation:
        """Return a mate in ``moves`` from ``view``: negative if being mated, 0 for a mate that ``view`` has given."""
        sign = view if moves >= 0 else -view
        return cls(sign * inf, sign * abs(moves), depth)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluation):
            return NotImplemented
        return (self.pawns, self.mate, self.depth) == (other.pawns, other.mate, other.depth)

    def __hash__(self) -> int:
        return hash((self.pawns, self.mate, self.depth))

    def __repr__(self) -> str:
        return f"Evaluation({self.text()}{'' if self.depth is None else f', depth {self.depth}'})"

    def text(self) -> str:
        """Return the evaluation as in ``[%eval]``: ``0.17``, ``-1.05``, ``#3``, ``#-5``."""
        if isinf(self.pawns):
            moves = abs(self.mate) if self.mate else 0
            return f"#{'-' if self.pawns < 0 else ''}{moves}"
        return f"{self.pawns:.2f}" if round(self.pawns, 2) else "0.00"

    def command(self) -> str:
        """Return the comment command with the evaluation: ``[%eval 0.17,24]``."""
        return f"[%eval {self.text()}{'' if self.depth is None else f',{self.depth}'}]"


def parse(text: str) -> float:
    """Parse an evaluation that a user typed: pawns as ``0.62``, ``-0,3``, ``+1``, or mates as ``#3``, ``-M5``, ``inf``.

    Raises RelevanceError for any other text.
    """
    found = _TYPED.fullmatch(text.strip().replace("\u2212", "-"))
    if found is None:
        raise RelevanceError(f"expected an evaluation in pawns such as 0.62, or a mate such as #-3, found {text!r}")
    if found["pawns"] is not None:
        pawns = float(found["pawns"].replace(",", "."))
        if pawns > _LARGEST:
            raise RelevanceError(f"expected an evaluation in pawns, found {text!r}")
        return -pawns if found["sign"] == "-" else pawns
    return -inf if "-" in {found["sign"], found["inner"]} else inf


def plain(pawns: float) -> str:
    """Write an evaluation for output, in the form that ``parse`` reads: ``+0.62``, ``+inf``."""
    return f"{pawns:g}" if isinf(pawns) else f"{round(pawns, 2) or 0.0:+.2f}"


def in_centipawns(text: str) -> bool:
    """Return whether the numbers of ``[%eval]`` in the text of a game are centipawns.

    ChessBase, Fritz and Aquarium write ``[%eval 31,22]``, always with whole numbers. All others write pawns with
    decimals, so a single decimal point in the game decides.
    """
    numbers = [number for mate, number, _ in _EVAL.findall(text) if not mate] if "%eval" in text else []
    return bool(numbers) and not any("." in number for number in numbers)


def in_pawns(text: str) -> str:
    """Convert the text of a game with ``[%eval]`` in centipawns (``in_centipawns``) to pawns."""

    def converted(found: re.Match[str]) -> str:
        mate, number, depth = found.groups()
        if mate or "." in number:
            return found[0]
        return Evaluation(float(number) / 100, depth=None if depth is None else int(depth)).command()

    return _EVAL.sub(converted, text)


def in_comment(comment: str, mover: int, *, centipawns: bool = False) -> Evaluation | None:
    """Return the evaluation in a comment after a move; None if it contains no evaluation.

    mover: WHITE or BLACK, the side that made the move. centipawns: see ``in_centipawns``.

    ``[%eval]`` and the ``wv`` and ``ev`` of TCEC are from White's point of view. The comments of cutechess, fastchess,
    Arena and this program's matches (``+0.34/12 1.2s``) are from the mover's, and their mates count half-moves: ``+M5``
    is mate by the mover's third move, ``-M4`` by the opponent's second.
    """
    if "%eval" in comment and (found := _EVAL.search(comment)):
        mate, number, depth = found.groups()
        depth = None if depth is None else int(depth)
        if not mate:
            return Evaluation(float(number) / (100 if centipawns else 1), depth=depth)
        return _mate(number, WHITE, mover, depth) if "." not in number else None
    if "v=" in comment and (keys := dict(_KEY.findall(comment))):
        return _keyed(keys.get("wv") or keys.get("ev") or "", comment, mover)
    if found := _MATCH.match(comment):
        sign, mate, number, depth = found.groups()
        if mate is not None:
            return _mate(f"{sign}{(int(mate) + 1) // 2}", mover, mover, int(depth))
        pawns = mover * float(sign + number)
        return Evaluation(pawns or 0.0, depth=int(depth))
    return None


def by_one_source(comment: str) -> bool:
    """Return whether ``[%eval]`` in the comment comes from a source that evaluated the other moves too.

    If the comment also has a match player's evaluation of its own move, a program has only copied that evaluation into
    ``[%eval]``, as this and other programs do.
    """
    return "[%eval" in comment and in_comment(_EVAL.sub("", comment), WHITE) is None


def is_book(comment: str) -> bool:
    """Return whether the comment marks a book move."""
    return _BOOK.match(comment) is not None


def _keyed(value: str, comment: str, mover: int) -> Evaluation | None:
    """Parse a value as TCEC writes it: ``0.15``, ``-1.20``, ``M12``, ``-M12``."""
    found = _KEYED_DEPTH.search(comment)
    depth = int(found[1]) if found else None
    value = value.strip().replace("#", "M")
    try:
        if "M" in value:
            return _mate(value.replace("M", "", 1), WHITE, mover, depth)
        pawns = float(value)
    except ValueError:
        return None
    return Evaluation(pawns, depth=depth) if abs(pawns) <= _LARGEST else None


def _mate(number: str, view: int, mover: int, depth: int | None) -> Evaluation:
    """Return the evaluation of a mate. number: signed; 0 without a sign is a mate that the mover has just given."""
    moves = int(number)
    if not moves:
        return Evaluation.of_mate(0, -view if number.startswith("-") else mover, depth)
    return Evaluation.of_mate(moves, view, depth)
