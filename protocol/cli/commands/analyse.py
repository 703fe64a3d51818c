"""`standstill analyse` shows score, line, record and forecast of a position or of each position of a game.

The modules that write PGN are imported where they are used, because printing a table does not need them.
"""

from __future__ import annotations

import json
import os

import click

from standstill.engine.archive.pgn import read_games, tags_of
from standstill.engine.archive.played import played
from standstill.engine.archive.scorer import CHESS960
from standstill.engine.archive.streams import STANDARD, is_pgn, open_input
from standstill.engine.common.errors import StandstillError
from standstill.engine.common.goal import goal_text
from standstill.engine.common.info import score_text
from standstill.engine.common.limits import Limits
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import visible
from standstill.engine.play.analysis import SIDES, Thought, analyse, pawns
from standstill.engine.play.session import Session
from standstill.engine.rmobility.modes import DECISIVE, OFF, POINTS, TIEBREAK
from standstill.engine.settings.options import find, unknown

from ..completion_values import engine_options
from .messages import in_game, warn
from .options import DEPTHS, json_option, name_and_value, tagged_game_options
from .renamed import Duration, Renamed
from .sessions import begin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.engine.archive.scorer import ScoredGame
    from standstill.engine.variants.notation import Board

_PV_MOVES = 10


@click.command()
@click.argument("what", metavar="FEN|PGN")
@click.option("--nodes", type=click.IntRange(1), help="Nodes for each position.")
@click.option("--depth", type=DEPTHS, help="Depth for each position.")
@click.option(
    "--time",
    "time_ms",
    cls=Renamed,
    old="--movetime",
    unit="ms",
    type=Duration("ms", most=10**7),
    help="Time for each position: 500ms, 10s; default without any limit: 1s.",
)
@click.option("--mode", type=click.Choice([OFF, TIEBREAK, POINTS, DECISIVE]), help="What the engine plays for.")
@tagged_game_options
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=engine_options,
    help="Set an option of the engine; may be given more than once.",
)
@click.option("--pgn", "as_pgn", is_flag=True, help="Print PGN, with the analysis in comments.")
@json_option("Print one JSON object for each position.")
def command(  # noqa: PLR0917
    what: str,
    nodes: int | None,
    depth: int | None,
    time_ms: int | None,
    mode: str | None,
    variant: str,
    options: tuple[str, ...],
    as_pgn: bool,
    as_json: bool,
) -> int:
    """Analyse a position, or every position of the games in a file.

    A position is a FEN, optionally with its record as a seventh field. Scores are from White's view; if the outcome
    is known, words say which side holds which goal. The record shown is the one in force, together with the half-move
    that set it. The forecast is the record expected at the end of the game; it is called "proven" if tables prove the
    outcome or the game ends at this position. A move is marked as missed if the position before it
    offered its side a better outcome; a missed mate is also marked if the move leaves only an estimate below seven
    pawns.

    Exit status: 0 done, 1 a game could not be read (the other games are analysed, and --pgn prints it unchanged), 2
    bad input.
    """
    unwind_on_signals()
    if as_pgn and as_json:
        raise click.UsageError("expected --pgn or --json, not both")
    session = begin()
    if mode is not None:
        session.set_option("RMobility", mode)
    for option in options:
        name, value = name_and_value(option)
        if (spec := find(name)) is None:
            raise click.UsageError(unknown(name))
        if spec.name == "MultiPV":
            raise click.UsageError("MultiPV has no effect on analyse, which shows only the best line")
        session.set_option(name, value)
    session.settings["Move Overhead"] = 0
    if variant:
        session.choose_game(variant)
    limits = Limits()
    limits.nodes, limits.depth = nodes, depth
    limits.movetime_ms = time_ms or (None if nodes or depth else 1000)
    printer = PgnPrinter() if as_pgn else JsonPrinter() if as_json else Printer(session)
    if what != STANDARD and not is_pgn(what) and not os.path.exists(what):
        if "/" not in what and what != "startpos":
            raise click.UsageError(f"expected a FEN or a file of games, found {what!a}")
        for thought in analyse(session, limits, None if what == "startpos" else what, []):
            printer.position(session.board, thought)
        return 0
    return analyse_file(session, limits, what, variant, printer)


def analyse_file(session: Session, limits: Limits, path: str, variant: str, printer: Printer) -> int:
    status = 0
    with open_input(path) as stream:
        for number, text in enumerate(read_games(stream), 1):
            tags = tags_of(text)
            try:
                game, fen, moves = played(text, variant)
                if game.is_empty:
                    printer.leave(text)
                    continue
                if game.note is not None:
                    warn(f"{in_game(path, number)}: {game.note}")
                printer.begin(number, text, game)
                session.play_game(game.game)
                session.settings["UCI_Chess960"] = tags.get("Variant", "").strip().lower() in CHESS960
                for thought in analyse(session, limits, fen, moves):
                    printer.thought(thought)
                printer.end()
            except StandstillError as error:
                warn(f"{in_game(path, number)}: {error}")
                printer.leave(text)
                status = 1
    return status


class Printer:
    """Prints a table. Calls for each game: ``begin``, ``thought`` per position, ``end``; or only ``leave``."""

    def __init__(self, session: Session):
        self._session = session

    def begin(self, number: int, text: bytes, game: ScoredGame) -> None:
        tags = tags_of(text)
        goal = f", {game.goal}" if game.goal is not None else ""
        players = visible(f"{tags.get('White', '?')} - {tags.get('Black', '?')}")
        print(f"Game {number}: {players} {game.result}{goal}")

    def thought(self, thought: Thought) -> None:
        move = "start"
        if thought.move is not None:
            number = thought.number if thought.black_to_move else thought.number - 1
            move = f"{number}.{'' if thought.black_to_move else '..'} {thought.move}"
        score = thought.verdict or pawns(thought)
        parts = [f"{move:<14} {score:>7}  depth {thought.line.depth:<3}"]
        if thought.outlook is not None:
            word = "proven" if thought.is_proven else "forecast"
            expected = "none" if thought.expected is None else goal_text(*thought.expected)
            parts.append(f"record {thought.outlook.record_text}, {word} {expected}")
        if thought.missed is not None:
            parts.append(f"missed {goal_text(*thought.missed)}")
        if thought.ended is not None:
            parts.append(f"{'drawn' if self._session.knows_draws else 'over'} by {thought.ended}")
        print("  ".join([*parts, " ".join(thought.pv[:_PV_MOVES])]).rstrip(), flush=True)

    def position(self, board: Board, thought: Thought) -> None:
        """Print a position alone."""
        self.thought(thought)

    def end(self) -> None:
        """Do nothing: the lines of the game are already printed."""

    def leave(self, text: bytes) -> None:
        """Do nothing: a message has already reported the game that cannot be analysed."""


class JsonPrinter(Printer):
    """Prints a JSON object for each position."""

    def __init__(self) -> None:
        self._game: int | None = None  # the number of the game in the file; None for a single position

    def begin(self, number: int, text: bytes, game: ScoredGame) -> None:
        self._game = number

    def thought(self, thought: Thought) -> None:
        record = forecast = None
        outlook = thought.outlook
        if outlook is not None and outlook.record is not None:
            record = goal_fields(outlook.record) | {"ply": outlook.record[2]}
        if thought.expected is not None:
            promised = thought.promised is not None
            forecast = goal_fields(thought.expected) | {"promised": promised, "proven": thought.is_proven}
        fields = {
            "game": self._game,
            "ply": thought.ply,
            "move": thought.move,
            "score": score_text(thought.white_score),
            "verdict": thought.verdict,
            "proven": thought.line.is_certain,
            "depth": thought.line.depth,
            "nodes": thought.line.nodes,
            "record": record,
            "forecast": forecast,
            "missed": None if thought.missed is None else goal_fields(thought.missed),
            "ended": thought.ended,
            "pv": thought.pv,
        }
        print(json.dumps(fields), flush=True)


class PgnPrinter(Printer):
    """Prints games with comments."""

    def __init__(self) -> None:
        self._game: ScoredGame
        self._thoughts: list[Thought] = []

    def begin(self, number: int, text: bytes, game: ScoredGame) -> None:
        self._game = game
        self._thoughts = []

    def thought(self, thought: Thought) -> None:
        self._thoughts.append(thought)

    def position(self, board: Board, thought: Thought) -> None:
        from standstill.engine.annotate.thoughts import as_game

        game = board.notation.game
        click.echo(as_game(board, thought, "" if game.is_chess else game.name), nl=False)

    def end(self) -> None:
        from standstill.engine.annotate.thoughts import annotated

        click.echo(annotated(self._game, self._thoughts).encode("latin-1"), nl=False)

    def leave(self, text: bytes) -> None:
        click.echo(text, nl=False)


def goal_fields(goal: tuple[int, ...]) -> dict[str, str | int | bool]:
    """The goal as R-Mobility writes it and its owner, for JSON. goal: code and owner; any further items are ignored."""
    return {"goal": goal_text(*goal[:2]), "owner": SIDES[goal[1]]}
