"""Names of games that clients know, and names that they mistake for these."""

from __future__ import annotations

import re

# XBoard 4.9.1 finds the first group anywhere in a name, and the second group at its beginning if no letter follows.
_ANYWHERE = (
    *("wildcastle", "nocastle", "fischerandom", "bughouse", "crazyhouse", "losers", "suicide", "giveaway", "twokings"),
    *("kriegspiel", "atomic", "3check", "shatranj"),
)
_AT_THE_BEGINNING = (
    *("shogi", "chu", "courier", "gothic", "capablanca", "knightmate", "fairy", "cylinder", "falcon", "caparandom"),
    *("berolina", "janus", "super", "great", "twilight", "makruk", "seirawan", "grand", "spartan", "xiangqi", "asean"),
    *("lion", "elven"),
)
_PLAIN = ("normal", "chess", "standard")
ORTHODOX = "orthodox chess"


def taken_for(name: str) -> str:
    """The other game for which clients mistake a name; empty if the name is unique, or a known game's exact name."""
    low = name.lower()
    if low in _PLAIN:
        return ORTHODOX
    if low in (*_ANYWHERE, *_AT_THE_BEGINNING) or low.startswith("fairy/"):
        return ""
    for known in _ANYWHERE:
        if known in low:
            return known
    for known in _AT_THE_BEGINNING:
        if low.startswith(known) and not low[len(known) :][:1].isalpha():
            return known
    if "frc" in low or "960" in low or ("fischer" in low and "random" in low):
        return "fischerandom"
    return "a numbered game of chess servers" if re.search(r"w(ild)?[ (/]*\d", low) else ""
