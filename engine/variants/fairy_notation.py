"""Notation of variants: FEN of any size, coordinate moves, SAN, and a diagram.

Squares are numbered rank by rank from a1.
"""

from __future__ import annotations

import re
from collections import Counter

from standstill.cext.base.constants import (
    BLACK,
    CASTLE_GATING,
    CASTLING,
    DROP,
    EN_PASSANT,
    GATE_AT_PARTNER,
    GATING,
    PROMOTION,
    WHITE,
)

from ..common.errors import IllegalMoveError, MendableError, NotationError
from ..common.text import plural, shown
from .definition import (
    BLACK_PAWN,
    DELAY_SHIFT,
    LEAPS,
    NO_EP,
    THIRD_RANK_DELAY,
    Definition,
    Ray,
    displacement,
)
from .notation import (
    FILES,
    Notation,
    is_check_count,
    is_drop,
    is_pass,
    parse_counter,
    parse_side,
    placement_text,
    split_move,
)
from .placement import BACK, BLACK_MAN, FORM, PAWNS, PROMOTED, by_text, stray

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from standstill.cext.fairy.fairy_board import FairyBoard

    from .notation import Board

XBOARD_PASS = "@@@@"  # how XBoard writes that the side to move passes
MOST_COUNTED = 255  # maximum number of pieces in hand that a FEN may have


class DefinedNotation(Notation):
    """The notation of a variant. first_rank: the lowest rank's number in moves; XBoard counts ten ranks from 0."""

    def __init__(self, game: Definition, first_rank: int = 1):
        self.game: Definition = game
        self.first_rank = first_rank

    def square_name(self, sq: int) -> str:
        return square_name(self.game, sq, self.first_rank)

    def set_fen(self, board: Board, text: str) -> None:
        """Set the board up from a FEN of two to six fields, or of seven in a game that counts checks.

        Castling rights: K and Q (k and q) mean the piece in the right and left corner. Any other letter means the
        unmoved piece on that file of the back rank; the letter of a rook implies castling. Pieces in hand follow the
        placement, in brackets or after a slash. Raises NotationError and leaves the board unchanged. The error is a
        MendableError if king and rook do not stand as in the start position, as in Capablanca random chess.
        """
        if TYPE_CHECKING:
            assert isinstance(board, FairyBoard)
        game = self.game
        fields, checks_left = _split_checks(game, text.split())
        fields, count_limit = _split_count(game, fields)
        if not 2 <= len(fields) <= 6:
            raise NotationError(f"expected a FEN of 2 to 6 fields, found {len(fields)} in {shown(text)}")
        try:
            placement, hand, held = _split_hand(game, fields[0])
            squares = by_text(game, placement)
            if game.extra.hand:
                _check_amounts(game, squares, held)
            if game.extra.zones and (found := stray(game, squares)):
                raise ValueError(f"expected {found[0]} inside its zone, found it on {found[1]}")
            stm = parse_side(fields[1])
            virgins, lost = _parse_rights(game, fields[2] if len(fields) > 2 else "-", squares, board.start_virgins())
            ep = _parse_ep(game, fields[3] if len(fields) > 3 else "-", squares, stm)
            clock = parse_counter(fields[4], "half-move clock") if len(fields) > 4 else 0
            fullmove = parse_counter(fields[5], "move number") if len(fields) > 5 else 1
            if lost:
                kept = "".join(letter for letter in fields[2] if letter not in lost) or "-"
                what = f"castling {plural(len(lost), 'right')} {lost} in {game.name}"
                message = f"{what}, which allows castling only from its start position, in FEN {shown(text)}"
                raise MendableError(message, 2, kept)
            board.set_up(squares, stm, virgins, ep, clock, max(1, fullmove), hand, checks_left, count_limit, held)
        except MendableError:
            raise
        except ValueError as error:
            raise NotationError(f"{error} in FEN {shown(text)}") from None

    def fen(self, board: Board, shredder: bool = False) -> str:
        """Return the position as a FEN of six fields."""
        if TYPE_CHECKING:
            assert isinstance(board, FairyBoard)
        game = self.game
        placement = placement_text([letter_of(game, man) if man else "" for man in board.squares], game.width)
        hand, rights = _hand_text(game, board), _rights_text(game, board)
        ep, clock = _ep_text(game, board), board.clock
        if board.counting[0]:
            ep, clock = str(board.counting[0]), board.counting[1]
        checks = "{}+{} ".format(*board.checks_left) if game.extra.checks else ""
        return f"{placement}{hand} {'wb'[board.stm]} {rights} {ep} {checks}{clock} {board.fullmove}"

    def diagram(self, board: Board) -> str:
        """Return the board as lines of text, White at the bottom."""
        game = self.game
        rows = []
        width = 2 if game.forms else 1  # the letter of a promoted form has a + before it
        for rank in range(game.height - 1, -1, -1):
            men = board.squares[rank * game.width : (rank + 1) * game.width]
            letters = (letter_of(game, man).removesuffix(PROMOTED) if man else "." for man in men)
            rows.append(f"{rank + 1:<3}" + " ".join(letter.rjust(width) for letter in letters))
        if TYPE_CHECKING:
            assert isinstance(board, FairyBoard)
        in_hand = [f"   {_hand_text(game, board)}"] if game.extra.hand else []
        return "\n".join([*rows, "   " + " ".join(file.rjust(width) for file in FILES[: game.width]), *in_hand])

    def move_text(self, board: Board, move: int) -> str:
        """Return a move as XBoard and UCI write it: squares, then the letter of a promotion or of a gated piece.

        Castling is written as the castling piece's move. Gating on the partner's square is written as if the partner
        captured the castling piece.
        """
        game = self.game
        start, target, via, field, kind = move & 255, move >> 8 & 255, move >> 16 & 255, move >> 24 & 31, move >> 29
        letter = ""
        if kind == DROP and field:
            return f"{game.symbol(field)}@{square_name(game, target, self.first_rank)}"
        if kind == PROMOTION and game.forms:
            letter = FORM if game.base_of(field) else BACK
        elif kind == PROMOTION:
            number = game.untwinned(field)
            if game.number_of(game.piece(number).letter, board.stm) == number:
                letter = game.piece(number).letter.lower()
        elif kind in (GATING, CASTLE_GATING):
            letter = game.piece(field & 15).letter.lower()
            if kind == CASTLE_GATING and field & GATE_AT_PARTNER:
                start, target = via, start
        first = self.first_rank
        return square_name(game, start, first) + square_name(game, target, first) + letter

    def parse_move(self, board: Board, text: str) -> int:
        """Return the legal move that a coordinate text names.

        A text without a letter never means gating. It means promotion to the default piece only if promotion is
        compulsory.

        Raises NotationError if the text is not a move, and IllegalMoveError if the move is illegal here.
        """
        game = self.game
        if is_drop(text) and text != XBOARD_PASS:
            return self._parse_drop(board, text)
        if text == XBOARD_PASS:
            text = next((self.move_text(board, move) for move in board.legal_moves() if is_pass(move)), text)
        parts = split_move(text)
        start = parts and parse_square(game, parts[0], self.first_rank)
        target = parts and parse_square(game, parts[1], self.first_rank)
        if parts is None or start is None or target is None:
            raise NotationError(f"expected a move such as e2e4 or e7e8q, found {shown(text)}")
        number = piece_meant(game, board.stm, parts[2], text) if parts[2] not in ("", FORM, BACK) else 0
        castling = usual = 0
        for move in board.legal_moves():
            if not _is_named(move, start, target) or (move >> 29 == DROP and move >> 24 & 31):
                continue
            if move >> 29 == CASTLING:
                castling = castling or (0 if parts[2] else move)
            elif not _letter_fits(game, board, move, parts[2], number):
                continue
            elif move >> 29 == PROMOTION and not parts[2]:
                usual = usual or move  # the default promotion comes first in the list
            else:
                return move  # a king's step precedes castling to the same square
        if usual or castling:
            return usual or castling
        raise IllegalMoveError(f"illegal move {shown(text)}")

    def _parse_drop(self, board: Board, text: str) -> int:
        """Return the legal drop that a text such as N@f3 or +N@f3 names; P may be missing."""
        letter, _, name = text.rpartition("@")
        target = parse_square(self.game, name, self.first_rank)
        if target is None:
            raise NotationError(f"expected a drop such as N@f3, found {shown(text)}")
        man = letter.removeprefix(FORM) or self.game.piece(BLACK_PAWN).letter
        number = piece_meant(self.game, board.stm, man, text)
        number = self.game.form_of(number) if letter[:1] == FORM else number
        for move in board.legal_moves():
            if move >> 29 == DROP and move & 255 == target and move >> 24 & 31 == number:
                return move
        raise IllegalMoveError(f"illegal move {shown(text)}")

    def san_body(self, board: Board, move: int) -> str:
        """Return short algebraic notation without + or #."""
        game = self.game
        start, target, via, field, kind = move & 255, move >> 8 & 255, move >> 16 & 255, move >> 24 & 31, move >> 29
        gated = ""
        if kind in (GATING, CASTLE_GATING):
            gated = "/" + game.piece(field & 15).letter.upper()
            if kind == CASTLE_GATING:
                gated += square_name(game, via if field & GATE_AT_PARTNER else start)
        if kind in (CASTLING, CASTLE_GATING):
            return ("O-O" if via > start else "O-O-O") + gated
        if kind == DROP and field:
            return f"{game.symbol(field)}@{square_name(game, target)}"
        squares = board.squares
        if kind == DROP:  # a pass is written as a move of the king to its own square
            return f"{game.symbol(squares[start] & 15)}{square_name(game, target)}"
        number = squares[start] & 15
        taken = "x" if squares[target] or kind == EN_PASSANT else ""
        name = square_name(game, target)
        promoted = f"={game.symbol(field)}" if kind == PROMOTION else ""
        if number <= BLACK_PAWN:
            rivals = _rivals(game, board, start, target, squares)
            origin = FILES[start % game.width] if taken or rivals else ""
            return f"{origin}{taken}{name}{promoted}"
        rivals = _rivals(game, board, start, target, squares)
        origin = ""
        if rivals:
            if all(sq % game.width != start % game.width for sq in rivals):
                origin = FILES[start % game.width]
            elif all(sq // game.width != start // game.width for sq in rivals):
                origin = str(start // game.width + 1)
            else:
                origin = square_name(game, start)
        return f"{game.symbol(number)}{origin}{taken}{name}{promoted}{gated}"

    def parse_san(self, board: Board, text: str) -> int:
        """Return the legal move that SAN names, in the form that ``san`` writes; + and # do not matter.

        Raises IllegalMoveError if no legal move matches.
        """
        wanted = text.rstrip("+#!?").replace("0", "O") if text[:1] == "0" else text.rstrip("+#!?")
        if is_drop(wanted):
            return self._parse_drop(board, wanted)
        for move in board.legal_moves():
            if (move >> 29 != DROP or is_pass(move)) and self.san_body(board, move) == wanted:
                return move
        raise IllegalMoveError(f"illegal move {shown(text)}")


# ---- squares ----


def square_name(game: Definition, sq: int, first_rank: int = 1) -> str:
    return f"{FILES[sq % game.width]}{sq // game.width + first_rank}"


def parse_square(game: Definition, text: str, first_rank: int = 1) -> int | None:
    """Return the square of that name, or None if it is not on the board."""
    if text[:1] not in FILES[: game.width] or not text[1:].isascii() or not text[1:].isdigit() or len(text) > 3:
        return None
    rank = int(text[1:]) - first_rank
    if not text[:1] or not 0 <= rank < game.height:
        return None
    return rank * game.width + FILES.index(text[0])


# ---- FEN ----


def fen_with_men(board: Board, notation: DefinedNotation, squares: bytes) -> str:
    """Return the FEN of a board with these pieces instead of its own. Pieces on their start squares count as unmoved.

    Raises ValueError if the position is not playable. The board itself does not change.
    """
    fresh = board.copy()
    if TYPE_CHECKING:
        assert isinstance(fresh, FairyBoard)
    virgins = sum(1 << sq for sq, man in enumerate(squares) if notation.game.is_unmoved(man, sq))
    fresh.set_up(squares, fresh.stm, virgins, (), 0, 1, fresh.hand, fresh.checks_left, 0, fresh.held)
    return notation.fen(fresh)


def letter_of(game: Definition, man: int) -> str:
    """Return the letter of a piece in a FEN, with the mark of a promoted piece."""
    letter = game.symbol(man & 15)
    mark = PROMOTED if man & 15 > len(game.own_pieces) and not game.base_of(man & 15) else ""
    return (letter.lower() if man >= BLACK_MAN else letter) + mark


def _split_hand(game: Definition, text: str) -> tuple[str, tuple[int, int], bytes]:
    """Split the first field into (placement, bits of pieces to gate, the number of each piece that can be dropped)."""
    placement, bracket, rest = text.partition("[")
    if bracket and not rest.endswith("]"):
        raise NotationError(f"expected ] after the pieces in hand, found {shown(rest, 20)}")
    if not bracket and (game.has_gating or game.extra.hand) and placement.count("/") == game.height:
        placement, _, rest = placement.rpartition("/")  # PyChess writes pieces in hand as an additional rank
    hand = [0, 0]
    held = bytearray(2 * BLACK_MAN)
    for letter in rest.removesuffix("]").strip("-"):
        colour = WHITE if letter.isupper() else BLACK
        number = game.number_of(letter, colour)
        if game.extra.hand and number and not game.piece(number).is_royal:
            held[BLACK_MAN * colour + number] = min(held[BLACK_MAN * colour + number] + 1, MOST_COUNTED)
            continue
        gates = game.gates(colour)
        if number not in gates or hand[colour] >> gates.index(number) & 1:
            raise NotationError(f"expected pieces that can be in hand, found {letter!a}")
        hand[colour] |= 1 << gates.index(number)
    return placement, (hand[0], hand[1]), bytes(held) if game.extra.hand else b""


def _check_amounts(game: Definition, squares: bytes, held: bytes) -> None:
    """Raise ValueError for more pieces of a kind, on the board and in hand, than the array and promotions allow."""
    pawn = game.piece(PAWNS[0]).letter.upper()

    def kind(man: int) -> str:
        number = game.base_of(man & 15) or man & 15
        return pawn if number in PAWNS or number > len(game.own_pieces) else game.piece(number).letter.upper()

    start = Counter(kind(man) for man in game.start if man)
    found = Counter(kind(man) for man in squares if man and not game.piece(man & 15).is_royal)
    for man, count in enumerate(held):
        if count:
            found[kind(man)] += count
    # Programs may leave out the mark of a promoted pawn; promoted forms cannot be mistaken for other pieces.
    promoted = 0 if game.forms else max(0, start[pawn] - found[pawn])
    for letter, count in found.items():
        most = start[letter] + (0 if letter == pawn else promoted)
        if count > most:
            amount = count if count < MOST_COUNTED else "more"
            raise ValueError(f"expected at most {most} pieces {letter} on the board and in hand, found {amount}")


def _hand_text(game: Definition, board: FairyBoard) -> str:
    if game.extra.hand:
        order = [BLACK_MAN * colour + number for colour in (0, 1) for number in range(15, 0, -1)]
        return f"[{''.join(letter_of(game, man) * board.held[man] for man in order if board.held[man])}]"
    if not game.has_gating:
        return ""
    gates = [(c, i, number) for c in (0, 1) for i, number in enumerate(game.gates(c))]
    men = [letter_of(game, BLACK_MAN * c + number) for c, i, number in gates if board.hand[c] >> i & 1]
    return f"[{''.join(men) or '-'}]"


def _split_checks(game: Definition, fields: list[str]) -> tuple[list[str], tuple[int, int] | None]:
    """Split the fields of a FEN into (the other fields, remaining checks for White and Black).

    ``2+3`` before the counters gives the remaining checks. Lichess's ``+1+0`` after them gives the checks already made.
    """
    if not game.extra.checks:
        return fields, None
    for at, text in enumerate(fields):
        if at > 1 and is_check_count([text]):
            numbers = int(text[-3]), int(text[-1])
            if text[0] == "+":
                numbers = game.extra.checks - numbers[0], game.extra.checks - numbers[1]
            return fields[:at] + fields[at + 1 :], numbers
    return fields, None


def _split_count(game: Definition, fields: list[str]) -> tuple[list[str], int]:
    """Split the fields of a FEN into (other fields, counting limit in plies).

    Fairy-Stockfish writes the limit in place of the en passant square.
    """
    if len(fields) != 6 or not (fields[3].isascii() and fields[3].isdigit()):
        return fields, 0
    limit = parse_counter(fields[3], "limit of counting") if game.extra.counting else 0
    return [*fields[:3], "-", *fields[4:]], limit


def _back_rank(game: Definition, colour: int) -> int:
    """Return the first square of the rank on which a side's castling pieces start."""
    return game.castling_rank(colour) * game.width


def _castlers(game: Definition, squares: bytes, base: int, side: int) -> list[int]:
    """Return the squares of the back rank with unmoved pieces of kinds that castle to this side (+1 right, -1 left)."""
    colour = BLACK if base == _back_rank(game, BLACK) else WHITE
    return [
        base + file
        for file in range(game.width)
        if squares[base + file] >> 4 == colour
        and squares[base + file]
        and squares[base + file] == game.start[base + file]
        and any(direction == side for direction, _ in game.castlings[(squares[base + file] & 15) - 1])
    ]


def _parse_rights(game: Definition, text: str, squares: bytes, start_virgins: int) -> tuple[int, str]:
    """Parse castling rights into (bits of the squares with unmoved pieces, rights that the game cannot have).

    Pawns on their start rank and the pieces that the text names are unmoved.
    """
    lost = ""
    virgins = 0
    for sq, man in enumerate(squares):
        if man and man & 15 <= BLACK_PAWN and game.is_unmoved(man, sq):
            virgins |= 1 << sq
    for letter in "" if text == "-" else text:
        colour = BLACK if letter.islower() else WHITE
        base = _back_rank(game, colour)
        rank = range(base, base + game.width)
        if letter.upper() in ("K", "Q"):
            side = 1 if letter.upper() == "K" else -1
            pairs = [(sq, game.partner(sq, side)) for sq in _castlers(game, squares, base, side)]
            able = [(sq, corner) for sq, corner in pairs if corner >= 0 and squares[corner] == game.start[corner]]
            for sq, corner in able:
                virgins |= 1 << corner | 1 << sq
            # Clients write KQkq even for games without castling.
            if not able and (_seems_shuffled(game, squares, base, side, rank) or _castles(game, base, side)):
                lost += letter
            continue
        file = FILES.find(letter.lower())
        if not letter.isascii() or not 0 <= file < game.width:
            raise NotationError(f"expected rights as KQkq or letters of files, found {shown(text, 30)}")
        sq, has_right = base + file, False
        if squares[sq] == game.start[sq] and start_virgins >> sq & 1:
            castlers = _castlers_with(game, squares, sq)
            virgins |= 1 << sq | castlers
            has_right = bool(castlers) or _has_right_of_its_own(game, squares[sq])
        if not has_right and any(_seems_shuffled(game, squares, base, side, (sq,)) for side in (1, -1)):
            lost += letter
    return virgins, lost


def _castles(game: Definition, base: int, side: int) -> bool:
    """Return whether the side can castle in this direction from the start position."""
    return any(game.partner(sq, side) >= 0 for sq in _castlers(game, bytes(game.start), base, side))


def _seems_shuffled(game: Definition, squares: bytes, base: int, side: int, partners: Iterable[int]) -> bool:
    """Return whether the side could castle with a piece on one of these squares if the game had Chess960's castling."""
    for home in range(base, base + game.width):
        man = game.start[home]
        if not man or man >> 4 != (base == _back_rank(game, BLACK)) or not game.piece(man & 15).is_royal:
            continue
        corner = game.partner(home, side)
        king = squares.find(man, base, base + game.width)
        if corner < 0 or king < 0 or all(direction != side for direction, _ in game.castlings[(man & 15) - 1]):
            continue
        if any(squares[sq] == game.start[corner] and (sq - king) * side > 0 for sq in partners):
            return True
    return False


def _has_right_of_its_own(game: Definition, man: int) -> bool:
    """Return whether an unmoved piece has a right other than castling: an initial move, or gating."""
    return game.has_gating or any(ray.is_initial for ray in game.piece(man & 15).rays)


def _castlers_with(game: Definition, squares: bytes, corner: int) -> int:
    """Return the bits of the castling pieces whose right the letter of this piece's file implies.

    Shredder-FEN names only the rooks (HAha). If a rook has no right besides castling, its letter can only mean
    castling.
    """
    if _has_right_of_its_own(game, squares[corner]):
        return 0
    base = corner - corner % game.width
    return sum(
        1 << sq
        for side in (1, -1)
        for sq in _castlers(game, squares, base, side)
        if sq != corner and game.partner(sq, side) == corner
    )


def _rights_text(game: Definition, board: FairyBoard) -> str:
    """Write K and Q where they are unambiguous, and otherwise the files of the unmoved pieces."""
    squares, virgins = board.squares, board.virgins
    text = ""
    for colour in (WHITE, BLACK):
        base = _back_rank(game, colour)
        named = 0
        side_text = ""
        for side, letter in ((1, "K"), (-1, "Q")):
            able = [(sq, game.partner(sq, side)) for sq in _castlers(game, squares, base, side)]
            pairs = [(sq, corner) for sq, corner in able if corner >= 0 and sq != corner]
            if pairs and all(virgins >> sq & virgins >> corner & 1 for sq, corner in pairs):
                side_text += letter
                for sq, corner in pairs:
                    named |= 1 << corner | 1 << sq
        for file in range(game.width):
            if virgins >> base + file & 1 and not named >> base + file & 1 and squares[base + file] & 15 > BLACK_PAWN:
                side_text += FILES[file].upper()
        text += side_text.lower() if colour == BLACK else side_text
    return text or "-"


def _parse_ep(game: Definition, text: str, squares: bytes, stm: int) -> tuple[int, ...]:
    """Parse an en passant square into (squares to capture on, then the pawn's square); empty without such a square.

    The squares to capture on are those that the pawn has skipped. A second square in the text, as in c5b6, is the
    pawn's, because two Berolina pawns could have skipped the same square.
    """
    if text == "-":
        return ()
    names = re.findall(r"[a-p]\d{1,2}", text)
    named = {parse_square(game, name) for name in names}
    if "".join(names) != text or None in named or not 1 <= len(names) <= 2:
        raise NotationError(f"expected an en passant square or -, found {shown(text, 20)}")
    for number in (1, 2):
        man = number if stm == BLACK else 16 + number
        for place, ray in enumerate(game.piece(number).rays):
            if ray.mode != LEAPS or ray.toggle & NO_EP:
                continue
            for sq in (sq for sq, there in enumerate(squares) if there == man):
                skipped = _skipped(game, ray, sq)
                if len(skipped) != 2 or any(squares[other] for other in skipped):
                    continue
                # Only the first ray of a game on ten ranks leaves both squares of a triple step open to capture.
                both = place == 0 and game.height == 10 and ray.extra >> DELAY_SHIFT in (1, THIRD_RANK_DELAY)
                targets = skipped if both else skipped[:1]
                if named <= {*targets, sq} and named != {sq}:
                    return (*targets, sq)
    # A client may name a square that no pawn has passed. Then en passant is impossible.
    return ()


def _skipped(game: Definition, ray: Ray, sq: int) -> tuple[int, ...]:
    """Return the two squares behind a pawn on ``sq`` after this initial move, the nearer one first, if on the board.

    The pawn has also skipped the farther square, or started from it. Both must be empty.
    """
    found = []
    file, rank = sq % game.width, sq // game.width
    for right, up in (displacement(ray.second), displacement(ray.step)):
        file, rank = file - right, rank - up
        if 0 <= file < game.width and 0 <= rank < game.height:
            found.append(rank * game.width + file)
    return tuple(found)


def _ep_text(game: Definition, board: FairyBoard) -> str:
    """Write the square to capture on. Add the pawn's square if another pawn could also have skipped it."""
    if not board.ep:
        return "-"
    text = square_name(game, board.ep[0])
    if _parse_ep(game, text, board.squares, board.stm)[-1:] == board.ep[-1:]:
        return text
    return text + square_name(game, board.ep[-1])


# ---- coordinate moves ----


def _is_named(move: int, start: int, target: int) -> bool:
    """Return whether these squares denote the move. Castling may also be written with the partner's square."""
    from_sq, to_sq, via, kind = move & 255, move >> 8 & 255, move >> 16 & 255, move >> 29
    if kind == CASTLE_GATING and move >> 24 & GATE_AT_PARTNER:
        return (via, from_sq) == (start, target)
    if kind == CASTLING:
        return from_sq == start and target in (to_sq, via)
    return (from_sq, to_sq) == (start, target)


def piece_meant(game: Definition, colour: int, letter: str, text: str) -> int:
    """Return the piece that the letter after a move means. text: the move. Raises IllegalMoveError if no piece fits."""
    number = game.number_of(letter, colour)
    if not number:
        raise IllegalMoveError(f"illegal move {shown(text)}", f"no piece has the letter {letter}")
    return number


def _letter_fits(game: Definition, board: Board, move: int, letter: str, number: int) -> bool:
    """Return whether the letter fits the move. number: the piece that ``letter`` means; 0 without a letter."""
    kind, field = move >> 29, move >> 24 & 31
    if kind in (GATING, CASTLE_GATING):
        return bool(letter) and field & 15 == number
    if letter in (FORM, BACK):
        return kind == PROMOTION and bool(game.forms) and bool(game.base_of(field)) == (letter == FORM)
    if kind == PROMOTION:
        # Where the file of a pawn determines the promotion, clients still send the letter that their user chose.
        return not letter or game.untwinned(field) == number or game.promotes_by_file
    # Clients may add a letter to a pawn move that does not promote.
    return not letter or board.squares[move & 255] & 15 <= BLACK_PAWN


# ---- SAN ----


def _rivals(game: Definition, board: Board, start: int, target: int, squares: bytes) -> list[int]:
    """Return the squares of other pieces with the same letter that could move to the same target."""
    letter = game.symbol(squares[start] & 15)
    return [
        move & 255
        for move in board.legal_moves()
        if move >> 8 & 255 == target
        and move & 255 != start
        and move >> 29 not in (CASTLING, CASTLE_GATING, DROP)
        and game.symbol(squares[move & 255] & 15) == letter
    ]
