"""Reads what sections of Fairy-Stockfish say about pieces in hand at the beginning that enter on vacated squares."""

from __future__ import annotations

from collections.abc import Mapping

from standstill.cext.base.constants import BLACK, WHITE

from ..extra_rules import MOST_GATED
from .ini_keys import Keys
from .regions import Square, cased, file_of, integer

_PAIR = ("gating", "seirawanGating")


def gated(keys: Keys, hand: str, board: Mapping[Square, str], rights: str, pawn: str) -> str:
    """Return the letters of `# gate`; what the line cannot express is a problem of the section.

    hand, board, rights: the parts of the start position. pawn: the pawns' letter, which may be empty.
    """
    on = [key for key in _PAIR if keys.is_on(key)]
    if len(on) == 1:
        keys.cannot(on[0], f"expected {' and '.join(key for key in _PAIR if key not in on)} = true beside it")
    if not hand:
        return ""
    white, black = (sorted(man.lower() for man in hand if man.islower() == (side == BLACK)) for side in (WHITE, BLACK))
    if len(on) < len(_PAIR):
        keys.cannot("startFen", "pieces in hand at the beginning")
    elif white != black or len(set(white)) < len(white) or len(white) > MOST_GATED:
        what = f"one or two kinds, one piece of each, and the same for both sides; found {hand}"
        keys.cannot("startFen", f"pieces in hand at the beginning: expected {what}")
    else:
        for side in (WHITE, BLACK):
            _check_rights(keys, side, board, rights, pawn)
        return "".join(man.lower() for man in hand if man.isupper())
    return ""


def _check_rights(keys: Keys, side: int, board: Mapping[Square, str], rights: str, pawn: str) -> None:
    """Report rights other than to gate from all squares of the back rank, and castling that K and Q do not state."""
    rank = integer(keys.text("castlingRank")) - 1
    rank = keys.height - 1 - rank if side == BLACK else rank
    own = {file: man.lower() for (file, at), man in board.items() if at == rank and man.islower() == (side == BLACK)}
    kings = {file for file, man in own.items() if man == keys.text("castlingKingPiece").lower()}
    rooks = {file for file, man in own.items() if man in keys.text("castlingRookPieces").lower()}
    found: set[int] = set()
    sides = [right for right in rights if right in cased("k", side) + cased("q", side)]
    for right in (right for right in rights if right.islower() == (side == BLACK)):
        if right not in sides:
            found.add(file_of(right))
        elif rooks:
            found |= {max(rooks) if right in "Kk" else min(rooks), *kings}
    if found != {file for file, man in own.items() if man != pawn}:
        keys.cannot("startFen", "pieces in hand at the beginning: expected the files of all squares of the back rank")
    elif keys.is_on("castling") and not sides and kings and rooks:
        keys.cannot("startFen", "castling: expected K and Q, not only files")
