"""XBoard's protocol (CECP v2): the commands of the GUI, the game that it has set up, clocks, offers and lines."""
