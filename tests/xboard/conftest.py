"""An engine, initialised as XBoard initialises it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.uci.client import Client
from tests.xboard.support import pong


@pytest.fixture
def xboard(start: Callable[..., Client]) -> Client:
    client = start()
    # Tests count thinking lines and read their columns; tests/annotate/test_live.py tests the comments between them.
    client.send("xboard", "protover 2", "accepted debug", "option Relevance_Position=off", "new", "st 0.05")
    pong(client)
    return client
