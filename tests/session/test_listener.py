"""Listeners between search and front end pass on every report that they do not handle."""

from __future__ import annotations

import inspect
from unittest.mock import Mock

import pytest

from standstill.engine.play.listener import Listener, Relay

NEWS = [name for name, _ in inspect.getmembers(Listener, inspect.isfunction) if not name.startswith("_")]


@pytest.mark.parametrize("name", NEWS)
def test_a_relay_passes_all_news_on(name: str) -> None:
    target = Mock(spec=Listener)
    words = [object() for _ in inspect.signature(getattr(Listener, name)).parameters][1:]
    getattr(Relay(target), name)(*words)
    assert [call[0] for call in target.method_calls] == [name]
    getattr(target, name).assert_called_once_with(*words)
