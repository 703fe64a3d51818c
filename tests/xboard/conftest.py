"""An engine that has been initialised as XBoard does it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.uci.client import Client
from tests.xboard.support import pong


@pytest.fixture
def xboard(start: Callable[..., Client]) -> Client:
    client = start()
    # Thinking lines are counted and read as columns; tests/annotate/test_live.py tests the comments between them.
    client.send("xboard", "protover 2", "accepted debug", "option Relevance_Position=off", "new", "st 0.05")
    pong(client)
    return client
