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
from os import PathLike, fspath

from standstill.arguments import as_list, as_text, as_whole, bytes_of, fen_of, one_of, pgn_of, wrong
from standstill.engine.archive.pgn import tags_of
from standstill.engine.archive.played import check_read
from standstill.engine.archive.scorer import Scorer, record_plies
from standstill.engine.archive.scoring_rules import ScoringRules
from standstill.engine.archive.standings import DEFAULT_ORDER, Outcome, Standings, name_of, outcome_of
from standstill.engine.common.goal import MOST_CODE, parse_record
from standstill.engine.rmobility import scoring as _scoring
from standstill.engine.rmobility.goals import Goal
from standstill.engine.variants.notation import move_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess

    from standstill.arguments import Played, Position

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


def __dir__() -> list[str]:
    return __all__


def points(code: int, scheme: str = "tcec") -> tuple[Fraction, Fraction]:
    """Return the shares of the point for a goal.

    :param code: twice the goal number: 0 for mate, at most 19999.
    :param scheme: ``tcec``, ``harmonic``, ``classical`` or ``decisive``.
    :returns: the shares of the side that reached the goal and of its opponent; they sum to 1.
    :raises ArgumentError: unless the code is a whole number from 0 to 19999, or for an unknown scheme.

    >>> rmobility.points(3)
    (Fraction(9, 16), Fraction(7, 16))
    """
    return _scoring.points(as_whole(code, "a goal code", 0, MOST_CODE), _scheme(scheme))


def white_points(goal: Goal | None, scheme: str = "tcec") -> Fraction:
    """Return White's share of the point for a game with this result.

    :param goal: the result by R-Mobility; None if there is no goal, as for a draw over the board.
    :param scheme: ``tcec``, ``harmonic``, ``classical`` or ``decisive``.
    :returns: the share, 0 to 1; 1/2 without a goal.
    :raises ArgumentError: for anything but a ``Goal``, or an unknown scheme.

    >>> rmobility.white_points(rmobility.Goal.parse("-G1.5"))
    Fraction(7, 16)
    """
    return _scoring.white_points(_goal(goal), _scheme(scheme))


def parse_komi(text: str) -> tuple[int, int]:
    """Parse a komi.

    :param text: the komi, such as ``G3.75`` for White and ``-G3.75`` for Black, in quarter steps.
    :returns: four times the komi, and the side that has to reach it: 0 for White, 1 for Black.
    :raises NotationError: for a text that is not a komi.
    :raises ArgumentError: for anything but a text.

    >>> rmobility.parse_komi("-G3.75")
    (15, 1)
    """
    return _scoring.parse_komi(as_text(text, "a komi"))


def komi_points(goal: Goal | None, quarters: int, side: int) -> Fraction:
    """Return White's point under a komi.

    The side with the komi wins with a lower goal, draws with an equal one, and otherwise loses.

    :param goal: the result by R-Mobility; None if there is no goal.
    :param quarters: four times the komi, as ``parse_komi`` returns it.
    :param side: the side that has to reach the komi: 0 for White, 1 for Black.
    :returns: 0, 1/2 or 1.
    :raises ArgumentError: for arguments of the wrong type.

    >>> rmobility.komi_points(rmobility.Goal.parse("G3.5"), *rmobility.parse_komi("G3.75"))
    Fraction(1, 1)
    """
    return _scoring.komi_points(
        _goal(goal), as_whole(quarters, "a komi in quarters", 0), as_whole(side, "the number of a side", 0, 1)
    )


@dataclass(frozen=True, slots=True)
class Score:
    """The R-Mobility score of a game.

    :ivar result: the chess result; if none is stated, the result of the last position, or ``*`` for an open game.
    :ivar plies: the number of half-moves.
    :ivar goal: the result by R-Mobility in the last phase; None for a game without moves.
    :ivar whole: the result by R-Mobility over the whole game.
    :ivar provisional: whether the game is unfinished, so that the goal is the record so far.
    :ivar white_points: White's exact share of the point; None without a goal.
    :ivar records: each goal that was a new record, in order.
    :ivar note: a remark about the game, such as a missing result after the moves; None without one.

    >>> str(rmobility.score("1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 1/2-1/2").whole)
    'G1.0'
    """

    result: str
    plies: int
    goal: Goal | None
    whole: Goal | None
    provisional: bool
    white_points: Fraction | None
    records: tuple[Goal, ...]
    note: str | None = None


def score(game: Played, *, scheme: str = "tcec") -> Score:
    """Score a game.

    :param game: PGN of one game, a ``chess.pgn.Game``, or a ``chess.Board`` with its moves.
    :param scheme: the scheme of the points: ``tcec``, ``harmonic``, ``classical`` or ``decisive``.
    :returns: the score.
    :raises MovetextError: for an unreadable game.
    :raises ArgumentError: for anything but one game, or an unknown scheme.

    >>> board = chess.Board()
    >>> board.push_san("e4")
    Move.from_uci('e2e4')
    >>> found = rmobility.score(board)
    >>> found.plies, found.provisional, str(found.goal)
    (1, True, 'G20.5')
    """
    scheme = _scheme(scheme)
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
    """A player in the standings.

    :ivar rank: the rank, from 1; exactly tied players share it.
    :ivar name: the name as written in the games.
    :ivar games: the number of finished games.
    :ivar points: the exact sum of the chess results.
    :ivar rmobility: the exact sum of the points by R-Mobility.
    :ivar wins: the number of games won.
    :ivar draws: the number of games drawn.
    :ivar losses: the number of games lost.

    >>> [first, second] = rmobility.standings(['[White "A"]\\n[Black "B"]\\n\\n1. f3 e5 2. g4 Qh4# 0-1'])
    >>> first.name, first.points, second.losses
    ('B', Fraction(1, 1), 1)
    """

    rank: int
    name: str
    games: int
    points: Fraction
    rmobility: Fraction
    wins: int
    draws: int
    losses: int


def standings(
    games: Iterable[Played], *, order: Iterable[str] = DEFAULT_ORDER, scheme: str = "tcec"
) -> tuple[Standing, ...]:
    """Return the standings of a tournament, ignoring unfinished games and games of a player against itself.

    :param games: the games, each as PGN, as a ``chess.pgn.Game``, or as a ``chess.Board`` with its moves.
    :param order: the tie-breaks in order (docs/standings.md).
    :param scheme: the scheme of the points: ``tcec``, ``harmonic``, ``classical`` or ``decisive``.
    :returns: the players, the best one first.
    :raises MovetextError: for an unreadable game.
    :raises ConfigError: for an unknown tie-break.
    :raises ArgumentError: for anything but games, or an unknown scheme.

    >>> game = '[White "A"]\\n[Black "B"]\\n\\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 1/2-1/2'
    >>> [player.name for player in rmobility.standings([game])]
    ['B', 'A']
    """
    scheme = _scheme(scheme)
    ties = tuple(as_text(name, "the name of a tie-break") for name in as_list(order, "a list of tie-breaks"))
    outcomes: list[Outcome] = []
    for game in as_list(games, "a list of games"):
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
        for each in Standings(outcomes, ties).players
    )


@dataclass(frozen=True, slots=True)
class Probe:
    """The values of a position in the tables.

    :ivar goal: the final goal with best play.
    :ivar plies: the number of half-moves until the goal is on the board; None if the tables do not contain it.
    :ivar moves: for each legal move: the move, the goal to which it leads, and the number of half-moves or None.

    >>> rmobility.probe("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1").moves
    ()
    """

    goal: str
    plies: int | None
    moves: tuple[tuple[chess.Move, str, int | None], ...]


def probe(position: Position, folders: Iterable[str | PathLike[str]] = (), *, record: str | None = None) -> Probe:
    """Probe R-Mobility tables. The files of the tables remain open for the next call, unless they change.

    :param position: a FEN, a ``chess.Board`` or a node of a ``chess.pgn.Game``.
    :param folders: folders with tables; three-man tables are always available.
    :param record: the goal so far, such as ``G8.5``; it overrides the record in a FEN.
    :returns: the values in the tables.
    :raises TablebaseError: if no table contains the position.
    :raises NotationError: for an unreadable FEN or record.
    :raises ArgumentError: for arguments of the wrong type.

    >>> rmobility.probe("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1").goal
    '-G0.5'
    """
    from chess import Move

    from standstill.engine.tablebases import probing
    from standstill.engine.tablebases.store import SUPPLIED, opened_store

    fen = fen_of(position)
    if fen is None:
        raise wrong("a position", position)
    goal = None if record is None else parse_record(as_text(record, "a goal as a text"))
    store = opened_store([*_paths(folders), SUPPLIED])
    board, given = probing.position_of(fen)
    if goal is not None:
        given = goal[1], goal[0]
    held = probing.record_of(board, given)
    probing.check_covered(store, board)
    value = probing.look_up(store, board, held)
    moves = probing.move_values(store, board, held)
    knows = probing.knows_plies(store, board)
    listed = [
        (Move.from_uci(move_text(board, each.move)), each.value.text, each.value.plies if knows else None)
        for each in moves
    ]
    return Probe(value.text, value.plies if knows else None, tuple(listed))


# ---- arguments ----


def _scheme(value: object) -> str:
    return one_of(value, _scoring.SCHEMES, "a scheme")


def _goal(value: object) -> Goal | None:
    if value is not None and not isinstance(value, Goal):
        raise wrong("a Goal", value)
    return value


def _paths(folders: object) -> list[str]:
    paths = []
    for folder in as_list(folders, "a list of folders"):
        if not isinstance(folder, (str, PathLike)):
            raise wrong("the path of a folder", folder)
        paths.append(as_text(fspath(folder), "the path of a folder as a text"))
    return paths
