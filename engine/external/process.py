"""An engine program while it runs: started, told its options, asked with a limit of time, and ended in any case.

Whatever speaks to such a program does it through ``EngineProcess``; what python-chess and the system say of one that
fails ends here, as a ``ClientError``. Who asks decides what a failure means: a lost game, or no evaluation.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import chess.engine

from ..common.errors import StandstillError
from ..common.signals import LOOK_S
from ..common.text import shown, visible
from .protocols import MissingFeatureError

T = TypeVar("T")

_END_S = 2.0  # for the system to take away a process that was killed
_CLOSED = "it has closed its output"
_LONGEST = 200  # characters of an engine's own words that a message repeats

# How engines say that they do not take a value. The line counts if it names an option that was set, and its value; of
# numbers they say other things, such as pages that they could not lock for Hash.
_WORDY = ("string", "combo", "file", "path")
_REFUSAL = re.compile(
    r"\b(error|illegal|invalid|unknown|unsupported|no such|not found|can ?not|can't|could not|couldn't|failed|expected"
    r"|keeping)\b",
    re.IGNORECASE,
)

_TRUE, _FALSE = {"true", "1", "on", "yes"}, {"false", "0", "off", "no"}

# What these have to say is in the errors that come of it; nothing of it belongs on the terminal.
for _name in ("chess.engine", "asyncio"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class ClientError(StandstillError):
    """An engine program that cannot be started or cannot do what it is asked; the message does not name it."""


class NoProgramError(ClientError):
    """The system cannot start its program."""


class SilentError(ClientError):
    """It has not answered in time, and may never do so."""


class GoneError(ClientError):
    """Its process has ended."""


class WrongMoveError(ClientError):
    """It has named a move that cannot be read, or not be played."""


class NoFeatureError(ClientError):
    """It does not announce a feature of XBoard's protocol that is needed here. feature: its name."""

    def __init__(self, feature: str):
        super().__init__(f"it does not announce {feature}; engines of XBoard's protocol need ping and setboard here")
        self.feature = feature


class EngineProcess:
    """One run of an engine program. To be ended by ``leave`` or ``kill``, also after an error.

    Everything but ``kill`` is for one thread at a time. The program leads a process group of its own: an interrupt from
    the keyboard does not reach it, and what it has started itself, as a script that wraps an engine does, ends with it.
    """

    def __init__(self, client: type[chess.engine.Protocol], command: Sequence[str], patience_s: float):
        """Have ``command`` started, without waiting for it: ``greet`` does, so that meanwhile others can kill it.

        client: a class, which will speak to it. patience_s: for the introduction, and for being told options.
        """
        self._patience_s = patience_s
        self._met: concurrent.futures.Future[Any] = concurrent.futures.Future()  # the client, after the introduction
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._failed)
        self._trouble: asyncio.Future[Any] | None = None  # what goes wrong beside the present question
        self._life = self._loop.create_task(self._live(client, list(command)))
        self._group: int | None = None  # of its processes, while there may be any
        self._killed = False
        # A daemon: whoever leaves the program in a hurry is not held up by an engine that says nothing.
        self._thread = threading.Thread(target=self._host, name=f"engine {command[0]}", daemon=True)
        self._thread.start()

    def _host(self) -> None:
        """The thread on which the client lives."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(asyncio.wait({self._life}))
        if not self._met.done():
            error = None if self._life.cancelled() else self._life.exception()
            self._met.set_exception(error or GoneError("it was ended"))

    async def _live(self, kind: type[chess.engine.Protocol], command: list[str]) -> None:
        """From the start of the process to its end; cancelled by ``kill``."""
        transport, client = await kind.popen(command, setpgrp=True)
        self._group = transport.get_pid()
        try:
            try:
                await asyncio.wait_for(client.initialize(), self._patience_s)
            except chess.engine.EngineTerminatedError:
                if getattr(client, "closed", False):
                    raise GoneError(_CLOSED) from None
                raise
            self._met.set_result(client)
            await asyncio.wait({client.returncode})
        finally:
            self._end_group()  # also after its own end: what it had started may still be there
            transport.close()
            await asyncio.wait({client.returncode}, timeout=_END_S)

    def _end_group(self) -> None:
        group, self._group = self._group, None
        if group is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)

    def _failed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take what a line of the engine has raised: python-chess reports it here and leaves its analysis waiting."""
        error = context.get("exception")
        from_engine = "protocol" in context or "handle" in context
        if isinstance(error, Exception) and from_engine and self._trouble is not None and not self._trouble.done():
            if not isinstance(error, chess.engine.EngineError):
                error = ClientError(f"it cannot be understood: {_one_line(error)}")
            self._trouble.set_exception(error)

    def greet(self) -> None:
        """Wait until it has introduced itself. Raises ClientError, and then nothing is left behind."""
        try:
            with _failures():
                _wait_for(self._met)
                self._met.result()
        except BaseException:
            self.kill()
            raise

    @property
    def client(self) -> Any:
        """The client that speaks to it, once it has been greeted; its coroutines have to be put as questions."""
        return self._met.result()

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
                wrong = {_plain(other): why for other, why in self.client.unusable.items()}.get(_plain(name))
                if wrong is not None:
                    raise ClientError(f"it announces its option {shown(name)} wrongly: {wrong}")
                raise ClientError(f"it has no option {shown(name)}")
            values[option.name] = _option_value(option, text)
            told[option.name] = text
        for name, text in (if_known or {}).items():
            option = known.get(_plain(name))
            if option is not None:
                values.setdefault(option.name, _option_value(option, text))
                told.setdefault(option.name, text)
        self.client.heard.clear()
        self.ask(lambda client: client.configure(values), self._patience_s)
        self.ask(lambda client: client.ping(), self._patience_s)
        texts = {name: text for name, text in told.items() if text and self.client.options[name].type in _WORDY}
        for line in self.client.heard:
            named = any(_plain(name) in _plain(line) and text in line for name, text in texts.items())
            if named and _REFUSAL.search(line):
                raise ClientError(f"it refuses an option: {shown(line.removeprefix('info string '))}")
        return told

    def ask(self, question: Callable[[Any], Coroutine[Any, Any, T]], patience_s: float | None) -> T:
        """What comes of a question to the client, which is awaited on the loop of the client's own thread.

        patience_s: for the whole answer; None waits as long as the process is there.
        Raises ClientError: SilentError, GoneError, WrongMoveError, or for what python-chess refuses. After it the
        engine may be anywhere in what it was asked.
        """

        async def asked() -> T:
            answer = asyncio.ensure_future(question(self.client))
            trouble = self._trouble = self._loop.create_future()
            try:
                await asyncio.wait({answer, trouble}, timeout=patience_s, return_when=asyncio.FIRST_COMPLETED)
                if trouble.done():
                    trouble.result()
                if not answer.done():
                    raise TimeoutError
                return answer.result()
            finally:
                answer.cancel()
                trouble.cancel()

        try:
            with _failures():
                return self._answer(asked())
        except GoneError:
            if self.client.closed:
                raise GoneError(_CLOSED) from None
            raise

    def _answer(self, waiting: Coroutine[Any, Any, T]) -> T:
        """The loop ends with the process: before the question, or just now, and then nobody would ever answer it."""
        loop = self._loop
        try:
            future = asyncio.run_coroutine_threadsafe(waiting, loop)
        except RuntimeError:
            waiting.close()
            raise GoneError("it has left") from None
        _wait_for(future, loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise GoneError("it has left") from None

    def leave(self, patience_s: float) -> None:
        """Ask it to leave; one that has not left by then is killed."""
        try:
            with contextlib.suppress(ClientError):
                self.ask(lambda client: client.quit(), patience_s)
        finally:
            self.kill()

    def kill(self) -> None:
        """At once, whatever it is doing; from any thread, and as often as one likes. Afterwards it is gone."""
        if not self._killed:
            self._killed = True
            self._end_group()  # here, because the loop may be busy with all that the engine says
            with contextlib.suppress(RuntimeError):  # its life is over, and the loop closed
                self._loop.call_soon_threadsafe(self._life.cancel)
        self._thread.join(_END_S)


def _wait_for(future: concurrent.futures.Future[Any], loop: asyncio.AbstractEventLoop | None = None) -> None:
    """Until it is done; not in one piece, because a signal may reach another thread, and not wake this one.

    loop: on which the answer is made. Raises GoneError if it is closed meanwhile.
    """
    while not concurrent.futures.wait([future], LOOK_S).done:
        if loop is not None and loop.is_closed():
            raise GoneError("it has left")


@contextlib.contextmanager
def _failures() -> Iterator[None]:
    """Turn what python-chess and the system raise into a ClientError."""
    try:
        yield
    except TimeoutError:
        raise SilentError("no answer") from None
    except OSError as error:
        raise NoProgramError(error.strerror or str(error)) from None
    except MissingFeatureError as error:
        raise NoFeatureError(error.feature) from None
    except chess.engine.EngineError as error:
        kind = ClientError
        if isinstance(error, chess.engine.EngineTerminatedError):
            kind = GoneError
        elif error.args and isinstance(error.args[0], ValueError):  # of the board that was to make the move
            kind = WrongMoveError
        raise kind(_one_line(error)) from None


def _one_line(error: Exception) -> str:
    """What an error says, which may be the engine's own words."""
    text = visible(" ".join(str(error).split())) or type(error).__name__
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


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
