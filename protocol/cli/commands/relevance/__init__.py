"""`standstill relevance` applies the relevance model on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import click

from standstill.engine.annotate.attribution import x05_text
from standstill.engine.annotate.evaluations import parse, plain
from standstill.engine.relevance import model, nags
from standstill.engine.relevance.model import MOVE_SCHEMES, POSITION_SCHEMES
from standstill.engine.relevance.presets import OWN, STOCKFISH

from ..engine_options import engine_options
from ..options import json_option
from .text import number, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from .fitting import FitOptions

    FloatParam = click.ParamType[float]
else:
    FloatParam = click.ParamType  # click's ParamType is not generic before click 8.4

NO_BOUNDARY = "------"


class EvaluationParam(FloatParam):
    """A parameter for an evaluation: pawns from White's view, or a mate."""

    name = "evaluation"

    def convert(self, value: str | float, param: click.Parameter | None, context: click.Context | None) -> float:
        return parse(value) if isinstance(value, str) else value


class Parameter(FloatParam):
    """A parameter for x05, in pawns."""

    name = "pawns"

    def convert(self, value: str | float, param: click.Parameter | None, context: click.Context | None) -> float:
        return model.check_x05(parse(value)) if isinstance(value, str) else value


EVALUATION = EvaluationParam()
# Evaluations such as -0.3 look like options, so click passes unknown options on to the command.
SIGNED = {"ignore_unknown_options": True}

x05_option = click.option(
    "--x05",
    type=Parameter(),
    default=model.DEFAULT_X05,
    show_default=True,
    help="Evaluation at which half of all games are won and half drawn. The default is for people and unmeasured "
    f"engines; {OWN.x05:.2f} for Standstill, {STOCKFISH.x05:.2f} for Stockfish since 15.1.",
)
mover_option = click.option("--mover", type=click.Choice(["w", "b"]), required=True, help="Side to move.")


@click.group()
def command() -> None:
    """Compute what evaluations mean for the result of a game.

    The commands print expected results, relevant differences and the symbols of positions and moves. Write
    evaluations in pawns from White's view, with a decimal point or comma, and mates as #5 or #-5.
    """


@command.command(context_settings=SIGNED)
@click.argument("a", type=EVALUATION)
@click.argument("b", type=EVALUATION)
@x05_option
@json_option()
def difference(a: float, b: float, x05: float, as_json: bool) -> None:
    """Print the absolute and the relevant difference of A and B."""
    absolute = 0.0 if a == b else abs(a - b)
    relevant, share = model.difference(a, b, x05), model.gap(a, b, x05)
    found = {
        "x05": x05,
        "a": number(a),
        "b": number(b),
        "absolute": number(absolute),
        "relevant": relevant,
        "share": share,
    }
    if as_json:
        click.echo(json.dumps(found))
        return
    say_x05(x05)
    click.echo(f"absolute difference  {absolute:.2f} pawns")
    click.echo(f"relevant difference  {relevant:.6g} pawns")
    click.echo(f"share of the total   {100 * share:.6g} %")


@command.command(context_settings=SIGNED)
@click.argument("evaluations", type=EVALUATION, nargs=-1, required=True)
@x05_option
@json_option()
def result(evaluations: tuple[float, ...], x05: float, as_json: bool) -> None:
    """Print White's expected result at each of the EVALUATIONS.

    The relevance is the weight of the evaluation. Win, draw and loss are the chances if the side that is ahead
    never loses. The sigmoid is a different curve through the same points.
    """
    rows = []
    for x in evaluations:
        win, draw, loss = model.chances(x, x05)
        rows.append(
            {
                "evaluation": number(x),
                "relevance": model.weight(x, x05),
                "result": model.result(x, x05),
                "win": win,
                "draw": draw,
                "loss": loss,
                "sigmoid": model.sigmoid(x, x05),
            }
        )
    if as_json:
        click.echo(json.dumps({"x05": x05, "results": rows}))
        return
    say_x05(x05)
    columns = ("relevance", "result", "win", "draw", "loss", "sigmoid")
    texts = [[f"{row[name]:.4f}" for name in columns] for row in rows]
    show(["evaluation", *columns], [[plain(x), *text] for x, text in zip(evaluations, texts, strict=True)])


@command.command(context_settings=SIGNED)
@click.argument("evaluations", type=EVALUATION, nargs=-1, required=True)
@x05_option
@json_option()
def symbol(evaluations: tuple[float, ...], x05: float, as_json: bool) -> None:
    """Print the symbol of each of the EVALUATIONS in every scheme."""
    found = [{scheme: model.position_nag(x, x05, scheme) for scheme in POSITION_SCHEMES} for x in evaluations]
    if as_json:
        positions = [
            {"evaluation": number(x), "symbols": {scheme: named(nag) for scheme, nag in by_scheme.items()}}
            for x, by_scheme in zip(evaluations, found, strict=True)
        ]
        click.echo(json.dumps({"x05": x05, "positions": positions}))
        return
    say_x05(x05)
    rows = [[plain(x), *map(with_number, by_scheme.values())] for x, by_scheme in zip(evaluations, found, strict=True)]
    show(["evaluation", *POSITION_SCHEMES], rows)


@command.command()
@mover_option
@click.option("--best", type=EVALUATION, required=True, help="Evaluation after the best move.")
@click.option(
    "--second", type=EVALUATION, help="Evaluation after the second-best move; omit it if only one move is legal."
)
@click.option("--played", type=EVALUATION, help="Evaluation after the played move; omit it if this was the best move.")
@x05_option
@json_option()
def judge(  # noqa: PLR0917 (click passes them by name)
    mover: str, best: float, second: float | None, played: float | None, x05: float, as_json: bool
) -> None:
    """Print the symbol of a move in every scheme.

    The best move is compared with the second-best move, and any other move with the best move.
    """
    is_best = played is None
    value, reference = (best, second) if played is None else (played, best)
    by_scheme = {scheme: model.judge(best, second, value, is_best, mover, x05, scheme) for scheme in MOVE_SCHEMES}
    gain = None if reference is None else model.gain(value, reference, mover, x05)
    if as_json:
        found = {"x05": x05, "mover": mover, "played": number(value), "reference": number(reference), "gain": gain}
        click.echo(json.dumps(found | {"symbols": {scheme: named(nag) for scheme, nag in by_scheme.items()}}))
        return
    if gain is None:
        click.echo("no symbol: there is no other move to compare with")
        return
    say_x05(x05)
    click.echo(f"gain  {100 * gain or 0.0:+.4g} % of the total")
    show(["scheme", "symbol"], [[scheme, with_number(nag)] for scheme, nag in by_scheme.items()])


@command.command(context_settings=SIGNED)
@click.argument("x_alt", type=EVALUATION, required=False)
@click.option("--mover", type=click.Choice(["w", "b"]), default="w", show_default=True, help="Side to move.")
@x05_option
@json_option()
def boundaries(x_alt: float | None, mover: str, x05: float, as_json: bool) -> None:
    """Print the evaluations at which the symbols begin.

    The table of positions is always printed. The table of moves is printed if X_ALT is given, the evaluation after the
    alternative move. From the mover's view a good symbol needs an evaluation of at least the boundary, and a bad
    symbol one of at most the boundary. ------ marks a symbol that no evaluation earns. Below each boundary is the first
    whole centipawn that earns the symbol.
    """
    edges = {scheme: model.position_edges(x05, scheme) for scheme in POSITION_SCHEMES}
    moves = {}
    if x_alt is not None:
        moves = {scheme: model.boundaries(x_alt, x05, mover, scheme) for scheme in MOVE_SCHEMES}
    if as_json:
        found = {"x05": x05, "positions": edges}
        if x_alt is not None:
            signs = [nags.ascii_text(nag) for nag in nags.MOVE_ORDER]
            table = {scheme: dict(zip(signs, values, strict=True)) for scheme, values in moves.items()}
            found |= {"x_alt": number(x_alt), "mover": mover, "moves": table}
        click.echo(json.dumps(found))
        return
    say_x05(x05)
    heads = ["scheme", "= / slight", "slight / moderate", "moderate / clear", "clear / extreme"]
    rows = [[scheme, *(f"{edge:.6f}" for edge in found)] for scheme, found in edges.items()]
    show(heads, [row + [""] * (len(heads) - len(row)) for row in rows])
    if x_alt is None:
        return
    rows = []
    for scheme, values in moves.items():
        rows.append([scheme, *(NO_BOUNDARY if value is None else f"{round(value, 6) or 0.0:.6f}" for value in values)])
        earned = partial(model.move_nag, reference=x_alt, mover=mover, x05=x05, scheme=scheme)
        each = zip(values, nags.MOVE_ORDER, strict=True)
        rows.append(["", *(first_centipawn(value, nag, mover, earned) for value, nag in each)])
    click.echo(f"\n{'White' if mover == 'w' else 'Black'} to move, the other move: {plain(x_alt)}")
    show(["scheme", *(nags.ascii_text(nag) for nag in nags.MOVE_ORDER)], rows)


@command.command()
@click.argument("files", metavar="IN.pgn...", nargs=-1, required=True)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="NAME",
    help="Fit only players whose names begin with NAME; may be given more than once.",
)
@click.option("--pool", is_flag=True, help="Fit all players together.")
@click.option(
    "--override", "overrides", multiple=True, metavar="GAME=RESULT", help="Replace the result of a game, by its number."
)
@click.option(
    "--estimator",
    type=click.Choice(["equilibrium", "score"]),
    default="equilibrium",
    show_default=True,
    help="Estimator for the value printed as an engine option.",
)
@click.option("--evaluate", is_flag=True, help="Let an engine evaluate the games first.")
@engine_options
@json_option()
def fit(files: tuple[str, ...], **options: Unpack[FitOptions]) -> int:
    """Fit x05 to the evaluations and results of games.

    x05 is the evaluation at which half of the games are won. The evaluations are read from comments: [%eval], and
    those of TCEC, cutechess and fastchess. For each player the command prints the equilibrium, which defines x05
    (as many games that were not won reached it as were won), its 95 % interval by bootstrap, and the value whose
    curve fits the scores best.

    Exit status: 0 all games were read, 1 some games could not be read and were left out, 2 bad input.
    """
    from .fitting import run

    return run(files, options)


@command.command()
@click.option("-o", "--output", required=True, metavar="OUT.html", help="File to write; - is standard output.")
@x05_option
def form(output: str, x05: float) -> None:
    """Write an HTML page that does these computations as you type."""
    from standstill.engine.annotate.form import page
    from standstill.engine.archive.streams import open_output

    with open_output(output) as out:
        out.write(page(x05).encode("utf-8"))


# ---- parts ----


def say_x05(x05: float) -> None:
    """Print x05, because all figures printed below it depend on it."""
    click.echo(f"x05  {x05_text(x05)} pawns")


def first_centipawn(value: float | None, nag: int, mover: str, earned: Callable[[float], int]) -> str:
    """The boundary ``value`` of a symbol, rounded away from the other move to the first value that earns it."""
    if value is None:
        return ""
    upwards = (nag in model.GOOD_MOVES) == (mover == "w")
    step = 1 if upwards else -1
    cp = round(100 * value) - step
    while not reached(earned(cp / 100), nag):
        cp += step
    return f"{cp / 100:+.2f}"


def reached(found: int, wanted: int) -> bool:
    """Return whether the symbol found is at least as strong as the one wanted."""
    for order in (model.GOOD_MOVES, model.BAD_MOVES):
        if wanted in order:
            return found in order[order.index(wanted) :]
    return False


def named(nag: int) -> dict[str, object] | None:
    if not nag:
        return None
    return {"nag": nag, "symbol": nags.text(nag), "ascii": nags.ascii_text(nag), "meaning": nags.meaning(nag)}


def with_number(nag: int) -> str:
    return f"{nags.text(nag)} ${nag}" if nag else "-"
