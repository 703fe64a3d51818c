"""XBoard's protocol (CECP v2; Mann, Muller: Chess Engine Communication Protocol, 2009): commands and reports.

Where clients differ from it, we follow the clients. One thread does all work: a search reports its end by the inbox.
"""

from __future__ import annotations

import time
from _thread import start_new_thread

from standstill.cext.base.constants import BLACK, WHITE
from standstill.engine.common.errors import IllegalMoveError, MendableError, StandstillError
from standstill.engine.common.info import BestMove, SearchInfo
from standstill.engine.common.limits import Limits
from standstill.engine.play.session import Session
from standstill.engine.variants.boards import begun_fen
from standstill.engine.variants.notation import mended, without_operations

from .client import Client
from .clock import Clock
from .edit import edited_fen, is_edit
from .game import XboardGame, looks_like_move
from .lines import error_line, feature_lines, one_line, refusal, status_line
from .offers import Offers
from .option_commands import OptionCommands
from .search import ANALYSE, PONDER, THINK, XboardSearch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _queue import SimpleQueue
    from collections.abc import Sequence

    from standstill.engine.rmobility.modes import Outlook
    from standstill.engine.variants.definition import Definition

    from ..line_writer import LineWriter
    from .search import News

# Lines of a pondering search are held back until the client's next line, or for this long. The longer time is for
# clients that have not accepted `ping`, such as python-chess, which needs the silence.
_HOLD_S, _HOLD_FROM_STRANGERS_S = 0.1, 2.0


class Xboard:
    """One client that speaks XBoard's protocol."""

    def __init__(self, session: Session, writer: LineWriter, inbox: SimpleQueue[News], complaints: Sequence[str] = ()):
        """inbox: the queue into which ended searches are put, for ``search_told``. complaints: errors in engine.ini."""
        self.inbox = inbox
        self._session = session
        self._writer = writer
        self.client = Client(writer, session.settings)
        self._options = OptionCommands(session, writer, self.client, self._analyse_again)
        self._options.complaints += complaints
        self._game = XboardGame()
        self._clock = Clock()
        self._engine_side: int | None = BLACK  # None: force mode
        self._analysing = False
        self._hard = False
        self._edited: list[str] | None = None  # lines of an `edit` in progress
        self._unplayable = False  # whether the last position was refused, so that every move is illegal
        self._excluded: set[str] = set()
        self._search: XboardSearch | None = None
        self._paused_ns: int | None = None  # the time at which the client paused the game
        self._ended: tuple[XboardSearch, BestMove] | None = None  # the search that ended during the pause
        self._hint: str | None = None
        self._pings: list[str] = []  # answered after the move
        self._offers = Offers(session)
        session.on_notice(self.client.comment, self.client.warn)
        session.played.ranks_from_zero = True
        self._commands = {
            "xboard": self._nothing,
            "protover": self._protover,
            "accepted": self._options.accepted,
            "rejected": self.client.rejected,
            "new": self._new,
            "variant": self._variant,
            "force": self._force,
            "go": self._go,
            "playother": self._playother,
            "white": lambda rest: self._colour(WHITE),
            "black": lambda rest: self._colour(BLACK),
            "usermove": self._usermove,
            "?": self._move_now,
            "ping": self._ping,
            "result": self._result,
            "setboard": self._setboard,
            "edit": self._edit,
            "level": self._level,
            "st": self._clock.set_move_time,
            "sd": self._clock.set_depth,
            "nps": self._clock.set_nodes_a_second,
            "time": self._clock.set_left,
            "otim": self._clock.set_opponent_left,
            "pause": self._pause,
            "resume": self._resume,
            "hard": self._start_pondering,
            "easy": self._stop_pondering,
            "post": self._show_thinking,
            "nopost": self._hide_thinking,
            "draw": self._draw,
            "undo": lambda rest: self._take_back(1),
            "remove": lambda rest: self._take_back(2),
            "hint": self._say_hint,
            "bk": self._book,
            "analyze": self._analyze,
            "exit": self._exit,
            ".": self._status,
            "exclude": lambda rest: self._exclude(rest, True),
            "include": lambda rest: self._exclude(rest, False),
            "memory": lambda rest: self._options.set("Hash", rest),
            "cores": lambda rest: self._options.set("Threads", rest),
            "egtpath": self._options.egtpath,
            "option": self._options.option,
            "computer": self._computer,
        }
        for word in ("name", "rating", "ics", "random", "partner", "ptell", "holding", "bogus"):
            self._commands.setdefault(word, self._nothing)

    def handle(self, line: str) -> bool:
        """Obey one line; return False for `quit`."""
        line = " ".join(line.split("\t"))  # some people and scripts write tabs between words
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word == "quit":
            return False
        try:
            if self._edited is not None and self._edit_line(self._edited, line):
                return True
            if word in self._commands:
                self._commands[word](rest)
            elif looks_like_move(line):
                self._usermove(line)
            else:
                self._writer.write(error_line("unknown command", word[:60]))
        except StandstillError as error:
            self._writer.write(error_line(str(error), word))
        if self._search is not None:
            self._search.release()
        return True

    # ---- introduction ----

    def _nothing(self, rest: str) -> None:
        """Accept a command that needs no answer and changes nothing."""

    def _computer(self, rest: str) -> None:
        self.client.is_referee = True

    def _protover(self, rest: str) -> None:
        self._writer.write("\n".join(feature_lines(self._session.settings, self._options.variants())))
        if self._options.complaints:
            self.client.warn("; ".join(self._options.complaints))  # a single window for all complaints
            self._options.complaints.clear()

    def _ping(self, rest: str) -> None:
        """Answer when all earlier commands are done, including our own move.

        Pondering and analysis do not delay the answer.
        """
        if self._search is not None and self._search.purpose == THINK:
            self._pings.append(rest)
            return
        self._session.is_ready()
        self._writer.write(f"pong {one_line(rest)}")

    def _answer_pings(self) -> None:
        pings, self._pings = self._pings, []
        for ping in pings:
            self._writer.write(f"pong {one_line(ping)}")

    # ---- games and positions ----

    def _new(self, rest: str) -> None:
        self._abort()
        self.client.is_referee = False  # until the client announces that the opponent is a program
        self._session.set_option("UCI_Chess960", "false")
        self._session.choose_game("normal")
        self._session.new_game()
        self._game = XboardGame()
        self._clock.new_game()
        self._engine_side = BLACK
        self._forget_position()
        self._offers.new_game()
        self._analyse_again()

    def _variant(self, rest: str) -> None:
        self._abort()
        chess960 = rest == "fischerandom"
        try:
            self._refuse_unknown_rules(rest)
            self._session.choose_game("normal" if chess960 else rest)
        except StandstillError as error:
            self._writer.write(error_line("unsupported variant", rest))
            self.client.remark(str(error))
            return
        self._session.set_option("UCI_Chess960", "true" if chess960 else "false")
        game = self._session.game
        if not game.is_chess:
            if TYPE_CHECKING:
                assert isinstance(game, Definition)
            self._introduce(game, rest)
        self._game = XboardGame(begun_fen(game) if self.client.shows_lines_as_sent else None, chess960, game)
        self._forget_position()
        self._analyse_again()

    def _refuse_unknown_rules(self, name: str) -> None:
        """Raise DefinitionError for a game with rules that the client cannot know."""
        from standstill.engine.common.errors import DefinitionError
        from standstill.engine.variants.catalog import client_can_know, xboard_can_know

        catalog = self._session.played.catalog
        may_play = xboard_can_know if self.client.has_window else client_can_know
        if name in catalog and not may_play(game := catalog.find(name)):
            rules = ", ".join(line.split()[1] for line in game.extra.lines())
            raise DefinitionError(f"XBoard's protocol cannot express {rules} of {name}")

    def _introduce(self, game: Definition, name: str) -> None:
        """Describe a game that the client does not know, before anything else."""
        from standstill.engine.variants.catalog import xboard_can_know

        from .setup import refused_moves, setup_lines

        if not xboard_can_know(game):
            return  # the client knows the game by name
        self._session.played.avoid(refused_moves(game))
        if lines := setup_lines(game, name):
            self._writer.write("\n".join(lines))

    def _setboard(self, rest: str) -> None:
        self._abort()
        fen, operations = without_operations(rest)
        wrong = [operations] if operations else []
        while True:
            try:
                game = XboardGame(fen, self._game.chess960, self._game.game)
                break
            except MendableError as error:  # as in XBoard's shuffled Janus; the game is playable without these rights
                fen = mended(fen, error)
                wrong.append(str(error))
            except StandstillError as error:
                self._unplayable = True
                self._writer.write(refusal(str(error)))
                return
        for text in wrong:
            self.client.warn(f"ignored: {text}")
        self._set_game(game)

    def _edit(self, rest: str) -> None:
        self._abort()
        self._edited = []

    def _edit_line(self, edited: list[str], line: str) -> bool:
        """Handle a line of an `edit`; return whether it was one. Any other command ends the editing."""
        if is_edit(line, self._game.board):
            edited.append(line)
            return True
        self._edited = None
        if line != ".":
            return False
        try:
            fen = edited_fen(self._game.board, edited)
        except ValueError as error:
            fen = f"({error})"
        self._setboard(fen)
        return True

    def _set_game(self, game: XboardGame) -> None:
        self._game = game
        self._clock.new_position()
        self._forget_position()
        self._offers.new_game()
        self._analyse_again()

    def _forget_position(self) -> None:
        """Drop moves, hints and exclusions of the old position when another position is set up."""
        self._unplayable = False
        self._excluded.clear()
        self._hint = None

    def _force(self, rest: str) -> None:
        self._abort()
        self._analysing = False
        self._engine_side = None

    def _result(self, rest: str) -> None:
        self._abort()
        self._engine_side = None

    def _play_for(self, side: int) -> None:
        self._engine_side = side
        self._offers.play_for(side)

    def _colour(self, side: int) -> None:
        """`white` and `black`: this side is to move, and the engine plays the other side."""
        self._abort()
        self._game.turn_to(side)
        self._play_for(side ^ 1)
        self._analyse_again()

    def _take_back(self, plies: int) -> None:
        self._abort()
        if self._unplayable:
            return  # the moves taken back were played in a refused position
        self._game.take_back(plies)
        self._offers.take_back(len(self._game.moves))
        self._forget_position()
        self._analyse_again()

    # ---- moves ----

    def _usermove(self, rest: str) -> None:
        move, reason = None, ""
        if not self._unplayable:
            try:
                move = self._game.read_move(rest)
            except IllegalMoveError as error:
                reason = error.reason and f" ({one_line(error.reason)})"
            except StandstillError:
                pass  # text that is not a move is illegal too
        if move is None:
            self._writer.write(f"Illegal move{reason}: {one_line(rest)[:60]}")
            return
        search = self._search
        guessed = search if search is not None and search.purpose == PONDER and search.guess == move else None
        if guessed is None:
            self._abort()
        self._game.play(move)
        self._excluded.clear()
        self._hint = None
        if guessed is not None:
            self._guess_was_right(guessed)
        elif self._analysing:
            self._analyse_again()
        elif self._engine_side == self._game.stm:
            self._think()

    def _guess_was_right(self, search: XboardSearch) -> None:
        search.purpose = THINK
        search.clock_started_ns = time.monotonic_ns()
        self._session.ponderhit(self._limits())
        self.client.remark(self._session.running.budget_text)

    def _go(self, rest: str) -> None:
        self._abort()
        self._analysing = False
        self._play_for(self._game.stm)
        self._think()

    def _playother(self, rest: str) -> None:
        self._abort()
        self._analysing = False
        self._play_for(self._game.stm ^ 1)

    def _move_now(self, rest: str) -> None:
        if self._search is not None and self._search.purpose == THINK:
            self._session.stop()

    # ---- clocks ----

    def _pause(self, rest: str) -> None:
        """Pause the search and our clock; XBoard has stopped both clocks."""
        if self._paused_ns is None:
            self._paused_ns = time.monotonic_ns()
            self._session.pause()

    def _resume(self, rest: str) -> None:
        """Continue where the pause began."""
        if self._paused_ns is None:
            return
        paused_ns, self._paused_ns = time.monotonic_ns() - self._paused_ns, None
        if self._search is not None:
            self._search.started_ns += paused_ns
            self._search.clock_started_ns += paused_ns
        self._session.resume()
        ended, self._ended = self._ended, None
        if ended is not None:
            self.search_told(*ended)

    def _level(self, rest: str) -> None:
        self._clock.set_level(rest, len(self._game.moves))

    def _moves_made(self) -> int:
        side = self._engine_side
        assert side is not None  # called only when the engine has a side
        return self._clock.moves_since_control(self._game.first_side, len(self._game.moves), side)

    def _limits(self) -> Limits:
        assert self._engine_side is not None
        limits = self._clock.limits(self._engine_side, self._moves_made())
        self._restrict(limits)
        limits.root_moves = limits.root_moves or None  # the game continues even if the client has excluded every move
        return limits

    def _restrict(self, limits: Limits) -> None:
        if self._excluded:
            limits.root_moves = [move for move in self._game.legal_moves() if move not in self._excluded]

    # ---- searching ----

    def _think(self) -> None:
        if self._unplayable:
            self._writer.write(error_line("illegal position", "go"))
            return
        end = self._claim()
        if end is not None:
            self._writer.write(end)
            return
        self._start(XboardSearch(self, THINK), self._game.moves, self._limits())

    def _ponder(self, guess: str) -> None:
        """Ponder: search our reply to the opponent's expected move."""
        limits = self._limits()
        limits.ponder = True
        limits.root_moves = None
        if self.client.posts:
            self._writer.write(f"Hint: {self._game.shown_move(guess)}")
        search = XboardSearch(self, PONDER, guess)
        self._start(search, [*self._game.moves, guess], limits)
        start_new_thread(self._release_later, (search,))

    def _release_later(self, search: XboardSearch) -> None:
        time.sleep(_HOLD_S if self.client.keeps_in_step else _HOLD_FROM_STRANGERS_S)
        self.inbox.put((search, None))

    def _analyse_again(self) -> None:
        """In analysis mode: search the position on the board."""
        if not self._analysing:
            return
        self._abort()
        limits = Limits()
        limits.infinite = True
        self._restrict(limits)
        if self._unplayable or not self._game.legal_moves() or limits.root_moves == []:
            why = "all moves are excluded" if limits.root_moves == [] and self._game.legal_moves() else "no legal moves"
            self._writer.write(f"0 0 0 0\t({why})")
            return
        self._start(XboardSearch(self, ANALYSE), self._game.moves, limits)

    def _claim(self, moved: bool = False) -> str | None:
        """The line that ends the game if the session's rules, which the options may have changed, end it."""
        self._session.position(self._game.fen, self._game.moves)
        client = self.client
        believed = client.has_window and not client.is_referee  # XBoard judges claims only between two programs
        return self._game.claim(self._session.game_end(), moved, client.is_referee, believed, client.waits_for_a_move)

    def _start(self, search: XboardSearch, moves: list[str], limits: Limits) -> None:
        self._paused_ns = None  # a client that requests a search has ended the pause
        self._search = search
        self._session.set_option("Ponder", "true" if self._hard else "false")
        self._session.position(self._game.fen, moves)
        self._session.go(limits, search)
        self.client.remark(self._session.running.budget_text)

    def _abort(self) -> None:
        """Drop the search, if there is one, without a move."""
        search, self._search = self._search, None
        self._paused_ns = self._ended = None
        if search is None:
            return
        search.drop()
        self._session.finish()
        self._answer_pings()

    def search_told(self, search: XboardSearch, best: BestMove | None) -> None:
        """Handle the end of a search or, without ``best``, the end of the time in which it holds its lines back.

        Both events arrive through the inbox.
        """
        if search is not self._search:
            return  # the front end dropped the search earlier
        if best is None:
            search.release()
            return
        if self._paused_ns is not None:
            self._ended = search, best
            return
        self._search = None
        if search.purpose == THINK and best.move is not None:
            self._make_move(search, best.move, best.ponder)
        if self._search is None and self._hard and best.ponder and self._engine_side == self._game.stm ^ 1:
            self._ponder(best.ponder)
        self._answer_pings()  # comes last, because python-chess expects the hint before

    def _make_move(self, search: XboardSearch, move: str, ponder: str | None) -> None:
        if search.line is not None:
            self._offers.note_score(search.line.score, len(self._game.moves))
        if self._offers.shall_resign():
            self._engine_side = None
            self._writer.write("resign")
            return
        if self._offers.shall_draw(self._game.board.fullmove):
            self._writer.write("offer draw")
        self._offers.draw_offered = False
        self._writer.write(f"move {self._game.shown_move(move)}")
        spent_ns = time.monotonic_ns() - search.clock_started_ns
        self._game.play(move)
        self._clock.spend(spent_ns // 1_000_000, self._moves_made())
        self._excluded.clear()
        self._hint = ponder
        end = self._claim(moved=True)
        if end is not None:
            self._writer.write(end)
            self._hint = None

    # ---- reports of the search, on the search's thread ----

    @property
    def lines(self) -> int:
        """Set the number of lines in each iteration of the running search."""
        return self._session.running.lines

    def show(self, search: XboardSearch, info: SearchInfo) -> None:
        if info.pv and (self.client.posts or search.purpose == ANALYSE):
            moves = info.pv if search.guess is None or search.purpose == THINK else [search.guess, *info.pv]
            self.client.show(info, moves, search.expects)

    def show_outlook(self, search: XboardSearch, outlook: Outlook) -> None:
        """Print the line about the R-Mobility record, only for clients that skip comments."""
        if self.client.posts or search.purpose == ANALYSE:
            self.client.remark(f"rmobility {outlook}")

    # ---- analysis ----

    def _analyze(self, rest: str) -> None:
        self._abort()
        self._analysing = True
        self._engine_side = None
        self._analyse_again()

    def _exit(self, rest: str) -> None:
        if self._analysing:
            self._abort()
            self._analysing = False
            self._engine_side = None  # in the meantime a new game has given the engine Black
            if not self.client.has_window:
                # XBoard keeps exclusions until the next position. python-chess expects exclusions to hold for one
                # analysis: it never sends the command that includes moves again.
                self._excluded.clear()

    def _status(self, rest: str) -> None:
        search = self._search
        if search is None:
            return
        total = len(self._session.board.legal_moves())
        move, number = search.current or (None, 0)
        self._writer.write(
            status_line(
                centiseconds=(time.monotonic_ns() - search.started_ns) // 10_000_000,
                nodes=self._session.nodes,
                ply=search.line.depth + 1 if search.line else 1,
                left=max(0, total - number),
                total=total,
                move=move,
            )
        )

    def _exclude(self, rest: str, out: bool) -> None:
        moves = self._game.legal_moves() if rest == "all" else [self._game.read_move(rest)]
        if out:
            self._excluded.update(moves)
        else:
            self._excluded.difference_update(moves)
        self._analyse_again()

    # ---- requests of the user ----

    def _start_pondering(self, rest: str) -> None:
        self._hard = True

    def _stop_pondering(self, rest: str) -> None:
        self._hard = False
        if self._search is not None and self._search.purpose == PONDER:
            self._abort()

    def _show_thinking(self, rest: str) -> None:
        self.client.posts = True

    def _hide_thinking(self, rest: str) -> None:
        self.client.posts = False

    def _say_hint(self, rest: str) -> None:
        hint = self._hint or next((move for move, _ in self._session.book_moves(self._game.board)), None)
        if hint is not None:
            self._writer.write(f"Hint: {self._game.shown_move(hint)}")

    def _book(self, rest: str) -> None:
        """Print a table of book moves and their shares, ended by an empty line."""
        game = self._game
        shares = self._session.book_moves(game.board)
        lines = [f" {game.shown_move(move):<7}{100 * share:5.1f} %" for move, share in shares] or [" no book move"]
        self._writer.write("\n".join([*lines, ""]))

    def _draw(self, rest: str) -> None:
        """Handle the opponent's draw offer. During our own move the answer to the offer comes with the move."""
        self._offers.draw_offered = True
        thinking = self._search is not None and self._search.purpose == THINK
        if not thinking and self._offers.shall_accept():
            self._offers.draw_offered = False
            self._writer.write("offer draw")
