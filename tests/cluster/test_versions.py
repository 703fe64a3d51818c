"""Before the first task, scheduler and workers are asked for their version, while workers come and go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from standstill.engine import VERSION
from standstill.engine.cluster import pool
from standstill.engine.common.errors import ClusterError

ADDRESS = "tcp://127.0.0.1:8786"


class Client:
    """Answers as Dask's client does. answers: what each further request gets; the last answer repeats."""

    def __init__(self, answers: list[dict[str, Any] | Exception]):
        self._answers: Iterator[dict[str, Any] | Exception] = iter(answers[:-1])
        self._last = answers[-1]

    def wait_for_workers(self, count: int, timeout: float) -> None:
        pass

    def run(self, function: object, *, on_error: str) -> dict[str, Any]:
        assert on_error == "return"
        answer = next(self._answers, self._last)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def run_on_scheduler(self, function: object) -> str:
        return VERSION

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": {"a": {}, "b": {}}}


def checked(monkeypatch: pytest.MonkeyPatch, *answers: dict[str, Any] | Exception) -> int:
    monkeypatch.setattr(pool, "_RENEWAL_S", 0)
    return pool._checked(cast(Any, Client(list(answers))), ADDRESS, 2)


def test_a_worker_that_is_lost_before_it_answers_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = {"a": OSError("Address removed."), "b": VERSION}
    assert checked(monkeypatch, lost, lost, {"b": VERSION, "c": VERSION}) == 2


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"a": OSError("Address removed."), "b": VERSION}, f"at {ADDRESS!r}, but workers were lost each time"),
        (OSError("Timed out"), f"the Dask scheduler at {ADDRESS!r} disconnected"),
        ({"a": ModuleNotFoundError("standstill"), "b": VERSION}, f"workers of {ADDRESS!r}, found none"),
        ({"a": "0.9", "b": VERSION}, f"workers of {ADDRESS!r}, found 0.9"),
    ],
)
def test_faults_are_one_line(monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any] | Exception, said: str) -> None:
    with pytest.raises(ClusterError) as error:
        checked(monkeypatch, answer)
    assert str(error.value).endswith(said)
