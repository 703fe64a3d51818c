"""The console of a person, and characters that it cannot show."""

from __future__ import annotations

import os
import sys


def person_waits() -> bool:
    """Has a person started the program without a client, as by a double click? Asked on Windows only."""
    return sys.platform == "win32" and os.isatty(0) and os.isatty(1)
