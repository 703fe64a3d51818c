"""A description of this installation, for bug reports and questions about speed."""

from __future__ import annotations

import os
import platform

from .. import NAME, VERSION
from ..network.shipped import NONE, path_of, path_of_records
from ..tablebases.material import MOST_MEN, classes
from ..tablebases.table_file import table_path
from .config import load, locate, table_folders


def commit() -> str:
    """Return the commit that was built, as `git describe` names it, or "unknown"."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        with open(os.path.join(package, "commit"), encoding="ascii") as file:
            return file.read().strip() or "unknown"
    except (OSError, ValueError):
        return "unknown"


def build_report() -> str:
    """Describe the compiler, platform and instruction set of the build in a few lines."""
    from standstill.cext.base import compiled

    return "\n".join(
        (
            f"{NAME} {VERSION}, {compiled.BUILD} build",
            f"compiled by {compiled.COMPILER} and Cython {compiled.CYTHON}",
            f"for {platform.machine()}, instruction set {_instructions()}",
            f"run by {_python()}",
        )
    )


def about() -> str:
    """Describe the version, commit, build, networks and tables of this installation on one screen."""
    from standstill.cext.base import compiled

    settings, complaints = load()
    facts = {
        "commit": commit(),
        "build": f"{compiled.BUILD}, by {compiled.COMPILER} and Cython {compiled.CYTHON}",
        "instruction set": _instructions() + _others(),
        "run by": _python(),
        "network": path_of(settings["EvalFile"]) or f"{NONE}: the hand-crafted evaluation",
        "records": path_of_records(settings["RMobilityEvalFile"]) or f"{NONE}: a heuristic predicts them",
        "tables": "; ".join(_tables(table_folders(settings))),
        "engine.ini": locate() or "not found",
    }
    lines = [f"{name:<16} {fact}" for name, fact in facts.items()]
    return "\n".join([f"{NAME} {VERSION}", *lines, *complaints])


def _instructions() -> str:
    from standstill.cext.base import compiled

    return compiled.LEVEL + (", bits extracted by one instruction" if compiled.PEXT else "")


def _others() -> str:
    """Name the build of the core that was chosen for this processor, and all available builds."""
    from standstill import cext

    return f" (build {cext.CHOSEN} of {', '.join(cext.BUILDS)})" if cext.CHOSEN else ""


def _python() -> str:
    return f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"


def _tables(folders: list[str]) -> list[str]:
    """Return a line for each folder with the number of R-Mobility tables in it."""
    from ..tablebases.store import SUPPLIED

    found = []
    for folder in [*folders, SUPPLIED]:
        names = [name for name in classes(MOST_MEN) if os.path.isfile(table_path(folder, name, 0, False))]
        men = max((len(name) - 1 for name in names), default=0)
        found.append(f"{len(names)} of R-Mobility, up to {men} pieces, in {folder}" if names else f"none in {folder}")
    return found
