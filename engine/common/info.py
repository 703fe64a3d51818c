"""Search information in the engine's own terms. A front end converts the information to its protocol."""

from __future__ import annotations

from standstill.cext.base.constants import BOUND_EXACT, BOUND_LOWER, BOUND_UPPER, CP, SCORE_DECIDED, SCORE_MATE

# Scores are in 16.16 fixed point: SCORE_CP is one centipawn. A mate in n plies scores MATE - n.
SCORE_CP = CP
MATE = SCORE_MATE
LEAST_MATE = 15500 * SCORE_CP
# The score shown for every tablebase win, regardless of its length. Only mate scores are higher.
TABLEBASE_WIN = 15000 * SCORE_CP

UPPER, LOWER, EXACT = BOUND_UPPER, BOUND_LOWER, BOUND_EXACT

# The model of win, draw and loss: at HALF_CP half of all games are won, and SPREAD_CP is the width of the curve.
# Fitted to 500 games of 5000 nodes a move (tools/measure/fit/fit_wdl.py, docs/lab/scores.md).
HALF_CP = 119.0
SPREAD_CP = 71.0


def is_mate(score: int) -> bool:
    return abs(score) >= LEAST_MATE


def score_cp(score: int) -> int:
    """Return whole centipawns, rounded. All draws give 0, whatever their goals."""
    size = (abs(score) + SCORE_CP // 2) // SCORE_CP
    return size if score > 0 else -size


def mate_moves(score: int) -> int:
    """Return the full moves to mate: negative if the side is being mated, 0 if it is already mated.

    A negated score, from the opponent's point of view, is valid as well.
    """
    moves = (MATE - abs(score) + 1) // 2
    return moves if score > 0 else -moves


def score_text(score: int) -> str:
    """The score as ``cp N`` or ``mate N``."""
    return f"mate {mate_moves(score)}" if is_mate(score) else f"cp {score_cp(score)}"


def score_pawns(score: int) -> str:
    """The score in pawns for people: ``+0.35``, ``#5``, ``#-3``; ``#-0`` for a side that is mated."""
    return f"#{'-' if score < 0 else ''}{abs(mate_moves(score))}" if is_mate(score) else f"{score_cp(score) / 100:+.2f}"


def wdl(score: int) -> tuple[int, int, int]:
    """Return the chances of win, draw and loss for the side to move, per mille. They sum to 1000."""
    if is_mate(score):
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    from math import exp

    # Beyond this range the values per mille do not change, and exp would overflow.
    cp = max(-4000.0, min(score / SCORE_CP, 4000.0))
    win = round(1000 / (1 + exp((HALF_CP - cp) / SPREAD_CP)))
    loss = round(1000 / (1 + exp((HALF_CP + cp) / SPREAD_CP)))
    return win, 1000 - win - loss, loss


class SearchInfo:
    """The search information about one principal variation in one iteration."""

    __slots__ = (
        "bound",
        "depth",
        "has_proven_score",
        "hashfull",
        "is_proven",
        "knows_draws",
        "multipv",
        "nodes",
        "pv",
        "score",
        "seldepth",
        "source",
        "symbol",
        "tbhits",
        "time_ns",
    )

    def __init__(
        self,
        *,
        depth: int,
        seldepth: int,
        multipv: int,
        score: int,
        bound: int,
        nodes: int,
        time_ns: int,
        hashfull: int,
        pv: list[str],
        tbhits: int | None = None,
        source: str = "",
        symbol: str = "",
        is_proven: bool = False,
        has_proven_score: bool = False,
        knows_draws: bool = True,
    ):
        self.depth = depth
        self.seldepth = seldepth
        self.multipv = multipv  # rank of the line, from 1
        self.score = score  # fixed point, from the side to move's point of view
        self.bound = bound  # UPPER, LOWER or EXACT
        self.nodes = nodes
        self.time_ns = time_ns
        self.hashfull = hashfull  # per mille
        self.pv = pv  # coordinate moves, legal from the root, not beyond the end of the game
        self.tbhits = tbhits  # tablebase hits; None without tablebases
        self.source = source  # what chose the move: "book", "tables", "" for the search; "rules": the game is over
        self.symbol = symbol  # the relevance symbol, in ASCII and from White's point of view; "" without a symbol
        self.is_proven = is_proven  # whether tables prove the result, or the game ends at this position
        self.has_proven_score = has_proven_score  # whether tables or the rules prove the score as well; see is_certain
        self.knows_draws = knows_draws  # whether a game that is not yet decided can end in a draw

    def copy(self) -> SearchInfo:
        return SearchInfo(**{name: getattr(self, name) for name in self.__slots__})

    @property
    def is_certain(self) -> bool:
        """Whether the score is certain: tables or the rules prove it, or it is a mate and more than a bound."""
        if is_mate(self.score):
            return self.bound in (EXACT, LOWER if self.score > 0 else UPPER)
        return self.has_proven_score

    @property
    def chances(self) -> tuple[int, int, int]:
        """Chances of win, draw and loss for the side to move, per mille; a proven draw has only the chance of a draw.

        A proven draw may have a small score, because R-Mobility orders drawn games. If the game cannot be drawn, half
        the chance of a draw is added to each side's chance of a win.
        """
        if self.is_proven and abs(self.score) < SCORE_DECIDED:
            return 0, 1000, 0
        won, drawn, lost = wdl(self.score)
        if self.knows_draws:
            return won, drawn, lost
        won = (2 * won + drawn + (self.score > 0)) // 2
        return won, 0, 1000 - won

    @property
    def nps(self) -> int:
        return self.nodes * 1_000_000_000 // self.time_ns if self.time_ns > 0 else 0


class BestMove:
    """The result of a search. ``move`` is None if no move is legal, ``ponder`` is None if no reply is expected."""

    __slots__ = ("move", "ponder")

    def __init__(self, move: str | None, ponder: str | None = None):
        self.move = move
        self.ponder = ponder
