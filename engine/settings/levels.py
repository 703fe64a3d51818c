"""What ratings below full strength mean, as it was measured (docs/strength.md)."""

# (rating, nodes, lines, slack in cp). From 1608 on: nodes that scored half against a Skill Level of Stockfish with that
# rating, smoothed; 1320 and 1468: slack that did; below: slack that scored 24 per cent against 200 points more.
# tests/measure/play/levels.py, docs/strength.md.
MEASURED = (
    (700, 300, 6, 267),
    (920, 300, 6, 134),
    (1120, 300, 6, 78),
    (1320, 300, 6, 47),
    (1468, 300, 6, 32),
    (1608, 360, 4, 18),
    (1742, 700, 4, 16),
    (1923, 1750, 4, 13),
    (2204, 4600, 4, 11),
    (2363, 9600, 4, 10),
    (2500, 17_500, 4, 9),
)
LEAST_ELO = MEASURED[0][0]
MOST_ELO = MEASURED[-1][0]
