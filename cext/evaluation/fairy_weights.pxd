# The numbers of the evaluation of games by definition (fairy_weights.pyx) by name.

cdef enum:
    F_PAWN_MG                         # value of a pawn, in percent of the value in the definition file
    F_PAWN_EG
    F_PIECE_MG                        # the same for a piece
    F_PIECE_EG
    F_CENTRE_MOVE_MG                  # placement: for each move more than the piece has on average
    F_CENTRE_MOVE_EG
    F_COMES_OUT_MG                    # a third of this for each square nearer to the middle, if the type belongs there
    F_COMES_OUT_EG
    F_MOBILITY_MG                     # for each move, in percent; divided by the value of the piece plus 300
    F_MOBILITY_EG
    F_PAWN_STEP_MG                    # for each rank advanced
    F_PAWN_STEP_EG
    F_PAWN_CENTRE                     # on a middle file, beyond its first rank
    F_PASSED_MG                       # on the last rank but one; less on earlier ranks
    F_PASSED_EG
    F_PASSED_FREE                     # the square before it is free and not attacked
    F_PASSED_THEIR_ROYAL              # for each square between it and a royal, endgame
    F_PASSED_OUR_ROYAL
    F_DOUBLED_MG
    F_DOUBLED_EG
    F_ISOLATED_MG
    F_ISOLATED_EG
    F_DEFENDED_MG
    F_DEFENDED_EG
    F_PAWN_THREAT_MG                  # piece attacked by a pawn
    F_PAWN_THREAT_EG
    F_GREATER_MG                      # piece attacked by a cheaper piece
    F_GREATER_EG
    F_WEAK_MG                         # piece attacked by one that is not cheaper, and not sufficiently defended
    F_WEAK_EG
    F_HANGING_MG                      # piece attacked and not defended at all
    F_HANGING_EG
    F_RESTRICTED_MG                   # square that both sides attack and that is not sufficiently defended
    F_RESTRICTED_EG
    F_TEMPO
    F_ROYAL_ADVANCED                  # for each rank of a royal from its back rank, middlegame
    F_ROYAL_SIDE                      # for each half file away from the middle, middlegame
    F_ROYAL_CENTRE                    # for each half square away from the middle, endgame
    F_SHELTER                         # for each pawn beside a royal, middlegame
    F_OPEN_FILE                       # for each file beside a royal without a pawn of ours in front, middlegame
    F_STORM                           # for each enemy pawn on these files that is near, middlegame
    F_VIRGIN_ROYAL                    # a royal that may still castle
    F_ATTACKER                        # units of attack: for each piece that takes part
    F_ATTACK                          # for each square of the zone that is attacked
    F_WEAK_SQUARE                     # for each attacked square of the zone that only the royal defends
    F_CHECK                           # for each type that can check safely
    F_UNSAFE_CHECK                    # for each type that can check, but not safely
    F_NO_STRONG                       # reduction if the attacker's best piece is worth at most 500 (in full) or 825
    F_FLANK                           # for each square attacked on the files beside the royal in its own half
    F_PAWN_GUARD                      # for each pawn in the zone
    F_PIECE_GUARD                     # for each piece in the zone
    F_DANGER_MG                       # penalty for the squared units, in 16384ths
    F_DANGER_EG                       # penalty for the units, in 256ths
    F_CONFINED                        # penalty for the squared units if the royal has a zone, in percent
    F_HILL_STEP_MG                    # for each step to the hill
    F_HILL_STEP_EG
    F_HELD_MG                         # value of a piece in hand, in percent of its value on the board
    F_HELD_EG
    F_HELD_PAWN                       # the same for a pawn
    F_HELD_ATTACKER                   # units of attack: for each type in the enemy's hand
    F_DROP_CHECK                      # for each type that can check safely by being dropped
    F_DROP_SQUARE                     # per empty square of the zone that only the royal defends, with a type in hand
    F_BLAST                           # most that a side not to move can blow up, in percent
    F_BLAST_TURN                      # the same limit for the side to move
    F_BLAST_MORE                      # the second best explosion of the side to move, in percent
    F_FUSE                            # units of attack: for each piece beside its own royal that could be taken there
    F_LIT_FUSE                        # for each such piece that the other side attacks
    F_FUSE_REACH                      # for each such piece, and each enemy type that can attack it in one move
    FAIRY_WEIGHTS

cdef int FAIRY_WEIGHT[FAIRY_WEIGHTS]
