"""The kinds of values in Fairy-Stockfish's files of variants, as its own variants.ini documents them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...common.text import did_you_mean, shown
from .ini import BOTH_SIDES, Section
from .ini_keys import DRAWS, READ, UNREAD

_DEFAULTS = READ | UNREAD | DRAWS
_BOOLEANS = {"chess960", *(key for key, value in _DEFAULTS.items() if value in ("true", "false"))}
_NUMBERS = {"pocketSize", "nMoveRule", "nFoldRule", "dropNoDoubledCount", "flagPieceCount"}
_NUMBERS |= {"extinctionPieceCount", "extinctionOpponentPieceCount", "connectN", "connectNxN", "collinearN"}
_RANKS = {"maxRank", "castlingRank", "soldierPromotionRank"}
_FILES = {"maxFile", *(f"castling{which}File" for which in ("Kingside", "Queenside", "King"))}
_FILES |= {"castlingRookKingsideFile", "castlingRookQueensideFile"}
_RESULTS = ("win", "loss", "draw")
_ENCLOSING = ("reversi", "ataxx", "quadwrangle", "snort", "anyside", "top", "none")
_CHOICES = {
    **dict.fromkeys(("stalemateValue", "checkmateValue", "nFoldValue", "connectValue"), _RESULTS),
    "extinctionValue": (*_RESULTS, "none"),
    "materialCounting": ("janggi", "unweighted", "whitedrawodds", "blackdrawodds", "none"),
    "countingRule": ("makruk", "cambodian", "asean", "none"),
    "chasingRule": ("axf", "none"),
    **dict.fromkeys(("enclosingDrop", "flipEnclosedPieces"), _ENCLOSING),
    "wallingRule": ("arrow", "duck", "edge", "past", "static", "none"),
}
_WHOLE, _FILE = re.compile(r"\d{1,9}\Z", re.ASCII), re.compile(r"[A-Za-z]\Z|[1-9]\d?\Z", re.ASCII)


def value_fault(key: str, value: str) -> str:
    """Return what a key expects and that it does not have this value; empty for a possible value.

    value: with the blanks that follow it, which Fairy-Stockfish takes for a part of a word.
    """
    words = ("true", "false") if key in _BOOLEANS else _CHOICES.get(key, ())
    if words and value not in words:
        *first, last = words
        without = " without blanks after it" if value.strip() in words else ""
        hint = "" if without else did_you_mean(value.strip(), words)
        return f"expected {', '.join(first)} or {last}{without}, found {shown(value, 40)}{hint}"
    value = value.strip()
    if key in _NUMBERS and not _WHOLE.match(value):
        return f"expected a whole number, found {shown(value, 40)}"
    if key in _RANKS and not (_WHOLE.match(value) and int(value)):
        return f"expected the number of a rank, found {shown(value, 40)}"
    if key in _FILES and not _FILE.match(value):
        return f"expected a file, its letter or its number, found {shown(value, 40)}"
    return ""


def value_faults(section: Section) -> Iterator[tuple[int, str]]:
    """Yield (line, message) for each value that its key cannot have."""
    for key, entry in section.keys.items():
        fault = value_fault(key, entry.written)
        base = key[: -len("White")]
        is_for_both = base in BOTH_SIDES and section.keys.get(f"{base}White") is section.keys.get(f"{base}Black")
        if fault and not (is_for_both and key.endswith("Black")):
            yield entry.line or section.line, f"{base if is_for_both else key}: {fault}"
