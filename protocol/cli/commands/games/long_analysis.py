"""`standstill games analyse --all`: overnight analyses of many games, and the report on them."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

import click

from standstill.engine.common.errors import GameError, StandstillError
from standstill.engine.common.text import plural, shown
from standstill.engine.correspondence.analysis import Place, line_text, place_text, white_score_text
from standstill.engine.correspondence.long_analysis.analysts import Analyst, ForeignAnalyst, OwnAnalyst, command_words
from standstill.engine.correspondence.long_analysis.report import report
from standstill.engine.correspondence.long_analysis.sitting import Sitting, Step
from standstill.engine.correspondence.long_analysis.tree import Line

from ..messages import passing, tell, warn
from ..sessions import begin
from . import open_desk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.correspondence.desk import Desk

LINES = 3  # best lines searched in each position, whose moves lead to the next positions
_SLICE_MS = 60_000
_LONGEST_S = 366 * 86_400  # time of an analysis without --time


def run(  # noqa: PLR0917 (called once)
    path: str | None,
    tag: str | None,
    command: str | None,
    options: tuple[str, ...],
    time_ms: int | None,
    slice_ms: int | None,
    given: dict[str, int],
    as_json: bool,
) -> int:
    """Analyse the games of the store until the time is used up or Ctrl-C, then print the report.

    tag: take only games with this tag. command: the command of a UCI engine; None for this engine. given: the
    engine's options.
    """
    desk = open_desk(path)
    session = begin({"MultiPV": LINES, **given} if command is None else {})
    analyst: Analyst
    if command is None:
        if options:
            raise click.UsageError("expected --option only with --engine")
        analyst = OwnAnalyst(session)
    else:
        settings = {**{k: str(v) for k, v in given.items()}, **_options(options)}
        with passing() as show:
            analyst = ForeignAnalyst(command_words(command), settings, LINES, show)
    seconds = _LONGEST_S if time_ms is None else time_ms / 1000
    progress = _Progress()
    status = 0
    sitting = Sitting(desk, analyst, session.settings, seconds, (slice_ms or _SLICE_MS) / 1000, progress.live)
    try:
        sitting.choose(tag=tag)
        if not sitting.queue:
            raise GameError(
                "no running game to analyse"
                + (f" with the tag {shown(tag)}" if tag is not None else "; games without engines are left out")
            )
        while (step := sitting.step()) is not None:
            if not as_json:
                progress.done(step, len(sitting.queue))
    except KeyboardInterrupt:
        progress.clear()
        warn("interrupted: every finished position is stored")
        status = 130
    finally:
        progress.clear()
        analyst.close()
        if sitting.id:
            sitting.end()
    show_report(desk, sitting.id, as_json)
    return status


def _options(texts: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"--option: expected NAME=VALUE, found {shown(text)}")
        found[name.strip()] = value.strip()
    return found


def show_report(desk: Desk, sitting: int | None, as_json: bool) -> None:
    """Print what a sitting has changed; by default the latest sitting."""
    changes = report(desk, sitting)
    if as_json:
        click.echo(json.dumps([asdict(change) for change in changes]))
        return
    for change in changes:
        tell(change.text())
    if not changes:
        tell("no position was finished")


class _Progress:
    """On a terminal, the line that shows what is being analysed; otherwise a line for each finished position."""

    def __init__(self) -> None:
        self._shown = False
        self._ahead = ""
        self._terminal = sys.stderr is not None and sys.stderr.isatty()

    def live(self, game: str, moves: str, line: Line) -> None:
        if self._terminal:
            self._write(f"{game} {moves or 'now'}  depth {line.depth}  {self._ahead}")

    def done(self, step: Step, games: int) -> None:
        hours, minutes = divmod(int(step.left_s) // 60, 60)
        left = f"{hours} h {minutes} m left" if step.left_s < _LONGEST_S / 2 else "until Ctrl-C"
        self._ahead = f"| {step.number} positions, {games} {plural(games, 'game')}, {left}"
        self.clear()
        if step.line is None:
            return
        try:
            where = place_text(step.game, Place(len(step.game.moves), step.moves))
            best = line_text(step.game, Place(len(step.game.moves)), (step.best,)) if step.best else "-"
        except StandstillError:  # the game has new moves since the analysis
            return
        stm = step.game.board.stm ^ (len(step.moves) % 2)
        own = white_score_text(step.line.score, stm)
        tell(f"{step.game.head.name} {where or 'now'}: depth {step.line.depth} {own}; game {step.value}, best {best}")

    def _write(self, text: str) -> None:
        import shutil

        width = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r\x1b[K{text[:width]}")
        sys.stderr.flush()
        self._shown = True

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
