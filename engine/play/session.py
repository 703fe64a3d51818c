"""The engine's interface for front ends: position, options, go, stop.

A front end must call a session from one thread. The listener is called on the search's thread, or on the caller's
thread if there is nothing to search.
"""

from __future__ import annotations

from ..common.info import BestMove, SearchInfo
from ..rmobility.modes import DECISIVE, give_record
from ..settings.options import TRIPLE_BLOCK, Settings, find, unknown
from ..variants.boards import rules_of
from ..variants.game_over import FIFTY_MOVES, TABLES
from ..variants.notation import move_text
from .equipment import Equipment
from .listener import Listener
from .position import PlayedPosition
from .search import Search
from .timing import Timing
from .watcher import bare_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..common.limits import Limits
    from ..variants.notation import Board
    from ..variants.variant import Variant
    from .engine_clock import StoredClock


class Session:
    """One game or analysis.

    played: the current position. running: the running search. equipment: the parts of the search, kept up to date with
    the settings. timing: the clocks.
    """

    def __init__(self, settings: Settings | None = None, stored_clock: StoredClock | None = None):
        """stored_clock: reads the clock of a stored correspondence game, for the option TripleBlockGame."""
        self.settings = settings or Settings()
        self._notice: Callable[[str], None] = lambda text: None
        self._warning: Callable[[str], None] = self._notice
        self.played = PlayedPosition(self.settings)
        self.equipment = Equipment(self.settings, self._say)
        self.timing = Timing(self.settings, self._say, stored_clock)
        self.running = Search(self.settings, self.played, self.equipment, self.timing)

    def on_notice(self, notice: Callable[[str], None], warning: Callable[[str], None] | None = None) -> None:
        """Call ``notice`` with each message for the user.

        warning: called instead of ``notice`` if the engine could not do what the user requested.
        """
        self._notice = notice
        self._warning = warning or notice

    def _say(self, text: str, *, warning: bool = False) -> None:
        (self._warning if warning else self._notice)(text)

    # ---- position ----

    @property
    def board(self) -> Board:
        """The position that the client last set. The search works on a copy of it."""
        return self.played.board

    @property
    def game(self) -> Variant:
        """The game being played."""
        return self.played.game

    def choose_game(self, name: str) -> None:
        """Change to the start position of another game; ``chess`` is orthodox chess.

        Raises DefinitionError, and then keeps the old game, if the name is unknown.
        """
        self.play_game(self.played.find_game(name))

    def play_game(self, game: Variant) -> None:
        """Change to the start position of this game."""
        if not game.is_chess:
            rules_of(game)  # raises before anything has changed
        self.running.finish()
        self.played.change_game(game)

    def new_game(self) -> None:
        """Forget everything about the last game."""
        self.running.finish()
        self.played.restart()
        self.running.new_game()
        self.timing.new_game()
        self.equipment.follow(self.game)
        self.equipment.pool.clear()

    def position(self, fen: str | None, moves: list[str], whole: bool = False) -> None:
        """Set the position for the next `go` by ``PlayedPosition.set``, or by ``set_whole`` if ``whole``."""
        if whole:
            self.played.set_whole(fen, moves)
        else:
            self.played.set(fen, moves)

    def game_end(self) -> tuple[str, str] | None:
        """Return (result, reason) if the position ends the game by the rules that the options set, else None."""
        end = self.played.end()
        if end is not None and end[1] == FIFTY_MOVES:
            winner = self.equipment.adviser.winner_beyond_fifty_moves(self.board, self.settings)
            return end if winner is None else (winner, TABLES)
        return end

    @property
    def knows_draws(self) -> bool:
        """Whether the engine offers and accepts draws: not in ``Decisive``, where the record decides."""
        return self.settings["RMobility"] != DECISIVE

    def evaluation(self) -> tuple[list[tuple[str, int, int, int]], int | None]:
        """Return the terms of the static evaluation, and the divisor by mating potential that their total includes.

        A term is (name, middlegame, endgame, tapered) in centipawns, from White's point of view. The last term is the
        total. The divisor is None where it is not applied: in games with another way to win, and in ``Decisive``.
        """
        evaluator = self.equipment.new_evaluator(self.game)
        return evaluator.trace(self.board), evaluator.potential(self.board) if evaluator.discount else None

    def last_owner(self) -> float | None:
        """Return White's chance to hold the final record of a drawn game; None if the search does not predict it."""
        self.is_ready()
        give_record(self.board, self.played.given_record)
        return self.equipment.last_owner(self.game, self.board)

    def book_moves(self, board: Board | None = None) -> list[tuple[str, float]]:
        """Return the book moves in BookFile, as coordinates with their shares, even if OwnBook is off.

        board: the position; None for the current one.
        """
        board = board or self.board
        found = self.equipment.adviser.book_moves(board, self.settings)
        return [(move_text(board, move), share) for move, share in found]

    # ---- options ----

    def set_option(self, name: str, text: str) -> None:
        """Set an option. It takes effect with the next `go` or ``is_ready``.

        An unknown or dropped name is ignored with a notice. Raises ConfigError for a value that cannot be read.
        """
        spec = find(name)
        if spec is None:
            self._say(unknown(name))
        elif spec.kind == "button":
            self.equipment.clear_wanted = True  # Clear Hash, the only button
        elif spec.name == "UCI_Variant":
            # The list contains the games that other programs know. The name of any other game is accepted as well.
            listed = {choice.lower(): choice for choice in spec.choices}
            name = text if text in self.played.catalog else listed.get(text.lower(), text)
            self.choose_game(name)
            self.settings[spec.name] = name
        elif spec.name == "VariantFile":
            self._load_definitions(str(spec.parse(text)))
        else:
            value = spec.parse(text)
            if spec.name not in TRIPLE_BLOCK or self.timing.set_clock(spec.name, str(value)):
                self.settings[spec.name] = value

    def _load_definitions(self, path: str) -> None:
        """Change the file of definitions. A file with errors is rejected, and the old one is kept."""
        from ..variants.catalog import Catalog

        Catalog(path)
        self.settings["VariantFile"] = path

    def game_names(self) -> tuple[str, ...]:
        """Return the names for UCI's list of variants: names that other programs know, and all names in the user's
        file.

        Raises DefinitionError if the user's file cannot be read.
        """
        spec = find("UCI_Variant")
        assert spec is not None
        if not self.settings["VariantFile"]:
            return spec.choices  # avoids reading a file, because this runs before uciok
        return tuple(dict.fromkeys((*spec.choices, *self.played.catalog.of_the_user())))

    def is_ready(self) -> None:
        """Return when all options have taken effect; return at once during a search."""
        if not self.searching:
            self.wait()  # a search takes a moment to end after its best move
            self.equipment.follow(self.game)

    # ---- search ----

    @property
    def searching(self) -> bool:
        """Whether the best move of a `go` is still pending."""
        return self.running.running

    def go(self, limits: Limits, listener: Listener) -> None:
        """Search the position and return at once. A running search is stopped first and reports its best move."""
        self.running.go(limits, listener)

    def search(self, limits: Limits, stopped: Callable[[], bool] | None = None) -> tuple[BestMove, SearchInfo]:
        """Search to the end and return the best move and the last line about it.

        stopped: returns whether another thread has called ``stop``, perhaps before this search began.
        """
        last = _LastLine()
        self.go(limits, last)
        if stopped is not None and stopped():
            self.stop()
        self.wait()
        return last.best, last.line

    def stop(self) -> None:
        """Stop the search, if there is one. The search's thread then reports the best move."""
        self.running.stop()

    def ponderhit(self, limits: Limits | None = None) -> None:
        """Turn the ponder search into a timed one, because the guessed move was played. Ignored when not pondering.

        limits: the current clocks; None to use the clocks of the `go`.
        """
        self.running.ponderhit(limits)

    def pause(self) -> None:
        """Pause the search until ``resume`` or ``stop``. The pause does not count as thinking time."""
        self.running.pause()

    def resume(self) -> None:
        """Continue after ``pause``."""
        self.running.resume()

    def wait(self) -> None:
        """Wait until the search has reported its best move. A search without limits must be stopped first."""
        self.running.wait()

    def finish(self) -> None:
        """Stop the search and wait for it to end."""
        self.running.finish()

    def close(self, patience_s: float) -> bool:
        """Stop the search and wait at most this long. Return True if it has ended."""
        return self.running.close(patience_s)

    @property
    def nodes(self) -> int:
        """The nodes of the current or the last search."""
        return self.running.nodes


class _LastLine(Listener):
    def __init__(self) -> None:
        self.line = bare_line()
        self.best = BestMove(None)

    def info(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self.line = info

    def best_move(self, best: BestMove) -> None:
        self.best = best
