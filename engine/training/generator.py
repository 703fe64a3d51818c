"""Plays games of the engine against itself on several threads, and writes them to a file."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from concurrent.futures import CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any, NamedTuple

from standstill.cext.base.constants import SURE_CP
from standstill.cext.training.selfplay import ChessPlayer, FairyPlayer, GamePlayer

from .. import NAME, VERSION
from ..common.errors import TrainingError
from ..network.file import CHECK, read_frame
from ..network.loading import load
from ..network.shipped import NONE, path_for, path_of
from ..rmobility.objectives import classic, decisive
from ..variants.boards import named_game, new_board, new_evaluator
from ..variants.variant import Variant
from .filler import Filler
from .gamefile import ORIGIN, SEED, GameWriter
from .starts import read_starts, starts_name

if TYPE_CHECKING:
    from standstill.cext.network.weights import Weights
    from standstill.cext.value.evaluator import Evaluator

BLOCK_GAMES = 16
HASH_MB = 8  # small, because the hash table is cleared before each game
HARD_FACTOR = 10

# The rules of adjudication are cautious, because a wrong result trains the network wrongly (docs/training-data.md).
ADJUDICATION = {
    "opening_cp": 200,
    "won_cp": 2500,
    "won_plies": 5,
    "drawn_cp": 10,
    "drawn_plies": 8,
    "drawn_from": 120,
    "longest": 600,
}


# In games for the record, only a forced mate is adjudicated; all other games are played to the end.
RECORD_ADJUDICATION = {**ADJUDICATION, "won_cp": SURE_CP, "drawn_cp": -1}


def rules_for(nodes: int, *, records: bool = False) -> dict[str, int]:
    """Return the default rules for games with this many nodes a move (see GamePlayer). records: play for the record."""
    adjudication = RECORD_ADJUDICATION if records else ADJUDICATION
    return {"nodes": nodes, "most_nodes": HARD_FACTOR * nodes, **adjudication}


class Manner(NamedTuple):
    """The conditions of self-play.

    variant: the name of the variant.
    eval_file: a network, named as in the option EvalFile or VariantEvalFile.
    mean: evaluate by the mean of that network and the hand-crafted evaluation.
    starts: a file of positions (EPD or FEN). The games begin with them and are played for the record; they train
    networks that predict records. None: play for mate from the start position.
    """

    variant: str
    eval_file: str
    mean: bool
    nodes: int
    seed: int
    starts: str | None = None

    @property
    def game(self) -> Variant:
        return named_game(self.variant)

    @property
    def network(self) -> str | None:
        """The path of the network; None without one."""
        return path_of(self.eval_file) if self.game.is_chess else path_for(self.game, self.eval_file)

    @property
    def weights(self) -> Weights | None:
        return None if self.network is None else load(self.network, self.game)


def identity(path: str) -> str:
    """Return name and checksum of a network, because games of different networks must not be mixed."""
    with open(path, "rb") as file:
        data = file.read()
    # The file's own CRC at its end is left out: the CRC of data followed by their CRC is the same for all files.
    return f"{read_frame(data, path).about['name']} {zlib.crc32(data[: -CHECK.size]):08x}"


def evaluator_of(weights: Weights | None, manner: Manner) -> Evaluator:
    """Create the evaluator. Raises TrainingError if a mean is required but there is no network."""
    discount = manner.starts is None  # False for the record: material that cannot mate can still hold a record
    if not manner.mean:
        return new_evaluator(manner.game, discount, weights)
    if weights is None or not manner.game.is_chess:
        found = f"variant {manner.variant}" if weights else "none"
        raise TrainingError(f"--mean: expected a network of chess beside the hand-crafted evaluation, found {found}")
    from standstill.cext.training.mean_eval import MeanEvaluator

    return MeanEvaluator(weights, discount)


class BlockPlayer:
    """A maker that plays blocks of games in this process."""

    scored = 0

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
    def rejected_openings(self) -> int:
        return self._player.rejected_openings

    def block(self, numbers: Iterable[int]) -> list[bytes] | None:
        """Play the games with these numbers; return None if stopped. Raises TrainingError if no opening is level."""
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


class RemotePlayer:
    """A maker that lets the workers of a cluster play blocks of games."""

    scored = 0

    def __init__(self, executor: Executor, manner: Manner, known: str):
        self._executor = executor
        self._manner = manner
        self._known = known
        self._block: Future[tuple[list[bytes], int, int]] | None = None
        self._stopped = False
        self.nodes = 0
        self.rejected_openings = 0

    def block(self, numbers: Iterable[int]) -> list[bytes] | None:
        self._block = self._executor.submit(play_block, self._manner, self._known, list(numbers))
        if self._stopped:  # stop() may have been called just before there was a block to cancel
            self._block.cancel()
        try:
            games, nodes, rejected_openings = self._block.result()
        except CancelledError:
            return None
        self.nodes += nodes
        self.rejected_openings += rejected_openings
        return games

    def stop(self) -> None:
        self._stopped = True
        if self._block is not None:
            self._block.cancel()


def play_block(manner: Manner, known: str, numbers: list[int]) -> tuple[list[bytes], int, int]:
    """Play games on a worker; return games, nodes and number of rejected openings.

    known: the digest of the network and positions on the computer that stores the games. Raises TrainingError if the
    worker's files have another digest.
    """
    found = lessons_of(manner)
    if found != known:
        raise TrainingError(f"expected {known} on all workers, found {found}")
    player = BlockPlayer(manner.weights, manner)
    games = player.block(numbers)
    assert games is not None  # never stopped
    return games, player.nodes, player.rejected_openings


def evaluation_name(path: str | None, mean: bool) -> str:
    """Return the description of the evaluation that is stored in the file of games."""
    if path is None:
        return "hand-crafted"
    return f"mean of hand-crafted and {identity(path)}" if mean else identity(path)


def lessons_of(manner: Manner) -> str:
    """Return a digest of the files on which the games depend."""
    found = evaluation_name(manner.network, manner.mean)
    return found if manner.starts is None else f"{found}, positions {starts_name(manner.starts)}"


class Generator(Filler[range]):
    """Fills a file with self-play games."""

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

        executor: the executor of a cluster with ``workers`` workers, which play instead of this process.

        Raises TrainingError for a file with other games and for a mean without a network, DefinitionError,
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
        players: list[BlockPlayer | RemotePlayer]
        if executor is None:
            players = [BlockPlayer(weights, manner) for _ in range(max(1, workers))]
        else:
            known = lessons_of(manner)
            players = [RemotePlayer(executor, manner, known) for _ in range(2 * workers)]
        super().__init__(GameWriter(path, about), players)

    def take(self, first: int, end: int | None) -> tuple[int, range] | None:
        """Return the next block's size and game numbers. Every run ends its blocks at the same boundaries."""
        behind = first + BLOCK_GAMES - first % BLOCK_GAMES
        behind = behind if end is None else min(end, behind)
        return (behind - first, range(first, behind)) if first < behind else None
