"""Sockets of servers."""

from __future__ import annotations

import errno
import socket
import sys


def bound(host: str, port: int) -> socket.socket:
    """Return a socket with this address, which no other program can take while the socket listens.

    port: 0 takes any free port. Raises OSError if the port is taken.

    >>> with bound("127.0.0.1", 0) as server:
    ...     server.getsockname()[1] > 0
    True
    """
    server = socket.socket()
    if sys.platform == "win32":  # SO_REUSEADDR would let two programs answer at one port there
        server.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:  # lets a server start again at once
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((host, port))
    except OSError as error:
        server.close()
        # Windows denies access to a port that another program holds for itself, or that the system reserves.
        if sys.platform == "win32" and error.errno == errno.EACCES:
            raise OSError(errno.EADDRINUSE, "it is in use or reserved") from None
        if error.errno == errno.EADDRINUSE:
            raise OSError(errno.EADDRINUSE, "Address already in use") from None
        raise
    return server
