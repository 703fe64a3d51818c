"""Scores PGN games by R-Mobility. Compiled code reads chess games, and Python reads defined variants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from standstill.cext.base.constants import CLOCK_LIMIT
from standstill.cext.bindings.pgn_games import (
    FAULTS,
    GameHead,
    GameScore,
    move_words,
    read_head,
    read_tags,
    score_moves,
)

from ..common.errors import MendableError, NotationError
from ..common.goal import parse_record
from ..common.text import shown
from ..rmobility.goals import MATE, STALEMATE, Goal, settle
from ..rmobility.scoring import Terms
from ..variants.boards import new_board
from ..variants.notation import mended, set_fen
from ..variants.variant import CHESS as CHESS_GAME
from ..variants.variant import Variant
from .end_tags import adjudicated, decided_by_komi, ended_dead, result_by_komi, terms_of
from .pgn import decoded
from .scoring_rules import ScoringRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from standstill.cext.chess.chess_board import ChessBoard

    from ..tablebases.adjudication import Adjudicator
    from ..variants.notation import Board
    from .fairy_scoring import FairyScore
    from .respelling import Spelling
    from .syzygy import Tables

    Score = GameScore | FairyScore

CHESS = {"", "?", "chess", "standard", "standard chess", "orthodox", "normal", "classical", "from position"}
CHESS960 = {"chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "freestyle"}

# The values of a Result tag. Servers and federations write 0-0 if both sides lose, and 1/2-0 for a draw in which Black
# gets no points.
_RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2")
_WORDS = {"1/2": "1/2-1/2", "\xbd": "1/2-1/2"}
# A hyphen, a colon or a dash, possibly in Windows code page 1252, separates the sides. F and K mark forfeits.
_DASHES = "-:\x96\x97\u2013\u2014\u2212"
_SIDE = r"\s*(1/2|0[.,]5|[01\xbd])\s*[FfKk]?\s*"
_SIGN = r"\s*([-+=])\s*"  # a forfeit: +/-, or +--
_SPELLINGS = tuple(map(re.compile, (f"{_SIDE}[{_DASHES}]{_SIDE}", f"{_SIGN}[{_DASHES}/]{_SIGN}")))
_SHARES = {"\xbd": "1/2", "0.5": "1/2", "0,5": "1/2", "+": "1", "-": "0", "=": "1/2"}
# A result with spaces, a dash or a colon after the moves, or half a point for both. The core would take its first
# number for a move number.
_DASH = rb"(?: +- *| *- +| *(?::|\xe2\x80[\x90-\x95]|\xe2\x88\x92|[\x96\x97]) *)"
_SPACED = re.compile(rb"(?<=[\s})])(?P<result>1" + _DASH + rb"0|0" + _DASH + rb"1|1/2(?:" + _DASH + rb"1/2)?)\s*\Z")
_TAIL_BYTES = 24  # number of bytes at the end in which to look for such a result
_MOST_TRIES = 500  # largest number of readings tried for a game whose moves could be a pawn's or a piece's
_DOUBT = 2  # with this many readings of the whole game, its moves are in doubt
_STANDARD = (b"1-0", b"0-1", b"1/2-1/2")  # these results end the moves wherever they stand
_TAG_LIKE = re.compile(r"\[\s*[^\W\d_]\w*\s")
_NAMED_PAWN = re.compile(rb"P[a-h]?[1-8]?[x:-]?[a-h][1-8][+#!?]*")


@dataclass(slots=True)
class ScoredGame:
    """One game and its results in the three forms. All three are None for a game without moves or with a ``problem``.

    text, start, end: the text and the place of the game in it. over_the_board: None in a game with moves means a draw,
    because no goal was within the limit. fault_ply: 0 for an error before the first move. result: ``1-0``, ``0-1``,
    ``1/2-1/2`` or ``*``, from the tag or, if the tag has no result, from the end of the moves; also ``0-0``, ``1/2-0``
    or ``0-1/2``, from the tag alone. given: (owner, code) of a record that was in force at the first position. is_dead:
    insufficient material has ended the game, and best play is to decide it (``ScoringRules.dead_outcome``).
    board_goal: the record on the board, where tables have replaced it.
    """

    text: bytes
    start: int
    end: int
    head: GameHead
    score: Score | None = None
    goal: Goal | None = None
    whole: Goal | None = None
    over_the_board: Goal | None = None
    result: str = "*"
    plies: int = 0
    problem: str | None = None
    note: str | None = None  # a remark about a readable game
    fault_ply: int = 0
    is_empty: bool = False  # whether it has no tags and moves: blank lines, or the comments of a file without games
    first_move: int = 1  # number of the first move
    first_fen: str | None = None  # FEN of the first position, without faulty parts; None for the standard one
    moves_end: int = 0  # the end of the moves, including a result after them that the core recognises
    given: tuple[int, int] | None = None
    is_dead: bool = False
    board_goal: Goal | None = None
    respelt: Spelling | None = None  # the respelling that the core read; None if it read the text itself

    @property
    def provisional(self) -> bool:
        """Whether the goal is the record so far: the game is unfinished, or R-Mobility does not use its result."""
        return self.result not in ("1-0", "0-1", "1/2-1/2") and (self.score is None or self.score.last > STALEMATE)

    @property
    def details(self) -> Score:
        """The score. The game must have a score."""
        assert self.score is not None, self.problem
        return self.score

    def span(self, ply: int) -> tuple[int, int]:
        """Return (offset of the move, offset for a comment on it or 0) in the text. The score must have its details."""
        start, _, place = self.details.moves[ply - 1]
        if self.respelt is None:
            return start, place
        start = self.respelt.places.get(start, (start,))[0] + self.head.moves
        if place:
            place += self.head.moves
            while self.text[place : place + 1] in (
                b"!",
                b"?",
            ):  # the next move may follow without a space
                place += 1
        return start, place

    def word(self, ply: int) -> str:
        """Return the move as the core read it, without ! and ?. The score must have its details."""
        start, end, _ = self.details.moves[ply - 1]
        return decoded((self.text if self.respelt is None else self.respelt.body)[start:end]).split()[0].rstrip("!?")

    @property
    def is_chess(self) -> bool:
        """Whether the game is chess and the core read it."""
        return isinstance(self.score, GameScore)

    @property
    def game(self) -> Variant:
        """The variant that was played."""
        return CHESS_GAME if self.score is None or isinstance(self.score, GameScore) else self.score.game

    @property
    def outcome(self) -> str:
        """The result. Without one, the outcome of the last position, if that position ends the game."""
        if self.result != "*" or self.score is None or self.score.last > STALEMATE or self.whole is None:
            return self.result
        if self.score.last == STALEMATE:
            return "1/2-1/2"
        return "0-1" if self.whole.owner else "1-0"

    def terms(self, usual: Terms) -> Terms:
        """Return the terms for the game: from its tags ``Komi`` and ``RMobilityCutOff``, else the usual terms."""
        return terms_of(self, usual)[0]

    @property
    def contradiction(self) -> str | None:
        """A message if the last position, the komi or the result after the moves contradicts the given result.

        None otherwise.
        """
        score = self.score
        if score is None or self.result == "*":
            return None
        behind = decoded(score.result or b"*")
        if score.last == MATE and self.whole is not None:
            winner, won = ("Black", "0-1") if self.whole.owner else ("White", "1-0")
            return None if self.result == won else f"its result is {self.result}, but its last move wins for {winner}"
        if score.last == STALEMATE and self.result != "1/2-1/2" and not decided_by_komi(self):
            return f"its result is {self.result}, but its last move is stalemate"
        if (by_komi := result_by_komi(self)) not in (None, self.result) and self.result in ("1-0", "0-1"):
            return f"its result is {self.result}, but by its komi and its record {self.goal} it is {by_komi}"
        if behind not in ("*", self.result):
            return f"its result is {self.result}, but {behind} follows the moves"
        return None


class _Readings:
    """The results of reading a game in several spellings.

    whole: the spellings in which the whole game can be played. furthest: the failed reading that played the most moves,
    as (half-moves before the fault, element of FAULTS, original word at which it failed).
    """

    def __init__(self) -> None:
        self.whole: list[tuple[GameScore, Spelling]] = []
        self.furthest: tuple[int, str, str] | None = None

    def record_failure(self, game: ScoredGame, tried: GameScore, spelling: Spelling) -> None:
        """Record a reading that failed at an illegal or unreadable word."""
        if self.furthest is not None and self.furthest[0] >= tried.plies:
            return
        fault = FAULTS[tried.fault] if tried.fault else "unreadable"
        if fault == "unclosed":
            word = tried.word or b""
        else:
            text = game.text[game.head.moves : game.moves_end]
            word = spelling.original(text, tried.plies if tried.fault else None)
        self.furthest = tried.plies, fault, decoded(word).strip()


class Scorer:
    """Scores games. tables: a ``standstill.engine.archive.syzygy.Tables``, which finds the winner of a drawn
    adjudication.

    variant: overrides the Variant tags; empty to use them. adjudicator: gives adjudicated games the outcome of best
    play.
    """

    def __init__(
        self,
        rules: ScoringRules | None = None,
        tables: Tables | None = None,
        variant: str = "",
        adjudicator: Adjudicator | None = None,
    ):
        self.rules = rules or ScoringRules()
        self.tables = tables
        self.variant = variant.encode() or None
        self.adjudicator = adjudicator
        self._dead_adjudicator = None
        if self.rules.dead_outcome:
            from ..tablebases.adjudication import OWN, Adjudicator

            self._dead_adjudicator = adjudicator or Adjudicator((OWN,))

    def score(self, text: bytes, start: int, end: int, detail: bool = False) -> ScoredGame:
        """Score the game from ``start`` to ``end`` of the text."""
        head = read_head(text, start, end)
        game = ScoredGame(text, start, end, head, moves_end=end)
        try:
            first = _beginning(head.fen, self.variant or head.variant)
        except NotationError as error:
            game.problem = str(error)
            game.result = given_result(head.result) or "*"
            return game
        board, given, game.first_fen = first.board, first.given, first.fen
        if text.find(b"RMobilityRecord", start, head.moves) >= 0:
            try:
                given = _given_record(text, start, end) or given
            except NotationError as error:
                game.problem = f"{error} in RMobilityRecord"
                game.result = given_result(head.result) or "*"
                return game
        game.given = given
        end = game.moves_end = _end_of_moves(head, text, end)
        if board is not None and not board.notation.game.is_chess:
            score: Score = self._play_fairy(game, board.copy(), given)
        else:
            score = self._play(text, head.moves, end, board, given, detail)
        game.result = _result(game, score)
        game.is_empty = not head.has_tags and not score.words and score.result is None
        game.first_move = 1 if board is None else board.fullmove
        if isinstance(score, GameScore) and score.fault:
            score = self._respelt(game, score, board, given, detail)
        elif isinstance(score, GameScore) and score.names_pawns:
            self._check_named_pawns(game, board, given)
        if not isinstance(score, GameScore) and score.complaint is not None:
            game.fault_ply, game.problem = score.plies + (score.plies < score.words), score.complaint
        if game.problem is None and _ends_in_tags(game, score):
            game.problem = "the file ends within the tags"
        if game.problem is not None:
            return game
        game.note = "; ".join(filter(None, (*first.ignored, _without_result(game, score)))) or None
        game.score = score
        game.plies = score.plies
        if score.record is not None and score.whole is not None:
            self._settle(game, Goal(*score.record), Goal(*score.whole), score.last)
        return game

    def _play(  # noqa: PLR0917
        self, text: bytes, start: int, end: int, board: Board | None, given: tuple[int, int] | None, detail: bool
    ) -> GameScore:
        rules = self.rules
        if TYPE_CHECKING:
            assert board is None or isinstance(board, ChessBoard)
        return score_moves(
            text, start, end, board, given, not rules.trigger_is_void, not rules.whole_trigger_is_void, detail
        )

    def _play_fairy(self, game: ScoredGame, board: Board, given: tuple[int, int] | None) -> FairyScore:
        from .fairy_scoring import score_moves as score_fairy_moves
        from .respelling import plain

        text, start, end, head = game.text, game.head.moves, game.moves_end, game.head
        game.respelt = plain(text[start:end])
        if game.respelt is not None:
            text, start, end = game.respelt.body, 0, end - start
        return score_fairy_moves(text, start, end, board, self.rules, fen=head.fen, given=given)

    def _respelt(
        self, game: ScoredGame, score: GameScore, board: Board | None, given: tuple[int, int] | None, detail: bool
    ) -> GameScore:
        """Play the game in other spellings of its moves. If all fail, return the score with the fault and a problem."""
        fault, word = FAULTS[score.fault], decoded(score.word or b"").strip()
        unclosed = fault == "unclosed"
        found = _Readings()
        if not unclosed:
            found = self._readings(game, board, given, detail)
        if len(found.whole) == 1:
            tried, game.respelt = found.whole[0]
            return tried
        if found.whole:
            game.fault_ply, game.problem = _doubt(score.plies + 1, word, found.whole)
            return score
        # The reading that plays the most moves shows the invalid word.
        plies = score.plies
        if found.furthest is not None and found.furthest[0] >= plies:
            plies, fault, word = found.furthest
        game.fault_ply = plies if unclosed else plies + 1
        if not plies and (tag := _faulty_tag(game)):
            game.fault_ply, game.problem = 0, f'expected a tag such as [Event "A"], found {shown(tag)}'
            return score
        word = shown(word)
        game.problem = {
            "unreadable": f"expected a move, found {word}",
            "illegal": f"illegal move {word}",
            "ambiguous": f"{word} could be more than one move",
            "unclosed": f"{word} is not closed",
        }[fault]
        return score

    def _readings(
        self, game: ScoredGame, board: Board | None, given: tuple[int, int] | None, detail: bool, every: bool = False
    ) -> _Readings:
        """Return the spellings in which the game can be played; without ``every`` only English if English works."""
        from .respelling import spellings

        found = _Readings()
        for spelling in spellings(game.text, game.head.moves, game.moves_end, every):
            body = spelling.body
            tried = self._play(body, 0, len(body) if spelling.stop is None else spelling.stop, board, given, detail)
            if tried.fault or spelling.stop is not None:
                found.record_failure(game, tried, spelling)
                continue
            found.whole.append((tried, spelling))
            for other in spelling.joined:
                joined = self._play(other.body, 0, len(other.body), board, given, detail)
                if not joined.fault:
                    found.whole.append((joined, other))
            if spelling.language == "English" and not every:  # English is the language of the PGN standard
                break
        if not found.whole and not every:
            self._read_lower_case(game, board, given, detail, found)
        return found

    def _read_lower_case(
        self, game: ScoredGame, board: Board | None, given: tuple[int, int] | None, detail: bool, found: _Readings
    ) -> None:
        """Add the readings of a game whose piece letters are all in lower case; English readings exclude all others."""
        from .respelling import lower_case

        for spelling in lower_case(game.text, game.head.moves, game.moves_end):
            waiting, tries = [(spelling.body, 0)], 0
            while waiting and tries < _MOST_TRIES and len(found.whole) < _DOUBT:
                body, decided = waiting.pop()
                end = len(body) if spelling.stop is None else spelling.stop
                tried = self._play(body, 0, end, board, given, detail)
                tries += 1
                fault = len(body) if not tried.fault else move_words(body, 0, len(body))[tried.plies][0]
                for number, (at, letter) in enumerate(spelling.doubtful[decided:], decided + 1):
                    if at <= fault:
                        waiting.append((body[:at] + letter + body[at + 1 :], number))
                if tried.fault or spelling.stop is not None:
                    found.record_failure(game, tried, spelling)
                else:
                    found.whole.append((tried, replace(spelling, body=body)))
            if found.whole and spelling.language.startswith("English"):
                return

    def _check_named_pawns(self, game: ScoredGame, board: Board | None, given: tuple[int, int] | None) -> None:
        """Reject a game whose P-moves (``Pe4``) could also be moves of another piece in another language."""
        words = move_words(game.text, game.head.moves, game.moves_end)
        named = ((ply, game.text[place[0] : place[1]]) for ply, place in enumerate(words, 1))
        first = next(((ply, word) for ply, word in named if _NAMED_PAWN.fullmatch(word)), None)
        if first is None:
            return
        found = self._readings(game, board, given, detail=False, every=True).whole
        if len(found) > 1:
            game.fault_ply, game.problem = _doubt(first[0], decoded(first[1]), found)

    def _settle(self, game: ScoredGame, phase: Goal, whole: Goal, last: int) -> None:
        """Compute the results from the records and the goal code of the final position."""
        result = None if self.rules.board_only else game.result
        if result == "1/2-1/2" and last > STALEMATE and self.tables is not None and isinstance(game.score, GameScore):
            result = self._table_result(game, game.score, self.tables) or result
        if result in ("1-0", "0-1") and decided_by_komi(game):
            result = "1/2-1/2"
        if last > STALEMATE and isinstance(game.score, GameScore):
            adjudicator = self.adjudicator if self.adjudicator is not None and adjudicated(game) else None
            if adjudicator is None and self._dead_adjudicator is not None and result == "1/2-1/2":
                game.is_dead = ended_dead(game, game.score)
                adjudicator = self._dead_adjudicator if game.is_dead else None
            if adjudicator is not None:
                phase, result = self._judged(game, game.score, adjudicator, phase, result)
                whole = min(whole, phase, key=lambda goal: goal.code)
        otb = phase if phase.code <= self.rules.otb_limit else None
        game.goal = settle(phase, last_code=last, plies=game.plies, result=result)
        game.whole = settle(whole, last_code=last, plies=game.plies, result=result)
        game.over_the_board = settle(otb, last_code=last, plies=game.plies, result=result)
        if game.head.agreed is None:
            return
        try:
            game.goal = agreed = Goal.parse(decoded(game.head.agreed), game.plies)
        except NotationError as error:
            game.problem = f"{error} in RMobilityAgreed"
            game.goal = game.whole = game.over_the_board = None
            return
        # Best play would have reached the agreed goal, so it also counts over the board and for the whole game.
        game.over_the_board = agreed if agreed.code <= self.rules.otb_limit else None
        if game.whole is None or agreed.code < game.whole.code:
            game.whole = agreed

    def _judged(
        self, game: ScoredGame, score: GameScore, adjudicator: Adjudicator, phase: Goal, result: str | None
    ) -> tuple[Goal, str | None]:
        """Return record and result of a game after best play, if the tables contain its last position."""
        found = adjudicator.verdict(score.board(), (phase.code, phase.owner))
        if found is None:
            return phase, result
        code, owner = found
        game.board_goal = phase
        if code == MATE:
            return phase, "0-1" if owner else "1-0"
        return (phase if found == (phase.code, phase.owner) else Goal(code, owner, game.plies)), "1/2-1/2"

    def _table_result(self, game: ScoredGame, score: GameScore, tables: Tables) -> str | None:
        """Return the winner of a position adjudicated as a draw: of a cursed win, or with ``iccf`` of any win."""
        by_fifty = score.clock >= CLOCK_LIMIT
        if by_fifty and self.rules.fifty != "iccf":
            return None
        if not by_fifty and not adjudicated(game):
            return None
        return tables.cursed_winner(score.board(), any_win=by_fifty or self.rules.fifty == "iccf")


def record_plies(score: Score, rules: ScoringRules) -> Iterator[tuple[int, int, int, bool]]:
    """Yield (ply, code, owner, whether a phase begins) for each position that set a record. score: with details."""
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


def _doubt(ply: int, word: str, found: list[tuple[GameScore, Spelling]]) -> tuple[int, str]:
    """Return the half-move and a message for a game with several readings, of which ``word`` is in doubt."""
    (_, one), (_, other), *_ = found
    if one.language == other.language:  # the readings differ in a lower-case letter: a file or a piece
        places = enumerate(move_words(one.body, 0, len(one.body)), 1)
        ply, start, end = next((n, at, to) for n, (at, to) in places if one.body[at:to] != other.body[at:to])
        return ply, f"{shown(decoded(other.body[start:end]).lower())} could be a move of a pawn or of another piece"
    names = " or ".join(spelling.language for _, spelling in found)
    return ply, f"{shown(word)} and the other moves can be read as {names}"


def _ends_in_tags(game: ScoredGame, score: Score) -> bool:
    """Return whether the file ends within the tags. Tags alone may be a game, but then an empty line ends them."""
    if score.words or score.result is not None or game.moves_end < game.end or not game.head.has_tags:
        return False
    rest = game.text[game.head.moves : game.end]
    return not rest.strip() and rest.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") < 2


def _faulty_tag(game: ScoredGame) -> str:
    """Return the first line after the tags if it looks like a tag, for instance one with typographic quotes."""
    line = decoded(game.text[game.head.moves : game.end]).strip().partition("\n")[0].strip()
    return line if _TAG_LIKE.match(line) else ""


def _without_result(game: ScoredGame, score: Score) -> str | None:
    """Return a note if no result follows the moves, as in Lichess studies and in truncated files."""
    if not score.words or score.result is not None or game.moves_end < game.end or not game.head.has_tags:
        return None
    tail = game.text[max(game.start, game.end - 40) : game.end]
    if score.last <= STALEMATE or b"\xbd" in tail:  # the sign for half a point
        return None
    if game.result != "*":
        return f"no result after the moves; the tag says {game.result}"
    return "no result after the moves, and the last line is incomplete" if tail[-1:] not in b"\r\n" else None


def _result(game: ScoredGame, score: Score) -> str:
    """Return the result of the tag, or otherwise the result after the moves."""
    if (given := given_result(game.head.result)) is not None:
        return given
    if score.result is not None:
        return score.result.decode()
    return given_result(game.text[game.moves_end : game.end]) or "*"


@lru_cache(maxsize=100)
def given_result(value: bytes | None) -> str | None:
    """Return the result of a Result tag in PGN's spelling; None for a missing or unknown value."""
    text = decoded(value or b"").strip()
    if text in _RESULTS:
        return text
    if text in _WORDS:
        return _WORDS[text]
    for spelling in _SPELLINGS:
        if (found := spelling.fullmatch(text)) is not None:
            result = "-".join(_SHARES.get(side, side) for side in found.groups())
            return result if result in _RESULTS else None
    return None


def _end_of_moves(head: GameHead, text: bytes, end: int) -> int:
    """Return the end of the moves: before a result in another spelling, or before the value of the Result tag.

    Behind moves, that value counts only in the spelling of the tag, because 0-0 may be castling.
    """
    tail = text[max(head.moves, end - _TAIL_BYTES) : end]
    if b" -" in tail or b"- " in tail or b":" in tail or tail.rstrip().endswith(b" 1/2") or not tail.isascii():
        spaced = _SPACED.search(tail)
        if spaced is not None:
            return end - len(tail) + spaced.start("result")
    if head.result is None or head.result in _STANDARD or (given := given_result(head.result)) is None:
        return end
    moves = text[head.moves : end].rstrip()
    before = b"" if moves.lstrip() == given.encode() not in _STANDARD else moves.removesuffix(head.result)
    return head.moves + len(before) if len(before) < len(moves) and not before[-1:].strip(b" \t\r\n})") else end


@dataclass(frozen=True, slots=True)
class _Beginning:
    """The first position of a game: board, record and FEN; None for chess's own. ignored: what is wrong in the FEN."""

    board: Board | None = None
    given: tuple[int, int] | None = None
    fen: str | None = None
    ignored: tuple[str, ...] = ()


@lru_cache(maxsize=2000)
def _beginning(fen: bytes | None, variant: bytes | None) -> _Beginning:
    """Return the first position. Faulty parts of a FEN that play can do without are ignored. Raises NotationError."""
    text = decoded(variant).strip() if variant is not None else ""
    name = text.lower()
    if name not in CHESS and name not in CHESS960:
        from .fairy_scoring import find_game, readable_beginning

        game = find_game(text)
        board = new_board(game=game)
        first = None if fen is None else readable_beginning(game, decoded(fen))
        return _Beginning(board, None if first is None else set_fen(board, first), first)
    if fen is None:
        return _Beginning()
    first, ignored = decoded(fen), list[str]()
    while True:
        board = new_board(chess960=name in CHESS960)
        try:
            return _Beginning(board, set_fen(board, first), first, tuple(ignored))
        except MendableError as error:
            first = mended(first, error)
            ignored.append(f"ignored: {error}")


def _given_record(text: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return (owner, code) of the record in force at the first position, from the tag. Raises NotationError."""
    value = dict(read_tags(text, start, end)).get(b"RMobilityRecord")
    return None if value is None else parse_record(decoded(value).strip())
