"""The conditions for offering a draw, accepting one and resigning, tested without an engine."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from standstill.engine.common.info import MATE, SCORE_CP
from standstill.engine.settings.options import Settings
from standstill.protocol.xboard.offers import Offers
from tests.xboard.support import pong


def offers(*scores_cp: int, draws: str = "offer", resign_cp: int = 0, knows_draws: bool = True) -> Offers:
    """An ``Offers`` after moves with these scores."""
    settings = Settings()
    settings["Draw Offers"], settings["Resign Score"] = draws, resign_cp
    found = Offers(SimpleNamespace(settings=settings, knows_draws=knows_draws))
    for number, score_cp in enumerate(scores_cp):
        found.note_score(score_cp * SCORE_CP, 2 * number)
    return found


def accepts(found: Offers) -> bool:
    found.draw_offered = True
    return found.shall_accept()


@pytest.mark.parametrize(("score_cp", "accepted"), [(-300, True), (0, True), (1, False), (300, False)])
def test_a_draw_is_accepted_unless_the_position_is_better(score_cp: int, accepted: bool) -> None:
    assert accepts(offers(-500 if score_cp > 0 else 500, score_cp)) is accepted  # the last score counts
    assert not offers(score_cp).shall_accept()  # no draw has been offered
    assert not accepts(offers(score_cp, draws="off"))
    assert not accepts(offers(score_cp, knows_draws=False))


def test_a_draw_with_our_record_is_played_on() -> None:
    """Tiebreak: the scores are level, but play goes on if a better record is expected than a draw now would leave."""
    found = offers(*[0] * 8)
    assert found.shall_draw(60)
    for fraction, kept in ((31_000, True), (-31_000, False)):
        found = offers(*[0] * 8)
        found.note_score(fraction, 20)
        assert found.shall_draw(60) is not kept and accepts(found) is not kept


def test_before_the_first_move_no_draw_is_accepted() -> None:
    assert not accepts(offers())


@pytest.mark.parametrize(
    ("scores", "fullmove", "offered"),
    [
        ([12, -12] * 4, 40, True),
        ([12, -12] * 4, 39, False),
        ([0] * 7, 60, False),
        ([13] + [0] * 7, 60, False),
        ([-13] + [0] * 7, 60, False),
        ([0] * 7 + [13], 60, False),
        ([500] + [0] * 8, 60, True),  # long ago
    ],
)
def test_a_draw_is_offered_after_eight_level_moves_from_move_40_on(
    scores: list[int], fullmove: int, offered: bool
) -> None:
    assert offers(*scores).shall_draw(fullmove) is offered
    assert not offers(*scores, draws="accept").shall_draw(fullmove)
    assert not offers(*scores, knows_draws=False).shall_draw(fullmove)


def test_a_draw_is_offered_again_after_twenty_moves() -> None:
    found = offers(*[0] * 8)
    assert [move for move in range(40, 90) if found.shall_draw(move)] == [40, 60, 80]
    found.new_game()
    for number in range(8):
        found.note_score(0, 2 * number)
    assert found.shall_draw(41)


@pytest.mark.parametrize(
    ("scores", "limit", "resigned"),
    [
        ([-700] * 4, 700, True),
        ([-700] * 3, 700, False),
        ([-699, -700, -700, -700], 700, False),
        ([-700, -700, -700, -699], 700, False),
        ([900, -700, -700, -700, -700], 700, True),
        ([700] * 4, 700, False),
        ([-700] * 4, 0, False),
    ],
)
def test_four_lost_moves_resign(scores: list[int], limit: int, resigned: bool) -> None:
    assert offers(*scores, resign_cp=limit).shall_resign() is resigned


@pytest.mark.parametrize(("score", "resigned"), [(8 - MATE, True), (MATE - 8, False)])
def test_a_side_that_is_mated_resigns_and_one_that_mates_does_not(score: int, resigned: bool) -> None:
    found = offers(resign_cp=1000)
    for number in range(4):
        found.note_score(score, 2 * number)
    assert found.shall_resign() is resigned


def test_moves_that_are_taken_back_do_not_count() -> None:
    found = offers(*[-700] * 4, resign_cp=700)
    assert found.shall_resign()
    found.take_back(6)
    assert not found.shall_resign()
    found.note_score(-700 * SCORE_CP, 6)
    assert found.shall_resign()
    found.draw_offered = True
    found.take_back(7)
    assert not found.shall_accept() and found.shall_resign()


def test_a_draw_is_not_accepted_by_the_score_of_the_other_side(xboard) -> None:
    """White is lost, and after White's move the engine takes over Black, as for XBoard's Machine Black."""
    xboard.send("easy", "sd 3", "force", "setboard 4k3/8/8/8/8/8/qr6/7K w - - 0 1", "go")
    assert xboard.read_until("move")
    xboard.send("draw")
    assert "offer draw" in pong(xboard)
    xboard.send("force", "usermove a2a8", "playother", "draw")
    assert "offer draw" not in pong(xboard)


def test_an_offer_is_accepted_once(xboard) -> None:
    """python-chess sends `draw` and then `go`."""
    xboard.send("easy", "sd 3", "force", "setboard 4k3/8/8/8/8/8/qr6/7K w - - 0 1", "go")
    assert xboard.read_until("move")
    xboard.send("force", "usermove e8e7", "draw", "go")
    assert xboard.read_until("move").count("offer draw") == 1
