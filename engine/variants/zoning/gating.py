"""The rules that follow from a game's name, and contradictions in the lines ``gate`` and ``bare``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from standstill.cext.base.constants import BLACK, WHITE

from ..definition import BLACK_PAWN, Definition, Piece
from ..extra_rules import EVERYTHING, ExtraRules, with_law
from ..placement import BLACK_MAN
from .compiling import gate_squares

Fault = tuple[str, str, str]  # rule, word of its line, message

# The lines that a game of this name has unless it states its own: in the files of Fairy-Max and its relatives the name
# selects these rules. A number in braces stands for the letter of the piece with this number.
BY_NAME = {
    "seirawan": ("gate {9}{10}",),
    "shatranj": ("bare lose reply", "stalemate lose"),
}


def with_rules_of_name(laws: ExtraRules, name: str, pieces: Sequence[Piece]) -> ExtraRules:
    """Add the rules that the name selects, and that no line states. Raises ValueError if the pieces do not allow them.

    >>> with_rules_of_name(ExtraRules(bare="draw"), "shatranj", ()).lines()
    ['# stalemate lose', '# bare draw']
    """
    stated = {line.split()[1] for line in laws.lines()}
    for line in BY_NAME.get(name, ()):
        if line.split()[0] not in stated:
            laws = with_law(laws, _with_letters(line, name, pieces).split())
    return laws


def has_rules_of_name(laws: ExtraRules, name: str, pieces: Sequence[Piece]) -> bool:
    """Return whether lines state all rules that the name would add."""
    try:
        return with_rules_of_name(laws, name, pieces) == laws
    except ValueError:
        return False


def _with_letters(line: str, name: str, pieces: Sequence[Piece]) -> str:
    numbers = [number for number in range(1, 16) if f"{{{number}}}" in line]
    if not numbers:
        return line
    wanted = f"pieces {' and '.join(map(str, numbers))} for the hands of {name}"
    if len(pieces) < numbers[-1]:
        raise ValueError(f"expected {wanted}, found {len(pieces)}")
    for number in numbers:
        letter = pieces[number - 1].letter
        if sum(piece.letter.lower() == letter.lower() for piece in pieces) > 1:
            raise ValueError(f"expected {wanted} with letters that no other piece has, found {letter}")
        line = line.replace(f"{{{number}}}", letter)
    return line


def unnamed(game: Definition) -> str:
    """Return what a message says about rules that cannot stand beside ``gate`` and ``bare``."""
    lines = " and ".join(f"# {line.split()[0]}" for line in BY_NAME.get(game.name, ()))
    return f"no line gate or bare beside it{f'; the name {game.name} stands for {lines}' if lines else ''}"


def gating_faults(game: Definition) -> Iterator[Fault]:
    """Yield the contradictions. The letters must belong to pieces, and the start position must be readable."""
    laws = game.extra
    for letter in laws.gate.lower():
        numbers = {game.number_of(letter, colour) for colour in (WHITE, BLACK)}
        if any(number <= BLACK_PAWN or game.piece(number).is_royal for number in numbers):
            yield "gate", letter, f"expected pieces that are neither royal nor pawns, found {letter}"
        if letter in laws.extinct.lower() and laws.extinct != EVERYTHING:
            yield "extinct", letter, f"expected pieces that do not start in hand (# gate), found {letter}"
    for clash, rule, what in (
        (laws.gate and laws.hand, "gate", "no line hand beside it"),
        (laws.gate and laws.limited, "gate", "no promotion to captured pieces (limited) beside it"),
        (laws.gate and laws.extinct == EVERYTHING, "gate", "no line extinct with all beside it"),
        (laws.gate and laws.stalemate == "fewer", "gate", "no line stalemate with fewer beside it"),
        (laws.bare and laws.hand, "bare", "no line hand beside it"),
        (laws.bare and laws.extinct == EVERYTHING, "bare", "no line extinct with all beside it"),
        (laws.bare and laws.mate_wins, "bare", "no line mate beside it"),
    ):
        if clash:
            yield rule, "", f"expected {what}"
    squares = gate_squares(game) if laws.gate else 0
    for colour, side in ((WHITE, "White"), (BLACK, "Black")):
        men = [(sq, man) for sq, man in enumerate(game.start) if man and (man >= BLACK_MAN) == (colour == BLACK)]
        if laws.gate and not any(squares >> sq & 1 and man & 15 > BLACK_PAWN for sq, man in men):
            yield "gate", "", f"expected a piece of {side} other than pawns on the back rank, found none"
        if laws.bare and not any(game.piece(man & 15).is_royal for _, man in men):
            yield "bare", "", f"expected a royal piece of {side}, found none"
