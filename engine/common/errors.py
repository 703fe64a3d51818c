"""Errors that a user can cause. A front end catches ``StandstillError`` once and reports it in its protocol."""


class StandstillError(Exception):
    """The base class of all errors that a user can cause.

    The message is one line that shows the text that caused the error.
    """


class NotationError(StandstillError, ValueError):
    """A FEN, move or goal that cannot be read."""


class MovetextError(NotationError):
    """A game that cannot be read to its end; the message names the half-move."""


class MendableError(NotationError):
    """A FEN with an error in one field, which a valid value can replace.

    field: the number of the field, from 0. instead: a valid value for the field.
    """

    def __init__(self, message: str, field: int, instead: str):
        super().__init__(message)
        self.field = field
        self.instead = instead


class IllegalMoveError(StandstillError, ValueError):
    """A readable move that is not legal in the position.

    reason: the reason why the move is illegal, if it is not obvious.
    """

    def __init__(self, message: str, reason: str = ""):
        super().__init__(f"{message}: {reason}" if reason else message)
        self.reason = reason


class ConfigError(StandstillError, ValueError):
    """An option or a key of engine.ini with a value that is not allowed."""


class DefinitionError(StandstillError, ValueError):
    """A game definition that cannot be read; the message names file, line and column."""


class TablebaseError(StandstillError, OSError):
    """A tablebase file that is missing or damaged."""


class ClusterError(StandstillError, OSError):
    """A cluster that cannot be reached, or whose workers cannot run the engine's tasks."""


class NetworkError(StandstillError, OSError):
    """A network file that is missing, damaged, or written for another program."""


class OtherGameError(NetworkError):
    """A valid network for another game."""


class BookError(StandstillError, OSError):
    """An opening book that is missing or damaged."""


class ClockError(StandstillError, ValueError):
    """A time control that cannot be read or kept."""


class PgnError(StandstillError, OSError):
    """A file of games that cannot be read or written."""


class PgnOutputError(PgnError):
    """A file of games that cannot be written, while games can still be read."""


class RelevanceError(StandstillError, ValueError):
    """An evaluation, x05 or scheme for which the relevance model has no answer."""


class EngineError(StandstillError):
    """An engine program that cannot be started, does not answer, or cannot carry out a request."""


class StoreError(StandstillError, OSError):
    """A store of correspondence games that cannot be opened, read or written. Nothing was changed."""


class DamagedGameError(StoreError):
    """One game of a store that cannot be read; the others can."""


class GameError(StandstillError, ValueError):
    """An impossible operation on a stored game, such as an unknown name or a move out of turn."""


class MatchError(StandstillError, ValueError):
    """A match that cannot be set up, or an engine that fails in it."""


class TrainingError(StandstillError, OSError):
    """A file of games for training that cannot be read or written."""


class ArgumentError(StandstillError, TypeError, ValueError):
    """An argument of the Python API with a wrong type or value."""


class EngineUseError(StandstillError, RuntimeError):
    """A request that an engine or a search cannot carry out now: it is closed, busy, or was cancelled."""
