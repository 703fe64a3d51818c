"""Errors that a user can cause. A front end catches ``StandstillError`` once and reports it in its protocol."""


class StandstillError(Exception):
    """Root of all these errors. The message is one line that shows the text which caused it."""


class NotationError(StandstillError, ValueError):
    """A FEN, move or goal that cannot be read."""


class MovetextError(NotationError):
    """A game that cannot be read to its end; the message says where."""


class MendableError(NotationError):
    """A FEN that is wrong in one field, without which the position can be played.

    field: its number, from 0. instead: what to write there.
    """

    def __init__(self, message: str, field: int, instead: str):
        super().__init__(message)
        self.field = field
        self.instead = instead


class IllegalMoveError(StandstillError, ValueError):
    """A move that can be read but not played here. reason: why, where that is not plain."""

    def __init__(self, message: str, reason: str = ""):
        super().__init__(f"{message}: {reason}" if reason else message)
        self.reason = reason


class ConfigError(StandstillError, ValueError):
    """An option or a key of engine.ini that cannot have this value."""


class DefinitionError(StandstillError, ValueError):
    """A game definition that cannot be read; the message names file, line and column."""


class TablebaseError(StandstillError, OSError):
    """A tablebase file that is missing or damaged."""


class ClusterError(StandstillError, OSError):
    """A cluster that cannot be reached, or whose workers cannot do our work."""


class NetworkError(StandstillError, OSError):
    """A file of a network that is missing, foreign or damaged."""


class OtherGameError(NetworkError):
    """A sound network, but of another game."""


class BookError(StandstillError, OSError):
    """An opening book that is missing or damaged."""


class ClockError(StandstillError, ValueError):
    """A time control that cannot be read or kept."""


class PgnError(StandstillError, OSError):
    """A file of games that cannot be read or written."""


class PgnOutputError(PgnError):
    """A file of games that cannot be written, where others are still read."""


class RelevanceError(StandstillError, ValueError):
    """An evaluation, x05 or scheme that the relevance model has no answer for."""


class EngineError(StandstillError):
    """An engine program that cannot be started, does not answer, or cannot do what it is asked."""


class StoreError(StandstillError, OSError):
    """A store of correspondence games that cannot be opened, read or written. Nothing was changed."""


class DamagedGameError(StoreError):
    """One game of a store that cannot be read; the others can."""


class GameError(StandstillError, ValueError):
    """An operation that is not possible on a stored game: no such name, not its turn."""


class MatchError(StandstillError, ValueError):
    """A match that cannot be set up, or an engine that fails in it."""


class TrainingError(StandstillError, OSError):
    """A file of games for training that cannot be read or written."""


class ArgumentError(StandstillError, TypeError, ValueError):
    """An argument of the Python interface that is of a wrong kind or size."""


class EngineUseError(StandstillError, RuntimeError):
    """An engine, or a search, that is asked what it cannot do now: it is closed, busy, or was cancelled."""
