"""Reads what sections of Fairy-Stockfish say about pieces in hand and promoted forms, as in shogi."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace

from ..definition import Piece, displacement
from ..extra_rules import MOST_RECURRENCES, Drop
from .ini_keys import Keys

COUNTS = [str(count) for count in range(2, MOST_RECURRENCES + 1)]
Cannot = Callable[[str, str], None]  # a function that reports a key with a reason
Text = Callable[[str], str]  # a function that returns the value of a key


def forms_of(text: str, known: Iterable[str], cannot: Cannot) -> dict[str, str]:
    """Return what pieces become, by letters, from the value of ``promotedPieceType`` such as ``p:g r:d``."""
    letters = set(known)
    found: dict[str, str] = {}
    for word in text.lower().split():
        piece, colon, form = word.partition(":")
        if not colon or len(piece) != 1 or len(form) != 1:
            cannot("promotedPieceType", f"expected pairs of letters such as p:g, found {word!r}")
        elif piece in letters and form in letters:  # the game has no pieces of the other letters
            found[piece] = form
    return found


def stuck_ranks(piece: Piece, height: int) -> int:
    """Return from how many of its last ranks White's piece has no move: 1 for a lance, 2 for a knight of shogi."""
    least = min((displacement(ray.step)[1] for ray in piece.rays if not ray.is_initial), default=height)
    return min(max(least, 0), height)


def marks_of_forms(keys: Keys) -> dict[str, bool]:
    """Return the rules of a line ``promote`` that follow its pieces; none in a game without promoted forms."""
    if not keys.form_ranks:
        return {}
    return {
        "must_change": keys.is_on("mandatoryPiecePromotion"),
        "turns_back": keys.is_on("pieceDemotion"),
        "takes_to_change": keys.is_on("piecePromotionOnCapture"),
    }


def file_limit(keys: Keys, letter: str) -> dict[str, bool]:
    """Return how many unpromoted pieces of this letter a side may drop on one file."""
    is_limited, most = keys.text("dropNoDoubled").lower() == letter, keys.text("dropNoDoubledCount")
    if is_limited and most not in ("1", "2"):
        keys.cannot("dropNoDoubledCount", "expected 1 or 2")
    return {"single": is_limited and most == "1", "double": is_limited and most == "2"}


def drops_of_forms(keys: Keys, men: Mapping[str, Piece], pawn: str, forms: Container[str]) -> tuple[Drop, ...]:
    """Return the restrictions of drops, one for pieces that share them."""
    found: dict[Drop, str] = {}
    for drop in _drops_of_forms(keys, men, pawn, forms):
        rule = replace(drop, letters="")
        found[rule] = found.get(rule, "") + drop.letters
    return tuple(replace(rule, letters=letters) for rule, letters in found.items())


def _drops_of_forms(keys: Keys, men: Mapping[str, Piece], pawn: str, forms: Container[str]) -> Iterator[Drop]:
    """Yield the restrictions of drops in a game with promoted forms: not where the piece could never move.

    men: White's pieces in the start position, by their letters. pawn: the letter of the pawn. forms: the letters of
    pieces with promoted forms.
    """
    single = keys.text("dropNoDoubled").lower()
    nomate = keys.section.pieces.get(pawn, ("",))[0] == "shogiPawn" and keys.is_on("shogiPawnDropMateIllegal")
    for letter, piece in men.items():
        stuck = 0 if piece.is_royal else stuck_ranks(piece, keys.height)
        if stuck and not keys.is_on("immobilityIllegal"):
            # A piece that must promote cannot move to these ranks, but it can be dropped there.
            if not keys.is_on("piecePromotionOnCapture") and (
                not keys.is_on("mandatoryPiecePromotion") or stuck > keys.form_ranks
            ):
                keys.cannot("immobilityIllegal", f"{letter} could go where it can never move again")
            stuck = 0
        elif stuck and keys.is_on("piecePromotionOnCapture"):
            keys.cannot("immobilityIllegal", f"moves of {letter} that do not capture, to where it can never move again")
        either = keys.is_on("dropPromoted") and letter in forms
        if either and (stuck or letter == single):
            keys.cannot("dropPromoted", f"drops of {letter} that are restricted")
        if stuck or letter == single or either or (nomate and letter == pawn):
            yield Drop(
                letter,
                first=1,
                last=keys.height - stuck,
                no_mate=nomate and letter == pawn,
                either=either,
                **file_limit(keys, letter),
            )


def recurrence(text: Text) -> tuple[dict[str, object], list[str]]:
    """Return the rules of recurring positions that are not those of chess, and the keys that they express."""
    found: dict[str, object] = {}
    covered = []
    if text("nMoveRule") == "0":
        found["endless"] = True
        covered.append("nMoveRule")
    count, value = text("nFoldRule"), text("nFoldValue").lower()
    # A value that is not absolute is that of the side to move, so the other side has repeated the position.
    is_absolute = text("nFoldValueAbsolute").lower() == "true"
    values = {"loss": "black", "win": "white"} if is_absolute else {"loss": "win", "win": "lose"}
    winner = {"draw": "", **values}.get(value)
    if winner is not None and count in COUNTS and (count != "3" or winner):
        found |= {"recurrences": int(count), "recurrence_wins": winner}
        covered += ["nFoldRule", "nFoldValue", "nFoldValueAbsolute"]
    return found, covered
