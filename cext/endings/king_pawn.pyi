def king_and_pawn_wins(king: int, pawn: int, other: int, to_move: bool) -> bool:
    """Return whether White's pawn wins against a bare king. to_move: White is to move.

    Squares from 0 to 63, the pawn not on the first or last rank. Raises ValueError.
    """
