"""Games of definition files in PGN: what their moves come to, as ``cext.games`` says it of chess, in Python.

Moves are understood as XBoard, cutechess and we write them: with a letter, or without for a pawn, as much of the square
of origin as the writer thought necessary, castling, promotion with or without ``=``, gating behind ``/``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cext.games import read_head

from ..board import new_board
from ..errors import DefinitionError, IllegalMoveError, NotationError
from ..notation import BLACK, NULL_MOVE, WHITE, shown
from ..rmobility.goals import MATE, Goals
from ..rules import end_by_rule
from ..variants.catalog import COLLECTIVE, Catalog, names_of
from ..variants.definition import BLACK_PAWN, Game
from ..variants.notation import move_text, parse_move, parse_square, san_body
from .games import decoded

_TOKEN = re.compile(
    rb"(?P<comment>\{[^}]*\}?|;[^\n]*|(?m:^%[^\n]*))|(?P<open>\()|(?P<close>\))|(?P<nag>\$\d+|[!?]{1,2})"
    rb"|(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s;{]|$)|(?P<number>\d+(?=[.\s])\.*|\.+)|(?P<word>[^\s{}();$!?.]+)"
)
_SAN = re.compile(
    r"(?P<man>[A-Z])?@?(?P<file>[a-p])?(?P<rank>\d{1,2})?[x:-]?(?P<target>[a-p]\d{1,2})(?:=?\(?(?P<promotion>[A-Za-z])\)?)?"
)
_CASTLING = re.compile(r"[O0o]-[O0o](?:-[O0o])?")
_PASSES = ("--", "Z0", NULL_MOVE, "@@@@")
_NO_GOAL = 32000  # of a pass
_GATING, _CASTLINGS = 6, (3, 7)  # kinds of moves; the second castling also gates
_RANKS_FROM_ZERO = 10


@dataclass(slots=True)
class FairyScore:
    """The face of ``cext.games.GameScore``.

    complaint: what there is to say of the word at fault. game: which was played. line: its moves, 0 for a pass.
    """

    game: Game
    plies: int = 0
    last: int = 0
    clock: int = 0
    words: int = 0
    first_mover: int = 0
    record: tuple[int, int, int] | None = None
    whole: tuple[int, int, int] | None = None
    first: tuple[int, int] = (0, 0)
    result: bytes | None = None
    complaint: str | None = None
    codes: list[int] = field(default_factory=list)
    moves: list[tuple[int, int, int]] = field(default_factory=list)
    resets: list[bool] = field(default_factory=list)
    line: list[int] = field(default_factory=list)


def find_game(name: str) -> Game:
    """The game that a Variant tag or the user names. Raises NotationError."""
    try:
        return Catalog().find(name)
    except DefinitionError:
        raise NotationError(f"unknown variant {shown(name)}") from None


def score_moves(text: bytes, head, end: int, board, rules, *, given: tuple[int, int] | None = None) -> FairyScore:
    """Play through the movetext, from behind the tags of ``head`` to ``end``, on this board.

    given: (owner, code) of a record known from before. rules: ``engine.rmobility.archive.Rules``.
    """
    score = FairyScore(board.game, first_mover=board.stm)
    phase = Goals(board, given, fifty=rules.fifty, keep_trigger=rules.keep_trigger)
    whole = Goals(board, given, fifty=rules.fifty, keep_trigger=not rules.wg_trigger, whole_game=True)
    score.first = (phase.record.code, phase.record.owner)
    score.codes.append(board.goal())
    score.resets.append(True)
    words = _words(text, head.moves, end, board, score)
    score.words = len(words)
    for word, at, behind in words:
        try:
            move = _play(board, word)
        except ValueError as error:
            score.complaint = str(error)
            break
        score.plies += 1
        for goals in (phase, whole):
            if move:
                goals.push(board)
            else:
                goals.push_null()
        score.codes.append(board.goal() if move else _NO_GOAL)
        score.resets.append(move != 0 and board.clock == 0)
        score.moves.append((at, behind, behind if move else 0))
        score.line.append(move)
    score.last, score.clock = board.goal(), board.clock
    if score.plies:
        score.record = (phase.record.code, phase.record.owner, phase.record.ply)
        score.whole = (whole.record.code, whole.record.owner, whole.record.ply)
        if (ending := end_by_rule(board)) is not None:
            score.last = MATE
            score.record = score.whole = (MATE, WHITE if ending[0] == "1-0" else BLACK, score.plies)
    return score


def play_through(text: bytes, game: Game) -> tuple[str | None, list[int]]:
    """(FEN of the first position if it has one, moves) of the main line of one game in PGN, a game of this kind.

    Raises NotationError or IllegalMoveError; from the first move on the message says the ply.
    """
    head = read_head(text, 0, len(text))
    name = decoded(head.variant).strip() if head.variant is not None else game.name
    if name not in names_of(game.name) and not (name == COLLECTIVE and game.name.startswith(f"{COLLECTIVE}/")):
        raise NotationError(f"expected a game of {game.name}, found {shown(name)}")
    first_fen = decoded(head.fen) if head.fen is not None else None
    board = new_board(first_fen, game=game)
    moves: list[int] = []
    for word, _, _ in _words(text, head.moves, len(text), board, FairyScore(game)):
        try:
            moves.append(read_move(board, word))
        except ValueError as error:
            raise type(error)(f"ply {len(moves) + 1}: {error}") from None
        board.push(moves[-1])
    return first_fen, moves


def _words(text: bytes, start: int, end: int, board, score: FairyScore) -> list[tuple[str, int, int]]:
    """Those of ``_main_line``; the board is told from where they number its ranks."""
    words = list(_main_line(text, start, end, score))
    if board.game.height == _RANKS_FROM_ZERO and any(re.search(r"[a-p]0", word) for word, _, _ in words):
        board.first_rank = 0
    return words


def _main_line(text: bytes, start: int, end: int, score: FairyScore):
    """(move, its place, place behind it and its suffixes) of each; the result marker goes into the score."""
    depth = 0
    held: tuple[str, int, int] | None = None
    for found in _TOKEN.finditer(text, start, end):
        kind = found.lastgroup
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif depth or kind in ("comment", "number"):
            continue
        elif kind == "nag":
            if held is not None:
                held = (held[0], held[1], found.end())
        else:
            if held is not None:
                yield held
                held = None
            if kind == "result":
                score.result = found.group()
            else:
                held = (found.group().decode("latin-1"), *found.span())
    if held is not None:
        yield held


def _play(board, word: str) -> int:
    """Make the move and return it, 0 if it was a pass. Raises NotationError or IllegalMoveError."""
    if word in _PASSES:
        if board.checkers:
            raise IllegalMoveError(f"illegal move {shown(word)}")
        board.push_null()
        return 0
    move = read_move(board, word)
    board.push(move)
    return move


def read_move(board, text: str) -> int:
    """The legal move that SAN of any writer, or coordinates, mean. Raises NotationError or IllegalMoveError."""
    bare = text.rstrip("+#!?")
    legal = board.legal_moves()
    parts = _SAN.fullmatch(bare)
    found = []
    if parts is not None:
        found = [move for move in legal if move >> 29 not in _CASTLINGS and _fits(board, move, parts)]
        if not found:  # XBoard writes some castlings as the castler's step
            found = [move for move in legal if move >> 29 == _CASTLINGS[0] and _fits(board, move, parts)]
        if parts["promotion"] is None and len({move & 0xFFFF for move in found}) == 1:
            return found[0]  # the usual promotion comes first
        if len(found) == 1:
            return found[0]
    for move in legal:
        if san_body(board, move) == bare.replace("0-0", "O-O").replace("O-0", "O-O"):
            return move
    if parts is None and _CASTLING.fullmatch(bare) is None:
        raise NotationError(f"expected a move, found {shown(text)}")
    if found:
        names = ", ".join(sorted(move_text(board, move) for move in found))
        raise IllegalMoveError(f"{shown(text)} could be any of {names}")
    try:
        return parse_move(board, bare.lower())
    except ValueError:
        raise IllegalMoveError(f"illegal move {shown(text)}") from None


def _fits(board, move: int, parts: re.Match) -> bool:
    """Does the move agree with everything that is written?"""
    game: Game = board.game
    start, target, kind, chosen = move & 255, move >> 8 & 255, move >> 29, move >> 24 & 15
    number = board.squares[start] & 15
    letter = game.piece(number).letter.upper()
    if target != parse_square(game, parts["target"], board.first_rank):
        return False
    if (parts["man"] is None and number > BLACK_PAWN) or parts["man"] not in (None, letter):
        return False
    if parts["file"] is not None and ord(parts["file"]) - ord("a") != start % game.width:
        return False
    if parts["rank"] is not None and int(parts["rank"]) - board.first_rank != start // game.width:
        return False
    if parts["promotion"] is None:
        return kind != _GATING
    return chosen != 0 and game.piece(chosen).letter.upper() == parts["promotion"].upper()
