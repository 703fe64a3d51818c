"""What Windows lacks. A test that uses a missing module is skipped there, with the reason."""

from __future__ import annotations

import importlib
import locale
import os
import signal
from pathlib import Path

import pytest


class Lacking:
    """Stands for a module that this system does not have."""

    def __init__(self, module: str) -> None:
        self.module = module

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # pytest looks for special attributes of everything in a test module
            raise AttributeError(name)
        pytest.skip(f"this system has no {self.module}.{name}")


def found(module: str) -> object:
    try:
        return importlib.import_module(module)
    except ImportError:
        return Lacking(module)


fcntl, pty, resource, termios = map(found, ("fcntl", "pty", "resource", "termios"))

WINDOWS = os.name == "nt"
IS_ADMINISTRATOR = not WINDOWS and os.geteuid() == 0
needs_signals = pytest.mark.skipif(WINDOWS, reason="Windows sends no signals; test_windows_console.py closes consoles")
needs_zones = pytest.mark.skipif(WINDOWS, reason="Windows takes the zone from its settings, not from TZ")
needs_devices = pytest.mark.skipif(WINDOWS or not Path("/dev/full").exists(), reason="needs the device files of Linux")


def is_private(path: Path) -> bool:
    """Whether only the owner may use the file or folder. On Windows, which has no modes, the folder around it
    decides."""
    return WINDOWS or path.stat().st_mode & 0o077 == 0


def link(path: Path, target: str | Path) -> None:
    """Make a symbolic link."""
    if WINDOWS:
        pytest.skip("Windows lets only administrators make symbolic links")
    path.symlink_to(target)


def piped(text: str) -> bytes:
    """The text as our program writes it to a pipe: on Windows in its code page, with escapes for other letters."""
    return text.encode(locale.getencoding() if WINDOWS else "utf-8", "backslashreplace")


def signals(*names: str) -> list[signal.Signals]:
    """The named signals that this system has."""
    return [signal.Signals[name] for name in names if hasattr(signal, name)]


def status_of(sent: int) -> int:
    """The exit status that subprocess sees after a signal ended our program."""
    return 128 + sent if WINDOWS else -sent
