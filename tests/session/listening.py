"""A listener that keeps what a search sends."""

from __future__ import annotations

from standstill.engine.common.info import BestMove, SearchInfo
from standstill.engine.play.listener import Listener


class Notes(Listener):
    def __init__(self) -> None:
        self.lines: list[SearchInfo] = []
        self.best: BestMove | None = None

    def info(self, info: SearchInfo) -> None:
        self.lines.append(info)

    def best_move(self, best: BestMove) -> None:
        self.best = best
