"""Reads what sections of Fairy-Stockfish say about pieces in hand and promoted forms, as in shogi."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..definition import Piece, displacement
from ..extra_rules import MOST_RECURRENCES

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
        elif piece in letters and form in letters:  # other pieces are not in the game
            found[piece] = form
    return found


def stuck_ranks(piece: Piece, height: int) -> int:
    """Return from how many of its last ranks White's piece has no move: 1 for a lance, 2 for a knight of shogi."""
    least = min((displacement(ray.step)[1] for ray in piece.rays if not ray.is_initial), default=height)
    return min(max(least, 0), height)


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
