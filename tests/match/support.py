"""Engines for tests, positions for them, and the games that they have played."""

from __future__ import annotations

import io
import shlex
import sys
from pathlib import Path

import chess.pgn

ENGINE = Path(__file__).with_name("engine.py")
KINGS = "8/8/8/2K3k1/8/8/8/8 w - - 0 1"
BISHOP = "6k1/8/5K2/5B2/8/8/8/8 b - - 0 1"
NEARLY_OVER = "8/8/8/2K3k1/8/8/8/7R w - - 88 60"  # each side has at most six moves left


def fake(kind: str, *more: object, name: str | None = None, proto: str = "uci") -> str:
    arguments = " ".join(f"arg={argument}" for argument in more)
    program, script = shlex.quote(sys.executable), shlex.quote(str(ENGINE))
    return f"cmd={program} arg={script} arg={kind} {arguments} name={name or kind} proto={proto}"


def games_in(path: Path) -> list[chess.pgn.Game]:
    stream = io.StringIO(path.read_text(encoding="utf-8"))
    return list(iter(lambda: chess.pgn.read_game(stream), None))
