"""Values that clients and users give to options: valid, wrong and empty ones."""

from __future__ import annotations

import random
from pathlib import Path

from standstill.engine.settings.table import OPTIONS

_TABLES = Path(__file__).resolve().parents[1] / "data" / "syzygy"
_CLOCKS = ("50/75/1", "10/0/0.5:p", "D350", "20/30/1 move 7", "0/0/0", "x/y/z")
_PATHS = (
    *(str(_TABLES), f'"{_TABLES}"', str(_TABLES / "KQvK.rtbw"), "/nowhere", "/dev/null"),
    *("a\x00b", "'quoted'", '"', '"a":"b"', "é"),
)
_STRINGS = {
    "TripleBlock": _CLOCKS,
    "TripleBlockGame": ("unknown", "a b"),
    "RMobilityKomi": ("G3.75", "-G0.25", "none", "G", "3"),
    "RMobilityLimit": ("G3.5", "none", "G99999", "x"),
    "RMobilityRecord": ("-G8.5", "G0.5", "G", "none"),
    "Debug Log File": ("/dev/null", "/nowhere/log", "a\x00b", "/"),
    "UCI_Variant": ("chess", "capablanca", "makruk", "3check", "nothing"),
}
# A test machine does not have the memory for the largest tables or a thousand threads.
_MOST = {"Hash": 8, "Threads": 3, "MultiPV": 5}


def values(name: str) -> list[str]:
    """Values for the option with this name, the empty text last."""
    spec = next(spec for spec in OPTIONS if spec.name == name)
    found: list[str] = [] if spec.default is None else [str(spec.default).lower()]
    if spec.kind == "check":
        found += ["true", "false", "maybe"]
    elif spec.kind == "spin":
        most = _MOST.get(name, spec.maximum)
        found += [str(spec.minimum), str(most), str((spec.minimum + most) // 2), str(spec.minimum - 1), "1e3", "9" * 30]
    elif spec.kind == "combo":
        found += [*spec.choices, "none of these"]
    elif spec.kind == "string":
        found += _STRINGS.get(name, _PATHS)
    return [*found, "<empty>", ""]


def settings(rng: random.Random) -> tuple[str, str]:
    """An option, and a value for it."""
    name = rng.choice([spec.name for spec in OPTIONS])
    return name, rng.choice(values(name))
