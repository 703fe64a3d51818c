"""R-Mobility: what a draw was worth (docs/rmobility.md).

>>> from standstill import rmobility
>>> found = rmobility.score('1. e4 e5 1/2-1/2')
>>> found.plies, found.result
(2, '1/2-1/2')
>>> rmobility.points(3)
(Fraction(9, 16), Fraction(7, 16))
>>> rmobility.probe("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1").goal
'-G0.5'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from os import fspath

from standstill.engine.archive.pgn import tags_of
from standstill.engine.archive.played import check_read
from standstill.engine.archive.scorer import Scorer, record_plies
from standstill.engine.archive.scoring_rules import ScoringRules
from standstill.engine.archive.standings import DEFAULT_ORDER, Outcome, Standings, name_of, outcome_of
from standstill.engine.rmobility import scoring as _scoring
from standstill.engine.rmobility.goals import Goal
from standstill.engine.variants.notation import move_text
from standstill.given import bytes_of, fen_of, guarded, pgn_of, wrong

TYPE_CHECKING = False  # typing itself would slow the start
if TYPE_CHECKING:
    from os import PathLike

    from standstill.given import Played, Position

__all__ = [
    "Goal",
    "Probe",
    "Score",
    "Standing",
    "komi_points",
    "parse_komi",
    "points",
    "probe",
    "score",
    "standings",
    "white_points",
]

komi_points = guarded(_scoring.komi_points)
parse_komi = guarded(_scoring.parse_komi)
points = guarded(_scoring.points)
white_points = guarded(_scoring.white_points)


@dataclass(frozen=True, slots=True)
class Score:
    """What a game was worth.

    result: of chess, that of the last position if none is written, ``*`` for none. goal: the result by R-Mobility, in
    the last phase; None for a game without moves. whole: over the whole game. provisional: is the game unfinished, so
    that the goal is the record so far? white_points: White's exact share, None without a goal. records: each goal that
    was a new record, in order. note: what is odd about the game, such as moves without a result behind them.
    """

    result: str
    plies: int
    goal: Goal | None
    whole: Goal | None
    provisional: bool
    white_points: Fraction | None
    records: tuple[Goal, ...]
    note: str | None = None


@guarded
def score(game: Played, *, scheme: str = "tcec") -> Score:
    """Score a game: PGN, a ``chess.pgn.Game``, or a ``chess.Board`` with its moves. scheme: of the points.

    Raises MovetextError if the game cannot be read, ArgumentError.
    """
    text = bytes_of(pgn_of(game))
    found = Scorer().score(text, 0, len(text), detail=True)
    check_read(found)
    share = None if found.goal is None else white_points(found.goal, scheme)
    records = record_plies(found.details, ScoringRules()) if found.plies else ()
    return Score(
        found.outcome,
        found.plies,
        found.goal,
        found.whole,
        found.provisional,
        share,
        tuple(Goal(code, owner, ply) for ply, code, owner, _ in records),
        found.note,
    )


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in the standings. points, rmobility: exact sums. rank: shared by exact ties."""

    rank: int
    name: str
    games: int
    points: Fraction
    rmobility: Fraction
    wins: int
    draws: int
    losses: int


@guarded
def standings(
    games: Iterable[Played], *, order: Iterable[str] = DEFAULT_ORDER, scheme: str = "tcec"
) -> tuple[Standing, ...]:
    """The standings of a tournament, best first. order: the tie-breaks.

    Unfinished games are left out, and those of a player against itself.

    Raises MovetextError for a game that cannot be read, ConfigError for an unknown tie-break, ArgumentError.
    """
    if isinstance(games, str):
        raise wrong("a list of games", games)
    outcomes: list[Outcome] = []
    for game in games:
        tags = tags_of(bytes_of(pgn_of(game)))
        found = score(game, scheme=scheme)
        played = found.goal if found.plies else None
        outcome = outcome_of(
            name_of(tags.get("White", "?")),
            name_of(tags.get("Black", "?")),
            found.result,
            played,
            found.whole,
            points=lambda goal: white_points(goal, scheme),
        )
        if outcome is not None and outcome.white != outcome.black:
            outcomes.append(outcome)
    return tuple(
        Standing(each.rank, each.name, each.games, each.points, each.rmobility, each.wins, each.draws, each.losses)
        for each in Standings(outcomes, tuple(order)).players
    )


@dataclass(frozen=True, slots=True)
class Probe:
    """What the tables say of a position: the final goal of best play, the half-moves until it is on the board.

    moves: what each legal move leads to, (move in coordinates, goal, half-moves), in the board's order. Half-moves are
    None where they are missing in the tables.
    """

    goal: str
    plies: int | None
    moves: tuple[tuple[str, str, int | None], ...]


@guarded
def probe(position: Position, folders: Iterable[str | PathLike[str]] = (), *, record: str | None = None) -> Probe:
    """Ask R-Mobility tables. folders: with tables; those of three men are always there. record: the goal so far,
    instead of that in a FEN.

    The files stay open for the next call, unless they change.

    Raises TablebaseError if no table has the position, NotationError, ArgumentError.
    """
    from standstill.engine.tablebases import probing
    from standstill.engine.tablebases.store import SUPPLIED, opened_store

    fen = fen_of(position)
    if fen is None or isinstance(folders, (str, bytes)):
        raise wrong("a position and a list of folders", (position, folders))
    board, given = probing.position_of(fen)
    if record is not None:
        goal = Goal.parse(record)
        given = goal.code, goal.owner
    store = opened_store([*(fspath(folder) for folder in folders), SUPPLIED])
    held = probing.record_of(board, given)
    probing.check_covered(store, board)
    value = probing.look_up(store, board, held)
    moves = probing.move_values(store, board, held)
    knows = probing.knows_plies(store, board)
    told = tuple((move_text(board, each.move), each.value.text, each.value.plies if knows else None) for each in moves)
    return Probe(value.text, value.plies if knows else None, told)
