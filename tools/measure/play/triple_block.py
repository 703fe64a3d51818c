"""Plays or checks games under Triple Block in which a day lasts a second.

`python tools/measure/play/triple_block.py [GAMES] [ENGINE] [CLOCK] [SCALE]` plays games: the script is the client,
measures our thinking time from outside, and keeps the clock. A game is lost on time when that clock reaches zero. The
opponent is a UCI engine without a clock.

`python tools/measure/play/triple_block.py check LOG...` judges games of cutechess-cli by its output with `-debug all`.
The exit status is 1 if there was a fault.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import chess
import chess.engine

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT), str(ROOT / "build/tree")]

from standstill.engine.clock.control import TimeUp
from standstill.engine.clock.triple_block import parse_state
from standstill.engine.clock.units import DAY_MS, days, parse_duration
from tools.measure.play.triple_block_log import PAID, Verdict, judge, read

OPPONENT_TIME_S = 0.02
IGNORED = chess.engine.Limit(white_clock=1, black_clock=1)  # times of ordinary clocks, which the engine must ignore
OPENINGS = ("e2e4 c7c5", "d2d4 d7d5", "c2c4 e7e5", "g1f3 g8f6", "e2e4 e7e5", "d2d4 g8f6", "e2e4 e7e6", "d2d4 f7f5")
STATE = re.compile(r"tripleblock clock (\S+) bank (\S+) move (\d+) total (\S+)")


def play(ours, theirs, number: int, clock: str, scale: int) -> dict:
    given = parse_state(clock)
    side, terms = given.side, given.terms
    board = chess.Board()
    for move in OPENINGS[number % len(OPENINGS)].split():
        board.push_uci(move)
    white = number % 2 == 0
    ours.configure({"TripleBlock": f"{clock}@1", "TripleBlockScale": scale})
    least, own = side.clock_ms, 0.0
    game = object()
    while not board.is_game_over(claim_draw=True) and board.fullmove_number < 200:
        if board.turn != (chess.WHITE if white else chess.BLACK):
            board.push(theirs.play(board, chess.engine.Limit(time=OPPONENT_TIME_S), game=game).move)
            continue
        started = time.monotonic_ns()
        best = ours.play(board, IGNORED, game=game, info=chess.engine.INFO_ALL)
        spent = time.monotonic_ns() - started
        try:
            side = terms.complete(side, -(-spent * 86_400 // (scale * 1_000_000)))
        except TimeUp:
            return {"game": number, "moves": side.moves, "result": "lost on time", "spent": spent / 1e9}
        least = min(least, side.clock_ms)
        # python-chess keeps the last `info string`, which is the state after the move.
        own = days(parse_duration(STATE.search(best.info["string"])[4]))
        board.push(best.move)
    return {
        "game": number,
        "colour": "white" if white else "black",
        "moves": side.moves,
        "result": board.result(claim_draw=True),
        "total": round(days(side.total_ms), 2),
        "own count": own,
        "least clock": round(days(least), 2),
        "used": round(side.used_ms / DAY_MS, 2),
        "increments": min(side.moves, 50),
    }


def main(games: int = 20, opponent: str = "/usr/games/stockfish", clock: str = "50/75/1", scale: int = 1) -> None:
    lost = 0
    with (
        chess.engine.SimpleEngine.popen_uci(str(ROOT / "standstill")) as ours,
        chess.engine.SimpleEngine.popen_uci(opponent) as theirs,
    ):
        for number in range(games):
            found = play(ours, theirs, number, clock, scale)
            lost += found["result"] == "lost on time"
            print(found, flush=True)
    print(f"{games} games, {lost} lost on time")


def check(paths: list[str]) -> int:
    """Print a line for each game, and its faults; return the number of faults."""
    verdicts, finished, lost = [], 0, 0
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            match = read(file)
        finished, lost = finished + len(match.ends), lost + match.lost_on_time
        for game in match.games:
            verdict = judge(game)
            verdicts.append(verdict)
            print(_line(game.state, verdict))
            for fault in verdict.faults:
                print(f"  {fault}")
    faults = sum(len(verdict.faults) for verdict in verdicts)
    print(
        f"{len(verdicts)} games, {finished} of them finished, {sum(verdict.moves for verdict in verdicts)} moves,"
        f" {sum(verdict.last > PAID for verdict in verdicts)} games beyond move {PAID}:"
        f" {lost} lost on time, {faults} faults"
    )
    return faults + lost


def _line(state: str, found: Verdict) -> str:
    return (
        f"{state}: {found.moves} moves, {found.paid} paid, used {_days(found, found.used_ms)}, left"
        f" {_days(found, found.left_ms)}, least clock {_days(found, found.least_ms)}, refills needed"
        f" {found.refills_needed} advised {found.refills_advised}, apart from the engine's clock"
        f" {found.engine_apart_ms} ms, from the client's {found.client_apart_ms} ms"
    )


def _days(found: Verdict, ms: int | None) -> str:
    return "-" if ms is None else f"{ms / found.day_ms:.2f}d"


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["check"]:
        sys.exit(1 if check(words[1:]) else 0)
    main(*(int(word) if at in (0, 3) else word for at, word in enumerate(words)))
