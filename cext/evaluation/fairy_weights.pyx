"""Only the weights of the evaluation of games by definition.

They are in centipawns unless fairy_weights.pxd says otherwise, and the same for every game except for HANDS and FORMS.
tools/measure/fit/tune_fairy.py fits them to games of many kinds and rewrites this file (docs/evaluation.md).
"""

PLACES = {}

HANDS = {                             # other numbers for games with pieces in hand
    "PAWN_MG": 100,
    "HELD_PAWN": 78,
    "MOBILITY_MG": 110,
    "TEMPO": 75,
    "ATTACKER": 115,
    "NO_STRONG": 0,                   # weak pieces in hand attack, too
    "FLANK": 40,
    "DANGER_MG": 7,
}

FORMS = {                             # other numbers for games with hands and promoted forms, such as shogi
    "PAWN_MG": 60,
    "HELD_PAWN": 170,
    "MOBILITY_MG": 120,
    "GREATER_MG": 85,
    "WEAK_MG": 48,
    "TEMPO": 95,
    "ATTACKER": 115,
    "NO_STRONG": 0,
    "FLANK": 40,
    "DANGER_MG": 7,
}

EXPLOSIONS = {                        # other numbers for games in which captures explode
    "PAWN_MG": 100,
    "PAWN_EG": 140,
    "PIECE_EG": 84,
    "CENTRE_MOVE_MG": 6,
    "CENTRE_MOVE_EG": 11,
    "MOBILITY_MG": 74,
    "MOBILITY_EG": 57,
    "PAWN_STEP_MG": -3,
    "PASSED_EG": 270,
    "TEMPO": 58,
    "STORM": 1,
    "ATTACKER": 114,
    "ATTACK": 21,
    "WEAK_SQUARE": 38,
    "CHECK": 290,
    "NO_STRONG": -120,
    "FLANK": 42,
    "PAWN_GUARD": 0,                  # pieces beside a royal do not guard it, see FUSE
    "PIECE_GUARD": 0,
    "DANGER_MG": 10,
    "DANGER_EG": 21,
}


cdef int put(int at, str name, int number) except -1:
    FAIRY_WEIGHT[at] = number
    PLACES[name] = at
    return 0


put(F_PAWN_MG, "PAWN_MG", 70)
put(F_PAWN_EG, "PAWN_EG", 102)
put(F_PIECE_MG, "PIECE_MG", 100)
put(F_PIECE_EG, "PIECE_EG", 110)
put(F_CENTRE_MOVE_MG, "CENTRE_MOVE_MG", 4)
put(F_CENTRE_MOVE_EG, "CENTRE_MOVE_EG", 7)
put(F_COMES_OUT_MG, "COMES_OUT_MG", 22)
put(F_COMES_OUT_EG, "COMES_OUT_EG", -7)
put(F_MOBILITY_MG, "MOBILITY_MG", 64)
put(F_MOBILITY_EG, "MOBILITY_EG", 42)
put(F_PAWN_STEP_MG, "PAWN_STEP_MG", 6)
put(F_PAWN_STEP_EG, "PAWN_STEP_EG", 2)
put(F_PAWN_CENTRE, "PAWN_CENTRE", 16)
put(F_PASSED_MG, "PASSED_MG", 34)
put(F_PASSED_EG, "PASSED_EG", 190)
put(F_PASSED_FREE, "PASSED_FREE", 64)
put(F_PASSED_THEIR_ROYAL, "PASSED_THEIR_ROYAL", 24)
put(F_PASSED_OUR_ROYAL, "PASSED_OUR_ROYAL", 13)
put(F_DOUBLED_MG, "DOUBLED_MG", 15)
put(F_DOUBLED_EG, "DOUBLED_EG", 18)
put(F_ISOLATED_MG, "ISOLATED_MG", 14)
put(F_ISOLATED_EG, "ISOLATED_EG", 12)
put(F_DEFENDED_MG, "DEFENDED_MG", 8)
put(F_DEFENDED_EG, "DEFENDED_EG", 4)
put(F_PAWN_THREAT_MG, "PAWN_THREAT_MG", 77)
put(F_PAWN_THREAT_EG, "PAWN_THREAT_EG", 42)
put(F_GREATER_MG, "GREATER_MG", 58)
put(F_GREATER_EG, "GREATER_EG", 22)
put(F_WEAK_MG, "WEAK_MG", 38)
put(F_WEAK_EG, "WEAK_EG", 20)
put(F_HANGING_MG, "HANGING_MG", 17)
put(F_HANGING_EG, "HANGING_EG", 30)
put(F_RESTRICTED_MG, "RESTRICTED_MG", 7)
put(F_RESTRICTED_EG, "RESTRICTED_EG", -2)
put(F_TEMPO, "TEMPO", 49)
put(F_ROYAL_ADVANCED, "ROYAL_ADVANCED", 12)
put(F_ROYAL_SIDE, "ROYAL_SIDE", 6)
put(F_ROYAL_CENTRE, "ROYAL_CENTRE", 2)
put(F_SHELTER, "SHELTER", 20)
put(F_OPEN_FILE, "OPEN_FILE", 13)
put(F_STORM, "STORM", 6)
put(F_VIRGIN_ROYAL, "VIRGIN_ROYAL", 23)
put(F_ATTACKER, "ATTACKER", 96)
put(F_ATTACK, "ATTACK", 19)
put(F_WEAK_SQUARE, "WEAK_SQUARE", 34)
put(F_CHECK, "CHECK", 234)
put(F_UNSAFE_CHECK, "UNSAFE_CHECK", 43)
put(F_NO_STRONG, "NO_STRONG", -346)
put(F_FLANK, "FLANK", 33)
put(F_PAWN_GUARD, "PAWN_GUARD", -70)
put(F_PIECE_GUARD, "PIECE_GUARD", -46)
put(F_DANGER_MG, "DANGER_MG", 4)
put(F_DANGER_EG, "DANGER_EG", 18)
put(F_CONFINED, "CONFINED", 300)
put(F_HILL_STEP_MG, "HILL_STEP_MG", 19)
put(F_HILL_STEP_EG, "HILL_STEP_EG", 106)
put(F_HELD_MG, "HELD_MG", 112)
put(F_HELD_EG, "HELD_EG", 112)
put(F_HELD_PAWN, "HELD_PAWN", 112)
put(F_HELD_ATTACKER, "HELD_ATTACKER", 60)
put(F_DROP_CHECK, "DROP_CHECK", 120)
put(F_DROP_SQUARE, "DROP_SQUARE", 30)
put(F_BLAST, "BLAST", 17)
put(F_BLAST_TURN, "BLAST_TURN", 30)
put(F_BLAST_MORE, "BLAST_MORE", 30)
put(F_FUSE, "FUSE", 20)
put(F_LIT_FUSE, "LIT_FUSE", 240)
put(F_FUSE_REACH, "FUSE_REACH", 60)


def weights() -> dict[str, int]:
    """All numbers by name."""
    return {name: FAIRY_WEIGHT[at] for name, at in PLACES.items()}
