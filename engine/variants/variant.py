"""The game that is played: chess, or a game by definition."""


class Variant:
    """What every game says about itself."""

    name: str
    width: int  # files
    height: int  # ranks
    is_chess = False  # only chess has opening books, endgame tables and a PGN reader in the core

    @property
    def fingerprint(self) -> str:
        """Of the rules: equal where a network of the one game fits the other."""
        return ""

    @property
    def has_hill(self) -> bool:
        """Does a king on the hill win?"""
        return False

    @property
    def stalemate_loses(self) -> bool:
        return False


class Chess(Variant):
    """Orthodox chess and Chess960, which differ in how castling is written."""

    name = "chess"
    width = height = 8
    is_chess = True


CHESS = Chess()
