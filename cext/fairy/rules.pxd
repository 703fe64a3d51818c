# A game of a definition file, compiled: where every piece type may go and what attacks what.
#
# The moves of a type from a square are a list of steps. Each step names a square, what may be done there and which
# step comes next if the square is empty, holds an enemy or a friend. One loop over such a list plays leapers, sliders,
# hoppers, bent and lame pieces alike; nothing else in the core knows of rays.
#
# A link says how a type on one square attacks another: at once, if the squares of a line are empty, or in a way that
# only the steps can tell ("hidden": hoppers, several paths, initial moves). Checks and pins come from links.

from ..endings.material cimport Traits
from ..base.types cimport Move, int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    WORDS = 4                         # of 64 squares; 256 squares are the most
    TYPES = 16                        # piece types 1 to 15
    PLAN_WORDS = 2                    # plans serve boards of up to 128 squares
    WHITE_PAWN = 1
    BLACK_PAWN = 2
    MOST_CASTLES = 8                  # of one type
    MOST_CHOICES = 16                 # of a promotion
    MOST_TARGETS = 1024               # of one man, a square counted once for each step that leads to it
    MOST_KINDS = 16                   # that may die out
    NEXT_RAY = 0xffff                 # while compiling: the step after the last one of this ray

cdef enum:                            # what may be done on the square of a step
    STEP_TAKES = 1
    STEP_MOVES = 2
    STEP_DOUBLE = 4                   # a pawn's initial move that may be taken en passant
    STEP_BOTH = 8                     # on either of the two squares it skipped

cdef enum:                            # what a square of the promotion zone means for a pawn
    MUST_PROMOTE = 1
    MAY_PROMOTE = 2

cdef enum:
    ROYAL_CP = 20000                  # of a royal whose loss loses the game
    CHECK_CP = 360                    # where checks win: worth of standing one before the last


# What it is worth to have so many checks still to give: the share of the last one by the square.
cdef inline int checks_cp(int left) noexcept nogil:
    return CHECK_CP // (left * left) if left > 1 else CHECK_CP


cdef enum:                            # for the side without a legal move
    STALEMATE_DRAWS = 0
    STALEMATE_WINS = 1
    STALEMATE_LOSES = 2
    FEWER_WINS = 3                    # the side with fewer men

cdef enum:                            # rules of counting, in place of the 50-move rule
    NO_COUNTING = 0
    MAKRUK_COUNTING = 1
    CAMBODIAN_COUNTING = 2
    ASEAN_COUNTING = 3

cdef enum:                            # what an army is counted by
    COUNTED_ROOK
    COUNTED_KHON
    COUNTED_KNIGHT

cdef enum:                            # what a link is, if it is no line
    NO_LINK = 0
    DIRECT = 1

cdef struct Step:
    uint8_t to
    uint8_t flags
    uint16_t empty                    # index in the list of the next step, 0 for none
    uint16_t enemy
    uint16_t friendly

cdef struct Line:
    uint64_t mask[WORDS]              # squares that must be empty; of a hidden line, squares that may matter
    int32_t next                      # another line between the same two squares, -1 for none
    uint8_t hidden

cdef struct Plan:                     # what the steps of a type and square come to, if they are plain leaps and lines
    uint64_t takes[PLAN_WORDS]        # where it may take by leaping
    uint64_t moves[PLAN_WORDS]
    uint32_t first                    # where in `plan_lines` its lines begin: those to higher squares first
    uint8_t n_up                      # lines to higher squares
    uint8_t n_down
    uint8_t plain                     # else only the steps can tell

cdef struct PlanLine:                 # squares that are reached one after the other, to move or to take
    uint64_t mask[PLAN_WORDS]

cdef struct Castle:
    int16_t side                      # +1 towards the last file, -1 towards the first
    int16_t stride                    # files that the castler moves, with sign

cdef struct Ray:                      # a ray as engine/games hands it over
    int right
    int up
    int second_right
    int second_up
    int mode
    int toggle
    int extra

cdef class FairyRules:
    cdef readonly int width
    cdef readonly int height
    cdef readonly int squares
    cdef readonly int types           # piece types are 1 to this
    cdef int words                    # of 64 squares that hold the board
    cdef uint8_t file_of[256]         # a division by the width takes longer than looking up
    cdef uint8_t rank_of[256]
    cdef readonly int men_limit       # men a side may have
    cdef readonly int max_moves
    cdef readonly int slot_classes    # piece types that the histories tell apart
    cdef int first_slot[32]           # by man: where in the histories its squares begin

    cdef Step* steps
    cdef int n_steps, step_room
    cdef uint32_t start[TYPES][256]   # where in `steps` the list of a type and square begins; its place 0 is unused
    cdef uint32_t first[TYPES][256]   # the same for initial moves
    cdef uint8_t has_first[TYPES]
    cdef uint8_t first_takes[TYPES]   # may an initial move of this type capture?
    cdef uint8_t overlaps[TYPES]      # can two steps of a list lead to the same square?
    cdef Plan* plans                  # [type][square], without initial moves
    cdef PlanLine* plan_lines
    cdef int n_plan_lines, plan_line_room
    cdef uint8_t leaping_pawns        # does every pawn attack the same squares whatever stands there?
    cdef uint16_t* links              # [target][type][from]; NO_LINK, DIRECT or index in `lines`
    cdef Line* lines
    cdef int n_lines, line_room
    cdef int32_t* line_heads          # [from][to] while compiling
    cdef uint64_t reach[256][WORDS]   # squares from which some type may attack this one
    cdef uint64_t* reach_by           # the same of one type, [target][type][PLAN_WORDS]
    cdef bint has_hidden

    cdef Castle castles[TYPES][MOST_CASTLES]
    cdef int n_castles[TYPES]
    cdef int16_t value[TYPES]         # centipawns; of royals the value of one that may be lost
    cdef uint8_t royal[TYPES]
    cdef uint8_t absolute[TYPES]      # is the game lost with any one of them?
    cdef Traits traits[TYPES]         # for mating potential and pairs
    cdef uint8_t centralises[TYPES]
    cdef uint8_t victim_class[TYPES]  # 1 to 7, by value
    cdef uint8_t promotions[2][16][MOST_CHOICES]   # [colour][file]: types, the default first
    cdef int n_promotions[2][16]
    cdef uint8_t promotes[2][256]     # MUST_PROMOTE, MAY_PROMOTE or 0
    cdef uint64_t promoting[2][WORDS]  # squares where that is not 0
    cdef uint64_t hill[WORDS]
    cdef uint64_t virgin_start[WORDS]  # squares of the array whose men lose rights by moving
    cdef uint8_t start_man[256]       # the array: type, 16 more for Black
    cdef bint has_hill
    cdef readonly bint stalemate_loses
    cdef bint has_baring
    cdef readonly bint has_gating
    cdef uint8_t gate_type[2]         # types in hand at the start

    # rules that only a line `# NAME` of a definition states
    cdef bint is_special              # can the game be won otherwise than by mate, or end by its own rule?
    cdef bint has_homes
    cdef uint8_t home[2][256]         # does a pawn on this square count as unmoved?
    cdef int last_home                # own rank from which initial moves allow en passant, -1 for any
    cdef uint8_t partner[2][256]      # [towards the last file][square]: of the partner of a castler there; itself: none
    cdef bint free_castling           # may a piece that is not royal castle through attacks?
    cdef bint has_limits
    cdef uint8_t limit[2][TYPES]      # a pawn promotes only to a type of which the side has fewer
    cdef bint has_goal
    cdef bint goal_reply
    cdef uint64_t goal[2][WORDS]      # squares on which a royal wins
    cdef readonly int checks          # that win, 0 for none
    cdef readonly bint no_checks
    cdef readonly bint must_capture
    cdef int n_extinct
    cdef uint32_t extinct[MOST_KINDS]  # sets of types, by bits; bit 0 alone means all men
    cdef int extinct_at
    cdef bint extinct_wins
    cdef uint8_t lacks_royal[2]       # has this side none in the array?
    cdef readonly int stalemate
    cdef readonly bint mate_wins
    cdef uint32_t facing              # types that take a royal's initial moves away; 0: it has them in check, too
    cdef readonly int counting
    cdef uint32_t counted[3]          # sets of types

    # while compiling
    cdef Ray* ray
    cdef uint64_t path[WORDS]
    cdef int origin, type_now, list_start, depth
    cdef bint hidden_now

    cdef int apply_laws(self, dict laws) except -1
    cdef double mobility(self, int type, int sq) noexcept nogil
    cdef double mean_mobility(self, int type) noexcept nogil
    cdef int grow_steps(self) except -1
    cdef int add_step(self, int to, int flags) except -1
    cdef int shifted(self, int sq, int right, int up) noexcept nogil
    cdef int compile_type(self, int type, list rays) except -1
    cdef void add_castle(self, int type, int side, int stride) noexcept nogil
    cdef int compile_list(self, int type, int sq, list rays, bint initial) except -1
    cdef int compile_leg(self, int at, bint second, int mode, int count) except -1
    cdef int own_rank(self, int sq) noexcept nogil
    cdef int compile_initial(self, int at, int delay, bint both) except -1
    cdef int compile_multi_path(self, int at) except -1
    cdef int add_link(self, int to, bint hidden) except -1
    cdef int find_line(self, int sq, int to, const uint64_t* mask, bint hidden) except -1
    cdef void mark_overlaps(self, int type) noexcept nogil
    cdef int plan_moves(self) except -1
    cdef int plan_list(self, const Step* list, int sq, Plan* plan) except -1
    cdef int add_plan_line(self, const Step* list, int begin, int end) except -1


cdef extern from *:
    """
    static inline int fairy_lsb(uint64_t b) { return __builtin_ctzll(b); }
    static inline int fairy_msb(uint64_t b) { return 63 - __builtin_clzll(b); }
    static inline int fairy_count(uint64_t b) { return __builtin_popcountll(b); }
    """
    int fairy_lsb(uint64_t b) noexcept nogil
    int fairy_msb(uint64_t b) noexcept nogil
    int fairy_count(uint64_t b) noexcept nogil


cdef inline int type_of(int man) noexcept nogil:
    return man & 15


cdef inline int side_of(int man) noexcept nogil:
    return man >> 4


cdef inline bint has(const uint64_t* squares, int sq) noexcept nogil:
    return squares[sq >> 6] >> (sq & 63) & 1


cdef inline void put(uint64_t* squares, int sq) noexcept nogil:
    squares[sq >> 6] |= <uint64_t> 1 << (sq & 63)


cdef inline void drop(uint64_t* squares, int sq) noexcept nogil:
    squares[sq >> 6] &= ~(<uint64_t> 1 << (sq & 63))


cdef inline int link_of(FairyRules rules, int target, int type, int sq) noexcept nogil:
    return rules.links[(target * TYPES + type) * rules.squares + sq]


cdef inline void add_line_up(const uint64_t* mask, const uint64_t* occupied, uint64_t* reached,
                             int words) noexcept nogil:
    """Add the squares of a line to higher squares, up to the first that is occupied."""
    cdef uint64_t low = mask[0] & occupied[0], high
    reached[0] |= mask[0] & (low ^ (low - 1))
    if words > 1:
        high = mask[1] & occupied[1]
        reached[1] |= mask[1] & (high ^ (high - 1)) & (<uint64_t> (low != 0) - 1)


cdef inline void add_line_down(const uint64_t* mask, const uint64_t* occupied, uint64_t* reached,
                               int words) noexcept nogil:
    cdef uint64_t low = mask[0] & occupied[0], high
    if words == 1:
        reached[0] |= mask[0] & (~(<uint64_t> 0) << fairy_msb(low | 1))
        return
    high = mask[1] & occupied[1]
    reached[1] |= mask[1] & (~(<uint64_t> 0) << fairy_msb(high | 1))
    reached[0] |= mask[0] & (~(<uint64_t> 0) << fairy_msb(low | 1)) & (<uint64_t> (high != 0) - 1)


# Squares that a man with a plain plan may take on and move to, whoever stands there. words: of the board, at most
# PLAN_WORDS; the callers for which this counts give a constant.
cdef inline void planned(FairyRules rules, const Plan* plan, const uint64_t* occupied, uint64_t* takes,
                         uint64_t* moves, int words) noexcept nogil:
    cdef uint64_t[PLAN_WORDS] reached
    cdef const PlanLine* line = &rules.plan_lines[plan.first]
    cdef const PlanLine* end = line + plan.n_up
    cdef int word
    reached[0] = reached[1] = 0
    while line < end:
        add_line_up(line.mask, occupied, reached, words)
        line += 1
    end = line + plan.n_down
    while line < end:
        add_line_down(line.mask, occupied, reached, words)
        line += 1
    for word in range(words):
        takes[word] = plan.takes[word] | reached[word]
        moves[word] = plan.moves[word] | reached[word]
