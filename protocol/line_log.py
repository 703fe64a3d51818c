"""The file of the option `Debug Log File`: every line from the client and to it, with the time of day."""

from __future__ import annotations

import os
import time

TO_CLIENT, FROM_CLIENT = "<<", ">>"


class LineLog:
    """Appends to the file that the option names. A file that cannot be written is given up: the game goes on."""

    def __init__(self) -> None:
        self._path = ""
        self._file = -1

    def follow(self, path: str) -> None:
        """Write into this file from now on; the empty text ends the log."""
        if path == self._path:
            return
        self._path = path
        self._give_up()
        if path:
            try:
                self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            except OSError:
                return  # gone since the option was set, which has looked

    def note(self, direction: str, text: str) -> None:
        """Write these lines. Called from any thread: each call is one write at the end of the file."""
        if self._file < 0:
            return
        now = time.time()
        begin = f"{time.strftime('%H:%M:%S', time.localtime(now))}.{int(now * 1000) % 1000:03} {direction} "
        lines = "".join(f"{begin}{line}\n" for line in text.split("\n"))
        try:
            os.write(self._file, lines.encode("utf-8", "backslashreplace"))
        except OSError:
            self._give_up()

    def _give_up(self) -> None:
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)
