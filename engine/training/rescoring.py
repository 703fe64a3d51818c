"""Replaces the scores of games by scores of longer searches, which train networks better (docs/training-data.md)."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Any

from standstill.cext.training.selfplay import Rescorer

from .. import NAME, VERSION
from ..common.errors import TrainingError
from ..common.text import shown_path
from ..network.loading import load
from ..network.shipped import path_for, path_of
from ..rmobility.objectives import classic
from ..variants.boards import new_board, new_evaluator
from ..variants.variant import Variant
from .filler import Filler
from .gamefile import ORIGIN, SEED, Block, GameFile, GameWriter
from .generator import HARD_FACTOR, HASH_MB, evaluation_name, rules_for
from .reading import Record, decoded, game_of

_NO_SCORE = -32768
_CP = Struct("<h")
_MOVE_BYTES = 2  # number of bytes of a move in a game of chess
_FAIRY_MOVE_BYTES = 4


class BlockRescorer:
    """A maker that searches positions in blocks of games."""

    rejected_openings = 0

    def __init__(self, path: str, game: Variant, rescorer: Rescorer):
        self._path = path
        self._game = game
        self._rescorer = rescorer
        self.scored = 0

    @property
    def nodes(self) -> int:
        return self._rescorer.nodes

    def block(self, task: Block) -> list[bytes] | None:
        """Return the same games with new scores; None if stopped. Raises TrainingError for damage."""
        games = []
        at = 0
        for number in range(task.first, task.first + task.games):
            try:
                record, end = decoded(self._game, task.data, at)
            except ValueError as error:
                raise TrainingError(f"{shown_path(self._path)}: game {number}: {error}") from None
            scores = self._rescorer.scores(record.board, record.moves, record.scores, number)
            if scores is None:
                return None
            games.append(self._packed(task.data[at:end], record, scores))
            self.scored += sum(score is not None for score in scores)
            at = end
        return games

    def _packed(self, data: bytes, record: Record, scores: list[int | None]) -> bytes:
        """Return the bytes of a game with these scores."""
        found = bytearray(data)
        move_bytes = _MOVE_BYTES if self._game.is_chess else _FAIRY_MOVE_BYTES
        ply_bytes = move_bytes + _CP.size
        searched = scores[record.opening :]
        begins = len(found) - ply_bytes * len(searched)
        for ply, score in enumerate(searched):
            _CP.pack_into(found, begins + ply_bytes * ply + move_bytes, _NO_SCORE if score is None else score)
        return bytes(found)

    def stop(self) -> None:
        self._rescorer.stop()


class Rescoring(Filler[Block]):
    """Fills a file with the games of another file, and with scores from searches of this many nodes."""

    def __init__(self, path: str, games: str, *, nodes: int, every: int, seed: int, workers: int, eval_file: str):
        """games: the path of the other file. every: of this many positions that a trainer keeps, one is chosen at
        random and searched.

        Raises TrainingError if the file to fill already holds games from elsewhere, or if ``games`` holds games for the
        record; NetworkError, OSError and DefinitionError.
        """
        self._source = GameFile(games)
        try:
            about, game = self._source.about, game_of(self._source)
            if "starts" in about:
                raise TrainingError(f"{shown_path(games)}: expected games for mate, found games for the record")
            network = path_of(eval_file) if game.is_chess else path_for(game, eval_file)
            weights = None if network is None else load(network, game)
            new: dict[str, Any] = {
                "engine": f"{NAME} {VERSION}",
                "evaluation": evaluation_name(network, mean=False),
                "every": every,
                "games": about,
                "hash": HASH_MB,
                "licence": about.get("licence", "unknown"),
                ORIGIN: f"{about.get(ORIGIN, 'unknown')}, scores by {NAME}",
                "rules": {"nodes": nodes, "most_nodes": HARD_FACTOR * nodes},
                SEED: seed,
            }
            new |= {name: about[name] for name in ("game", "rules_of_game") if name in about}
            how = new_evaluator(game, network=weights), classic(), HASH_MB, seed, rules_for(nodes), every
            makers = [BlockRescorer(games, game, Rescorer(new_board(game=game), *how)) for _ in range(max(1, workers))]
            self._blocks: Iterator[Block] = iter(self._source)
            super().__init__(GameWriter(path, new), makers)
        except BaseException:
            self._source.close()
            raise

    def take(self, first: int, end: int | None) -> tuple[int, Block] | None:
        """Return the next block of the other file. An interrupted run continues after its last whole block."""
        block = next((block for block in self._blocks if block.first + block.games > first), None)
        if block is None or (end is not None and first >= end):
            return None
        if block.first != first:
            expected, found = f"a block that begins with game {first}", f"one from game {block.first} on"
            raise TrainingError(f"{shown_path(self._source.path)}: expected {expected}, found {found}")
        return block.games, block
