"""Options of earlier versions. If a client sets one of them, the answer names the replacement."""

from __future__ import annotations

# The name of the option, and the replacement or the reason for its removal.
DROPPED = {
    "BookAlways": "OwnBook plays from the book regardless of RMobility",
    "RMobilityProbeLimit": "RMobilityTablePath none switches the R-Mobility tables off",
    "UCI_Opponent": "the engine plays in the same way against every opponent",
    "UCI_EngineAbout": "id name, id author and standstill --version say who made the engine",
    "TripleBlockOpp": "it never affected the engine's play; `standstill clock` computes any clock",
    "TripleBlockMinThink": "TripleBlockMaxThink limits the time for a move; its minimum is 10 s",
    "TripleBlockRefill": "the engine always advises a refill that is due",
    "Relevance_WDL": "UCI_ShowWDL shows the chances measured for this engine",
}
_BY_NAME = {name.lower(): name for name in DROPPED}


def instead_of(name: str) -> str | None:
    """Return a line that names a dropped option and its replacement, or None for any other name."""
    dropped = _BY_NAME.get("".join(name.lower().split()))
    return None if dropped is None else f"option {dropped} no longer exists: {DROPPED[dropped]}"
