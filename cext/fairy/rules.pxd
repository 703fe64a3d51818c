# A game compiled from a definition: how its pieces move (steps.pxd, plans.pxd), and its rules.

from ..endings.material cimport Traits
from .plans cimport PlanTables
from .squares cimport WORDS
from .steps cimport TYPES
from ..base.types cimport int16_t, uint8_t, uint32_t, uint64_t

cdef enum:
    MOST_CHOICES = 16                 # choices of a promotion
    MOST_TARGETS = 1024               # targets of one piece, each counted once for each step that leads to it
    MOST_KINDS = 16                   # sets of types that must not die out
    MOST_HELD = 63                    # pieces of a type in hand

cdef enum:                            # the effect of a square of the promotion zone on a pawn
    MUST_PROMOTE = 1
    MAY_PROMOTE = 2

cdef enum:
    ROYAL_CP = 20000                  # value of a royal whose loss loses the game
    CHECK_CP = 360                    # in games won by checks, the value of needing only one more


# Value of the checks that are still needed, which falls with the square of their number.
cdef inline int checks_cp(int left) noexcept nogil:
    return CHECK_CP // (left * left) if left > 1 else CHECK_CP


cdef enum:                            # result for the side without a legal move
    STALEMATE_DRAWS = 0
    STALEMATE_WINS = 1
    STALEMATE_LOSES = 2
    FEWER_WINS = 3                    # the side with fewer pieces

cdef enum:                            # result for a side that has only royals
    NO_BARING = 0
    BARED_LOSES = 1
    BARED_REPLIES = 2                 # it loses unless its next move bares the other side, which draws
    BARED_DRAWS = 3

cdef enum:
    MOVER_WINS = 2                    # the side whose move completes a recurrence
    MOVER_LOSES = 3
    NO_SIDE = 4

cdef enum:                            # rules of counting, in place of the 50-move rule
    NO_COUNTING = 0
    MAKRUK_COUNTING = 1
    CAMBODIAN_COUNTING = 2
    ASEAN_COUNTING = 3

cdef enum:                            # the piece types by which an army is counted
    COUNTED_ROOK
    COUNTED_KHON
    COUNTED_KNIGHT

cdef class FairyRules(PlanTables):
    cdef readonly int piece_limit     # pieces a side may have
    cdef readonly int max_moves
    cdef readonly int slot_classes    # piece types that the histories tell apart
    cdef int first_slot[32]           # by piece: index of its squares in the histories

    cdef int16_t value[TYPES]         # centipawns; for royals, the value of one that may be lost
    cdef uint8_t royal[TYPES]
    cdef uint8_t absolute[TYPES]      # whether losing any one of them loses the game
    cdef Traits traits[TYPES]         # used for mating potential and pairs
    cdef uint8_t centralises[TYPES]
    cdef uint8_t victim_class[TYPES]  # 1 to 7, by value
    cdef uint8_t promotions[2][16][MOST_CHOICES]   # [colour][file]: types, the default first
    cdef int n_promotions[2][16]
    cdef uint8_t promotes[2][256]     # MUST_PROMOTE, MAY_PROMOTE or 0
    cdef uint64_t promoting[2][WORDS]  # squares where `promotes` is not 0
    cdef uint64_t hill[WORDS]
    cdef uint64_t virgin_start[WORDS]  # squares of the array whose pieces lose rights by moving
    cdef uint8_t start_piece[256]     # the array: type, 16 more for Black
    cdef bint has_hill
    cdef readonly bint stalemate_loses
    cdef int baring                   # what becomes of a side that has only royals
    cdef readonly bint has_gating
    cdef readonly int gate_mask       # bits of the pieces that a side has in hand at the start
    cdef uint8_t gate_type[2][2]      # [side]: their types
    cdef uint64_t gates[WORDS]        # squares where they may enter

    # rules that only a line `# NAME` of a definition states
    cdef bint is_special              # whether a rule other than mate can end the game
    cdef bint has_homes
    cdef uint8_t home[2][256]         # whether a pawn on this square counts as unmoved
    cdef uint8_t partner[2][256]      # [towards the last file][castler's square]: partner's square, or castler's own
    cdef bint free_castling           # whether a piece that is not royal may castle through attacks
    cdef bint has_limits
    cdef uint8_t limit[2][TYPES]      # a pawn promotes to a type only while its side has fewer pieces of it
    cdef bint has_goal
    cdef bint goal_reply
    cdef uint64_t goal[2][WORDS]      # squares on which a royal wins
    cdef readonly int checks          # number of checks that win, 0 if they do not count
    cdef readonly bint no_checks
    cdef readonly bint must_capture
    cdef int n_extinct
    cdef uint32_t extinct[MOST_KINDS]  # sets of types, by bits; bit 0 alone means all pieces
    cdef int extinct_at
    cdef bint extinct_wins
    cdef uint8_t lacks_royal[2]       # the array has no royal of this side
    cdef readonly int stalemate
    cdef readonly bint mate_wins
    cdef uint32_t facing              # types that end a royal's initial moves by facing it (0 in most games)
    cdef readonly int counting
    cdef uint32_t counted[3]          # sets of types

    cdef readonly bint has_hands      # whether captured pieces go into the hand of the capturing side
    cdef uint8_t held_as[2][TYPES]    # [side that takes it][type taken]: its type in hand, 0 for none
    cdef uint64_t drops[2][TYPES][WORDS]  # squares where a type may be dropped
    cdef uint8_t drop_types[2][TYPES]  # types that can be in hand, from the highest
    cdef int n_drop_types[2]
    cdef uint8_t held_type[2][TYPES]  # the type in hand that a drop of a type uses up
    cdef uint8_t held_form[2][TYPES]  # the form in which a type in hand may be dropped as well, 0 for none
    cdef bint drops_forms             # whether a type in hand may be dropped in another form
    cdef uint32_t single_drops        # types that may not be dropped on a file with one of their own
    cdef uint32_t double_drops        # types that may not be dropped on a file with two of their own
    cdef uint32_t no_mate_drops       # types that may not mate by being dropped
    cdef readonly int most_men        # most pieces of both sides together, on the board and in hand
    cdef readonly bint perpetual      # whether a side loses if each of its moves in a repetition gave check

    cdef bint has_forms               # whether pieces promote by moving into a zone, within it or out of it
    cdef uint8_t form_of[32]          # by piece: the type that it becomes by promoting, 0 for none
    cdef uint8_t promotable[TYPES]    # whether a type is a pawn or has a promoted form
    cdef uint64_t form_zone[2][WORDS]
    cdef bint must_change             # whether a move that may promote to a form must do so
    cdef bint turns_back              # whether forms turn back in the same way; then no such move counts as noisy
    cdef bint takes_to_change         # whether only captures promote to forms
    cdef readonly int recurrences     # occurrences of a position, even across captures, that end the game; or 0
    cdef int recurrence_wins          # a side, MOVER_WINS or MOVER_LOSES, NO_SIDE for a draw
    cdef readonly bint endless        # the 50-move rule does not apply

    cdef readonly bint explodes       # whether a capture removes the capturing piece and its neighbours
    cdef bint only_explodes           # whether mate and explosions are the only ways to win
    cdef uint32_t spared              # types that survive an explosion beside them
    cdef uint64_t around[256][WORDS]  # the squares beside each square
    cdef uint8_t mates_alone[TYPES]   # whether one such piece can mate a bare royal

    cdef uint8_t may_pass[2]          # whether a side may pass
    cdef readonly bint has_passes
    cdef readonly bint bikjang        # royals that face each other must be separated, or a pass ends the game
    cdef readonly bint has_points     # whether games without a winner are decided by points
    cdef int16_t points[TYPES]        # half points
    cdef int16_t second_points        # half points that Black has as compensation for moving second

    # The flags below combine several rules, so that games without these rules test one flag.
    cdef bint ends_by_rule            # is_special, or passes can end the game
    cdef bint adds_moves              # moves that no piece makes: has_hands or has_passes
    cdef bint tries_moves             # a move must be made to learn whether it is legal: no_checks or explodes
    cdef bint hinders                 # pieces off the royal's lines do not move freely: tries_moves or has_gating
    cdef bint changes_captures        # a capture does more than remove a piece: has_hands or explodes
    cdef bint forbids_exchanges       # exchanges on one square mean nothing: must_capture or explodes

    cdef int apply_gates(self, tuple gates, dict laws) except -1
    cdef int apply_hands(self, dict hands) except -1
    cdef int apply_forms(self, dict laws, dict forms) except -1
    cdef int apply_explosions(self, uint32_t spared) except -1
    cdef int apply_zones(self, dict laws, dict zones) except -1
    cdef int apply_passes(self, dict laws) except -1
    cdef int apply_laws(self, dict laws) except -1
    cdef void sum_up_laws(self) noexcept nogil
    cdef bint confines(self, int type, int from_sq, int royal, int sq) noexcept nogil
    cdef double mobility(self, int way, int sq) noexcept nogil
    cdef double mean_mobility(self, int type) noexcept nogil
