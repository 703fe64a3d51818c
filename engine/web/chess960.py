"""The start positions of Chess960 by their numbers (Reinhard Scharnagl's scheme): 518 is that of chess."""

from __future__ import annotations

from itertools import combinations

LAST = 959
_KNIGHTS = tuple(combinations(range(5), 2))


def back_rank(number: int) -> str:
    """Return the pieces of White's back rank from a to h, as in a FEN."""
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    men = [""] * 8
    men[2 * light + 1] = men[2 * dark] = "B"
    _put(men, queen, "Q")
    first, second = _KNIGHTS[knights]
    _put(men, second, "N")  # the right one first, because it does not change the number of the left one
    _put(men, first, "N")
    for man in "RKR":
        _put(men, 0, man)
    return "".join(men)


def _put(men: list[str], number: int, man: str) -> None:
    """Put the piece on the empty square with this number."""
    men[[at for at, there in enumerate(men) if not there][number]] = man


def start_fen(number: int) -> str:
    """Return the FEN of a start position. number: 0 to ``LAST``."""
    rank = back_rank(number)
    rooks = "".join("abcdefgh"[at] for at in (rank.rindex("R"), rank.index("R")))
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rooks.upper()}{rooks} - 0 1"
