"""Scores PGN games of defined variants in Python, as ``cext/bindings/pgn_games.pyx`` does for chess.

Moves are read as XBoard, cutechess and this engine write them: with a piece letter, or without one for a pawn; with as
much of the origin square as the writer considered necessary; castling; promotion with or without ``=``; gating after
``/``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

from standstill.cext.base.constants import (
    BLACK,
    CASTLE_GATING,
    CASTLING,
    DROP,
    GATING,
    KIND_SHIFT,
    NO_GOAL,
    PROMOTION,
    PROMOTION_SHIFT,
    SQUARE_MASK,
    TO_SHIFT,
    WHITE,
)
from standstill.cext.bindings.pgn_games import tokens

from ..common.errors import DefinitionError, IllegalMoveError, MendableError, NotationError
from ..common.text import shown
from ..rmobility.goals import MATE, Goals
from ..variants.boards import new_board, notation_of, start_fen
from ..variants.catalog import COLLECTIVE, Catalog, names_of
from ..variants.definition import BLACK_PAWN, Definition
from ..variants.fairy_notation import DefinedNotation, parse_square, piece_meant, square_name
from ..variants.game_over import end_by_rule
from ..variants.notation import FILES, NULL_MOVE, is_drop, mended, move_text, parse_move, set_fen, via_sq
from .pgn import decoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from standstill.cext.bindings.pgn_games import GameHead

    from ..variants.notation import Board
    from .scoring_rules import ScoringRules

    Word = tuple[str, int, int]  # the text of a move, its start, and the end of its suffixes

_SAN = re.compile(
    r"(?P<man>\+?[A-Z])?@?(?P<file>[a-p])?(?P<rank>\d{1,2})?[x:-]?(?P<target>[a-p]\d{1,2})"
    r"(?:/(?P<gated>[A-Za-z])|=?\(?(?P<promotion>\+?[A-Za-z])\)?)?"
)
_GATED = re.compile(r"([O0o]-[O0o](?:-[O0o])?)/([A-Za-z])")  # XBoard's castling with gating on the king's square
_CASTLING = re.compile(r"[O0o]-[O0o](?:-[O0o])?")
_CIRCLES = re.compile(r"([O0o])\1{1,2}")
_SIGNS = re.compile(r"(?:[+#!?]|(?<=\d)\s*e\.?p\.?)+$")  # signs of check, of annotations, of a capture en passant
_SQUARE = re.compile(rb"[a-p]\d")
_PASSES = ("--", "Z0", NULL_MOVE, "@@@@")
_RANKS_FROM_ZERO = 10


@dataclass(slots=True)
class FairyScore:
    """The counterpart of ``standstill.cext.bindings.pgn_games.GameScore``.

    complaint: the error in the invalid word. game: the variant that was played. line: its moves, 0 for a null move.
    """

    game: Definition
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


def find_game(name: str) -> Definition:
    """Return the variant named by a Variant tag or by the user. Raises NotationError."""
    catalog = Catalog()
    try:
        return catalog.find(name if name in catalog else _our_name(name))
    except DefinitionError:
        raise NotationError(f"unknown variant {shown(name)}") from None


def _our_name(name: str) -> str:
    """Convert the name that Lichess and python-chess use, such as `King of the Hill`, to the engine's form."""
    return name.lower().replace(" ", "-")


def whole_rights(game: Definition, text: str) -> str:
    """Return the start FEN of a game with the castling rights that XBoard omits.

    If the sides have different armies, XBoard writes the start position as a FEN, without the castling rights for
    corners that hold no rook of the side.
    """
    fields, array = text.split(), start_fen(game).split()
    stated = set("".join(fields[2:3]))
    if fields[:2] != array[:2] or not stated <= set("KQkq-"):
        return text
    rows = array[0].split("/")
    corners = {"K": rows[-1][-1], "Q": rows[-1][0], "k": rows[0][-1], "q": rows[0][0]}
    if all(corners.get(right, "r").lower() != "r" for right in set(array[2]) - stated):
        fields[2:3] = array[2:3]
    return " ".join(fields)


def readable_beginning(game: Definition, text: str) -> str:
    """Return the FEN of ``whole_rights`` without castling rights that the variant cannot have.

    Capablanca random chess has such games. If no side castles in the game, leaving out these rights changes only the
    number of counted moves. Raises NotationError.
    """
    text = whole_rights(game, text)
    try:
        set_fen(new_board(game=game), text)
    except MendableError as error:
        return mended(text, error)
    return text


def score_moves(
    text: bytes,
    start: int,
    end: int,
    board: Board,
    rules: ScoringRules,
    *,
    fen: bytes | None = None,
    given: tuple[int, int] | None = None,
) -> FairyScore:
    """Play the movetext from ``start`` to ``end`` on the board of this game.

    fen: the FEN in the game's tags. given: (owner, code) of a record that already exists.
    """
    game = _notation(board).game
    score = FairyScore(game, first_mover=board.stm)
    phase = Goals(board, given, fifty=rules.fifty, keep_trigger=rules.keep_trigger)
    whole = Goals(board, given, fifty=rules.fifty, keep_trigger=not rules.wg_trigger, whole_game=True)
    score.first = (phase.lowest.code, phase.lowest.owner)
    score.codes.append(board.goal())
    score.resets.append(True)
    words = _words(text, start, end, board, score)
    score.words = len(words)
    for word, at, behind in words:
        try:
            move = _play(board, word)
        except ValueError as error:
            score.complaint = str(error)
            if _CASTLING.fullmatch(_bare(word)) and fen is not None:
                first_fen = whole_rights(game, decoded(fen))
                if readable_beginning(game, first_fen) != first_fen:
                    score.complaint += f": {game.name} allows castling only from its array"
            break
        score.plies += 1
        for goals in (phase, whole):
            if move:
                goals.push(board)
            else:
                goals.push_null()
        score.codes.append(board.goal() if move else NO_GOAL)
        score.resets.append(move != 0 and board.clock == 0)
        score.moves.append((at, behind, behind if move else 0))
        score.line.append(move)
    score.last, score.clock = board.goal(), board.clock
    if score.plies:
        ending = end_by_rule(board)
        score.record, score.whole = [(goal.code, goal.owner, goal.ply) for goal in (phase.lowest, whole.lowest)]
        if ending is not None and ending[0] != "1/2-1/2":
            score.last = MATE
            score.record = score.whole = (MATE, WHITE if ending[0] == "1-0" else BLACK, score.plies)
    return score


def _notation(board: Board) -> DefinedNotation:
    """Return the notation of a defined variant's board."""
    assert isinstance(board.notation, DefinedNotation)
    return board.notation


def check_named(head: GameHead, game: Definition) -> None:
    """Raise NotationError if the Variant tag names a variant other than ``game``."""
    name = decoded(head.variant).strip() if head.variant is not None else game.name
    known = {name, _our_name(name)} & {*names_of(game.name)}
    if not known and not (name == COLLECTIVE and game.name.startswith(f"{COLLECTIVE}/")):
        raise NotationError(f"expected a game of {game.name}, found {shown(name)}")


def _words(text: bytes, start: int, end: int, board: Board, score: FairyScore) -> list[Word]:
    """Return the words of ``_main_line``.

    If the moves number the ranks from 0, the board's notation changes likewise.
    """
    words = list(_main_line(text, start, end, score))
    if board.notation.game.height == _RANKS_FROM_ZERO and any(re.search(r"[a-p]0", word) for word, _, _ in words):
        board.notation = notation_of(board.notation.game, ranks_from_zero=True)
    return _with_castlings(board, words)


def _with_castlings(board: Board, words: list[Word]) -> list[Word]:
    """Replace castlings whose text means the side as in XBoard by the castling piece's move in coordinates.

    XBoard measures from the middle of the board. If the king starts to the left of the middle, as in Janus, O-O is to
    the left, and on an odd number of files O-O-O may be to either side. Other programs write O-O for castling to the
    right. The castlings of a game are reversed if more of its moves can then be played.
    """
    game = _notation(board).game
    middle = (game.width - 1) // 2
    is_turned = any(man and game.castlings[(man & 15) - 1] for man in _files_up_to(game, middle))
    places = [at for at, (word, _, _) in enumerate(words) if _CASTLING.fullmatch(_bare(word))]
    if not places or not is_turned:
        return words
    best, most = words, -1
    for turned in product((False, True), repeat=min(len(places), 2)):
        changed, read = _with_reversed(board, words, [at for at, turns in zip(places, turned, strict=False) if turns])
        if read > most:
            best, most = changed, read
        if read == len(words):
            break
    return best


def _files_up_to(game: Definition, file: int) -> Iterator[int]:
    """Return the pieces of the start position on the files from the left edge to this file; 0 for an empty square."""
    return (man for sq, man in enumerate(game.start) if sq % game.width <= file)


def _with_reversed(board: Board, words: list[Word], places: list[int]) -> tuple[list[Word], int]:
    """Return (the words with the castlings at these places reversed, the number of playable words)."""
    copy, changed = board.copy(), list(words)
    copy.notation = board.notation
    for at, (word, *span) in enumerate(words):
        try:
            if at in places:
                changed[at] = (_other_castling(copy, word), span[0], span[1])
            _play(copy, changed[at][0])
        except ValueError:
            return changed, at
    return changed, len(words)


def _other_castling(board: Board, word: str) -> str:
    """Return the castling to the opposite side, in coordinates. Raises IllegalMoveError if it is not legal."""
    is_right = _bare(word).count("-") > 1
    for move in board.legal_moves():
        if move >> KIND_SHIFT == CASTLING and (via_sq(move) > move & SQUARE_MASK) == is_right:
            return move_text(board, move)
    raise IllegalMoveError(f"illegal move {shown(word)}")


def _gated_castling(board: Board, word: str) -> str:
    """Return ``O-O/He1`` for ``O-O/H``, and any other word unchanged."""
    found = _GATED.fullmatch(word)
    if found is None:
        return word
    game, colour = _notation(board).game, board.stm
    kings = [sq for sq, man in enumerate(game.start) if man and man >> 4 == colour and game.piece(man & 15).is_royal]
    square = square_name(game, kings[0]) if kings else ""
    return f"{found[1]}/{found[2].upper()}{square}"


def _bare(word: str) -> str:
    """Return the move without the signs after it; a castling with hyphens, which some people omit, and capitals."""
    bare = _SIGNS.sub("", word)
    if _CIRCLES.fullmatch(bare):
        bare = "-".join(bare)
    return bare.upper() if _CASTLING.fullmatch(bare) else bare


def _main_line(text: bytes, start: int, end: int, score: FairyScore) -> Iterator[Word]:
    """Yield the moves outside variations. Store the result, and an unclosed comment or variation, in the score."""
    held: Word | None = None
    for token, first, last in tokens(text, start, end):
        # The core treats words that begin like a sign and contain no square of chess as remarks.
        kind = "word" if token == "nag" and _SQUARE.search(text, first, last) else token
        if kind == "nag" and held is not None:
            held = (held[0], held[1], last)
        elif kind in ("word", "result"):
            if held is not None:
                yield held
            held = (decoded(text[first:last]), first, last) if kind == "word" else None
            if kind == "result":
                score.result = text[first:last]
        elif kind == "unclosed":
            score.complaint = f"{shown(decoded(text[first:last])[:20].strip())} is not closed"
    if held is not None:
        yield held


def _play(board: Board, word: str) -> int:
    """Make the move and return it; 0 for a null move. Raises NotationError or IllegalMoveError."""
    if word in _PASSES:
        if board.checkers:
            raise IllegalMoveError(f"illegal move {shown(word)}", "no passing in check")
        board.push_null()
        return 0
    move = read_move(board, word)
    board.push(move)
    return move


def read_move(board: Board, text: str) -> int:
    """Return the legal move that a text names: SAN of any program, or coordinates. Raises NotationError or
    IllegalMoveError."""
    bare = _gated_castling(board, _bare(text))
    if is_drop(bare):
        return parse_move(board, bare)
    legal = board.legal_moves()
    parts = _SAN.fullmatch(bare)
    found = []
    notation = _notation(board)
    if parts is not None:
        others = [move for move in legal if move >> KIND_SHIFT not in (CASTLING, CASTLE_GATING, DROP)]
        found = [move for move in others if _fits(notation, board, move, parts)]
        if not found:  # XBoard writes some castlings as the move of the castling piece
            castlings = [move for move in legal if move >> KIND_SHIFT == CASTLING]
            found = [move for move in castlings if _fits(notation, board, move, parts)]
        if parts["promotion"] is None and len({move & 0xFFFF for move in found}) == 1:
            # Without a promotion in the text a pawn remains a pawn if it can; otherwise it becomes the default piece.
            return next((move for move in found if move >> KIND_SHIFT != PROMOTION), found[0])
        if len(found) == 1:
            return found[0]
    for move in legal:
        if board.notation.san_body(board, move) == bare.replace("0-0", "O-O").replace("O-0", "O-O"):
            return move
    if parts is None and _CASTLING.fullmatch(bare) is None:
        raise NotationError(f"expected a move, found {shown(text)}")
    if found:
        names = ", ".join(sorted(move_text(board, move) for move in found))
        raise IllegalMoveError(f"{shown(text)} could be any of {names}")
    if parts is not None and parts["promotion"] is not None:
        piece_meant(notation.game, board.stm, parts["promotion"], text)
    try:
        return parse_move(board, bare.lower())
    except ValueError:
        raise IllegalMoveError(f"illegal move {shown(text)}") from None


def _fits(notation: DefinedNotation, board: Board, move: int, parts: re.Match[str]) -> bool:
    """Return whether the move agrees with every part of the text."""
    game, first_rank = notation.game, notation.first_rank
    start, target = move & SQUARE_MASK, move >> TO_SHIFT & SQUARE_MASK
    kind, chosen = move >> KIND_SHIFT, move >> PROMOTION_SHIFT & 15
    number = board.squares[start] & 15
    letter = game.symbol(number)
    if target != parse_square(game, parts["target"], first_rank):
        return False
    if (parts["man"] is None and number > BLACK_PAWN) or parts["man"] not in (None, letter):
        return False
    file, rank = start % game.width, start // game.width
    if (parts["file"] or FILES[file]) != FILES[file] or int(parts["rank"] or rank + first_rank) - first_rank != rank:
        return False
    if parts["gated"] is not None:
        return kind == GATING and game.piece(chosen).letter.upper() == parts["gated"].upper()
    if parts["promotion"] is None:
        return kind != GATING
    return chosen != 0 and game.symbol(chosen) == parts["promotion"].upper()
