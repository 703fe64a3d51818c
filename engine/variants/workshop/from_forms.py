"""Reads what sections of Fairy-Stockfish say about pieces in hand and promoted forms, as in shogi."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ..definition import Piece, displacement
from ..extra_rules import MOST_RECURRENCES, Drop
from .ini_keys import Keys

COUNTS = [str(count) for count in range(2, MOST_RECURRENCES + 1)]
Cannot = Callable[[str, str], None]  # reports a key with a reason
Text = Callable[[str], str]  # the value of a key


def forms_of(text: str, known: Iterable[str], cannot: Cannot) -> dict[str, str]:
    """Return what pieces become, by letters, from the value of ``promotedPieceType`` such as ``p:g r:d``."""
    letters = set(known)
    found: dict[str, str] = {}
    for word in text.lower().split():
        piece, colon, form = word.partition(":")
        if not colon or len(piece) != 1 or len(form) != 1:
            cannot("promotedPieceType", f"expected pairs of letters such as p:g, found {word!r}")
        elif piece in letters and form in letters:  # the game lacks other letters
            found[piece] = form
    return found


def stuck_ranks(piece: Piece, height: int) -> int:
    """Return from how many of its last ranks White's piece has no move: 1 for a lance, 2 for a knight of shogi."""
    least = min((displacement(ray.step)[1] for ray in piece.rays if not ray.is_initial), default=height)
    return min(max(least, 0), height)


def drops_of_forms(keys: Keys, men: Mapping[str, Piece], pawn: str) -> Iterator[Drop]:
    """Yield the restrictions of drops in a game with promoted forms: not where the piece could never move.

    men: White's pieces in the start position, by their letters. pawn: the letter of the pawn.
    """
    single = keys.text("dropNoDoubled").lower()
    nomate = keys.section.pieces.get(pawn, ("",))[0] == "shogiPawn" and keys.is_on("shogiPawnDropMateIllegal")
    for letter, piece in men.items():
        stuck = 0 if piece.is_royal else stuck_ranks(piece, keys.height)
        if stuck and not keys.is_on("immobilityIllegal"):
            # A piece that must promote cannot move to these ranks, but it can be dropped there.
            if not keys.is_on("mandatoryPiecePromotion") or stuck > keys.form_ranks:
                keys.cannot("immobilityIllegal", f"{letter} could go where it can never move again")
            stuck = 0
        if stuck or letter == single or (nomate and letter == pawn):
            yield Drop(letter, 1, keys.height - stuck, letter == single, nomate and letter == pawn)


def recurrence(text: Text) -> tuple[dict[str, object], list[str]]:
    """Return the rules of recurring positions that are not those of chess, and the keys that they express."""
    found: dict[str, object] = {}
    covered = []
    if text("nMoveRule") == "0":
        found["endless"] = True
        covered.append("nMoveRule")
    count, value = text("nFoldRule"), text("nFoldValue").lower()
    winner = {"draw": "", "loss": "black", "win": "white"}.get(value)
    is_absolute = text("nFoldValueAbsolute").lower() == "true"
    if count != "3" and count in COUNTS and winner is not None and (not winner or is_absolute):
        found |= {"recurrences": int(count), "recurrence_wins": winner}
        covered += ["nFoldRule", "nFoldValue", "nFoldValueAbsolute"]
    return found, covered
