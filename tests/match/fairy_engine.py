"""An engine for tests of games by definition: plays random moves by pyffish in UCI or XBoard's protocol, and
misbehaves.

    fairy_engine.py random|crash|illegal|null|hang|resign|claim|unannounced|nosetboard VARIANT [HALF-MOVE] [LOG]

VARIANT is pyffish's name. From its own HALF-MOVE on (default 3) it behaves as its first argument says. `unannounced`
does not announce the game, `nosetboard` (XBoard) does not announce setboard. LOG: a file for every line that it
receives.
"""

import random
import sys
import time

import pyffish

KIND, VARIANT = sys.argv[1:3]
FROM = int(sys.argv[3]) if len(sys.argv) > 3 else 3
KNOWN = "normal" if KIND == "unannounced" else f"normal,{VARIANT}"


def main() -> None:
    rng = random.Random(KIND)
    start, moves, count = pyffish.start_fen(VARIANT), [], 0
    for line in sys.stdin:
        words = line.split()
        note(line)
        match words:
            case ["uci"]:
                print("id name fairy test")
                variants = " ".join(f"var {name}" for name in KNOWN.replace("normal", "chess").split(","))
                print(f"option name UCI_Variant type combo default chess {variants}\nuciok")
            case ["isready"]:
                print("readyok")
            case ["protover", _]:
                print(f"feature ping=1 setboard={int(KIND != 'nosetboard')} usermove=1 nps=1 sigint=0 done=0")
                print(f'feature variants="{KNOWN}" done=1')
            case ["ping", number]:
                print("pong", number)
            case ["variant", _]:
                start, moves = pyffish.start_fen(VARIANT), []
                print(f"setup (PNBRQKpnbrqk) 8x8+0_fairy {start}\npiece P& fmWfceF")
            case ["setboard", *fields]:
                start = " ".join(fields)
            case ["usermove", move]:
                moves.append(move)
            case ["position", "fen", *rest]:
                at = rest.index("moves") if "moves" in rest else len(rest)
                start, moves = " ".join(rest[:at]), rest[at + 1 :]
            case ["ucinewgame" | "new"]:
                count = 0
            case ["go", *limits]:
                count += 1
                answer(rng, start, moves, KIND if count >= FROM else "random", uci=bool(limits))
            case ["quit"]:
                return
        sys.stdout.flush()


def note(line: str) -> None:
    if len(sys.argv) > 4:
        with open(sys.argv[4], "a", encoding="utf-8") as log:
            log.write(line)


def answer(rng: random.Random, start: str, moves: list[str], kind: str, uci: bool) -> None:
    if kind == "crash":
        sys.exit(1)
    if kind == "hang":
        time.sleep(1000)
    word = "bestmove" if uci else "move"
    if kind == "resign":
        print("resign")
    elif kind == "claim":
        print("1/2-1/2 {I should think so}")
    elif kind == "null":
        print(word, "0000" if uci else "@@@@")
    elif kind == "illegal":
        print(word, "a1a8")
    else:
        move = rng.choice(pyffish.legal_moves(VARIANT, start, moves))
        moves.append(move)
        print(word, move)


main()
