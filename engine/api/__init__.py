"""Standstill, a chess engine for people who want to know what a draw was worth.

This file is installed as ``standstill/__init__.py``. It must load fast, because the engine starts through it.
Therefore each public name is imported when it is first used. docs/api.md lists the stable names.
"""

from standstill.engine import VERSION as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill import clock, relevance, rmobility, variants
    from standstill.annotating import annotate
    from standstill.asynchronous import AsyncEngine, AsyncSearch
    from standstill.engine.clock.control import TimeUp
    from standstill.engine.common.errors import (
        ArgumentError,
        ClockError,
        ConfigError,
        DefinitionError,
        EngineError,
        EngineUseError,
        IllegalMoveError,
        MovetextError,
        NetworkError,
        NotationError,
        PgnError,
        RelevanceError,
        StandstillError,
        TablebaseError,
    )
    from standstill.moves import VariantMove
    from standstill.playing import Engine
    from standstill.searching import Line, Result, Search

__all__ = [
    "ArgumentError",
    "AsyncEngine",
    "AsyncSearch",
    "ClockError",
    "ConfigError",
    "DefinitionError",
    "Engine",
    "EngineError",
    "EngineUseError",
    "IllegalMoveError",
    "Line",
    "MovetextError",
    "NetworkError",
    "NotationError",
    "PgnError",
    "RelevanceError",
    "Result",
    "Search",
    "StandstillError",
    "TablebaseError",
    "TimeUp",
    "VariantMove",
    "__version__",
    "annotate",
    "clock",
    "relevance",
    "rmobility",
    "variants",
]

_HOMES = {
    "AsyncEngine": "asynchronous",
    "AsyncSearch": "asynchronous",
    "Engine": "playing",
    "Line": "searching",
    "Result": "searching",
    "Search": "searching",
    "TimeUp": "engine.clock.control",
    "VariantMove": "moves",
    "annotate": "annotating",
}
_MODULES = ("clock", "relevance", "rmobility", "variants")

if not TYPE_CHECKING:  # type checkers ignore this function: they know all names, and so report misspelt ones

    def __getattr__(name):
        from importlib import import_module

        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = "engine.common.errors" if name.endswith("Error") else _HOMES[name]
        found = getattr(import_module(f"{__name__}.{home}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return __all__
