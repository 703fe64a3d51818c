"""A game as its definition file describes it, before compilation.

The format is that of Fairy-Max's ``fmax.ini`` with the suffixes of Pair-o-Max (docs/variants.md).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from standstill.cext.base.constants import BLACK, WHITE

from .extra_rules import EVERYTHING, NO_LAWS, ExtraRules
from .placement import BLACK_MAN, PAWNS, by_ranks, by_text
from .variant import Variant
from .zoning.compiling import compiled_laws

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    class CompiledForm(TypedDict):
        """The arguments of the core's ``FairyRules``."""

        width: int
        height: int
        rays: list[list[tuple[int, int, int, int, int, int, int]]]
        values: list[int]
        traits: list[tuple[int, bool, bool, bool, bool, bool]]
        start: bytes
        promotions: list[list[tuple[int, ...]]]
        promotion_rank: int
        has_hill: bool
        stalemate_loses: bool
        has_baring: bool
        gates: tuple[int, ...]
        laws: dict[str, object]


WHITE_PAWN, BLACK_PAWN = PAWNS
MOST_PIECES = 15
MOST_FILES = MOST_RANKS = 16

# The digits of a ray's rights.
TAKES, MOVES, LEAPS, HOPS = 1, 2, 4, 8  # the last digit is the mode, the digit before it the toggle
NO_EP, JUMPS = 4, 8  # in the toggle of an initial move
# these bits stand in the third digit from the right, whose upper bits are a delay, or distinguish hoppers
CYLINDER, MULTI_PATH = 1, 2
STRAIGHT_FIRST = 4  # with MULTI_PATH: the only path is that on which straight steps precede diagonal ones
DELAY_SHIFT = 2
BEFORE_PLATFORM, FRIENDLY_PLATFORM = 4, 8

CHOICE_LINE = "# choice"  # a line below the pieces that allows pawns to promote to any piece

# Values of n in the suffix ``0,n`` of a piece's moves.
MATES, TOUGH, NO_MATING_PAIR = 3, -1, -4

EARLY_ZONE = 3  # board suffix of the Makruk family: pawns promote on the sixth rank, and to one piece only
HILL_NUMBER = 3  # the value -2 of a piece means king of the hill
WEAK_NUMBER, WEAK_CP = 7, 250  # pawns promote to this piece only if it is worth fewer centipawns (Shatranj)
PAWN_BACK = -3  # board suffix: pawns start on the fourth rank, and the file decides the promotion
THIRD_RANK_DELAY = 3  # both delay bits of an initial move: three steps from home, two from the third rank


def displacement(step: int) -> tuple[int, int]:
    """Return (files to the right, ranks upwards) for a step, which is 16 * ranks downwards + files to the right."""
    right = (step + 8) % 16 - 8
    return right, -((step - right) // 16)


def step_of(right: int, up: int) -> int:
    return right - 16 * up


@dataclass(frozen=True, slots=True)
class Ray:
    """One ray: a step, rights (three hexadecimal digits), and ``bend``, the XOR of both legs' steps; 0 for one leg."""

    step: int
    rights: int
    bend: int = 0

    @property
    def second(self) -> int:
        """The step of the second leg."""
        return self.step ^ self.bend

    @property
    def mode(self) -> int:
        return self.rights & 15

    @property
    def toggle(self) -> int:
        return self.rights >> 4 & 15

    @property
    def extra(self) -> int:
        return self.rights >> 8 & 15

    @property
    def is_initial(self) -> bool:
        """Whether only a piece that has not moved yet has this ray."""
        return self.mode == LEAPS

    @property
    def is_simple(self) -> bool:
        """Whether this is a plain leaper or slider: one leg, no hop, no initial move."""
        return not (self.is_initial or self.toggle or self.mode & HOPS or self.bend or self.extra & ~CYLINDER)

    def __str__(self) -> str:
        text = f"{self.step},{self.rights:X}"
        return f"{text},{self.second}" if self.bend else text


def turned(ray: Ray, sight: int = 1) -> Ray:
    """Return a ray of White as a ray of Black: up the board becomes down. sight: -1 also exchanges left and right."""
    right, up = displacement(ray.step)
    more, higher = displacement(ray.bend if ray.extra & MULTI_PATH else ray.second)
    step, other = step_of(sight * right, -up), step_of(sight * more, -higher)
    bend = 0 if ray.bend == 0 else other if ray.extra & MULTI_PATH else step ^ other
    return Ray(step, ray.rights, bend)


def opposed(rays: Sequence[Ray]) -> tuple[Ray, ...]:
    """Return the rays of a piece of White as Black's. If left and right differ, they change places, as for a player
    who sits on the other side of the board.
    """
    plain = [ray for ray in rays if not ray.is_initial]
    sight = 1 if set(map(turned, plain)) == {turned(ray, -1) for ray in plain} else -1
    return tuple(turned(ray, 1 if ray.is_initial else sight) for ray in rays)


def _compiled(rays: tuple[Ray, ...]) -> list[tuple[int, int, int, int, int, int, int]]:
    """Return rays as the core's ``FairyRules`` reads them."""
    found = []
    for ray in rays:
        second = ray.bend if ray.extra & MULTI_PATH else ray.second
        found.append((*displacement(ray.step), *displacement(second), ray.mode, ray.toggle, ray.extra))
    return found


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of piece. ``suffix`` is the n of a suffix ``0,n``, or None."""

    letter: str
    value: int
    rays: tuple[Ray, ...]
    suffix: int | None = None

    @property
    def is_royal(self) -> bool:
        return self.value < 0

    @property
    def is_absolute(self) -> bool:
        """Whether a side loses the game by losing any one piece of this kind."""
        return self.value == -1

    @property
    def has_spare_value(self) -> bool:
        """Whether the negative value gives the worth of a spare royal piece.

        The values -1 and -2 encode rules instead.
        """
        return self.value < -2

    @property
    def worth(self) -> int:
        """The value in exchanges, in centipawns, also for a spare royal piece."""
        return abs(self.value)

    @property
    def centralises(self) -> bool:
        return self.letter.islower()

    @property
    def is_promotable(self) -> bool:
        """Whether a pawn may choose to promote to this piece. A single royal piece (value -1 or -2) is excluded."""
        return not self.is_absolute and self.value != -2 and not (self.value > 0 and self.value % 10 == 3)

    def is_bound(self, width: int) -> bool:
        """Return whether the piece is bound to one colour, by its rays or by a suffix that gives a pair bonus."""
        if self.suffix is not None:
            return self.suffix > MATES
        if self.is_royal or not self.rays:
            return False
        for ray in self.rays:
            if not ray.is_simple or sum(displacement(ray.step)) % 2 or (ray.extra & CYLINDER and width % 2):
                return False
        return True

    def pair_bonus(self, width: int) -> int:
        """Return the bonus for two pieces of this kind, in centipawns."""
        if not self.is_bound(width):
            return 0
        return self.value // 8 if self.suffix is None else self.suffix

    def castles(self) -> list[tuple[int, int]]:
        """Return (direction, files moved) for each castling among the rays."""
        found = []
        for ray in self.rays:
            side, up = displacement(ray.step)
            if ray.is_initial and ray.toggle == TAKES | MOVES and up == 0 and abs(side) == 1:
                found.append((side, side + displacement(ray.second)[0]))
        return found

    def __str__(self) -> str:
        suffix = "" if self.suffix is None else f" 0,{'-' if self.suffix < 0 else ''}{abs(self.suffix):X}"
        return f"{self.letter}:{self.value}" + "".join(f" {ray}" for ray in self.rays) + suffix


@dataclass(frozen=True)
class Definition(Variant):
    """A game defined by a file.

    Piece n of the file is ``pieces[n - 1]``. The arrays contain these numbers, and 0 for an empty square.
    """

    name: str
    width: int
    height: int
    white: tuple[int, ...]
    black: tuple[int, ...]
    pieces: tuple[Piece, ...]
    zone: int = 0  # the number N in WxH=N; 0 if N is absent
    description: str = ""
    table: str = ""  # for XBoard: the picture of each piece
    parent: str = ""  # for XBoard: the game that provides the other rules
    betza: tuple[tuple[str, str], ...] = ()  # for XBoard: (ID, moves)
    allows_choice: bool = False  # whether promotion is free although the format's rules would allow one piece only
    extra: ExtraRules = NO_LAWS  # rules beyond Fairy-Max's format
    within: tuple[tuple[Ray, ...], ...] = ()  # the moves in each line ``within``, from White's side
    # For each promoted form at the end of ``pieces``: the piece whose moves it has. When the form is captured, it
    # becomes another piece in the hand.
    twins: tuple[int, ...] = ()
    forms: tuple[tuple[int, int], ...] = ()  # (piece, its promoted form), as the lines ``promote`` state them

    @property
    def squares(self) -> int:
        return self.width * self.height

    def piece(self, number: int) -> Piece:
        return self.pieces[number - 1]

    @property
    def pawn_rank(self) -> int:
        """The rank on which the pawns start, counted from 0 on their own side."""
        if self.zone < 0:
            return -self.zone
        return max(self.zone, 2) - 1

    @property
    def promotion_rank(self) -> int:
        """The first rank on which a pawn promotes, counted from 0 on its own side."""
        if self.extra.promotion:
            return self.extra.promotion - 1
        return self.height - max(self.zone, 1)

    @property
    def promotes_by_file(self) -> bool:
        return self.zone == PAWN_BACK

    @property
    def has_choice(self) -> bool:
        """Whether pawns may choose their promotion. In Makruk, Shatranj, Courier and similar games they may not."""
        if self.promotes_by_file:
            return False
        early = self.zone == EARLY_ZONE
        weak = len(self.own_pieces) >= WEAK_NUMBER and 0 < self.piece(WEAK_NUMBER).value < WEAK_CP
        return self.allows_choice or not (early or weak)

    @property
    def own_pieces(self) -> tuple[Piece, ...]:
        """The pieces that the file lists."""
        return self.pieces[: len(self.pieces) - len(self.twins)]

    def untwinned(self, number: int) -> int:
        """Return the piece whose moves a promoted piece has; any other number is returned as it is."""
        place = number - len(self.own_pieces) - 1
        return self.twins[place] if place >= 0 else number

    # ---- promoted forms and mirrored pieces ----

    @cached_property
    def _bases(self) -> dict[int, int]:
        return {form: number for number, form in reversed(self.forms)}

    def base_of(self, number: int) -> int:
        """Return the piece (White's, if the sides have different ones) with this promoted form, or 0."""
        return self._bases.get(number, 0)

    def original(self, man: int) -> int:
        """Return what a piece on a square, with 16 added for Black's, was before it became a promoted form."""
        base, black = self.base_of(man & 15), man & BLACK_MAN
        return self.number_of(self.piece(base).letter, BLACK if black else WHITE) + black if base else man

    def form_of(self, number: int) -> int:
        """Return the promoted form of a piece; 0 without one.

        Before the forms are known, a piece stands for its own form.
        """
        if not self.forms:
            return number if self.piece(number).letter.lower() in dict(self.extra.forms) else 0
        return dict(self.forms).get(number, 0)

    def form_zone(self, colour: int) -> int:
        """Return the bits of a side's zone: moves that begin or end on these squares may promote to a form."""
        ranks = min(self.extra.form_ranks, self.height) * self.width
        return ((1 << ranks) - 1) << (0 if colour == BLACK else self.squares - ranks)

    def symbol(self, number: int) -> str:
        """Return the capital letter of a piece; for a promoted form, + and the letter of the unpromoted piece."""
        base = self.base_of(number)
        return f"+{self.piece(base).letter.upper()}" if base else self.piece(number).letter.upper()

    def is_mirrored(self, number: int) -> bool:
        """Return whether Black's pieces of this kind move the other way round."""
        return self.piece(self.untwinned(number)).letter.lower() in self.extra.mirror.lower()

    def rays_of(self, number: int, colour: int) -> tuple[Ray, ...]:
        """Return the moves of a side's piece."""
        rays = self.piece(number).rays
        return opposed(rays) if colour == BLACK and self.is_mirrored(number) else rays

    def twin(self, number: int) -> int:
        """Return the promoted piece that moves as this piece; without one, the piece itself."""
        return len(self.own_pieces) + 1 + self.twins.index(number) if number in self.twins else number

    def number_of(self, letter: str, colour: int) -> int:
        """Return the number of the piece that ``letter`` means for a side.

        The result is the first match for White and the last match for Black; 0 without a match.
        """
        letter = self.extra.letter(letter)
        found = [n for n, piece in enumerate(self.own_pieces, 1) if piece.letter.lower() == letter]
        return (found[0] if colour == WHITE else found[-1]) if found else 0

    def man_of(self, letter: str, colour: int) -> int:
        """Return the number of the piece that ``letter`` means in a position.

        The result is a piece of the side's start position if possible, else ``number_of``. If the sides have
        different kings with the same letter, these need not be the first and the last piece. The letter of the
        opponent's pawn means the side's own pawn, because only this pawn moves in the right direction.
        """
        number = self.number_of(letter, colour)
        if 0 < number <= BLACK_PAWN:
            return BLACK_PAWN if colour == BLACK else WHITE_PAWN
        # This property uses the back ranks of the file, because parsing a placement calls it.
        array = self.white if colour == WHITE else self.black
        letter = self.piece(number).letter.lower() if number else ""
        own = [n for n in array if n and self.piece(n).letter.lower() == letter]
        return number if number in own or not own else own[0]

    def default_promotion(self, colour: int) -> int:
        """Return the piece to which a pawn promotes without a choice; 0 if the game has no such piece."""
        if (
            colour == BLACK
            and self.promotion_rank == self.height - 1
            and 7 in self.white
            and 7 not in self.black
            and 9 in self.black
        ):
            return 9
        return 7 if len(self.own_pieces) >= 7 else 0

    def promotions(self, colour: int, file: int) -> tuple[int, ...]:
        """Return the pieces to which a pawn may promote on ``file``, the default first.

        Pawns are not among these pieces.
        """
        return tuple(map(self.twin, self._choices(colour, file)))

    def _choices(self, colour: int, file: int) -> tuple[int, ...]:
        """Return ``promotions``, with the pieces of the file (``twins``) in place of promoted pieces."""
        if self.extra.forms:
            return ()
        if self.promotes_by_file:
            number = self.white[file]
            if number and self.piece(number).is_royal and file:
                number = self.white[file - 1]
            return (number or self.default_promotion(colour),)
        default = self.default_promotion(colour)
        choices = [default] if default else []
        if choices and not self.has_choice:
            return (default,)
        for letter in dict.fromkeys(piece.letter.lower() for piece in self.pieces):
            number = self.number_of(letter, colour)
            if number > BLACK_PAWN and number not in choices and self.piece(number).is_promotable:
                choices.append(number)
        own = (*self.men(colour), *self.gates(colour)) if self.extra.own else choices
        return tuple(number for number in choices if number in own)

    def law_lines(self) -> list[str]:
        """Return the lines of a definition file that state rules beyond Fairy-Max's format."""
        return [CHOICE_LINE] * self.allows_choice + self.extra.lines()

    # ---- rules that depend on a number, and pieces in hand at the start ----

    @property
    def has_hill(self) -> bool:
        """Whether a royal piece wins by reaching the centre safely."""
        return len(self.pieces) >= HILL_NUMBER and self.piece(HILL_NUMBER).value == -2

    @property
    def stalemate_loses(self) -> bool:
        by_number = len(self.own_pieces) >= 9 and self.piece(9).value == -2
        return by_number or self.extra.stalemate == "lose"

    @property
    def has_gating(self) -> bool:
        """Whether each side starts with pieces in hand, which enter on squares that pieces leave."""
        return bool(self.extra.gate)

    def gates(self, colour: int) -> tuple[int, ...]:
        """Return the numbers of the pieces that a side has in hand at the start."""
        return tuple(self.number_of(letter, colour) for letter in self.extra.gate)

    @property
    def start(self) -> bytes:
        """The start position, rank by rank from a1: the piece number on each square, plus 16 for Black's pieces."""
        return self._start

    @cached_property
    def _start(self) -> bytes:
        return by_text(self, self.extra.start) if self.extra.start else by_ranks(self)

    def men(self, colour: int) -> tuple[int, ...]:
        """Return the numbers of a side's pieces in the start position, without pawns."""
        if not self.extra.start:
            return tuple(number for number in (self.white if colour == WHITE else self.black) if number)
        men = map(self.original, self.start)
        found = [man & 15 for man in men if man and (man >= BLACK_MAN) == (colour == BLACK)]
        return tuple(dict.fromkeys(number for number in found if number > BLACK_PAWN))

    def has_pawns(self, side: int) -> bool:
        return bool(self.extra.hand) or BLACK_MAN * side + WHITE_PAWN + side in self.start

    def sides_of(self, number: int) -> list[int]:
        """Return the sides that can have a piece: by the start position, as pawns, or by promotion."""
        sides, files = (WHITE, BLACK), range(self.width)
        own = [(WHITE_PAWN + side, *self.men(side), *self.gates(side)) for side in sides]
        found = [side for side in sides if number in own[side]]
        promoted = [c for c in sides if self.has_pawns(c) and any(number in self.promotions(c, file) for file in files)]
        by_letter = [side for side in sides if number == self.number_of(self.piece(number).letter, side)]
        return sorted({*found, *promoted}) or by_letter

    @property
    def zones(self) -> dict[int, int]:
        """The squares that a piece may not leave, by its number, a1 as bit 0.

        The squares are the same for both sides.
        """
        return self._zones

    @cached_property
    def _zones(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for zone in self.extra.zones:
            numbers = [n for n, piece in enumerate(self.pieces, 1) if piece.letter.lower() in zone.letters.lower()]
            found |= {n: zone.bits(self.width, self.height, self.sides_of(n)[:1] == [BLACK]) for n in numbers}
        return found

    def areas_of(self, number: int) -> list[tuple[int, tuple[Ray, ...]]]:
        """Return (squares, rays) of the moves that a piece has only within these squares, a1 as bit 0."""
        letter, is_black = self.piece(number).letter.lower(), bool(self.within) and self.sides_of(number)[:1] == [BLACK]
        return [
            (zone.bits(self.width, self.height, is_black), tuple(map(turned, rays)) if is_black else rays)
            for zone, rays in zip(self.extra.within, self.within, strict=True)
            if letter in zone.letters.lower()
        ]

    def is_unmoved(self, man: int, sq: int) -> bool:
        """Return whether a piece on this square counts as unmoved."""
        first, last = self.extra.homes
        if first and man and man & 15 <= BLACK_PAWN:
            rank = sq // self.width if man < BLACK_MAN else self.height - 1 - sq // self.width
            return first - 1 <= rank <= last - 1
        return bool(man) and man == self.start[sq]

    def castling_rank(self, colour: int) -> int:
        """Return the rank (0 is White's first) on which the side's castling pieces start."""
        return self._castling_ranks[colour == BLACK]

    @cached_property
    def _castling_ranks(self) -> tuple[int, int]:
        ranks = [0, self.height - 1]
        for sq, man in reversed(list(enumerate(self.start))):
            if man and self.castlings[(man & 15) - 1]:
                ranks[man >= BLACK_MAN] = sq // self.width
        return ranks[0], ranks[1]

    @cached_property
    def castlings(self) -> tuple[list[tuple[int, int]], ...]:
        """``Piece.castles`` for each piece."""
        return tuple(piece.castles() for piece in self.pieces)

    def partner(self, sq: int, side: int) -> int:
        """Return the square of the castling partner to the right (+1) or left (-1) of a piece; -1 without a partner."""
        left = sq - sq % self.width
        if not self.extra.castling:
            return left + (self.width - 1 if side > 0 else 0)
        line = range(left + self.width - 1, sq, -1) if side > 0 else range(left, sq)
        letter = self.extra.castling.lower()
        for other in line:
            man = self.start[other]
            if man and self.piece(man & 15).letter.lower() == letter:
                return other
        return -1

    def _traits(self, number: int, piece: Piece) -> tuple[int, bool, bool, bool, bool, bool]:
        """Return the traits (pair bonus, mates, tough, no mating pair, colour-bound, centralises).

        A spare royal piece can mate.
        """
        bound = number > BLACK_PAWN and piece.is_bound(self.width)
        return (
            piece.pair_bonus(self.width) if bound else 0,
            piece.suffix in (MATES, TOUGH) or piece.is_royal,
            piece.suffix == TOUGH,
            piece.suffix == NO_MATING_PAIR,
            bound,
            piece.centralises,
        )

    def compiled_form(self) -> CompiledForm:
        """Return the arguments of the core's ``FairyRules``."""
        rays = [_compiled(piece.rays) for piece in self.pieces]
        return {
            "width": self.width,
            "height": self.height,
            "rays": rays,
            "values": [piece.value for piece in self.pieces],
            "traits": [self._traits(number, piece) for number, piece in enumerate(self.pieces, 1)],
            "start": self.start,
            "promotions": [[self.promotions(colour, file) for file in range(self.width)] for colour in (WHITE, BLACK)],
            "promotion_rank": self.promotion_rank,
            "has_hill": self.has_hill,
            "stalemate_loses": self.stalemate_loses,
            "has_baring": self.extra.bare == "lose reply",
            "gates": self.gates(WHITE),
            "laws": compiled_laws(self, _compiled),
        }

    @property
    def fingerprint(self) -> str:
        """A checksum of the rules, excluding piece values."""
        form: dict[str, object] = {**self.compiled_form()}
        del form["values"], form["traits"]
        return f"{zlib.crc32(repr(sorted(form.items())).encode()):08x}"

    def kinds(self, letters: str) -> list[int]:
        """Return a bit set for each letter, with a bit for each piece of this letter; for ``all``, only bit 0."""
        if letters == EVERYTHING:
            return [1]
        return [
            sum(1 << n for n, piece in enumerate(self.pieces, 1) if piece.letter.lower() == letter)
            for letter in dict.fromkeys(letters.lower())
        ]

    def __str__(self) -> str:
        """Return the block of the file that describes this game. The default game has no title line."""
        lines = [f"// {self.description}"] if self.description else []
        if self.name:
            parts = [f"Game: {self.name}"]
            parts += [self.table] if self.table or self.parent else []
            parts += [self.parent] if self.parent else []
            lines.append(" # ".join(parts))
        lines.append(f"{self.width}x{self.height}" + (f"={self.zone}" if self.zone else ""))
        lines += [" ".join(map(str, self.white)), " ".join(map(str, self.black))]
        lines += map(str, self.own_pieces)
        lines += self.law_lines()
        if self.betza:
            lines += ["#", *(f"# {letter} {moves}" for letter, moves in self.betza)]
        return "\n".join([*lines, ""])


@dataclass(frozen=True)
class DefinitionFile:
    """All games of a file. ``default`` is the nameless game at the beginning of the file."""

    default: Definition
    games: tuple[Definition, ...]

    def __str__(self) -> str:
        return "\n".join([f"version 4.8(w)\n{self.default}", *map(str, self.games)])
