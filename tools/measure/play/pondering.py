"""Counts failures in short conversations with pondering, held by the code of python-chess and of lichess-bot.

    PYTHONPATH=build/tree:. python -m tools.measure.play.pondering uci|xboard [--count 1000] [--first 0]
    PYTHONPATH=. PYTHON_OF_LICHESS_BOT -m tools.measure.play.pondering uci|xboard --lichess-bot FOLDER

A conversation begins in a random opening. A few moves follow on random limits with pondering; the opponent plays the
expected move or another one, at once or after a while. Between moves the client starts new games, takes moves back,
cancels searches, analyses positions, and offers draws. The number of a conversation determines its commands, but not
their timing. A fault is an exception, a warning in the client's log (about an illegal variation or an unexpected
line), an illegal move, or a process that does not end with status 0. The exit status is 1 if there was a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import random
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import chess
import chess.engine

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 60.0
# python-chess gives an engine of XBoard's protocol two seconds, which are short on a crowded machine.
LATE, TRIES = "Timeout during initialization", 10
WAITS_S = (0.0, 0.0, 0.002, 0.01, 0.03, 0.13)  # the engine holds pondering lines back for less than the last


class Log(logging.Handler):
    """Keeps the warnings of a client, except one.

    When it stops an analysis, python-chess asks for its state with `.`, and does not know the answer. asyncio warns
    of processes that were given up.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if not any(known in text for known in ("'stat01: ", " that handles pid ")):
            self.faults.append(text)


def opening(rng: random.Random) -> chess.Board:
    """Return an opening of at least two plies, because lichess-bot searches ten seconds for the first moves."""
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if rng.random() < 0.1 else chess.Board()
        for _ in range(rng.randint(2, 30)):
            if not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over(claim_draw=True):
            return board


def clocks(rng: random.Random) -> dict[str, float]:
    own, increment = rng.choice((0.05, 0.2, 0.6, 1.5)), rng.choice((0.0, 0.01, 0.05))
    return {"white_clock": own, "black_clock": own, "white_inc": increment, "black_inc": increment}


class PythonChess:
    """python-chess's client, which keeps its engine for several conversations."""

    def __init__(self, command: list[str], protocol: str):
        opener = chess.engine.SimpleEngine.popen_xboard if protocol == "xboard" else chess.engine.SimpleEngine.popen_uci
        self._engine = opener(command, timeout=PATIENCE_S)
        self._is_uci = protocol == "uci"
        self.game: object = None

    def begin(self, board: chess.Board) -> None:
        self.game = object()

    def play(self, board: chess.Board, rng: random.Random) -> tuple[chess.Move, chess.Move | None]:
        """Let the engine move; return (its move, the reply that it expects)."""
        several = list(board.legal_moves)
        some = rng.sample(several, (len(several) + 1) // 2) if self._is_uci and rng.random() < 0.05 else None
        played = self._engine.play(
            board,
            self._limit(rng),
            game=self.game,
            info=chess.engine.INFO_ALL,
            ponder=rng.random() < 0.9,
            draw_offered=rng.random() < 0.05,
            root_moves=some,
        )
        assert played.move in several, f"{played.move} in {board.fen()}"
        pv = played.info.get("pv")
        assert pv and pv[0] == played.move, f"{pv} before {played.move} in {board.fen()}"
        board.variation_san(pv)
        assert "score" in played.info, f"no score before {played.move}"
        return played.move, played.ponder

    @staticmethod
    def _limit(rng: random.Random) -> chess.engine.Limit:
        kind = rng.random()
        if kind < 0.6:
            return chess.engine.Limit(**clocks(rng))
        if kind < 0.75:
            return chess.engine.Limit(time=rng.choice((0.01, 0.03, 0.1)))
        if kind < 0.9:
            return chess.engine.Limit(nodes=rng.randint(1, 3000))
        return chess.engine.Limit(depth=rng.randint(1, 6))

    def interrupt(self, board: chess.Board, rng: random.Random) -> None:
        """Use the engine for something else that does not change the game."""
        kind = rng.randrange(4)
        if kind == 0:
            with self._engine.analysis(board, game=self.game) as analysis:
                for _ in zip(range(rng.randint(1, 20)), analysis, strict=False):
                    pass
        elif kind == 1:
            cancelled = self._cancelled(board, rng.choice(WAITS_S))
            asyncio.run_coroutine_threadsafe(cancelled, self._engine.protocol.loop).result(PATIENCE_S)
        elif kind == 2:
            self._engine.configure({"Hash" if self._is_uci else "memory": rng.choice((1, 16))})
        else:
            self._engine.ping()

    async def _cancelled(self, board: chess.Board, after_s: float) -> None:
        """Start a search and cancel it after ``after_s`` seconds."""
        protocol = self._engine.protocol
        playing = asyncio.ensure_future(protocol.play(board, chess.engine.Limit(time=3), game=self.game, ponder=True))
        await asyncio.sleep(after_s)
        # Python-chess fails when it cancels a command that waits for another one.
        while protocol.next_command is not None:
            await asyncio.sleep(0.001)
        playing.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await playing

    def abandon(self) -> None:
        self._engine.close()

    def close(self) -> None:
        self._engine.quit()
        status = self._engine.returncode.result(timeout=PATIENCE_S)
        self._engine.close()
        assert status == 0, f"exit status {status}"


class LichessBot:
    """lichess-bot's engine wrapper and game model, with an engine for each game.

    A stand-in for Lichess records everything that it receives.
    """

    def __init__(self, command: list[str], protocol: str):
        import yaml
        from lib.config import Configuration, insert_default_values

        config = yaml.safe_load(Path("config.yml.default").read_text(encoding="utf-8"))
        folder, name = os.path.split(command[0])
        config["engine"] |= {"dir": folder, "name": name, "protocol": protocol, "ponder": True, "silence_stderr": True}
        config["engine"]["uci_options"] = {"Hash": 16, "Threads": 1, "Move Overhead": 10}
        config["engine"]["xboard_options"] = {"memory": "16", "MoveOverhead": 10}
        insert_default_values(config)
        self._config = Configuration(config)
        self._wrapper: Any = None
        self._lichess = SimpleNamespace(make_move=self._note, resign=self._refuse, abort=self._refuse)
        self._sent: list[chess.engine.PlayResult] = []

    def _note(self, game_id: str, best: chess.engine.PlayResult) -> None:
        self._sent.append(best)

    def _refuse(self, game_id: str) -> None:
        raise AssertionError("lichess-bot gave the game up")

    def begin(self, board: chess.Board) -> None:
        from lib.engine_wrapper import create_engine
        from lib.model import Game

        if self._wrapper is not None:
            self.close()
        self._wrapper = create_engine(self._config)
        self._wrapper.__enter__()
        state = {"type": "gameState", "moves": "e2e4 e7e5", "winc": 0, "binc": 0, "status": "started"}
        us, them = ({"name": name, "title": "BOT", "rating": 2000} for name in ("us", "them"))
        white, black = (us, them) if board.turn else (them, us)
        self._game = Game(
            {"id": "0", "variant": {"name": "Standard", "key": "standard"}, "clock": {"initial": 60000, "increment": 0}}
            | {"white": white, "black": black, "state": state, "createdAt": 1700000000000, "rated": False},
            "us",
            "https://localhost",
            timedelta(seconds=60),
        )
        self._wrapper.get_opponent_info(self._game)

    def play(self, board: chess.Board, rng: random.Random) -> tuple[chess.Move, chess.Move | None]:
        """Let the engine move; return (its move, the reply that it expects)."""
        from lib.timer import Timer

        left = clocks(rng)
        names = {"white_clock": "wtime", "black_clock": "btime", "white_inc": "winc", "black_inc": "binc"}
        self._game.state |= {names[key]: round(1000 * seconds) for key, seconds in left.items()}
        self._game.state["wdraw"] = self._game.state["bdraw"] = rng.random() < 0.05
        zero = timedelta()
        self._wrapper.play_move(
            board, self._game, self._lichess, Timer(), zero, True, False, zero, self._config.engine, zero
        )  # fmt: skip
        assert self._sent, f"no move in {board.fen()}"
        best = self._sent.pop()
        assert best.move is not None and best.move in board.legal_moves, f"{best.move} in {board.fen()}"
        assert best.info.get("pv", [None])[0] == best.move, f"{best.info.get('pv')} before {best.move} in {board.fen()}"
        assert any(text.startswith("Pv: ") for text in self._wrapper.get_stats(for_chat=True))
        return best.move, best.ponder

    def interrupt(self, board: chess.Board, rng: random.Random) -> None:
        """Let the opponent take back a move."""
        self._wrapper.discard_last_move_commentary()

    def abandon(self) -> None:
        if self._wrapper is not None:
            self._wrapper.engine.close()

    def close(self) -> None:
        self._game.state |= {"status": "resign", "winner": "white"}
        self._wrapper.send_game_result(self._game, chess.Board())
        self._wrapper.__exit__(None, None, None)
        status = self._wrapper.engine.returncode.result(timeout=PATIENCE_S)
        assert status == 0, f"exit status {status}"


def hold(client: PythonChess | LichessBot, seed: int) -> int:
    """Hold one conversation; return the number of requested moves. Raises the client's errors and AssertionError."""
    rng = random.Random(seed)
    board = opening(rng)
    client.begin(board)
    moves = rng.randint(2, 6)
    for _ in range(moves):
        if rng.random() < 0.15:
            client.interrupt(board.copy(), rng)
        move, expected = client.play(board.copy(), rng)  # a copy: python-chess compares it later
        board.push(move)
        if expected is not None:
            assert expected in board.legal_moves, f"expects {expected} in {board.fen()}"
        time.sleep(rng.choice(WAITS_S))
        if rng.random() < 0.08:
            board.pop()  # the opponent takes back, and the client requests the same move again
        elif not board.is_game_over():
            board.push(expected if expected and rng.random() < 0.5 else rng.choice(list(board.legal_moves)))
        if board.is_game_over(claim_draw=True) or rng.random() < 0.08:
            board = opening(rng)
            client.begin(board)
    return moves


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """Collect the warnings of the clients and of asyncio within the block."""
    log = Log()
    logging.getLogger().addHandler(log)
    try:
        yield log.faults
    finally:
        logging.getLogger().removeHandler(log)


def run(kind: Any, command: list[str], protocol: str, seeds: range, each: int) -> tuple[int, list[str]]:
    """Hold conversations; return (moves, faults). each: the number of conversations that a process holds before it
    ends.
    """
    client, moves, faults = None, 0, []
    for number, seed in enumerate(seeds, 1):
        for _ in range(TRIES):
            with watched() as heard:
                try:
                    client = client or kind(command, protocol)
                    moves += hold(client, seed)
                    if number % each == 0 or number == len(seeds):
                        client.close()
                        client = None
                except Exception as error:  # every exception of a client is a fault to report
                    heard.append(f"{type(error).__name__}: {error}")
                    if client:
                        client.abandon()
                    client = None
            if not any(LATE in text for text in heard):
                break
            print(f"{seed}: again, as the engine did not start in time", flush=True)
        if heard:
            faults.append(f"{seed}: {'; '.join(heard)}")
            print(faults[-1], flush=True)
    return moves, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("protocol", choices=("uci", "xboard"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first conversation")
    parser.add_argument("--each", type=int, default=10, help="conversations of each process; always 1 with lichess-bot")
    parser.add_argument("--lichess-bot", type=Path, help="folder of lichess-bot, whose Python must run this")
    options = parser.parse_args()
    kind: Any = PythonChess
    if options.lichess_bot:
        os.chdir(options.lichess_bot)
        sys.path.insert(0, str(options.lichess_bot))
        kind, options.each = LichessBot, 1
    seeds = range(options.first, options.first + options.count)
    moves, faults = run(kind, [str(ROOT / "standstill")], options.protocol, seeds, options.each)
    name = "lichess-bot" if options.lichess_bot else "python-chess"
    print(f"{name}, {options.protocol}: {options.count} conversations, {moves} moves, {len(faults)} with a fault")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
