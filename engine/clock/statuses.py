"""The statuses of a game's clocks. They have a module of their own, so that lists of games start fast."""

WAITING, RUNNING, CLAIMED, OVER = "waiting", "running", "claimed", "over"
