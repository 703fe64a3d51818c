"""An engine that misbehaves during a search, in UCI or XBoard's protocol, written without a library.

    misbehaving.py KIND MARK

The test finds the process by the word MARK. KIND is one of `KINDS`; the prefix `exclude-` makes an XBoard engine that
can be told to exclude moves, because such engines are used in another way.
"""

import os
import select
import signal
import subprocess
import sys
import time

KINDS = (
    "illegal",  # an illegal move
    "never",  # no answer to a search
    "stop",  # an answer only after `stop`, `?` or `exit`
    "flood",  # endless thinking lines
    "deaf-flood",  # endless thinking lines, and it no longer reads input
    "endless-line",  # an endless line
    "many-lines",  # a thinking line numbered 10^12
    "dies",
    "closes",  # closes its output and keeps running
    "orphan",  # exits, leaving a child process that holds the output open
    "quit",  # plays, but does not exit when told to
    "second-game",  # plays, but is silent in the second game unless the file MARK exists
)
KIND = "".join(sys.argv[1:2]).removeprefix("exclude-")
EXCLUDE = "".join(sys.argv[1:2]).startswith("exclude-")


def say(text: str) -> None:
    print(text, flush=True)


def thought(xboard: bool, move: str) -> str:
    return f"1 20 1 200 {move}" if xboard else f"info depth 1 score cp 20 nodes 200 pv {move}"


def answer(xboard: bool, move: str) -> None:
    say(thought(xboard, move))
    say(f"move {move}" if xboard else f"bestmove {move}")


def search(xboard: bool) -> None:
    """Respond to a search command in the position after zero, one or two moves of the test's game."""
    if KIND == "illegal":
        answer(xboard, "a1a8")
    elif KIND in ("flood", "deaf-flood"):
        while KIND == "deaf-flood" or not select.select([sys.stdin], [], [], 0)[0]:
            sys.stdout.write((thought(xboard, "e2e4") + "\n") * 100)
    elif KIND == "endless-line":
        while True:
            sys.stdout.write("x" * 4096)
    elif KIND == "many-lines":
        say("info depth 1 multipv 1000000000000 score cp 20 pv e2e4")
    elif KIND == "dies":
        sys.exit(3)
    elif KIND == "orphan":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)", sys.argv[2]])
        sys.exit(0)
    elif KIND == "closes":
        os.close(1)
        time.sleep(1000)


def main() -> None:
    xboard = False
    board = games = 0  # half-moves played; games started
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            say("id name test\nuciok")
        elif word == "isready":
            say("readyok")
        elif word == "protover":
            xboard = True
            say(f'feature ping=1 setboard=1 nps=1 usermove=1 sigint=0 exclude={int(EXCLUDE)} myname="test" done=1')
        elif word == "ping":
            say(f"pong {rest}")
        elif word == "ucinewgame":
            games += 1
        elif word == "position":
            board = len(line.partition(" moves ")[2].split())
        elif word in ("new", "setboard"):
            board = 0
        elif word == "usermove":
            board += 1
        elif word in ("undo", "remove"):
            board -= 1 + (word == "remove")
        elif word in ("go", "analyze"):
            if KIND == "quit" or (KIND == "second-game" and (games < 2 or os.path.exists(sys.argv[2]))):
                answer(xboard, ("e2e4", "e7e5", "g1f3")[board])
                board += xboard and word == "go"
            else:
                search(xboard)
        elif word in ("stop", "?") and KIND == "stop":
            answer(xboard, "e2e4")
        elif word == "quit" and KIND == "quit":
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            time.sleep(1000)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
