"""Reads engine.ini, the user's defaults.

This module parses the simple format itself, because configparser would take half of the start-up time.
"""

from __future__ import annotations

import os
import sys

from ..common.errors import ConfigError
from ..common.regular_files import open_regular
from ..common.text import UTF_16_MARKS, shown
from ..network.shipped import NONE
from .options import Settings, find

FILE_NAME = "engine.ini"


def locate() -> str | None:
    """Return the path of engine.ini: in the parent of the folder ``engine``, or where the installation put it.

    The working directory is not searched, because a client may start the engine anywhere.
    """
    above = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    # Installed: PREFIX/lib/pythonX.Y/site-packages/standstill. The prefix of `pip install --user` is not sys.prefix.
    prefix = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(above))))
    # The last path is for the Windows zip, in which the program lies in a folder beside the file.
    places = above, os.path.join(prefix, "share", "standstill"), os.path.join(sys.prefix, "share", "standstill")
    for folder in (*places, os.path.dirname(above)):
        path = os.path.join(folder, FILE_NAME)
        if os.path.isfile(path):
            return path
    return None


def find_file(path: str) -> str:
    """Return the path itself or, if that file is missing, the path relative to the folder of engine.ini."""
    path = os.path.expanduser(path)
    beside = locate()
    if beside is None or os.path.exists(path):
        return path
    candidate = os.path.join(os.path.dirname(beside), path)
    return candidate if os.path.exists(candidate) else path


def table_folders(settings: Settings) -> list[str]:
    """Return the folders of R-Mobility tables that the settings name; empty for ``none``."""
    if settings["RMobilityTablePath"] == NONE:
        return []
    parts = settings["RMobilityTablePath"].split(os.pathsep)
    return [find_file(part.strip()) for part in parts if part.strip()]


def load(path: str | None = None) -> tuple[Settings, list[str]]:
    """Return the settings from engine.ini, and a message for each line that contains an error."""
    settings = Settings()
    path = path or locate()
    if path is None:
        return settings, []
    try:
        with open_regular(path) as file:
            data = file.read()
    except OSError as error:
        return settings, [f"cannot read {path}: {error.strerror}"]
    text = data.decode("utf-16" if data[:2] in UTF_16_MARKS else "utf-8", "replace")
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
        from .dropped import instead_of  # imported here, because few files contain such a key

        raise ConfigError(instead_of(key) or f"unknown key {shown(key.strip())}")
    settings[spec.name] = spec.parse(value.strip())
