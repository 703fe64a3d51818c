"""The tables of the tests, read by the engine and by python-chess."""

from __future__ import annotations

import chess
import chess.syzygy
import pytest

from standstill.engine.play.endgames import Endgames
from tests.knowledge.support import TABLES


@pytest.fixture(scope="module")
def tables() -> Endgames:
    return Endgames([str(TABLES)])


@pytest.fixture(scope="module")
def reader() -> chess.syzygy.Tablebase:
    return chess.syzygy.open_tablebase(str(TABLES))
