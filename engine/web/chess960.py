"""The start positions of Chess960 by their numbers (Reinhard Scharnagl's scheme): 518 is the position of chess."""

from __future__ import annotations

from itertools import combinations

LAST = 959
_KNIGHTS = tuple(combinations(range(5), 2))


def back_rank(number: int) -> str:
    """Return the pieces of White's back rank from a to h, as in a FEN."""
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1] = rank[2 * dark] = "B"
    _put(rank, queen, "Q")
    first, second = _KNIGHTS[knights]
    # the right knight comes first, because it does not change the number of the left knight's square
    _put(rank, second, "N")
    _put(rank, first, "N")
    for letter in "RKR":
        _put(rank, 0, letter)
    return "".join(rank)


def _put(rank: list[str], number: int, letter: str) -> None:
    """Put the piece on the empty square with this number."""
    rank[[at for at, found in enumerate(rank) if not found][number]] = letter


def start_fen(number: int) -> str:
    """Return the FEN of a start position. number: 0 to ``LAST``."""
    rank = back_rank(number)
    rooks = "".join("abcdefgh"[at] for at in (rank.rindex("R"), rank.index("R")))
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w {rooks.upper()}{rooks} - 0 1"
