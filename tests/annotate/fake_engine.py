"""An engine that counts material; like the simplest UCI engines, it has no options and prints one line.

    python fake_engine.py [crash | hang FILE]

At the third search it exits (crash), or creates the file and stops responding (hang).
"""

import sys
import time
from pathlib import Path

import chess

VALUES = (0, 1, 3, 3, 5, 9, 0)


def worth(board: chess.Board, move: chess.Move) -> int:
    """The material balance after the move, in pawns from the mover's view."""
    board.push(move)
    balance = sum(VALUES[man.piece_type] * (1 if man.color != board.turn else -1) for man in board.piece_map().values())
    board.pop()
    return balance


def main(trouble: str = "", file: str = "") -> None:
    board = chess.Board()
    searches = 0
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            print("id name Counter\nuciok", flush=True)
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            moves = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:moves]))
            for move in words[moves + 1 :]:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            searches += 1
            if trouble == "crash" and searches > 2:
                return
            if trouble == "hang" and searches > 2:
                Path(file).touch()
                time.sleep(1000)
            moves = list(board.legal_moves)
            if "searchmoves" in words:
                moves = [chess.Move.from_uci(word) for word in words[words.index("searchmoves") + 1 :]]
            best = max(moves, key=lambda move: (worth(board, move), move.uci()))
            print(f"info depth 1 score cp {100 * worth(board, best)} pv {best}\nbestmove {best}", flush=True)
        elif words == ["quit"]:
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
