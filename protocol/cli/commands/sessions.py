"""A session of the engine for one call of a command."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping

from standstill.engine.correspondence.stored_clock import stored_clock
from standstill.engine.play.session import Session
from standstill.engine.settings.config import load

from .messages import warn


def begin(given: Mapping[str, bool | int | str] | None = None) -> Session:
    """A session with the settings of engine.ini, overridden by ``given``; its notices go to standard error."""
    settings, complaints = load()
    for text in complaints:
        warn(text)
    for name, value in (given or {}).items():
        settings[name] = value
    session = Session(settings, stored_clock)
    session.on_notice(warn)
    return session


def own_program() -> str:
    """The path of this program, to start it in another process; empty if no folder of PATH contains it."""
    found = shutil.which(sys.argv[0]) or shutil.which("standstill")
    return "" if found is None else os.path.abspath(found)
