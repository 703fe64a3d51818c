"""Looks up options by name, and stores their values."""

from __future__ import annotations

from ..common.text import shown
from .table import OPTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, overload

    from .spec import OptionSpec

    FlagName = Literal[
        "Ponder",
        "OwnBook",
        "Syzygy50MoveRule",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
        "UCI_LimitStrength",
        "InsufficientMaterialDraw",
        "More Columns",
    ]
    NumberName = Literal[
        "Hash",
        "Threads",
        "MultiPV",
        "Move Overhead",
        "SyzygyProbeLimit",
        "UCI_Elo",
        "TripleBlockScale",
        "TripleBlockMaxThink",
        "Resign Score",
        "Relevance_x05",
    ]
    TextName = Literal[
        "EvalFile",
        "VariantEvalFile",
        "RMobilityEvalFile",
        "BookFile",
        "SyzygyPath",
        "RMobilityTablePath",
        "UCI_Variant",
        "VariantFile",
        "FairyVariant",
        "MakrukRules",
        "TripleBlock",
        "TripleBlockGame",
        "RMobility",
        "RMobilityKomi",
        "RMobilityScope",
        "RMobilityLimit",
        "RMobilityFifty",
        "RMobilityRecord",
        "Draw Offers",
        "Debug Log File",
        "Relevance_Position",
        "Relevance_Move",
    ]

LOG_FILE: Literal["Debug Log File"] = "Debug Log File"

# The options that set a Triple Block clock.
TRIPLE_BLOCK = ("TripleBlock", "TripleBlockGame")

_BY_NAME = {spec.xboard_name.lower(): spec for spec in OPTIONS}


def find(name: str) -> OptionSpec | None:
    """Return the option of that name, or None. Case and blanks do not matter."""
    return _BY_NAME.get("".join(name.lower().split()))


def unknown(name: str) -> str:
    """Return the message for a name that is not an option. For a dropped option it names the replacement."""
    from .dropped import instead_of  # imported here, because few clients send such a name

    return instead_of(name) or f"unknown option {shown(name)}"


class Settings:
    """The values of all options except buttons."""

    __slots__ = ("_set", "_values")

    def __init__(self) -> None:
        self._set: set[str] = set()
        self._values = {spec.name: spec.default for spec in OPTIONS if spec.default is not None}

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, name: FlagName) -> bool: ...
        @overload
        def __getitem__(self, name: NumberName) -> int: ...
        @overload
        def __getitem__(self, name: TextName) -> str: ...

    def __getitem__(self, name: str) -> bool | int | str:
        return self._values[name]

    def __setitem__(self, name: str, value: bool | int | str) -> None:
        if name not in self._values:
            raise KeyError(name)
        self._values[name] = value
        self._set.add(name)

    def value(self, spec: OptionSpec) -> bool | int | str:
        """Return ``settings[spec.name]``. The option must not be a button."""
        return self._values[spec.name]

    def is_set(self, name: str) -> bool:
        """Return whether this option was set, even if its value is the default."""
        return name in self._set
