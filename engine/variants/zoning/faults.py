"""Finds contradictions in the lines of a definition about zones, and about passing and points."""

from __future__ import annotations

from collections.abc import Iterator

from standstill.cext.base.constants import BLACK, WHITE

from ..definition import BLACK_PAWN, HOPS, Definition, turned
from ..extra_rules import ExtraRules, Zone
from .forms import zoned_men
from .gating import unnamed

Fault = tuple[str, str, str]  # rule, word of its line, message


def faults(game: Definition) -> Iterator[Fault]:
    """Yield the mistakes in these rules. The letters must belong to pieces, and the start position must be readable."""
    laws = game.extra
    outside = [*_outside(game, "zone", laws.zones), *_outside(game, "within", laws.within)]
    yield from outside
    if outside:
        return
    yield from _about_letters(game)
    yield from _about_numbers(game)
    yield from _about_passes(game)
    if laws.hand and (letters := zoned_men(game)):
        yield "zone", letters[0], f"expected no hand beside a zone of pieces that are not royal, found one of {letters}"
    if laws.hand and laws.within:
        yield "within", laws.within[0].letters, "expected no hand beside it"
    if laws.flying and laws.explosion:
        yield "flying", "", "expected no explosion beside it"
    for side, name in ((WHITE, "White"), (BLACK, "Black")):
        if laws.flying and not any(game.piece(number).is_royal for number in game.men(side)):
            yield "flying", "", f"expected a royal piece of {name}, found none"


def adds_passes(laws: ExtraRules) -> bool:
    """Return whether there are rules that ``_about_passes`` checks."""
    return bool(laws.immune or laws.barrier or laws.passes or laws.bikjang or laws.second_points is not None)


def _about_passes(game: Definition) -> Iterator[Fault]:
    """Yield contradictions in the lines ``immune``, ``barrier``, ``pass``, ``bikjang`` and ``points``."""
    laws = game.extra
    for number, piece in enumerate(game.pieces, 1):
        letter = piece.letter.lower()
        if letter in laws.immune.lower() and (number <= BLACK_PAWN or piece.is_royal):
            yield "immune", letter, f"expected pieces that are neither royal nor pawns, found {letter}"
    rays = [ray for piece in game.pieces for ray in piece.rays]
    rays += [ray for number, _ in enumerate(game.pieces, 1) for _, inside in game.areas_of(number) for ray in inside]
    royals = {side: any(game.piece(number).is_royal for number in game.men(side)) for side in (WHITE, BLACK)}
    has_points = laws.second_points is not None
    for clash, rule, what in (
        (laws.barrier and not any(ray.mode & HOPS for ray in rays), "barrier", "a piece that hops over others"),
        (laws.passes and (laws.gate or laws.bare), "pass", unnamed(game)),
        (laws.bikjang and not laws.passes, "bikjang", "a line pass beside it"),
        (laws.bikjang and laws.flying, "bikjang", "no line flying beside it"),
        (laws.bikjang and laws.explosion, "bikjang", "no explosion beside it"),
        (laws.bikjang and not all(royals.values()), "bikjang", "a royal piece of each side"),
        (has_points and laws.hand, "points", "no hand beside it"),
        (has_points and laws.counting, "points", "no counting beside it"),
        (has_points and (laws.gate or laws.bare), "points", unnamed(game)),
    ):
        if clash:
            yield rule, "", f"expected {what}"


def _outside(game: Definition, rule: str, zones: tuple[Zone, ...]) -> Iterator[Fault]:
    for zone in zones:
        try:
            zone.bits(game.width, game.height, black=False)
        except ValueError as error:
            yield rule, str(error).rpartition(" ")[2], str(error)


def _about_letters(game: Definition) -> Iterator[Fault]:
    letters = {piece.letter.lower() for piece in game.pieces}
    for other, _ in game.extra.aliases:
        if other in letters:
            yield "alias", f"{other}=", f"expected letters that no piece has, found {other}"
    royal = {piece.letter.lower() for piece in game.pieces if piece.is_royal}
    for drop in game.extra.drops:
        if kings := [letter for letter in drop.letters.lower() if letter in royal]:
            yield "drop", kings[0], f"expected pieces that can be captured, found the royal piece {kings[0]}"
    zoned = "".join(zone.letters for zone in game.extra.zones).lower()
    for letter in dict.fromkeys(zoned):
        if zoned.count(letter) > 1:
            yield "zone", letter, f"expected each letter in one line, found {letter} twice"


def _about_numbers(game: Definition) -> Iterator[Fault]:
    """Yield the faults of a single piece."""
    for number, piece in enumerate(game.own_pieces, 1):
        letter = piece.letter.lower()
        sides = game.sides_of(number)
        areas = [zone for zone in game.extra.within if letter in zone.letters.lower()]
        zones = [zone for zone in game.extra.zones if letter in zone.letters.lower()]
        rule = "within" if areas else "zone"
        if number <= BLACK_PAWN and areas:
            yield "within", letter, f"expected pieces that are not pawns, found {letter}"
        elif len(sides) > 1 and not _is_shared(game, number, zones, areas):
            what = "a piece of its own for each side, because its squares or moves are not the same for both"
            yield rule, letter, f"expected {what}, found piece {number} ({letter}) of both sides"
        elif zones:
            yield from _about_zone(game, number, sides)


def _is_shared(game: Definition, number: int, zones: list[Zone], areas: list[Zone]) -> bool:
    """Return whether the lines say the same for both sides."""
    size = game.width, game.height
    same = all(zone.bits(*size, black=False) == zone.bits(*size, black=True) for zone in (*zones, *areas))
    own = [rays for _, rays in game.areas_of(number)]
    return same and all(set(rays) == set(map(turned, rays)) for rays in own)


def _about_zone(game: Definition, number: int, sides: list[int]) -> Iterator[Fault]:
    """Yield the rules that would lead a piece out of its zone, or leave it nowhere to go."""
    piece, zone = game.piece(number), game.zones[number]
    letter = piece.letter.lower()
    if piece.is_royal and zone.bit_count() < 2:
        yield "zone", letter, f"expected squares to which the royal piece {letter} can move, found one square"
    if any(_castles(game, number, side) for side in sides):
        yield "zone", letter, f"expected no castling of pieces with a zone, found {letter}"
    if letter in game.extra.gate.lower():
        yield "zone", letter, f"expected no zone of a piece in hand, found {letter}"
    if game.has_hill and piece.is_royal:
        yield "zone", letter, f"expected no king of the hill (value -2) with a zone, found {letter}"
    for side in sides:
        rows = [rank if side == WHITE else game.height - 1 - rank for rank in range(game.promotion_rank, game.height)]
        files = [file for file in range(game.width * game.has_pawns(side)) if number in game.promotions(side, file)]
        if any(not zone >> row * game.width + file & 1 for row in rows for file in files):
            hint = "a value that ends in 3 forbids it"
            yield "zone", letter, f"expected no promotion to {letter} outside its zone; {hint}"
            return
    goals = [goal for goal in game.extra.goals if goal and piece.is_royal]
    for side in sides if goals else ():
        rank = game.extra.goals[side] - 1
        if not zone >> rank * game.width & (1 << game.width) - 1:
            yield "zone", letter, f"expected a square of the goal's rank in the zone of {letter}"


def _castles(game: Definition, number: int, side: int) -> bool:
    """Return whether the piece castles, or is the partner of a piece that does."""
    for sq, man in enumerate(game.start):
        if not man or man >> 4 != side:
            continue
        for way, _ in game.castlings[(man & 15) - 1]:
            partner = game.partner(sq, way)
            if partner >= 0 and game.start[partner] and number in (man & 15, game.start[partner] & 15):
                return True
    return False
