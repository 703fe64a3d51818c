"""Probing R-Mobility tables."""

from libc.stdint cimport int64_t
from libc.string cimport memset

from ..base.types cimport *
from ..chess.movegen cimport count
from .inflate cimport crc32, inflate
from .layout cimport MOST_MEN, number_of, squares_in
from .stairs cimport capped, outcome_of


cdef enum:
    NOTHING = 1 << 20
    NO_ENTRY = 0xFFFFFFFF

cdef extern from *:
    """
    static inline int load_state(const unsigned char *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
    static inline void store_state(unsigned char *p, int v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }
    """
    int load_state(const uint8_t* p) noexcept nogil
    void store_state(uint8_t* p, int v) noexcept nogil


cdef inline int first_slot(uint64_t key) noexcept nogil:
    return <int> ((key * 0x9E3779B97F4A7C15ULL) >> 54)


cdef uint64_t turned_key(uint64_t key) noexcept nogil:
    """The material key with colours exchanged: pieces 1 to 6 are White's, 9 to 14 Black's, four bits each."""
    return key >> 32 | key << 32


cdef void add_place(Library* library, uint64_t key, int place) noexcept nogil:
    cdef int slot = first_slot(key)
    while library.keys[slot]:
        slot = (slot + 1) & (TABLE_SLOTS - 1)
    library.keys[slot] = key
    library.places[slot] = <uint16_t> place


cdef bint add_table(Library* library, Table* table) noexcept nogil:
    cdef uint64_t key = table.layout.material_key
    if library.n_tables == MOST_TABLES:
        return False
    library.tables[library.n_tables] = table
    add_place(library, key, 2 * library.n_tables)
    if turned_key(key) != key:
        add_place(library, turned_key(key), 2 * library.n_tables + 1)
    library.n_tables += 1
    library.most_pieces = max(library.most_pieces, table.layout.n_pieces)
    return True


cdef Table* table_of(const Library* library, uint64_t material_key, bint* turned) noexcept nogil:
    cdef int slot = first_slot(material_key)
    while library.keys[slot] != material_key:
        if library.keys[slot] == 0:
            return NULL
        slot = (slot + 1) & (TABLE_SLOTS - 1)
    turned[0] = library.places[slot] & 1
    return library.tables[library.places[slot] >> 1]


cdef inline int64_t block_size(const Plane* plane, int64_t block) noexcept nogil:
    """Symbols in a block; the last one may be short."""
    return min(<int64_t> 1 << BLOCK_BITS, plane.size - (block << BLOCK_BITS))


cdef bint unpack_block(Plane* plane, int64_t block) noexcept nogil:
    cdef const uint8_t* packed = plane.packed + plane.offsets[block]
    cdef size_t length = plane.offsets[block + 1] - plane.offsets[block]
    cdef bint good = crc32(packed, length) == plane.sums[block] and inflate(
        packed, length, plane.symbols + (block << BLOCK_BITS) * plane.width, block_size(plane, block) * plane.width)
    store_state(&plane.states[block], READY if good else CORRUPT)
    return good


cdef inline bint is_ready(Plane* plane, int64_t block) noexcept nogil:
    cdef int state
    if plane.states == NULL:
        return True
    state = load_state(&plane.states[block])
    return state == READY or (state == PACKED and unpack_block(plane, block))


cdef inline uint32_t entry_of(Plane* plane, int64_t number) noexcept nogil:
    """The staircase of a position; NO_ENTRY if its block is corrupt."""
    cdef int64_t block = number >> BLOCK_BITS, size
    cdef const uint8_t* place
    cdef uint32_t entry
    if not is_ready(plane, block):
        return NO_ENTRY
    size = block_size(plane, block)
    place = plane.symbols + (block << BLOCK_BITS) * plane.width + (number - (block << BLOCK_BITS))
    entry = place[0]
    if plane.width > 1:
        entry |= <uint32_t> place[size] << 8
        if plane.width > 2:
            entry |= <uint32_t> place[2 * size] << 16
    return entry if entry < plane.n_entries else NO_ENTRY


cdef inline int read_plane(Plane* plane, int64_t number, int code, int owner) noexcept nogil:
    """The number of the last run that begins at or before this code; NOTHING for a corrupt block."""
    cdef uint32_t entry = entry_of(plane, number), first, last
    if entry == NO_ENTRY:
        return NOTHING
    first = plane.starts[2 * entry + owner]
    last = plane.starts[2 * entry + owner + 1]
    while last > first:
        last -= 1
        if plane.runs[last].code <= code:
            return plane.runs[last].number
    return 0


cdef inline void read_runs(const Plane* plane, uint32_t entry, int owner, int top, int16_t* numbers) noexcept nogil:
    """As read_plane, for codes 2 to top."""
    cdef uint32_t place
    cdef int code
    for code in range(2, top + 1):
        numbers[code] = 0
    for place in range(plane.starts[2 * entry + owner], plane.starts[2 * entry + owner + 1]):
        for code in range(max(2, plane.runs[place].code), top + 1):
            numbers[code] = plane.runs[place].number


cdef bint read_row(Table* table, int64_t number, bint turned, int top, Row* row) noexcept nogil:
    cdef uint32_t values = entry_of(&table.values, number)
    cdef uint32_t plies = entry_of(&table.plies, number) if table.has_plies else NO_ENTRY
    cdef int owner, code
    cdef int16_t value, sign = -1 if turned else 1
    if values == NO_ENTRY:
        return False
    for owner in range(2):
        read_runs(&table.values, values, owner ^ turned, top, row.value[owner])
        if plies == NO_ENTRY:
            memset(row.plies[owner], 0, sizeof(row.plies[owner]))
        else:
            read_runs(&table.plies, plies, owner ^ turned, top, row.plies[owner])
        for code in range(2, top + 1):
            value = row.value[owner][code]
            row.plies[owner][code] = row.plies[owner][code] if value else 0
            row.value[owner][code] = sign * value if value else <int16_t> outcome_of(code, owner)
    return True


cdef int64_t number_in(const Table* table, const Position* p, bint turned) noexcept nogil:
    cdef uint8_t[MOST_MEN] squares
    squares_in(&table.layout, p, turned, squares)
    return number_of(&table.layout, p.stm ^ turned, squares)


cdef bint look_up_row(const Library* library, const Position* p, int top, Row* row) noexcept nogil:
    cdef bint turned
    cdef Table* table = table_of(library, p.material_key, &turned)
    return table != NULL and read_row(table, number_in(table, p, turned), turned, top, row)


cdef int look_up(const Library* library, const Position* p, int code, int owner, int* plies) noexcept nogil:
    cdef bint turned
    cdef Table* table
    cdef int64_t number
    cdef int value, distance
    if code <= 1:
        if plies != NULL:
            plies[0] = 0
        return outcome_of(code, owner)
    code = capped(code)
    table = table_of(library, p.material_key, &turned)
    if table == NULL:
        return 0
    number = number_in(table, p, turned)
    value = read_plane(&table.values, number, code, owner ^ turned)
    if value == NOTHING:
        return 0
    if plies != NULL:
        distance = read_plane(&table.plies, number, code, owner ^ turned) if value and table.has_plies else 0
        plies[0] = distance if distance != NOTHING else 0
    if value == 0:
        return outcome_of(code, owner)
    return -value if turned else value


cdef int look_up_fresh(const Library* library, const Position* p, int* plies) noexcept nogil:
    cdef uint64_t checkers
    cdef int code = 2 * count(p, &checkers)
    return look_up(library, p, code + (checkers == 0), p.stm ^ 1, plies)
