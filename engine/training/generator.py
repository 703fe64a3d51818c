"""Plays games of the engine against itself into a file, on several threads."""

from __future__ import annotations

import queue
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any, NamedTuple

from standstill.cext.base.constants import SURE_CP
from standstill.cext.learning.selfplay import ChessPlayer, FairyPlayer, GamePlayer

from .. import NAME, VERSION
from ..games.board import named_game, new_board, new_evaluator
from ..games.game import Game
from ..network.file import CHECK, read_frame
from ..network.loading import load
from ..network.shipped import NONE, path_for, path_of
from ..rmobility.objectives import classic, decisive
from ..words.errors import TrainingError
from .gamefile import ORIGIN, SEED, GameWriter
from .starts import read_starts, starts_name

if TYPE_CHECKING:
    from standstill.cext.network.weights import Weights
    from standstill.cext.value.evaluator import Evaluator

BLOCK_GAMES = 16
HASH_MB = 8  # emptied before each game, so it should not be large
HARD_FACTOR = 10
_PATIENCE_S = 0.2  # between looks at signals

# Adjudication: safe rules, because a wrong result is a wrong lesson (docs/training-data.md).
ADJUDICATION = {
    "opening_cp": 200,
    "won_cp": 2500,
    "won_plies": 5,
    "drawn_cp": 10,
    "drawn_plies": 8,
    "drawn_from": 120,
    "longest": 600,
}


class Progress(NamedTuple):
    """How far it is: games in the file, and since the start games, plies, nodes, openings thrown away and seconds."""

    total: int
    games: int
    plies: int
    nodes: int
    thrown_away: int
    seconds: float


# For the record every game is played on: only a mate in sight is adjudged.
RECORD_ADJUDICATION = {**ADJUDICATION, "won_cp": SURE_CP, "drawn_cp": -1}


def rules_for(nodes: int, *, records: bool = False) -> dict[str, int]:
    """The usual rules of games with so many nodes a move; GamePlayer explains them. records: played for the record."""
    adjudication = RECORD_ADJUDICATION if records else ADJUDICATION
    return {"nodes": nodes, "most_nodes": HARD_FACTOR * nodes, **adjudication}


class Manner(NamedTuple):
    """How games are played.

    variant: the name of the game. eval_file: as the option EvalFile, or VariantEvalFile. mean: judge by the mean of
    that network and the hand-crafted evaluation. starts: a file of positions (EPD or FEN) from which to play for the
    record, for networks that foresee it; None: from the arrays, for mate.
    """

    variant: str
    eval_file: str
    mean: bool
    nodes: int
    seed: int
    starts: str | None = None

    @property
    def game(self) -> Game:
        return named_game(self.variant)

    @property
    def network(self) -> str | None:
        """The path of the network."""
        return path_of(self.eval_file) if self.game.is_chess else path_for(self.game, self.eval_file)

    @property
    def weights(self) -> Weights | None:
        return None if self.network is None else load(self.network, self.game)


def identity(path: str) -> str:
    """Name and check sum of a network: games of different ones are not mixed."""
    with open(path, "rb") as file:
        data = file.read()
    # Without the sum at the end of the file: with it the result would be the same for all files.
    return f"{read_frame(data, path).about['name']} {zlib.crc32(data[: -CHECK.size]):08x}"


def evaluator_of(weights: Weights | None, manner: Manner) -> Evaluator:
    """Raises TrainingError where there is no network for a mean."""
    discount = manner.starts is None  # material that cannot mate can hold a record all the same
    if not manner.mean:
        return new_evaluator(manner.game, discount, weights)
    if weights is None or not manner.game.is_chess:
        found = f"{manner.variant}, which has no such mean" if weights else "none"
        raise TrainingError(f"--mean: expected a network of chess beside the hand-crafted evaluation, found {found}")
    from standstill.cext.learning.mean_eval import MeanEvaluator

    return MeanEvaluator(weights, discount)


class BlockPlayer:
    """Plays blocks of games in this process."""

    def __init__(self, weights: Weights | None, manner: Manner):
        records = manner.starts is not None
        objective = decisive() if records else classic()
        how = evaluator_of(weights, manner), objective, HASH_MB, manner.seed, rules_for(manner.nodes, records=records)
        self._player: GamePlayer
        if manner.starts is not None:
            self._player = ChessPlayer(*how, starts=read_starts(manner.starts), material_ends=False)
        elif manner.game.is_chess:
            self._player = ChessPlayer(*how)
        else:
            self._player = FairyPlayer(new_board(game=manner.game), *how)

    @property
    def nodes(self) -> int:
        return self._player.nodes

    @property
    def thrown_away(self) -> int:
        return self._player.thrown_away

    def block(self, numbers: Iterable[int]) -> list[bytes] | None:
        """The games of these numbers, None if it was stopped. Raises TrainingError where no opening is level."""
        games = []
        for number in numbers:
            try:
                game = self._player.play(number)
            except ValueError as error:
                raise TrainingError(str(error)) from None
            if game is None:
                return None
            games.append(game)
        return games

    def stop(self) -> None:
        self._player.stop()


class FarPlayer:
    """Has blocks of games played by the workers of a cluster."""

    def __init__(self, executor: Executor, manner: Manner, known: str):
        self._executor = executor
        self._manner = manner
        self._known = known
        self._block: Future[tuple[list[bytes], int, int]] | None = None
        self._stopped = False
        self.nodes = 0
        self.thrown_away = 0

    def block(self, numbers: Iterable[int]) -> list[bytes] | None:
        self._block = self._executor.submit(play_block, self._manner, self._known, list(numbers))
        if self._stopped:  # perhaps just before there was a block to cancel
            self._block.cancel()
        try:
            games, nodes, thrown_away = self._block.result()
        except CancelledError:
            return None
        self.nodes += nodes
        self.thrown_away += thrown_away
        return games

    def stop(self) -> None:
        self._stopped = True
        if self._block is not None:
            self._block.cancel()


def play_block(manner: Manner, known: str, numbers: list[int]) -> tuple[list[bytes], int, int]:
    """Games, nodes and openings thrown away. known: what the manner's files hold where the file of games is.

    Raises TrainingError if it means another one here.
    """
    found = lessons_of(manner)
    if found != known:
        raise TrainingError(f"expected {known} on all workers, found {found}")
    player = BlockPlayer(manner.weights, manner)
    games = player.block(numbers)
    assert games is not None  # nobody stops it
    return games, player.nodes, player.thrown_away


def evaluation_name(path: str | None, mean: bool) -> str:
    """What the file of games says about the evaluation."""
    if path is None:
        return "hand-crafted"
    return f"mean of hand-crafted and {identity(path)}" if mean else identity(path)


def lessons_of(manner: Manner) -> str:
    """What the files hold that games are played by."""
    found = evaluation_name(manner.network, manner.mean)
    return found if manner.starts is None else f"{found}, positions {starts_name(manner.starts)}"


class Generator:
    """Fills a file with games. The file is the same for any number of workers, and after any interruption."""

    def __init__(
        self,
        path: str,
        *,
        nodes: int,
        seed: int,
        workers: int,
        eval_file: str = NONE,
        mean: bool = False,
        variant: str = "chess",
        starts: str | None = None,
        executor: Executor | None = None,
    ):
        """eval_file, mean, variant, starts: see Manner.

        executor: of a cluster with so many workers, which play instead of us.

        Raises TrainingError for a file that other games are in and for a mean without a network, DefinitionError,
        NetworkError, OSError, and MemoryError.
        """
        manner = Manner(variant, eval_file, mean, nodes, seed, starts)
        if starts is not None and not manner.game.is_chess:
            raise TrainingError(f"--starts: expected games of chess, found {manner.game.name}")
        weights = manner.weights
        about: dict[str, Any] = {
            "engine": f"{NAME} {VERSION}",
            "evaluation": evaluation_name(manner.network, mean),
            "licence": "GPL-3.0-or-later",
            ORIGIN: f"games of {NAME} against itself",
            "rules": rules_for(nodes, records=starts is not None),
            SEED: seed,
            "hash": HASH_MB,
        }
        if not manner.game.is_chess:
            about |= {"game": manner.game.name, "rules_of_game": manner.game.fingerprint}
        if starts is not None:
            about |= {"objective": "Decisive", "starts": starts_name(starts)}
        self._players: list[BlockPlayer | FarPlayer]
        if executor is None:
            self._players = [BlockPlayer(weights, manner) for _ in range(max(1, workers))]
        else:
            known = lessons_of(manner)
            self._players = [FarPlayer(executor, manner, known) for _ in range(2 * workers)]
        self._writer = GameWriter(path, about)
        self._ready: queue.Queue[tuple[int, list[bytes]] | BaseException] = queue.Queue()
        self._lock = threading.Lock()
        self._stopped = False

    @property
    def games(self) -> int:
        """In the file."""
        return self._writer.games

    def run(self, games: int | None, report: Callable[[Progress], None], every_s: float = 10.0) -> None:
        """Play until the file has so many games, or for ever. Whatever ends it, the file holds whole games only."""
        self._next = self.games
        self._last = games
        self._began = self._writer.games
        self._plies = 0
        self._start = time.monotonic()
        threads = [threading.Thread(target=self._work, args=(player,), daemon=True) for player in self._players]
        for thread in threads:
            thread.start()
        try:
            self._collect(games, report, every_s)
        finally:
            self._stopped = True
            for player in self._players:
                player.stop()
            for thread in threads:
                thread.join()
            self._writer.close()
            report(self._progress())

    def _collect(self, games: int | None, report: Callable[[Progress], None], every_s: float) -> None:
        """Write blocks in the order of their numbers."""
        waiting: dict[int, list[bytes]] = {}
        reported = self._start
        while games is None or self.games < games:
            try:
                ready = self._ready.get(timeout=_PATIENCE_S)
            except queue.Empty:
                continue
            if isinstance(ready, BaseException):
                raise ready
            waiting[ready[0]] = ready[1]
            while self.games in waiting:
                block = waiting.pop(self.games)
                self._writer.append(block)
                self._plies += sum(int.from_bytes(game[:2], "little") for game in block)
            if time.monotonic() >= reported + every_s:
                reported = time.monotonic()
                report(self._progress())

    def _progress(self) -> Progress:
        return Progress(
            self.games,
            self.games - self._began,
            self._plies,
            sum(player.nodes for player in self._players),
            sum(player.thrown_away for player in self._players),
            time.monotonic() - self._start,
        )

    def _take(self) -> range:
        """The numbers of the next block."""
        with self._lock:
            first = self._next
            self._next += BLOCK_GAMES - first % BLOCK_GAMES  # whole blocks, wherever an earlier run ended
            if self._last is not None:
                self._next = min(self._next, self._last)
            return range(first, self._next)

    def _work(self, player: BlockPlayer | FarPlayer) -> None:
        """Body of a worker's thread."""
        try:
            while not self._stopped and (numbers := self._take()):
                games = player.block(numbers)
                if games is None:
                    return
                self._ready.put((numbers.start, games))
        except BaseException as error:  # handed to the main thread
            self._ready.put(error)
