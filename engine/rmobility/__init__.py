"""R-Mobility: the side that came nearest to stalemating the other is ahead in a drawn game (docs/objective.md)."""
