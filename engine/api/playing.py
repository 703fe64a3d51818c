"""The engine for Python programs: a session without a protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from numbers import Integral
from os import fsencode
from types import TracebackType

from standstill.arguments import as_text, as_truth, as_whole, move_texts, position_of, wrong
from standstill.engine.common.errors import ArgumentError, ConfigError, EngineUseError
from standstill.engine.common.text import shown
from standstill.engine.correspondence.stored_clock import stored_clock
from standstill.engine.play.session import Session
from standstill.engine.settings.options import find, unknown
from standstill.engine.variants.notation import parse_move
from standstill.limits import wanted
from standstill.moves import move_reader
from standstill.searching import Result, Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    import chess.engine

    from standstill.arguments import AnyMove, Position

    OptionValue = bool | int | str

_OWN_OPTIONS = ("MultiPV", "UCI_AnalyseMode", "UCI_Variant", "Ponder")  # methods set these by their arguments


class Engine:
    """An engine in this process. Leaving its ``with`` block ends its search and closes it.

    Only one search runs at a time. Any thread may call ``stop`` and ``close``.

    :ivar options: the options that were set, as a dict from names to texts.
    :ivar variant: the name of the variant.

    >>> with standstill.Engine({"Hash": 4}) as engine:
    ...     result = engine.play("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", depth=4)
    ...     engine
    <standstill.Engine: chess, {'Hash': '4'}, idle>
    >>> result.move, result.lines[0].mate, result.lines[0].san
    (Move.from_uci('a1a8'), 1, ('Ra8#',))
    """

    def __init__(self, options: Mapping[str, OptionValue] | None = None, *, variant: str = "chess"):
        """Create an engine.

        :param options: values by the names in docs/options.md; engine.ini is not read.
        :param variant: a name from ``variants.names``.
        :raises ConfigError: for an invalid option, or a network that cannot be used.
        :raises DefinitionError: for an unknown variant, or an unreadable file of definitions.
        :raises ArgumentError: for arguments of the wrong type.
        """
        self._session = Session(stored_clock=stored_clock)
        self._notices: list[str] = []
        self._session.on_notice(self._notices.append)
        self._guard = threading.RLock()  # guards the session; no thread holds the lock during a search
        self._running: Search | None = None
        self._closed = False
        self._standing = position_of(None)  # the position for searches without a position of their own
        self.options: dict[str, str] = {}  # the options that the user has set
        self.variant = as_text(variant, "the name of a game")
        self._read = move_reader(self.variant)
        if options is not None:
            self.configure(options)
        if variant != "chess":
            self._session.choose_game(variant)
            self._check_network(self.options)

    @property
    def notices(self) -> tuple[str, ...]:
        """The messages since the start, such as the number of tables found, or that a book is unreadable."""
        return tuple(self._notices)

    def __repr__(self) -> str:
        running = self._running
        state = "closed" if self._closed else "searching" if running is not None and running.running else "idle"
        return f"<standstill.Engine: {self.variant}, {self.options}, {state}>"

    def __enter__(self) -> Engine:
        return self

    def __reduce__(self) -> NoReturn:
        raise EngineUseError(
            "expected an object that can be copied or pickled, found an engine: it stays in its process"
        )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set all of these options, or none after an error. The new options apply from the next search on.

        :param options: values by the names in docs/options.md.
        :raises ConfigError: for an unknown option, an invalid value, or a network that cannot be used.
        :raises DefinitionError: for an unreadable file of definitions.
        :raises ArgumentError: for arguments of the wrong type.
        :raises EngineUseError: during a search, or after ``close``.

        >>> with standstill.Engine() as engine:
        ...     engine.configure({"Hash": 4, "Threads": 2})
        ...     engine.options
        {'Hash': '4', 'Threads': '2'}
        """
        self._check_open()
        if not isinstance(options, Mapping):
            raise wrong("options by name, as in {'Hash': 64}", options)
        texts = dict(_option(name, value) for name, value in options.items())
        with self._guard:
            self._check_idle()
            settings = self._session.settings
            before = {spec.name: settings.value(spec) for spec in map(find, texts) if spec is not None}
            try:
                for name, text in texts.items():
                    self._set_option(name, text)
                self._check_network(texts)
            except BaseException:
                for name, value in before.items():
                    self._session.set_option(name, _text(value))
                raise
            self.options |= texts

    def _set_option(self, name: str, text: str) -> None:
        """Set an option. Raises ConfigError for a value that the session would only report and not apply."""
        said = len(self._notices)
        self._session.set_option(name, text)
        if len(self._notices) > said:
            raise ConfigError(self._notices.pop())

    def _check_network(self, texts: Mapping[str, str]) -> None:
        """Raise ConfigError for an unusable network, which a session would only report and replace."""
        if not any(option in texts for option in ("EvalFile", "VariantEvalFile", "RMobilityEvalFile")):
            return
        said = len(self._notices)
        self._session.is_ready()
        for option, error in self._session.equipment.refused_networks.items():
            if option in texts:
                # these messages report values that are not applied, because the error refuses them
                del self._notices[said:]
                raise ConfigError(f"{option} {error}")

    def position(self, position: Position = None, moves: Iterable[str | AnyMove] = ()) -> None:
        """Set the position for searches without a position of their own.

        After an error, the previous position remains set.

        :param position: a FEN, a ``chess.Board`` with its moves, a node of a ``chess.pgn.Game``, or None for the start.
        :param moves: the moves played from there, in coordinates or as moves of python-chess.
        :raises NotationError: for an unreadable FEN or move.
        :raises IllegalMoveError: for an illegal move.
        :raises ArgumentError: for arguments of the wrong type, or a position of another variant.
        :raises EngineUseError: during a search, or after ``close``.

        >>> with standstill.Engine({"Hash": 1}) as engine:
        ...     engine.position(None, ["f2f3", "e7e5", "g2g4"])
        ...     engine.play(depth=2).lines[0].san
        ('Qh4#',)
        """
        with self._guard:
            self._check_idle()
            checked = position_of(position, moves)
            self._set(*checked)
            self._standing = checked

    def _set(self, fen: str | None, played: list[str], chess960: bool | None, variant: str | None) -> None:
        if variant is not None and variant != self.variant:
            raise ArgumentError(f"expected a position of {self.variant}, found a position of {variant}")
        # The FEN does not determine how castling is written. The option UCI_Chess960 determines it, not the previous
        # board.
        written = self.options.get("UCI_Chess960", "false") if chess960 is None else str(chess960).lower()
        before = str(self._session.settings["UCI_Chess960"]).lower()
        self._session.set_option("UCI_Chess960", written)
        try:
            self._session.position(fen, played, whole=True)
        except BaseException:
            self._session.set_option("UCI_Chess960", before)
            raise

    def go(
        self,
        position: Position = None,
        limit: chess.engine.Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
        among: Iterable[str | AnyMove] | None = None,
        analysis: bool = True,
    ) -> Search:
        """Start a search and return at once. Without a limit the search runs until it is stopped.

        :param position: a position as in the method ``position``; None for the position set by that method.
        :param limit: a ``Limit`` of python-chess, including clocks; the search ends at the first limit that it reaches.
        :param nodes: a limit in nodes, instead of ``limit``.
        :param depth: a limit in half-moves, instead of ``limit``.
        :param seconds: a limit in seconds, instead of ``limit``.
        :param lines: the number of lines, 1 to 256.
        :param among: the moves to choose from, in coordinates or as moves of python-chess; None for all.
        :param analysis: True to search at full strength and without the book; False to play as in a game, using the
            book if the options allow it.
        :returns: the search.
        :raises NotationError: for an unreadable FEN or move.
        :raises IllegalMoveError: for an illegal move.
        :raises ArgumentError: for arguments of the wrong type, or a position of another variant.
        :raises EngineUseError: while a search runs, or after ``close``.

        >>> with standstill.Engine({"Hash": 1}) as engine, engine.go(depth=3) as search:
        ...     [line.depth for line in search if line.is_exact][-1]
        3
        """
        limits = wanted(limit, nodes=nodes, depth=depth, seconds=seconds).limits()
        lines = as_whole(lines, "the number of lines", 1, 256)
        analysis = as_truth(analysis, "analysis")
        if among is not None:
            limits.root_moves = move_texts(among)
            # To a session, an empty list would mean no restriction, or a position without moves.
            if not limits.root_moves:
                raise wrong("at least one move to choose from", [])
        with self._guard:
            self._check_idle()
            self._set(*(self._standing if position is None else position_of(position)))
            for move in limits.root_moves or ():
                parse_move(self._session.board, move)
            self._session.set_option("MultiPV", str(lines))
            self._session.set_option("UCI_AnalyseMode", "true" if analysis else "false")
            search = Search(self._session, self._read)
            self._running = search  # assigned before the search starts, so that ``close`` always ends the search
            search._start(limits)
            return search

    def analyse(
        self,
        position: Position = None,
        limit: chess.engine.Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
        lines: int = 1,
        among: Iterable[str | AnyMove] | None = None,
    ) -> Result:
        """Search a position at full strength and without the book. A limit is required.

        :param position: a position as in the method ``position``; None for the position set by that method.
        :param limit: a ``Limit`` of python-chess, including clocks; the search ends at the first limit that it reaches.
        :param nodes: a limit in nodes, instead of ``limit``.
        :param depth: a limit in half-moves, instead of ``limit``.
        :param seconds: a limit in seconds, instead of ``limit``.
        :param lines: the number of lines, 1 to 256.
        :param among: the moves to choose from, in coordinates or as moves of python-chess; None for all.
        :returns: the result.
        :raises NotationError: for an unreadable FEN or move.
        :raises IllegalMoveError: for an illegal move.
        :raises ArgumentError: for arguments of the wrong type, no limit, or a position of another variant.
        :raises EngineUseError: while a search runs, or after ``close``.

        >>> with standstill.Engine({"Hash": 1}) as engine:
        ...     found = engine.analyse(chess.Board(), chess.engine.Limit(depth=2), lines=2)
        >>> [line.rank for line in found.lines]
        [1, 2]
        """
        wanted(limit, nodes=nodes, depth=depth, seconds=seconds).check_any()
        with self.go(position, limit, nodes=nodes, depth=depth, seconds=seconds, lines=lines, among=among) as search:
            return search.result()

    def play(
        self,
        position: Position = None,
        limit: chess.engine.Limit | None = None,
        *,
        nodes: int | None = None,
        depth: int | None = None,
        seconds: float | None = None,
    ) -> Result:
        """Choose a move as in a game. A limit is required.

        :param position: a position as in the method ``position``; None for the position set by that method.
        :param limit: a ``Limit`` of python-chess; if it contains clocks, the engine manages its time.
        :param nodes: a limit in nodes, instead of ``limit``.
        :param depth: a limit in half-moves, instead of ``limit``.
        :param seconds: a limit in seconds, instead of ``limit``.
        :returns: the move, the expected reply and the line.
        :raises NotationError: for an unreadable FEN.
        :raises ArgumentError: for arguments of the wrong type, no limit, or a position of another variant.
        :raises EngineUseError: while a search runs, or after ``close``.

        >>> with standstill.Engine({"Hash": 1}) as engine:
        ...     clocks = chess.engine.Limit(white_clock=1, black_clock=1)
        ...     engine.play("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", clocks).move
        Move.from_uci('a1a8')
        """
        wanted(limit, nodes=nodes, depth=depth, seconds=seconds).check_any()
        with self.go(position, limit, nodes=nodes, depth=depth, seconds=seconds, analysis=False) as search:
            return search.result()

    def new_game(self) -> None:
        """Clear everything that earlier searches have left in memory, so that the next search runs like the first one.

        :raises EngineUseError: during a search, or after ``close``.

        >>> with standstill.Engine({"Hash": 1}) as engine:
        ...     engine.new_game()
        """
        with self._guard:
            self._check_idle()
            self._session.new_game()

    def stop(self) -> None:
        """Stop the running search, if any. Any thread may call this method.

        >>> with standstill.Engine({"Hash": 1}) as engine:
        ...     search = engine.go()
        ...     engine.stop()
        ...     search.result().move is not None
        True
        """
        if self._running is not None:
            self._running.stop()

    def close(self) -> None:
        """End the search. Afterwards all methods except ``close`` raise EngineUseError.

        >>> engine = standstill.Engine()
        >>> engine.close()
        >>> engine
        <standstill.Engine: chess, {}, closed>
        """
        with self._guard:
            self._closed = True
            if self._running is not None:
                self._running.cancel()

    def _check_open(self) -> None:
        if self._closed:
            raise EngineUseError("expected an open engine, found a closed one")

    def _check_idle(self) -> None:
        """Raise EngineUseError during a search.

        A search that has found its move counts as over, even before ``result`` is called.
        """
        self._check_open()
        if self._running is None:
            return
        if self._running.running:
            raise EngineUseError("expected an idle engine: finish or cancel its search first (`stop` ends it)")
        self._running._settle()


def _option(name: object, value: object) -> tuple[str, str]:
    """Return an option's usual name, and its value as text. Unknown names and numbers out of range raise errors."""
    spec = find(name) if isinstance(name, str) else None
    if spec is None or spec.kind == "button":
        raise ConfigError(unknown(str(name)))
    if spec.name in _OWN_OPTIONS:
        raise ConfigError(f"the option {spec.name} is set by arguments")
    if getattr(getattr(value, "dtype", None), "kind", "") == "b":
        value = as_truth(value, spec.name)
    if not isinstance(value, (Integral, str)):
        raise wrong(f"a text, a whole number or a truth value for {spec.name}", value)
    text = _text(value if isinstance(value, (bool, str)) else int(value))
    spec.parse_within(text)
    try:
        fsencode(text)
    except UnicodeEncodeError:
        raise ConfigError(f"expected a text that can be encoded for {spec.name}, found {shown(text)}") from None
    return spec.name, text


def _text(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
