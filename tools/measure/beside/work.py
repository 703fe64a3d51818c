"""Measures work on games and tables: tagging compared with python-chess, probing tables, and building small ones."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable

import chess
import chess.syzygy

from standstill import rmobility
from tools.measure.beside.client import ROOT, run_to_end, standstill
from tools.measure.beside.report import Figure, Gap, Row, Section, Unmeasurable
from tools.measure.cost import tagging

TIMES = 30  # our tagging is so much faster that a sample repeats it this many times
PROBES = 2000
SEED = 20261123
SYZYGY = ROOT / "tests" / "data" / "syzygy"


def measure(repeats: int) -> Section:
    section = Section(
        "work",
        "games and tables",
        f"processor time of one process, median [range] of {repeats}; python-chess takes turns with us",
    )
    for name, comments in (("without comments", False), ("with comments", True)):
        section.lines.append(_tagging(name, comments, repeats))
    section.lines.append(_probing(repeats))
    try:
        section.lines.append(_building(repeats))
    except Unmeasurable as missing:
        section.lines.append(Gap("building tables", str(missing)))
    return section


def _tagging(name: str, comments: bool, repeats: int) -> Row:
    data = tagging.made_up(comments)
    games = tagging.sample(data)
    mine, other = [], []
    for _ in range(repeats):
        mine.append(tagging.timed(tagging.ours, data * TIMES) / 1000)
        other.append(tagging.timed(tagging.peer, games) / 1000)
    return Row(f"tag, games {name}", "k plies/s", Figure.of(mine), "python-chess", Figure.of(other), paired=True)


def _probing(repeats: int) -> Row:
    """Probe R-Mobility and Syzygy tables from Python by FEN, in KRvK; the two kinds of tables hold different values."""
    fens = _rook_endings()
    mine, other = [], []
    with chess.syzygy.open_tablebase(str(SYZYGY)) as tables:
        for _ in range(repeats):
            mine.append(_per_ms(rmobility.probe, fens))
            other.append(_per_ms(lambda fen: tables.probe_dtz(chess.Board(fen)), fens))
    return Row(
        "KRvK asked from Python", "1/ms", Figure.of(mine), "Syzygy by python-chess", Figure.of(other), paired=True
    )


def _rook_endings() -> list[str]:
    rng = random.Random(SEED)
    found: list[str] = []
    while len(found) < PROBES:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, 3)
        for square, man in zip(squares, "KRk", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = rng.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            found.append(board.fen())
    return found


def _per_ms(ask: Callable[[str], object], fens: list[str]) -> float:
    before = time.process_time()
    for fen in fens:
        ask(fen)
    return len(fens) / (time.process_time() - before) / 1000


def _building(repeats: int) -> Row:
    seconds = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            seconds.append(run_to_end(standstill(), "tables", "--path", folder, "build", "--men", "3")[1])
    return Row("tables of three men built", "s", Figure.of(seconds))
