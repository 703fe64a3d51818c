# The numbering of the positions of a material class, which docs/table-format.md describes.
#
# The first side of a class is White in its numbers; a position with exchanged colours is turned over (board, colours,
# side to move) before it is numbered. Men are listed as: White's king, Black's king, White's pieces,
# Black's pieces, White's pawns, Black's pawns; pieces from queen to knight.
#
# A placement of the pawns is a slice: no move inside it is a reset unless it captures. The order of equal men does not
# matter: a group of two or three has one number.

from libc.stdint cimport int16_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t

from ..chess.position cimport Position

cdef enum:
    MOST_MEN = 5
    MOST_PAWNS = 3
    MOST_SLICES = 25944               # placements of two equal pawns and one of the other colour
    KING_PAIRS = 462                  # pairs of kings without pawns, White's on a1-d1-d4
    COUPLES = 2016                    # placements of two equal men
    TRIPLES = 41664                   # placements of three equal men
    TURNED = 1 << 15                  # flag in slice_of: the placement is numbered as its mirror image
    NO_SLICE = TURNED - 1

cdef struct Placements:               # placements of pawns; filled when they are first needed
    int n                             # number of slices; 0 if not filled yet
    uint16_t slice_of[1 << 6 * MOST_PAWNS]      # index: first + 64 * second + 4096 * third pawn's square
    uint8_t pawns[MOST_SLICES][MOST_PAWNS]      # squares of the pawns of a slice

cdef struct Layout:
    int n_pieces
    int n_free                        # number of men other than pawns, which come first
    int n_slices
    int colour[MOST_MEN]
    int type[MOST_MEN]
    bint like[MOST_MEN]               # whether this man equals the one before it
    int group[MOST_MEN]               # size of the group of equal men that begins here; 0 for the others of the group
    uint32_t stride[MOST_MEN]         # in the solver's numbers, the stride of the group to which a man belongs
    uint32_t nodes                    # how many numbers the solver uses in a slice for one side to move
    uint64_t material_key             # as in Position
    int64_t slice_size                # how many numbers a slice has for one side to move
    int64_t size                      # how many numbers the class has for both sides to move
    const Placements* placements

# Fills the layout from colour and type; false if there are too many men or more than three pawns.
# Needs the GIL, because it may fill shared tables.
cdef bint prepare_layout(Layout* l) noexcept nogil

# Number of a placement of men. Their squares are in the order of the layout; the function changes them.
cdef int64_t number_of(const Layout* l, int stm, uint8_t* squares) noexcept nogil

# Squares of the placement with this number among those of one side to move.
cdef void squares_of(const Layout* l, int64_t number, uint8_t* squares) noexcept nogil

# Squares of the men in the order of the layout; turned: colours and board are turned over.
cdef void squares_in(const Layout* l, const Position* p, bint turned, uint8_t* squares) noexcept nogil

# Number of the squares of a group of one to three equal men, in any order.
cdef int group_number(const uint8_t* squares, int n) noexcept nogil

# The squares, in ascending order, of the group with this number.
cdef void place_group(int number, int n, uint8_t* squares) noexcept nogil


cdef inline int places_of(int n) noexcept nogil:
    """Placements of a group."""
    return 64 if n == 1 else COUPLES if n == 2 else TRIPLES


cdef inline int slice_number(const Layout* l, const uint8_t* squares, bint* mirrored) noexcept nogil:
    """The slice of a placement; mirrored: it is numbered as its image with files a and h exchanged."""
    cdef int entry = 0, i
    mirrored[0] = False
    if l.n_pieces == l.n_free:
        return 0
    for i in range(l.n_pieces - 1, l.n_free - 1, -1):
        entry = entry << 6 | squares[i]
    entry = l.placements.slice_of[entry]
    mirrored[0] = entry & TURNED != 0
    return entry & NO_SLICE
