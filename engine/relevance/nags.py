"""NAG numbers and their texts: in Unicode, in ASCII, and in the spellings of other programs."""

from __future__ import annotations

from ..common.errors import RelevanceError

# NAG: (Unicode, ASCII, meaning). Numbers: PGN standard, section 10.
_NAGS = {
    1: ("!", "!", "good move"),
    2: ("?", "?", "mistake"),
    3: ("!!", "!!", "brilliant move"),
    4: ("??", "??", "blunder"),
    5: ("!?", "!?", "interesting move"),
    6: ("?!", "?!", "dubious move"),
    10: ("=", "=", "balanced"),
    13: ("\u221e", "~", "unclear"),
    14: ("\u2a72", "+=", "slight advantage for White"),
    15: ("\u2a71", "=+", "slight advantage for Black"),
    16: ("\u00b1", "+/-", "moderate advantage for White"),
    17: ("\u2213", "-/+", "moderate advantage for Black"),
    18: ("+\u2212", "+-", "clear advantage for White"),
    19: ("\u2212+", "-+", "clear advantage for Black"),
    20: ("+\u2212\u2212", "+--", "extreme advantage for White"),
    21: ("\u2212++", "-++", "extreme advantage for Black"),
}
MOVE_NAGS = range(1, 7)
POSITION_NAGS = range(10, 22)
BAD_MOVE_NAGS = (6, 2, 4)
# The order of the columns in every table of symbols: best to worst, White to Black.
MOVE_ORDER = (3, 1, 5, 6, 2, 4)
POSITION_ORDER = (20, 18, 16, 14, 10, 15, 17, 19, 21)

# Spellings of other programs for the texts above.
_OTHER = {
    "\u203c": 3,
    "\u2047": 4,
    "\u2049": 5,
    "\u2048": 6,
    "\u221d": 13,  # the "proportional to" sign, which looks similar
    "inf": 13,
}

# For programs that support only NAGs up to 19, which exclude extreme advantage.
_FOLDED = {20: 18, 21: 19}
LAST_COMMON_NAG = 19


def text(nag: int) -> str:
    """Return the symbol in Unicode; ``$N`` for a number outside this model."""
    return _NAGS[nag][0] if nag in _NAGS else f"${nag}"


def ascii_text(nag: int, none: str = "-") -> str:
    """Return the symbol in ASCII. none: the text for 0."""
    if not nag:
        return none
    return _NAGS[nag][1] if nag in _NAGS else f"${nag}"


def meaning(nag: int) -> str:
    return _NAGS[nag][2] if nag in _NAGS else ""


def nag_of(symbol: str) -> int:
    """Return the number of a symbol in any of its spellings, or of ``$N``.

    Raises RelevanceError if the symbol is unknown.
    """
    for nag, (unicode, plain, _) in _NAGS.items():
        if symbol in {unicode, plain, f"${nag}"}:
            return nag
    if symbol in _OTHER:
        return _OTHER[symbol]
    raise RelevanceError(f"expected a symbol such as !? or +/-, found {symbol!r}")


def folded(nag: int, max_nag: int = 21) -> int:
    """Return the number for programs that read NAGs up to ``max_nag``; extreme advantage becomes clear advantage."""
    return _FOLDED.get(nag, nag) if nag > max_nag else nag
