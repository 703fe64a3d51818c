"""Gives pieces their promoted forms, and finds contradictions in the lines ``mirror`` and ``promote``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from standstill.cext.base.constants import BLACK, WHITE

from ..definition import BLACK_PAWN, MOST_PIECES, Definition
from .gating import unnamed

Fault = tuple[str, str, str]  # rule, word of its line, message


def with_forms(game: Definition) -> Definition:
    """Return the game with the promoted forms of its pieces.

    A form is the piece that the line ``promote`` names. If a side starts with that piece, or several pieces promote
    to it, the form is an additional kind with the same moves, so that a captured form turns back into the right piece.
    """
    pairs: dict[int, int] = {}  # piece: what it becomes
    for letter, name in game.extra.forms:
        for colour in (WHITE, BLACK):
            pairs.setdefault(game.number_of(letter, colour), game.number_of(name, colour))
    own = {*game.men(WHITE), *game.men(BLACK)}
    sharers: dict[int, set[str]] = {}
    for number, form in pairs.items():
        sharers.setdefault(form, set()).add(game.piece(number).letter.lower())
    further: dict[tuple[str, int], int] = {}  # (letter of the piece, what it becomes): number of the additional kind
    forms = []
    for number, form in pairs.items():
        letter = game.piece(number).letter.lower()
        is_shared = form in own or len(sharers[form]) > 1
        kind = further.setdefault((letter, form), len(game.pieces) + 1 + len(further)) if is_shared else form
        forms.append((number, kind))
    twins = tuple(form for _, form in further)
    return replace(game, pieces=game.pieces + tuple(map(game.piece, twins)), twins=twins, forms=tuple(forms))


def form_faults(game: Definition) -> Iterator[Fault]:
    """Yield the mistakes in the lines ``mirror`` and ``promote``, whose letters must belong to pieces."""
    laws = game.extra
    yield from _about_mirrors(game)
    yield from _about_drops(game)
    if not laws.forms:
        return
    becoming = {form for _, form in laws.forms}
    for letter, form in laws.forms:
        pieces = [game.piece(game.number_of(letter, colour)) for colour in (WHITE, BLACK)]
        forms = [game.piece(game.number_of(form, colour)) for colour in (WHITE, BLACK)]
        if letter in becoming:
            yield "promote", f"{letter}=", f"expected pieces that are not promoted forms themselves, found {letter}"
        if any(piece.is_royal for piece in (*pieces, *forms)):
            yield "promote", f"{letter}=", f"expected no royal piece, found {letter}={form}"
        numbers, becomes = ({game.number_of(name, colour) for colour in (WHITE, BLACK)} for name in (letter, form))
        if any(number <= BLACK_PAWN for number in becomes):
            yield "promote", f"={form}", f"expected no pawn as a promoted form, found {form}"
        elif len(numbers) < len(becomes):
            what = f"one piece line of {form}, because both sides have the same {letter}"
            yield "promote", f"={form}", f"expected {what}, found two"
        if any(ray.is_initial for piece in (*pieces, *forms) for ray in piece.rays):
            yield "promote", f"{letter}=", f"expected no moves of unmoved pieces (double steps, castling) of {letter}"
    for clash, what in (
        (laws.promotion or laws.limited or laws.own, "no line promotion beside it"),
        (laws.explosion, "no explosion beside it"),
        (laws.counting, "no counting beside it"),
        (laws.hand == "keep", "hand turn beside it"),
        (zoned_men(game), f"no zone of pieces that are not royal beside it, found one of {zoned_men(game)}"),
        (laws.gate or laws.bare, unnamed(game)),
    ):
        if clash:
            yield "promote", "", f"expected {what}"
    if (count := len(with_forms(game).pieces)) > MOST_PIECES:
        what = f"at most {MOST_PIECES} pieces, with one for each promoted form that moves as another piece does"
        yield "promote", "", f"expected {what}, found {count}"
    if laws.form_ranks > game.height:
        yield "promote", str(laws.form_ranks), f"expected at most {game.height} ranks, found {laws.form_ranks}"


def zoned_men(game: Definition) -> str:
    """Return the letters of pieces that have a zone and are not royal."""
    letters = dict.fromkeys("".join(zone.letters for zone in game.extra.zones).lower())
    royal = {piece.letter.lower() for piece in game.pieces if piece.is_royal}
    return "".join(letter for letter in letters if letter not in royal)


def _about_drops(game: Definition) -> Iterator[Fault]:
    promoting = {letter for letter, _ in game.extra.forms}
    for letter in (letter for drop in game.extra.drops if drop.either for letter in drop.letters.lower()):
        if letter not in promoting:
            yield "drop", letter, f"expected pieces with a promoted form before either, found {letter}"


def _about_mirrors(game: Definition) -> Iterator[Fault]:
    for letter in dict.fromkeys(game.extra.mirror.lower()):
        numbers = {game.number_of(letter, colour) for colour in (WHITE, BLACK)}
        if len(numbers) > 1:
            yield "mirror", letter, f"expected one piece line for both sides, found two of {letter}"
        elif any(game.piece(number).is_royal or number <= BLACK_PAWN for number in numbers):
            yield "mirror", letter, f"expected pieces other than royals and pawns, found {letter}"
        elif any(ray.is_initial for number in numbers for ray in game.piece(number).rays):
            yield "mirror", letter, f"expected no moves of unmoved pieces of {letter}"
    placed = "".join(zone.letters for zone in (*game.extra.zones, *game.extra.within)).lower()
    for letter in sorted(set(game.extra.mirror.lower()) & set(placed)):
        yield "mirror", letter, f"expected no line zone or within of {letter} beside it"
