"""How tools refuse: one line on standard error, with status 2 for bad input as in the program; 1 means failed work."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


def refuse(line: str) -> NoReturn:
    """Exit with this line and status 2: the input, or something that the tool needs, is missing or wrong."""
    print(line, file=sys.stderr)
    sys.exit(2)


@contextmanager
def failing_in_one_line(tool: str) -> Iterator[None]:
    """Say in one line, without a traceback, which file cannot be used (status 2) or which command failed (status 1)."""
    try:
        yield
    except subprocess.CalledProcessError as error:
        words = [error.cmd] if isinstance(error.cmd, str | os.PathLike) else error.cmd
        command = shlex.join(map(os.fspath, words))
        shown = command if len(command) <= 200 else f"{command[:197]}..."
        sys.exit(f"{tool}: this command failed with status {error.returncode}: {shown}")
    except OSError as error:
        refuse(f"{tool}: {error.filename}: {error.strerror}" if error.filename else f"{tool}: {error}")
