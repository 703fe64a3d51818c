"""Ports of servers: two programs do not share one, and a taken one is named in the same words on every system."""

from __future__ import annotations

import contextlib
import errno
import socket

import pytest

from standstill.engine.system.sockets import bound

HOST = "127.0.0.1"


def test_two_servers_do_not_share_a_port() -> None:
    with bound(HOST, 0) as first:
        first.listen()
        with pytest.raises(OSError, match="in use") as refused:
            bound(HOST, first.getsockname()[1])
    assert refused.value.errno == errno.EADDRINUSE


def test_a_server_can_start_again_at_once() -> None:
    """The connection of a client that is still open keeps the port in the state TIME_WAIT."""
    with bound(HOST, 0) as first:
        first.listen()
        port = first.getsockname()[1]
        with socket.create_connection((HOST, port)), contextlib.closing(first.accept()[0]) as answered:
            answered.shutdown(socket.SHUT_RDWR)
    with bound(HOST, port) as second:
        second.listen()
