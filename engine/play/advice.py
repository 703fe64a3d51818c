"""Restricts the root moves that the search considers, by the opening book and by endgame tables.

Only this module uses python-chess during play. It is imported when a book or tables are first needed.
"""

from __future__ import annotations

import os
import sys

from ..common.errors import BookError, TablebaseError
from ..common.info import EXACT, TABLEBASE_WIN, is_mate
from ..common.install import install_command
from ..common.text import plural
from ..settings.config import find_file
from .strength import handicap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import TypeVar

    from ..common.info import SearchInfo
    from ..common.limits import Limits
    from ..common.notice import Notice
    from ..settings.options import Settings
    from ..variants.notation import Board
    from .book import Book
    from .endgames import Endgames

    Answer = TypeVar("Answer")

# A book move is searched only to show a line and to find a reply to ponder on.
BOOK_DEPTH = 10
# Probing must neither use up the clock nor delay a `stop`.
TABLES_MOVETIME_SHARE = 0.25
TABLES_CLOCK_SHARE = 0.03
TABLES_LONGEST_S = 0.5
TABLES_SHORTEST_S = 0.005  # less time would be useless
# Probing is given up after this time, because the reader can loop forever in a damaged table: at least this many
# seconds, and at least this multiple of the time for probing.
TABLES_PATIENCE_S = 0.25, 10


class RootAdvice:
    """The root moves to search, and the information to report about them."""

    __slots__ = ("count_hits", "depth", "has_outcome", "is_proven", "moves", "outcome", "score", "source", "tbhits")

    def __init__(self, moves: list[int]):
        self.moves = moves
        self.depth: int | None = None  # a sufficient depth for these moves
        self.source = ""  # "book" or "tables"
        self.score: int | None = None  # fixed point; None for the score of the search
        self.is_proven = False  # whether tables prove the result of the game
        self.has_outcome = False  # whether R-Mobility tables prove the outcome
        self.outcome: tuple[int, int] | None = None  # the outcome's record (code, owner); None if no goal will count
        self.tbhits: int | None = None  # None without tables
        self.count_hits: Callable[[], int] | None = None  # counts the hits of the search's own table probes

    def limit_depth(self, asked: int | None) -> int | None:
        """Return the smaller of the requested depth and the sufficient depth."""
        if asked is None or self.depth is None:
            return self.depth if asked is None else asked
        return min(asked, self.depth)

    def mark(self, line: SearchInfo) -> None:
        """Put the known result into a line, unless the search has found a mate, which is more precise."""
        line.tbhits = self.tbhits if self.count_hits is None else (self.tbhits or 0) + self.count_hits()
        line.source = self.source
        line.is_proven = self.is_proven
        if self.score is not None and not (is_mate(line.score) and line.score * self.score > 0):
            line.score = self.score
            line.bound = EXACT
            line.has_proven_score = self.is_proven


class Adviser:
    """The book and the tables that the settings select."""

    def __init__(self, notice: Notice):
        """notice: a function that is called with each message for the user."""
        self._notice = notice
        self._book: Book | None = None
        self._endgames: Endgames | None = None
        self._book_path = self._tables_path = ""  # paths of the files that are open, or could not be opened
        self._without_file = False  # whether the user has been told that OwnBook is on without a BookFile
        self.chance: Random | None = None  # chooses among book moves; created with the first book

    def follow(self, settings: Settings) -> None:
        """Open the files that the settings name. A file that cannot be opened is reported once and ignored."""
        if settings["OwnBook"] and not settings["BookFile"] and not self._without_file:
            self._notice("OwnBook is on, but BookFile names no book", warning=True)
        self._without_file = settings["OwnBook"] and not settings["BookFile"]
        if settings["SyzygyPath"] != self._tables_path:
            self._tables_path = settings["SyzygyPath"]
            self._open_tables()
        if settings["OwnBook"]:
            self._follow_book(settings)

    def advise(self, board: Board, moves: list[int], limits: Limits, settings: Settings) -> RootAdvice:
        """Choose which of the legal ``moves`` to search. This is called once for each `go`."""
        advice = RootAdvice(moves)
        if not moves or not board.notation.game.is_chess:  # only chess has books and tables
            return advice
        if self._book is not None and self.chance is not None and self._book_speaks(limits, settings):
            move = self._book.choose(board, self.chance)
            if move in moves:
                advice.moves, advice.source, advice.depth = [move], "book", BOOK_DEPTH
                return advice
        if self._endgames is not None and handicap(limits, settings) is None:
            advice.tbhits = 0
            if limits.mate is None and self._endgames.covers(board, settings["SyzygyProbeLimit"]):
                self._ask_tables(self._endgames, advice, board, limits, settings)
        return advice

    def winner_beyond_fifty_moves(self, board: Board, settings: Settings) -> str | None:
        """Return ``1-0`` or ``0-1`` if the tables prove a win beyond the 50-move rule and the settings accept it."""
        if not wins_are_never_cursed(settings) or not board.notation.game.is_chess:
            return None
        self.follow(settings)
        tables = self._endgames
        if tables is None or not tables.covers(board, settings["SyzygyProbeLimit"]):
            return None
        try:
            return in_time(TABLES_LONGEST_S, lambda: tables.winner(board))
        except TablebaseError as error:
            self._notice(f"{error}; playing without them")
            self._close_tables()
            return None

    def book_moves(self, board: Board, settings: Settings) -> list[tuple[int, float]]:
        """Return the book's moves for the position with their shares, the largest first, even if OwnBook is off."""
        if settings["BookFile"]:
            self._follow_book(settings)
        if self._book is None or not board.notation.game.is_chess:
            return []
        found = self._book.moves(board)
        total = sum(weight for _, weight in found) or 1
        return [(move, weight / total) for move, weight in found]

    def _book_speaks(self, limits: Limits, settings: Settings) -> bool:
        """Return whether this search may use the book. Analysis, mate searches and searches of given moves may not."""
        asked = limits.infinite or limits.mate is not None or limits.root_moves is not None
        return settings["OwnBook"] and not settings["UCI_AnalyseMode"] and not asked

    def _ask_tables(
        self, endgames: Endgames, advice: RootAdvice, board: Board, limits: Limits, settings: Settings
    ) -> None:
        """Restrict the moves by the tables. If R-Mobility distinguishes between draws, all drawing moves remain."""
        mode = goals(settings)
        fifty = settings["Syzygy50MoveRule"] and not wins_are_never_cursed(settings)
        seconds = time_to_look(limits, board.stm)
        try:
            least, times = TABLES_PATIENCE_S
            verdict = in_time(
                max(least, times * seconds),
                lambda: endgames.verdict(board, advice.moves, merge_draws=mode != "Off", fifty=fifty, seconds=seconds),
            )
        except TablebaseError as error:
            self._notice(f"{error}; playing without them")
            self._close_tables()
            return
        if verdict is not None:
            advice.moves, advice.source = verdict.moves, "tables"
            advice.tbhits = verdict.hits
            if verdict.result or mode in ("Off", "Tiebreak"):  # in other modes a draw has a score of its own
                advice.score = verdict.result * TABLEBASE_WIN
            advice.is_proven = bool(verdict.result) or mode != "Decisive"  # in Decisive a draw is not a result

    def _follow_book(self, settings: Settings) -> None:
        if settings["BookFile"] == self._book_path:
            return
        self._book_path = settings["BookFile"]
        if self._book is not None:
            self._book.close()
            self._book = None
        if not self._book_path or not self._can_read("BookFile"):
            return
        from random import Random

        from .book import Book

        self.chance = self.chance or Random()
        try:
            self._book = Book(find_file(self._book_path))
        except BookError as error:
            self._notice(f"{error}; playing without", warning=True)

    def _open_tables(self) -> None:
        self._close_tables()
        if not self._tables_path or not self._can_read("SyzygyPath"):
            return
        from .endgames import Endgames

        folders = filter(None, (part.strip() for part in self._tables_path.split(os.pathsep)))
        endgames = Endgames([find_file(folder) for folder in folders])
        for complaint in endgames.complaints:
            self._notice(complaint)
        if endgames.men:
            self._endgames = endgames
            self._notice(f"{endgames.files} endgame {plural(endgames.files, 'table')}, up to {endgames.men} men")

    def _close_tables(self) -> None:
        if self._endgames is not None:
            self._endgames.close()
            self._endgames = None

    def _can_read(self, option: str) -> bool:
        if have_python_chess():
            return True
        self._notice(f"{option} needs python-chess ({install_command('chess')}); playing without")
        return False


def goals(settings: Settings) -> str:
    """Return the setting of RMobility."""
    return settings["RMobility"]


def wins_are_never_cursed(settings: Settings) -> bool:
    """Return whether wins proved by tables count regardless of the 50-move rule."""
    return settings["RMobilityFifty"] == "iccf" and goals(settings) != "Off"


def time_to_look(limits: Limits, stm: int) -> float:
    """Return the time limit for probing endgame tables, in seconds."""
    seconds = TABLES_LONGEST_S
    if limits.movetime_ms is not None:
        seconds = min(seconds, limits.movetime_ms / 1000 * TABLES_MOVETIME_SHARE)
    if (left_ms := limits.time_ms[stm]) is not None:
        seconds = min(seconds, left_ms / 1000 * TABLES_CLOCK_SHARE)
    return max(TABLES_SHORTEST_S, seconds)


def in_time(seconds: float, question: Callable[[], Answer]) -> Answer:
    """Return the answer of the tables. Raises TablebaseError after ``seconds``: damaged tables may never answer."""
    from threading import Event, Thread

    done = Event()
    answers: list[Answer] = []
    errors: list[Exception] = []

    def ask() -> None:
        try:
            answers.append(question())
        except Exception as error:  # the caller re-raises any error
            errors.append(error)
        except SystemExit:
            return  # the caller has given up, see below
        done.set()

    thread = Thread(target=ask, name="tables", daemon=True)
    thread.start()
    if not done.wait(seconds):
        from ctypes import c_ulong, py_object, pythonapi

        assert thread.ident is not None
        # This is the only way to end a Python loop in another thread. An answer that arrives at this moment is lost.
        pythonapi.PyThreadState_SetAsyncExc(c_ulong(thread.ident), py_object(SystemExit))
        raise TablebaseError("the endgame tables do not answer: damaged, or too slow for this clock")
    if errors:
        raise errors[0]
    return answers[0]


def have_python_chess() -> bool:
    """Return whether python-chess can be imported. If needed, add site-packages, which the launcher leaves out."""
    if not _importable("chess") and sys.flags.no_site:
        import site

        site.main()
    return _importable("chess")


def _importable(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True
