"""The compiled core of Standstill: boards, evaluation, objective, search.

Its folders are layers (docs/architecture.md): a module uses only its own folder and the folders below it.
tests/test_architecture.py enforces this.

A wheel may hold several builds of the core, one for each processor level, in ``builds/LEVEL``. The build that
STANDSTILL_ISA names, or else the fastest that the processor can run, comes first on the path of this package.
"""

import os

_WISH = "STANDSTILL_ISA"


def _held(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _chosen(held: list[str]) -> str:
    """Name of the build to use, "" if there is only one. Raises ImportError if the requested build cannot run."""
    wish = os.environ.get(_WISH, "")
    if not held:
        if wish:
            raise ImportError(f"{_WISH}={wish}: this copy has only one build of its core", name=__name__)
        return ""
    if wish and wish not in held:
        raise ImportError(f"{_WISH}: expected one of {', '.join(held)}, found {wish!r}", name=__name__)
    from .processor import levels

    able = [level for level in levels() if level in held]
    if wish and wish not in able:
        raise ImportError(f"{_WISH}={wish}: this processor runs only {', '.join(able)}", name=__name__)
    if not able:
        raise ImportError(f"this processor runs none of the builds {', '.join(held)}", name=__name__)
    return wish or able[0]


_FOLDER = os.path.join(os.path.dirname(__file__), "builds")
BUILDS = _held(_FOLDER)  # names of the builds in a wheel; empty in a clone, which has only one build
CHOSEN = _chosen(BUILDS)
if CHOSEN:
    __path__.insert(0, os.path.join(_FOLDER, CHOSEN))
