"""Draws the boards of docs/rmobility.md: `.venv/bin/python tests/measure/diagrams.py` writes docs/images/*.svg."""

from __future__ import annotations

from pathlib import Path

import chess
import chess.svg

OUT = Path(__file__).resolve().parents[2] / "docs" / "images"
# The squares that the side to move may go to are marked.
BOARDS = {
    "bishop": "8/8/7k/5B2/6K1/8/8/8 b - - 0 1",
    "knight": "8/8/8/2kNK3/8/8/8/8 b - - 0 1",
    "kings": "8/8/8/3K1k2/8/8/8/8 w - - 2 2",
    "pawn": "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
}


def main() -> None:
    OUT.mkdir(exist_ok=True)
    for name, fen in BOARDS.items():
        board = chess.Board(fen)
        targets = {move.to_square: "#80a040a0" for move in board.legal_moves}
        svg = chess.svg.board(board, size=240, fill=targets, coordinates=False)
        (OUT / f"rmobility-{name}.svg").write_text(f"{svg}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
