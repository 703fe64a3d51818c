"""Shows a notification on the desktop, with the program that the system has for this purpose."""

from __future__ import annotations

import shutil
import subprocess

from ...common.errors import StandstillError

_PATIENCE_S = 30
_PROGRAMS = ("notify-send", "osascript")  # the programs on Linux and similar systems, and on macOS


class NotifyError(StandstillError, OSError):
    """A notification cannot be shown."""


def notify(title: str, text: str) -> None:
    """Show a notification. Raises NotifyError."""
    program = next((name for name in _PROGRAMS if shutil.which(name)), None)
    if program is None:
        raise NotifyError("no program that shows notifications (notify-send on Linux, osascript on macOS): use --mail")
    if program == "osascript":
        script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
        command = [program, "-e", script, title, text]
    else:
        command = [program, "--app-name=Standstill", "--", title, text]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise NotifyError(f"{program}: {error}") from None
    if done.returncode:
        raise NotifyError(f"{program}: {' '.join(done.stderr.split()) or f'exit status {done.returncode}'}")
