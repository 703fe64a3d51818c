# Where each piece type may go, and which squares it attacks.
#
# The moves of a type from a square are a list of steps. Each step names a square, what may be done there and which
# step comes next if the square is empty, holds an enemy or a friend. One loop over such a list handles leapers,
# sliders, hoppers, bent and lame pieces alike; no other module of the core deals with rays. Black's pieces of a type
# whose moves are mirrored have lists of their own: a piece finds its lists, links and plans by its way of moving.
#
# A link says how a type on one square attacks another: directly, along empty squares of a line, over exactly one piece
# on a line, or only as its steps decide ("hidden": other hoppers, several paths, initial moves). Checks and pins are
# found from links.

from .squares cimport WORDS
from ..base.types cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    TYPES = 16                        # piece types 1 to 15
    WAYS = 32                         # ways of moving: one for each type, and another for Black if the type is mirrored
    WHITE_PAWN = 1
    BLACK_PAWN = 2
    MOST_CASTLES = 8                  # castlings of one type
    NEXT_RAY = 0xffff                 # while compiling: stands for the step after the last one of this ray

cdef enum:                            # the rights of a piece on the square of a step
    STEP_TAKES = 1
    STEP_MOVES = 2
    STEP_DOUBLE = 4                   # a pawn's initial move, after which it may be taken en passant
    STEP_BOTH = 8                     # the same, on either of the two squares that the pawn skipped
    STEP_GATE = 16                    # no square of its own: behind a platform; `enemy` follows if it may be hopped

cdef enum:                            # links other than lines
    NO_LINK = 0
    DIRECT = 1

cdef struct Step:
    uint8_t to
    uint8_t flags
    uint16_t empty                    # index of the next step in the list, 0 for none
    uint16_t enemy
    uint16_t friendly

cdef struct Line:
    uint64_t mask[WORDS]              # squares that must be empty; for a hidden line, those that may affect the attack
    int32_t next                      # another line between the same two squares, -1 for none
    uint8_t hidden
    uint8_t over_one                  # exactly one square of the mask must be occupied: the platform
    uint8_t chooses                   # the same, but only some types are platforms
    uint8_t no_exchange               # exchanges ignore this line: it is hidden, or an attack on a royal only

cdef struct Castle:
    int16_t side                      # +1 towards the last file, -1 towards the first
    int16_t stride                    # number of files that the castler moves, with sign

cdef struct Ray:                      # a ray as engine/variants passes it
    int right
    int up
    int second_right
    int second_up
    int mode
    int toggle
    int extra

cdef class StepTables:
    cdef readonly int width
    cdef readonly int height
    cdef readonly int squares
    cdef readonly int types           # number of piece types, counted from 1
    cdef int words                    # words of 64 squares that the board takes
    cdef int last_home                # own rank from which initial moves allow en passant, -1 for any
    cdef uint8_t file_of[256]         # a look-up is faster than dividing by the width
    cdef uint8_t rank_of[256]

    cdef Step* steps
    cdef int n_steps, step_room
    cdef uint8_t way[WAYS]            # by piece: its type, or for Black's piece of a mirrored type 16 more
    cdef uint32_t start[WAYS][256]    # index in `steps` of the list of a way and square; see compile_list
    cdef uint32_t first[WAYS][256]    # the same for initial moves
    cdef uint8_t has_first[TYPES]
    cdef uint8_t first_takes[TYPES]   # whether an initial move of this type may capture
    cdef uint8_t overlaps[TYPES]      # whether two steps of a list can lead to the same square
    cdef uint16_t* links              # [target][way][from]; NO_LINK, DIRECT or index in `lines`
    cdef Line* lines
    cdef int n_lines, line_room
    cdef int32_t* line_heads          # [from][to] while compiling
    cdef uint64_t reach[256][WORDS]   # squares from which some type may attack this one
    cdef bint has_hoppers             # whether a piece on an empty square may make an attack possible

    cdef Castle castles[TYPES][MOST_CASTLES]
    cdef int n_castles[TYPES]

    cdef uint32_t barriers            # types over which no piece hops
    cdef uint32_t immune[TYPES]       # types that a type may not capture
    cdef uint8_t choosy[TYPES]        # whether moves of a type depend on the types of other pieces
    cdef uint64_t zones[WAYS][WORDS]  # squares on which a piece with this way of moving may stand
    cdef uint32_t flying              # royal types that attack each other along an open file

    # while compiling
    cdef dict areas                   # type: list of (bits of squares, rays that must not leave them)
    cdef uint64_t inside[WORDS]       # squares that a ray may touch
    cdef Ray* ray
    cdef uint64_t path[WORDS]
    cdef int origin, way_now, list_start, depth
    cdef bint hidden_now, over_one_now

    cdef void shape(self, int width, int height) noexcept nogil
    cdef int compile_types(self, list rays, dict mirrored) except -1
    cdef int grow_steps(self) except -1
    cdef int add_step(self, int to, int flags) except -1
    cdef int add_gate(self, int to, int after) except -1
    cdef int shifted(self, int sq, int right, int up) noexcept nogil
    cdef int compile_type(self, int way, list rays) except -1
    cdef void add_castle(self, int type, int side, int stride) noexcept nogil
    cdef int compile_list(self, int way, int sq, list rays, bint initial) except -1
    cdef int compile_row(self, tuple row, bint initial, bint is_first) except -1
    cdef int compile_areas(self) except -1
    cdef int add_flights(self) except -1
    cdef int compile_leg(self, int at, bint second, int mode, int count) except -1
    cdef int own_rank(self, int sq) noexcept nogil
    cdef int compile_initial(self, int at, int delay, bint both) except -1
    cdef int compile_multi_path(self, int at) except -1
    cdef int add_link(self, int to, bint hidden) except -1
    cdef int connect(self, int to, bint hidden, bint no_exchange) except -1
    cdef int find_line(self, int sq, int to, const Line* line) except -1
    cdef void mark_overlaps(self, int type) noexcept nogil


# The way in which a piece moves.
cdef inline int way_of(StepTables tables, int piece) noexcept nogil:
    return tables.way[piece]


# The step that follows a gate: beyond the piece that is hopped over, or that of the next ray if it is not a platform.
cdef inline int beyond(StepTables tables, const Step* gate, int piece) noexcept nogil:
    return gate.empty if tables.barriers >> (piece & 15) & 1 else gate.enemy


cdef inline int link_of(StepTables tables, int target, int way, int sq) noexcept nogil:
    return tables.links[(target * WAYS + way) * tables.squares + sq]
