"""The file of definitions that the command named: the only one that the page writes."""

from __future__ import annotations

import hashlib
import os

from ...common.atomic_files import write_whole
from ...common.errors import ConfigError, EngineUseError
from ...common.regular_files import open_regular
from ...common.text import shown_path, visible
from ...variants.fairymax import decoded
from .findings import MOST_BYTES


class DefinitionText:
    """A file of definitions, which may not exist yet.

    path: of the file. draft: the text with which the page begins if the file does not exist.
    """

    def __init__(self, path: str, draft: str = ""):
        """Read the file once. Raises ConfigError if the file cannot be read or is too long for the page."""
        self.path, self._draft = path, draft
        self.read()

    @property
    def name(self) -> str:
        return visible(os.path.basename(self.path))

    def read(self) -> tuple[str, str]:
        """Return (text, digest) of the file; the digest is empty if there is no file."""
        data = self._data()
        return (self._draft, "") if data is None else (decoded(data), _digest(data))

    def _data(self) -> bytes | None:
        if not os.path.lexists(self.path):
            return None
        try:
            with open_regular(self.path) as file:
                data: bytes = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise ConfigError(f"cannot read {shown_path(self.path)}: {error.strerror}") from None
        if len(data) > MOST_BYTES:
            raise ConfigError(f"expected a file of at most {MOST_BYTES} bytes, found {shown_path(self.path)}")
        return data

    def save(self, text: str, digest: str) -> str:
        """Write the file, and keep the old one under its name with ``~`` appended. Return the new digest.

        digest: the digest of the file that the page has read. Raises EngineUseError if the file has changed since then.
        """
        old = self._data()
        if digest != ("" if old is None else _digest(old)):
            what = "has changed since the page read it" if old is not None else "is no longer there"
            raise EngineUseError(f"not saved: {self.name} {what}; download your text, then reload the page")
        data = text.encode("utf-8", "replace")
        try:
            if old is not None and old != data:
                write_whole(f"{self.path}~", old)
            write_whole(self.path, data)
        except OSError as error:
            raise ConfigError(f"cannot write {shown_path(self.path)}: {error.strerror}") from None
        return _digest(data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
