"""Collects quiet positions with results for tune_eval.py, from PGN files or from fast games of a UCI engine.

    python -m tools.measure.fit.tune_data pgn OUT FILE.pgn ...
    python -m tools.measure.fit.tune_data play OUT --minutes 8 --seed 1

For tune_fairy.py, Fairy-Stockfish plays a game by definition; --uci gives its own name of the game:

    python -m tools.measure.fit.tune_data --engine stockfish play OUT --game knightmate [--uci NAME]

Each line is ``FEN;result;cp``: the result 1, 0.5 or 0 and a short search's centipawns, both from White's view. The
engine also decides quietness: positions whose best move is a capture, a promotion or an evasion are left out. Games
between equal players say little about piece values, so in the games played here each side makes random moves at its own
rate.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import time
from pathlib import Path
from typing import TextIO

from standstill.engine.common.errors import IllegalMoveError, NotationError
from standstill.engine.variants import notation
from standstill.engine.variants.boards import named_game, new_board
from standstill.engine.variants.game_over import game_end

ENGINE = "/usr/games/stockfish"
LABEL_NODES = 1_000
PLAY_NODES = (150, 400, 1_000)
FIRST_PLY = 16  # skips eight moves, which come from opening books
LAST_PLIES = 6  # skips the last plies, because adjudicated games say little about quiet play
GAP = 5  # approximate number of plies between two positions of a game, because neighbours are alike
DECIDED = 1_500  # centipawns; beyond this the result is known anyway
RESIGN = 900
RESIGN_PLIES = 6
RANDOM_PLIES = (6, 14)  # random plies that open a game played here
ERRORS = (0.0, 0.0, 0.02, 0.06, 0.15)  # rates of random moves, one of which each side gets
LONGEST = 300
RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


class Engine:
    """A UCI engine that searches a fixed number of nodes."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, encoding="utf-8"
        )
        assert self.process.stdin and self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.say("setoption name Hash value 16")

    def say(self, line: str) -> None:
        self.stdin.write(line + "\n")
        self.stdin.flush()

    def search(self, fen: str, nodes: int) -> tuple[str, int]:
        """Return (best move, centipawns for the side to move); a mate is 30000."""
        return self.search_from(f"fen {fen}", nodes)

    def search_from(self, position: str, nodes: int) -> tuple[str, int]:
        """Like ``search``, from the text that follows ``position``."""
        self.say(f"position {position}\ngo nodes {nodes}")
        cp = 0
        for line in self.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return words[1], cp
            if "score" in words:
                kind, value = words[words.index("score") + 1 : words.index("score") + 3]
                cp = int(value) if kind == "cp" else 30_000 if int(value) > 0 else -30_000
        raise EOFError("the engine has gone")

    def close(self) -> None:
        self.say("quit")
        self.process.wait()


def line_of(board, result: float, best: str, cp: int) -> str | None:
    """Return a line of the file, or None if the position is not quiet or is decided."""
    if board.checkers or abs(cp) > DECIDED or board.noisy(notation.parse_move(board, best)):
        return None
    return f"{notation.fen(board)};{result};{cp if board.stm == 0 else -cp}\n"


def label_pgn(engine: Engine, path: Path, out: TextIO, rng: random.Random) -> int:
    import chess.pgn

    written = 0
    with path.open(encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            result = RESULTS.get(game.headers["Result"])
            if result is None or game.errors or game.headers.get("Variant", "").lower() == "fischerandom":
                continue
            fens = [node.board().fen() for node in game.mainline()]
            ply = FIRST_PLY + rng.randrange(GAP)
            while ply < len(fens) - LAST_PLIES:
                board = new_board()
                notation.set_fen(board, fens[ply])
                if not board.checkers and (line := line_of(board, result, *engine.search(fens[ply], LABEL_NODES))):
                    out.write(line)
                    written += 1
                ply += 1 + rng.randrange(2 * GAP)
    return written


def ended(board) -> float | None:
    """Return the result by the rules, from White's view; None if the game goes on."""
    end = game_end(board)
    if end is not None:
        return RESULTS[end[0]]
    return 0.5 if board.plies >= LONGEST else None


def play_game(engine: Engine, rng: random.Random, game=None) -> list[str]:
    """Play a game with a random opening and random errors. Return its lines, or an empty list if the engine rejects a
    move.
    """
    board = new_board(game=game)
    moves: list[str] = []

    def push(move: int) -> None:
        moves.append(notation.move_text(board, move))
        board.push(move)

    for _ in range(rng.randrange(*RANDOM_PLIES)):
        push(rng.choice(board.legal_moves()))
        if ended(board) is not None:
            return []
    errors = rng.choice(ERRORS), rng.choice(ERRORS)
    nodes = rng.choice(PLAY_NODES)
    kept: list[tuple] = []
    far, wait = 0, rng.randrange(GAP)
    while (result := ended(board)) is None:
        best, cp = engine.search_from(f"startpos moves {' '.join(moves)}", nodes)
        far = far + 1 if abs(cp) >= RESIGN else 0
        if far == RESIGN_PLIES:
            result = float((cp > 0) == (board.stm == 0))
            break
        wait -= 1
        if wait < 0:
            kept.append((board.copy(), best, cp))
            wait = rng.randrange(GAP)
        careless = rng.random() < errors[board.stm]
        try:
            push(rng.choice(board.legal_moves()) if careless else notation.parse_move(board, best))
        except (IllegalMoveError, NotationError):
            return []
    lines = [line_of(before, result, best, cp) for before, best, cp in kept]
    return [line for line in lines if line]


def main() -> None:
    parser = argparse.ArgumentParser(description="Collect quiet positions with results.")
    parser.add_argument("--engine", default=ENGINE)
    parser.add_argument("--seed", type=int, default=1)
    commands = parser.add_subparsers(dest="command", required=True)
    pgn = commands.add_parser("pgn")
    pgn.add_argument("out", type=Path)
    pgn.add_argument("files", type=Path, nargs="+")
    play = commands.add_parser("play")
    play.add_argument("out", type=Path)
    play.add_argument("--minutes", type=float, default=8.0)
    play.add_argument("--game", default="chess", help="name of a game that we define")
    play.add_argument("--uci", help="the engine's name of the game, if it is different")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    engine = Engine(args.engine)
    written = 0
    with args.out.open("w", encoding="ascii") as out:
        if args.command == "pgn":
            for path in args.files:
                written += label_pgn(engine, path, out, rng)
        else:
            game = named_game(args.game)
            if game is not None:
                engine.say(f"setoption name UCI_Variant value {args.uci or args.game}")
            end = time.monotonic() + 60 * args.minutes
            while time.monotonic() < end:
                lines = play_game(engine, rng, game)
                out.writelines(lines)
                written += len(lines)
    engine.close()
    print(f"{written} positions")


if __name__ == "__main__":
    main()
