"""Only the weights of the evaluation: (middlegame, endgame) in centipawns, and units of attack.

The comments name the articles of the Chess Programming Wiki (CPW). The initial values were smooth curves;
tools/measure/fit/tune_eval.py has since tuned them and rewritten this file (docs/evaluation.md).
"""


cdef int put(int at, list pairs) except -1:
    """A group of weights: (middlegame, endgame)."""
    cdef int mg, eg
    for mg, eg in pairs:
        WEIGHT[at] = pack(mg, eg)
        at += 1
    return 0


cdef int put_units(int at, list units) except -1:
    """A group of units of attack on a king."""
    cdef int n
    for n in units:
        DANGER[at] = n
        at += 1
    return 0


# CPW: Point Value.
put(W_MATERIAL, [(66, 94), (373, 292), (372, 294), (446, 566), (923, 937)])

# CPW: Piece-Square Tables; pawn to king, each from the first rank up, files a to d (e to h are mirrored).
put(W_PSQT, [
    (-1, -2), (1, 5), (-3, 9), (-5, 9),
    (-3, -14), (6, 5), (-5, 9), (-7, 6),
    (-8, -8), (-1, 9), (-3, 6), (-13, 0),
    (1, -8), (-5, 3), (4, 8), (6, 7),
    (17, 1), (7, 2), (15, 13), (16, 15),
    (10, -2), (15, 15), (20, 24), (24, 27),
    (12, 10), (18, 19), (21, 29), (24, 30),
    (0, -10), (2, -6), (5, 0), (7, 2),
    (-44, -27), (-37, -24), (-33, -18), (-25, -11),
    (-32, -19), (-22, -14), (-18, -9), (-19, -5),
    (-18, -13), (-6, -6), (1, -2), (5, 9),
    (5, -4), (12, 1), (19, 8), (16, 14),
    (12, 0), (15, 2), (23, 7), (31, 16),
    (3, -9), (12, -3), (20, 2), (29, 7),
    (-12, -16), (-4, -9), (7, -2), (12, 1),
    (-24, -22), (-15, -15), (-6, -9), (0, -6),
    (-17, -15), (-9, -12), (-14, -3), (-5, -1),
    (-11, -12), (6, -12), (3, -6), (-2, -3),
    (-11, -10), (12, -7), (5, -4), (8, 2),
    (1, -8), (7, -1), (11, 5), (15, 9),
    (2, -19), (7, -5), (8, 7), (14, 19),
    (3, -6), (7, -2), (11, 6), (12, 10),
    (-2, -2), (2, 1), (6, 2), (9, 6),
    (-6, -4), (-3, -3), (0, -1), (4, -4),
    (-20, -9), (-12, -10), (-8, -10), (2, -16),
    (-23, -8), (-10, -6), (-4, -5), (-1, -11),
    (-17, -4), (-9, -1), (-2, 3), (2, -4),
    (-11, 4), (-1, 7), (2, 7), (4, 3),
    (-3, 8), (4, 8), (5, 9), (8, 6),
    (-1, 4), (3, 2), (6, 4), (10, 4),
    (14, 10), (16, 10), (20, 12), (23, 11),
    (2, -2), (5, 0), (9, 5), (13, 6),
    (-14, -31), (-18, -24), (-15, -18), (-12, -11),
    (-8, -20), (-7, -13), (-3, -7), (-6, -1),
    (-5, -9), (-5, -1), (-6, 4), (-10, 9),
    (-1, 2), (-1, 7), (-5, 11), (-9, 14),
    (1, 3), (-3, 8), (-9, 12), (-12, 15),
    (-5, -6), (-7, -1), (-11, 4), (-12, 9),
    (-3, -12), (-7, -8), (-9, -3), (-12, 1),
    (-9, -24), (-10, -17), (-12, -12), (-15, -8),
    (43, -32), (39, -21), (16, -15), (-1, -7),
    (26, -17), (11, -19), (-21, -1), (-31, 3),
    (-8, -14), (-11, -9), (-45, 6), (-58, 21),
    (-37, -13), (-38, -3), (-68, 18), (-84, 31),
    (-63, -5), (-72, 8), (-80, 30), (-90, 40),
    (-64, -10), (-72, 5), (-80, 12), (-88, 22),
    (-63, -21), (-71, -6), (-80, 2), (-87, 15),
    (-62, -31), (-70, -18), (-79, -8), (-87, 4),
])

# CPW: Mobility; by number of squares.
put(W_KNIGHT_MOBILITY, [
    (-31, -61), (-8, -37), (7, -16), (16, -2), (21, 2), (25, 14), (30, 16), (40, 7),
    (42, -2),
])
put(W_BISHOP_MOBILITY, [
    (-26, -47), (-7, -21), (-4, 0), (4, -2), (12, 16), (18, 26), (22, 22), (24, 12),
    (28, 17), (31, 13), (30, 9), (28, -3), (29, 5), (30, 10),
])
put(W_ROOK_MOBILITY, [
    (-43, -82), (-19, -54), (-3, -36), (-1, -22), (3, -9), (3, 7), (8, 15), (10, 26),
    (16, 29), (21, 34), (16, 42), (16, 49), (16, 49), (18, 49), (24, 32),
])
put(W_QUEEN_MOBILITY, [
    (-37, -55), (-27, -37), (-22, -30), (-14, -25), (-11, -20), (-9, -14), (-5, -7), (-6, 1),
    (-1, 9), (3, 18), (5, 24), (5, 23), (8, 22), (7, 24), (12, 27), (16, 30),
    (18, 27), (19, 22), (25, 23), (24, 23), (25, 20), (26, 16), (28, 22), (28, 26),
    (28, 31), (29, 35), (30, 38), (31, 41),
])

# CPW: Doubled Pawn.
put(W_DOUBLED, [(11, -55)])

# CPW: Isolated Pawn; opposed on its file, not opposed.
put(W_ISOLATED, [(-1, -6), (-15, -21)])

# CPW: Backward Pawn; opposed, not opposed.
put(W_BACKWARD, [(-1, 1), (-13, -23)])

# CPW: Connected Pawns; second to seventh rank.
put(W_PHALANX, [(5, -4), (6, -4), (5, 9), (17, 30), (49, 64), (89, 104)])

# CPW: Connected Pawns; third to seventh rank.
put(W_SUPPORTED, [(15, -7), (12, -1), (16, 7), (40, 35), (80, 55)])

# CPW: Candidate Passed Pawn, which has no pawn in front and one of ours beside it or defending it; by rank, second to
# sixth.
put(W_CANDIDATE, [(8, -21), (8, -12), (14, -27), (29, 5), (24, 41)])

# CPW: Passed Pawn; by rank, second to seventh.
put(W_PASSED, [(-15, 28), (-21, 30), (-24, 37), (-10, 52), (24, 83), (79, 132)])

# The square in front is empty.
put(W_PASSED_FREE, [(-9, 23), (-13, 26), (-15, 36), (-10, 33), (-6, 41), (14, 76)])

# The enemy neither attacks nor occupies a square ahead.
put(W_PASSED_SAFE, [(-26, 48), (-28, 48), (-26, 50), (-19, 70), (1, 89), (20, 113)])

# The square in front is defended.
put(W_PASSED_ESCORT, [(15, 4), (12, 10), (9, 6), (11, 17), (19, 21), (26, 35)])

# CPW: King Pawn Tropism: for each king move to the square in front of the pawn.
put(W_PASSED_OUR_KING, [(-2, -5), (-2, -13), (4, -24), (4, -15), (-5, -19), (-14, -21)])
put(W_PASSED_THEIR_KING, [(5, 1), (0, 2), (3, 15), (2, 17), (16, 31), (29, 32)])

# CPW: Tarrasch Rule; our rook, their rook behind a passed pawn.
put(W_ROOK_BEHIND, [(15, 26), (-8, -75)])

# CPW: King Safety, pawn shield; the king's file and its neighbours: a row for each distance of the file from the rim, a
# column for each rank of our pawn (0 none).
put(W_SHELTER, [
    (-15, -13), (10, -8), (24, -8), (15, -10), (10, -12), (6, -29), (5, -27),
    (-20, 10), (29, 18), (24, 12), (1, 15), (-5, 11), (-1, 18), (-2, 16),
    (-31, -3), (25, 0), (5, -3), (3, -10), (2, -3), (4, 11), (3, 17),
    (-27, 10), (4, 3), (8, 0), (-12, -1), (-11, -12), (-1, -13), (0, -10),
])

# CPW: King Safety, pawn storm; rank of their pawn (0 none) where ours does not block it.
put(W_STORM, [(-15, -3), (15, 30), (-38, 20), (-30, 10), (-9, -6), (3, 2), (-1, -9)])

# The same where our pawn blocks it.
put(W_STORM_BLOCKED, [(0, 0), (-12, -14), (-33, -20), (-9, -11), (4, -10), (9, -4), (18, 4)])

# CPW: Attack and Defend Maps; knight, bishop, rook, queen attacked by a pawn.
put(W_PAWN_THREAT, [(85, 28), (72, 52), (78, 67), (52, 20)])

# A piece that a pawn can attack by stepping.
put(W_PUSH_THREAT, [(19, 20)])

# A minor piece attacks a pawn, knight, bishop, rook, queen.
put(W_MINOR_THREAT, [(9, 21), (37, 16), (56, 28), (70, 20), (63, 8)])

# Pawn to queen attacked by a rook.
put(W_ROOK_THREAT, [(8, 18), (42, 4), (47, 11), (-6, 0), (67, 8)])

# Weak piece attacked by the king.
put(W_KING_THREAT, [(48, 18)])

# CPW: Hanging Piece.
put(W_HANGING, [(16, 28)])

# Square that both sides attack and that none of their pawns defends.
put(W_RESTRICTED, [(6, -6)])

# CPW: Bishop Pair.
put(W_BISHOP_PAIR, [(63, 64)])

# CPW: Bad Bishop; per pawn of ours on its colour.
put(W_BAD_BISHOP, [(-9, 10)])

# CPW: Outposts; knight, bishop.
put(W_OUTPOST, [(23, 27), (15, 16)])

# Minor piece sheltered by a pawn.
put(W_BEHIND_PAWN, [(9, 31)])

# Knight, bishop: per king move of distance from its own king.
put(W_FAR_FROM_KING, [(-4, -3), (2, -9)])

# CPW: Rook on Open File; half-open, open.
put(W_ROOK_OPEN, [(15, -3), (39, -6)])

# Per castling right that is left.
put(W_CASTLING, [(28, 11)])

# CPW: Space; safe central squares behind our pawns, per square.
put(W_SPACE, [(6, -12)])

# CPW: Tempo; for the side to move.
put(W_TEMPO, [(31, 11)])

# Attack on a king (CPW: King Safety, attack units): summed up, then squared.

# A knight, bishop, rook or queen that attacks a square of the zone.
put_units(D_ATTACKER, [109, 111, 77, 65])

# Per square of the zone attacked by a piece.
put_units(D_RING, [18])

# Per square of the zone that only king or queen defend.
put_units(D_WEAK, [33])

# Safe check by knight to queen.
put_units(D_CHECK, [230, 172, 287, 245])

# Other checks.
put_units(D_UNSAFE_CHECK, [42])

# Attacker without a queen.
put_units(D_NO_QUEEN, [-372])

# Base of every attack.
put_units(D_BASE, [3])

# Per square attacked on the king's files in its own half.
put_units(D_FLANK, [39])

# Pawn, minor piece of ours in the zone.
put_units(D_PAWN_GUARD, [-82])
put_units(D_MINOR_GUARD, [-58])
