"""One game on the server: players, moves, clock, records, and the engine's searches."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from standstill.cext.base.constants import BLACK, WHITE

from ..clock.control import TimeUp
from ..common.errors import EngineUseError, IllegalMoveError, NotationError
from ..common.info import BestMove, score_cp
from ..common.limits import Limits
from ..common.text import shown
from ..play.session import Session
from ..rmobility.goals import Goal, Goals, reached
from ..rmobility.modes import give_record, parse_limit, set_rules
from ..variants.notation import fen, looks_like_move, move_text, parse_move, parse_san, san
from ..variants.variant import CHESS
from . import verdict
from .channel import Channel
from .clocks import Clocks
from .positions import SIDES, changed_squares, game_of, goal_of, legal_moves, placed
from .setup import Player, Setup
from .thinking import Found, Thinker, line_view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..variants.notation import Board

MOVE_MS = 1000  # the engine's time for a move in a game without a clock; weaker levels need far less
WATCH_MS = 1500  # time for the analysis of each position
WATCHED_PACE_S = 0.7  # minimum time between two moves when the engine plays itself
_HASH_MB = 16  # size of the hash table of each of the two searches of a game


@dataclass(frozen=True, slots=True)
class Ply:
    """A played move and its result.

    goal: None where a rule of the game ends it without one. beats: whether the move beat the record. left_ms: the
    time left on the mover's clock.
    """

    move: str
    san: str
    squares: list[str]
    position: dict[str, object]
    goal: Goal | None
    record: Goal | None
    beats: bool
    left_ms: int | None

    def view(self) -> dict[str, object]:
        return {
            "move": self.move,
            "san": self.san,
            "squares": self.squares,
            **self.position,
            "goal": _text(self.goal) or "",
            "record": _text(self.record),
            "beats": self.beats,
        }


def _text(goal: Goal | None) -> str | None:
    return None if goal is None else str(goal)


class ServedGame:
    """A game. All methods run in the event loop's thread. Methods that change the game stop the search first."""

    def __init__(self, setup: Setup, new_session: Callable[[], Session]):
        """Set up the first position, and replay the moves of a game that a page restores.

        Raises NotationError, IllegalMoveError, ConfigError or DefinitionError.
        """
        self.id = secrets.token_urlsafe(9)
        self.setup = setup
        self.players = list(setup.players)
        self.player_thinker = Thinker(self._session(new_session))
        self.analyst = Thinker(self._session(new_session))
        self.channel = Channel()
        self.clocks = Clocks(setup.control) if setup.control is not None else None
        self.plies: list[Ply] = []
        self.end: verdict.End | None = None
        self.paused = False
        self._watchers = 0  # number of open pages that show evaluations
        self.used = time.monotonic()
        self._scores: dict[int, int] = {}  # score of the engine's last search for each side, in centipawns
        self._engine: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._hint: asyncio.Task[BestMove] | None = None
        self._flag: asyncio.TimerHandle | None = None
        self._line: dict[str, object] | None = None
        self._begin()
        for move in setup.moves:
            if self.end is not None:
                break
            self._make(parse_move(self.board, move))

    def _session(self, new_session: Callable[[], Session]) -> Session:
        session = new_session()
        if self.setup.game is not CHESS:
            session.play_game(self.setup.game)
        for name, value in {
            "Hash": str(_HASH_MB),
            "UCI_Chess960": str(self.setup.chess960).lower(),
            "RMobility": self.setup.mode,
            "RMobilityKomi": self.setup.komi,
            "Move Overhead": "10",
        }.items():
            session.set_option(name, value)
        return session

    # ---- the position ----

    def _begin(self) -> None:
        """Set up the first position."""
        session = self.player_thinker.session
        session.position(self.setup.fen, [], whole=True)
        self.board = session.board.copy()
        self.board.notation = session.board.notation
        settings = session.settings
        set_rules(self.board, settings)
        give_record(self.board, session.played.given_record)
        self.goals = Goals(
            self.board,
            session.played.given_record,
            whole_game=settings["RMobilityScope"] == "WholeGame",
            limit=parse_limit(settings["RMobilityLimit"]),
            fifty=settings["RMobilityFifty"],
        )
        self.plies.clear()
        self._first = placed(self.board)
        self._first_goal, self._first_record = reached(self.board), self.goals.record
        self.end = verdict.end_by_rules(settings, self.board)

    def _make(self, move: int) -> None:
        """Make a legal move, and update records, clock and end of the game."""
        board, side = self.board, self.board.stm
        text, written, squares = move_text(board, move), san(board, move), changed_squares(board, move)
        board.push(move)
        self.goals.push(board)
        left = self.clocks.left_ms(side) if self.clocks is not None else None
        goal, record = reached(board, self.goals.ply), self.goals.record
        beats = board.clock > 0 and record is not None and record.ply == self.goals.ply
        self.plies.append(Ply(text, written, squares, placed(board), goal, record, beats, left))
        self._line = None
        self.end = verdict.end_by_rules(self.player_thinker.session.settings, board)

    @property
    def _can_go_on(self) -> bool:
        """Whether the rules let the game continue, so that evaluating the position makes sense."""
        return self.end is None or self.end.is_sudden

    @property
    def _to_move(self) -> Player:
        return self.players[self.board.stm]

    # ---- views for the pages ----

    def view(self) -> dict[str, object]:
        """Return the whole game."""
        record = self.goals.record
        return {
            "id": self.id,
            "game": game_of(self.setup.game, self.setup.title),
            "chess960": self.setup.chess960,
            "mode": self.setup.mode,
            "komi": self.setup.komi,
            "players": [player.view() for player in self.players],
            "first": {**self._first, "goal": _text(self._first_goal) or "", "record": _text(self._first_record)},
            "plies": [ply.view() for ply in self.plies],
            "number": self.board.fullmove,
            "turn": SIDES[self.board.stm],
            "legal": [] if self.end else legal_moves(self.board, record),
            "record": goal_of(record),
            "clock": self.clocks.view() if self.clocks is not None else None,
            "end": verdict.end_view(self.end, self.worth(), self.setup.mode) if self.end is not None else None,
            "thinking": self.end is None and self._to_move.is_engine and not self.paused,
            "paused": self.paused,
            "line": self._line,
        }

    def worth(self) -> verdict.Worth:
        """Return the worth of the finished game."""
        assert self.end is not None
        return verdict.worth(self.end, self.goals, self.board.goal(), self.setup.mode, self.setup.komi)

    def first_board(self) -> Board:
        """Return a board with the first position."""
        board = self.board.copy()
        board.notation = self.board.notation
        for _ in self.plies:
            board.pop()
        return board

    @property
    def first_fen(self) -> str:
        return fen(self.first_board())

    async def events(self, watching: bool) -> AsyncGenerator[str, None]:
        """Yield the game, and then each event in it, to one page. watching: whether the page shows evaluations."""
        self._watchers += watching
        try:
            if watching and (self._watch is None or self._watch.done()):
                self._start_watch()
            async with contextlib.aclosing(self.channel.listen("game", self.view())) as events:
                async for event in events:
                    yield event
        finally:
            self._watchers -= watching

    def tell(self) -> None:
        self.channel.tell("game", self.view())

    # ---- the engine's turn ----

    def start(self) -> None:
        """Start the game. In a game that a page has restored, the clocks start after the next move."""
        if not self._to_move.is_engine and any(player.is_engine for player in self.players):
            self._loading = asyncio.create_task(self.player_thinker.get_ready(self._set_position))
        self.go_on()

    async def settle(self) -> None:
        """Stop the searches, because the position is about to change."""
        for task in (self._engine, self._watch, self._hint):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        self._engine = self._watch = self._hint = None
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None

    def go_on(self) -> None:
        """Send the game to the pages, then start the engine's move or the analysis of the new position."""
        self.used = time.monotonic()
        if self.end is not None and self.clocks is not None:
            self.clocks.stop()
        if self.end is None and self.clocks is not None and self.clocks.running is not None:
            left_s = self.clocks.left_ms(self.clocks.running) / 1000
            self._flag = asyncio.get_running_loop().call_later(left_s + 0.005, self._look_at_flag)
        self.tell()
        if self.end is None and self._to_move.is_engine:
            if not self.paused:
                self._engine = asyncio.create_task(self._play())
        else:
            self._start_watch()

    async def _play(self) -> None:
        """Play the engine's move. If the engine has both sides, continue until the end."""
        while self.end is None and self._to_move.is_engine:
            began = time.monotonic()
            best = await self._search_move()
            if all(player.is_engine for player in self.players):
                await asyncio.sleep(max(0.0, began + WATCHED_PACE_S - time.monotonic()))
                await self.channel.listened.wait()  # pauses while no page shows the game
            if best.move is None:
                return
            self._play_move(parse_move(self.board, best.move))
            if self.end is None and self._to_move.is_engine:
                self._restart_flag()
                self.tell()
        self._engine = None
        self.go_on()

    async def _search_move(self) -> BestMove:
        side, player = self.board.stm, self._to_move

        def prepare(session: Session) -> None:
            session.set_option("UCI_LimitStrength", "false" if player.level is None else "true")
            if player.level is not None:
                session.set_option("UCI_Elo", str(player.level))
            self._set_position(session)

        def tell(found: Found) -> None:
            self._scores[side] = score_cp(found.info.score)
            self._show_line(found)

        return await self.player_thinker.search(prepare, self._limits(), tell)

    def _limits(self) -> Limits:
        limits = Limits()
        if self.clocks is None or self.clocks.running is None:
            limits.movetime_ms = MOVE_MS
        else:
            limits.time_ms = [max(1, self.clocks.left_ms(side)) for side in (WHITE, BLACK)]
            limits.inc_ms = [self.clocks.control.increment_ms] * 2
        return limits

    def _set_position(self, session: Session) -> None:
        session.position(self.setup.fen, [ply.move for ply in self.plies])

    def _show_line(self, found: Found) -> None:
        view = line_view(self.board, found, self.player_thinker.session.settings["Relevance_x05"] / 100)
        if found.info.multipv == 1:
            self._line = view
        self.channel.tell("line", view)

    def _start_watch(self) -> None:
        """Analyse the position for the pages that show evaluations, unless the engine is to move in it."""
        if self._watchers and self._can_go_on and (self.end is not None or not self._to_move.is_engine):
            self._watch = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        """Analyse the position on the board for ``WATCH_MS``."""
        await self.analyse(WATCH_MS)

    async def analyse(self, ms: int) -> BestMove:
        """Search the position at full strength, and send the lines to the pages."""

        def prepare(session: Session) -> None:
            session.set_option("UCI_AnalyseMode", "true")
            self._set_position(session)

        limits = Limits()
        limits.movetime_ms = ms
        return await self.analyst.search(prepare, limits, self._show_line)

    def _restart_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.clocks is not None and self.clocks.running is not None:
            left_s = self.clocks.left_ms(self.clocks.running) / 1000
            self._flag = asyncio.get_running_loop().call_later(left_s + 0.005, self._look_at_flag)

    def _look_at_flag(self) -> None:
        """End the game if the time of the side to move is up."""
        clocks = self.clocks
        if self.end is None and clocks is not None and clocks.running is not None:
            if clocks.left_ms(clocks.running) > 0:
                self._restart_flag()
                return
            self._lose_on_time(clocks.running)
            asyncio.get_running_loop().create_task(self._stop_and_tell())

    async def _stop_and_tell(self) -> None:
        await self.settle()
        self.go_on()

    def _lose_on_time(self, side: int) -> None:
        assert self.clocks is not None
        self.clocks.stop()
        self.end = verdict.on_time(self.board, side)

    # ---- actions of players ----

    def _play_move(self, move: int) -> None:
        """Play a move unless the mover's time is up."""
        side = self.board.stm
        if self.clocks is not None:
            try:
                self.clocks.press(side)
            except TimeUp:
                self._lose_on_time(side)
                return
        self._make(move)

    def _check_open(self) -> None:
        if self.end is not None:
            raise EngineUseError("the game is over")

    async def move(self, text: str) -> None:
        """Play a move of the user, in coordinates or SAN. Raises NotationError, IllegalMoveError or EngineUseError."""
        self._check_open()
        if self._to_move.is_engine:
            raise EngineUseError("it is the engine's turn")
        move = self._read(text.strip())
        await self.settle()
        self._play_move(move)
        self.go_on()

    def _read(self, text: str) -> int:
        if not looks_like_move(text):
            return parse_san(self.board, text)
        try:
            return parse_move(self.board, text)
        except (NotationError, IllegalMoveError):
            raise IllegalMoveError(f"illegal move {shown(text)}") from None

    async def take_back(self) -> None:
        """Take back the user's last move and the engine's reply; without an engine, the last move."""
        if not self.plies:
            raise EngineUseError("expected a move to take back, found the first position")
        await self.settle()
        keep = len(self.plies) - 1
        has_person = any(not player.is_engine for player in self.players)
        while keep > 0 and has_person and self._mover_of(keep).is_engine:
            keep -= 1
        moves = [ply.move for ply in self.plies[:keep]]
        self._begin()
        self._line = None
        for move in moves:
            self._make(parse_move(self.board, move))
        if self.clocks is not None:
            self.clocks.stop()
            if self.plies:
                self.clocks.start(self.board.stm)
        if not has_person:
            self.paused = True
        self.go_on()

    def _mover_of(self, ply: int) -> Player:
        """Return the player to move after ``ply`` half-moves."""
        return self.players[(self.board.stm + len(self.plies) - ply) % 2]

    async def resign(self) -> None:
        """Resign for the user; without an engine, for the side to move."""
        self._check_open()
        await self.settle()
        people = [side for side in (WHITE, BLACK) if not self.players[side].is_engine]
        if not people:
            raise EngineUseError("expected a game that you play, found a game of the engine with itself")
        side = people[0] if len(people) == 1 else self.board.stm
        self.end = verdict.resigned(side)
        self.go_on()

    async def offer_draw(self) -> bool:
        """Offer the engine a draw. The engine accepts unless its position is better. The mode Decisive has no draws."""
        self._check_open()
        engines = [side for side in (WHITE, BLACK) if self.players[side].is_engine]
        session = self.player_thinker.session
        accepts = not engines or (
            len(engines) == 1
            and session.knows_draws
            and session.settings["Draw Offers"] != "off"
            and self._scores.get(engines[0], 1) <= 0
        )
        if accepts:
            await self.settle()
            self.end = verdict.agreed()
        self.go_on()
        return accepts

    async def swap(self) -> None:
        """Swap sides: the engine continues for the user's side."""
        await self.settle()
        self.players.reverse()
        self.go_on()

    async def pause(self, paused: bool) -> None:
        """Pause or continue a game of the engine with itself."""
        await self.settle()
        self.paused = paused
        if self.clocks is not None:
            self.clocks.stop()
            if not paused and self.plies and self.end is None:
                self.clocks.start(self.board.stm)
        self.go_on()

    async def hint(self) -> dict[str, object] | None:
        """Return the line that the engine would play; None if the game has continued in the meantime."""
        self._check_open()
        if self._line is None or int(str(self._line["depth"])) < 8:
            if self._hint is None or self._hint.done():
                self._hint = asyncio.create_task(self.analyse(MOVE_MS // 2))
            hint = self._hint
            await asyncio.wait([hint])
            if hint.cancelled():  # the search was cancelled because the position has changed
                return None
            hint.result()  # raises an error if the search has failed
        return self._line

    async def close(self) -> None:
        await self.settle()
        if self._loading is not None:
            with contextlib.suppress(Exception):
                await self._loading
        for thinker in (self.player_thinker, self.analyst):
            thinker.close()
