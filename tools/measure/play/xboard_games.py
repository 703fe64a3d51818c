"""Plays matches of fairy games in real XBoard, on a virtual screen (Xvfb), and reports results and the side at fault.

    python tools/measure/play/xboard_games.py FOLDER [VARIANT ...] [--games 40] [--tc 0:02] [--inc 0.05] ...

XBoard is the arbiter: it knows the rules of most games itself, learns the others from our `setup` and `piece` lines,
and forfeits a game for a move that it considers illegal. The variants take turns, so that an interrupted run has some
games of each. Each portion of games leaves its PGN and its log in FOLDER, and a second run continues where the first
ended.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
VARIANTS = (
    *("normal", "knightmate", "capablanca", "shatranj", "makruk", "spartan", "berolina", "fairy", "courier"),
    "los-alamos",
)
GAME_S = 90  # time limit per game of a portion, three times the usual length of a game

_TAG = re.compile(r'^\[(\w+) "(.*)"\]$', re.MULTILINE)
_COMMENT = re.compile(r"\{([^{}]*)\}")
# The texts with which XBoard reports games that did not end by the rules.
_FAULTS = ("illegal", "invalid", "forfeit", "time", "exited", "false", "died", "disconnect", "abort")
_COMPLAINT = re.compile(r"^\d+ <(first |second): ((?:Illegal|Error(?! .unknown command)).*)$", re.MULTILINE)


@dataclass
class Played:
    """One game: our result and its reason."""

    score: float  # our engine's
    reason: str
    moves: str  # without clocks and comments, so that equal games can be recognised

    @property
    def fault(self) -> str:
        """Return the side at fault and its fault; empty if the game ended by the rules."""
        if not any(word in self.reason.lower() for word in _FAULTS):
            return ""
        return f"{'ours' if self.score == 0 else 'theirs' if self.score == 1 else 'both'}: {self.reason}"


@dataclass
class Tally:
    """The games of one variant."""

    games: list[Played] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def line(self, name: str) -> str:
        results = Counter(game.score for game in self.games)
        percent = 100 * sum(game.score for game in self.games) / len(self.games)
        faults = sum(bool(game.fault) for game in self.games)
        different = len({game.moves for game in self.games})
        counts = f"{results[1.0]} | {results[0.5]} | {results[0.0]}"
        return f"| {name} | {len(self.games)} | {counts} | {percent:.1f} % | {different} | {faults} |"


def read_games(text: str, our_name: str) -> list[Played]:
    """Return the finished games of a PGN as XBoard writes it. Aborted games have no result and are left out."""
    played = []
    for part in re.split(r"(?m)^(?=\[Event )", text):
        tags = dict(_TAG.findall(part))
        result = tags.get("Result")
        if result not in ("1-0", "0-1", "1/2-1/2"):
            continue
        white = tags["White"].startswith(our_name)
        score = 0.5 if result == "1/2-1/2" else float((result == "1-0") == white)
        movetext = _TAG.sub("", part)
        comments = _COMMENT.findall(movetext)
        reason = " ".join(comments[-1].split()) if comments else ""
        moves = " ".join(_COMMENT.sub(" ", movetext).split())
        played.append(Played(score, reason, moves))
    return played


def play(options: argparse.Namespace, variant: str, portion: int) -> None:
    """Play a portion as one match with alternating colours, unless its games exist already."""
    folder = options.folder.resolve()
    games, log = folder / f"{variant}-{portion:02}.pgn", folder / f"{variant}-{portion:02}.log"
    if games.exists():
        return
    count = min(options.portion, options.games - portion * options.portion)
    part = games.with_suffix(".part")
    for file in (part, log):
        file.unlink(missing_ok=True)
    environment = os.environ | {"HOME": str(folder), "PATH": os.environ["PATH"] + ":/usr/games"}
    command = [
        *("xvfb-run", "-a", "xboard", "-mode", "TwoMachines", "-variant", variant, "-fcp", options.engine),
        *("-xponder", "-scp", options.opponent, "-mg", str(count), "-tc", options.tc, "-inc", options.inc),
        # Without -xanimate the mover's clock runs while XBoard animates each move.
        *("-xanimate", "-autoCallFlag", "true", "-matchPause", "200", "-sgf", str(part), "-xexit"),
        *("-saveSettingsOnExit", "false", "-soundProgram", "true", "-debug", "-nameOfDebugFile", str(log)),
        *(["-firstOptions", options.set] if options.set else []),
        *(["-depth", str(options.depth)] if options.depth else []),
    ]
    with open(folder / "xboard.err", "ab") as errors:
        process = subprocess.Popen(
            command, env=environment, cwd=folder, start_new_session=True, stdout=errors, stderr=errors
        )
        try:
            process.wait(timeout=count * options.game_s)
        except subprocess.TimeoutExpired:
            print(f"{variant}: a portion took more than {count * options.game_s} s", file=sys.stderr)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    if part.exists():
        part.rename(games)


def tallies(folder: Path, variants: list[str], our_name: str) -> dict[str, Tally]:
    """Return the games in the folder by variant, without variants that have no games."""
    found = {}
    for variant in variants:
        tally = Tally()
        for games in sorted(folder.glob(f"{variant}-[0-9][0-9].pgn")):
            tally.games += read_games(games.read_text("latin-1"), our_name)
            log = games.with_suffix(".log")
            if log.exists():
                tally.complaints += [" ".join(line) for line in _COMPLAINT.findall(log.read_text("latin-1"))]
        if tally.games:
            found[variant] = tally
    return found


def report(found: dict[str, Tally]) -> str:
    """Return the table, with a line for all variants, then every fault and complaint."""
    lines = [
        "| variant | games | won | drawn | lost | score | different games | not ended by the rules |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *(tally.line(variant) for variant, tally in found.items()),
    ]
    together = Tally([game for tally in found.values() for game in tally.games])
    if together.games:
        lines.append(together.line("all"))
    for variant, tally in found.items():
        ends = Counter(re.sub(r"[\d.]+", "", game.reason) for game in tally.games)
        lines.append(f"{variant}: " + ", ".join(f"{count} x {end}" for end, count in ends.most_common()))
        lines += [f"  {game.fault}" for game in tally.games if game.fault]
        lines += [f"  complaint of {line}" for line in tally.complaints]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where games and logs go")
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), help="names for XBoard's -variant")
    parser.add_argument("--engine", default=str(ROOT / "standstill"), help="our command line")
    parser.add_argument("--name", default="Standstill", help="the beginning of our name in the games")
    parser.add_argument("--opponent", default="/usr/games/fairymax 22", help="the opponent's command line")
    parser.add_argument("--games", type=int, default=40, help="games of each variant")
    parser.add_argument("--portion", type=int, default=10, help="games of one variant before the next variant")
    parser.add_argument("--tc", default="0:02", help="XBoard's -tc: minutes:seconds")
    parser.add_argument("--inc", default="0.05", help="seconds a move")
    parser.add_argument("--depth", type=int, help="nodes per move; needs a --tc that is not used up")
    parser.add_argument("--game-s", type=int, default=GAME_S, help="the longest a game may take, on average")
    parser.add_argument("--set", default="", metavar="NAME=VALUE,...", help="options of our engine")
    parser.add_argument("--only-report", action="store_true", help="report without playing")
    options = parser.parse_args(arguments)
    if not options.only_report:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that leaving this process also ends XBoard
        missing = [name for name in ("xvfb-run", "xboard") if not shutil.which(name, path="/usr/bin:/usr/games")]
        if missing:
            print(f"not found: {', '.join(missing)}", file=sys.stderr)
            return 2
        options.folder.mkdir(parents=True, exist_ok=True)
        for portion in range(-(-options.games // options.portion)):
            for variant in options.variants:
                play(options, variant, portion)
                print(report(tallies(options.folder, [variant], options.name)), flush=True)
    print(report(tallies(options.folder, options.variants, options.name)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
