# How the positions of a class of material are numbered. Layer 4; docs/table-format.md describes the numbers.
#
# The first side of a class is White in its numbers; a position with the colours the other way round is turned over
# (board, colours, side to move) before it is numbered. Men are listed as: White's king, Black's king, White's pieces,
# Black's pieces, White's pawns, Black's pawns; pieces from queen to knight.
#
# A placement of the pawns is a slice: no move inside it is a reset unless it captures.

from libc.stdint cimport int16_t, int64_t, uint16_t, uint64_t, uint8_t

from ..chess.position cimport Position

cdef enum:
    MOST_MEN = 4
    MOST_SLICES = 1152                # pawn placements of two pawns of different colours
    KING_PAIRS = 462                  # without pawns: White's king on a1-d1-d4
    TURNED = 1 << 15                  # of slice_of: the placement is numbered as its mirror image
    NO_SLICE = TURNED - 1

cdef struct Layout:
    int n_men
    int n_free                        # all but pawns; they come first
    int n_slices
    int colour[MOST_MEN]
    int man[MOST_MEN]
    bint like[MOST_MEN]               # is this man equal to the one before it?
    uint64_t material_key             # as in Position
    int64_t slice_size                # numbers of a slice, for one side to move
    int64_t size                      # numbers of the class, both sides to move
    uint16_t slice_of[4096]           # by the squares of the pawns: first + 64 * second; see slice_number
    uint8_t pawns[MOST_SLICES][2]     # squares of the pawns of a slice

# Fills the layout from colour and man; false if there are too many men or more than two pawns.
cdef bint prepare_layout(Layout* l) noexcept nogil

# Number of a placement of men, whose squares are given in the order of the layout and are changed.
cdef int64_t number_of(const Layout* l, int stm, uint8_t* squares) noexcept nogil

# Squares of the placement with this number, counted among those of one side to move.
cdef void squares_of(const Layout* l, int64_t number, uint8_t* squares) noexcept nogil

# Squares of the men in the order of the layout; turned: colours and board are turned over.
cdef void squares_in(const Layout* l, const Position* p, bint turned, uint8_t* squares) noexcept nogil


cdef inline int slice_number(const Layout* l, const uint8_t* squares, bint* mirrored) noexcept nogil:
    """The slice of a placement; mirrored: it is numbered as its image with files a and h exchanged."""
    cdef int entry = 0
    mirrored[0] = False
    if l.n_men == l.n_free:
        return 0
    entry = l.slice_of[squares[l.n_free] + (64 * squares[l.n_free + 1] if l.n_men > l.n_free + 1 else 0)]
    mirrored[0] = entry & TURNED != 0
    return entry & NO_SLICE
