"""Runs an engine program: starts it, sets options, sends requests with a time limit, and always ends it.

All communication with such programs goes through ``EngineProcess``, which turns failures reported by python-chess and
the system into a ``ClientError``. The caller decides what a failure means: a lost game, or a missing evaluation.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import re
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import chess.engine

from ..common.errors import StandstillError
from ..common.signals import LOOK_S, deferred
from ..common.text import shown, visible
from ..system.processes import Group
from .protocols import MissingFeatureError, UciClient, XboardClient

T = TypeVar("T")
Tell = Callable[[str], None]
GoOn = Callable[[], bool]

# Time allowed for an answer that needs no search. Engines load large networks and tables in it, also from slow disks.
START_S = 30.0
NOTICE_S = 4.0  # time after which the user is told what is being waited for
_END_S = 2.0  # time allowed for the system to remove a killed process
_CLOSED = "it has closed its output"
_LONGEST = 200  # largest length of engine output quoted in a message

# The words with which engines reject a value. A line counts if it contains the name of an option that was set, and its
# value. Lines about numbers may be about other things, such as memory pages that could not be locked for Hash.
_WORDY = ("string", "combo", "file", "path")
_REFUSAL = re.compile(
    r"\b(error|illegal|invalid|unknown|unsupported|no such|not found|can ?not|can't|could not|couldn't|failed|expected"
    r"|keeping)\b",
    re.IGNORECASE,
)

_TRUE, _FALSE = {"true", "1", "on", "yes"}, {"false", "0", "off", "no"}

# The errors that these loggers report are raised as exceptions, so nothing is logged to the terminal.
for _name in ("chess.engine", "asyncio"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


class ClientError(StandstillError):
    """An engine program cannot be started or cannot answer. The message does not name the engine."""


class NoProgramError(ClientError):
    """The system cannot start the engine program."""


class SilentError(ClientError):
    """The engine has not answered in time."""


class GoneError(ClientError):
    """The engine's process has ended."""


class WrongMoveError(ClientError):
    """The engine has sent a move that is malformed or illegal."""


class NoFeatureError(ClientError):
    """The engine does not announce a required feature of XBoard's protocol. feature: its name."""

    def __init__(self, feature: str):
        super().__init__(f"it does not announce {feature}; XBoard engines need ping and setboard here")
        self.feature = feature


class EngineProcess:
    """One run of an engine program. Callers must end it by ``leave`` or ``kill``, even after an error.

    Only one thread at a time may call the methods, except ``kill``. The program leads its own process group, so a
    keyboard interrupt does not reach it, and its child processes (such as an engine started by a wrapper script) end
    with it.
    """

    def __init__(
        self,
        client: type[UciClient | XboardClient],
        command: Sequence[str],
        patience_s: float = START_S,
        tell: Tell | None = None,
        go_on: GoOn | None = None,
    ):
        """Start ``command`` without waiting. ``greet`` waits, so that other threads can kill the process in the
        meantime.

        client: the class that communicates with it. patience_s: time limit for introduction and setting of options.
        tell: a function that is called with the request that the engine has not answered for ``NOTICE_S``. The thread
        that waits calls it. go_on: a function that this thread calls several times a second; once it returns False, the
        wait ends with a ClientError.
        """
        self._client_class = client
        self._patience_s = patience_s
        self._tell, self._go_on = tell, go_on
        self._met: concurrent.futures.Future[Any] = concurrent.futures.Future()  # the client, after the introduction
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._failed)
        self._trouble: asyncio.Future[Any] | None = None  # receives an error outside the current request
        self._life = self._loop.create_task(self._live(client, list(command)))
        self._group: Group | None = None  # the process group; None once it has no processes
        self._killed = False
        # The thread is a daemon, so that a silent engine does not delay the end of this program.
        self._thread = threading.Thread(target=self._host, name=f"engine {command[0]}", daemon=True)
        try:
            with deferred():
                self._thread.start()
        except BaseException:  # for a signal, while no caller can end the process yet
            self.kill()
            raise

    def _host(self) -> None:
        """Run the event loop on the client's thread."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(asyncio.wait({self._life}))
        if not self._met.done():
            error = None if self._life.cancelled() else self._life.exception()
            self._met.set_exception(error or GoneError("it was ended"))

    async def _live(self, kind: type[chess.engine.Protocol], command: list[str]) -> None:
        """Run the process from start to end. ``kill`` cancels this task."""
        client: Any
        transport, client = await kind.popen(command, setpgrp=True)
        self._group = client.group = Group(transport.get_pid())
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
            self._end_group()  # necessary even after the engine has ended, because its child processes may still run
            transport.close()
            await asyncio.wait({client.returncode}, timeout=_END_S)

    def _end_group(self) -> None:
        group, self._group = self._group, None
        if group is not None:
            group.kill()

    def _failed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Record an exception that a line of the engine caused.

        python-chess reports it here, while its analysis keeps waiting.
        """
        error = context.get("exception")
        from_engine = "protocol" in context or "handle" in context
        if isinstance(error, Exception) and from_engine and self._trouble is not None and not self._trouble.done():
            if not isinstance(error, chess.engine.EngineError):
                error = ClientError(f"it cannot be understood: {_one_line(error)}")
            self._trouble.set_exception(error)

    def greet(self) -> None:
        """Wait until the engine has introduced itself. If that fails, end the process and raise ClientError."""
        try:
            with _failures(self._client_class.introduction, self._patience_s):
                self._wait_for(self._met, self._client_class.introduction, self._patience_s)
                self._met.result()
        except BaseException:
            self.kill()
            raise

    @property
    def client(self) -> Any:
        """The client, available after ``greet``. ``ask`` awaits its coroutines."""
        return self._met.result()

    def configure(self, options: Mapping[str, str], if_known: Mapping[str, str] | None = None) -> dict[str, str]:
        """Set options as a user writes them: blanks and upper or lower case do not matter.

        Returns the values that were set, by the engine's own names.

        if_known: values for options that the engine may lack; ``options`` takes precedence.
        Raises ClientError for an option that the engine does not have, or a value that it cannot take.
        """
        known = {_plain(name): option for name, option in self.client.options.items()}
        values: dict[str, str | bool] = {}
        chosen: dict[str, str] = {}
        for name, text in options.items():
            option = known.get(_plain(name))
            if option is None:
                wrong = {_plain(other): why for other, why in self.client.unusable.items()}.get(_plain(name))
                if wrong is not None:
                    raise ClientError(f"it announces its option {shown(name)} wrongly: {wrong}")
                raise ClientError(f"it has no option {shown(name)}")
            values[option.name] = _option_value(option, text)
            chosen[option.name] = text
        for name, text in (if_known or {}).items():
            option = known.get(_plain(name))
            if option is not None:
                values.setdefault(option.name, _option_value(option, text))
                chosen.setdefault(option.name, text)
        self.client.heard.clear()
        self.ask(lambda client: client.configure(values), self._patience_s)
        self.ping()
        texts = {name: text for name, text in chosen.items() if text and self.client.options[name].type in _WORDY}
        for line in self.client.heard:
            named = any(_plain(name) in _plain(line) and text in line for name, text in texts.items())
            if named and _REFUSAL.search(line):
                raise ClientError(f"it refuses an option: {shown(line.removeprefix('info string '))}")
        return chosen

    def ping(self) -> None:
        """Wait until the engine is ready. Raises ClientError."""
        self.ask(lambda client: client.ping(), self._patience_s, self._client_class.question)

    def ask(
        self,
        question: Callable[[Any], Coroutine[Any, Any, T]],
        patience_s: float | None,
        name: str = "",
        notice_s: float | None = None,
        first_s: float | None = None,
    ) -> T:
        """Await a coroutine of the client on the loop of the client's thread, and return the result.

        patience_s: time limit for the whole answer; None waits as long as the process runs. name: the question in
        messages to the user. notice_s: time after which the user is told about it, by default ``NOTICE_S``. first_s: a
        shorter limit for the first line of a search.
        Raises ClientError or its subclass SilentError, GoneError or WrongMoveError. After an error the engine may be
        working on the request.
        """

        async def asked() -> T:
            answer = asyncio.ensure_future(question(self.client))
            trouble = self._trouble = self._loop.create_future()

            async def first_of(limit_s: float | None) -> bool:
                done, _ = await asyncio.wait({answer, trouble}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
                return bool(done)

            try:
                if first_s is not None and not await first_of(first_s) and self.client.silent:
                    raise TimeoutError
                await first_of(None if patience_s is None else patience_s - (first_s or 0.0))
                if trouble.done():
                    trouble.result()
                if not answer.done():
                    raise TimeoutError
                return answer.result()
            finally:
                answer.cancel()
                trouble.cancel()

        try:
            self.client.silent = True
            with _failures(name, patience_s):
                return self._answer(asked(), name, patience_s, notice_s)
        except GoneError:
            if self.client.closed:
                raise GoneError(_CLOSED) from None
            raise

    def _answer(
        self, waiting: Coroutine[Any, Any, T], name: str, patience_s: float | None, notice_s: float | None
    ) -> T:
        """Return the answer of a request. If the loop ends with the process, raise GoneError."""
        loop = self._loop
        try:
            future = asyncio.run_coroutine_threadsafe(waiting, loop)
        except RuntimeError:
            waiting.close()
            raise GoneError("it has exited") from None
        self._wait_for(future, name, patience_s, notice_s, loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise GoneError("it has exited") from None

    def _wait_for(
        self,
        future: concurrent.futures.Future[Any],
        name: str,
        patience_s: float | None,
        notice_s: float | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Wait for the future in short steps, because a signal may reach another thread and not wake this one.

        loop: the loop that runs the future. Raises GoneError if the loop closes in the meantime, and ClientError if
        ``go_on`` ends the wait.
        """
        begun = time.monotonic()
        notice_s = NOTICE_S if notice_s is None else notice_s
        told = self._tell is None or not name
        while not concurrent.futures.wait([future], LOOK_S).done:
            if loop is not None and loop.is_closed():
                raise GoneError("it has exited")
            if self._go_on is not None and not self._go_on():
                raise ClientError("it was stopped")
            if not told and self._tell is not None and time.monotonic() - begun >= notice_s:
                told = True
                self._tell(f"waiting for the answer to {name}" + (f", {patience_s:g} s at most" if patience_s else ""))

    def leave(self, patience_s: float) -> None:
        """Ask the engine to quit. Kill it after the time limit."""
        try:
            with contextlib.suppress(ClientError):
                self.ask(lambda client: client.quit(), patience_s)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the process at once. Any thread may call this, any number of times."""
        if not self._killed:
            self._killed = True
            self._end_group()  # in this thread, because the loop may be busy with the engine's output
            with contextlib.suppress(RuntimeError):  # the process has ended and the loop is closed
                self._loop.call_soon_threadsafe(self._life.cancel)
        self._thread.join(_END_S)


@contextlib.contextmanager
def _failures(name: str, patience_s: float | None) -> Iterator[None]:
    """Turn exceptions of python-chess and of the system into a ClientError."""
    try:
        yield
    except TimeoutError:
        raise SilentError(f"no answer to {name} within {patience_s:g} s" if name else "no answer") from None
    except OSError as error:
        raise NoProgramError(error.strerror or str(error)) from None
    except MissingFeatureError as error:
        raise NoFeatureError(error.feature) from None
    except chess.engine.EngineError as error:
        kind = ClientError
        if isinstance(error, chess.engine.EngineTerminatedError):
            kind = GoneError
        elif error.args and isinstance(error.args[0], ValueError):  # raised by the board that should make the move
            kind = WrongMoveError
        raise kind(_one_line(error)) from None


def _one_line(error: Exception) -> str:
    """Return the text of an error, which may quote the engine, in one line."""
    text = visible(" ".join(str(error).split())) or type(error).__name__
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _plain(name: str) -> str:
    return name.lower().replace(" ", "")


def _option_value(option: chess.engine.Option, text: str) -> str | bool:
    """Parse the value of an option. python-chess would accept any text except ``false`` as true."""
    if option.type != "check":
        return text
    word = text.strip().lower()
    if word not in _TRUE | _FALSE:
        raise ClientError(f"its option {option.name} is true or false, found {shown(text)}")
    return word in _TRUE
