"""Searches fixed positions to a fixed depth, to measure the speed and to compute a signature of the search.

With one thread and the default hash the node count is the same in every build and on every machine. A commit that
changes it changes the engine's play.
"""

from __future__ import annotations

import time

from ..common.info import score_text
from ..common.limits import Limits
from ..network.shipped import AUTO, DEFAULT, path_for, path_of
from ..system.hardware import processors
from ..variants.boards import named_game
from .session import Session

DEPTH = 15  # takes a few seconds
VARIANT_DEPTH = 10  # takes as long in variants as DEPTH in chess
HASH_MB = 16
SPEEDTEST_S = 30
HASH_MB_A_THREAD = 64
# The positions of variants are taken after this many plies of random games.
VARIANT_PLIES = (0, 6, 12, 18, 24, 30, 40, 50, 60, 80)

# Positions from games that an engine played for this purpose, and some textbook endings. Castling is in X-FEN.
POSITIONS = (
    # openings
    "r1bq1rk1/2p1bppp/p2p1n2/4p3/3PP3/5N2/PP2QPPP/RNB2RK1 w - - 1 11",
    "r1bq1rk1/pppn1pbp/3p1np1/8/2PNP3/2N4P/PP2BPP1/R1BQ1RK1 b - - 0 9",
    "r1bqk2r/1p2bppp/p1n1pn2/3pP3/3N1P2/2N1BB2/PPP3PP/R2QK2R b KQkq - 0 10",
    "rn2k2r/pp1nqppp/2p5/3p4/3P2bN/2N1P3/PPQ2PPP/R3KB1R w KQkq - 0 11",
    "r3kbnr/pp1b1ppp/1qn1p3/3pP3/P2p4/2P2N2/1P2BPPP/RNBQK2R w KQkq - 0 8",
    "r1bq1rk1/pp2bppp/1nn5/2p1p3/8/1PNP1NP1/PB2PPBP/R2QK2R w KQ - 2 10",
    "r3kbnr/ppqnpppp/2p3b1/8/P2P4/5NN1/1PP1BPPP/R1BQK2R b KQkq - 2 8",
    "rnbq1rk1/ppp3bp/3np1p1/3pNp2/3P4/5PP1/PPPNP1BP/R1BQR1K1 w - - 1 10",
    "rnb1k2r/ppp1np1p/3p4/6q1/4Pp2/2NP2b1/PPPQ1NP1/R1B1KB1R w KQkq - 3 11",
    "rn1qkb1r/1b1p1ppp/pP3n2/2pp4/4P3/2N5/PP3PPP/R1BQKBNR w KQkq - 0 8",
    # middlegames
    "1r1qr1k1/1b2bpp1/p1pp1n1p/5N2/4P3/2N1BP2/PPQ3PP/R2R2K1 b - - 2 17",
    "1r4k1/2q1rp2/p1p1bp1p/3p4/N3P3/2Q2P2/PP1R2PP/3R2K1 b - - 1 26",
    "r3r1k1/1p2qp2/4nnp1/1Pp1p2p/p6P/2Q1BBP1/PP3PK1/3RR3 w - - 0 25",
    "r4rk1/1bq2p1p/4p1pP/ppnpP3/5PP1/1PP2B2/P2QN3/1K1R3R w - - 0 23",
    "4k2r/p2n1p1p/4bqp1/1p1p4/P2P1N2/3BPNPP/1PR5/5K1R b k - 2 26",
    "r3kb1r/pp3p1p/4p2p/1b1pP3/Pn1P4/2q2N2/3N1PPP/1R1Q1RK1 w kq - 2 14",
    "r1b1r2k/pp2b1pp/1nnq4/2p1pp2/8/NP1P2P1/PB1NPPBP/2RQ1RK1 b - - 5 14",
    "3r2k1/1pq2ppp/p1p2bb1/P2B4/8/1PP3NP/3B1PP1/R3Q1K1 b - - 0 21",
    "r4rk1/pb2q2p/1p2p3/2P1Ppp1/2P1p3/BP2P1P1/P1Q4P/3RR1K1 w - - 0 21",
    "1qbr2k1/2r2pp1/p1B1pbnp/P7/1pNPQ3/6B1/1PP2PPP/R2R2K1 w - - 0 28",
    "3rkb1r/1p3ppp/p1q2n2/2p1p3/4N3/BP1PPP2/2Q2P1P/R1R3K1 b k - 2 15",
    "1k4rr/pppnnp2/3p4/7p/q3PNb1/R2P4/1PPQB1P1/2B2RK1 b - - 5 25",
    "7r/2qkppb1/p2p2p1/3P1b1P/1p3N2/1Q6/PPP5/1K1R3R b - - 4 25",
    "rnbq1rk1/5ppp/1p1p1b2/p2Pp3/P4P2/1N6/2PBB1PP/R2Q1RK1 w - - 1 20",
    # endgames
    "8/5bk1/7p/R7/8/P2q2P1/1Q5P/2K5 b - - 8 60",
    "8/1p6/8/3kn3/5pP1/8/p4K2/B7 b - - 3 64",
    "8/7R/6kP/1P4p1/8/P2K4/6r1/8 w - - 1 62",
    "6k1/p4p2/8/7p/R7/3BP2q/8/4K3 w - - 0 48",
    "8/8/p1k5/3p2p1/1P1P2P1/8/1K6/8 w - - 8 70",
    "5r1k/8/5q2/p7/7P/1P1R4/3Q1P2/5K2 w - - 6 67",
    "8/3kp1R1/3p4/1p1P4/4b3/1P6/1PP5/1K6 b - - 0 37",
    "3b4/3Pkp2/6p1/3R3p/4r2P/6K1/8/8 b - - 13 68",
    "8/8/8/8/4k3/8/3PK3/8 w - - 0 1",
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1",
    "8/8/8/4k3/8/8/2B1K3/6N1 w - - 0 1",
    # Chess960
    "bqrnkr1b/p1pppppp/1p3n2/8/8/5NP1/PPPPPP1P/BQRNKR1B w KQkq - 2 3",
    "rk1qnbbr/1pp1pp1p/1n6/3pP1p1/pP6/P4P2/2PP2PP/RKNQNBBR w KQkq - 1 6",
    "qr2b1kr/1pp1np1p/3pnbpP/1p2p3/P1P5/4P3/3P1PP1/QRNBBNKR w KQkq - 0 9",
    "1k1r1rnb/pppn3p/5pp1/N3p3/q3P1b1/3P1NP1/PPPB1Q1P/1R1K1R1B w KQ - 4 12",
    "2krr1b1/1pp3bp/p1p5/P2pp3/1q1P1pPP/1N6/1PP5/1K1RRQB1 w - - 0 15",
)

TYPE_CHECKING = False  # the protocol imports this module, and importing typing costs time
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..common.info import BestMove, SearchInfo
    from ..variants.notation import Board


class Trial:
    """A series of searches, run by ``session``. Another thread may stop it."""

    __slots__ = ("cpu_s", "nodes", "positions", "session", "stopped", "wall_s")

    def __init__(self, threads: int, hash_mb: int, variant: str = "chess", eval_file: str = DEFAULT):
        """variant: the name of the game. eval_file: a value of EvalFile or VariantEvalFile; DEFAULT serves for both.

        Raises DefinitionError for an unknown game, and NetworkError for a network that cannot be used.
        """
        game = named_game(variant)
        path = path_of(eval_file) if game.is_chess else path_for(game, eval_file)
        if path is not None and eval_file not in (AUTO, DEFAULT):
            from ..network.loading import load
            from ..settings.config import find_file

            load(find_file(path), game)  # raises an error; a session would continue with another evaluation
        self.positions = 0
        self.nodes = 0
        self.cpu_s = 0.0
        self.wall_s = 0.0
        self.stopped = False
        self.session = Session()
        self.session.settings["Hash"] = hash_mb
        self.session.settings["Threads"] = threads
        self.session.settings["EvalFile" if game.is_chess else "VariantEvalFile"] = eval_file
        self.session.choose_game(variant)

    @property
    def threads(self) -> int:
        """The actual number of threads. It and ``hash_mb`` are known once a search has run."""
        return self.session.settings["Threads"]

    @property
    def hash_mb(self) -> int:
        return self.session.settings["Hash"]

    @property
    def nps(self) -> int:
        """Nodes per second of wall time; with one thread of CPU time, which a busy machine affects less."""
        seconds = self.cpu_s if self.threads == 1 else self.wall_s
        return round(self.nodes / seconds) if seconds > 0 else 0

    def stop(self) -> None:
        """Make ``run`` end soon. Other threads may call this."""
        self.stopped = True
        self.session.stop()

    def search(self, limits: Limits) -> tuple[BestMove, SearchInfo]:
        """Search the session's position and count nodes and time."""
        cpu_s, wall_s = time.process_time(), time.monotonic()
        best, line = self.session.search(limits, lambda: self.stopped)
        self.cpu_s += time.process_time() - cpu_s
        self.wall_s += time.monotonic() - wall_s
        self.positions += 1
        self.nodes += line.nodes
        return best, line


class Bench(Trial):
    """Fixed positions, each to the same depth and with an empty table."""

    __slots__ = ("depth",)

    def __init__(
        self,
        depth: int,
        *,
        threads: int = 1,
        hash_mb: int = HASH_MB,
        variant: str = "chess",
        eval_file: str = DEFAULT,
    ):
        super().__init__(threads, hash_mb, variant, eval_file)
        self.depth = depth

    def run(self, write: Callable[[str], None]) -> bool:
        """Search all positions. ``write`` a line about each, and then the totals.

        Returns False, without writing the totals, if it was stopped.
        """
        self.session.on_notice(write)
        limits = Limits()
        limits.depth = self.depth
        positions = POSITIONS if self.session.game.is_chess else variant_positions(self.session.board)
        for number, fen in enumerate(positions, 1):
            self.session.new_game()  # clears the table, so that no position uses entries of another
            self.session.position(fen, [])
            best, line = self.search(limits)
            if self.stopped:
                return False
            write(_report(number, len(positions), line, best.move, fen))
        self._write_totals(write)
        return True

    def _write_totals(self, write: Callable[[str], None]) -> None:
        # Default values are left out, so that the text of a default run remains comparable.
        unusual = f", threads {self.threads}" if self.threads != 1 else ""
        unusual += f", hash {self.hash_mb} MB" if self.hash_mb != HASH_MB else ""
        seconds = f", seconds: {self.wall_s:.2f}" if self.threads != 1 else ""
        write(f"Positions: {self.positions}, depth {self.depth}{unusual}, CPU seconds: {self.cpu_s:.2f}{seconds}")
        write(f"Nodes searched: {self.nodes}")
        write(f"Nodes/second: {self.nps}")


def run(depth: int, write: Callable[[str], None], variant: str = "chess") -> Bench:
    """Run the default bench to the end."""
    bench = Bench(depth, variant=variant)
    bench.run(write)
    return bench


class Speedtest(Trial):
    """Searches the positions of some games in order, as in play: each for a fixed time, and keeping the table.

    The games are the same on every machine, because searches with few nodes chose their moves (see ``games``).
    """

    __slots__ = ("seconds",)

    GAMES, PLIES, CHOICE_NODES = 5, 8, 3000

    def __init__(
        self,
        seconds: int = SPEEDTEST_S,
        *,
        threads: int | None = None,
        hash_mb: int | None = None,
        eval_file: str = DEFAULT,
    ):
        """threads: by default all processors that the process may use. hash_mb: by default in proportion to the
        threads."""
        threads = threads or processors()
        super().__init__(threads, hash_mb or min(HASH_MB_A_THREAD * threads, 4096), eval_file=eval_file)
        self.seconds = seconds

    def run(self, write: Callable[[str], None]) -> bool:
        """Search, and ``write`` a line about each game and then the totals. Returns False if it was stopped."""
        self.session.on_notice(write)
        limits = Limits()
        limits.movetime_ms = max(1, self.seconds * 1000 // (self.GAMES * self.PLIES))
        self.session.settings["Move Overhead"] = 0
        games = self.games()
        for number, (start, moves) in enumerate(games, 1):
            self.session.new_game()
            self.session.is_ready()  # allocate the table before measuring time
            nodes, wall_s = self.nodes, self.wall_s
            for ply in range(len(moves)):
                self.session.position(start, moves[:ply])
                self.search(limits)
                if self.stopped:
                    return False
            speed = (self.nodes - nodes) / (self.wall_s - wall_s)
            write(f"game {number}/{len(games)} {speed:>12.0f} nodes/second  {start}")
        threads, seconds = self.threads, f"{self.wall_s:.2f}"
        write(f"Positions: {self.positions}, threads {threads}, hash {self.hash_mb} MB, seconds: {seconds}")
        write(f"Nodes searched: {self.nodes}")
        write(f"Nodes/second: {self.nps}")
        return True

    @property
    def nps(self) -> int:
        return round(self.nodes / self.wall_s) if self.wall_s > 0 else 0

    def games(self) -> list[tuple[str, list[str]]]:
        """Return (FEN, moves) of some games."""
        limits = Limits()
        limits.nodes = self.CHOICE_NODES
        player, games = Session(), []
        for start in POSITIONS[: self.GAMES]:
            player.new_game()
            moves: list[str] = []
            for _ in range(self.PLIES):
                player.position(start, moves)
                best, _line = player.search(limits)
                if best.move is None:
                    break
                moves.append(best.move)
            games.append((start, moves))
        return games


def variant_positions(start: Board) -> list[str]:
    """Return a FEN from each of several random games, unless the game is over by then; the same FENs in every run."""
    from random import Random

    from ..variants.game_over import game_end
    from ..variants.notation import fen, move_text

    found = []
    for plies in VARIANT_PLIES:
        chance = Random(plies)
        board = start.copy()
        while board.plies < plies and game_end(board) is None:
            # Sorting by text makes the order of move generation irrelevant.
            moves = sorted(board.legal_moves(), key=lambda move: move_text(board, move))
            board.push(moves[int(chance.random() * len(moves))])
        if game_end(board) is None:
            found.append(fen(board))
    return found


def _report(number: int, total: int, line: SearchInfo, move: str | None, fen: str) -> str:
    return f"{number:2d}/{total} {line.nodes:>9d} {move or '-':<5} {score_text(line.score):<9} {fen}"
