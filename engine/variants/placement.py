"""The start position of a definition: its back ranks and pawns, or a placement that replaces them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Letter(Protocol):
        @property
        def letter(self) -> str: ...

    class Variant(Protocol):
        """The part of a definition that this module uses."""

        @property
        def width(self) -> int: ...
        @property
        def height(self) -> int: ...
        @property
        def white(self) -> tuple[int, ...]: ...
        @property
        def black(self) -> tuple[int, ...]: ...
        @property
        def pieces(self) -> Sequence[Letter]: ...
        @property
        def pawn_rank(self) -> int: ...
        def man_of(self, letter: str, colour: int) -> int: ...
        def twin(self, number: int) -> int: ...
        def form_of(self, number: int) -> int: ...
        @property
        def zones(self) -> dict[int, int]: ...


PAWNS = WHITE_PAWN, BLACK_PAWN = 1, 2  # numbers of the pieces with the rights of pawns
PROMOTED = "~"  # the mark behind the letter of a promoted piece that becomes a pawn when it is captured
FORM = "+"  # the mark before the letter of a piece in its promoted form
BACK = "-"  # the mark behind a move by which a promoted form turns back
BLACK_MAN = 16  # added to the number of a piece of Black


def by_ranks(game: Variant) -> bytes:
    """Return the back ranks and a full rank of pawns for each side, from a1 on."""
    board = bytearray(game.width * game.height)
    rank = game.pawn_rank
    for file in range(game.width):
        board[rank * game.width + file] = WHITE_PAWN
        board[(game.height - 1 - rank) * game.width + file] = BLACK_MAN + BLACK_PAWN
        if game.white[file]:
            board[file] = game.white[file]
        if game.black[file]:
            board[(game.height - 1) * game.width + file] = BLACK_MAN + game.black[file]
    return bytes(board)


def by_text(game: Variant, text: str) -> bytes:
    """Parse the pieces in the first field of a FEN and return them from a1 on. Raises ValueError."""
    rows = text.split("/")
    if len(rows) != game.height:
        raise ValueError(f"expected {game.height} ranks, found {len(rows)}")
    squares = bytearray()
    for rank, row in zip(range(game.height, 0, -1), rows, strict=True):
        men = bytearray()
        digits = prefix = ""
        for letter in [*row, ""]:
            if letter.isascii() and letter.isdigit():
                digits += letter
                continue
            # On up to nine files each digit is a separate number: some programs write 11 for 2.
            if letter == PROMOTED and men and men[-1] and not digits:
                number = game.twin(men[-1] & 15)
                if number == men[-1] & 15:
                    raise ValueError(f"expected a piece that pawns become before ~ on rank {rank}")
                men[-1] = number + (men[-1] & BLACK_MAN)
                continue
            numbers = digits if game.width < 10 else [digits[:3]]
            men.extend(bytes(min(sum(int(number or 0) for number in numbers), 99)))
            digits = ""
            if not letter:
                break
            if letter == FORM and not prefix:
                prefix = FORM
                continue
            colour = int(letter.islower())
            number = game.man_of(letter, colour) if letter.isascii() and letter.isalpha() else 0
            if not number:
                known = "".join(dict.fromkeys(piece.letter.upper() for piece in game.pieces))
                raise ValueError(f"expected a number or one of {known}, found {letter!a} on rank {rank}")
            if prefix and not game.form_of(number):
                raise ValueError(f"expected a piece with a promoted form behind + on rank {rank}, found {letter}")
            men.append((game.form_of(number) if prefix else number) + BLACK_MAN * colour)
            prefix = ""
        if len(men) != game.width:
            raise ValueError(f"expected {game.width} squares on rank {rank}, found {len(men)}")
        squares[:0] = men
    return bytes(squares)


def stray(game: Variant, squares: bytes) -> tuple[str, str] | None:
    """Return (letter, square) of a piece outside its zone, with a capital letter for White; None without one."""
    for sq, man in enumerate(squares):
        zone = game.zones.get(man & 15)
        if zone is not None and not zone >> sq & 1:
            letter = game.pieces[(man & 15) - 1].letter
            name = f"{chr(ord('a') + sq % game.width)}{sq // game.width + 1}"
            return letter.lower() if man >= BLACK_MAN else letter.upper(), name
    return None
