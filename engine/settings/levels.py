"""Search limits for ratings below full strength, from measurements (docs/strength.md)."""

# (rating, nodes, lines, slack in cp). The nodes from 1608 on, and the slack for 1320 and 1468, were chosen to score
# 50 per cent against a Skill Level of Stockfish with that rating (smoothed). For lower ratings the slack was chosen to
# score 24 per cent against the rating 200 points higher. tools/measure/play/levels.py, docs/strength.md.
MEASURED = (
    (700, 300, 6, 240),
    (920, 300, 6, 120),
    (1120, 300, 6, 70),
    (1320, 300, 6, 42),
    (1468, 300, 6, 29),
    (1608, 530, 4, 18),
    (1742, 980, 4, 16),
    (1923, 2250, 4, 13),
    (2204, 8200, 4, 11),
    (2363, 20_000, 4, 8),
    (2500, 50_000, 4, 6),
)
LEAST_ELO = MEASURED[0][0]
MOST_ELO = MEASURED[-1][0]
