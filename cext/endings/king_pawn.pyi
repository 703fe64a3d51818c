def king_and_pawn_wins(king: int, pawn: int, other: int, to_move: bool) -> bool:
    """Does White's pawn win against a bare king? to_move: is it White's move?

    Squares from 0 to 63, the pawn not on the first or last rank. Raises ValueError.
    """
