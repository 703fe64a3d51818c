"""Orthodox chess and Chess960: positions, moves, notation."""
