"""`standstill follow` shows a game while it is played: on the terminal, or as pages for watchers and streams."""

from __future__ import annotations

import json
import sys
import time
from fractions import Fraction

import click

from standstill.engine.archive.questions import Questions
from standstill.engine.archive.streams import STANDARD
from standstill.engine.common.signals import unwind_on_signals
from standstill.engine.common.text import plural, visible
from standstill.engine.common.web_client import is_address
from standstill.engine.live.follower import END, FAULT, GAME, GOOD, MOVE, Event, Follower
from standstill.engine.live.game import NO_REASON
from standstill.engine.live.reading import Choice
from standstill.engine.live.sources import FileSource, PipeSource
from standstill.engine.live.web_source import WebSource
from standstill.engine.rmobility.scoring import Terms, parse_komi, points_text

from .commands.messages import warn
from .commands.options import TABLES_HELP, json_option
from .commands.renamed import Duration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from standstill.engine.live.sources import Source

_SEARCH_MS = 1000  # time to search each position for the pages
_LEAST_WEB_MS = 500  # shortest interval between two requests to a server
_SHOWN_MOVES = 2


@click.command()
@click.argument("game", metavar="GAME.pgn|URL")
@click.option("--game", "which", default="", metavar="N|NAME", help="Game to follow, by number or player.")
@click.option("--komi", default="", metavar="GOAL", help="Komi for games without a Komi tag, such as G5.25.")
@click.option("--tables", multiple=True, metavar="DIR", help=TABLES_HELP)
@click.option(
    "--time",
    "search_ms",
    type=Duration("ms", least=0, most=10**7),
    help="Time to search each position for the forecast; default: 1s with --serve, otherwise no search.",
)
@click.option(
    "--every",
    "every_ms",
    type=Duration("ms", most=10**7),
    help="Interval at which the source is read; default: 100ms, for a URL 1s.",
)
@json_option("Print one JSON object for each event.")
@click.option("--once", is_flag=True, help="End when the game is over.")
@click.option("--serve", is_flag=True, help="Serve a page and overlays for streams instead of printing.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port of --serve; default: any.")
@click.option(
    "--token",
    default="",
    metavar="FILE",
    help="File that stores the token of --serve, so that the next run uses the same token.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def command(  # noqa: PLR0917 (by name)
    game: str,
    which: str,
    komi: str,
    tables: tuple[str, ...],
    search_ms: int | None,
    every_ms: int | None,
    as_json: bool,
    once: bool,
    serve: bool,
    port: int,
    token: str,
    no_open: bool,
) -> int:
    """Follow a game while it is played, with its R-Mobility record.

    The game is a PGN file that a program extends or replaces, an address (PGN, or TCEC's JSON), or - for standard
    input. The last game is followed unless --game chooses another one. For each move the command prints a line with the
    goal that the move reaches, the record, the legal moves of both sides, the points if the game is drawn now, and what
    would beat the record.
    A missing file or a server that fails is reported and tried again.

    Exit status: 0 done, 2 bad input, 130 interrupted.
    """
    choice = Choice(number=int(which)) if which.isdecimal() and int(which) else Choice(which)
    terms = Terms(parse_komi(komi) if komi else None)
    questions = Questions(tables)
    source = _source(game, choice, every_ms)
    follower = Follower(source, questions, choice, terms)
    if serve:
        if as_json or once:
            raise click.UsageError(f"--serve prints no events: expected it without {'--json' if as_json else '--once'}")
        return _serve(follower, _SEARCH_MS if search_ms is None else search_ms, port, token, no_open)
    for given, name in ((port, "--port"), (token, "--token"), (no_open, "--no-open")):
        if given:
            raise click.UsageError(f"{name} needs --serve")
    unwind_on_signals()
    return _print(follower, search_ms or 0, as_json=as_json, once=once)


def _source(name: str, choice: Choice, every_ms: int | None) -> Source:
    if is_address(name):
        if every_ms is not None and every_ms < _LEAST_WEB_MS:
            raise click.UsageError(f"expected --every of at least {_LEAST_WEB_MS} ms for an address")
        return WebSource(name, 1.0 if every_ms is None else every_ms / 1000)
    if name == STANDARD:
        if sys.stdin is None:
            raise click.UsageError("standard input is closed")
        return PipeSource(sys.stdin.buffer, last_only=choice.is_last)
    return FileSource(name, last_only=choice.is_last, every_s=0.1 if every_ms is None else every_ms / 1000)


def _print(follower: Follower, search_ms: int, *, as_json: bool, once: bool) -> int:
    session = None
    if search_ms:
        from .commands.sessions import begin

        session = begin()
    while True:
        began = time.monotonic()
        for event in follower.step(began):
            forecast = None
            if session is not None and event.kind not in (FAULT, GOOD, END) and follower.game is not None:
                from standstill.engine.live.forecasting import forecast as search

                is_newest = event.view.get("played") == len(follower.game.moves)
                forecast = search(session, follower.game, search_ms) if is_newest else None
            if as_json:
                click.echo(json.dumps({**event.as_json(), "forecast": forecast}, separators=(",", ":")))
            else:
                _tell(event, forecast)
            if once and event.kind == END:
                return 0
        if follower.is_over:
            return 0
        time.sleep(max(0.01, follower.source.every_s - (time.monotonic() - began)))


def _tell(event: Event, forecast: dict[str, Any] | None) -> None:
    """Print an event for a person; failures go to standard error."""
    view: dict[str, Any] = event.view
    if event.kind == FAULT:
        warn(f"{event.text}; trying again")
        return
    if event.kind == GOOD:
        warn("reading again")
        return
    if event.kind == END:
        click.secho(_ending(view), bold=True)
        return
    if event.kind == GAME:
        click.secho(_heading(view), bold=True)
    elif event.kind != MOVE:
        click.echo("The game continues from an earlier position:" if view["result"] == "*" else "The result changed:")
    click.echo(_line(view, forecast))


def _heading(view: dict[str, Any]) -> str:
    players = " - ".join(visible(view[side]) or "?" for side in ("white", "black"))
    where = [visible(view["event"]), f"round {visible(view['round'])}" if view["round"] not in ("", "?", "-") else ""]
    terms = [f"{name} {view[key]}" for name, key in (("komi", "komi"), ("cut-off", "cut_off")) if view[key]]
    return ", ".join([players, *(part for part in where if part not in ("", "?")), *terms])


def _line(view: dict[str, Any], forecast: dict[str, Any] | None) -> str:
    last = view["last"]
    if last is None:
        move = "first position"
    else:
        sign = "*" if last["sets"] else " "
        dots = "." if last["side"] == "white" else "..."
        move = f"{last['number']:>3}{dots:<3} {last['san']:<8}{last['goal']:>6}{sign}"
    mobility = view["mobility"]
    parts = [
        f"{move:<23} record {view['record'] or 'none':>6}",
        f"moves {_number(mobility['white']):>2}-{_number(mobility['black']):<2}",
        f"points {_points(view['points']):<17}",
    ]
    if view["outcome"] is not None and view["proven"] and view["result"] == "*":
        parts.append(f"tables {view['outcome']} in {view['plies']} {plural(view['plies'], 'ply', 'plies')}")
    if forecast is not None:
        parts.append(f"{'outcome' if forecast['promised'] else 'forecast'} {forecast['record']}")
    parts.append(_beating(view["beating"]))
    return "  ".join(parts).rstrip()


def _number(moves: int | None) -> str:
    return "?" if moves is None else str(moves)


def _points(points: list[float]) -> str:
    return "-".join(points_text(Fraction(each)).rstrip("0").rstrip(".") for each in points)


def _beating(moves: list[dict[str, str]]) -> str:
    """The moves that would beat the record now."""
    if not moves:
        return ""
    names = ", ".join(f"{move['move']} {move['goal']}" for move in moves[:_SHOWN_MOVES])
    more = len(moves) - _SHOWN_MOVES
    return f"beaten by {names}{f' and {more} more' if more > 0 else ''}"


def _ending(view: dict[str, Any]) -> str:
    record = view["record"]
    held = "" if record is None else f"; record {record}, {_points(view['points'])} points"
    reason = "" if view["over"] == NO_REASON else f" ({visible(str(view['over']))})"
    return f"{view['result']}{reason}{held}"


def _serve(follower: Follower, search_ms: int, port: int, token: str, no_open: bool) -> int:
    """Serve the page Live and the overlays until the process is interrupted."""
    from .commands.web import run_server, server_class

    server_class()  # raises an error that names the missing packages, before the game is read
    from standstill.engine.web.live.routes import Live
    from standstill.engine.web.live.token import kept_token

    from .commands.sessions import begin

    kept = kept_token(token) if token else ""
    live = Live(follower, begin, search_ms)
    return run_server("live", port, no_open, overlays=True, live=live, token=kept)
