def bare_kings(mine: int, other: int) -> tuple[int, int]:
    """(code, plies) of two bare kings. The code is negative if the side not to move reaches it, 0 if there is no code.

    Raises ValueError if the placement is illegal.
    """
