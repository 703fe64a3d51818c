"""An engine for tests: plays random moves by python-chess in UCI or XBoard's protocol, and misbehaves on request.

    engine.py KIND [HALF-MOVE]

From its own HALF-MOVE on (default 3) it behaves as KIND says: random, crash, leave, illegal, odd, null, none, hang,
talk, think, late, pause, resign, claim. `leave` makes its move before it exits; `talk` and `think` print thinking
lines; `late` and `think` move late. Some kinds take effect at the start: `silent` never answers; `noping`,
`nosetboard` and `nonps` (XBoard) lack a feature; `wrong` announces an option wrongly; `once` starts only once in its
folder (the next argument), and then crashes.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from quick_chess import load

chess = load()

KIND = sys.argv[1]
FROM = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 3
FEATURES = {"ping": 1, "setboard": 1, "nps": 1, "usermove": 1, "reuse": 1, "sigint": 0, "colors": 0}


def main() -> None:
    if KIND == "once":
        mark = Path(sys.argv[2])
        if mark.exists():
            sys.exit(1)
    rng = random.Random(KIND)
    board = chess.Board()
    moves = 0
    for line in sys.stdin:
        words = line.split()
        if KIND == "silent" or not words:
            continue
        if words[0] == "xboard":
            play_xboard(rng)
            return
        if words[0] == "uci":
            default = 99 if KIND == "wrong" else 1
            print(f"id name test\noption name Level type spin default {default} min 0 max 9")
            print("option name InsufficientMaterialDraw type check default true")
            print("option name UCI_Chess960 type check default false\nuciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "ucinewgame":
            moves = 0
        elif words[0] == "setoption":
            print("info string", *words)
            note(line)
        elif words[0] == "position":
            board = set_up(words[1:])
        elif words[0] == "go":
            note(line)
            moves += 1
            if KIND in ("talk", "think"):
                print("info depth 12 score cp 31 nodes 5 pv e2e4", flush=True)
            said = reply(rng, board, KIND if moves >= FROM or KIND == "once" else "random")
            print(f"bestmove {said}", flush=True)
            if KIND == "leave" and moves >= FROM:
                return
        elif words[0] == "quit":
            return
        sys.stdout.flush()


def note(line: str) -> None:
    """Record the line, if the test has named a file for it."""
    if KIND == "random" and len(sys.argv) > 3:
        with open(sys.argv[3], "a", encoding="utf-8") as log:
            log.write(line)


def reply(rng: random.Random, board: chess.Board, kind: str) -> str:
    if kind == "once":
        Path(sys.argv[2]).touch()
    if kind in ("crash", "once"):
        sys.exit(1)
    if kind == "hang":
        time.sleep(1000)
    if kind in ("late", "think"):
        time.sleep(1.5)
    if kind == "pause":
        time.sleep(0.2)
    said = {"illegal": "a1a8", "odd": 'e2"]e4\\' + "x" * 500, "null": "0000", "none": "(none)"}.get(kind)
    if said is None:
        said = board.uci(rng.choice(list(board.legal_moves)))
    return said


def set_up(words: list[str]) -> chess.Board:
    at = words.index("moves") if "moves" in words else len(words)
    text = chess.STARTING_FEN if words[0] == "startpos" else " ".join(words[1:at])
    board = chess.Board(text)
    if board.status() != chess.STATUS_VALID:
        board = chess.Board(text, chess960=True)
    for move in words[at + 1 :]:
        board.push_uci(move)
    return board


def play_xboard(rng: random.Random) -> None:
    features = {name: value for name, value in FEATURES.items() if f"no{name}" != KIND}
    board, moves, chess960 = chess.Board(), 0, False
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        note(line)
        if word == "protover":
            print("feature", *(f"{name}={value}" for name, value in features.items()))
            option = 'option="Level -spin" ' if KIND == "wrong" else ""
            print(f'feature variants="normal,fischerandom" myname="test" {option}done=1')
        elif word == "new":
            board, moves, chess960 = chess.Board(), 0, False
        elif word == "variant":
            chess960 = True
        elif word == "setboard":
            board = chess.Board(rest, chess960=chess960)
        elif word == "usermove":
            board.push(board.parse_xboard(rest))
        elif word in ("undo", "remove"):
            for _ in range(1 + (word == "remove")):
                board.pop()
        elif word == "ping":
            print(f"pong {rest}")
        elif word == "go":
            moves += 1
            kind = KIND if moves >= FROM else "random"
            said = reply(rng, board, kind)
            if kind == "claim":
                print("1/2-1/2 {Insufficient material}")
            elif kind == "resign":
                print("resign")
            elif kind == "null":
                print("move @@@@")
            else:
                print("move", board.xboard(chess.Move.from_uci(said)) if kind != "illegal" else said)
            if kind not in ("illegal", "null", "claim", "resign"):
                board.push_uci(said)
        elif word == "quit":
            return
        sys.stdout.flush()


main()
