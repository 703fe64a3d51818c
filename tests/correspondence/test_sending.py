"""Sending moves to a server: confirmation, storage, and acceptance or refusal by the server."""

from __future__ import annotations

import pytest

from tests.correspondence.support import ENV, NAME, shown
from tests.correspondence.xfcc_server import XfccServer


def test_a_move_is_sent_after_confirmation_and_entered(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    done = games("send", NAME, "Nf3", env=ENV, input="n\n", status=130)
    assert done.stderr == f"standstill: {NAME}: not sent\n"
    assert "MakeAMove" not in server.calls
    assert "2.Nf3 sent" in games("send", NAME, "g1f3", env=ENV, input="y\n").stdout
    assert server.boards["17"].peek().uci() == "g1f3" and shown(games)["moves"][-1] == "g1f3"
    games("send", NAME, "Nc6", "--yes", env=ENV, status=2)


def test_a_move_that_the_server_refuses_is_not_entered(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    server.boards["17"].push_san("d4")
    done = games("send", NAME, "Nf3", "--yes", env=ENV, status=2)
    assert "not your turn" in done.stderr and len(shown(games)["moves"]) == 2


def test_the_confirmation_names_draw_offer_and_message(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    done = games("send", NAME, "Nf3", "--draw", "--message", "All the best", env=ENV, input="n\n", status=130)
    assert "send 2.Nf3 with a draw offer and the message 'All the best' in" in done.stdout
    done = games("send", NAME, "Nf3", "--draw", "--yes", env=ENV)
    assert "2.Nf3 with a draw offer sent" in done.stdout


def test_a_move_entered_by_hand_can_be_sent(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    games("move", NAME, "Nf3")
    assert "2.Nf3 is not sent yet" in fetch().stdout
    assert "not sent yet" in games("send", NAME, "Nc3", "--yes", env=ENV, status=2).stderr
    assert "2.Nf3 sent" in games("send", NAME, "--yes", env=ENV).stdout
    assert server.boards["17"].peek().uci() == "g1f3" and len(shown(games)["moves"]) == 3
    assert "half-move" not in fetch().stdout
    assert "has no unsent move" in games("send", NAME, "--yes", env=ENV, status=2).stderr
    games("check")


def test_a_move_that_was_taken_without_an_answer_is_stored(games, server: XfccServer, fetch) -> None:
    server.add("17", "e4 e5")
    fetch()
    server.break_off = True
    done = games("send", NAME, "Nf3", "--yes", env=ENV, status=2)
    assert "broke off before the end of the answer; 2.Nf3 is stored, but the server may not have it" in done.stderr
    assert server.boards["17"].peek().uci() == "g1f3" and shown(games)["moves"][-1] == "g1f3"
    assert "half-move" not in fetch().stdout


def test_what_cannot_be_stored_is_not_sent(games, server: XfccServer, fetch) -> None:
    """Time has run out here, whatever the server shows: a move that the store refuses must not be sent."""
    server.add("17", "e4 e5")
    fetch()
    games("correct", NAME, "white", "--clock", "0")
    done = games("send", NAME, "Nf3", "--yes", env=ENV, status=2)
    assert "time ran out" in done.stderr and "MakeAMove" not in server.calls


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "raw",
    [
        b"", b"taken", b"<html><title>Back soon</title></html>", b"<a/>", b"<a><MakeAMoveResult/></a>",
        b"<a><MakeAMoveResult>Perhaps</MakeAMoveResult></a>", b"<a><MakeAMoveResult>Success",
    ],
)  # fmt: skip
def test_an_answer_200_that_cannot_be_understood_refuses_no_move(games, server: XfccServer, fetch, raw: bytes) -> None:
    """The server may have played the move, whatever it answered: undoing the move in the store could play it twice."""
    server.add("17", "e4 e5")
    fetch()
    server.raw = raw
    done = games("send", NAME, "Nf3", "--yes", env=ENV, status=2)
    assert "2.Nf3 is stored, but the server may not have it" in done.stderr
    assert server.boards["17"].peek().uci() == shown(games)["moves"][-1] == "g1f3"
    server.raw = None
    assert "half-move" not in fetch().stdout
