def bare_kings(mine: int, other: int) -> tuple[int, int]:
    """(code, plies) of two bare kings, for the side to move; negative codes are the other side's, 0 is no code.

    Raises ValueError if the kings cannot stand like this.
    """
