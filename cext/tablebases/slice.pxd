# The solver's data of one slice of a class, and its numbering of positions.
#
# Positions are numbered by side to move, White's king, Black's king, and the groups of other men except pawns. Without
# pawns White's king stands on a1-d4: the mirrors that bring it there have no fixed square, so every position has one
# number and a move counts once.
#
# A position is settled for good when its value no longer depends on records that are still to come. `best` holds the
# best value of settled successors; the others are counted. A layer (one record) is solved backwards from its exits,
# best outcome and nearest exit first: once for each side, to find where that side improves on the record.
#
# A slice too large for memory lies in a mapped file, ordered by king pair so that most moves stay near. The solver
# limits its resident pages; the system writes out the rest.

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t

from ..base.attacks cimport KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, queen_attacks, rook_attacks
from .layout cimport MOST_MEN, MOST_PAWNS, Layout
from .library cimport Library
from .stairs cimport Stairs
from ..base.types cimport BISHOP, KING, QUEEN, ROOK

cdef enum:
    NO_KEY = 0xFFFFFFFF
    PLY_BITS = 12

cdef enum State:
    OPEN = 0
    SETTLED = 1
    UNUSED = 2                        # the number has no position
    IN_LAYER = 3                      # solved in the current layer

cdef enum Phase:                      # of the work on a slice, in this order; BEGIN to SETTLE for each record
    ENTER = 0                         # enter all positions
    ENDS = 1                          # settle mates and stalemates
    BEGIN = 2                         # enqueue the exits of one side
    SWEEP = 3                         # find where that side improves on the record
    END = 4                           # write the results into the staircases
    SETTLE = 5                        # settle decided positions
    FRESH = 6                         # settle the positions whose own goal is the record
    SOLVED = 7

cdef enum Trouble:
    NONE = 0
    NO_MEMORY = 1
    NO_TABLE = 2                      # the table of a class after a capture or promotion is missing
    TOO_FAR = 3                       # more plies than the number can hold
    BROKEN = 4                        # a result that theory excludes
    TOO_WEAK = 5                      # a record too weak to have a code of its own stands to the end

cdef struct Node:
    uint32_t best                     # OPEN: see offer; 0: no settled successor. SETTLED: packed value and plies
    uint32_t key                      # place in the order of the current layer; NO_KEY: not reached
    uint32_t chain                    # staircase
    uint8_t code                      # goal
    uint8_t moves                     # moves to successors that are not settled
    uint8_t closed                    # how many of these are closed in the current layer
    uint8_t state

cdef struct Exit:                     # a capture or pawn move that counts only from a weaker whole-game record on
    uint32_t node
    uint32_t packed

cdef struct Entry:
    uint32_t node
    int32_t next

cdef struct Indices:
    uint32_t* items
    int64_t n
    int64_t room

cdef struct PawnLinks:                # slices of the same class that are already solved
    const uint32_t** fresh            # [slice][number]: packed fresh values
    const uint32_t** chains           # [slice][number]: the number of a staircase of that slice
    Stairs* stairs                    # [slice]

cdef struct Place:                    # where the work on a slice has got to
    int32_t phase
    int32_t code                      # the record
    int32_t owner
    int32_t side                      # whose improvements are sought
    int32_t outcome                   # the list of the sweep: outcome and plies
    int32_t plies
    int64_t at                        # item of the phase's list

cdef struct Slice:
    Place place
    const Layout* layout
    const Library* library
    const PawnLinks* links
    int index                         # index of this slice
    bint whole_game
    uint32_t half                     # how many numbers one side to move has
    uint8_t pawns[MOST_PAWNS]
    Node* nodes
    Stairs stairs
    Indices active
    Indices touched
    Indices done
    Indices fresh                     # pairs: node, packed value
    Exit* exits
    int64_t n_exits
    int64_t exit_room
    int32_t* heads                    # heads of the lists of each key
    int deepest[256]                  # most plies of any list of this outcome, -1 for none
    Entry* entries
    int64_t n_entries
    int64_t entry_room
    uint8_t* scratch                  # mapped memory for all of the above, NULL for the heap
    size_t resident                   # how many bytes of it may be resident
    int64_t faults                    # page faults when memory was last released
    int trouble
    int64_t positions
    int64_t settled
    uint64_t evaluations              # positions examined in layers, plus exits counted
    int64_t counts[2][256]            # [side to move][outcome + 128]: positions by fresh value
    int longest[2][256]               # most plies to that outcome

cdef bint open_slice(Slice* s, const Layout* layout, const Library* library, const PawnLinks* links, int index,
                     bint whole_game, uint8_t* scratch, size_t resident) noexcept nogil

# Bytes of mapped memory that a slice takes.
cdef size_t scratch_bytes(const Layout* l) noexcept nogil

# Releases mapped memory if too much may be resident. Must be called every few thousand positions.
cdef void bound_memory(Slice* s) noexcept nogil
cdef void close_slice(Slice* s) noexcept nogil
# Number of a placement. The squares are in the order of the layout; the function changes them.
cdef uint32_t node_number(const Layout* l, int stm, uint8_t* squares) noexcept nogil

# Writes the squares of the men other than pawns; returns the side to move.
cdef int node_squares(const Layout* l, uint32_t node, uint8_t* squares) noexcept nogil

# Merges the value of a settled successor into `best`, which holds the value + 128 in eight bits, then the fewest and
# the most plies to it in twelve bits each.
cdef void offer(Node* node, int stm, int value, int plies) noexcept nogil


cdef inline uint64_t reach(int type, int sq, uint64_t occupied) noexcept nogil:
    """Squares that a man other than a pawn attacks."""
    if type == KING:
        return KING_ATTACKS[sq]
    if type == QUEEN:
        return queen_attacks(sq, occupied)
    if type == ROOK:
        return rook_attacks(sq, occupied)
    return bishop_attacks(sq, occupied) if type == BISHOP else KNIGHT_ATTACKS[sq]
