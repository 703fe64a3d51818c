# Loaded classes, and probing them.
#
# The first probe of a block unpacks it; two threads may do so at once and write the same bytes.
#
# Each position has a symbol in the plane of values: an entry of a dictionary of staircases. Distances are a second
# plane with a dictionary of its own. A staircase in a dictionary is, for each owner of the record, a list of runs. A
# run is a number that holds from a code of the record on (0: the record stands).

from libc.stdint cimport int16_t, int64_t, uint16_t, uint32_t, uint64_t, uint8_t

from ..chess.position cimport Position
from .layout cimport Layout

cdef enum:
    MOST_TABLES = 160
    TABLE_SLOTS = 1024                # size of the hash table of material; a power of two
    BLOCK_BITS = 15                   # 1 << BLOCK_BITS symbols per block
    ROW = 128                         # codes of records

cdef enum BlockState:
    PACKED = 0
    READY = 1
    CORRUPT = 2

cdef struct Run:
    int16_t number                    # outcome or plies, 0 where the record stands
    uint8_t code                      # code of the first record of the run, which ends before the code of the next run

cdef struct Plane:
    uint8_t* symbols                  # for each block, the lowest bytes of its symbols, then the next higher ones, ...
    int width                         # bytes per symbol
    int64_t size                      # number of symbols
    uint32_t n_entries
    uint32_t* starts                  # offsets of the runs: entry e, owner o at 2 * e + o; one more at the end
    Run* runs
    uint8_t* states                   # states of the blocks; NULL if all are unpacked
    const uint8_t* packed             # all blocks, concatenated
    uint64_t* offsets                 # offsets of the blocks in it; one more at the end
    uint32_t* sums                    # checksums of the packed blocks

cdef struct Table:
    Layout layout
    Plane values
    Plane plies
    bint has_plies

cdef struct Library:
    Table* tables[MOST_TABLES]
    int n_tables
    int most_pieces                   # most pieces in any table
    uint64_t keys[TABLE_SLOTS]        # material keys, 0 for a free slot
    uint16_t places[TABLE_SLOTS]      # 2 * place in tables + [colours turned over]

cdef struct Row:                      # one position under many records: [owner][code], filled from code 2 on
    int16_t value[2][ROW]             # outcomes, White's view
    int16_t plies[2][ROW]

cdef bint add_table(Library* library, Table* table) noexcept nogil

# The table of this material, or NULL; turned: the table has the colours exchanged.
cdef Table* table_of(const Library* library, uint64_t material_key, bint* turned) noexcept nogil

# The outcome, White's view, of a position without en passant and castling, under a record not weaker than its own goal.
# If the record stands, that is the record's outcome. 0 if there is no table or its block is corrupt. plies may be NULL.
cdef int look_up(const Library* library, const Position* p, int code, int owner, int* plies) noexcept nogil

# look_up under the position's own record.
cdef int look_up_fresh(const Library* library, const Position* p, int* plies) noexcept nogil

# Writes the results of look_up for the position with this number under the records of codes 2 to top; false without a
# result. turned: the probed position has the colours exchanged.
cdef bint read_row(Table* table, int64_t number, bint turned, int top, Row* row) noexcept nogil

# read_row for a position; false also if there is no table.
cdef bint look_up_row(const Library* library, const Position* p, int top, Row* row) noexcept nogil

# The table's number of a position; turned: after exchanging the colours and turning the board over.
cdef int64_t number_in(const Table* table, const Position* p, bint turned) noexcept nogil

# The material key with colours exchanged.
cdef uint64_t turned_key(uint64_t key) noexcept nogil

# Unpacks a block; false if it is corrupt.
cdef bint unpack_block(Plane* plane, int64_t block) noexcept nogil
