"""The R-Mobility results of games in PGN, read by compiled code and, where that gives up, by python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from cext.games import FAULTS, GameHead, GameScore, read_head, read_tags, score_moves

from ..board import new_board
from ..errors import NotationError
from ..notation import set_fen, shown
from ..pgn.games import decoded
from .goals import CLOCK_LIMIT, OTB_LIMIT, STALEMATE, Goal, settle

CHESS = {"", "?", "chess", "standard", "orthodox", "normal", "classical", "from position"}
CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"}

_RESULTS = (b"1-0", b"0-1", b"1/2-1/2")


@dataclass(frozen=True, slots=True)
class Rules:
    """How games are scored; the defaults are the rules as they are played.

    fifty: ``fide``, ``iccf``, ``record`` or ``off``. keep_trigger: the position that ends a game by the 50-move rule
    may set a record. wg_trigger: that position sets no record of the whole game either. otb_limit: goal code; over the
    board weaker goals are not noted down. board_only: the Result tag makes nobody a winner.
    """

    fifty: str = "fide"
    keep_trigger: bool = False
    wg_trigger: bool = False
    otb_limit: int = OTB_LIMIT
    board_only: bool = False

    @property
    def trigger_is_void(self) -> bool:
        return self.fifty in ("fide", "iccf") and not self.keep_trigger

    @property
    def whole_trigger_is_void(self) -> bool:
        return self.fifty in ("fide", "iccf") and self.wg_trigger


@dataclass(slots=True)
class ScoredGame:
    """One game and its results in the three forms; all three are None for a game without moves or with a ``problem``.

    text, start, end: where it stands.
    over_the_board None in a game with moves: no goal within the limit, a draw. fault_ply: 0 if the game could not even
    begin. result: ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``, of the tag or, where that says nothing, behind the moves.
    """

    text: bytes
    start: int
    end: int
    head: GameHead
    score: GameScore | None = None  # None, too, where python-chess had to read the moves
    goal: Goal | None = None
    whole: Goal | None = None
    over_the_board: Goal | None = None
    result: str = "*"
    plies: int = 0
    problem: str | None = None
    fault_ply: int = 0
    is_empty: bool = False  # neither tags nor moves: blank lines, or the comments of a file without games
    first_move: int = 1  # number of the first move

    @property
    def provisional(self) -> bool:
        """Is the game unfinished, and the result the record so far?"""
        return self.result == "*" and (self.score is None or self.score.last > STALEMATE)

    @property
    def is_chess(self) -> bool:
        """Was it chess, read by the core?"""
        return isinstance(self.score, GameScore)

    @property
    def definition(self):
        """The ``variants.definition.Game`` that was played, None for chess."""
        return None if self.score is None or self.is_chess else self.score.game

    @property
    def is_draw(self) -> bool:
        """Was it drawn, whatever the goals say?"""
        if self.score is not None and self.score.last <= STALEMATE:
            return self.score.last == STALEMATE
        return self.result == "1/2-1/2"


class Scorer:
    """Scores games; ``tables`` (``engine.pgn.tables.Tables``) find the winner of a drawn adjudication.

    variant: the game that is played, whatever the Variant tags say; empty: what they say.
    """

    def __init__(self, rules: Rules | None = None, tables=None, variant: str = ""):
        self.rules = rules or Rules()
        self.tables = tables
        self.variant = variant.encode() or None

    def score(self, text: bytes, start: int, end: int, detail: bool = False) -> ScoredGame:
        """The game from ``start`` to ``end`` of the text."""
        head = read_head(text, start, end)
        game = ScoredGame(text, start, end, head)
        rules = self.rules
        try:
            board, given = _beginning(head.fen, self.variant or head.variant)
        except NotationError as error:
            game.problem = str(error)
            return game
        if board is not None and board.game is not None:
            from ..pgn import fairy

            score = fairy.score_moves(text, head, end, board.copy(), rules, given=given)
        else:
            score = score_moves(
                text,
                head.moves,
                end,
                board,
                given,
                not rules.trigger_is_void,
                not rules.whole_trigger_is_void,
                detail,
            )
        game.result = _result(head, score)
        game.is_empty = not head.has_tags and not score.words and score.result is None
        game.first_move = 1 if board is None else board.fullmove
        if isinstance(score, GameScore) and score.fault:
            self._second_reading(game, score)
            return game
        if not isinstance(score, GameScore) and score.complaint is not None:
            game.fault_ply, game.problem = score.plies + 1, score.complaint
            return game
        game.score = score
        game.plies = score.plies
        if score.plies:
            self._settle(game, Goal(*score.record), Goal(*score.whole), score.last)
        return game

    def _second_reading(self, game: ScoredGame, score: GameScore) -> None:
        """What our reader does not understand, python-chess may; it must have understood every word."""
        from ..pgn.second import replay

        unclosed = FAULTS[score.fault] == "unclosed"  # python-chess does not mind, and reads less than is there
        found = None if unclosed else replay(decoded(game.text[game.start : game.end]), score.words, self.rules)
        if found is None:
            game.fault_ply = score.plies if unclosed else score.plies + 1
            word = decoded(score.word).strip()
            game.problem = {
                "unreadable": f"expected a move, found {shown(word)}",
                "illegal": f"illegal move {shown(word)}",
                "ambiguous": f"{shown(word)} could be more than one move",
                "unclosed": f"{shown(word)} is not closed",
            }[FAULTS[score.fault]]
            return
        game.plies = found.plies
        self._settle(game, found.phase, found.whole, found.last)

    def _settle(self, game: ScoredGame, phase: Goal, whole: Goal, last: int) -> None:
        """From records, and the goal code of the final position, to results."""
        result = None if self.rules.board_only else game.result
        if self.tables is not None and result == "1/2-1/2" and last > STALEMATE and game.is_chess:
            result = self._table_result(game) or result
        otb = phase if phase.code <= self.rules.otb_limit else None
        game.goal = settle(phase, last_code=last, plies=game.plies, result=result)
        game.whole = settle(whole, last_code=last, plies=game.plies, result=result)
        game.over_the_board = settle(otb, last_code=last, plies=game.plies, result=result)
        if game.head.agreed is not None:
            try:
                game.goal = Goal.parse(decoded(game.head.agreed), game.plies)
            except NotationError as error:
                game.problem = f"{error} in RMobilityAgreed"
                game.goal = game.whole = game.over_the_board = None

    def _table_result(self, game: ScoredGame) -> str | None:
        """``1-0`` or ``0-1`` for a cursed win adjudicated a draw; with ``iccf`` the 50-move rule draws no won game."""
        by_fifty = game.score.clock >= CLOCK_LIMIT
        if by_fifty and self.rules.fifty != "iccf":
            return None
        if not by_fifty and not _adjudicated(game):
            return None
        return self.tables.cursed_winner(game.score.board(), any_win=by_fifty or self.rules.fifty == "iccf")


def record_plies(score: GameScore, rules: Rules) -> Iterator[tuple[int, int, int, bool]]:
    """(ply, code, owner, does a phase begin?) of each position that set a record. The score must have its details."""
    best, owner = score.first
    yield 0, best, owner, True
    clock_void = rules.trigger_is_void and score.clock >= CLOCK_LIMIT
    for ply in range(1, score.plies + 1):
        code = score.codes[ply]
        begins = score.resets[ply]
        void = clock_void and ply == score.plies and code > STALEMATE
        if begins or (code < best and not void):
            best = code
            yield ply, code, (score.first_mover ^ 1) ^ (ply & 1), begins


def _result(head: GameHead, score: GameScore) -> str:
    if head.result in _RESULTS:
        return head.result.decode()
    return score.result.decode() if score.result is not None else "*"


@lru_cache(maxsize=2000)
def _beginning(fen: bytes | None, variant: bytes | None):
    """(board, given record) of the first position; None for the usual one. Raises NotationError."""
    text = decoded(variant).strip() if variant is not None else ""
    name = text.lower()
    if name not in CHESS and name not in CHESS960:
        from ..pgn.fairy import find_game

        board = new_board(game=find_game(text))
        return board, None if fen is None else set_fen(board, decoded(fen))
    if fen is None:
        return None, None
    board = new_board(chess960=name in CHESS960)
    return board, set_fen(board, decoded(fen))


def _adjudicated(game: ScoredGame) -> bool:
    """Do the tags say that somebody else ended the game?"""
    words = ("adjudicat", "syzygy", "tablebase", "tb ")
    for name, value in read_tags(game.text, game.start, game.end):
        if name in (b"Termination", b"TerminationDetails"):
            text = decoded(value).lower() + " "
            if any(word in text for word in words):
                return True
    return False
