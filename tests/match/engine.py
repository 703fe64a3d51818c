"""A UCI engine for tests: plays random moves by python-chess, and misbehaves on demand.

    engine.py random|crash|illegal|hang|silent|resign [HALF-MOVE]

From that half-move of its own on (default 3) it does what its first argument says; `silent` never says a word.
"""

import random
import sys
import time

import chess

KIND = sys.argv[1]
FROM = int(sys.argv[2]) if len(sys.argv) > 2 else 3


def main() -> None:
    rng = random.Random(KIND)
    board = chess.Board()
    moves = 0
    for line in sys.stdin:
        words = line.split()
        if KIND == "silent" or not words:
            continue
        if words[0] == "uci":
            print("id name test\noption name Level type spin default 1 min 0 max 9\nuciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "ucinewgame":
            moves = 0
        elif words[0] == "position":
            board = set_up(words[1:])
        elif words[0] == "go":
            moves += 1
            answer(rng, board, KIND if moves >= FROM else "random")
        elif words[0] == "quit":
            return
        sys.stdout.flush()


def answer(rng: random.Random, board: chess.Board, kind: str) -> None:
    if kind == "crash":
        sys.exit(1)
    if kind == "hang":
        time.sleep(1000)
    if kind == "illegal":
        print("bestmove a1a8")
    else:
        print(f"bestmove {rng.choice(list(board.legal_moves)).uci()}")


def set_up(words: list[str]) -> chess.Board:
    at = words.index("moves") if "moves" in words else len(words)
    board = chess.Board() if words[0] == "startpos" else chess.Board(" ".join(words[1:at]))
    for text in words[at + 1 :]:
        board.push_uci(text)
    return board


main()
