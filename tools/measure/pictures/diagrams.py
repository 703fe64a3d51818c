"""Draws the boards of docs/rmobility.md and rmobility-endings.md: `python tools/measure/pictures/diagrams.py`."""

from __future__ import annotations

from pathlib import Path

import chess
import chess.svg

OUT = Path(__file__).resolve().parents[3] / "docs" / "images"
# The pictures mark the squares to which the side to move can go.
BOARDS = {
    "bishop": "8/8/7k/5B2/6K1/8/8/8 b - - 0 1",
    "knight": "8/8/8/2kNK3/8/8/8/8 b - - 0 1",
    "kings": "8/8/8/3K1k2/8/8/8/8 w - - 2 2",
    "pawn": "4k3/4P3/4K3/8/8/8/8/8 b - - 0 1",
    "opposition": "8/8/4K1k1/8/8/8/8/8 b - - 2 2",
    "bishop-stalemate": "7k/5B2/6K1/8/8/8/8/8 b - - 8 5",
    "sacrifice": "8/8/8/8/5K2/8/6Bk/8 b - - 11 6",
    "knight-corner": "6k1/8/5KN1/8/8/8/8/8 b - - 1 1",
    "zugzwang": "8/8/K1k5/8/2P5/8/8/8 w - - 0 1",
    "knights": "8/5K1k/6N1/5N2/8/8/8/8 b - - 15 8",
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
