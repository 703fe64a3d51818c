"""XBoard's protocol (CECP v2): the GUI's commands, the game on its board, clocks, offers and lines."""
