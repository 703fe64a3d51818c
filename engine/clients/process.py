"""An engine program while it runs: started, told its options, asked with a limit of time, and ended in any case.

Whatever speaks to such a program does it through ``EngineProcess``; what python-chess and the system say of one that
fails ends here, as a ``ClientError``. Who asks decides what a failure means: a lost game, or no evaluation.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import chess.engine

from ..words.errors import StandstillError
from ..words.text import shown

T = TypeVar("T")

_LOOK_S = 1.0  # how often to see whether the process that shall answer is there at all

_TRUE, _FALSE = {"true", "1", "on", "yes"}, {"false", "0", "off", "no"}

# What these have to say is in the errors that come of it; nothing of it belongs on the terminal.
for _name in ("chess.engine", "asyncio"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class ClientError(StandstillError):
    """An engine program that cannot be started or cannot do what it is asked; the message does not name it."""


class SilentError(ClientError):
    """It has not answered in time, and may never do so."""


class GoneError(ClientError):
    """Its process has ended."""


class WrongMoveError(ClientError):
    """It has named a move that cannot be read, or not be played."""


class EngineProcess:
    """One run of an engine program. To be ended by ``leave`` or ``kill``, also after an error.

    Everything but ``kill`` is for one thread at a time.
    """

    def __init__(
        self,
        client: type[chess.engine.Protocol],
        command: Sequence[str],
        patience_s: float,
        *,
        own_group: bool = False,
    ):
        """Start ``command`` and let it introduce itself to ``client``, a class.

        patience_s: for the introduction, and for being told options.
        own_group: an interrupt from the keyboard does not reach it.
        Raises ClientError, and then nothing is left behind.
        """
        self._patience_s = patience_s
        with _failures():
            self._engine = chess.engine.SimpleEngine.popen(client, list(command), timeout=patience_s, setpgrp=own_group)

    @property
    def client(self) -> Any:
        """The client that speaks to it; coroutines of its have to be put as questions."""
        return self._engine.protocol

    def configure(self, options: Mapping[str, str], if_known: Mapping[str, str] | None = None) -> dict[str, str]:
        """Set options that are named and written as by a user: blanks and the case of letters do not count.

        Returns what was set, by the engine's own names.

        if_known: values for options that the engine may have or not, where ``options`` does not name them.
        Raises ClientError for an option that it does not have, or a value that it cannot take.
        """
        known = {_plain(name): option for name, option in self.client.options.items()}
        values: dict[str, str | bool] = {}
        told: dict[str, str] = {}
        for name, text in options.items():
            option = known.get(_plain(name))
            if option is None:
                raise ClientError(f"it has no option {shown(name)}")
            values[option.name] = _option_value(option, text)
            told[option.name] = text
        for name, text in (if_known or {}).items():
            option = known.get(_plain(name))
            if option is not None:
                values.setdefault(option.name, _option_value(option, text))
                told.setdefault(option.name, text)
        self.ask(lambda client: client.configure(values), self._patience_s)
        return told

    def ask(self, question: Callable[[Any], Coroutine[Any, Any, T]], patience_s: float | None) -> T:
        """What comes of a question to the client, which is awaited on the loop of the client's own thread.

        patience_s: None waits as long as the process is there.
        Raises ClientError: SilentError, GoneError, WrongMoveError, or for what python-chess refuses. After it the
        engine may be anywhere in what it was asked.
        """

        async def asked() -> T:
            return await asyncio.wait_for(question(self.client), patience_s)

        with _failures():
            return self._answer(asked())

    def _answer(self, waiting: Coroutine[Any, Any, T]) -> T:
        """The loop ends with the process: before the question, or just now, and then nobody would ever answer it."""
        loop = self.client.loop
        try:
            future = asyncio.run_coroutine_threadsafe(waiting, loop)
        except RuntimeError:
            waiting.close()
            raise GoneError("it has left") from None
        while not concurrent.futures.wait([future], _LOOK_S).done:
            if loop.is_closed():
                raise GoneError("it has left")
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise GoneError("it has left") from None

    def leave(self, patience_s: float) -> None:
        """Ask it to leave; one that has not left by then is killed."""
        with contextlib.suppress(ClientError):
            self.ask(lambda client: client.quit(), patience_s)
        self.kill()

    def kill(self) -> None:
        """At once, whatever it is doing; from any thread, and as often as one likes."""
        self._engine.close()


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    """Turn what python-chess and the system raise into a ClientError."""
    try:
        yield
    except TimeoutError:
        raise SilentError("no answer") from None
    except OSError as error:
        raise ClientError(error.strerror or str(error)) from None
    except chess.engine.EngineError as error:
        kind = ClientError
        if isinstance(error, chess.engine.EngineTerminatedError):
            kind = GoneError
        elif error.args and isinstance(error.args[0], ValueError):  # of the board that was to make the move
            kind = WrongMoveError
        raise kind(" ".join(str(error).split()) or type(error).__name__) from None


def _plain(name: str) -> str:
    return name.lower().replace(" ", "")


def _option_value(option: chess.engine.Option, text: str) -> str | bool:
    """python-chess would take any text but ``false`` for true."""
    if option.type != "check":
        return text
    word = text.strip().lower()
    if word not in _TRUE | _FALSE:
        raise ClientError(f"its option {option.name} is true or false, found {shown(text)}")
    return word in _TRUE
