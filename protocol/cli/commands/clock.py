"""`standstill clock` computes correspondence clocks: Triple Block and others."""

from __future__ import annotations

import json
import re

import click

from standstill.engine.clock import plan
from standstill.engine.clock.control import ClockSide, Control
from standstill.engine.clock.instants import find_zone, instant_text, last_minute_before, now_ms, parse_instant
from standstill.engine.clock.parse import parse_control
from standstill.engine.clock.triple_block import State, parse_state
from standstill.engine.clock.units import days, parse_duration, words_text
from standstill.engine.common.errors import ClockError
from standstill.engine.common.text import plural, shown

from .messages import warn
from .options import json_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import tzinfo

    from standstill.engine.correspondence.recompute import Recomputed, Row

_MOST_MOVES = 10_000

as_json_option = json_option("Print JSON.")
zone_option = click.option("--tz", "zone", help="Time zone of all instants, such as Europe/Warsaw.")
svg_option = click.option("--svg", metavar="FILE", help="Also write a picture of clock, bank and total.")


@click.group()
def command() -> None:
    """Compute correspondence clocks: Triple Block and others.

    Write a Triple Block clock as CLOCK/BANK/INCREMENT[@MOVE][:FLAGS] in days (50/75/1, 41d6h/60/1@17, 50/50/5:p), or as
    D and the length of the event (D350). Flags: p is sudden-death protection, r means no automatic refill.
    """


# ---- table ----


@command.command()
@click.option(
    "--days",
    "length",
    metavar="DAYS[:FLAGS]",
    help="Show only the event of this length, rounded down to one in the table; 600:p has sudden-death protection.",
)
@click.option(
    "--start", metavar="DATE", help="First day of the event; also shows its end and the notice to the players."
)
@click.option(
    "--language", type=click.Choice(["en", "pl"]), default="en", show_default=True, help="Language of the notice."
)
@as_json_option
def table(length: str | None, start: str | None, language: str, as_json: bool) -> None:
    """Print the clock, bank and increment for each event length."""
    from standstill.engine.clock import organiser, triple_block

    if length is None:
        if start is not None:
            raise click.UsageError("expected --days with --start")
        rows = [organiser.row(terms) for terms in triple_block.table()]
        click.echo(json.dumps(rows) if as_json else f"{_table_text(rows)}\n\n{organiser.RATED}")
        return
    found = organiser.event(length, None if start is None else organiser.parse_date(start), language)
    if as_json:
        click.echo(json.dumps(found))
        return
    if found["days"] != found["asked_days"]:
        click.echo(f"{found['asked_days']} days are not in the table: rounded down to {found['days']}")
    click.echo(_table_text([found]))
    if start is not None:
        end = f"end {found['end']} at the latest" if found["end"] else "without a fixed end, because of the protection"
        click.echo(f"\nstart {found['start']}, {end}\n\n{found['notice']}")


def _table_text(rows: list[dict[str, object]]) -> str:
    names = {"days": "days", "clock": "clock", "bank": "bank", "increment": "increment", "per_player": "per player"}
    lines = ["  ".join(f"{title:>10}" for title in names.values()) + "  terms"]
    lines += ["  ".join(f"{row[name]:>10}" for name in names) + f"  {row['terms']}" for row in rows]
    return "\n".join(lines)


# ---- simulate ----


@command.command()
@click.argument("state")
@click.option("--think", "thinks", required=True, help="Time for each move: 7d,3d,12h; 6.8d*50 is fifty moves of 6.8d.")
@as_json_option
@svg_option
def simulate(state: str, thinks: str, as_json: bool, svg: str | None) -> None:
    """Print the clock, bank and total of a player after each move.

    STATE is a Triple Block clock or another one: 10/50 (10 moves in 50 days), 10+3 (Fischer, in days), 5/move (days
    per move). Manual refills are assumed to be as late and as large as possible.
    """
    control, side = parse_any(state)
    steps = plan.simulate(control, side, parse_thinks(thinks))
    if svg is not None:
        from standstill.engine.clock.plot import Panel, plot

        points = [(side.moves, side), *((step.move, step.side) for step in steps)]
        title = f"{state}: {steps[-1].move} {plural(steps[-1].move, 'move')}"
        write_svg(svg, plot([Panel(title, points, steps[-1].flag_ms is not None)]))
    if as_json:
        click.echo(json.dumps([_step_json(step) for step in steps]))
        return
    click.echo(f"{'move':>5}  {'think':>15}  {'clock':>15}  {'bank':>15}  {'total':>15}  refills")
    for step in steps:
        cells = (step.think_ms, step.side.clock_ms, step.side.bank_ms, step.side.total_ms)
        line = f"{step.move:5}  " + "  ".join(f"{words_text(ms):>15}" for ms in cells) + f"  {step.refills:7}"
        click.echo(line.rstrip() if step.flag_ms is None else f"{line}  time runs out after {words_text(step.flag_ms)}")


def _step_json(step: plan.Step) -> dict[str, object]:
    found: dict[str, object] = {
        "move": step.move,
        "think": days(step.think_ms),
        "clock": days(step.side.clock_ms),
        "bank": days(step.side.bank_ms),
        "refills": step.refills,
    }
    return found if step.flag_ms is None else found | {"flag": True, "flag_after": days(step.flag_ms)}


def parse_any(text: str) -> tuple[Control, ClockSide]:
    """Read the state of a Triple Block clock, or the start of another kind of clock."""
    if text.count("/") == 2 or text[:1] in ("D", "d"):
        state = parse_state(text)
        return state.terms, state.side
    control = parse_control(text)
    return control, control.opening()


def parse_thinks(text: str) -> list[int]:
    """Milliseconds of ``7d,3d*4``. Raises ClockError."""
    found: list[int] = []
    for part in text.split(","):
        length, star, count = part.strip().partition("*")
        if star and not re.fullmatch(r"\d{1,5}", count, re.ASCII):
            raise ClockError(f"expected times such as 7d,3d*4, found {shown(part)}")
        found += [parse_duration(length, "a time")] * (int(count) if star else 1)
        if len(found) > _MOST_MOVES:
            raise ClockError(f"expected {_MOST_MOVES} moves at most")
    if not found:
        raise ClockError(f"expected times such as 7d,3d*4, found {shown(text)}")
    return found


# ---- advise ----


@command.command()
@click.argument("state")
@click.option("--move", "number", type=click.IntRange(1, 9999), help="Number of the player's next move.")
@click.option("--at", metavar="INSTANT", help="Instant at which the clock shows STATE; default: now.")
@zone_option
@as_json_option
def advise(state: str, number: int | None, at: str | None, zone: str | None, as_json: bool) -> None:
    """Print the time left to the player to move, and when to refill."""
    from dataclasses import replace

    given = parse_state(state)
    if number is not None:
        given = State(given.terms, replace(given.side, moves=number - 1), True)
    where = find_zone(zone)
    now = now_ms() if at is None else parse_instant(at, where)
    found = plan.advise(given)
    if as_json:
        click.echo(json.dumps(_advice_json(given, found, now, where)))
    else:
        click.echo("\n".join(_advice_lines(given, found, now, where)))


def _advice_json(state: State, found: plan.RefillAdvice, now: int, where: tzinfo | None) -> dict[str, object]:
    flag = now + found.clock_ms
    return {
        "state": state.text,
        "move": state.move,
        "now": instant_text(now, where),
        "clock": days(state.side.clock_ms),
        "bank": days(state.side.bank_ms),
        "total": days(found.total_ms),
        "suggested": days(found.share_ms),
        "average_limit": None if found.average_limit_ms is None else days(found.average_limit_ms),
        "average_limit_over_moves": {str(n): days(ms) for n, ms in found.later_average_ms.items()},
        "flag_at": instant_text(flag, where),
        "unused_bank_at_flag": days(state.side.bank_ms),
        "refill_now": days(found.refill_ms),
        "refill_before": instant_text(max(now, last_minute_before(flag)), where) if found.latest_refill_ms else None,
        "refill_then": days(found.latest_refill_ms),
        "flag_at_after_refill": instant_text(now + found.after_refill_ms, where),
        "last_instant": instant_text(now + found.last_ms, where),
        "refills_to_last_instant": found.refills_to_use_all,
    }


def _latest(flag: int, now: int, where: tzinfo | None) -> str:
    """The last full minute before the flag falls; `at once` if less than a minute is left."""
    latest = last_minute_before(flag)
    return instant_text(latest, where) if latest >= now else "at once"


def _advice_lines(state: State, found: plan.RefillAdvice, now: int, where: tzinfo | None) -> list[str]:
    side = state.side
    flag = now + found.clock_ms
    lines = [
        f"move {state.move}: clock {words_text(side.clock_ms)}, bank {words_text(side.bank_ms)},"
        f" total {words_text(found.total_ms)}",
    ]
    if not side.clock_ms:
        return [*lines, "time has run out: the clock shows 0, and a refill comes too late"]
    lines.append(f"suggested for this move: {words_text(found.share_ms)}")
    if found.average_limit_ms is not None:
        lines.append(f"average up to move 50: less than {words_text(found.average_limit_ms)}")
    for moves, ms in found.later_average_ms.items():
        span = "move" if moves == 1 else f"{moves} moves"
        lines.append(f"average over the next {span}: less than {words_text(ms)}")
    left = f"{words_text(side.bank_ms)} in the bank"
    lines.append(f"without a refill: time runs out {instant_text(flag, where)}, {left}")
    if not side.bank_ms:
        lines.append("the bank is empty, so no refill is possible: move before then")
        return lines
    if found.refill_ms:
        lines.append(f"a refill now: {words_text(found.refill_ms)}, to {words_text(side.clock_ms + found.refill_ms)}")
    lines += [
        f"latest safe refill: {_latest(flag, now, where)}, of {words_text(found.latest_refill_ms)};"
        f" time then runs out {instant_text(now + found.after_refill_ms, where)}",
        f"with {found.refills_to_use_all} {plural(found.refills_to_use_all, 'refill')}, each at the last moment:"
        f" time runs out {instant_text(now + found.last_ms, where)}",
    ]
    return lines


# ---- recompute ----


@command.command()
@click.argument("file")
@click.option("--control", metavar="CLOCK", help="Clock of the game, if its tags do not give it.")
@click.option("--start", metavar="INSTANT", help="Instant at which White's clock started; default: the game's date.")
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, help="Number of the game.")
@zone_option
@as_json_option
@svg_option
def recompute(  # noqa: PLR0917 (click passes them by name)
    file: str,
    control: str | None,
    start: str | None,
    number: int,
    zone: str | None,
    as_json: bool,
    svg: str | None,
) -> None:
    """Recompute the clocks of a game from the times in its PGN.

    The times are the stamps [%ccsnt DATE,TIME], or [%clk] and [%bank].
    """
    from standstill.engine.archive.streams import check_apart
    from standstill.engine.correspondence import recompute as again
    from standstill.engine.correspondence.pgn import read_games

    check_apart((file,), {"--svg": svg})
    where = find_zone(zone or "UTC")
    game = next((game for game in read_games(file, where) if game.number == number), None)
    if game is None:
        raise ClockError(f"expected at least {number} {plural(number, 'game')} in {file}")
    found = again.recompute(
        game,
        None if control is None else parse_control(control),
        None if start is None else parse_instant(start, where),
        where,
    )
    if svg is not None:
        from standstill.engine.clock.plot import Panel, plot

        names = (game.tags.get("White", "White"), game.tags.get("Black", "Black"))
        panels = [Panel(names[side], found.points(side), found.flag == side) for side in (0, 1)]
        write_svg(svg, plot(panels))
    if as_json:
        click.echo(json.dumps(_recomputed_json(found, where)))
        return
    click.echo("\n".join(_row_lines(found.rows, where)))
    for text in found.warnings:
        warn(text)


_NARROWEST = (16, 18, 15, 15, 15, 15)  # minimum widths of the columns; time zones and unknown times need more


def _row_lines(rows: list[Row], where: tzinfo | None) -> list[str]:
    lines = [("move", "sent", "think", "clock", "bank", "total"), *(_row_cells(row, where) for row in rows)]
    widths = [max(least, *map(len, column)) for least, column in zip(_NARROWEST, zip(*lines, strict=True), strict=True)]
    refills = ["", *(f"  {row.refills} {plural(row.refills, 'refill')}" if row.refills else "" for row in rows)]
    found = []
    for cells, more in zip(lines, refills, strict=True):
        padded = [cell.ljust(width) for cell, width in zip(cells[:2], widths[:2], strict=True)]
        padded += [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
        found.append(" ".join(padded) + more)
    return found


def _row_cells(row: Row, where: tzinfo | None) -> tuple[str, ...]:
    name = f"{row.move}{'...' if row.side else '.'} {row.san}"
    sent = "-" if row.at_ms is None else instant_text(row.at_ms, where)
    think = "-" if row.think_ms is None else words_text(row.think_ms)
    if (state := row.state) is None:
        return name, sent, think, "-", "-", "-"
    unsure = (not state.clock_known, not state.bank_known, not (state.clock_known and state.bank_known))
    times = (state.clock_ms, state.bank_ms, state.total_ms)
    return name, sent, think, *(">=" * least + words_text(ms) for ms, least in zip(times, unsure, strict=True))


def _recomputed_json(found: Recomputed, where: tzinfo | None) -> dict[str, object]:
    moves = []
    for row in found.rows:
        state = row.state
        moves.append(
            {
                "side": "black" if row.side else "white",
                "move": row.move,
                "san": row.san,
                "sent": None if row.at_ms is None else instant_text(row.at_ms, where),
                "think": None if row.think_ms is None else days(row.think_ms),
                "clock": None if state is None else days(state.clock_ms),
                "bank": None if state is None else days(state.bank_ms),
                "known": state is not None and state.clock_known and state.bank_known,
                "refills": row.refills,
            }
        )
    return {
        "control": found.control.text,
        "start": None if found.start_ms is None else instant_text(found.start_ms, where),
        "moves": moves,
        "flag": None if found.flag is None else ("white", "black")[found.flag],
        "warnings": found.warnings,
    }


def write_svg(path: str, text: str) -> None:
    from standstill.engine.common.atomic_files import write_whole

    write_whole(path, text)
