"""Modules that Windows lacks. A test that uses one is skipped there, with the reason."""

from __future__ import annotations

import importlib

import pytest


class Lacking:
    """Stands for a module that this system does not have."""

    def __init__(self, module: str) -> None:
        self.module = module

    def __getattr__(self, name: str) -> object:
        pytest.skip(f"this system has no {self.module}.{name}")


def found(module: str) -> object:
    try:
        return importlib.import_module(module)
    except ImportError:
        return Lacking(module)


fcntl, pty, resource, termios = map(found, ("fcntl", "pty", "resource", "termios"))
