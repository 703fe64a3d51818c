# The numbers of the evaluation of games by definition (fairy_weights.pyx) by name. Layer 3.

cdef enum:
    F_PAWN_MG                         # what a pawn is worth, percent of the file's value
    F_PAWN_EG
    F_PIECE_MG                        # the same of a piece
    F_PIECE_EG
    F_CENTRE_MOVE_MG                  # placement: for each move more than usual from a square, in quarters
    F_CENTRE_MOVE_EG
    F_COMES_OUT_MG                    # for a piece of a small letter: for each square nearer to the middle, in thirds
    F_COMES_OUT_EG
    F_MOBILITY_MG                     # of all that moves and lines of attack are worth, in 16ths
    F_MOBILITY_EG
    F_PAWN_STEP_MG                    # for each rank advanced
    F_PAWN_STEP_EG
    F_PAWN_CENTRE                     # on a middle file, beyond its first rank
    F_PASSED_MG                       # on the last rank but one, less before
    F_PASSED_EG
    F_PASSED_FREE                     # the square before it is free and not attacked
    F_PASSED_THEIR_ROYAL              # for each square to it, endgame
    F_PASSED_OUR_ROYAL
    F_DOUBLED_MG
    F_DOUBLED_EG
    F_ISOLATED_MG
    F_ISOLATED_EG
    F_DEFENDED_MG
    F_DEFENDED_EG
    F_HANGING
    F_PAWN_THREAT
    F_TEMPO
    F_ROYAL_ADVANCED                  # for each rank a royal has left the back one, middlegame
    F_ROYAL_SIDE                      # for each half file away from the middle, middlegame
    F_ROYAL_CENTRE                    # for each half square away from the middle, endgame
    F_SHELTER                         # for each pawn beside a royal, middlegame
    F_VIRGIN_ROYAL                    # it may still castle
    F_ATTACKER                        # units of attack: for each man that takes part
    F_ATTACKER_VALUE                  # for each 1,000 centipawns of such men
    F_ATTACK                          # for each square it attacks
    F_WEAK_SQUARE                     # for each attacked square that nobody defends
    F_DANGER_MG                       # of the square of the units, in 4096ths
    F_DANGER_EG
    F_HILL_STEP_MG                    # for each step nearer to the hill
    F_HILL_STEP_EG
    FAIRY_WEIGHTS

cdef int FAIRY_WEIGHT[FAIRY_WEIGHTS]
