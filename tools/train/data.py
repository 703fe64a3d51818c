"""Samples for training: reading files of games, splitting by game, and the scale of scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from standstill.cext.training import fairy_samples, samples
from standstill.cext.training.record_samples import RecordReader
from standstill.engine.network.file import FEATURES, KING_GROUPS
from standstill.engine.training.reading import common_game, read_into, reader_of
from standstill.engine.variants.boards import new_evaluator
from standstill.engine.variants.variant import CHESS, Variant

# As in cext/training/sample.pxd.
SAMPLE = np.dtype(
    [("occupied", "<u8"), ("pieces", "u1", 16), ("cp", "<i2"), ("result", "u1"), ("ply", "u1"), ("game", "<u4")]
)
assert SAMPLE.itemsize == samples.SAMPLE_BYTES
MOST_INPUTS = 64
FAIRY_SAMPLE = np.dtype(
    [
        ("cp", "<i2"),
        ("result", "u1"),
        ("ply", "u1"),
        ("game", "<u4"),
        ("static_cp", "<i2"),
        ("n", "u1"),
        ("bucket", "u1"),
        ("inputs", "<u2", (2, MOST_INPUTS)),
    ]
)
assert FAIRY_SAMPLE.itemsize == fairy_samples.FAIRY_SAMPLE_BYTES
MOST_PIECES = 32
HELD_BACK = 40  # one game in this many is for validation
MOST_PIECES_OF_RECORDS = 20  # with more pieces on the board records have no weight in the search
USUAL_SCALE = 150.0  # centipawns; about the scale fitted to games with the hand-crafted evaluation
MOST_LOOKED_AHEAD = 5000.0  # centipawns
SCALES = (40.0, 2000.0)  # range of the scale of the scores, in centipawns


class Samples(NamedTuple):
    """All samples, and the numbers of those that train and of those that validate."""

    raw: np.ndarray  # uint8, as Trainer takes them
    training: np.ndarray  # uint32
    validation: np.ndarray  # uint32
    game: Variant
    inputs: int  # number of inputs of the game's networks
    records: bool = False  # whether results name the owner of the last record

    @property
    def by_king(self) -> bool:
        """Whether chess has separate inputs for each group of squares of the perspective's own king."""
        return self.game is CHESS and self.inputs > FEATURES

    @property
    def fields(self) -> np.ndarray:
        return self.raw.view(SAMPLE if self.game is CHESS else FAIRY_SAMPLE)

    def features(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Inputs of both perspectives and the outputs of the samples whose numbers ``order`` lists.

        The inputs of a sample fill a row from the left; the places after the last one hold ``inputs``.
        """
        if self.game is CHESS:
            own, other = (np.zeros((len(order), MOST_PIECES), dtype=np.int32) for _ in range(2))
            buckets = np.zeros(len(order), dtype=np.int32)
            samples.inputs(self.raw, np.ascontiguousarray(order), own, other, buckets, self.by_king)
            return own, other, self.fields["ply"][order].astype(np.int32) if self.records else buckets
        chosen = self.fields[order]
        unused = np.arange(MOST_INPUTS) >= chosen["n"][:, None]
        own, other = (np.where(unused, self.inputs, chosen["inputs"][:, side]).astype(np.int32) for side in range(2))
        return own, other, chosen["bucket"].astype(np.int32)

    def known(self, order: np.ndarray) -> np.ndarray:
        """Centipawns to which the network's values are added: the hand-crafted evaluation, or 0 in chess."""
        return np.zeros(len(order), dtype=np.int16) if self.game is CHESS else self.static_scores(order)

    def static_scores(self, order: np.ndarray | None = None) -> np.ndarray:
        """The hand-crafted static evaluations, in centipawns for the side to move, of all samples or of those given."""
        chosen = self.fields if order is None else self.fields[order]
        if self.game is not CHESS:
            return chosen["static_cp"]
        out = np.zeros(len(chosen), dtype=np.int16)
        samples.evaluate(np.ascontiguousarray(chosen).view(np.uint8), new_evaluator(CHESS), out)
        return out


def load(paths: Sequence[str], *, skip: int, most_cp: int, strays: int = 0, by_king: bool = False) -> Samples:
    """The samples of files of games; a game trains or validates as a whole.

    by_king: in chess, separate inputs for each group of squares of the perspective's own king.
    """
    game = common_game(paths)
    if strays and game is not CHESS:
        raise ValueError(f"--strays: expected games of chess, found {game.name}")
    if by_king and game is not CHESS:
        raise ValueError(f"--by-king: expected games of chess, found {game.name}")
    reader = samples.SampleReader(skip, most_cp, strays=strays) if strays else reader_of(game, skip, most_cp)
    read_into(reader, paths)
    if not len(reader):
        raise ValueError("there are no positions to learn from")
    chess_inputs = FEATURES * (KING_GROUPS if by_king else 1)
    inputs = chess_inputs if isinstance(reader, samples.SampleReader) else reader.input_count
    raw = copied(reader.samples_bytes())
    del reader  # three copies of all samples may not fit in memory
    return divided(raw, game, inputs)


def load_records(paths: Sequence[str]) -> Samples:
    """Positions of games played for the record, with the owner of the last one."""
    if (game := common_game(paths)) is not CHESS:
        raise ValueError(f"--records: expected games of chess, found {game.name}")
    reader = RecordReader(MOST_PIECES_OF_RECORDS)
    read_into(reader, paths)
    if not len(reader):
        raise ValueError("there are no positions to learn from")
    return divided(copied(reader.samples_bytes()), game, FEATURES, records=True)


def copied(kept: bytes) -> np.ndarray:
    return np.frombuffer(kept, dtype=np.uint8).copy()


def divided(raw: np.ndarray, game: Variant, inputs: int, *, records: bool = False) -> Samples:
    """The samples, with some of them held back for validation."""
    held_back = raw.view(SAMPLE if game is CHESS else FAIRY_SAMPLE)["game"] % HELD_BACK == HELD_BACK - 1
    training, validation = (np.flatnonzero(which).astype(np.uint32) for which in (~held_back, held_back))
    if not len(training):
        raise ValueError("there are no positions to learn from: all are held back")
    return Samples(raw, training, validation, game, inputs, records)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def fit_scale(cp: np.ndarray, result: np.ndarray) -> float:
    """The centipawns s with which sigmoid(cp / s) predicts results (0, 1, 2) best, by squared error."""
    cp, won = cp.astype(np.float64), result / 2

    def loss(scale: float) -> float:
        return float(np.mean((sigmoid(cp / scale) - won) ** 2))

    low, high = SCALES
    for _ in range(40):
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (low, right) if loss(left) < loss(right) else (left, high)
    return (low + high) / 2


def looked_ahead(fields: np.ndarray, scale: float, decay: float) -> np.ndarray:
    """Scores that take the rest of each game into account: TD(lambda), Sutton (1988).

    The expected result E of a position is (1 - decay) times what its own score predicts, plus decay times E of the next
    sample of the game. Each ply between two samples multiplies by decay once more; after the last sample comes the
    result. ``fields``: samples in the order of their games. Returns centipawns, like the scores of the samples.
    """
    expected = sigmoid(fields["cp"] / scale)
    ply = fields["ply"].astype(np.int32)
    begins = np.flatnonzero(np.r_[True, fields["game"][1:] != fields["game"][:-1]])
    ends = np.r_[begins[1:], len(fields)]
    last = ends - 1
    expected[last] += decay * (fields["result"][last] / 2 - expected[last])
    for back in range(2, int((ends - begins).max()) + 1):
        here = (ends - back)[ends - begins >= back]
        plies = (ply[here + 1] - ply[here]) & 255  # the field for the ply has eight bits
        ahead = np.where(plies & 1, 1 - expected[here + 1], expected[here + 1])  # in the view of the sample's mover
        expected[here] += decay**plies * (ahead - expected[here])
    surest = sigmoid(MOST_LOOKED_AHEAD / scale)
    expected = np.clip(expected, 1 - surest, surest)
    return np.rint(scale * np.log(expected / (1 - expected))).astype(np.int16)
