"""The statuses of a game's clocks, apart from the clocks, so that lists of games start fast."""

WAITING, RUNNING, CLAIMED, OVER = "waiting", "running", "claimed", "over"
