"""Turns the rules of a definition into the argument ``laws`` of the core's ``FairyRules``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from standstill.cext.base.constants import BLACK, WHITE

from ..extra_rules import BOTH, COUNTINGS, RECURRENCE_WINS, SIDES, STALEMATES
from ..placement import BLACK_MAN, PAWNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from ..extra_rules import ExtraRules

    RayForm = list[tuple[int, int, int, int, int, int, int]]
    Compile = Callable[[tuple[Any, ...]], RayForm]

    class Piece(Protocol):
        @property
        def letter(self) -> str: ...
        @property
        def is_royal(self) -> bool: ...

    class Definition(Protocol):
        """The part of a definition that this module uses. Rays are passed on to ``Compile``."""

        @property
        def width(self) -> int: ...
        @property
        def height(self) -> int: ...
        @property
        def squares(self) -> int: ...
        @property
        def extra(self) -> ExtraRules: ...
        @property
        def pieces(self) -> Sequence[Piece]: ...
        @property
        def own_pieces(self) -> Sequence[Piece]: ...
        @property
        def forms(self) -> tuple[tuple[int, int], ...]: ...
        @property
        def zones(self) -> dict[int, int]: ...
        @property
        def start(self) -> bytes: ...
        def piece(self, number: int) -> Piece: ...
        def kinds(self, letters: str) -> list[int]: ...
        @property
        def has_gating(self) -> bool: ...
        def gates(self, colour: int) -> tuple[int, ...]: ...
        def castling_rank(self, colour: int) -> int: ...
        def partner(self, sq: int, side: int) -> int: ...
        def areas_of(self, number: int) -> list[tuple[int, tuple[Any, ...]]]: ...
        def rays_of(self, number: int, colour: int) -> tuple[Any, ...]: ...
        def is_mirrored(self, number: int) -> bool: ...
        def form_zone(self, colour: int) -> int: ...
        def form_of(self, number: int) -> int: ...
        def base_of(self, number: int) -> int: ...
        def number_of(self, letter: str, colour: int) -> int: ...


NO_LIMIT = 255  # more than the number of squares of any board, so it sets no limit


def compiled_laws(game: Definition, compiled: Compile) -> dict[str, object]:
    """Return the rules beyond Fairy-Max's format as the core reads them.

    compiled: a function that turns rays into the core's form.
    """
    laws = game.extra
    form: dict[str, object] = {
        "free_castling": laws.free_castling,
        "may_promote": laws.promotion > 0,
        "goal_reply": laws.reply,
        "checks": laws.checks,
        "no_checks": laws.no_checks,
        "must_capture": laws.capture,
        "extinct": game.kinds(laws.extinct),
        "extinct_at": laws.extinct_at,
        "extinct_wins": laws.extinct_wins,
        "mate_wins": laws.mate_wins,
        "facing": game.kinds(laws.leap),
        "counting": 1 + COUNTINGS.index(laws.counting) if laws.counting else 0,
        "counted": game.kinds(laws.counted),
    }
    if laws.homes[0]:
        form["homes"] = (laws.homes[0] - 1, laws.homes[1] - 1)
    # Beside `bare` the flag `stalemate_loses` says so: networks and stored games identify the rules by this form.
    if laws.stalemate and not (laws.bare and laws.stalemate == "lose"):
        form["stalemate"] = 1 + STALEMATES.index(laws.stalemate)
    if any(laws.goals):
        form["goals"] = (laws.goals[0] - 1, laws.goals[1] - 1)
    if laws.hand:
        form["hands"] = _hands(game)
    if laws.explosion:
        form["explosion"] = sum(game.kinds(laws.spared))
    form |= _gates(game) | _zones(game, compiled) | _shogi(game, compiled) | _passes(game)
    if laws.castling:
        found = [[game.partner(sq, side) for sq in range(game.squares)] for side in (-1, 1)]
        form["partners"] = [[sq if other < 0 else other for sq, other in enumerate(row)] for row in found]
    if laws.limited or laws.own:
        form["limits"] = [[_limit(game, number, colour) for number in range(16)] for colour in (WHITE, BLACK)]
    return form


def _limit(game: Definition, number: int, colour: int) -> int:
    """Return the limit of a kind: a side's pawns promote to it only while the side has fewer pieces of it."""
    is_counted = game.extra.limited or not 0 < number <= len(game.pieces) or game.piece(number).is_royal
    return game.start.count(number + BLACK_MAN * colour) if is_counted else NO_LIMIT


def _gates(game: Definition) -> dict[str, object]:
    """Return what the core must know about baring and pieces in hand beyond its flags of these names."""
    form: dict[str, object] = {}
    if game.extra.bare in ("lose", "draw"):
        form["bare"] = {"lose": 1, "draw": 3}[game.extra.bare]
    if game.gates(BLACK) != game.gates(WHITE):
        form["black_gates"] = game.gates(BLACK)
    if game.has_gating and game.extra.start:
        form["gate_squares"] = gate_squares(game)
    return form


def gate_squares(game: Definition) -> int:
    """Return bits of the squares on which pieces in hand can enter: the sides' back ranks."""
    rank = (1 << game.width) - 1
    return rank << game.castling_rank(WHITE) * game.width | rank << game.castling_rank(BLACK) * game.width


def _zones(game: Definition, compiled: Compile) -> dict[str, object]:
    """Return the game's laws about squares: zones, areas, flying royal pieces and perpetual check."""
    numbers = range(1, len(game.pieces) + 1)
    areas = {number: [(bits, compiled(rays)) for bits, rays in game.areas_of(number)] for number in numbers}
    royals = sum(1 << number for number in numbers if game.piece(number).is_royal)
    form: dict[str, object] = {
        "zones": game.zones,
        "areas": {number: found for number, found in areas.items() if found},
        "flying": royals if game.extra.flying else 0,
        "perpetual": bool(game.extra.perpetual),
    }
    return {name: law for name, law in form.items() if law}


def _shogi(game: Definition, compiled: Compile) -> dict[str, object]:
    """Return the laws about mirrored moves, promoted forms and recurring positions that the game has."""
    laws = game.extra
    form: dict[str, object] = {}
    if laws.mirror:
        numbers = [n for n, _ in enumerate(game.pieces, 1) if game.is_mirrored(n)]
        form["mirrored"] = {n: compiled(game.rays_of(n, BLACK)) for n in numbers}
    if game.forms:
        form["forms"] = _forms(game)
    if laws.recurrences:
        form["recurrences"] = laws.recurrences
    if laws.recurrence_wins:
        form["recurrence_wins"] = RECURRENCE_WINS.index(laws.recurrence_wins)
    if laws.endless:
        form["endless"] = True
    return form


def _passes(game: Definition) -> dict[str, object]:
    """Return the laws about passing, points, and pieces that are not captured or hopped over, that the game has."""
    laws = game.extra
    form: dict[str, object] = {}
    if laws.barrier:
        form["barriers"] = sum(game.kinds(laws.barrier))
    if laws.immune:
        alike = {letter: sum(game.kinds(letter)) for letter in laws.immune.lower()}
        letters = [(number, piece.letter.lower()) for number, piece in enumerate(game.pieces, 1)]
        form["immune"] = {number: alike[letter] for number, letter in letters if letter in alike}
    if laws.passes:
        form["passes"] = tuple(laws.passes in (BOTH, side) for side in SIDES)
    if laws.bikjang:
        form["bikjang"] = True
    if laws.second_points is not None:
        points = dict(laws.points)
        numbers = enumerate(game.pieces, 1)
        form["points"] = {number: points.get(piece.letter.lower(), 0) for number, piece in numbers}
        form["second_points"] = laws.second_points
    return form


def _forms(game: Definition) -> dict[str, object]:
    """Return the argument of ``FairyRules.apply_forms``, in which the numbers of Black's pieces are 16 higher."""
    laws = game.extra
    pairs = [(number + BLACK_MAN * colour, form) for colour in (WHITE, BLACK) for number, form in game.forms]
    if laws.turns_back:
        bases = {(colour, form): _held_as(game, form, colour) for colour in (WHITE, BLACK) for _, form in game.forms}
        pairs += [(form + BLACK_MAN * colour, base) for (colour, form), base in bases.items()]
    zones = [game.form_zone(colour) for colour in (WHITE, BLACK)]
    marks = {"must": laws.must_change, "back": laws.turns_back, "takes": laws.takes_to_change}
    return {"forms": pairs, "zones": zones, **marks}


def _dropped_forms(game: Definition, colour: int) -> dict[int, int]:
    """Return the forms, by the piece in hand, in which a side may drop pieces as well."""
    letters = {letter for drop in game.extra.drops if drop.either for letter in drop.letters.lower()}
    found = {}
    for letter in sorted(letters):
        number = game.number_of(letter, colour)
        found[number] = game.form_of(number)
    return found


def _hands(game: Definition) -> dict[str, object]:
    """Return the argument of ``FairyRules.apply_hands``."""
    held_as = [[_held_as(game, number, colour) for number in range(16)] for colour in (WHITE, BLACK)]
    form: dict[str, object] = {"held_as": held_as}
    form["squares"] = [
        [
            _drop_squares(game, number, colour) if number in (*kept, *_dropped_forms(game, colour).values()) else 0
            for number in range(16)
        ]
        for colour, kept in enumerate(held_as)
    ]
    form["forms"] = [_dropped_forms(game, colour) for colour in (WHITE, BLACK)]
    for name in ("single", "double", "no_mate"):
        kinds = [game.kinds(drop.letters) for drop in game.extra.drops if getattr(drop, name)]
        form[name] = sum(set(chain.from_iterable(kinds)))
    return form


def _held_as(game: Definition, number: int, colour: int) -> int:
    """Return what a piece becomes in the hand of this side; 0 if it does not come into a hand."""
    if not 0 < number <= len(game.pieces) or game.piece(number).is_royal:
        return 0
    base = game.base_of(number)
    if base in PAWNS or number in PAWNS or (number > len(game.own_pieces) and not base):
        return PAWNS[colour]
    if game.extra.forms:
        # each side may have a different piece with the same letter
        return game.number_of(game.piece(base or number).letter, colour)
    return number


def _drop_squares(game: Definition, number: int, colour: int) -> int:
    """Return bits of the squares where a side may drop a piece."""
    if not 0 < number <= len(game.pieces):
        return 0
    letter = game.piece(game.base_of(number) or number).letter.lower()
    first, last = next(
        ((drop.first, drop.last) for drop in game.extra.drops if letter in drop.letters.lower()), (1, game.height)
    )
    if colour == BLACK:
        first, last = game.height + 1 - last, game.height + 1 - first
    return (1 << game.width * last) - (1 << game.width * (first - 1))
