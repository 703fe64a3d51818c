"""Reads lines, writes lines and chooses the protocol.

This class is kept light because it runs between start and `uciok`.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, start_new_thread  # threading itself is imported by the first search

from standstill.engine.common.errors import StandstillError
from standstill.engine.play.session import Session
from standstill.engine.settings.config import load
from standstill.engine.settings.options import LOG_FILE
from standstill.engine.system.consoles import person_waits

from .line_log import FROM_CLIENT, TO_CLIENT, LineLog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _queue import SimpleQueue
    from collections.abc import Iterator
    from signal import SIG_DFL, SIG_IGN, SIGINT, signal

    from standstill.engine.clock.triple_block import State

    from .uci.protocol import Uci
    from .xboard.search import News
else:
    from _signal import SIG_DFL, SIG_IGN, SIGINT, signal  # importing signal would take a tenth of the whole start

# The first words of a client, which choose its protocol. Until one of these words comes, commands of other protocols
# are ignored.
XBOARD_WORDS = ("xboard", "protover")
UCI_WORDS = ("uci", "isready", "ucinewgame", "setoption", "position", "go")
# Console commands are also understood before such a word, for a user at a terminal.
CONSOLE_WORDS = ("d", "eval", "bench", "speedtest", "compiler", "flip", "help")

# The text for a person who starts the program by a double click: two lines of a console with 80 columns.
GREETING = """\
This is Standstill, a chess engine: add standstill.exe to your chess program.
To open a board in your browser, double-click play.cmd. Type `help` or `quit`."""

# A search in progress usually ends within milliseconds. If ending the search takes longer, the client does not wait
# for it.
_PATIENCE_S = 0.5


def stored_clock(name: str) -> tuple[State, int]:
    """The clock of a stored correspondence game, imported when a client names one."""
    from standstill.engine.correspondence.stored_clock import stored_clock as read_clock

    return read_clock(name)


def run(definitions: str = "") -> int:
    """Serve one client until it leaves; return the exit status, 2 if a file cannot be read.

    definitions: a file of variants, in place of the VariantFile of engine.ini.
    """
    # Python's own handler only sets a flag, so an interrupt just before a read would be lost.
    signal(SIGINT, SIG_DFL)
    if person_waits():
        print(GREETING, file=sys.stderr)
    writer = Writer(1)
    settings, complaints = load()
    session = Session(settings, stored_clock)
    writer.log.follow(settings[LOG_FILE])
    if definitions:
        try:
            session.set_option("VariantFile", definitions)
        except StandstillError as error:
            print(f"standstill: {error}", file=sys.stderr)
            return 2
    front_end = serve(read_lines(0), writer, session, complaints)
    if front_end is not None:
        front_end.answer(_PATIENCE_S)
    writer.close()
    if (front_end is not None and not front_end.leave(_PATIENCE_S)) or not session.close(_PATIENCE_S):
        os._exit(0)
    return 0


def serve(lines: Iterator[str], writer: Writer, session: Session, complaints: list[str]) -> Uci | None:
    """Serve until the client quits or its input ends. Returns the front end if the protocol was UCI."""
    front_end = None
    lines = without_trial(lines)
    for line in lines:
        if front_end is None:
            word = line.split(maxsplit=1)[0]
            if word == "quit":
                break
            if word in XBOARD_WORDS:
                serve_xboard(line, lines, writer, session, complaints)
                break
            if word in UCI_WORDS or word in CONSOLE_WORDS:
                from .uci.protocol import Uci

                front_end = Uci(session, writer, complaints)
        if front_end is not None:
            writer.log.note(FROM_CLIENT, line)
            if not front_end.handle(line):
                break
            writer.log.follow(session.settings[LOG_FILE])
    return front_end


def without_trial(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines without a first `xboard` that `uci` follows, as Arena tries both to find out the protocol."""
    first = next(lines, "quit")
    if first == "xboard":
        second = next(lines, "quit")
        if second != "uci":
            yield first
        yield second
    else:
        yield first
    yield from lines


def serve_xboard(first: str, lines: Iterator[str], writer: Writer, session: Session, complaints: list[str]) -> None:
    """Serve XBoard's protocol.

    The engine keeps the game, so the ends of its searches queue up with the client's lines.
    """
    from _queue import SimpleQueue  # importing the module queue would take longer than all other imports together

    from .xboard.protocol import Xboard

    signal(SIGINT, SIG_IGN)  # XBoard interrupts engines with SIGINT unless a feature tells it not to
    inbox: SimpleQueue[News] = SimpleQueue()
    front_end = Xboard(session, writer, inbox, complaints)
    inbox.put(first)
    start_new_thread(_fill, (inbox, lines))
    while (news := inbox.get()) is not None:
        if isinstance(news, tuple):
            front_end.search_told(*news)
            continue
        writer.log.note(FROM_CLIENT, news)
        if not front_end.handle(news):
            return
        writer.log.follow(session.settings[LOG_FILE])


def _fill(inbox: SimpleQueue[News], lines: Iterator[str]) -> None:
    for line in lines:
        inbox.put(line)
    inbox.put(None)


def read_lines(source: int) -> Iterator[str]:
    """Yield lines that are not empty, stripped of blanks, until the input ends. Lines may have any length."""
    parts: list[bytes] = []
    while True:
        try:
            chunk = os.read(source, 1 << 16)
        except BlockingIOError:
            _wait_until_ready(source)
            continue
        except OSError:
            chunk = b""  # the terminal hung up, or the descriptor was never open
        head, newline, rest = chunk.partition(b"\n")
        parts.append(head)
        if chunk and not newline:
            continue
        lines = [b"".join(parts), *rest.split(b"\n")]
        parts = [lines.pop()] if newline else []
        for line in lines:
            # Clients write names in any encoding, and undecodable bytes must not stop the engine. .NET programs may
            # send a byte order mark first.
            text = line.decode("utf-8", "replace").removeprefix("\ufeff").strip()
            if text:
                yield text
        if not chunk:
            return


def _wait_until_ready(handle: int, *, for_writing: bool = False) -> None:
    """Wait until a read or write is possible, on descriptors that a client or an earlier program made non-blocking.

    All processes that share the descriptor share that flag, so the function leaves it unchanged.
    """
    from select import select

    select([] if for_writing else [handle], [handle] if for_writing else [], [])


class Writer:
    """The only writer to the client: writes whole lines in UTF-8, unbuffered, from any thread."""

    def __init__(self, target: int):
        self._target = target
        self._lock = allocate_lock()
        self._closed = False
        self.log = LineLog()

    def write(self, text: str) -> None:
        """Write one line, or several lines that belong together, without the last newline."""
        data = text.encode("utf-8", "backslashreplace") + b"\n"
        with self._lock:
            if not self._closed:
                self.log.note(TO_CLIENT, text)
            while data and not self._closed:
                try:
                    data = data[os.write(self._target, data) :]
                except BlockingIOError:
                    _wait_until_ready(self._target, for_writing=True)
                except OSError:
                    # The client has exited. The reader might wait forever on the other pipe, so the process ends here.
                    self._closed = True
                    sys.stderr = None
                    os._exit(0)

    def close(self) -> None:
        """Write nothing to the client from now on."""
        with self._lock:
            self._closed = True
