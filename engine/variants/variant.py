"""The game being played: chess, or a variant defined by a file."""


class Variant:
    """The properties of every game."""

    name: str
    width: int  # files
    height: int  # ranks
    is_chess = False  # only chess has opening books, tablebases and a PGN reader in the core

    @property
    def fingerprint(self) -> str:
        """A fingerprint of the rules. Games with the same fingerprint can share a network."""
        return ""

    @property
    def has_hill(self) -> bool:
        """Whether a king wins by reaching the hill."""
        return False

    @property
    def stalemate_loses(self) -> bool:
        return False


class Chess(Variant):
    """Orthodox chess and Chess960, which differ only in the notation of castling."""

    name = "chess"
    width = height = 8
    is_chess = True


CHESS = Chess()
