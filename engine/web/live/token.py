"""A token that stays the same, so that addresses saved in a streaming program remain valid."""

from __future__ import annotations

import os
import re
import secrets

from ...common.errors import ConfigError
from ...common.regular_files import open_regular
from ...common.text import shown_path
from ...system.files import open_plain

_FORM = re.compile(r"[\w-]{24,200}", re.ASCII)


def new_token() -> str:
    return secrets.token_urlsafe(24)


def kept_token(path: str) -> str:
    """Return the token in this file; create a missing file, readable by the user alone. Raises ConfigError."""
    try:
        handle = open_plain(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise ConfigError(f"cannot write {shown_path(path)}: {error.strerror}") from None
    token = new_token()
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
    return token


def _read(path: str) -> str:
    try:
        with open_regular(path) as file:
            text = file.read(1000).decode("latin-1").strip()
    except OSError as error:
        raise ConfigError(f"cannot read {shown_path(path)}: {error.strerror}") from None
    if not _FORM.fullmatch(text):
        raise ConfigError(f"expected a token of 24 or more letters and digits in {shown_path(path)}")
    return text
