"""Taking a network into memory for the core."""

from __future__ import annotations

import mmap
import os

from standstill.cext.network.weights import Weights

from ..words.errors import NetworkError
from ..words.regular import open_regular
from ..words.text import shown_path
from .file import MOST_BYTES, read_frame


def load(path: str) -> Weights:
    """The numbers of a file, which all workers share. Raises NetworkError with the path and the reason.

    They are copied into pages of their own: to cut a file, or write it anew, while it is mapped would end the process.
    """
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > MOST_BYTES:
                raise NetworkError(f"{shown_path(path)}: {size} bytes, where no network has more than {MOST_BYTES}")
            data = file.read(MOST_BYTES)
    except OSError as error:
        if isinstance(error, NetworkError):
            raise
        raise NetworkError(f"{shown_path(path)}: {error.strerror}") from None
    frame = read_frame(data, path)
    pages = mmap.mmap(-1, len(data))
    pages[:] = data
    places = (frame.feature_weights, frame.feature_biases, frame.output_weights, frame.output_biases)
    try:
        return Weights(pages, frame.about["name"], frame.width, frame.scale, places)
    except ValueError as error:
        raise NetworkError(f"{shown_path(path)}: {error}") from None
