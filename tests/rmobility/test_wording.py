"""Words about goals."""

from __future__ import annotations

import re

import pytest

from standstill.engine.common.goal import goal_text
from standstill.engine.rmobility.wording import beaten_by


def told(words: str) -> set[tuple[int, bool]]:
    """The states (moves of the opponent, in check) that the words name."""
    if words == "nothing is lower":
        return set()
    found = {(0, True)}
    if words == "only mate is lower":
        return found
    found.add((0, False))
    if words == "stalemate or mate":
        return found
    if words == "stalemate, mate, or 1 move with check":
        return found | {(1, True)}
    said = re.fullmatch(r"leave (\d+) (moves?) or fewer(?:, or (\d+) with check)?", words)
    assert (said[1] == "1") == (said[2] == "move")
    found |= {(moves, check) for moves in range(1, int(said[1]) + 1) for check in (False, True)}
    return found | ({(int(said[3]), True)} if said[3] else set())


@pytest.mark.parametrize("code", range(60), ids=lambda code: goal_text(code, 0) if code > 1 else str(code))
def test_the_states_that_beat_a_goal_are_those_with_a_lower_code(code: int) -> None:
    """A position with N legal moves has the code 2N, and one more if the side to move is not in check."""
    states = [(moves, check) for moves in range(40) for check in (False, True)]
    assert told(beaten_by(code)) == {(moves, check) for moves, check in states if 2 * moves + (not check) < code}
