"""The log of the option `Debug Log File`: every line from and to the client, with the time of day."""

from __future__ import annotations

import os
import time

from standstill.engine.system.files import open_plain

TO_CLIENT, FROM_CLIENT = "<<", ">>"


class LineLog:
    """Appends to the file that the option names. If writing fails, logging ends and the game continues."""

    def __init__(self) -> None:
        self._path = ""
        self._file = -1

    def follow(self, path: str) -> None:
        """Log to this file from now on; an empty path ends the log."""
        if path == self._path:
            return
        self._path = path
        self._give_up()
        if path:
            try:
                self._file = open_plain(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            except OSError:
                return  # the file has become unwritable since the user set the option

    def note(self, direction: str, text: str) -> None:
        """Write these lines. Any thread may call this method: each call is one write at the end of the file."""
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
