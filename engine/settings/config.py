"""engine.ini: the user's defaults.

The file is read without configparser, which alone would take half of the starting time; the format is a few lines.
"""

from __future__ import annotations

import os
import sys

from ..common.errors import ConfigError
from ..common.regular_files import open_regular
from ..common.text import shown
from ..network.shipped import NONE
from .options import Settings, find

FILE_NAME = "engine.ini"


def locate() -> str | None:
    """Path of engine.ini: beside the folder ``engine``, otherwise where the installation put it.

    It is never in the working directory, because a client may start the engine anywhere.
    """
    above = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    shared = os.path.join("share", "standstill", FILE_NAME)
    # Installed: PREFIX/lib/pythonX.Y/site-packages/standstill. The prefix of `pip install --user` is not sys.prefix.
    prefix = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(above))))
    for path in (os.path.join(above, FILE_NAME), os.path.join(prefix, shared), os.path.join(sys.prefix, shared)):
        if os.path.isfile(path):
            return path
    return None


def find_file(path: str) -> str:
    """The path, or if there is no such file, the path below the folder of engine.ini: clients start us anywhere."""
    path = os.path.expanduser(path)
    beside = locate()
    if beside is None or os.path.exists(path):
        return path
    candidate = os.path.join(os.path.dirname(beside), path)
    return candidate if os.path.exists(candidate) else path


def table_folders(settings: Settings) -> list[str]:
    """The folders of R-Mobility tables that the settings name; empty for ``none``."""
    if settings["RMobilityTablePath"] == NONE:
        return []
    parts = settings["RMobilityTablePath"].split(os.pathsep)
    return [find_file(part.strip()) for part in parts if part.strip()]


def load(path: str | None = None) -> tuple[Settings, list[str]]:
    """The settings with the values of engine.ini, and a line about each of its lines that was not understood."""
    settings = Settings()
    path = path or locate()
    if path is None:
        return settings, []
    try:
        with open_regular(path) as file:
            text = file.read().decode("utf-8", "replace")
    except OSError as error:
        return settings, [f"cannot read {path}: {error.strerror}"]
    complaints = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        try:
            _apply(line.strip(), settings)
        except ConfigError as error:
            complaints.append(f"{FILE_NAME} line {number}: {error}")
    return settings, complaints


def _apply(line: str, settings: Settings) -> None:
    """Apply one line: empty, a comment (; or #), a section heading, or ``key = value``."""
    if not line or line[0] in ";#[":
        return
    key, equals, value = line.partition("=")
    if not equals:
        raise ConfigError(f"expected key = value, found {shown(line)}")
    spec = find(key)
    if spec is None or not spec.in_file:
        from .dropped import instead_of  # few files have such a key

        raise ConfigError(instead_of(key) or f"unknown key {shown(key.strip())}")
    settings[spec.name] = spec.parse(value.strip())
