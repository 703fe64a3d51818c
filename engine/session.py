"""One game or analysis, as a front end drives it: position, go, stop, options.

A front end calls a session from one thread. Its listener is told on the search's thread, or, where there was nothing
to search, on the caller's.
"""

from __future__ import annotations

import time

from .board import new_board, new_evaluator, rules_of
from .errors import IllegalMoveError, StandstillError
from .info import MATE, BestMove, SearchInfo
from .limits import Budget, Limits, core_ns
from .notation import BLACK, NULL_MOVE, move_text, parse_goal, parse_move, set_fen, shown
from .options import TRIPLE_BLOCK, Settings, find
from .rmobility.modes import DECISIVE, OFF, chosen, clock_of, give_record, objective, set_rules
from .rules import game_end
from .strength import Handicap, choose, handicap
from .timeman import Lag, allot
from .watcher import Watcher, bare_line

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from .advice import Advice, Adviser
    from .clock.keeper import Keeper

_STALEMATE = 2  # ``Ending`` in cext/types.pxd
_DEEPEST = 245  # the core's search path has room for no more
_MOST_NODES = 2**62
_LONGEST_MATE = 500  # in full moves; more cannot be proved in that depth anyway


class Listener:
    """What a front end may want to know; this one does not."""

    def info(self, info: SearchInfo) -> None:
        """A line of an iteration."""

    def outlook(self, text: str) -> None:
        """Of the R-Mobility record, before the line of a finished iteration: it has changed."""

    def current_move(self, depth: int, move: str, number: int) -> None:
        """A root move is taken up; now and then, in long searches."""

    def remark(self, text: str) -> None:
        """A line of ASCII beside the protocol's own: what the evaluation means, the state of a clock of ours."""

    def best_move(self, best: BestMove) -> None:
        """The end: exactly once for each `go`."""

    def advice(self, text: str) -> None:
        """Something that the user has to do."""


class Session:
    """The engine as a front end sees it."""

    def __init__(self, settings: Settings | None = None):
        self.settings = settings or Settings()
        self.budget = Budget()  # of the last `go`
        self._lag = Lag()
        self.handicap: Handicap | None = None  # instead of the one that UCI_Elo means, to measure it
        self.random: Random | None = None  # for the choice of moves below full strength; made when first needed
        self._knows_more = False  # does the table hold what a weaker player would not see?
        self._notice = lambda text: None
        self._board = None  # made when first needed: the core loads after the protocol has answered
        self._pool = None
        self._objective = None
        self._mode: tuple | None = None  # the settings that the objective was made of
        self._clear_wanted = False
        self._set_up_text: str | None = None  # what the board was set up from, and the moves played since
        self._played: list[str] = []
        self._pondering = False
        self._held: _Held | None = None
        self._watcher: Watcher | None = None  # of the last search
        self._adviser: Adviser | None = None  # book and endgame tables
        self._keeper: Keeper | None = None  # of a Triple Block clock, once there is one
        self.record: tuple[int, int] | None = None  # (owner, code) that came with the FEN
        self.ranks_from_zero = False  # are the ranks of boards with ten of them numbered from 0, as XBoard does?
        self._game = None  # a variants.definition.Game, None for chess
        self._evaluator = None  # of that game, once a search has asked for it
        self._discounts = True  # does it divide by mating potential?
        self.discount = True  # may it? False only to measure what that is worth
        self._avoids: Callable[[object, int], bool] | None = None

    def on_notice(self, notice: Callable[[str], None]) -> None:
        """Have ``notice`` called with a line of text whenever something has to be said to the user."""
        self._notice = notice

    # ---- position ----

    @property
    def board(self):
        """The position the client last set; the search has a copy of its own."""
        if self._board is None:
            self._board = self._new_board()
        if self._game is None:
            self._board.chess960 = self.settings["UCI_Chess960"]
        set_rules(self._board, self.settings)
        return self._board

    def _new_board(self):
        return new_board(game=self._game, ranks_from_zero=self.ranks_from_zero)

    @property
    def game(self):
        """The game that is played, a ``variants.definition.Game``; None for chess."""
        return self._game

    @property
    def catalog(self):
        """All games there are definitions for. Raises DefinitionError for a file of the user's with mistakes."""
        from .variants.catalog import Catalog

        return Catalog(self.settings["VariantFile"])

    def choose_game(self, name: str) -> None:
        """Play another game from now on, at its start position; ``chess`` is the orthodox one.

        Raises DefinitionError, and keeps the game that it was, if there is none of that name.
        """
        game = None
        if name not in ("chess", "normal"):
            game = self.catalog.find(name, self.settings["FairyVariant"], self.settings["MakrukRules"])
        self.play_game(game)

    def play_game(self, game) -> None:
        """The same with the ``variants.definition.Game`` itself, None for chess."""
        if game is not None:
            rules_of(game)
        self.finish()
        if game != self._game:
            self._evaluator = None
        self._game = game
        self._avoids = None
        self._board = None
        self._set_up_text, self._played, self.record = None, [], None

    def avoid(self, avoids: Callable[[object, int], bool]) -> None:
        """Play no move for which ``avoids(board, move)`` unless there is no other, until another game is chosen."""
        self._avoids = avoids

    def new_game(self) -> None:
        """Forget everything that an earlier game has left behind."""
        self.finish()
        self._board = None
        self._set_up_text, self._played, self.record = None, [], None
        self._lag = Lag()
        self._knows_more = False
        if self._keeper is not None:
            self._keeper.new_game()
        self._apply_settings()
        self._pool.clear()

    def position(self, fen: str | None, moves: list[str]) -> None:
        """Set the position that the next `go` searches; ``fen`` None is the start position.

        Raises NotationError, with the old position kept, for a FEN that cannot be played, and IllegalMoveError or
        NotationError, with the moves before it played, for such a move.
        """
        text = fen or ""
        if self._set_up_text == text:
            moves = self._go_back_to(moves)  # the usual case: the same game, one move further
        else:
            board = self._new_board()
            record = set_fen(board, fen) if fen is not None else None
            self._board, self.record = board, record
            self._set_up_text, self._played = text, []
        board = self.board
        for number, move in enumerate(moves, len(self._played) + 1):
            try:
                self._play(board, move)
            except ValueError as error:
                raise type(error)(f"{error} at move {number}: the rest is ignored") from None
            self._played.append(move)

    def _go_back_to(self, moves: list[str]) -> list[str]:
        """Take back what was not played in this list of moves; returns those still to be made."""
        same = 0
        for old, new in zip(self._played, moves, strict=False):
            if old != new:
                break
            same += 1
        for _ in self._played[same:]:
            self.board.pop()
        del self._played[same:]
        return moves[same:]

    def _play(self, board, text: str) -> None:
        if text != NULL_MOVE:
            board.push(parse_move(board, text))
        elif board.checkers:
            raise IllegalMoveError(f"illegal move {shown(text)}: no passing in check")
        else:
            board.push_null()

    def flip(self) -> None:
        """Exchange the colours. The moves that led here are forgotten."""
        from .notation import flip

        flip(self.board)
        self._set_up_text, self._played, self.record = None, [], None

    @property
    def given_record(self) -> tuple[int, int] | None:
        """(owner, code) of the record at the position that was set up: its own word, or that of the options."""
        text = self.settings["RMobilityRecord"].strip()
        if self.record is None and text and self._set_up_text:
            return parse_goal(text)
        return self.record

    def game_end(self) -> tuple[str, str] | None:
        """(result, reason) if the position that was set ends the game by the rules that the options name, else None."""
        board = self.board
        if self.settings["RMobility"] != OFF:
            give_record(board, self.given_record)
        return game_end(board, clock_of(board, self.settings))

    @property
    def knows_draws(self) -> bool:
        """Is a draw a result like others? In ``Decisive`` it is none, and nobody should offer or accept it."""
        return self.settings["RMobility"] != DECISIVE

    def evaluation(self) -> tuple[list[tuple[str, int, int, int]], int]:
        """Static terms, and the divisor by mating potential that is in their total.

        A term is (name, middlegame, endgame, tapered) in centipawns, White's view; the last is the total.
        """
        evaluator = new_evaluator(self.board, self.settings["RMobility"] != DECISIVE)
        return evaluator.trace(self.board), evaluator.potential(self.board)

    def book_moves(self, board=None) -> list[tuple[str, float]]:
        """What the book of BookFile offers, coordinate moves and their shares, whether or not OwnBook is on.

        board: another position than the one last set.
        """
        board = board or self.board
        found = self._advising().book_moves(board, self.settings)
        return [(move_text(board, move), share) for move, share in found]

    # ---- options ----

    def set_option(self, name: str, text: str) -> None:
        """Take a new value; it has effect from the next `go` or ``is_ready`` on.

        An unknown name is ignored with a notice. Raises ConfigError for a value that cannot be read.
        """
        spec = find(name)
        if spec is None:
            self._notice(f"unknown option {shown(name)}")
        elif spec.kind == "button":
            self._clear_wanted = True  # the only button there is
        elif spec.name == "UCI_Variant":
            # The list has what other programs know; games that only we know can be asked for all the same.
            name = text if text in self.catalog and text not in spec.choices else spec.parse(text)
            self.choose_game(name)
            self.settings[spec.name] = name
        elif spec.name == "VariantFile":
            self._load_variants(text)
        else:
            value = spec.parse(text)
            if spec.name not in TRIPLE_BLOCK or self._take_clock(spec.name, value):
                self.settings[spec.name] = value

    def _take_clock(self, name: str, text: str) -> bool:
        """Set up a Triple Block clock; False, with a notice, where the text means none."""
        from .clock.keeper import Keeper

        if self._keeper is None:
            self._keeper = Keeper(self.settings, self._notice)
        try:
            self._keeper.change(name, text)
        except StandstillError as error:
            self._notice(f"{name}: {error}")
            return False
        return True

    def clock_report(self) -> list[str]:
        """The Triple Block clocks in words; nothing where there are none."""
        return [] if self._keeper is None else self._keeper.report()

    def _load_variants(self, path: str) -> None:
        """Take another file of definitions; one with mistakes is refused and the old one kept."""
        from .variants.catalog import Catalog

        path = "" if path == "<empty>" else path
        Catalog(path)
        self.settings["VariantFile"] = path

    def is_ready(self) -> None:
        """Return when everything asked for has taken effect; during a search at once."""
        if not self.searching:
            self.wait()  # a search that has just given its best move takes a moment to end
            self._apply_settings()
            self._pool.prepare()

    def _apply_settings(self) -> None:
        """Bring the search pool in line with the settings. Nothing may be searching."""
        if self._pool is None:
            from cext.pool import SearchPool

            self._pool = SearchPool(1, 1)
        pool = self._pool
        if self._mode != chosen(self.settings):
            self._clear_wanted = self._clear_wanted or self._mode is not None
            self._mode = chosen(self.settings)
            self._objective = objective(self.settings)
        # Where a goal decides the game, material that cannot mate can win all the same.
        discount = self.discount and self.settings["RMobility"] != DECISIVE
        if self._evaluator is None or self._discounts != discount:
            self._evaluator, self._discounts = new_evaluator(self.board, discount), discount
            pool.set_evaluator(self._evaluator)
        # The strength of few nodes is known for one thread.
        threads = 1 if self.settings["UCI_LimitStrength"] else self.settings["Threads"]
        if pool.threads != threads:
            self._set_threads(threads)
        if pool.hash_mb != self.settings["Hash"]:
            self._set_hash(self.settings["Hash"])
        if self._clear_wanted:
            self._clear_wanted = False
            pool.clear()
        self._advising().follow(self.settings)

    def _advising(self) -> Adviser:
        if self._adviser is None:
            from .advice import Adviser

            self._adviser = Adviser(self._notice)
        return self._adviser

    def _set_threads(self, wanted: int) -> None:
        try:
            self._pool.set_threads(wanted)
        except (MemoryError, RuntimeError):
            self._notice(f"cannot have {wanted} threads, keeping {self._pool.threads}")
            self.settings["Threads"] = self._pool.threads

    def _set_hash(self, wanted_mb: int) -> None:
        try:
            self._pool.resize_hash(wanted_mb)
        except MemoryError:
            self._notice(f"cannot have {wanted_mb} MB of hash, keeping {self._pool.hash_mb} MB")
            self.settings["Hash"] = self._pool.hash_mb

    # ---- search ----

    @property
    def searching(self) -> bool:
        """Is a `go` without its best move yet?"""
        if self._held is not None:
            return True
        return self._pool is not None and self._pool.searching and not self._watcher.done

    def go(self, limits: Limits, listener: Listener) -> None:
        """Search the position and return at once. A search in progress is stopped, and gives its best move, before."""
        asked_ns = time.monotonic_ns()
        self.finish()
        self._apply_settings()
        moves = self._root_moves(limits)
        self._pondering = limits.ponder
        if not moves:
            self._answer_without_moves(limits, listener)
            return
        if self._keeper is not None:
            listener = self._keeper.begin(limits, self.board, self._set_up_text, self._played, listener)
        advice = self._advising().advise(self.board, moves, limits, self.settings)
        self.budget = self._allot(limits, len(advice.moves))
        try:
            self._start(limits, advice, listener, asked_ns)
        except (MemoryError, RuntimeError):
            # Each thread has memory of its own, which is taken only now.
            if self.settings["Threads"] == 1:
                raise
            self._notice(f"cannot have {self.settings['Threads']} threads, searching with one")
            self.settings["Threads"] = 1
            self._set_threads(1)
            self._start(limits, advice, listener, asked_ns)

    def search(self, limits: Limits) -> tuple[BestMove, SearchInfo]:
        """Search to the end and return the best move and the last line about it."""
        last = _Last()
        self.go(limits, last)
        self.wait()
        return last.best, last.line

    def stop(self) -> None:
        """End the search; its best move follows on its own thread. Nothing happens if there is none."""
        self._pondering = False
        if self._held is not None:
            self._release()
        elif self._watcher is not None:
            self._watcher.hurry()
            self._pool.stop()

    def ponderhit(self, limits: Limits | None = None) -> None:
        """The guessed move was played: the ponder search becomes a timed one. Ignored when not pondering.

        limits: with the clocks as they are now; without them those of the `go` hold.
        """
        if not self._pondering:
            return
        self._pondering = False
        if self._keeper is not None:
            self._keeper.ponderhit()
        if self._held is None:
            soft_ns = None
            if limits is not None:
                self.budget = self._allot(limits, self.board.count_legal())
                soft_ns = core_ns(self.budget.soft_ms)
            covered = self._watcher.ponderhit(soft_ns)
            if limits is None:
                self._pool.ponderhit()
            else:
                self._pool.ponderhit(soft_ns, core_ns(self.budget.hard_ms))
            if covered:
                self._pool.stop()  # what was thought in the opponent's time will do
        elif not self._held.infinite:
            self._release()

    @property
    def nodes(self) -> int:
        """Nodes of the search that runs or ran last."""
        return 0 if self._pool is None else self._pool.nodes

    def wait(self) -> None:
        """Until the search has given its best move; one without limits has to be stopped first."""
        if self._pool is not None:
            self._pool.wait()

    def finish(self) -> None:
        """Stop and wait."""
        if self._keeper is not None:
            self._keeper.give_up()
        self.stop()
        self.wait()

    def close(self, patience_s: float) -> bool:
        """Stop and wait so long at most; has the search ended?"""
        self.stop()
        deadline = time.monotonic() + patience_s
        while self._pool is not None and self._pool.searching:  # to the end of its thread
            if time.monotonic() > deadline:
                return False
            time.sleep(0.001)
        return True

    def _allot(self, limits: Limits, n_moves: int) -> Budget:
        board = self.board
        game_ply = 2 * board.fullmove - 2 + board.stm
        overhead_ms = 0 if limits.nps else self.settings["Move Overhead"]
        thought_ms = 0.0 if self._watcher is None else self._watcher.thought_ms
        self._lag.asked(limits, board.stm, game_ply, overhead_ms, thought_ms)
        keeper = self._keeper if self._keeper is not None and self._keeper.keeping else None
        budget = allot(
            limits if keeper is None else limits.without_clocks(),
            board.stm,
            game_ply=game_ply,
            overhead_ms=overhead_ms,
            lag_ms=0 if limits.nps else self._lag.ms,
            ponder=self.settings["Ponder"],
            forced=n_moves == 1,
        )
        if keeper is None:
            return budget
        return keeper.restrict(budget, limits, overhead_ms, self._lag, n_moves == 1)

    def _start(self, limits: Limits, advice: Advice, listener: Listener, asked_ns: int) -> None:
        nodes = limits.nodes
        if limits.nps:
            nodes = limits.nodes_instead(self.budget)
            self.budget = Budget()
        weaker = self._weaker(limits)
        lines = self.settings["MultiPV"]
        if weaker is not None:
            nodes = weaker.nodes if nodes is None else min(nodes, weaker.nodes)
            lines = weaker.lines
        spent_ns = time.monotonic_ns() - asked_ns
        soft_ns = core_ns(self.budget.soft_ms, spent_ns)
        hard_ns = core_ns(self.budget.hard_ms, spent_ns)
        plays_for_records = self.settings["RMobility"] != OFF
        if plays_for_records:
            give_record(self.board, self.given_record)
        lines = min(lines, len(advice.moves))
        self._watcher = Watcher(
            self.board.copy(),
            listener,
            hard_ns if limits.only_movetime and advice.depth is None else 0,
            soft_ns=soft_ns,
            advice=advice,
            symbols=self._live_symbols(listener, 1 if weaker else lines),  # the others are not shown
            choose=None if weaker is None else lambda lines: choose(lines, weaker, self.random),
            objective=self._objective if plays_for_records else None,
        )
        self._pool.go(
            self.board,
            self._objective,
            self._watcher,
            depth=_bounded(advice.limit_depth(limits.depth), _DEEPEST),
            nodes=_bounded(nodes, _MOST_NODES),
            mate=_bounded(limits.mate, _LONGEST_MATE),
            soft_ns=soft_ns,
            hard_ns=hard_ns,
            infinite=limits.infinite,
            ponder=limits.ponder,
            multipv=lines,
            root_moves=advice.moves if len(advice.moves) < self.board.count_legal() else None,
        )

    def _weaker(self, limits: Limits) -> Handicap | None:
        wanted = self.handicap or handicap(limits, self.settings)
        if wanted is None:
            self._knows_more = True
            return None
        if self._knows_more:
            self._knows_more = False
            self._pool.clear()
        if self.random is None:
            from random import Random

            self.random = Random()
        return wanted

    def _root_moves(self, limits: Limits) -> list[int]:
        if limits.root_moves is None:
            wanted = self.board.legal_moves()
        else:
            wanted = []
            for text in limits.root_moves:
                try:
                    move = parse_move(self.board, text)
                except ValueError:
                    continue
                if move not in wanted:
                    wanted.append(move)
        if self._avoids is None:
            return wanted
        return [move for move in wanted if not self._avoids(self.board, move)] or wanted

    def _answer_without_moves(self, limits: Limits, listener: Listener) -> None:
        """Mate, stalemate, or nothing allowed: there is a score and no move, and it waits for its cue as any other."""
        end = None if self.board.count_legal(1) else game_end(self.board)
        lost = end is not None and end[0] != "1/2-1/2"  # whoever cannot move does not win
        # A stalemate has a worth of its own where R-Mobility counts.
        score = -MATE if lost else self._objective.settled(self.board, _STALEMATE)
        listener.info(bare_line(score))
        if (symbols := self._live_symbols(listener, 1)) is not None:
            symbols.end(bare_line(score))
        self._held = _Held(listener, limits.infinite)
        if not limits.infinite and not limits.ponder:
            self._release()

    def _live_symbols(self, listener: Listener, lines: int):
        from .annotate.live import follow_search

        return follow_search(self.settings, self.board.stm == BLACK, lines, listener.remark)

    def _release(self) -> None:
        held, self._held = self._held, None
        held.listener.best_move(BestMove(None))


class _Held:
    """A best move of "none" that may not be said yet."""

    __slots__ = ("infinite", "listener")

    def __init__(self, listener: Listener, infinite: bool):
        self.listener = listener
        self.infinite = infinite


class _Last(Listener):
    def __init__(self):
        self.line: SearchInfo | None = None
        self.best = BestMove(None)

    def info(self, info: SearchInfo) -> None:
        if info.multipv == 1:
            self.line = info

    def best_move(self, best: BestMove) -> None:
        self.best = best


def _bounded(value: int | None, most: int) -> int:
    """A limit for the core, where 0 is none: at least 1 if there is one."""
    return 0 if value is None else max(1, min(value, most))
