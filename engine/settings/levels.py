"""What ratings below full strength mean, as it was measured (docs/strength.md)."""

# (rating, nodes, lines, slack in cp). From 1320 on: nodes that scored half against a Skill Level of Stockfish with that
# rating; below: slack that scored 24 per cent against 200 points more. tests/measure/play/levels.py, docs/strength.md.
MEASURED = (
    (700, 300, 6, 290),
    (920, 300, 6, 147),
    (1120, 300, 6, 83),
    (1320, 300, 6, 46),
    (1468, 580, 4, 21),
    (1608, 1300, 4, 18),
    (1742, 2300, 4, 16),
    (1923, 5400, 4, 13),
    (2204, 17_000, 4, 11),
    (2363, 34_000, 4, 10),
    (2500, 60_000, 4, 9),
)
LEAST_ELO = MEASURED[0][0]
MOST_ELO = MEASURED[-1][0]
