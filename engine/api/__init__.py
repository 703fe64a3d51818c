"""Standstill, a chess engine for people who want to know what a draw was worth.

This file is installed as ``standstill/__init__.py``; it costs next to nothing, as the engine starts through it. What it
names is imported when it is first used. docs/api.md lists the names that stay.
"""

from standstill.engine import VERSION as __version__

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from standstill import clock, relevance, rmobility, variants
    from standstill.annotating import annotate
    from standstill.engine.common.errors import StandstillError
    from standstill.playing import Engine, Line, Result, Search

__all__ = [
    "Engine",
    "Line",
    "Result",
    "Search",
    "StandstillError",
    "__version__",
    "annotate",
    "clock",
    "relevance",
    "rmobility",
    "variants",
]

_HOMES = {
    "Engine": "playing",
    "Line": "playing",
    "Result": "playing",
    "Search": "playing",
    "StandstillError": "engine.common.errors",
    "annotate": "annotating",
}
_MODULES = ("clock", "relevance", "rmobility", "variants")

if not TYPE_CHECKING:  # a type checker knows the names, and tells misspelt ones

    def __getattr__(name):
        from importlib import import_module

        if name in _MODULES:
            return import_module(f"{__name__}.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
