"""An engine for tests that stops answering at some point; only SIGKILL ends it.

    stubborn.py start|ready|search|quit MARK

It stops answering at its start, at `isready`, in its first search or at `quit`, and then creates the file MARK. If that
file already exists, the engine works normally.
"""

import signal
import sys
import time
from pathlib import Path

import chess

STAGE, MARK = sys.argv[1], Path(sys.argv[2])


def silent() -> None:
    MARK.touch()
    while True:
        time.sleep(1000)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if STAGE == "start":
        silent()
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if words[0] == "uci":
            print("id name stubborn\nuciok", flush=True)
        elif words[0] == "isready":
            if STAGE == "ready":
                silent()
            print("readyok", flush=True)
        elif words[0] == "position":
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:8]))
            for move in words[words.index("moves") + 1 :] if "moves" in words else []:
                board.push_uci(move)
        elif words[0] == "go":
            if STAGE == "search" and not MARK.exists():
                silent()
            print(f"info depth 1 score cp 0 pv {next(iter(board.legal_moves))}")
            print("bestmove", next(iter(board.legal_moves)), flush=True)
        elif words[0] == "quit":
            if STAGE == "quit":
                silent()
            return
    silent()  # the parent process is gone


main()
