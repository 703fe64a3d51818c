# The numbers of the evaluation of games by definition (fairy_weights.pyx) by name. Layer 3.

cdef enum:
    F_PAWN_MG                         # value of a pawn, in percent of that in the definition file
    F_PAWN_EG
    F_PIECE_MG                        # the same for a piece
    F_PIECE_EG
    F_CENTRE_MOVE_MG                  # placement: for each move more than average from a square, in quarters
    F_CENTRE_MOVE_EG
    F_COMES_OUT_MG                    # for a piece that centralises: for each square nearer to the middle, in thirds
    F_COMES_OUT_EG
    F_MOBILITY_MG                     # of the value of moves and lines of attack, in 16ths
    F_MOBILITY_EG
    F_PAWN_STEP_MG                    # for each rank advanced
    F_PAWN_STEP_EG
    F_PAWN_CENTRE                     # on a middle file, beyond its first rank
    F_PASSED_MG                       # on the last rank but one; less on earlier ranks
    F_PASSED_EG
    F_PASSED_FREE                     # the square before it is free and not attacked
    F_PASSED_THEIR_ROYAL              # for each square of distance to it, endgame
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
    F_ROYAL_ADVANCED                  # for each rank of a royal from its back rank, middlegame
    F_ROYAL_SIDE                      # for each half file away from the middle, middlegame
    F_ROYAL_CENTRE                    # for each half square away from the middle, endgame
    F_SHELTER                         # for each pawn beside a royal, middlegame
    F_VIRGIN_ROYAL                    # a royal that may still castle
    F_ATTACKER                        # units of attack: for each man that takes part
    F_ATTACKER_VALUE                  # for each 1,000 centipawns of such men
    F_ATTACK                          # for each square of the zone that is attacked
    F_WEAK_SQUARE                     # for each attacked square that nobody defends
    F_DANGER_MG                       # penalty for the squared units, in 4096ths
    F_DANGER_EG
    F_HILL_STEP_MG                    # for each step to the hill
    F_HILL_STEP_EG
    FAIRY_WEIGHTS

cdef int FAIRY_WEIGHT[FAIRY_WEIGHTS]
