"""Turns the evaluations of a game into symbols and comments for its moves."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..relevance import nags, trainer
from ..relevance.model import (
    DEFAULT_POSITION_SCHEME,
    DEFAULT_X05,
    MOVE_SCHEMES,
    gain,
    judge,
    position_nag,
    result,
)
from .evaluations import BLACK, WHITE, Evaluation, by_one_source, in_centipawns, in_comment, is_book
from .movetext import Movetext, Notes
from .obvious import is_recapture

# The names of the schemes for symbols of moves: ``trainer``, and those that compare evaluations only.
ALL_MOVE_SCHEMES = (trainer.NAME, *MOVE_SCHEMES)


@dataclass(slots=True)
class JudgedPosition:
    """The evaluations of one position of a game, from White's point of view; None if unknown.

    best, second: the evaluations after the best and the second-best move. ``best`` is also the position's evaluation.
    played: the evaluation after the played move, from a search with the same limit.
    is_best: whether the played move was the best one.
    line: the best line in SAN.
    depth, sacrifices: how hard the played move was to find, if the move was the best one, and whether it gives
    material (``relevance.trainer``); None and False if unknown.
    """

    best: Evaluation | None = None
    second: Evaluation | None = None
    played: Evaluation | None = None
    is_best: bool = False
    line: list[str] = field(default_factory=list)
    depth: int | None = None
    sacrifices: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """The output to write into games. A scheme of None writes no symbols. positions: change, every or end."""

    x05: float = DEFAULT_X05
    # the x05 for evaluations after Black's moves, if each player evaluated its own moves
    x05_black: float | None = None
    by_players: bool = False  # whether each player evaluated its own moves
    position_scheme: str | None = DEFAULT_POSITION_SCHEME
    move_scheme: str | None = trainer.NAME
    positions: str = "change"
    max_nag: int = 21
    write_eval: bool = False
    write_goals: bool = False  # whether to write [%rm] at each move that sets an R-Mobility record
    strip: bool = False  # whether to remove all comments, symbols and variations first
    keep_signs: bool = False  # whether to leave existing signs of a move or a position in the file as they are
    # number of full moves at the start without symbols; if the number is set, book moves get no symbols either
    skip_book: int | None = None
    skip_forced: bool = False
    variation: int = 0  # number of half-moves of the better line to write after a bad move

    def x05_after(self, game: Movetext, index: int) -> float:
        """Return the x05 for evaluations after the move at ``index``."""
        return self.x05 if self.x05_black is None or game.white_moves(index) else self.x05_black

    def in_book(self, game: Movetext, index: int) -> bool:
        """Return whether the move at ``index`` is an opening move, which gets no symbol."""
        if self.skip_book is None:
            return False
        return index < 2 * self.skip_book or is_book(game.comment(index))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one move. loss: a share of the total area; None if unknown.

    evaluation: the evaluation after the move. expected: White's expected result for it. expected_else: the expected
    result of White for the move with which the played move was compared: the second-best move if the played move is
    the best, otherwise the best move.
    """

    evaluation: Evaluation | None
    expected: float | None
    expected_else: float | None
    move_nag: int
    position_nag: int
    loss: float | None


def positions_of_comments(game: Movetext) -> list[JudgedPosition]:
    """Return the positions of a game, including the first one, with the evaluations in its comments.

    If one source evaluated two positions in a row (``[%eval]``), the first evaluation is that of the best move, so bad
    moves can be found. Evaluations of the two match players come from different engines and must not be subtracted.
    """
    centipawns = in_centipawns(game.text)
    positions = [JudgedPosition(in_comment(game.comment(-1), WHITE, centipawns=centipawns) if game.lead else None)]
    same_source = by_one_source(game.comment(-1))
    for index, ply in enumerate(game.plies):
        found, by_eval = None, False
        if ply.comments or ply.rests:
            comment = game.comment(index)
            found = in_comment(comment, WHITE if game.white_moves(index) else BLACK, centipawns=centipawns)
            by_eval = by_one_source(comment)
        if found is None and ply.san.endswith("#") and any(position.best for position in positions):
            # Lichess does not evaluate finished positions, so their evaluation is added from the result, except in
            # games without evaluations.
            found, by_eval = Evaluation.of_mate(0, WHITE if game.white_moves(index) else BLACK), same_source
        if same_source and by_eval:
            positions[-1].played = found
        same_source = by_eval
        positions.append(JudgedPosition(found))
    return positions


def verdicts(game: Movetext, positions: list[JudgedPosition], style: Style) -> list[Verdict]:
    """Return a verdict for each move of the main line."""
    found = []
    for index in range(len(game.plies)):
        before, after = positions[index], positions[index + 1]
        evaluation = evaluation_after(before, after)
        x05 = style.x05_after(game, index)
        nag = move_nag = 0
        if evaluation is not None and style.position_scheme and not style.in_book(game, index):
            nag = position_nag(evaluation.pawns, x05, style.position_scheme)
        if style.move_scheme and not _skipped(game, index, style):
            move_nag = _judged(game, index, before, x05, style.move_scheme)
        reference = None if before.played is None else before.second if before.is_best else before.best
        expected, other = (None if each is None else result(each.pawns, x05) for each in (evaluation, reference))
        loss = _loss(game, index, before, x05)
        found.append(Verdict(evaluation, expected, other, move_nag, nag, loss))
    return found


def evaluation_after(before: JudgedPosition, after: JudgedPosition) -> Evaluation | None:
    """Return the evaluation of a move, which is shown, written into the game and judged.

    The evaluation comes from the search that compared the move with other moves. The search of the position after the
    move, a ply deeper, would give a different evaluation.
    """
    over = after.best is not None and after.best.mate == 0
    return after.best if before.played is None or over else before.played


def notes(game: Movetext, positions: list[JudgedPosition], found: list[Verdict], style: Style) -> list[Notes]:
    """Return the notes to write after each move."""
    texts = []
    shown = 0  # the current symbol
    last = max((index for index, verdict in enumerate(found) if verdict.position_nag), default=-1)
    # Two engines that evaluate their own moves often disagree, so a symbol is written only if it holds for two
    # half-moves.
    by_two = style.positions == "change" and style.by_players
    for index, verdict in enumerate(found):
        note = Notes()
        note.move_nag = verdict.move_nag
        nag = nags.folded(verdict.position_nag, style.max_nag)
        if nag:
            holds = not by_two or _holds(found, index, style.max_nag)
            wanted = {"change": nag != shown and holds, "every": True, "end": index == last}
            # An existing symbol of a position is replaced here, so that it does not contradict the new symbol.
            there = not style.strip and any(sign in nags.POSITION_NAGS for _, _, sign in game.plies[index].nags)
            note.position_nag = nag if wanted[style.positions] or there else 0
            shown = nag if holds else shown
        if style.keep_signs:
            signs = {sign for _, _, sign in game.plies[index].nags}
            note.move_nag = 0 if signs & set(nags.MOVE_NAGS) else note.move_nag
            note.position_nag = 0 if signs & set(nags.POSITION_NAGS) else note.position_nag
        if style.write_eval and verdict.evaluation is not None:
            note.commands["%eval"] = verdict.evaluation.command()
        if style.variation and verdict.move_nag in nags.BAD_MOVE_NAGS:
            note.variation = _numbered(game, index, positions[index].line[: style.variation])
        texts.append(note)
    return texts


def _holds(found: list[Verdict], index: int, max_nag: int) -> bool:
    """Return whether the symbol still applies after the next evaluated move, which another engine may have judged."""
    now, *later = (nags.folded(verdict.position_nag, max_nag) for verdict in found[index:] if verdict.position_nag)
    return not later or later[0] == now


def _judged(game: Movetext, index: int, before: JudgedPosition, x05: float, scheme: str) -> int:
    known = (before.best, before.second, before.played)
    best, second, played = (None if evaluation is None else evaluation.pawns for evaluation in known)
    mover = "w" if game.white_moves(index) else "b"
    if scheme != trainer.NAME:
        return judge(best, second, played, before.is_best, mover, x05, scheme)
    mate = before.best.mate if before.best is not None else None
    for_mover = mate is not None and (mate > 0) == (mover == "w")
    return trainer.judge(
        best,
        second,
        played,
        before.is_best,
        mover,
        x05,
        depth=before.depth,
        sacrifices=before.sacrifices,
        mate=abs(mate) if mate and for_mover else None,
    )


def _loss(game: Movetext, index: int, before: JudgedPosition, x05: float) -> float | None:
    """Return the loss of the move compared with the best one; None if unknown."""
    if before.is_best:
        return 0.0
    if before.best is None or before.played is None:
        return None
    mover = "w" if game.white_moves(index) else "b"
    return max(0.0, -gain(before.played.pawns, before.best.pawns, mover, x05))


def _skipped(game: Movetext, index: int, style: Style) -> bool:
    """Return whether the style omits a symbol for this move. (A single legal move never gets a symbol.)"""
    return style.in_book(game, index) or (style.skip_forced and is_recapture(game, index))


def _numbered(game: Movetext, index: int, line: list[str]) -> str:
    """Return a line that replaces the move at ``index``, with move numbers."""
    words = []
    for at, san in enumerate(line, index):
        if game.white_moves(at):
            words.append(f"{game.number(at)}.")
        elif at == index:
            words.append(f"{game.number(at)}...")
        words.append(san)
    return " ".join(words)
