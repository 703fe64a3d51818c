"""The numbers of the evaluation of games by definition, and nothing else.

Centipawns unless fairy_weights.pxd says otherwise. They serve every game alike.
tests/measure/fit/tune_fairy.py fits them to games of many kinds and rewrites this file (docs/evaluation.md).
"""

PLACES = {}


cdef int put(int at, str name, int number) except -1:
    FAIRY_WEIGHT[at] = number
    PLACES[name] = at
    return 0


put(F_PAWN_MG, "PAWN_MG", 89)
put(F_PAWN_EG, "PAWN_EG", 103)
put(F_PIECE_MG, "PIECE_MG", 100)
put(F_PIECE_EG, "PIECE_EG", 114)
put(F_CENTRE_MOVE_MG, "CENTRE_MOVE_MG", 4)
put(F_CENTRE_MOVE_EG, "CENTRE_MOVE_EG", 7)
put(F_COMES_OUT_MG, "COMES_OUT_MG", 22)
put(F_COMES_OUT_EG, "COMES_OUT_EG", -6)
put(F_MOBILITY_MG, "MOBILITY_MG", 73)
put(F_MOBILITY_EG, "MOBILITY_EG", 34)
put(F_PAWN_STEP_MG, "PAWN_STEP_MG", 6)
put(F_PAWN_STEP_EG, "PAWN_STEP_EG", 3)
put(F_PAWN_CENTRE, "PAWN_CENTRE", 16)
put(F_PASSED_MG, "PASSED_MG", 33)
put(F_PASSED_EG, "PASSED_EG", 178)
put(F_PASSED_FREE, "PASSED_FREE", 56)
put(F_PASSED_THEIR_ROYAL, "PASSED_THEIR_ROYAL", 21)
put(F_PASSED_OUR_ROYAL, "PASSED_OUR_ROYAL", 13)
put(F_DOUBLED_MG, "DOUBLED_MG", 22)
put(F_DOUBLED_EG, "DOUBLED_EG", 19)
put(F_ISOLATED_MG, "ISOLATED_MG", 18)
put(F_ISOLATED_EG, "ISOLATED_EG", 14)
put(F_DEFENDED_MG, "DEFENDED_MG", 5)
put(F_DEFENDED_EG, "DEFENDED_EG", 4)
put(F_HANGING, "HANGING", 40)
put(F_PAWN_THREAT, "PAWN_THREAT", 24)
put(F_TEMPO, "TEMPO", 51)
put(F_ROYAL_ADVANCED, "ROYAL_ADVANCED", 12)
put(F_ROYAL_SIDE, "ROYAL_SIDE", 3)
put(F_ROYAL_CENTRE, "ROYAL_CENTRE", 4)
put(F_SHELTER, "SHELTER", 18)
put(F_VIRGIN_ROYAL, "VIRGIN_ROYAL", 24)
put(F_ATTACKER, "ATTACKER", 2)
put(F_ATTACKER_VALUE, "ATTACKER_VALUE", 19)
put(F_ATTACK, "ATTACK", 9)
put(F_WEAK_SQUARE, "WEAK_SQUARE", 4)
put(F_DANGER_MG, "DANGER_MG", 56)
put(F_DANGER_EG, "DANGER_EG", 13)
put(F_HILL_STEP_MG, "HILL_STEP_MG", 19)
put(F_HILL_STEP_EG, "HILL_STEP_EG", 106)


def weights() -> dict[str, int]:
    """All numbers by name."""
    return {name: FAIRY_WEIGHT[at] for name, at in PLACES.items()}
