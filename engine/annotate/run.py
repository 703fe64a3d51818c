"""Games with symbols: what is known of their positions written into them, on several engines at a time if need be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from .journal import Journal
from .judging import Position, Style, Verdict, notes, verdicts
from .movetext import Editor, Notes
from .source import Game


def read(games: Iterable[bytes]) -> Iterator[Game]:
    """The games of a file, numbered from 1."""
    for number, raw in enumerate(games, 1):
        yield Game(number, raw)


def annotated(game: Game, positions: list[Position], style: Style) -> tuple[str, list[Verdict], list[Notes]]:
    """The text of the game with its symbols, and what was found and written about each move."""
    movetext = game.movetext
    found = verdicts(movetext, positions, style)
    texts = notes(movetext, positions, found, style)
    if style.write_goals:
        _add_goals(game, texts)
    editor = Editor(movetext, strip=style.strip)
    start = positions[0].best
    editor.lead({"%eval": start.command()} if style.write_eval and start is not None else {})
    for index, note in enumerate(texts):
        editor.note(index, note)
    return editor.text(), found, texts


def _add_goals(game: Game, texts: list[Notes]) -> None:
    """``[%rm G3.5]`` behind each move that sets a record."""
    for ply, record in enumerate(game.records()):
        if ply and record.ply == ply:
            texts[ply - 1].commands["%rm"] = f"[%rm {record}]"


def analyse(  # noqa: PLR0917
    games: list[Game],
    new_analyst: Callable[[], object],
    style: Style,
    journal: Journal,
    workers: int,
    progress: Callable[[], None],
) -> None:
    """Evaluate all games that are not in the journal yet; each worker has an engine of its own.

    new_analyst: starts an engine (``analysis.Analyst``). progress: called after each position, by any thread.
    The first error of a worker ends the others and is raised; what was found until then is in the journal.
    """
    todo = iter([game for game in games if game.plies and game.number not in journal.found])
    turn = threading.Lock()
    stop = threading.Event()

    def tick() -> None:
        if stop.is_set():
            raise _StoppedError
        progress()

    def work() -> None:
        analyst = None
        try:
            while not stop.is_set():
                with turn:
                    game = next(todo, None)
                if game is None:
                    return
                analyst = analyst or new_analyst()
                journal.add(game.number, analyst.positions(game.movetext, style, tick))
        except _StoppedError:
            pass
        finally:
            if analyst is not None:
                analyst.close()

    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work) for _ in range(workers)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
    for future in futures:
        future.result()


class _StoppedError(Exception):
    """Another worker has failed, or somebody interrupts."""
