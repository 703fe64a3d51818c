"""Imbalanced arrays: the start position of a game without some pieces of each side."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement

from standstill.cext.base.constants import BLACK, WHITE

from ..common.errors import MatchError, NotationError
from ..variants.boards import new_board, rules_of, start_fen
from ..variants.definition import BLACK_PAWN, Definition, Piece, displacement
from ..variants.fairy_notation import letter_of
from ..variants.game_over import game_end
from ..variants.placement import BLACK_MAN, by_text
from .values import Imbalance, imbalance_of, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ATTEMPTS = 30  # number of arrays tried before one with an immediate capture is accepted
_MOST_PAWNS = 9  # maximum number of pawns in an imbalance, which are also at most two thirds of a side's pawns
_MOST_OTHERS = 2  # maximum number of pieces that replace a single piece
_VARIETY = 3  # sets of replacing pieces used for each kind of piece
# Added to the cost of an imbalance: for each pawn, and for each other piece after the first.
_PAWN_COST, _PIECE_COST = 0.12, 0.25
_WINGS = {"K": 1, "Q": -1}  # castling rights, and the side of the board on which the castling partner stands


@dataclass(frozen=True, slots=True)
class PieceKind:
    """A kind of piece. numbers: the number of White's and of Black's piece; 0 for a side that does not have the piece.

    counts: how many such pieces each side has in the array. value: the value that the engine assumes, in centipawns.
    """

    label: str
    numbers: tuple[int, int]
    counts: tuple[int, int]
    value: int
    is_bound: bool = False

    @property
    def is_pawn(self) -> bool:
        return 0 < max(self.numbers) <= BLACK_PAWN


def kinds_of(game: Definition) -> list[PieceKind]:
    """Return the kinds of pieces in the array that are not royal, pawns first."""
    found: list[PieceKind] = []
    taken: set[int] = set()
    start = [game.original(man) for man in game.start]
    for number, piece in enumerate(game.own_pieces, 1):
        if piece.is_royal or number in taken:
            continue
        black = _counterpart(game, number)
        counts = start.count(number), start.count(black + BLACK_MAN)
        if not any(counts):
            continue
        taken |= {number, black}
        numbers = (number if counts[WHITE] else 0, black if counts[BLACK] else 0)
        value = piece.value or rules_of(game).mobility_cp(number)
        bound = number > BLACK_PAWN and piece.is_bound(game.width)
        found.append(PieceKind(piece.letter.upper(), numbers, counts, value, bound))
    letters = Counter(kind.label for kind in found)
    return [_told_apart(kind) if letters[kind.label] > 1 else kind for kind in found]


def _told_apart(kind: PieceKind) -> PieceKind:
    """Return the kind with a label that is unique even if other kinds have the same letter."""
    whose = "both" if all(kind.numbers) else "White" if kind.numbers[WHITE] else "Black"
    return PieceKind(f"{kind.label}:{whose}", kind.numbers, kind.counts, kind.value, kind.is_bound)


def _counterpart(game: Definition, number: int) -> int:
    """Return Black's piece that is the mirror image of White's: usually the same number, but pawns are turned round."""
    if number + BLACK_MAN in game.start or number not in game.start:
        return number
    piece = game.piece(number)
    for other in range(1, len(game.own_pieces) + 1):
        is_blacks = other + BLACK_MAN in game.start and other not in game.start
        same = game.piece(other).letter.lower() == piece.letter.lower()
        if is_blacks and same and _rays(piece, -1) == _rays(game.piece(other), 1):
            return other
    return number


def _rays(piece: Piece, upwards: int) -> list[tuple[int, ...]]:
    """Return the rays in a form that can be compared. upwards: -1 to turn the piece round."""
    found = []
    for ray in piece.rays:
        right, up = displacement(ray.step)
        right_2, up_2 = displacement(ray.second if ray.bend else 0)
        found.append((right, up * upwards, ray.rights, right_2, up_2 * upwards))
    return sorted(found)


class Arrays:
    """The arrays of one game, and the imbalances that tell what its pieces are worth."""

    def __init__(self, game: Definition, unit: str = ""):
        """unit: the letter of the pieces that make arrays even and are the unit of values; "" for pawns.

        Raises MatchError for a game without such pieces.
        """
        self.game = game
        self.kinds = kinds_of(game)
        self.by_label = {kind.label: kind for kind in self.kinds}
        units = [kind for kind in self.kinds if kind.label[0] == unit.upper() or (not unit and kind.is_pawn)]
        units = [kind for kind in units if kind.value > 0]
        if not units:
            raise MatchError(self._missing(unit))
        self.unit = max(units, key=lambda kind: (sum(kind.counts), kind.label))
        self.unit_words = "a pawn" if self.unit.is_pawn else f"one {self.unit.label}"
        self._fields = start_fen(game).split()

    def _missing(self, unit: str) -> str:
        """Return the reason why the unit is unsuitable."""
        cheap = sorted((sum(kind.counts) < 4, kind.value, kind.label) for kind in self.kinds if kind.value > 0)
        if unit or not cheap:
            some = ", ".join(label for *_, label in cheap)
            return f"{self.game.name}: expected a piece of the array as the unit, one of {some}; found {unit!a}"
        return (
            f"{self.game.name}: expected pawns in the array, because a pawn is the unit of values; "
            f"name another piece as the unit, such as {cheap[0][2]}"
        )

    @property
    def order(self) -> list[str]:
        """The kinds in the order in which an imbalance names them."""
        ordered = sorted(self.kinds, key=lambda kind: (kind.is_pawn, -kind.value, kind.label))
        return [kind.label for kind in ordered]

    def measurable(self, wanted: str = "") -> list[str]:
        """Return the kinds to be measured: those with the letters in ``wanted``, or all measurable ones.

        Raises MatchError for a letter without such a kind, and if no kind can be measured.
        """
        if not wanted:
            found = [kind.label for kind in self.kinds if not self._reason(kind)]
            if not found:
                raise MatchError(f"{self.game.name}: expected a piece whose loss neither ends the game nor is its aim")
            return found
        return list(dict.fromkeys(label for letter in wanted.upper() for label in self._labels(letter)))

    def _labels(self, letter: str) -> list[str]:
        found = [kind for kind in self.kinds if kind.label[0] == letter]
        if not found:
            royal = any(piece.is_royal and piece.letter.upper() == letter for piece in self.game.own_pieces)
            some = ", ".join(kind.label for kind in self.kinds if not self._reason(kind))
            what = f"{letter}, which is royal" if royal else f"{letter!a}"
            raise MatchError(f"{self.game.name}: expected letters of pieces in the array, such as {some}; found {what}")
        for kind in found:
            if reason := self._reason(kind):
                raise MatchError(f"{self.game.name}: cannot measure {kind.label}: {reason}")
        return [kind.label for kind in found]

    def _reason(self, kind: PieceKind) -> str:
        """Return the reason why the value of a kind cannot be measured; empty if it can be measured."""
        laws = self.game.extra
        if kind == self.unit:
            return "it is the unit of values"
        if not any(self.game.piece(number).rays for number in kind.numbers if number):
            return "it cannot move"
        if self._is_in_hand(kind):
            return "the game begins with it in hand"
        if laws.extinct and laws.extinct_wins:
            return "a side that loses its pieces wins"
        if laws.extinct and kind.label[0].lower() in laws.extinct.lower() and max(kind.counts) - 1 <= laws.extinct_at:
            return "a side without it has lost"
        return ""

    def _is_in_hand(self, kind: PieceKind) -> bool:
        return not {*self.game.gates(WHITE), *self.game.gates(BLACK)}.isdisjoint(kind.numbers)

    # ---- which imbalances ----

    def choices(self, label: str, measured: Sequence[str]) -> list[tuple[Imbalance, int]]:
        """Return (imbalance as the leader sees it, colour of the leader) for games that tell what a kind is worth.

        By the stated values, one imbalance has slightly too few pawns to be even and another slightly too many, because
        these values may be wrong. label: the kind; the label of the unit gives games at pawn odds. Raises MatchError
        if no array without the kind is playable.
        """
        if label == self.unit.label:
            most = max(1, max(self.unit.counts) - 1)
            odds = [imbalance_of({label: number}) for number in (1, 2) if number <= most]
            if led := self._led(odds):
                return led
            some = ", ".join(kind.label for kind in self.kinds if kind != self.unit and not self._reason(kind))
            what = f"no array without {self.unit_words} is playable; name another piece as the unit"
            raise MatchError(f"{self.game.name}: {what}, one of {some}")
        rank = {each: (self.by_label[each].value, each) for each in measured}
        able = [
            kind.label
            for kind in self.kinds
            if not (kind.is_pawn or kind.label == label or self._reason(kind))
            and (kind.label not in rank or rank[kind.label] < rank[label])  # so that comparisons end at pawns
        ]
        sets: list[tuple[str, ...]] = [()]
        for count in range(1, _MOST_OTHERS + 1):
            sets += combinations_with_replacement(able, count)
        # The second piece of a pair that is bound to colours is worth less than the first.
        sets = [each for each in sets if not any(self.by_label[x].is_bound and each.count(x) > 1 for x in each)]
        found: list[list[tuple[Imbalance, int]]] = []
        for _, imbalances in sorted(self._evened(label, others) for others in sets):
            if led := self._led(imbalances):
                found.append(led)
            if len(found) == _VARIETY:
                break
        if not found:
            raise MatchError(f"{self.game.name}: cannot measure {label}: no array without it is playable")
        return [choice for led in found for choice in led]

    def _evened(self, label: str, others: Sequence[str]) -> tuple[float, list[Imbalance]]:
        """Return (cost, imbalances of a kind against others, evened by pawns, whose number is rounded down and up)."""
        unit = self.unit
        rest = (self.by_label[label].value - sum(self.by_label[each].value for each in others)) / unit.value
        most = min(_MOST_PAWNS, max(unit.counts) * 2 // 3)
        low = max(-most, min(most, int(rest // 1)))
        high = max(-most, min(most, -int(-rest // 1)))
        excess = max(0.0, rest - high, low - rest)
        cost = excess + _PAWN_COST * max(abs(low), abs(high)) + _PIECE_COST * max(0, len(others) - 1)
        found = []
        for pawns in sorted({low, high}):
            surplus = Counter({label: 1})
            surplus.subtract(others)
            surplus.subtract({unit.label: pawns})
            found.append(imbalance_of(surplus))
        return cost, found

    def _led(self, imbalances: Sequence[Imbalance]) -> list[tuple[Imbalance, int]]:
        """Return (imbalance, leader) for each playable imbalance and each colour that can have the surplus."""
        return [
            (imbalance, leader)
            for imbalance in imbalances
            for leader in (WHITE, BLACK)
            if self._is_possible(imbalance, leader) and self._try(imbalance, leader) is not None
        ]

    def _is_possible(self, imbalance: Imbalance, leader: int) -> bool:
        """Return whether the array has all pieces that the imbalance removes."""
        return all(self.by_label[label].counts[giver] >= number for label, number, giver in _given(imbalance, leader))

    def _try(self, imbalance: Imbalance, leader: int) -> str | None:
        try:
            return self.position(imbalance, leader, random.Random(0))
        except MatchError:
            return None

    # ---- an imbalance as a position ----

    def surplus(self, fen: str) -> Imbalance:
        """Return White's surplus in a position, compared with the array."""
        men = [self.game.original(man) for man in by_text(self.game, fen.split(maxsplit=1)[0].partition("[")[0])]
        found = {}
        for kind in self.kinds:
            white, black = kind.numbers
            more = men.count(white) if white else 0
            fewer = men.count(black + BLACK_MAN) if black else 0
            found[kind.label] = more - fewer - (kind.counts[WHITE] - kind.counts[BLACK])
        return imbalance_of(found)

    def position(self, imbalance: Imbalance, leader: int, chance: random.Random) -> str:
        """Return the FEN of the array after random pieces of the kinds have been removed.

        leader: the side that has the surplus.

        Raises MatchError if no such array is playable.
        """
        best: tuple[int, str] | None = None
        for _ in range(_ATTEMPTS):
            men = bytearray(self.game.start)
            for label, number, giver in _given(imbalance, leader):
                man = self.by_label[label].numbers[giver] + BLACK_MAN * giver
                squares = [sq for sq, other in enumerate(men) if self.game.original(other) == man]
                for sq in chance.sample(squares, number):
                    men[sq] = 0
            fen = self._text(bytes(men))
            captures = self._captures(fen)
            if captures is not None and (best is None or captures < best[0]):
                best = captures, fen
            if captures == 0:
                break
        if best is None:
            raise MatchError(f"expected a playable array with {words_of(imbalance, self.order)}, found none")
        return best[1]

    def _captures(self, fen: str) -> int | None:
        """Return how many captures both sides together could make at once; None if the position is not playable."""
        count = 0
        for side in "bw":
            fields = fen.split()
            fields[1] = side
            try:
                board = new_board(" ".join(fields), game=self.game)
            except (NotationError, ValueError):  # such as a check of the other side
                return None
            if game_end(board) is not None:
                return None
            count += sum(board.noisy(move) for move in board.legal_moves())
        return count

    def _text(self, men: bytes) -> str:
        width = self.game.width
        rows = ["".join(self._pieces(men[at : at + width])) for at in range(0, len(men), width)]
        fields = self._fields.copy()
        _, bracket, hands = fields[0].partition("[")
        fields[0] = "/".join(reversed(rows)) + bracket + hands
        fields[2] = self._rights(men)
        return " ".join(fields)

    def _pieces(self, rank: bytes) -> Iterator[str]:
        gap = 0
        for man in [*rank, -1]:
            if not man:
                gap += 1
                continue
            yield str(gap) if gap else ""
            gap = 0
            if man > 0:
                yield letter_of(self.game, man)

    def _rights(self, men: bytes) -> str:
        """Return the castling rights. Where one side has lost its rook, neither side may castle on that wing."""
        given = self._fields[2]
        lost = set()
        for sq, man in enumerate(self.game.start):
            for side, _ in self.game.castlings[(man & 15) - 1] if man else ():
                partner = self.game.partner(sq, side)
                if men[sq] != man or (partner >= 0 and men[partner] != self.game.start[partner]):
                    lost.add(side)
        return "".join(letter for letter in given if _WINGS.get(letter.upper(), 0) not in lost) or "-"


def _given(imbalance: Imbalance, leader: int) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, number, colour that gives them up)."""
    for label, number in imbalance:
        yield label, abs(number), 1 - leader if number > 0 else leader
