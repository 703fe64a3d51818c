"""Loads networks into memory for the core."""

from __future__ import annotations

import mmap
import os

from standstill.cext.network.weights import Weights

from ..common.errors import NetworkError, OtherGameError
from ..common.regular_files import open_regular
from ..common.text import shown, shown_path
from ..variants.variant import CHESS, Variant
from .file import FORESEES, MOST_BYTES, RECORDS, Frame, read_frame


def load(path: str, game: Variant = CHESS, *, records: bool = False) -> Weights:
    """Load the weights of a file into memory that all workers share.

    records: load a network that predicts the holder of the final record, instead of one that evaluates.

    Raises NetworkError with the path and the reason, or OtherGameError for a network of another game.

    The weights are copied rather than mapped: the process would crash if another program truncated a mapped file.
    """
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MOST_BYTES:
                raise NetworkError(f"{shown_path(path)}: expected at most {MOST_BYTES} bytes, found {size} bytes")
            data = file.read(MOST_BYTES)
    except OSError as error:
        if isinstance(error, NetworkError):
            raise
        raise NetworkError(f"{shown_path(path)}: {error.strerror}") from None
    frame = read_frame(data, path)
    _check_game(frame, path, game)
    _check_task(frame, path, records)
    pages = mmap.mmap(-1, len(data))
    pages[:] = data
    places = (frame.feature_weights, frame.feature_biases, frame.output_weights, frame.output_biases)
    try:
        return Weights(pages, frame.about["name"], frame.width, frame.scale, places, frame.inputs)
    except ValueError as error:
        raise NetworkError(f"{shown_path(path)}: {error}") from None


def _check_game(frame: Frame, path: str, game: Variant) -> None:
    found = frame.about.get("game", CHESS.name)
    if found != game.name:
        raise OtherGameError(f"{shown_path(path)}: a network of {shown(found)}, not of {shown(game.name)}")
    if not game.is_chess and frame.about["rules"] != game.fingerprint:
        raise OtherGameError(f"{shown_path(path)}: a network for other rules of {shown(game.name)}")


def _check_task(frame: Frame, path: str, records: bool) -> None:
    if records != (frame.about.get(FORESEES) == RECORDS):
        tasks = "evaluates", "predicts records"
        wanted, found = tasks if not records else reversed(tasks)
        raise NetworkError(f"{shown_path(path)}: expected a network that {wanted}, found one that {found}")
