"""Moves of the Python API: ``chess.Move`` in variants that python-chess supports, otherwise ``VariantMove``."""

from __future__ import annotations

from dataclasses import dataclass

from standstill.arguments import as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import chess


@dataclass(frozen=True, slots=True, order=True, repr=False)
class VariantMove:
    """A move of a variant that python-chess does not support, such as ``i1j3`` on ten files.

    As with a ``chess.Move``, ``str(move)`` and ``move.uci()`` are its text in coordinates, and moves with the same text
    are equal.

    :ivar text: the move in coordinates.
    :raises ArgumentError: for anything but a text.

    >>> move = standstill.VariantMove("i1h3")
    >>> move, str(move), move == standstill.VariantMove("i1h3")
    (VariantMove('i1h3'), 'i1h3', True)
    """

    text: str

    def __post_init__(self) -> None:
        as_text(self.text, "a move in coordinates")

    def uci(self) -> str:
        """Return the move in coordinates, as UCI writes it.

        :returns: the text.

        >>> standstill.VariantMove("i1h3").uci()
        'i1h3'
        """
        return self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"VariantMove({self.text!r})"


if TYPE_CHECKING:
    Move = chess.Move | VariantMove


def move_reader(variant: str) -> Callable[[str], Move]:
    """Return the function that converts coordinates to moves of this variant."""
    import chess

    if variant != "chess":
        import chess.variant

        if not any(board.uci_variant == variant for board in chess.variant.VARIANTS):
            return VariantMove

    def read(text: str) -> Move:
        try:
            return chess.Move.from_uci(text)
        except chess.InvalidMoveError:  # a user's own variant may have the same name as one of python-chess
            return VariantMove(text)

    return read
